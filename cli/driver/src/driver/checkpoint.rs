//! Checkpoints: a run that takes long keeps its work next to its output, and a later process goes on with it.
//!
//! ```text
//!     solved.txt.partial    the output so far
//!     solved.txt.resume     the journal: what was asked, how far the input is read, the counts
//! ```
//!
//! A run begins to keep its work after the time of `--checkpoint`. Until then nothing is left of it, however it
//! ends. From then on the state after each piece is noted in memory. A thread of its own makes it last every so often:
//! it waits until the bytes are on the disk, and then replaces the journal. So the journal never promises more than is
//! there, even after a power failure. A signal writes the journal once more.
//!
//! The journal comes before the files that it names, and goes after them. It is the proof that a file of such a name is
//! one of ours, so nothing else is ever replaced.

use super::{
    Files, Sink, Task,
    files::STANDARD,
    options::ResumeOptions,
    say, summary,
    words::{counted, grouped, listed},
};
use crate::pipeline::{
    Error, lock,
    output::{self, Ended, Output},
};
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs::{self, File},
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// The way in which a command goes on with a run that was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// Its answers depend on their records alone, so the records that are done are skipped.
    Skip,
    /// It looks at the records that are done once more, and writes nothing for them.
    Replay,
    /// It begins anew. The reason is told to a user who asks for `--resume`.
    Anew(&'static str),
}

/// The name of the program in the journal, by which it is known.
const PROGRAM: &str = "sudoku-batch";

/// The content of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Journal {
    program: String,
    asked: Asked,
    reached: Reached,
}

/// The question of a run: it must be the same when the run goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Asked {
    version: String,
    command: Vec<String>,
    inputs: Vec<InputState>,
}

/// A file that is read, and its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct InputState {
    path: String,
    bytes: u64,
    /// The time of the last change, in nanoseconds since 1970.
    modified: Option<u64>,
}

/// How far a run is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Reached {
    /// The number of inputs that are done.
    pub(super) inputs: u64,
    /// The place in the next input, or the number of records that are made, at which a piece ended.
    pub(super) place: u64,
    /// The number of pieces into which that input was cut so far.
    pub(super) pieces: u64,
    /// The numbers of lines and records of that input so far.
    pub(super) lines: u64,
    pub(super) records_of_input: u64,
    /// Whether a record of that input was a full grid, and whether one had blanks.
    pub(super) has_grids: bool,
    pub(super) has_blanks: bool,
    /// The number of records of all inputs that are answered, and of those that are read.
    pub(super) records: u64,
    pub(super) read: u64,
    /// The distance by which the progress advanced.
    pub(super) advanced: u64,
    pub(super) counts: Vec<(String, u64)>,
    pub(super) left_out: Vec<u64>,
    pub(super) warnings: Vec<String>,
    pub(super) miscounts: Vec<String>,
    pub(super) outputs: Vec<KeptOutput>,
    /// The files for which further outputs are about to get their names: nobody goes on with those.
    pub(super) named_next: Vec<PathBuf>,
}

/// An output so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptOutput {
    /// The file that it is to become.
    target: PathBuf,
    bytes: u64,
    /// The bytes that wait to be packed, a character for each.
    pending: String,
    has_piece: bool,
    pub(super) has_record: bool,
}

impl KeptOutput {
    /// An open output.
    fn open(output: &Output, has_record: bool) -> Option<(Self, Arc<File>)> {
        let written = output.written()?;
        let kept = Self {
            target: output.target()?.to_owned(),
            bytes: written.length,
            pending: written
                .pending
                .iter()
                .map(|byte| char::from(*byte))
                .collect(),
            has_piece: written.has_piece,
            has_record,
        };
        Some((kept, written.file))
    }

    /// An output that is complete.
    fn ended(output: &Ended) -> Option<(Self, Option<Arc<File>>)> {
        let (file, bytes) = output.written()?;
        let kept = Self {
            target: output.target()?.to_owned(),
            bytes,
            pending: String::new(),
            has_piece: true,
            has_record: true,
        };
        Some((kept, file))
    }

    /// Returns true if this is the output to a file.
    pub(super) fn is_of(&self, target: &Path) -> bool {
        self.target == target
    }

    /// Opens the output again, before it is packed.
    pub(super) fn go_on(&self) -> Result<Output, Error> {
        Output::go_on(&self.target, &partial(&self.target), self.bytes)
    }

    /// The output with the bytes that waited to be packed.
    pub(super) fn with_pending(&self, output: Output) -> Output {
        // All characters are those of bytes.
        let pending = self.pending.chars().map(|c| c as u8).collect();
        output.with_pending(pending, self.has_piece)
    }
}

/// A path with an ending after its whole name.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// The name of an output that is not complete.
fn partial(target: &Path) -> PathBuf {
    with_ending(target, ".partial")
}

impl Asked {
    /// The question of a command line. Returns `None` if an input cannot be read a second time.
    fn of(files: &Files) -> Option<Self> {
        let mut inputs = Vec::new();
        for path in files.inputs() {
            if path == Path::new(STANDARD) {
                return None;
            }
            // A puzzle on the command line, or a mask, is no file.
            let Ok(about) = path.metadata() else { continue };
            if !about.is_file() {
                return None;
            }
            let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).ok();
            let modified = about.modified().ok().and_then(since);
            inputs.push(InputState {
                path: path.display().to_string(),
                bytes: about.len(),
                modified: modified.map(|time| time.as_nanos() as u64),
            });
        }
        Some(Self {
            version: env!("CARGO_PKG_VERSION").into(),
            command: files.asked().to_vec(),
            inputs,
        })
    }

    /// The first thing that differs from the run that was stopped, in words.
    fn difference(&self, before: &Self) -> Option<String> {
        if self.version != before.version {
            let (now, then) = (&self.version, &before.version);
            return Some(format!("it was version {then}, and this is {now}"));
        }
        let missing = |from: &Self, other: &Self| {
            let mut options = from.command.iter();
            options
                .find(|option| !other.command.contains(option))
                .cloned()
        };
        match [missing(before, self), missing(self, before)] {
            [Some(then), Some(now)] => Some(format!("it had {then}, and this has {now}")),
            [Some(then), None] => Some(format!("it had {then}")),
            [None, Some(now)] => Some(format!("it did not have {now}")),
            [None, None] if self.command != before.command => {
                Some("the order of its arguments was another".into())
            }
            [None, None] => {
                let both = self.inputs.iter().zip(&before.inputs);
                let mut changed = both.filter(|(now, then)| now != then);
                let changed = changed.next().map(|(now, _)| now.path.as_str());
                let is_other = self.inputs.len() != before.inputs.len();
                let name = changed.or(is_other.then_some("an input"))?;
                Some(format!("{name} has changed since"))
            }
        }
    }
}

/// The checkpoints of a run.
pub(super) struct Checkpoints {
    every: Duration,
    /// Set if the work cannot be kept.
    is_off: AtomicBool,
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// The state that the work, the thread of checkpoints and a signal share.
struct Shared {
    journal: PathBuf,
    asked: Asked,
    state: Mutex<State>,
    /// Signalled at the end.
    end: Condvar,
    file: Mutex<JournalFile>,
}

/// The state of the file of the journal. Whoever holds its lock may write it.
#[derive(Default)]
struct JournalFile {
    /// The file is there, and ours.
    is_there: bool,
    /// Nobody writes it any more.
    is_over: bool,
    /// The number of files that it has named.
    named: usize,
}

#[derive(Default)]
struct State {
    latest: Option<(Reached, Vec<Arc<File>>)>,
    has_ended: bool,
}

/// The run whose work is kept: there is one at a time.
static CURRENT: Mutex<Option<Arc<Shared>>> = Mutex::new(None);

/// A piece of work that is complete, with the outputs that have it.
pub(super) struct Noted<'o> {
    pub(super) reached: Reached,
    pub(super) ended: &'o [Ended],
    pub(super) open: &'o [Output],
    pub(super) has_record: &'o [bool],
    pub(super) rejects: Option<&'o Output>,
}

impl Checkpoints {
    /// The checkpoints of a run, if it can have some, and how far an earlier run came with which it goes on.
    ///
    /// # Errors
    ///
    /// An earlier run was stopped, and `--resume` is not given. Or it is given, and the run differs from the earlier one
    /// or cannot be continued.
    pub(super) fn of(
        files: &Files,
        task: &Task<'_>,
        continuation: Continuation,
    ) -> anyhow::Result<(Option<Self>, Option<Reached>)> {
        let Some(options) = task.resume else {
            return Ok((None, None));
        };
        let shared = match Shared::of(files, task.sink, continuation) {
            Ok(shared) => shared,
            Err(why) if options.resume => bail!("--resume: {why}"),
            Err(_) => return Ok((None, None)),
        };
        let earlier = shared.earlier()?;
        let reached = match (earlier, options.resume) {
            (Earlier::Foreign, true) => bail!(
                "--resume: {} is no file of this program",
                shared.journal.display()
            ),
            (Earlier::AtWork, true) => {
                bail!("--resume: another process works on it")
            }
            (Earlier::Foreign | Earlier::AtWork, false) => return Ok((None, None)),
            (Earlier::Stopped(journal), false) => bail!(
                "an earlier run was stopped, and {} keep its {}: --resume goes on with them; remove them to begin anew",
                shared.names(&journal.reached),
                counted(journal.reached.records, "records"),
            ),
            (Earlier::Stopped(journal), true) => {
                if let Some(difference) = shared.asked.difference(&journal.asked) {
                    bail!(
                        "--resume: the run that was stopped is another one: {difference}; remove {} to begin anew",
                        shared.names(&journal.reached),
                    );
                }
                Some(journal.reached)
            }
            (Earlier::Nothing, _) => None,
        };
        if options.resume && !task.is_quiet() {
            match &reached {
                Some(reached) => say(format_args!(
                    "sudoku-batch: going on after {}",
                    counted(reached.records, "records")
                )),
                None => say("sudoku-batch: no earlier run was stopped: beginning anew"),
            }
        }
        if let Some(reached) = &reached {
            lock(&shared.state).latest = Some((reached.clone(), Vec::new()));
            lock(&shared.file).is_there = true;
        }
        let shared = Arc::new(shared);
        if reached.is_some() {
            *lock(&CURRENT) = Some(Arc::clone(&shared));
        }
        let checkpoints = Self {
            every: options.every(),
            is_off: AtomicBool::new(options.checkpoint == 0.0),
            shared,
            thread: Mutex::new(None),
        };
        Ok((Some(checkpoints), reached))
    }

    /// Returns true if the run takes so long that its work is kept.
    pub(super) fn is_due(&self) -> bool {
        !self.is_off.load(Relaxed) && summary::started().elapsed() >= self.every
    }

    /// Notes how far the run is.
    pub(super) fn note(&self, noted: Noted<'_>) {
        if self.try_to_note(noted).is_none() {
            // Something that is not ours has the name of a file that would be kept, or the disk is full. The outputs
            // that have their names take their places at the end.
            self.is_off.store(true, Relaxed);
            lock(&self.shared.state).latest = None;
            self.shared.remove_journal();
        }
    }

    fn try_to_note(&self, noted: Noted<'_>) -> Option<()> {
        let Noted {
            mut reached,
            ended,
            open,
            has_record,
            rejects,
        } = noted;
        let mut files = Vec::new();
        for output in ended {
            let (kept, file) = KeptOutput::ended(output)?;
            reached.outputs.push(kept);
            files.extend(file);
        }
        let open = open.iter().zip(has_record.iter().copied());
        let open = open.chain(rejects.map(|rejects| (rejects, true)));
        for (output, has_record) in open.clone() {
            let (kept, file) = KeptOutput::open(output, has_record)?;
            reached.outputs.push(kept);
            files.push(file);
        }
        let ended_now = ended.iter().filter(|output| !output.is_kept());
        let open_now = open.clone().filter(|(output, _)| !output.is_kept());
        let mut named_next: Vec<_> = ended_now.map(Ended::target).collect();
        named_next.extend(open_now.map(|(output, _)| output.target()));
        let named_next = named_next.into_iter().flatten().map(Path::to_owned);
        let named_next: Vec<_> = named_next.collect();
        // A signal that ends the run waits until all files have their names: a file that is named after the last journal would
        // stay for ever.
        let mut state = lock(&self.shared.state);
        if !named_next.is_empty() {
            if lock(&self.shared.file).is_over {
                return Some(());
            }
            // The journal never names a file that is not ours.
            if named_next.iter().any(|target| partial(target).exists()) {
                return None;
            }
            // The journal comes before the files that it names. The process may be killed before they have their names.
            let latest = state.latest.clone();
            let (reached, files) = latest.unwrap_or_else(|| (reached.clone(), Vec::new()));
            let before = Reached {
                named_next,
                ..reached
            };
            self.shared.write(&before, false).ok()?;
            state.latest = Some((before, files));
            *lock(&CURRENT) = Some(Arc::clone(&self.shared));
        }
        for output in ended {
            output.keep(&partial(output.target()?)).ok()?;
        }
        for (output, _) in open {
            output.keep(&partial(output.target()?)).ok()?;
        }
        state.latest = Some((reached, files));
        drop(state);
        let mut thread = lock(&self.thread);
        if thread.is_none() {
            let (shared, every) = (Arc::clone(&self.shared), self.every);
            let keep = move || shared.keep(every);
            *thread = Some(thread::Builder::new().spawn(keep).ok()?);
        }
        Some(())
    }

    /// Ends the checkpoints of a run whose outputs are complete, before they take their places.
    pub(super) fn end(&self) {
        lock(&self.shared.state).has_ended = true;
        self.shared.end.notify_all();
        if let Some(thread) = lock(&self.thread).take() {
            thread.join().expect("checkpoints do not panic");
        }
    }

    /// Removes the journal: all outputs took their places.
    pub(super) fn complete(&self) {
        *lock(&CURRENT) = None;
        self.shared.remove_journal();
    }

    /// Ends a run that fails. Its work is kept if it may go on later, and otherwise removed.
    pub(super) fn fail(&self, error: &anyhow::Error) {
        self.end();
        *lock(&CURRENT) = None;
        // A disk that is full, or a drive that is gone, may be better later. A record that is wrong stays wrong.
        let may_go_on = matches!(
            error.downcast_ref::<Error>(),
            Some(Error::Read { .. } | Error::Write { .. } | Error::Thread { .. })
        );
        if !may_go_on {
            return self.shared.clear(&mut lock(&self.shared.state));
        }
        if let Some(words) = self.shared.stop() {
            say(format_args!("sudoku-batch: {words}"));
        }
    }
}

/// Keeps the work of the run that a signal ends. Returns the words about it, if there is some.
pub(super) fn stop() -> Option<String> {
    let current = lock(&CURRENT).take();
    current.and_then(|shared| shared.stop())
}

/// The traces of an earlier run.
enum Earlier {
    Nothing,
    /// A file that has the name of the journal by chance.
    Foreign,
    /// A process works on the outputs.
    AtWork,
    Stopped(Box<Journal>),
}

impl Shared {
    /// The shared state of a run, or why there is none.
    fn of(files: &Files, sink: Sink<'_>, continuation: Continuation) -> Result<Self, &'static str> {
        if let Continuation::Anew(why) = continuation {
            return Err(why);
        }
        let journal = match sink {
            Sink::None => return Err("this run writes no records"),
            Sink::One(path) if path == Path::new(STANDARD) => {
                return Err("only a file can be continued: -o FILE names one");
            }
            Sink::One(path) => with_ending(path, ".resume"),
            Sink::PerInput(folder) | Sink::Parts(folder, _) => folder.join("sudoku-batch.resume"),
        };
        let asked = Asked::of(files).ok_or("an input can be read once only, so it cannot go on")?;
        Ok(Self {
            journal,
            asked,
            state: Mutex::default(),
            end: Condvar::new(),
            file: Mutex::default(),
        })
    }

    /// The traces of an earlier run. Those that nobody can go on with are removed.
    fn earlier(&self) -> anyhow::Result<Earlier> {
        let text = match fs::read(&self.journal) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Earlier::Nothing),
            // A folder that is a file is told with the name of the output.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Ok(Earlier::Nothing);
            }
            Err(error) => {
                return Err(error).context(format!("cannot read {}", self.journal.display()));
            }
        };
        let journal = serde_json::from_slice::<Journal>(&text).ok();
        let Some(journal) = journal.filter(|journal| journal.program == PROGRAM) else {
            return Ok(Earlier::Foreign);
        };
        let outputs = &journal.reached.outputs;
        let partials = || outputs.iter().map(|output| partial(&output.target));
        if partials().any(|name| output::is_worked_on(&name)) {
            return Ok(Earlier::AtWork);
        }
        let is_there = |output: &KeptOutput| {
            let about = partial(&output.target).metadata();
            about.is_ok_and(|about| about.len() >= output.bytes)
        };
        let is_listed = |target: &&PathBuf| outputs.iter().any(|output| output.is_of(target));
        let unlisted = journal.reached.named_next.iter();
        for target in unlisted.filter(|target| !is_listed(target)) {
            let _ = fs::remove_file(partial(target));
        }
        // The run ended before its files had their names, or while they took their places.
        if !outputs.iter().all(is_there) {
            partials().for_each(|name| _ = fs::remove_file(name));
            let _ = fs::remove_file(&self.journal);
            return Ok(Earlier::Nothing);
        }
        Ok(Earlier::Stopped(Box::new(journal)))
    }

    /// The names of the files that keep the work.
    fn names(&self, reached: &Reached) -> String {
        let outputs = reached.outputs.iter();
        let outputs = outputs.map(|output| partial(&output.target));
        let names = outputs.chain([self.journal.clone()]);
        let names = names.map(|name| match std::env::current_dir() {
            Ok(folder) => name
                .strip_prefix(folder)
                .unwrap_or(&name)
                .display()
                .to_string(),
            Err(_) => name.display().to_string(),
        });
        listed(&names.collect::<Vec<_>>())
    }

    /// Makes checkpoints last until the run ends.
    fn keep(&self, every: Duration) {
        /// The disk works on checkpoints for at most this share of the time.
        const SHARE: u32 = 10;
        loop {
            let latest = lock(&self.state).latest.clone();
            let began = Instant::now();
            if let Some((reached, files)) = latest
                && files.iter().all(|file| file.sync_data().is_ok())
            {
                // A journal that cannot be written leaves the one before it.
                let _ = self.write(&reached, true);
            }
            let pause = every.max(SHARE * began.elapsed());
            let state = lock(&self.state);
            let waited = self
                .end
                .wait_timeout_while(state, pause, |state| !state.has_ended);
            let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if state.has_ended {
                return;
            }
        }
    }

    /// Replaces the journal, and waits until it is on the disk if it `lasts`. A journal that names fewer files than the
    /// one before is older, and is not written: a file that no journal names would stay for ever if the process is killed.
    fn write(&self, reached: &Reached, lasts: bool) -> anyhow::Result<()> {
        let outputs = reached.outputs.iter().map(|output| &output.target);
        let named: BTreeSet<_> = outputs.chain(&reached.named_next).collect();
        let mut of_journal = lock(&self.file);
        if of_journal.is_over || named.len() < of_journal.named {
            return Ok(());
        }
        of_journal.named = named.len();
        let journal = Journal {
            program: PROGRAM.into(),
            asked: self.asked.clone(),
            reached: reached.clone(),
        };
        // A path that is no text cannot be written.
        let text = serde_json::to_vec(&journal)?;
        let new = with_ending(&self.journal, ".new");
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(&text)?;
            if lasts {
                file.sync_all()?;
            }
            fs::rename(&new, &self.journal)
        };
        write().inspect_err(|_| _ = fs::remove_file(&new))?;
        of_journal.is_there = true;
        if lasts && cfg!(unix) {
            // The name lasts with the folder.
            File::open(output::folder_of(&self.journal))?.sync_all()?;
        }
        Ok(())
    }

    /// Removes the journal, which nobody writes any more. A file that has its name by chance stays.
    fn remove_journal(&self) {
        let mut of_journal = lock(&self.file);
        of_journal.is_over = true;
        if std::mem::take(&mut of_journal.is_there) {
            let _ = fs::remove_file(&self.journal);
        }
    }

    /// Writes the journal for the last time. Returns the words about what is kept.
    fn stop(&self) -> Option<String> {
        // No file gets its name meanwhile.
        let mut state = lock(&self.state);
        let (reached, _) = state.latest.clone()?;
        let mut outputs = reached.outputs.iter();
        // The outputs took their places.
        if !outputs.all(|output| partial(&output.target).exists()) {
            self.clear(&mut state);
            return None;
        }
        self.write(&reached, false).ok()?;
        lock(&self.file).is_over = true;
        let bytes: u64 = reached.outputs.iter().map(|output| output.bytes).sum();
        Some(format!(
            "{} keep {} ({} bytes): the same command with --resume goes on",
            self.names(&reached),
            counted(reached.records, "records"),
            grouped(bytes),
        ))
    }

    /// Removes all that was kept.
    fn clear(&self, state: &mut State) {
        if let Some((reached, _)) = state.latest.take() {
            let outputs = reached.outputs.iter().map(|output| &output.target);
            for target in outputs.chain(&reached.named_next) {
                let _ = fs::remove_file(partial(target));
            }
        }
        self.remove_journal();
    }
}

/// Returns true if words about a signal have a reader who does not make the process wait: a terminal or a file, and no
/// pipe.
pub(super) fn has_reader() -> bool {
    io::stderr().is_terminal() || output::stderr_is_file()
}

impl ResumeOptions {
    /// The time from one checkpoint to the next.
    fn every(&self) -> Duration {
        Duration::from_secs_f64(self.checkpoint)
    }
}
