//! A game of Sudoku as a state machine: events in, state out. It knows no terminal, no
//! clock and no file.
//!
//! A [`Game`] takes [`Event`]s. An event changes the state, or asks for something that the
//! game cannot do by itself: then [`Game::handle`] gives a [`Request`]. Whoever shows the
//! game looks at [`Game::picture`] and at what the game says of itself.
//!
//! ```text
//!     keys, mouse, clock  ->  Event  ->  Game::handle  ->  Request  ->  files, new puzzles
//!                                            |
//!                             picture, message, dialog  ->  screen
//! ```
//!
//! ```
//! use sudoku_batch::{Cell, Digit, Puzzle};
//! use sudoku_batch_cli::game::{Event, Game};
//! let puzzle: Puzzle =
//!     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
//! let mut game = Game::new(&puzzle, "an example");
//! game.handle(Event::Go(Cell::at(0, 1)));
//! game.handle(Event::Digit(Digit::new(5).unwrap()));
//! assert_eq!(game.message().text, "Row 1 already has a 5, at r1c4.");
//! game.handle(Event::Undo);
//! assert_eq!(game.board().filled(), puzzle);
//! # Ok::<(), sudoku_batch::ParseError>(())
//! ```

mod board;
mod edit;
mod event;
mod hint;
mod history;
mod solutions;
mod view;

pub use board::{Board, CellState};
pub use event::{Choice, Direction, Event, Request};
pub use history::{Change, History};
pub use solutions::Pager;

use std::time::Duration;
use sudoku_batch::{
    grid::{AnyPuzzle, BatchPuzzle, CELLS, Cell, Digit, Puzzle},
    guide::Advice,
    solve::{Outcome, Solver},
    technique::Difficulty,
};

/// The words of the game to the player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The words. They may be empty.
    pub text: String,
    /// True if they report something that is wrong.
    pub warns: bool,
}

/// The dialog that lies over the board and takes the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Dialog {
    /// Nothing.
    #[default]
    None,
    /// The keys, from a line on.
    Help(usize),
    /// The menu of new puzzles, with the chosen entry of [`Choice::ALL`].
    Menu(usize),
    /// All solutions, one at a time.
    Solutions(Pager),
    /// A new puzzle is being made.
    Making(Difficulty),
    /// The clock stands, and the board is hidden.
    Pause,
}

/// The choices of the player, which stay from game to game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// True if digits are typed as pencil marks.
    pub pencil: bool,
    /// True if the pencil marks are all candidates, and not those by hand.
    pub all_marks: bool,
    /// True if wrong digits are marked.
    pub mistakes: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            pencil: false,
            all_marks: false,
            mistakes: true,
        }
    }
}

/// A game. See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    label: String,
    board: Board,
    history: History,
    answer: Outcome,
    cursor: Cell,
    editing: bool,
    settings: Settings,
    elapsed: Duration,
    hint: Option<Advice>,
    message: Message,
    dialog: Dialog,
}

impl Game {
    /// A new game. The label says where the puzzle comes from. Given candidates are shown as pencil marks.
    pub fn new(puzzle: impl BatchPuzzle, label: impl Into<String>) -> Self {
        let puzzle = puzzle.into();
        let by_candidates = matches!(puzzle, AnyPuzzle::Candidates(_));
        let mut game = Self {
            label: label.into(),
            board: Board::new(puzzle),
            history: History::default(),
            answer: solved(puzzle),
            cursor: Cell::at(0, 0),
            editing: false,
            settings: Settings {
                all_marks: by_candidates,
                ..Settings::default()
            },
            elapsed: Duration::ZERO,
            hint: None,
            message: Message::default(),
            dialog: Dialog::None,
        };
        let clues = puzzle.clues();
        let blank = |&cell: &Cell| clues.get(cell).is_none();
        game.cursor = Cell::all().find(blank).unwrap_or(game.cursor);
        if !game.answer.is_unique() {
            game.check();
        }
        game
    }

    /// A game with an empty grid, to type a puzzle in.
    pub fn empty() -> Self {
        let mut game = Self::new(&Puzzle::EMPTY, "a puzzle of your own");
        game.toggle_editing();
        game
    }

    /// An empty grid, until a puzzle of a difficulty is there.
    pub fn waiting(difficulty: Difficulty) -> Self {
        let mut game = Self::new(&Puzzle::EMPTY, "");
        game.message = Message::default();
        game.dialog = Dialog::Making(difficulty);
        game
    }

    /// A game that was played before: the puzzle, what was done, how much of it is not
    /// undone, and how long it took. `None` if that does not fit together.
    pub fn resume(
        puzzle: impl BatchPuzzle,
        label: impl Into<String>,
        changes: Vec<Change>,
        done: usize,
        elapsed: Duration,
    ) -> Option<Self> {
        let mut game = Self::new(puzzle, label);
        game.history = History::replay(&mut game.board, changes, done)?;
        game.elapsed = elapsed;
        game.answer = game.solve_clues();
        Some(game)
    }

    /// This game with other settings.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// The origin of the puzzle.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The cells.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The changes so far, undone ones too.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The puzzle that the game began with.
    pub fn start(&self) -> AnyPuzzle {
        let mut board = self.board.clone();
        self.history.undo_all(&mut board);
        board.with_clues(board.clues())
    }

    /// The solution of the clues.
    pub fn answer(&self) -> &Outcome {
        &self.answer
    }

    /// The chosen cell.
    pub fn cursor(&self) -> Cell {
        self.cursor
    }

    /// Returns true if digits are typed as clues.
    pub fn is_editing(&self) -> bool {
        self.editing
    }

    /// The choices of the player.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// The time that the game took so far.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The hint that is shown.
    pub fn hint(&self) -> Option<&Advice> {
        self.hint.as_ref()
    }

    /// The message of the game.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// The dialog that lies over the board.
    pub fn dialog(&self) -> &Dialog {
        &self.dialog
    }

    /// Returns true if the player has filled in or edited anything.
    pub fn is_begun(&self) -> bool {
        !self.history.is_empty()
    }

    /// Returns true if every cell is filled and no rule is broken.
    pub fn is_solved(&self) -> bool {
        self.board.is_solved()
    }

    /// Says something to the player, in place of what was said before.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = Message {
            text: text.into(),
            warns: false,
        };
    }

    /// Warns the player, in place of what was said before.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.message = Message {
            text: text.into(),
            warns: true,
        };
    }

    /// Ends what the game waits for: no new puzzle comes.
    pub fn stop_waiting(&mut self, why: impl Into<String>) {
        self.dialog = Dialog::None;
        self.warn(why);
    }

    /// Takes an event: changes the state, or returns what is asked for.
    pub fn handle(&mut self, event: Event) -> Option<Request> {
        if let Event::Tick(time) = event {
            self.tick(time);
            return None;
        }
        match self.dialog {
            Dialog::None => self.handle_on_board(event),
            _ => self.handle_in_dialog(event),
        }
    }

    fn tick(&mut self, time: Duration) {
        let stands = matches!(self.dialog, Dialog::Pause | Dialog::Making(_));
        if !stands && !self.is_solved() {
            self.elapsed += time;
        }
    }

    fn handle_on_board(&mut self, event: Event) -> Option<Request> {
        if !matches!(event, Event::Hint) {
            self.message = Message::default();
        }
        match event {
            Event::Move(direction) => self.cursor = direction.from(self.cursor),
            Event::Go(cell) => self.cursor = cell,
            Event::NextBlank => self.go_to_blank(),
            Event::Digit(digit) => self.type_digit(digit),
            Event::Mark(digit) => self.toggle_mark(digit),
            Event::Erase => self.erase(),
            Event::EraseBackwards => self.erase_backwards(),
            Event::Skip => self.skip(),
            Event::TogglePencil => self.toggle_pencil(),
            Event::ToggleAllMarks => self.toggle_all_marks(),
            Event::WriteMarks => self.write_marks(),
            Event::ToggleMistakes => self.toggle_mistakes(),
            Event::ToggleEditing => self.toggle_editing(),
            Event::Paste(puzzle) => self.paste(&puzzle),
            Event::Restart => self.restart(),
            Event::Undo => self.undo(),
            Event::Redo => self.redo(),
            Event::Hint => self.ask_hint(),
            Event::Check => self.check(),
            Event::Fill => self.fill(),
            Event::Solve => self.solve(),
            Event::Cancel => self.hint = None,
            Event::Accept | Event::Tick(_) => {}
            Event::Solutions => self.open_solutions(),
            Event::Menu => self.dialog = Dialog::Menu(0),
            Event::Help => self.dialog = Dialog::Help(0),
            Event::Pause => self.dialog = Dialog::Pause,
            Event::Record(direction) => return Some(Request::Record(direction)),
            Event::Save => return Some(Request::Save),
            Event::Quit => return Some(Request::Quit),
        }
        None
    }

    fn handle_in_dialog(&mut self, event: Event) -> Option<Request> {
        match (&mut self.dialog, event) {
            (_, Event::Quit) => return Some(Request::Quit),
            (Dialog::Making(_), Event::Cancel) => {
                self.dialog = Dialog::None;
                return Some(Request::StopMaking);
            }
            (Dialog::Making(_), _) => {}
            (_, Event::Cancel) => self.dialog = Dialog::None,
            (Dialog::Menu(chosen), Event::Move(direction)) => {
                *chosen = direction.along(*chosen, Choice::ALL.len());
            }
            (Dialog::Menu(chosen), Event::Accept) => {
                let choice = Choice::ALL[*chosen];
                return self.choose(choice);
            }
            (Dialog::Menu(_), Event::Digit(digit)) => {
                let choice = Choice::ALL.get(digit.index()).copied();
                return choice.and_then(|choice| self.choose(choice));
            }
            (Dialog::Menu(_), Event::Menu) => self.dialog = Dialog::None,
            (Dialog::Help(line), Event::Move(direction)) => {
                *line = match direction {
                    Direction::Up => line.saturating_sub(1),
                    Direction::Down => *line + 1,
                    Direction::Left => line.saturating_sub(10),
                    Direction::Right => *line + 10,
                };
            }
            (Dialog::Help(_), Event::Help | Event::Accept) => self.dialog = Dialog::None,
            (Dialog::Pause, _) => self.dialog = Dialog::None,
            (Dialog::Solutions(pager), Event::Move(direction)) => pager.turn(direction),
            (Dialog::Solutions(_), Event::Solutions | Event::Accept) => self.dialog = Dialog::None,
            _ => {}
        }
        None
    }

    /// The help cannot be scrolled beyond what one of: the screen passes its last line.
    pub fn limit_help(&mut self, last: usize) {
        if let Dialog::Help(line) = &mut self.dialog {
            *line = (*line).min(last);
        }
    }

    fn choose(&mut self, choice: Choice) -> Option<Request> {
        match choice {
            Choice::Make(difficulty) => {
                self.dialog = Dialog::Making(difficulty);
                Some(Request::Make(difficulty))
            }
            Choice::Empty => Some(Request::Empty),
        }
    }

    fn open_solutions(&mut self) {
        match self.answer.solution() {
            Some(first) => {
                let clues = self.board.clues();
                let puzzle = self.board.with_clues(clues);
                self.dialog = Dialog::Solutions(Pager::new(&puzzle, first));
            }
            None => self.say_no_solution(),
        }
    }

    fn go_to_blank(&mut self) {
        let after = (1..=CELLS).map(|n| (self.cursor.index() + n) % CELLS);
        let mut cells = after.filter_map(Cell::new);
        let blank = cells.find(|&cell| self.board.cell(cell).digit.is_none());
        self.cursor = blank.unwrap_or(self.cursor);
    }

    fn undo(&mut self) {
        match self.history.undo(&mut self.board) {
            Some(cell) => self.after_travel(cell),
            None => self.say("There is nothing to undo."),
        }
    }

    fn redo(&mut self) {
        match self.history.redo(&mut self.board) {
            Some(cell) => self.after_travel(cell),
            None => self.say("There is nothing to redo."),
        }
    }

    fn after_travel(&mut self, cell: Cell) {
        self.cursor = cell;
        self.hint = None;
        self.answer = self.solve_clues();
    }

    /// The solution of the clues, and of the candidates that are given.
    fn solve_clues(&self) -> Outcome {
        solved(&self.board.with_clues(self.board.clues()))
    }

    /// Changes cells, so that it can be undone. Returns whether anything changed.
    fn change(&mut self, change: Change) -> bool {
        self.hint = None;
        self.history.apply(&mut self.board, change)
    }

    fn chosen_digit(&self) -> Option<Digit> {
        self.board.cell(self.cursor).digit
    }
}

fn solved(puzzle: impl BatchPuzzle) -> Outcome {
    Solver::new().solve(puzzle)
}
