//! `sudoku-batch book`.

mod gather;
mod labels;
mod options;
mod students;

pub(crate) use options::Book;

use crate::{
    commands::rate,
    driver::{
        Files, Purpose, Summary,
        files::STANDARD,
        job::{self, Job},
        report::say,
        words::{counted, said},
    },
    pipeline::compression::Packing,
    print::{
        fonts::Fonts,
        layout::{self, AnswerPages, Composer, Cover, Entry, Look, PageSink, Section},
        page::Page,
        paper::Length,
        pdf::{About, PdfWriter},
        svg,
    },
    sets::dedup::status_after,
};
use anyhow::{Context, bail};
use gather::{Item, Known, LeftOut, Making, OF_PROGRAM};
use labels::Labels;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};
use students::{Class, Student};
use sudoku_batch::{
    Outcome,
    draw::language::Word,
    format::{csv, template::Template},
    name::nearest,
    questions::{Counts, MadeSet, PuzzlesSettings},
    technique::{Difficulty, Rating},
};

/// Puzzles that stand together, before they have numbers.
struct Group<'c> {
    /// The usual heading.
    name: String,
    student: Option<&'c Student>,
    items: Vec<Item>,
}

/// The format of an output, by the ending of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Pdf,
    Html,
    Svg,
}

impl Format {
    /// The format of a file, by the ending of its name before that of a compression. Without an ending it is a PDF.
    fn of(option: &str, path: &Path) -> anyhow::Result<Self> {
        let packed = Packing::by_ending(path);
        let stem = packed.and_then(|_| path.file_stem()).map(Path::new);
        let ending = stem.unwrap_or(path).extension();
        let ending = ending.map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("pdf") | None => Ok(Self::Pdf),
            Some("html" | "htm") => Ok(Self::Html),
            Some("svg") => Ok(Self::Svg),
            Some(other) => bail!(
                "{option} {}: no format has the ending .{other}: name it NAME.pdf, NAME.html or NAME.svg",
                path.display()
            ),
        }
    }
}

/// A file that is to be written.
struct Written {
    option: &'static str,
    path: PathBuf,
    bytes: Vec<u8>,
}

/// Prints puzzles.
pub(crate) fn run(options: &Book, files: &Files) -> anyhow::Result<ExitCode> {
    let plan = Plan::of(options)?;
    let mut job = Job::start(files, &options.run, Purpose::Answer)?;
    let mut left_out = LeftOut::default();
    let groups = gather(options, plan.class.as_ref(), &mut job, &mut left_out)?;
    let count: usize = groups.iter().map(|group| group.items.len()).sum();
    if count == 0 {
        match left_out.count {
            0 => bail!("there are no puzzles to print: the input has none"),
            _ => bail!("there are no puzzles to print: all are left out"),
        }
    }
    let sections = plan.sections(&groups)?;
    let texts = sections.iter().flat_map(|section| {
        let labels = section.entries.iter();
        let labels = labels.flat_map(|entry| [&entry.label, &entry.answer_label]);
        labels.chain([&section.heading])
    });
    for text in texts {
        plan.fonts.check(text)?;
    }
    let (mut written, pages) = plan.write(&groups, &sections)?;
    if let Some(path) = &options.key {
        written.push(Written {
            option: "--key",
            path: path.to_path_buf(),
            bytes: plan.key(&groups, &sections),
        });
    }
    // All are created before anything is written: two of them may be one file.
    let outputs = written.iter().map(|file| {
        let output = files.create(file.option, &file.path, None)?;
        if output.is_terminal() {
            bail!("a book is not for a terminal: -o NAME.pdf names a file");
        }
        Ok(output)
    });
    let outputs: Vec<_> = outputs.collect::<anyhow::Result<_>>()?;
    let ended = outputs.into_iter().zip(&written).map(|(output, file)| {
        output.write_next(&file.bytes)?;
        Ok(output.end()?)
    });
    job::commit(ended.collect::<anyhow::Result<Vec<_>>>()?)?;
    if left_out.others > 0 && !options.run.quiet {
        let records = counted(left_out.others, "records");
        say(format_args!(
            "sudoku-batch: {records} of --against {} no symmetric copies: not one solution",
            said(left_out.others, "have")
        ));
    }
    let mut counts = Counts::default();
    counts.add("printed", count as u64);
    counts.add("left-out", left_out.count);
    let summary = Summary::new("puzzles", count as u64 + left_out.count, counts)
        .fact("pages", pages as u64)
        .failed(left_out.count, "are left out");
    let status = job.end(&summary);
    Ok(status_after(left_out.others > 0, status))
}

/// All that is known before a puzzle is read.
struct Plan<'o> {
    options: &'o Book,
    class: Option<Class>,
    fonts: Fonts,
    look: Look,
    cover: Option<Cover>,
    header: String,
    answers: AnswerPages,
    /// The file of answers alone.
    answer_file: Option<&'o Path>,
}

/// The names of the places of answers.
const ANSWER_PAGES: [(&str, AnswerPages); 3] = [
    ("end", AnswerPages::End),
    ("back", AnswerPages::Back),
    ("none", AnswerPages::None),
];

/// Checks that the name of an output has an ending of a format, and placeholders that have values.
fn check_name(option: &str, path: &Path, class: Option<&Class>) -> anyhow::Result<()> {
    let format = Format::of(option, path)?;
    let text = path.to_string_lossy();
    let columns = || class.iter().flat_map(|class| class.columns.clone());
    let is_known = |name: &str| class.is_some_and(|class| class.has(name));
    let has_pages = |name: &str| format == Format::Svg && name == PAGE;
    let pages = || (format == Format::Svg).then(|| PAGE.to_owned());
    Labels::new(
        (option, &text),
        |name| is_known(name) || has_pages(name),
        &|| columns().chain(pages()).collect(),
    )?;
    Ok(())
}

impl<'o> Plan<'o> {
    fn of(options: &'o Book) -> anyhow::Result<Self> {
        let inputs = options.files.iter().chain(&options.against);
        let inputs = inputs.chain(&options.per_student);
        if inputs.filter(|path| ***path == *STANDARD).count() > 1 {
            bail!("standard input (-) can be read once");
        }
        let class = options
            .per_student
            .as_deref()
            .map(Class::read)
            .transpose()?;
        let fonts = Fonts::with(&options.font, options.language.code)?;
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let word = |word: Word| options.word(word).to_owned();
        let paper = match options.landscape {
            true => options.paper.turned(),
            false => options.paper,
        };
        let look = Look {
            page: [paper.width, paper.height],
            margin: options.margin.0,
            gutter: options.gutter.0,
            per_page: options.per_page,
            cell: options.cell_size.map(|cell| cell.0),
            least_cell: options.large.then_some(LARGE.0),
            givens: options.givens,
            candidates: options.candidates,
            answers_per_page: options.answers_per_page,
            footer: text(&options.footer),
            page_numbers: !options.no_page_numbers,
            name_line: options
                .name_line
                .then(|| [Word::Name, Word::Date].map(|name| word(name) + options.language.colon)),
            answers: word(Word::Answers),
        };
        let cover = options.title_page.then(|| Cover {
            title: text(&options.title),
            subtitle: text(&options.subtitle),
            author: text(&options.author),
            date: text(&options.date),
        });
        let header = options.header.as_ref().or(options.title.as_ref());
        let header = text(&header.cloned());
        let printed = [
            &options.title,
            &options.subtitle,
            &options.author,
            &options.date,
        ];
        let printed = printed
            .into_iter()
            .flatten()
            .chain([&header, &look.footer, &look.answers]);
        for text in printed.chain(look.name_line.iter().flatten()) {
            fonts.check(text)?;
        }
        let (answers, answer_file) = match options.answers.as_deref() {
            None if class.is_some() => (AnswerPages::None, None),
            None => (AnswerPages::End, None),
            Some(path) => {
                let text = path.to_string_lossy().to_ascii_lowercase();
                let place = ANSWER_PAGES.iter().find(|(name, _)| *name == text);
                match place {
                    Some((_, pages)) => (*pages, None),
                    None => (AnswerPages::None, Some(path)),
                }
            }
        };
        // A misspelt place is no file.
        let places = ANSWER_PAGES.map(|(name, _)| name);
        if let Some(text) = answer_file.and_then(Path::to_str)
            && let Some(place) = nearest(&places, text)
        {
            bail!("--answers {text}: {place} is a place for answers, and NAME.pdf a file");
        }
        for (option, path) in [
            ("--output", Some(&*options.output)),
            ("--answers", answer_file),
        ] {
            if let Some(path) = path {
                check_name(option, path, class.as_ref())?;
            }
        }
        Ok(Self {
            options,
            class,
            fonts,
            look,
            cover,
            header,
            answers,
            answer_file,
        })
    }

    /// The value of a column of a student.
    fn of_student(&self, group: &Group<'_>, name: &str) -> Option<String> {
        let (class, student) = (self.class.as_ref()?, group.student?);
        class.value(student, name).map(str::to_owned)
    }

    /// The puzzles with their numbers, labels and headings.
    fn sections(&self, groups: &[Group<'_>]) -> anyhow::Result<Vec<Section>> {
        let options = self.options;
        let of_class = |name: &str| self.class.as_ref().is_some_and(|class| class.has(name));
        let columns = || self.class.iter().flat_map(|class| class.columns.clone());
        let heading = match (&options.section, &self.class) {
            (Some(text), _) => text.clone(),
            (None, _) if groups.len() > 1 || self.class.is_some() => "{section}".into(),
            (None, _) => String::new(),
        };
        let of_section = ["section", "count"];
        let heading = Labels::new(
            ("--section", &heading),
            |name| of_section.contains(&name) || of_class(name),
            &|| {
                of_section
                    .map(str::to_owned)
                    .into_iter()
                    .chain(columns())
                    .collect()
            },
        )?;
        // A column of a file is known: the file has been read with it.
        let are_read = groups
            .iter()
            .any(|group| !group.items.is_empty() && group.student.is_none());
        let label = Labels::new(
            ("--label", &options.label),
            |name| {
                OF_PROGRAM.contains(&name)
                    || of_class(name)
                    || are_read && !options.files.is_empty()
            },
            &|| {
                OF_PROGRAM
                    .map(str::to_owned)
                    .into_iter()
                    .chain(columns())
                    .collect()
            },
        )?;
        let ratings = self.ratings(groups, &label);
        let mut ratings = ratings.into_iter();
        let count: usize = groups.iter().map(|group| group.items.len()).sum();
        if options.first_number.checked_add(count as u64).is_none() {
            bail!(
                "--first-number {}: the numbers of {count} puzzles are too large",
                options.first_number
            );
        }
        let mut number = options.first_number;
        let mut sections = Vec::new();
        for group in groups {
            if self.class.is_some() {
                number = options.first_number;
            }
            let title = heading.fill(|name| match name {
                "count" => group.items.len().to_string(),
                _ => self
                    .of_student(group, name)
                    .unwrap_or_else(|| group.name.clone()),
            });
            let entries = group.items.iter().map(|item| {
                let er = ratings.next().flatten();
                let value = |name: &str| {
                    let place = label.names.iter().position(|known| known == name);
                    let own = place.and_then(|place| item.values.get(place)?.clone());
                    own.or_else(|| self.of_student(group, name))
                        .unwrap_or_else(|| {
                            let section = if title.is_empty() {
                                &group.name
                            } else {
                                &title
                            };
                            self.value(name, item, er, number, section)
                        })
                };
                let answer_label = match group.student {
                    Some(student) => format!("{} · {number}", student.id()),
                    None => number.to_string(),
                };
                let remark = match item.answer {
                    Outcome::Unique(_) => "",
                    Outcome::Multiple(_) => options.word(Word::Several),
                    Outcome::NoSolution => options.word(Word::Unsolvable),
                };
                // The parentheses of Chinese have their blank inside.
                let blank = match remark.starts_with(['（', ' ']) || remark.is_empty() {
                    true => "",
                    false => " ",
                };
                let entry = Entry {
                    label: label.fill(value),
                    answer_label: answer_label + blank + remark,
                    puzzle: item.puzzle,
                    marks: item.marks,
                    answer: item.answer,
                };
                number += 1;
                entry
            });
            let entries = entries.collect();
            sections.push(Section {
                heading: title,
                entries,
            });
        }
        Ok(sections)
    }

    /// A value that the program gives.
    fn value(
        &self,
        name: &str,
        item: &Item,
        er: Option<Rating>,
        number: u64,
        section: &str,
    ) -> String {
        match name {
            "number" => number.to_string(),
            "section" => section.to_owned(),
            "clues" => item.puzzle.clue_count().to_string(),
            "er" => er.map(|er| er.to_string()).unwrap_or_default(),
            "difficulty" => match item.answer {
                Outcome::Unique(_) => self.options.word(Word::of(Difficulty::of(er))).to_owned(),
                _ => String::new(),
            },
            // A record without the column that other records have.
            _ => String::new(),
        }
    }

    /// The ER of each puzzle whose label shows it, unless a column of the user has it.
    fn ratings(&self, groups: &[Group<'_>], label: &Labels) -> Vec<Option<Rating>> {
        let is_rating = |name: &String| matches!(&name[..], "er" | "difficulty");
        let places = || {
            label
                .names
                .iter()
                .enumerate()
                .filter(|(_, name)| is_rating(name))
        };
        let lacks = |item: &Item| {
            places().any(|(place, _)| item.values.get(place).is_none_or(Option::is_none))
        };
        let items = groups.iter().flat_map(|group| &group.items);
        let is_wanted: Vec<bool> = items.clone().map(lacks).collect();
        let wanted = items.zip(&is_wanted).filter(|(_, is_wanted)| **is_wanted);
        let mut rated = rate::ers(wanted.map(|(item, _)| &item.puzzle)).into_iter();
        let ratings = is_wanted.into_iter();
        ratings
            .map(|is_wanted| if is_wanted { rated.next()? } else { None })
            .collect()
    }

    /// The files of the book, and the number of all their pages.
    fn write(
        &self,
        groups: &[Group<'_>],
        sections: &[Section],
    ) -> anyhow::Result<(Vec<Written>, usize)> {
        let (mut written, mut pages) = (Vec::new(), 0);
        let answers = self
            .answer_file
            .map(|path| ("--answers", path, AnswerPages::Only));
        let books = [("--output", &*self.options.output, self.answers)];
        for (option, path, answers) in books.into_iter().chain(answers) {
            let path = path.to_string_lossy();
            let names = Template::names(&path);
            let class = self.class.as_ref();
            if class.is_none_or(|class| !names.iter().any(|name| class.has(name))) {
                pages += self.add(option, &path, (sections, answers), &mut written)?;
                continue;
            }
            for (group, section) in groups.iter().zip(sections) {
                let path = self.path_of(group, option, &path)?;
                let sections = std::slice::from_ref(section);
                pages += self.add(option, &path, (sections, answers), &mut written)?;
            }
        }
        Ok((written, pages))
    }

    /// The name of the file of a student.
    fn path_of(&self, group: &Group<'_>, option: &str, output: &str) -> anyhow::Result<String> {
        let class = self
            .class
            .as_ref()
            .expect("a file for each student of a class");
        let student = group.student.expect("a group for each student");
        for name in Template::names(output) {
            let Some(value) = class.value(student, name) else {
                continue;
            };
            let is_part = |c: char| !(c.is_control() || "/\\:".contains(c));
            if !value.chars().all(is_part) || value.chars().all(|c| c == '.') {
                bail!(
                    "student {}: {{{name}}} is '{value}', which cannot be part of a file name",
                    student.id()
                );
            }
        }
        let path = Labels::new(
            (option, output),
            |name| class.has(name) || name == PAGE,
            &|| class.columns.clone(),
        )?;
        Ok(path.fill(|name| match class.value(student, name) {
            Some(value) => value.to_owned(),
            None => format!("{{{name}}}"),
        }))
    }

    /// Adds a book to the files that are written. Returns the number of its pages.
    fn add(
        &self,
        option: &'static str,
        path: &str,
        (sections, answers): (&[Section], AnswerPages),
        written: &mut Vec<Written>,
    ) -> anyhow::Result<usize> {
        let book = layout::Book {
            header: &self.header,
            cover: self.cover.as_ref().filter(|_| answers != AnswerPages::Only),
            sections,
            answers,
            // The sheets of two students never share a leaf.
            starts_right: self.class.is_some()
                && (answers == AnswerPages::Back || self.look.gutter > 0.0),
        };
        let composer = Composer::new(&self.look, &self.fonts);
        let mut add = |path: String, bytes: Vec<u8>| {
            let path = PathBuf::from(path);
            written.push(Written {
                option,
                path,
                bytes,
            });
        };
        let about = About {
            title: self.options.title.clone().unwrap_or_default(),
            author: self.options.author.clone().unwrap_or_default(),
            language: self.options.language.code,
        };
        let format = Format::of(option, Path::new(path))?;
        if format == Format::Pdf {
            let mut sink = PdfWriter::new(&self.fonts, self.look.page);
            let pages = composer.compose(&book, &mut sink)?;
            add(path.to_owned(), sink.finish(&about)?);
            return Ok(pages);
        }
        let mut sink = Elements {
            pages: Vec::new(),
            is_one: format == Format::Html,
            sides: self.look.page,
        };
        let pages = composer.compose(&book, &mut sink)?;
        if format == Format::Html {
            let titles = (&about.title[..], about.language);
            let html = svg::html(&sink.pages[0], self.look.page, titles);
            add(path.to_owned(), html.into_bytes());
            return Ok(pages);
        }
        let placeholder = format!("{{{PAGE}}}");
        if pages > 1 && !path.contains(&placeholder) {
            bail!(
                "{option} {path}: {pages} pages are as many pictures: name them page-{placeholder}.svg, or write a PDF"
            );
        }
        let digits = pages.to_string().len();
        for (element, number) in sink.pages.into_iter().zip(1..) {
            let path = path.replace(&placeholder, &format!("{number:0digits$}"));
            add(path, element.into_bytes());
        }
        Ok(pages)
    }

    /// The table of all puzzles.
    fn key(&self, groups: &[Group<'_>], sections: &[Section]) -> Vec<u8> {
        let mut text = Vec::new();
        let mut row = |fields: Vec<String>| {
            for (number, field) in fields.iter().enumerate() {
                if number > 0 {
                    text.push(b',');
                }
                csv::write_field(field.as_bytes(), b',', &mut text).expect("into memory");
            }
            text.push(b'\n');
        };
        let columns = ["number", "section", "puzzle", "solution"].map(str::to_owned);
        let of_class = self.class.iter().flat_map(|class| class.columns.clone());
        row(of_class.chain(columns).collect());
        let mut number = self.options.first_number;
        for (group, section) in groups.iter().zip(sections) {
            if group.student.is_some() {
                number = self.options.first_number;
            }
            for item in &group.items {
                let student = group.student.iter();
                let student = student.flat_map(|student| student.values.clone());
                let solution = gather::solution(&item.answer).map(ToString::to_string);
                let own = [
                    number.to_string(),
                    section.heading.clone(),
                    item.puzzle.to_string(),
                    solution.unwrap_or_default(),
                ];
                row(student.chain(own).collect());
                number += 1;
            }
        }
        text
    }
}

/// The placeholder for the number of a page in the names of pictures.
const PAGE: &str = "page";

/// The least side of a cell in large print.
const LARGE: Length = Length::of_mm(14.0);

/// Pages as elements of SVG.
struct Elements {
    /// All of them as one text, or a text for each.
    pages: Vec<String>,
    is_one: bool,
    sides: [f64; 2],
}

impl PageSink for Elements {
    fn bookmark(&mut self, _: &str) {}

    fn page(&mut self, page: &Page) {
        let element = svg::element(page, self.sides);
        match self.pages.last_mut().filter(|_| self.is_one) {
            Some(all) => *all += &element,
            None => self.pages.push(element),
        }
    }
}

/// The name of a file without its ending, and without that of a compression.
fn name_of(path: &Path) -> String {
    let stem = |path: &Path| PathBuf::from(path.file_stem().unwrap_or_default());
    let name = match Packing::by_ending(path) {
        Some(_) => stem(&stem(path)),
        None => stem(path),
    };
    name.to_string_lossy().into_owned()
}

/// All puzzles, in the order of the book: files, then difficulties; or those of each student.
fn gather<'c>(
    options: &Book,
    class: Option<&'c Class>,
    job: &mut Job<'_>,
    left_out: &mut LeftOut,
) -> anyhow::Result<Vec<Group<'c>>> {
    let mut known = Known::new();
    gather::note_others(options, job, &mut known, left_out)?;
    let mut groups = Vec::new();
    for path in &options.files {
        let name = match job::literal(path) {
            Some(_) => String::new(),
            None if **path == *STANDARD => String::new(),
            None => name_of(path),
        };
        let items = gather::read_puzzles(options, path, job, (&mut known, left_out))?;
        if !items.is_empty() {
            groups.push(Group {
                name,
                student: None,
                items,
            });
        }
    }
    let students = class.map_or(1, |class| class.students.len() as u64);
    let counts = options.difficulty.iter().map(|level| level.count);
    let each = counts.fold(0, u64::saturating_add);
    job.begin("puzzles", Some(students.saturating_mul(each)));
    let mut make = |level: &options::Level, first, known: &mut Known| {
        let making = Making {
            difficulty: level.difficulty,
            symmetry: options.symmetry,
            seed: options.seed,
        };
        gather::make(job, making, (first, level.count), known)
    };
    match class {
        None => {
            for level in &options.difficulty {
                groups.push(Group {
                    name: options.word(Word::of(level.difficulty)).to_owned(),
                    student: None,
                    items: make(level, 0, &mut known)?,
                });
            }
        }
        Some(class) => {
            let capacity = PuzzlesSettings::default().set()?.capacity();
            for student in &class.students {
                let first = student.first_number(capacity);
                let mut items = Vec::new();
                for level in &options.difficulty {
                    let made = make(level, first, &mut known).context(student.id().to_owned())?;
                    items.extend(made);
                }
                known.forget_made();
                groups.push(Group {
                    name: student.values.join(" · "),
                    student: Some(student),
                    items,
                });
            }
        }
    }
    Ok(groups)
}
