// The records of a file, in pieces, answered by workers, in order.
import { SudokuError, typed } from './error.js'
import { withHands } from './pool.js'
import { answerPiece } from './serve.js'
import { Source, Turns, concatenated } from './source.js'

/** The bytes at the start of an input that decide its format, if they hold a whole record. */
const HEAD = 64 << 10

/** About how long a piece is, and one of records that may have many rows each. */
const PIECE = 1 << 20
const SMALL_PIECE = 1 << 14

/** How many rejects a report names. */
const SHOWN = 10

const LINE_FEED = 10

/** Bytes, and behind them as many of a source as are wanted; and whether the source has ended. */
async function filled(source, bytes, wanted) {
  const parts = [bytes]
  let ended = false
  for (let length = bytes.length; !ended && length < wanted;) {
    const more = await source.next()
    parts.push(more)
    length += more?.length ?? 0
    ended = !more
  }
  return { bytes: concatenated(parts), ended }
}

/** The format that was detected at the start of an input, and the bytes that were read for it. */
async function begin(engine, source, options) {
  let head = new Uint8Array()
  let ended = false
  let wanted = HEAD
  for (;;) {
    if (!ended) ({ bytes: head, ended } = await filled(source, head, wanted))
    const seen = head.subarray(0, wanted)
    const reading = engine.Reading.begin(seen, ended && seen.length === head.length, options)
    if (reading) {
      const { cutting, ...about } = JSON.parse(reading.about())
      // A message copies all the memory of the bytes in it.
      return { reading, about, cutting, head: seen.slice(), read: head, ended }
    }
    wanted *= 4
  }
}

/** Cuts the bytes of a source into pieces of whole records. */
class Pieces {
  #source
  #reading
  #left
  #ended
  #cutting
  #shared
  #length
  #count = 0
  #records = 1
  /** How many bytes are in pieces. */
  cut = 0

  /** `shared` says that pieces stay on this thread, and need no memory of their own. */
  constructor(source, { reading, cutting, read, ended }, shared) {
    this.#shared = shared
    this.#source = source
    this.#reading = reading
    this.#left = read
    this.#ended = ended
    this.#cutting = cutting
    this.#length = cutting.severalRows ? SMALL_PIECE : PIECE
  }

  /** The next piece, or nothing at the end. */
  async next() {
    let wanted = this.#length
    for (;;) {
      if (!this.#ended) ({ bytes: this.#left, ended: this.#ended } = await filled(this.#source, this.#left, wanted))
      // An empty input is a piece, too: it has counts.
      if (this.#ended && this.#left.length === 0 && this.#count > 0) return undefined
      const end = this.#end()
      if (end !== undefined) {
        const text = this.#shared ? this.#left.subarray(0, end) : this.#left.slice(0, end)
        const piece = { text, first: this.#count++ === 0, number: this.#records }
        // Only rows that name their record need its number: to count copies the piece to the engine.
        if (this.#cutting.severalRows) this.#records += this.#reading.read(text, piece.first)
        this.cut += end
        this.#left = this.#left.subarray(end)
        return piece
      }
      wanted = 2 * this.#left.length
    }
  }

  /** The end of the next piece. */
  #end() {
    const text = this.#left
    const length = this.#length
    if (this.#ended && text.length <= length) return text.length
    let end
    if (this.#cutting.lines) {
      end = text.lastIndexOf(LINE_FEED, 2 * length) + 1 || text.indexOf(LINE_FEED) + 1 || undefined
    } else {
      const first = this.#count === 0
      end = this.#reading.piece_end(text.subarray(0, 2 * length), first, length)
        ?? (text.length > 2 * length ? this.#reading.piece_end(text, first, length) : undefined)
    }
    return end ?? (this.#ended ? text.length : undefined)
  }
}

/** The line numbers of the whole input before the rejects of a piece. */
function numbered(rejects, ends, linesBefore) {
  const encoder = new TextEncoder()
  const parts = []
  let start = 0
  for (const [line, end] of ends) {
    parts.push(encoder.encode(`${linesBefore + line}\t`), rejects.subarray(start, end))
    start = end
  }
  return concatenated(parts)
}

/** Counts of pieces, which add up. */
class Totals {
  #reading
  records = 0
  lines = 0
  shown = []

  constructor(reading) { this.#reading = reading }

  /** Adds the report of a piece. Returns the text of its rejects. */
  add(report, rejects) {
    const { records, lines, rejects: ends } = JSON.parse(report)
    this.#reading.add(report)
    const text = ends.length ? numbered(rejects, ends, this.lines) : undefined
    if (text && this.shown.length < SHOWN) this.#show(text)
    this.records += records
    this.lines += lines
    return text
  }

  #show(text) {
    const lines = new TextDecoder().decode(text.subarray(0, 100_000)).split('\n')
    for (const line of lines.slice(0, -1).slice(0, SHOWN - this.shown.length)) {
      const [number, reason, detail, ...record] = line.split('\t')
      this.shown.push({ line: Number(number), reason, detail, record: record.join('\t') })
    }
  }
}

/** The whole of a batch: see `batch` in `index.d.ts`. */
export async function batch(parts, input, question, given) {
  const { workers = parts.cores, onProgress, onRejects, signal, ...rest } = given
  signal?.throwIfAborted()
  const started = performance.now()
  const engine = await parts.engine()
  const part = parts.partOf(question)
  const answering = await parts.engine(part)
  const random = parts.random(new BigUint64Array(1))[0]
  const isDedup = question === 'dedup'
  const options = parts.json({ ...nameOf(input), ...rest, question, ...isDedup && { keySeed: random } })
  const source = new Source(engine, input)
  const guarded = async work => {
    try {
      return await work()
    } catch (error) {
      await source.close().catch(() => {})
      throw signal?.aborted ? signal.reason : fault(error)
    }
  }
  const start = await guarded(() => begin(answering, source, options))
  const { reading, about, cutting, head } = start
  const totals = new Totals(reading)

  async function* answers(ask, most) {
    const header = reading.header()
    if (header.length) yield header
    const pieces = new Pieces(source, start, workers === 0)
    const asked = []
    let ended = false
    let cut = cutting.blankLine
    for (;;) {
      while (!ended && asked.length < most) {
        signal?.throwIfAborted()
        const piece = await pieces.next()
        if (!piece) {
          ended = true
          break
        }
        const read = source.packing ? source.read : pieces.cut
        const answer = ask(piece)
        // A failure waits for its turn.
        answer.catch(() => {})
        asked.push({ answer, read })
      }
      if (!asked.length) break
      const { answer, read } = asked.shift()
      let { rows, report, rejects } = await placed(answer, totals.lines)
      const text = totals.add(report, rejects)
      if (text) onRejects?.(text)
      if (isDedup) rows = reading.keep(rows)
      onProgress?.({
        bytes: read,
        totalBytes: source.size,
        records: totals.records,
        seconds: (performance.now() - started) / 1000,
      })
      if (cut && rows.length) {
        rows = rows.subarray(1)
        cut = false
      }
      if (rows.length) yield rows
    }
  }

  async function* run() {
    if (workers === 0) {
      const turns = new Turns()
      return yield* answers(async piece => {
        await turns.pause()
        return answerPiece(reading, piece)
      }, 1)
    }
    const compiled = await parts.compile(part)
    // A generator inside the loan of workers: its steps come from outside.
    const steps = channel()
    const loan = withHands(parts.pool, compiled, Math.max(1, workers), signal, async hands => {
      await Promise.all(hands.map(hand => hand.ask({ task: 'begin', head, options })))
      const ask = piece => {
        const hand = hands.reduce((a, b) => b.load < a.load ? b : a)
        return hand.ask({ task: 'piece', ...piece }, [piece.text.buffer])
      }
      for await (const rows of answers(ask, 2 * hands.length)) {
        if (!await steps.put(rows)) break
      }
    })
    loan.then(() => steps.end(), error => steps.fail(error))
    try {
      yield* steps.all()
    } finally {
      steps.leave()
      await loan.catch(() => {})
    }
  }

  let finish
  let failed
  const done = new Promise((resolve, reject) => { finish = resolve; failed = reject })
  done.catch(() => {})
  const generator = (async function* () {
    try {
      yield* run()
      finish(summary())
      await source.close()
    } catch (error) {
      const reason = signal?.aborted ? signal.reason : fault(error)
      failed(reason)
      await source.close().catch(() => {})
      throw reason
    } finally {
      failed(new SudokuError({ code: 'cancelled', message: 'the output was not read to its end' }))
      reading.free()
    }
  })()

  function summary() {
    const sum = JSON.parse(reading.sum(BigInt(totals.records)))
    const report = {
      records: totals.records,
      failed: sum.failed,
      counts: Object.fromEntries(sum.counts),
      rejects: totals.shown,
      seconds: (performance.now() - started) / 1000,
      form: about.form,
      packing: source.packing,
    }
    if (sum.warning) report.warning = sum.warning
    if (sum.accuracies) report.accuracies = Object.fromEntries(sum.accuracies)
    return report
  }

  const output = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await generator.next()
        done ? controller.close() : controller.enqueue(value)
      } catch (error) {
        controller.error(error)
      }
    },
    async cancel() { await generator.return() },
  }, { highWaterMark: 0 })

  const read = async take => {
    const reader = output.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      take(value)
    }
  }
  const bytes = async () => {
    const parts = []
    await read(part => parts.push(part))
    return concatenated(parts)
  }
  return {
    ...about,
    packing: source.packing,
    output,
    bytes,
    text: async () => new TextDecoder().decode(await bytes()),
    // The parts go to the browser's own store at once, not to the memory of the page.
    async blob(type = 'text/plain') {
      const blobs = []
      let small = []
      let length = 0
      const flush = () => {
        if (length) blobs.push(new Blob(small))
        small = []
        length = 0
      }
      await read(part => {
        small.push(part)
        length += part.length
        if (length > 8 << 20) flush()
      })
      flush()
      return new Blob(blobs, { type })
    },
    /** The counts, when the output is read to its end: reads what nobody else reads. */
    async report() {
      if (!output.locked) await read(() => {})
      return done
    },
  }
}

/** The format of an input, and its first records. */
export async function inspect(parts, input, { most = 5, ...rest }) {
  const engine = await parts.engine()
  const options = parts.json({ ...nameOf(input), question: 'convert', ...rest })
  const source = new Source(engine, input)
  try {
    const { reading, about, head } = await begin(engine, source, options)
    const records = JSON.parse(reading.preview(head, most))
    reading.free()
    const { form, columns, column } = about
    return { form, columns, column, packing: source.packing, records }
  } catch (error) {
    throw fault(error)
  } finally {
    await source.close().catch(() => {})
  }
}

/** The name of a `File`. */
const nameOf = input => input instanceof Blob ? { name: input.name } : {}

const fault = error =>
  typeof error === 'string' || error instanceof WebAssembly.RuntimeError ? typed(error) : error

/** An answer, or its error with the line in the whole input. */
async function placed(answer, linesBefore) {
  try {
    return await answer
  } catch (thrown) {
    const error = fault(thrown)
    if (error instanceof SudokuError && error.code === 'record') {
      const line = linesBefore + error.line
      throw new SudokuError({ ...error, line, message: `line ${line}: ${error.reason}` })
    }
    throw error
  }
}

/** A hand-over of one value at a time from one generator to another. */
function channel() {
  let give
  let taken
  let state = 'open'
  let error
  let held
  const wake = () => { give?.(); give = undefined }
  return {
    /** Resolves when the value is taken: whether more are wanted. */
    put(value) {
      if (state !== 'open') return Promise.resolve(false)
      held = { value }
      wake()
      return new Promise(resolve => { taken = resolve })
    },
    end() { if (state === 'open') state = 'ended'; wake() },
    fail(reason) { if (state === 'open') { state = 'failed'; error = reason } wake() },
    leave() { if (state === 'open') state = 'left'; taken?.(false) },
    async *all() {
      for (;;) {
        if (held) {
          const { value } = held
          held = undefined
          yield value
          taken(true)
        } else if (state === 'failed') {
          throw error
        } else if (state !== 'open') {
          return
        } else {
          await new Promise(resolve => { give = resolve })
        }
      }
    },
  }
}
