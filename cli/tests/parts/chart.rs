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

/// A solver, or a level of the library, and its colours.
const SOLVERS: [(&str, &str); 4] = [
    ("tdoku", "#57606A"),
    ("Schoku", "#57606A"),
    ("sudoku-batch, AVX2", "#0969DA"),
    ("sudoku-batch, AVX-512", "#0969DA"),
];

/// The rows of the table of docs/performance.md that the picture shows, and its words for them.
const CLASSES: [(&str, &str); 3] = [
    ("easy, naked singles suffice", "Easy puzzles"),
    ("17 clues", "Puzzles with 17 clues"),
    (
        "forum hardest 11+",
        "The hardest puzzles of the forum (ER 11 and more)",
    ),
];

/// 12.3 million, 180,000.
fn in_words(number: f64) -> String {
    if number >= 1e6 {
        return format!("{:.1} million", number / 1e6);
    }
    let thousands = (number / 1e3).round();
    format!("{thousands},000")
}

/// The picture of the README: puzzles a second of each solver, with a linear scale for each class.
fn speeds(page: &str) -> String {
    const LEFT: f64 = 180.0;
    const LONGEST: f64 = 470.0;
    const ROW: f64 = 22.0;
    const HEAD: f64 = 30.0;
    let mut drawn = String::new();
    let mut top = 0.0;
    let text = |x: f64, y: f64, anchor: &str, weight: &str, words: &str| {
        format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" dy=\"0.35em\" text-anchor=\"{anchor}\" font-size=\"13\" \
             font-weight=\"{weight}\" fill=\"#1F2328\">{words}</text>\n"
        )
    };
    for (row, title) in CLASSES {
        let start = format!("| {row} |");
        let line = page.lines().find(|line| line.starts_with(&start)).unwrap();
        let cells = line.split('|').skip(2).take(SOLVERS.len());
        let speeds = cells.map(|cell| {
            let digits: String = cell.chars().filter(char::is_ascii_digit).collect();
            1e9 / digits.parse::<f64>().unwrap()
        });
        let speeds: Vec<f64> = speeds.collect();
        let most = speeds.iter().copied().fold(0.0, f64::max);
        drawn += &text(16.0, top + HEAD / 2.0 + 4.0, "start", "600", title);
        top += HEAD;
        for ((name, colour), speed) in SOLVERS.iter().zip(speeds) {
            let (middle, length) = (top + ROW / 2.0, LONGEST * speed / most);
            drawn += &text(LEFT - 8.0, middle, "end", "400", name);
            drawn += &format!(
                "<rect x=\"{LEFT:.1}\" y=\"{:.1}\" width=\"{length:.1}\" height=\"16.0\" fill=\"{colour}\"/>\n",
                middle - 8.0
            );
            drawn += &text(
                LEFT + length + 6.0,
                middle,
                "start",
                "400",
                &in_words(speed),
            );
            top += ROW;
        }
    }
    let height = top + 12.0;
    chart::as_file(&format!(
        "<svg role=\"img\" aria-label=\"Puzzles a second on one core\" width=\"{WIDE}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDE} {height}\" font-family=\"system-ui, sans-serif\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         {drawn}</svg>\n"
    ))
}

/// docs/speed.svg is drawn from the table of docs/performance.md. `SUDOKU_BATCH_PAGES=write` draws it again.
#[test]
fn the_chart_of_the_readme_has_the_figures_of_the_table() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    let page = std::fs::read_to_string(format!("{docs}/performance.md")).unwrap();
    let (drawn, path) = (speeds(&page), format!("{docs}/speed.svg"));
    if std::env::var("SUDOKU_BATCH_PAGES").is_ok_and(|mode| mode == "write") {
        std::fs::write(path, drawn).unwrap();
        return;
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == drawn,
        "docs/speed.svg is old"
    );
    // 1e9 / 57 ns is the longest bar of the first class, 1e9 / 60,491 ns a bar of 5,456 / 60,491 of the longest.
    assert!(drawn.contains("width=\"470.0\"") && drawn.contains(">17.5 million<"));
    assert!(drawn.contains("width=\"42.4\"") && drawn.contains(">17,000<"));
    assert_eq!(
        drawn.matches("<rect").count(),
        SOLVERS.len() * CLASSES.len()
    );
}
