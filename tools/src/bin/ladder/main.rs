//! The ladder of `docs/internals/ladder.md`: nine ways to solve, from a backtracker of 40 lines to
//! all cores at work on a file.
//!
//! ```text
//! cargo run --release --package sudoku-batch-tools --bin ladder
//! ```
//!
//! Every rung counts the solutions of a puzzle up to two, so it proves that the first
//! is the only one. The rungs take turns in every round. Each answer of each round is
//! compared with `data/*.solved.txt`; a wrong one ends the run. The table shows the
//! median of the rounds in nanoseconds a puzzle, text to text in memory. This is the
//! processor time of the thread, so a busy machine disturbs it little. The last rung
//! works from file to file. Its time is that of the clock, of the best round.
//!
//! Slow rungs get fewer puzzles, evenly picked from the file. Fast ones get the file
//! several times over: a batch of 2,000 would hardly fill 512 lanes.

mod backtracker;
mod masks;
mod triads;
mod word;

use std::{
    fs,
    num::NonZero,
    path::Path,
    sync::LazyLock,
    thread,
    time::{Duration, Instant},
};
use sudoku_batch::{
    Engine, Goal, Level, Puzzle, Solver,
    format::{Records, line},
    questions::{Question, SolveSettings},
    solve::NO_SOLUTION,
};
use sudoku_batch_cli::pipeline::{
    self, Error, Threads,
    input::{Cut, Input},
    output::Output,
};

/// The cells of a puzzle or a solution: `1` to `9`, and `.` for a blank.
type Cells = [u8; 81];

/// The answer to a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    /// How many solutions were found: counting ends at two.
    count: u64,
    /// The one that was found first, if any.
    first: Cells,
}

impl Answer {
    const NONE: Self = Self {
        count: 0,
        first: [b'.'; 81],
    };

    /// Adds a solution.
    fn add(&mut self, solution: &Cells) {
        if self.count == 0 {
            self.first = *solution;
        }
        self.count += 1;
    }
}

/// How a rung works.
enum Way {
    /// One puzzle at a time.
    Each(fn(&Cells) -> Answer),
    /// All puzzles together.
    Together(fn(&[Cells]) -> Vec<Answer>),
    /// An engine of the library.
    Library(Box<Solver>),
    /// The library from file to file, over all cores.
    Files(Threads),
}

/// A step of the ladder.
struct Rung {
    name: &'static str,
    way: Way,
    /// How many puzzles of each class it is given.
    puzzles: [usize; 3],
}

/// The classes of puzzles in `data/`.
const CLASSES: [&str; 3] = ["easy", "minimal", "hard"];

/// The rungs that this machine can climb.
fn ladder() -> Vec<Rung> {
    let rung = |name, way, puzzles| Rung { name, way, puzzles };
    let library = |name, level, engine, puzzles| {
        let solver = Solver::with_level(level).ok()?.with_engine(engine);
        Some(rung(name, Way::Library(Box::new(solver)), puzzles))
    };
    let sliced = |name, level| library(name, level, Engine::Sliced, [20_000, 20_000, 6000]);
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = Threads::new(cores);
    [
        Some(rung(
            "40-line backtracker",
            Way::Each(backtracker::answer),
            [100, 10, 10],
        )),
        Some(rung(
            "bit masks, fewest candidates first",
            Way::Each(masks::answer),
            [2000, 500, 60],
        )),
        Some(rung(
            "digit-by-band triads",
            Way::Each(triads::answer),
            [2000, 2000, 300],
        )),
        library(
            "scalar engine",
            Level::Portable,
            Engine::Scalar,
            [2000, 2000, 600],
        ),
        Some(rung(
            "64 puzzles in a word",
            Way::Together(word::answers),
            [2000, 2000, 600],
        )),
        sliced("128 lanes (`portable`)", Level::Portable),
        sliced("256 lanes (`avx2`)", Level::Avx2),
        sliced("512 lanes (`avx512`)", Level::Avx512),
        Some(rung(
            "file to file, all cores",
            Way::Files(threads),
            [400_000, 200_000, 20_000],
        )),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The puzzles that a rung is given of one class, and their right answers.
struct Task {
    puzzles: Vec<Cells>,
    lines: Vec<[u8; 82]>,
}

impl Task {
    /// So many puzzles of a class: evenly picked, or the file over and over.
    fn new(class: &str, count: usize) -> Self {
        let read = |name: String| -> Vec<[u8; 82]> {
            // The tests of the command compile this too, in another folder.
            let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
            let mut paths = above.map(|folder| folder.join(format!("data/{name}.txt")));
            let path = paths.find(|path| path.is_file()).expect("data");
            let text = fs::read(path).expect("data");
            let (lines, rest) = text.as_chunks();
            assert!(rest.is_empty(), "records of 82 bytes");
            lines.to_vec()
        };
        let lines = read(format!("{class}.solved"));
        let puzzles = read(class.into()).into_iter();
        let puzzles = puzzles.map(|line| *line.first_chunk().expect("81 of 82"));
        let both: Vec<(Cells, [u8; 82])> = puzzles.zip(lines).collect();
        let step = (both.len() / count).max(1);
        let (puzzles, lines) = both.into_iter().step_by(step).cycle().take(count).unzip();
        Self { puzzles, lines }
    }
}

/// The puzzles as the library takes them.
fn puzzles_of(cells: &[Cells]) -> Vec<Puzzle> {
    let puzzles = cells.iter().map(Puzzle::from_ascii);
    puzzles
        .collect::<Result<_, _>>()
        .expect("digits and points")
}

impl Way {
    /// Answers all puzzles of a task, and checks every answer. Returns the time of the
    /// first.
    fn climb(&mut self, task: &Task, folder: &Path) -> Duration {
        let mut lines = vec![NO_SOLUTION; task.puzzles.len()];
        let time = match self {
            Self::Each(answer) => timed(thread_time, || {
                let answers = task.puzzles.iter().map(answer);
                write_lines(answers, &mut lines);
            }),
            Self::Together(answers) => timed(thread_time, || {
                write_lines(answers(&task.puzzles), &mut lines);
            }),
            Self::Library(solver) => {
                // Not zeros: the memory is to be touched before the clock starts.
                let mut counts = vec![u64::MAX; lines.len()];
                let puzzles = puzzles_of(&task.puzzles);
                timed(thread_time, || {
                    solver.solve_lines(Goal::Unique, &puzzles, &mut lines, &mut counts);
                })
            }
            Self::Files(threads) => {
                let (from, to) = (folder.join("in"), folder.join("out"));
                let mut text = Vec::new();
                for cells in &task.puzzles {
                    text.extend_from_slice(cells);
                    text.push(b'\n');
                }
                fs::write(&from, text).expect("room for the puzzles");
                let time = timed(clock_time, || {
                    solve_file(*threads, &from, &to).expect("a file of solutions");
                });
                let text = fs::read(&to).expect("the solutions");
                lines.copy_from_slice(text.as_chunks().0);
                time
            }
        };
        let wrong = lines
            .iter()
            .zip(&task.lines)
            .position(|(line, right)| line != right);
        assert_eq!(wrong, None, "the place of a wrong answer");
        time
    }
}

/// Writes the solution of each puzzle that has just one into its line.
fn write_lines(answers: impl IntoIterator<Item = Answer>, lines: &mut [[u8; 82]]) {
    for (answer, line) in answers.into_iter().zip(lines) {
        if answer.count == 1 {
            line[..81].copy_from_slice(&answer.first);
        }
    }
}

/// Solves a file as `sudoku-batch solve --unique` does.
fn solve_file(threads: Threads, from: &Path, to: &Path) -> Result<(), Error> {
    let mut input = Input::open(from)?;
    let output = Output::create(to)?;
    pipeline::run(
        threads,
        input.chunks(Cut::default()),
        Some(&output),
        || {
            let unique = true;
            let settings = SolveSettings {
                unique,
                ..SolveSettings::default()
            };
            (
                Records::default(),
                Question::new(settings).expect("they go together"),
            )
        },
        |(records, question), mut chunk, out| {
            records.clear();
            line::read(chunk.bytes(), records);
            let out = out.exactly(records.len() * NO_SOLUTION.len());
            let mut answer = question.empty().renewed(Some(out.as_chunks_mut().0));
            answer.begin(records.len());
            question.fill(&*records, &mut answer);
        },
        |()| Ok::<_, Error>(()),
    )?;
    input.check_unchanged()?;
    output.commit()?;
    Ok(())
}

/// How long some work takes by a clock.
fn timed(now: impl Fn() -> Duration, work: impl FnOnce()) -> Duration {
    let start = now();
    work();
    now() - start
}

/// The time since the first call.
fn clock_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// The processor time of this thread.
#[cfg(unix)]
fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a thread does not run for a negative time")
}

/// The time of the clock, where that of the thread cannot be told.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    clock_time()
}

/// How many rounds are measured, after one to warm up.
const ROUNDS: usize = 7;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ladder = ladder();
    println!("| rung | easy | minimal | hard |\n|---|---:|---:|---:|");
    let mut rows: Vec<String> = ladder.iter().map(|rung| rung.name.into()).collect();
    for (class, name) in CLASSES.into_iter().enumerate() {
        let tasks: Vec<Task> = ladder
            .iter()
            .map(|rung| Task::new(name, rung.puzzles[class]))
            .collect();
        let mut times = vec![Vec::new(); ladder.len()];
        for round in 0..=ROUNDS {
            for ((rung, task), times) in ladder.iter_mut().zip(&tasks).zip(&mut times) {
                let time = rung.way.climb(task, folder.path());
                if round > 0 {
                    times.push(time.as_secs_f64() * 1e9 / task.puzzles.len() as f64);
                }
            }
        }
        for ((row, rung), times) in rows.iter_mut().zip(&ladder).zip(&mut times) {
            times.sort_unstable_by(f64::total_cmp);
            let time = match rung.way {
                Way::Files(_) => times[0],
                _ => times[ROUNDS / 2],
            };
            *row += &format!(" | {time:.0}");
        }
    }
    for row in rows {
        println!("| {row} |");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_batch::grid::HOUSE_CELLS;

    /// Every rung of small programs on puzzles with one solution, several and none. The
    /// library answers as its own tests demand.
    #[test]
    fn the_small_programs_count_to_two() {
        let mut puzzles = Vec::new();
        for class in CLASSES {
            let task = Task::new(class, 20);
            for (i, (puzzle, line)) in task.puzzles.iter().zip(&task.lines).enumerate() {
                puzzles.push(*puzzle);
                // Without all ones and twos of the solution: two solutions or more.
                let blanked = |&c: &u8| if c <= b'2' { b'.' } else { c };
                let solution: Cells = *line.first_chunk().unwrap();
                puzzles.push(solution.each_ref().map(blanked));
                // A clue that the solution does not have: no solution.
                let mut wrong = *puzzle;
                let cell = (0..81)
                    .find(|&cell| wrong[cell] == b'.' && cell >= i)
                    .unwrap();
                let fits = |digit: &u8| {
                    let houses = HOUSE_CELLS
                        .iter()
                        .filter(|house| house.contains(&(cell as u8)));
                    let mut peers = houses.flatten();
                    *digit != solution[cell]
                        && peers.all(|&peer| wrong[usize::from(peer)] != *digit)
                };
                if let Some(digit) = (b'1'..=b'9').find(fits) {
                    wrong[cell] = digit;
                    puzzles.push(wrong);
                }
            }
        }
        let mut counts = vec![0; puzzles.len()];
        let mut lines = vec![NO_SOLUTION; puzzles.len()];
        let mut solver = Solver::new();
        solver.solve_lines(Goal::Unique, &puzzles_of(&puzzles), &mut lines, &mut counts);
        assert!([0, 1, 2].iter().all(|count| counts.contains(count)));
        let together = word::answers(&puzzles);
        for (i, puzzle) in puzzles.iter().enumerate() {
            let answers = [
                masks::answer(puzzle),
                triads::answer(puzzle),
                together[i].clone(),
            ];
            for answer in answers {
                assert_eq!(answer.count, counts[i], "puzzle {i}");
                assert!(
                    counts[i] != 1 || answer.first == lines[i][..81],
                    "puzzle {i}"
                );
            }
        }
    }

    /// The first rung takes long for most puzzles: it gets a few easy ones.
    #[test]
    fn the_backtracker_counts_to_two() {
        let task = Task::new("easy", 5);
        for (puzzle, line) in task.puzzles.iter().zip(&task.lines) {
            let answer = backtracker::answer(puzzle);
            assert_eq!((answer.count, &answer.first[..]), (1, &line[..81]));
        }
        assert_eq!(backtracker::answer(&[b'.'; 81]).count, 2);
    }
}
