/**
 * The Sudoku engine `sudoku-batch` in WebAssembly.
 *
 * A puzzle is a text in any format that the command reads: 81 cells in a line, nine lines of nine, with a
 * frame or without one; digits are clues, and any of `.0*_-?xX` is a blank. Or it is given by candidates:
 * 729 characters, nine for each cell, or pencil marks. Nothing has to be called before the first question.
 *
 * An argument of another type is a `TypeError`. An option that a call does not have, or a value that it cannot have,
 * is a `SudokuError` with the code `option`. An option that is `null` or `undefined` is not given.
 */

// The lines between a comment such as "settings rate" and "end" follow from the definition of the question in the library.
// `SUDOKU_BATCH_PAGES=write cargo test --release --test library javascript` writes them. There, -name leaves out a setting
// with its columns, +name has its columns in any case, and column=name is a column with another name.

/** An error of an input or an option, with its place. */
export class SudokuError extends Error {
  name: 'SudokuError'
  /** The kind of the error. */
  code: 'malformed' | 'several' | 'form' | 'record' | 'damaged' | 'option' | 'no-solution' | 'multiple' | 'no-step'
    | 'cancelled' | 'closed' | 'internal'
  /** The place of what is wrong in the array that was given, from 0. */
  index?: number
  /** The line, from 1. */
  line?: number
  /** The column, from 1. */
  column?: number
  /** The text that was found, and what should be there. */
  reason?: string
}

export type Status = 'unique' | 'multiple' | 'malformed' | 'row-duplicate' | 'column-duplicate'
  | 'box-duplicate' | 'no-solution' | 'gave-up'

/** A text of an array that is no puzzle. A single puzzle throws this. */
export interface Problem {
  code: string
  message: string
  /** The place of the text in the array, from 0. */
  index: number
  /** The line and the column in the text, from 1. */
  line: number | null
  column: number | null
  reason: string | null
}

/** A whole number of 64 bits. A number beyond 2^53 - 1 is not exact: such a value is a BigInt or a text of digits. */
export type Whole = number | bigint | string

/** A text, or an array of them, where only the program knows which. */
export type Texts = string | readonly string[]

interface Answer {
  status: Status
  /** The error of a text of an array that is no puzzle. */
  error?: Problem
}

export interface Solved extends Answer {
  // columns solve
  /** The solution of each record. */
  solution: string | null
  // end
  /** The 81 cells or 729 candidates, with dots for blanks. */
  puzzle: string | null
  /** Why there is no solution. */
  detail: string | null
}
export interface SolveOptions {
  // settings solve
  /** Count a puzzle as solved only if it has exactly one solution. */
  unique?: boolean
  /** Give up on puzzles that need more guesses than N. */
  maxGuesses?: Whole
  // end
}
/** Solves a puzzle, or each of an array. */
export function solve(puzzle: string, options?: SolveOptions): Promise<Solved>
export function solve(puzzles: readonly string[], options?: SolveOptions): Promise<Solved[]>
export function solve(puzzles: Texts, options?: SolveOptions): Promise<Solved | Solved[]>

export interface Checked extends Answer {
  // columns check clue_count=clues
  /** The number of clues. */
  clues: number | null
  /** How many clues can each be left out, of a record with one solution. */
  redundantClues?: number | null
  /** Whether the answer is the solution, or one of several. */
  answerRight?: boolean | null
  /** Blank cells of the puzzle that the answer does not have right. */
  wrongCells?: number | null
  /** Clues that the answer does not have. */
  changedClues?: number | null
  // end
  detail: string | null
}
export interface CheckOptions<A> {
  /** The answer to compare with the solution. */
  answer?: A
  // settings check
  /** Accept only minimal puzzles: each clue is needed. */
  minimal?: boolean
  // end
}
/** Checks a puzzle, and an answer to it. */
export function check(puzzle: string, options?: CheckOptions<string>): Promise<Checked>
export function check(puzzles: readonly string[], options?: CheckOptions<readonly string[]>): Promise<Checked[]>
export function check(puzzles: Texts, options?: CheckOptions<Texts>): Promise<Checked | Checked[]>

/** A call that can be stopped: the promise is then rejected with the reason of the signal. */
export interface Stoppable {
  signal?: AbortSignal
}

export interface Counted extends Answer {
  // columns count solution_count=solutions
  /** The number of solutions. */
  solutions: number | null
  // end
  /** Whether there are more than the limit. */
  more: boolean
}
export interface LimitOptions extends Stoppable {
  /** The most that are counted, or listed. */
  limit?: Whole
}
/** Counts the solutions of a puzzle, up to 1,000,000 unless `limit` says otherwise; 0 is no limit. */
export function count(puzzle: string, options?: LimitOptions): Promise<Counted>
export function count(puzzles: readonly string[], options?: LimitOptions): Promise<Counted[]>
export function count(puzzles: Texts, options?: LimitOptions): Promise<Counted | Counted[]>

/** Lists the solutions of a puzzle in order, up to 1,000 unless `limit` says otherwise. */
export function solutions(puzzle: string, options?: LimitOptions): Promise<string[]>
/** A text that is no puzzle is an error with its `index`. */
export function solutions(puzzles: readonly string[], options?: LimitOptions): Promise<string[][]>
export function solutions(puzzles: Texts, options?: LimitOptions): Promise<string[] | string[][]>

export interface RateOptions extends Stoppable {
  // settings rate -difficulty -counts
  /** Add the depth of trial and error, T&E(n). */
  te?: boolean
  /** Add whether the first step is the hardest: diamond, pearl or none. */
  gem?: boolean
  /** Stop at steps harder than X: such puzzles are shown as `>X` (column beyond). Usually 11.9. */
  upTo?: number
  /** Give up on a puzzle after N chain nodes; 100M is some seconds. */
  maxWork?: Whole
  /** Take no step of these techniques. */
  without?: string
  // end
}
export interface Rated extends Answer {
  // columns rate +difficulty -counts
  /** The rating of the hardest step. */
  er: number | null
  /** The rating of the hardest step up to the first digit. */
  ep: number | null
  /** The rating of the first step. */
  ed: number | null
  /** The bound, where a rating is missing for it. */
  beyond: number | null
  /** The technique of the hardest step. */
  technique: string | null
  /** The guesses of the reference search, without ER. */
  guesses: number | null
  /** A word for the ER. */
  difficulty: 'easy' | 'medium' | 'hard' | 'expert' | 'extreme' | null
  /** The depth of trial and error. */
  te?: '0' | '1' | '2' | '3' | 'beyond' | null
  /** Whether the first step is the hardest. */
  gem?: string | null
  // end
  detail: string | null
}
/** Rates a puzzle. */
export function rate(puzzle: string, options?: RateOptions): Promise<Rated>
export function rate(puzzles: readonly string[], options?: RateOptions): Promise<Rated[]>
export function rate(puzzles: Texts, options?: RateOptions): Promise<Rated | Rated[]>

export interface CellDigit {
  /** The name of the cell, such as `r1c9`. */
  cell: string
  digit: number
}
export interface ChainNode extends CellDigit {
  /** Whether the cell holds the digit. */
  on: boolean
  reason: string
  /** The places in the chain of the nodes that it follows from. */
  parents: number[]
  inner: Chains | null
}
export interface Chains {
  kind: string
  start: string | null
  length: number
  chains: ChainNode[][]
  place: CellDigit | null
  strikes: CellDigit[]
}
export interface Step {
  kind: 'step' | 'guess' | 'wrong' | 'struck'
  technique: string | null
  rating: number | null
  cells: string[]
  digits: number[]
  houses: string[]
  sideCells: string[]
  place: CellDigit | null
  strikes: CellDigit[]
  chains: Chains | null
  /** Why it holds and what it does, in words. */
  words: string
  /** The chains in lines: a summary, and below it, indented, a line for each chain. */
  lines: string[]
}
export interface StepsOptions extends Stoppable {
  /** The hardest step that is taken. */
  upTo?: number
  /** The work after which the search for chains gives up, in nodes of chains. */
  maxWork?: Whole
  /** Whether to guess where no technique leads on, so that the steps reach the solution. */
  guess?: boolean
}
/**
 * The steps of a person from a puzzle to its solution. A puzzle with several solutions is the error
 * `multiple`, unless `guess` is given: then the steps lead to the smallest of them. One without a
 * solution is the error `no-solution`.
 */
export function steps(puzzle: string, options?: StepsOptions): Promise<Step[]>

export interface Position {
  /** The clues, or the candidates at the start. */
  puzzle: string
  /** The clues and the digits that were found. */
  filled?: string
  /** The candidates that are left in each of the 81 cells, as in `"159"`. */
  candidates?: readonly string[]
}
/** The next step from a position; first what has to be undone. Nothing for a solved grid. */
export function hint(position: string | Position, options?: Stoppable): Promise<Step | null>

export interface Canonical extends Answer {
  // columns canonical +transformation +automorphisms canonical=form
  /** The canonical form. */
  form: string | null
  /** The symmetry that leads to the canonical form. */
  transformation: string | null
  /** The number of symmetries that map the record to itself. */
  automorphisms: number | null
  // end
}
/**
 * The canonical form that a puzzle has in common with all its symmetric copies. With `minlex` (`maxlex`) it is the
 * smallest (largest) copy of its own cells, which a puzzle with several solutions has too.
 */
export function canonical(puzzle: string, options?: Extreme): Promise<Canonical>
export function canonical(puzzles: readonly string[], options?: Extreme): Promise<Canonical[]>
export function canonical(puzzles: Texts, options?: Extreme): Promise<Canonical | Canonical[]>
export interface Extreme {
  // settings canonical -transformation -automorphisms
  /** Give the smallest symmetric copy of the record's own 81 characters, where a blank is the smallest. */
  minlex?: boolean
  /** Give the largest symmetric copy of the record's own 81 characters, where a blank is the smallest. */
  maxlex?: boolean
  // end
}

/** A number, or a range with its ends. `null` is an open end: `[100, null]` is at least 100. */
type Span = number | readonly [least: number | null, most: number | null]

/** A seed gives the same on every machine. */
export interface MakeOptions extends Stoppable {
  /** How many; 1 if it is not given. */
  n?: number
  /** The number of the first, from 0. */
  start?: Whole
  // settings generate -uniform
  /** Seed of random choices. Usually 0. */
  seed?: Whole
  /** Number the grids in plain order, in which neighbours look alike. */
  inOrder?: boolean
  /** Only grids with this digit in the top left cell. */
  firstDigit?: number
  // end
  /** The most workers; one for each core if it is not given. */
  workers?: number
  onProgress?: (progress: { done: number; total: number }) => void
}
export interface GridsOptions extends MakeOptions {
  // settings generate -seed -in-order -first-digit
  /** Make uniform samples of all grids, in place of the sequence of distinct ones. */
  uniform?: boolean
  // end
}
export interface PuzzlesOptions extends MakeOptions {
  // settings puzzles -seed -in-order -first-digit
  /** The number of blanks. */
  blanks?: Span
  /** The number of clues. */
  clues?: Span
  /** The difficulty, by the ER. */
  difficulty?: 'easy' | 'medium' | 'hard' | 'expert' | 'extreme'
  /** The ER. */
  rating?: Span
  /** The technique that solves them alone; with `blanks` or `clues`. */
  solvedBy?: 'naked-singles'
  /** The depth of trial and error, from 0 to 3. */
  te?: Span
  /** The hardest step is one of these: X-wing. */
  hardest?: string
  /** Some step is one of these techniques. */
  contains?: string
  /** The first hard step is one of these techniques. */
  firstHard?: string
  /** No other technique is used: singles,pointing. */
  only?: string
  /** The number of hard steps. */
  steps?: Span
  /** Follow each puzzle with up to N relatives that have all that is asked for too. Usually 0. */
  relatives?: Whole
  /** The guesses of the reference search. */
  guesses?: Span
  /** Make only minimal puzzles: each clue is needed. */
  minimal?: boolean
  /** A symmetry of the pattern of clues. Usually none. */
  symmetry?: 'none' | 'rotate180' | 'rotate90' | 'horizontal' | 'vertical' | 'diagonal'
  /** The number of clues in each row. */
  cluesPerRow?: Span
  /** The number of clues in each column. */
  cluesPerColumn?: Span
  /** The number of clues in each box. */
  cluesPerBox?: Span
  /** The number of clues of each digit. */
  cluesPerDigit?: Span
  /** No clue has this digit. */
  missingDigit?: number
  /** Clues exactly where this mask has an X. */
  pattern?: string
  /** Minimal puzzles with weights for unbiased means. */
  unbiased?: boolean
  /**
   * Each puzzle has one solution. Without that, a puzzle with a number of blanks or clues may have several.
   * Usually true.
   */
  unique?: boolean
  /** Take the distinct grids of `generate`, in place of uniform samples of all grids. */
  sequence?: boolean
  /**
   * Add the columns er and technique. Up to an ER of 4.4 they are known, or any if a difficulty or a rating is
   * wanted.
   */
  ratings?: boolean
  // end
  /** Gets the number of puzzles that could not be made, if there are any. Without it the console warns of them. */
  onMissing?: (missing: number) => void
}
export interface Made {
  /** The number of the puzzle in the set: a text of digits beyond 2^53 - 1. `start` takes it as it is. */
  index: number | string
  puzzle: string
  solution: string
  clues: number
  /** The difficulty that is wanted, if one is. */
  difficulty?: string
  /** With `unbiased`: the number of minimal puzzles that it stands for. */
  weight?: number
  /** The guesses of the reference search, if `guesses` is wanted. */
  guesses?: number
  /** The rating, if it is known: up to 4.4, or any if a difficulty or a rating is wanted. */
  er: number | null
  technique: string | null
  /** With `contains`: the first step of these techniques. */
  contains?: string
  /** With `firstHard`: the technique of that step. */
  first_hard?: string
  /** With `steps`: the number of these steps. */
  steps?: number
}
export type TextForm = 'line' | 'csv' | 'tsv' | 'jsonl'
/**
 * Makes puzzles. A number that no grid leads to is left out: then there are fewer than `n`, and `onMissing` is
 * called.
 */
export function puzzles(options?: PuzzlesOptions): Promise<Made[]>
/** Makes puzzles as the text that the command writes. */
export function puzzles(options: PuzzlesOptions & { format: TextForm }): Promise<string>
/** Makes solved grids. */
export function generate(options?: GridsOptions): Promise<string[]>
export function generate(options: GridsOptions & { format: TextForm }): Promise<string>

/**
 * The questions of the engine, and `convert`. `dedup` and `convert` write records as they are: `dedup` the first of all
 * that are the same. The counts of `stats` say what its columns sum up to.
 */
export type Question =
  // questions
  | 'solve'
  | 'check'
  | 'score'
  | 'count'
  | 'solutions'
  | 'canonical'
  | 'rank'
  | 'classes'
  | 'unavoidable'
  | 'patterns'
  | 'expand'
  | 'true-candidates'
  | 'candidate-counts'
  | 'minimals'
  | 'dedup'
  | 'split'
  | 'rate'
  | 'backdoors'
  | 'features'
  | 'filter'
  | 'stats'
  // end
  | 'convert'
/** A text or bytes. They stay those of the caller: bytes are neither changed nor taken away. */
export type Part = string | ArrayBuffer | ArrayBufferView
/**
 * A whole input, or its parts in order: a record may begin in one part and end in another. But in an array each text
 * is a record, or several: it has a line of its own, whether it ends with a line feed or not.
 */
export type Input = Part | Blob | ReadableStream<Part> | AsyncIterable<Part> | Iterable<Part>
export interface Progress {
  /** How many bytes of the input are done. */
  bytes: number
  /** How many there are, where that is known. */
  totalBytes?: number
  records: number
  seconds: number
}
export interface BatchOptions extends Stoppable {
  /** How many workers, up to 1,024; one for each core if it is not given. 0 works on the calling thread. */
  workers?: number
  onProgress?: (progress: Progress) => void
  /** Gets the lines of the command's `--rejects`, in order. */
  onRejects?: (lines: Uint8Array) => void
  /** `check`: the column of the answers. `score`: that of the free texts. */
  answerColumn?: string
  // settings *
  /** `solve`: Count a puzzle as solved only if it has exactly one solution. */
  unique?: boolean
  /** `solve`: Give up on puzzles that need more guesses than N. */
  maxGuesses?: Whole
  /**
   * `check`: Accept only minimal puzzles: each clue is needed. `filter`: Keep only minimal puzzles: each clue
   * is needed.
   */
  minimal?: boolean
  /** `score`: Which grid of a text counts. */
  extract?: 'last' | 'first' | 'only'
  /** `score`: The rule of the reward. */
  reward?: 'solved' | 'blanks'
  /**
   * `count`: Count up to this many solutions of a record; 0 is all of them. `solutions`: List up to this many
   * solutions of a record, the first ones; 0 is all of them. `candidate-counts`: Count up to this many
   * solutions of a candidate. `minimals`: List up to this many minimal puzzles of a record, the first ones; 0
   * is all of them.
   */
  limit?: Whole
  /**
   * `canonical`: Give the smallest symmetric copy of the record's own 81 characters, where a blank is the
   * smallest.
   */
  minlex?: boolean
  /** `canonical`: Give the largest symmetric copy of the record's own 81 characters, where a blank is the smallest. */
  maxlex?: boolean
  /** `canonical`: Add the operations that lead to the canonical form. */
  transformation?: boolean
  /**
   * `canonical`: Add the number of symmetries that map the record to itself, the identity among them: 1 for
   * nearly all.
   */
  automorphisms?: boolean
  /** `rank`: Seed of random choices. `split`: Seed of the split. */
  seed?: Whole
  /** `rank`: Number the grids in plain order, in which neighbours look alike. */
  inOrder?: boolean
  /** `rank`: Only grids with this digit in the top left cell. */
  firstDigit?: number
  /** `unavoidable`, `backdoors`: Look for sets of up to this many cells. */
  most?: Whole
  /**
   * `unavoidable`: Give all sets, and not those of the bound alone. `backdoors`: Give all sets of the smallest
   * size, and not the first alone.
   */
  list?: boolean
  /** `dedup`, `split`: Compare records by equality, symmetry, solution or minlex. */
  by?: 'equality' | 'symmetry' | 'solution' | 'minlex'
  /** `split`: The weights of the parts, with commas between. They need not add up to anything. */
  weights?: string
  /**
   * `rate`: Add a word for the ER: easy, medium, hard, expert or extreme. `filter`: Keep puzzles of these
   * difficulties.
   */
  difficulty?: boolean | string
  /** `rate`: Add the depth of trial and error, T&E(n). `filter`: Keep puzzles of this depth of trial and error. */
  te?: boolean | Span
  /** `rate`: Add whether the first step is the hardest: diamond, pearl or none. */
  gem?: boolean
  /**
   * `rate`: Stop at steps harder than X: such puzzles are shown as `>X` (column beyond). `backdoors`: Take all
   * steps with a rating up to X, and not singles alone. `stats`: Take no step with a rating over X: harder
   * puzzles have no rating.
   */
  upTo?: number
  /** `rate`: Give up on a puzzle after N chain nodes; 100M is some seconds. */
  maxWork?: Whole
  /** `rate`: Add how often each technique is used. */
  counts?: boolean
  /** `rate`: Take no step of these techniques. */
  without?: string
  /** `filter`: Keep records with these statuses, such as unique. */
  status?: string
  /** `filter`: Keep records with this many clues. */
  clues?: Span
  /** `filter`: Keep puzzles with this ER, as `rate` gives it. */
  rating?: Span
  /** `filter`: Keep puzzles whose hardest step is this: X-wing. */
  hardest?: string
  /** `filter`: Keep puzzles with a step of one of these techniques. */
  contains?: string
  /** `filter`: Keep puzzles whose first hard step is this. */
  firstHard?: string
  /** `filter`: Keep puzzles that these techniques solve. */
  only?: string
  /** `filter`: Keep puzzles with this many hard steps. */
  steps?: Span
  /** `filter`: Keep puzzles by guesses of the reference search. */
  guesses?: Span
  /** `filter`: Keep symmetric puzzles. */
  symmetry?: string
  /** `filter`: Keep the records that would be left out instead. */
  invert?: boolean
  /** `filter`: Add the columns er and technique. Records that fail a quicker condition have nothing there. */
  ratings?: boolean
  // end
  /**
   * The column of the puzzles: its name, or its number from 1. Without it, names and the records in the
   * first 64 KiB decide, as for the command.
   */
  puzzleColumn?: string
  inputFormat?: string
  /** The format of the output, if it is not that of the input. */
  format?: string
  /** The names of columns. */
  // columns *
  solutionColumn?: string
  statusColumn?: string
  solutionCountColumn?: string
  recordColumn?: string
  canonicalColumn?: string
  transformationColumn?: string
  automorphismsColumn?: string
  indexColumn?: string
  bandColumn?: string
  unavoidableCountColumn?: string
  expandedColumn?: string
  trueCandidatesColumn?: string
  candidateCountsColumn?: string
  minimalColumn?: string
  backdoorSizeColumn?: string
  // end
  /**
   * Whether a new column overwrites one of the input. Without it, empty values of that column are
   * filled, equal ones stay, and the first other one is an error with the code `record`.
   */
  replace?: boolean
  /** The name of the file, whose ending may say that it is a table. A `File` has one. */
  name?: string
}
export interface Report {
  records: number
  /** How many failed. */
  failed: number
  /** The counts of the command's summary. */
  counts: Record<string, number>
  /** Shares from 0 to 1, of answers. */
  accuracies?: Record<string, number | null>
  /** A warning about the input as a whole: all puzzles of the column are full grids. */
  warning?: string
  /** The first ten rejects. */
  rejects: { line: number; reason: string; detail: string; record: string }[]
  seconds: number
  form: string
  packing?: 'gzip' | 'zstd'
}
export interface Batch {
  form: string
  columns: string[]
  column: string | null
  outputForm: string
  /** The names of the columns that are added. */
  added: string[]
  packing?: 'gzip' | 'zstd'
  /** The bytes that the command writes. Read them once, by this or by one of the next three. */
  output: ReadableStream<Uint8Array>
  bytes(): Promise<Uint8Array>
  text(): Promise<string>
  /** A Blob, which a browser keeps outside of the memory of the page. */
  blob(type?: string): Promise<Blob>
  /** The counts, when the output is read to its end. */
  report(): Promise<Report>
}
/**
 * Answers all records of a text or a file of any format and size, packed by gzip or zstd or not, with all
 * columns kept. The work is done in workers, and the memory does not grow with the input.
 */
export function batch(input: Input, question: Question, options?: BatchOptions): Promise<Batch>

export interface Inspected {
  form: string
  columns: string[]
  column: string | null
  packing?: 'gzip' | 'zstd'
  records: { fields: string[]; error: string | null }[]
}
/** The format of an input, and its first records. */
export function inspect(input: Input, options?: InspectOptions): Promise<Inspected>
export interface InspectOptions {
  /** The most records; 5 if it is not given. */
  most?: number
  puzzleColumn?: string
  inputFormat?: string
  name?: string
}

export interface Looked {
  /** 81 cells, or 729 candidates if it is given by them. */
  puzzle: string
  /** The 81 cells, with dots for blanks. */
  cells: string
  clues: number
  /** The candidates of each blank cell: bit 0 for 1. */
  candidates: number[]
  conflicts: { cells: [number, number]; words: string }[]
  status: Status
  /** Up to 1,000. */
  solutions: number
  more: boolean
  solution: string | null
}
/** A puzzle as a page shows it at once. */
export function look(puzzle: string): Promise<Looked>
/** The picture of a puzzle as SVG. */
export function picture(puzzle: string, options?: PictureOptions): Promise<string>
export interface PictureOptions {
  solution?: boolean
  candidates?: boolean
  title?: string
}
/** A sheet to print, as an HTML page: puzzles, and their answers on the last pages. */
export function sheet(options: SheetOptions): Promise<string>
export interface SheetOptions {
  puzzles: readonly { puzzle: string; note?: string }[]
  title?: string
  perPage?: 4 | 6 | 9
}

/** Resolves when the engine is loaded. No call is needed: the first question waits for it. */
export function ready(): Promise<void>
/**
 * Ends all workers. Calls that they were working on fail with the error `closed`. The next call starts new
 * workers.
 */
export function close(): void
