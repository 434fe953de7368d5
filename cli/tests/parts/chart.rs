//! Charts as SVG, and pages that load nothing.

use sudoku_batch_cli::{
    chart::{self, Axes, Bar, Bars, NARROW, Panel, WIDE},
    page::page,
};

#[test]
fn bars_are_as_long_as_their_powers_of_ten() {
    let bar = |value: f64| Bar {
        label: "A & B".into(),
        value,
        text: value.to_string(),
        series: 0,
    };
    let bars = Bars {
        title: "Bars".into(),
        powers: 0..=4,
        bars: vec![bar(1.0), bar(100.0), bar(10_000.0)],
    };
    for (width, most) in [(WIDE, 410.0), (NARROW, 250.0)] {
        let svg = bars.draw(width);
        let lengths = svg.split("<rect").skip(1);
        let lengths = lengths.map(|rect| rect.split("width=\"").nth(1).unwrap());
        let lengths = lengths.map(|rest| rest.split('"').next().unwrap().parse().unwrap());
        let lengths: Vec<f64> = lengths.collect();
        assert_eq!(lengths, [0.0, most / 2.0, most]);
        assert_eq!(svg.matches(">A &amp; B</text>").count(), 3);
        // The words below the axis, in the middle of it and on the picture.
        let words = svg.lines().find(|line| line.contains(">logarithmic scale"));
        let left = f64::from(width) - 90.0 - most;
        let middle = format!("<text x=\"{:.1}\"", left + most / 2.0);
        assert!(words.unwrap().starts_with(&middle), "{svg}");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains(&format!("width=\"{width}\"")));
    }
}

#[test]
fn lines_lie_in_their_frame() {
    let axes = Axes {
        title: "Lines".into(),
        x: 0.0..10.0,
        y: 0.0..100.0,
        x_name: "x",
        y_name: "y",
        linear_x: true,
    };
    let panel = Panel {
        caption: "corners".into(),
        lines: vec![vec![(0.0, 0.0), (10.0, 100.0)]],
        ideal: false,
    };
    // 60 pixels at the left, 24 at the right; 30 above, 48 below of 300 or of 250.
    for (width, line) in [
        (WIDE, "60.0,252.0 776.0,30.0"),
        (NARROW, "60.0,202.0 336.0,30.0"),
    ] {
        let svg = axes.draw(width, &["line".into()], std::slice::from_ref(&panel));
        assert!(svg.contains(&format!("points=\"{line}\"")), "{svg}");
    }
}

#[test]
fn a_page_loads_nothing() {
    let page = page("A < B", "C", ".x {}", "<p>D</p>\n");
    assert!(page.contains("<title>A &lt; B</title>") && page.contains(".x {}</style>"));
    assert!(page.ends_with("<h1>C</h1>\n<p>D</p>\n</body>\n</html>\n"));
    for loads in ["http", "src=", "url(", "<link", "<script"] {
        assert!(!page.contains(loads), "{loads}");
    }
    assert!(chart::dark_style().contains("dark"));
}

/// The labels of both axes of an empty panel.
fn ticks(range: std::ops::Range<f64>, width: u32) -> [String; 2] {
    let axes = Axes {
        title: String::new(),
        x: range.clone(),
        y: range,
        x_name: "",
        y_name: "",
        linear_x: true,
    };
    let panel = Panel {
        caption: String::new(),
        lines: Vec::new(),
        ideal: false,
    };
    let svg = axes.draw(width, &[], &[panel]);
    ["middle", "end"].map(|side| {
        let side = format!("text-anchor=\"{side}\"");
        let texts = svg.lines().filter(|line| line.contains(&side));
        let texts = texts.map(|line| line.split(['>', '<']).nth(2).unwrap());
        let texts: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
        texts.join(" ")
    })
}

#[test]
fn ticks_are_round_numbers() {
    // At most nine where a panel is wide, and five where it is narrow; whole numbers.
    for (range, width, expected) in [
        (1.0..2.0, WIDE, "1 2"),
        (1.0..8.0, WIDE, "1 2 3 4 5 6 7 8"),
        (1.0..64.0, 280, "20 40 60"),
        (-1.0..2.0, 280, "-1 0 1 2"),
    ] {
        assert_eq!(ticks(range.clone(), width)[0], expected, "{range:?}");
    }
    // At most six from below to above.
    for (range, expected) in [
        (0.0..100.0, "0 20 40 60 80 100"),
        (0.0..2.3, "0 0.5 1 1.5 2"),
        (0.0..4.6, "0 1 2 3 4"),
    ] {
        assert_eq!(ticks(range.clone(), WIDE)[1], expected, "{range:?}");
    }
}

/// The picture of the README is what the bars of this version draw: its own words and numbers, drawn
/// again, give its bytes. After a change of the drawing, `bench --svg` writes it again.
#[test]
fn the_picture_of_the_readme_is_drawn_by_this_version() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/throughput.svg");
    let file = std::fs::read_to_string(path).unwrap();
    let texts = |side: &str| {
        let side = format!("text-anchor=\"{side}\" font-size=\"13\"");
        let texts = file.lines().filter(move |line| line.contains(&side));
        let texts = texts.map(|line| line.split(['>', '<']).nth(2).unwrap().to_owned());
        texts.collect::<Vec<String>>()
    };
    let (labels, numbers) = (texts("end"), texts("start"));
    assert_eq!((labels.len(), numbers.len()), (6, 6));
    let bar = |(label, text): (&String, &String)| Bar {
        label: label.clone(),
        value: text.replace(',', "").parse().unwrap(),
        text: text.clone(),
        series: usize::from(label.ends_with("scalar")),
    };
    let bars = Bars {
        title: file.split('"').nth(3).unwrap().into(),
        powers: 3..=8,
        bars: labels.iter().zip(&numbers).map(bar).collect(),
    };
    assert_eq!(chart::as_file(&bars.draw(WIDE)), file);
    assert!(file.contains(">logarithmic scale"));
}
