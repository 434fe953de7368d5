//! Puzzles that many tests use.

macro_rules! puzzle {
    () => {
        "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    };
}

macro_rules! solution {
    () => {
        "496528713875143692132967854314289576729654381568731429687492135943815267251376948"
    };
}

/// Two puzzles, each with one solution. Singles solve the first.
pub const PUZZLES: [&str; 2] = [
    puzzle!(),
    "3.65.84..52........87....31..3.1..8.9..863..5.5..9.6..13....25........74..52.63..",
];

/// The solutions of [`PUZZLES`].
pub const SOLUTIONS: [&str; 2] = [
    solution!(),
    "316578492529134768487629531263415987974863125851792643138947256692351874745286319",
];

/// The first of [`PUZZLES`] as a line of a file.
pub const LINE: &str = concat!(puzzle!(), "\n");

/// The first of [`SOLUTIONS`] as a line of a file.
pub const SOLVED_LINE: &str = concat!(solution!(), "\n");

/// A puzzle with two solutions: two rows and two columns have 1 and 2 in the open cells.
pub const TWO_SOLUTIONS: &str =
    "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";

/// The grid with the most automorphisms, 648.
pub const MOST_AUTOMORPHISMS: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

/// A text with [`PUZZLES`] in the places of `{P}` and `{Q}`, and their [`SOLUTIONS`] in those of `{S}` and `{T}`.
pub fn filled(text: &str) -> String {
    text.replace("{P}", PUZZLES[0])
        .replace("{Q}", PUZZLES[1])
        .replace("{S}", SOLUTIONS[0])
        .replace("{T}", SOLUTIONS[1])
}
