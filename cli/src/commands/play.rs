//! `sudoku-batch play`: connects a [`Game`] with the terminal, the files and the clock.

mod buffer;
mod keys;
mod making;
mod options;
mod palette;
mod screen;
mod signals;
mod terminal;

pub(crate) use options::Play;

use crate::commands::show::charset;
use crate::driver::{reader::RecordReader, report::say};
use crate::game::{Direction, Event, Game, Request, Settings};
use crate::saved::Store;
use anyhow::Context;
use crossterm::event::Event as Input;
use keys::Key;
use making::NewPuzzle;
use options::Theme;
use palette::Palette;
use screen::{Layout, Look};
use signals::Signals;
use std::{
    env,
    process::ExitCode,
    time::{Duration, Instant},
};
use sudoku_batch::{grid::AnyPuzzle, questions::PuzzlesSettings, technique::Difficulty};
use terminal::{Inputs, Screen};

/// Plays until the player leaves.
pub(crate) fn run(options: &Play) -> anyhow::Result<ExitCode> {
    terminal::check()?;
    let signals = Signals::heed()?;
    let mut player = Player::new(options)?;
    let mut screen = Screen::open(!options.no_mouse)?;
    let inputs = Inputs::read().context("cannot read the terminal")?;
    let end = match player.play(&mut screen, &inputs, &signals) {
        Err(_) if terminal::is_gone() => Ok(End::Signal(signals::HANG_UP)),
        end => end,
    };
    // First: where the terminal is gone, nothing after this may work.
    let saved = player.save();
    drop(screen);
    match saved {
        Ok(true) => say("The game is saved. `sudoku-batch play` goes on with it."),
        Ok(false) => {}
        Err(error) => say(format_args!("sudoku-batch: {error:#}")),
    }
    match end? {
        End::Left => Ok(ExitCode::SUCCESS),
        End::Signal(signal) => Ok(signals::die(signal)),
    }
}

/// The end of a game.
enum End {
    Left,
    Signal(i32),
}

/// The file that the records come from.
struct File {
    reader: RecordReader,
    /// The record that is played.
    number: u64,
}

struct Player {
    game: Game,
    file: Option<File>,
    store: Option<Store>,
    making: Option<NewPuzzle>,
    seed: u64,
    /// The number of puzzles that were made.
    made: u64,
    look: Look,
}

impl Player {
    fn new(options: &Play) -> anyhow::Result<Self> {
        let mut player = Self {
            game: Game::empty(),
            file: None,
            store: Store::here(),
            making: None,
            seed: options.seed.unwrap_or_else(super::some_seed),
            made: 0,
            look: look(options),
        };
        if let Some(input) = &options.input {
            if player.store.as_ref().is_some_and(|store| store.has(input)) {
                anyhow::bail!(
                    "{} is a saved game, which would be overwritten while it is the input: play goes on \
                     with the last game, and play PUZZLE with that of a puzzle",
                    input.display()
                );
            }
            let word = input
                .to_str()
                .and_then(|word| word.parse::<Difficulty>().ok());
            if let Some(word) = word.filter(|_| !input.exists()) {
                anyhow::bail!("there is no file {word}: --difficulty {word} makes a puzzle");
            }
            let mut reader = RecordReader::open(input, &options.form)?;
            let record = reader.record(options.record)?;
            player.file = Some(File {
                reader,
                number: options.record,
            });
            let title = record.title();
            match record.puzzle {
                Ok(puzzle) if options.fresh => player.game = Game::new(&puzzle, title),
                Ok(puzzle) => player.open(&puzzle, &title),
                Err(error) => anyhow::bail!("{title} is malformed: {error}"),
            }
        } else if options.edit {
            player.game = Game::empty();
        } else if options.how_hard.given().next().is_some() {
            let (settings, name, difficulty) = making::wanted(&options.how_hard)?;
            player.make(settings, name, difficulty);
        } else {
            player.resume_or_make();
        }
        Ok(player)
    }

    /// Continues the last game. If there is none, makes an easy puzzle.
    fn resume_or_make(&mut self) {
        match self.store.as_ref().and_then(Store::last) {
            Some(Ok(game)) => {
                self.game = game;
                self.game.say("Welcome back. n begins a new puzzle.");
            }
            Some(Err(error)) => {
                self.make_word(Difficulty::Easy);
                self.game.warn(format!("{error:#}"));
            }
            None => self.make_word(Difficulty::Easy),
        }
    }

    /// Opens a puzzle, with the saved moves if it was played before.
    fn open(&mut self, puzzle: &AnyPuzzle, label: &str) {
        let by_candidates = matches!(puzzle, AnyPuzzle::Candidates(_));
        let settings = self.game.settings();
        let settings = Settings {
            all_marks: settings.all_marks || by_candidates,
            ..settings
        };
        let saved = self.store.as_ref().and_then(|store| store.load(puzzle));
        self.game = match saved {
            Some(Ok(mut game)) => {
                game.say("This game goes on where you left it. R begins anew.");
                game
            }
            Some(Err(error)) => {
                let mut game = Game::new(puzzle, label).with_settings(settings);
                game.warn(format!("{error:#}"));
                game
            }
            None => Game::new(puzzle, label).with_settings(settings),
        };
    }

    /// Starts to make a puzzle of a difficulty.
    fn make_word(&mut self, difficulty: Difficulty) {
        let name = difficulty.name().into();
        self.make(making::of_difficulty(difficulty), name, difficulty);
    }

    /// Starts to make a puzzle, and waits a moment for it, because most take no longer.
    fn make(&mut self, settings: PuzzlesSettings, name: String, difficulty: Difficulty) {
        const MOMENT: Duration = Duration::from_millis(50);
        let making = NewPuzzle::start(settings, name, self.seed, self.made);
        let settings = self.game.settings();
        self.made += 1;
        if !matches!(self.game.dialog(), crate::game::Dialog::Making(_)) {
            self.game = Game::waiting(difficulty).with_settings(settings);
        }
        self.making = Some(making);
        self.receive(MOMENT);
    }

    /// Takes the puzzle in the making if it is ready within a time. Returns whether it is.
    fn receive(&mut self, within: Duration) -> bool {
        let Some(making) = &self.making else {
            return false;
        };
        let Some(result) = making.receive(within) else {
            return false;
        };
        let label = making.label();
        self.making = None;
        let settings = self.game.settings();
        match result {
            Ok(puzzle) => {
                self.put_away();
                self.file = None;
                self.game = Game::new(&puzzle, label).with_settings(settings);
            }
            Err(why) => self.game.stop_waiting(why),
        }
        true
    }

    /// Saves a game before another one replaces it.
    fn put_away(&mut self) {
        if let Err(error) = self.save() {
            self.game.warn(format!("{error:#}"));
        }
    }

    /// Saves the game, or deletes the saved game when it is solved. Returns whether it was
    /// saved.
    fn save(&self) -> anyhow::Result<bool> {
        let Some(store) = &self.store else {
            return Ok(false);
        };
        match self.game.is_begun() {
            true if self.game.is_solved() => store.remove(&self.game).map(|()| false),
            true => store.save(&self.game).map(|()| true),
            false => Ok(false),
        }
    }

    fn play(
        &mut self,
        screen: &mut Screen,
        inputs: &Inputs,
        signals: &Signals,
    ) -> anyhow::Result<End> {
        let mut time = Instant::now();
        let mut shown = None;
        loop {
            let seconds = Some(self.game.elapsed().as_secs());
            if shown != seconds {
                shown = seconds;
                screen.draw(&mut self.game, &self.look)?;
            }
            if let Some(signal) = signals.came() {
                return Ok(End::Signal(signal));
            }
            // Briefly, because the clock goes on.
            let patience = match self.making {
                Some(_) => Duration::from_millis(10),
                None => Duration::from_millis(100),
            };
            match inputs.next_within(patience)? {
                Some(input) => {
                    shown = None;
                    if let Some(end) = self.take(input, screen)? {
                        return Ok(end);
                    }
                }
                None if terminal::is_gone() => return Ok(End::Signal(signals::HANG_UP)),
                None => {}
            }
            let passed = time.elapsed();
            time += passed;
            self.game.handle(Event::Tick(passed));
            if self.receive(Duration::ZERO) {
                shown = None;
            }
        }
    }

    /// Handles an event from the terminal.
    fn take(&mut self, input: Input, screen: &mut Screen) -> anyhow::Result<Option<End>> {
        let layout = Layout::new(screen.area()?, &self.look);
        match keys::read(&input, self.game.dialog(), &layout) {
            Some(Key::Event(event)) => return Ok(self.handle(event)),
            Some(Key::Theme) => self.look.palette = self.look.palette.next(),
            Some(Key::Redraw) => screen.clear(),
            Some(Key::Suspend) => screen.suspend()?,
            Some(Key::Interrupt) => return Ok(Some(End::Signal(signals::INTERRUPT))),
            Some(Key::Unreadable) => {
                let message = "What was pasted is not a puzzle of 81 cells.";
                self.game.warn(message);
            }
            None => {}
        }
        Ok(None)
    }

    fn handle(&mut self, event: Event) -> Option<End> {
        match self.game.handle(event)? {
            Request::Make(difficulty) => self.make_word(difficulty),
            Request::StopMaking => self.making = None,
            Request::Empty => {
                self.put_away();
                self.file = None;
                self.game = Game::empty().with_settings(self.game.settings());
            }
            Request::Record(direction) => self.turn(direction),
            Request::Save => match self.save() {
                Ok(true) => self.game.say("The game is saved."),
                Ok(false) => self.game.say("There is nothing to save."),
                Err(error) => self.game.warn(format!("{error:#}")),
            },
            Request::Quit => return Some(End::Left),
        }
        None
    }

    /// Goes to the next or the previous record.
    fn turn(&mut self, direction: Direction) {
        let Some(file) = &mut self.file else {
            self.game
                .warn("This puzzle comes from no file. n makes a new one.");
            return;
        };
        let number = if direction.is_forward() {
            file.number + 1
        } else {
            file.number - 1
        };
        if number == 0 {
            self.game.warn("This is the first record.");
            return;
        }
        match file.reader.record(number) {
            Err(error) => self.game.warn(format!("{error:#}.")),
            Ok(record) => {
                file.number = number;
                let title = record.title();
                match record.puzzle {
                    Err(error) => self.game.warn(format!("{title} is malformed: {error}.")),
                    Ok(puzzle) => {
                        self.put_away();
                        self.open(&puzzle, &title);
                    }
                }
            }
        }
    }
}

/// The look that the options and the terminal ask for.
fn look(options: &Play) -> Look {
    let light = || {
        // Foreground;background, as numbers of colours: 7 and 9 to 15 are light.
        let colours = env::var("COLORFGBG").unwrap_or_default();
        let ground = colours
            .rsplit(';')
            .next()
            .and_then(|n| n.parse::<u8>().ok());
        matches!(ground, Some(7 | 9..=15))
    };
    Look {
        charset: charset(options.ascii),
        palette: match options.theme {
            _ if !options.color.is_now(true) => Palette::Mono,
            Theme::Light => Palette::Light,
            Theme::Auto if light() => Palette::Light,
            Theme::Auto | Theme::Dark => Palette::Dark,
        },
    }
}
