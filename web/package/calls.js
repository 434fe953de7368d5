// The calls of the package, for any platform.
import { argumentsOf } from './arguments.js'
import { batch, inspect } from './batch.js'
import { compiled, started } from './engine.js'
import { SudokuError, typed } from './error.js'
import { Pool, withHands } from './pool.js'

// A BigInt goes to the engine as text. None comes back: `JSON.stringify` refuses them. It drops functions, and takes
// NaN for `null`: an object in their place is refused by the engine.
const json = value => JSON.stringify(value, (_, v) => typeof v === 'bigint' ? v.toString()
  : ['function', 'symbol'].includes(typeof v) || typeof v === 'number' && !Number.isFinite(v) ? {} : v) ?? '{}'

/** The most puzzles that are made in one call of the engine. */
const AT_ONCE = 4096

const RATING = new Set(['rate', 'backdoors', 'features', 'filter', 'stats', 'steps', 'hint', 'puzzles', 'generate'])

/** The part of the engine that answers a question or a call. */
const partOf = name => RATING.has(name) ? 'rating' : 'solving'

/** Says that puzzles could not be made, where nobody asks for their number. */
const told = missing => console.warn(`sudoku-batch: the number of puzzles that could not be made is ${missing}; ` +
  '`onMissing` gets it in place of this warning')

export function make(platform) {
  const pool = new Pool(platform.start, platform.cores)
  // By the name of the part.
  const compiling = {}
  const starting = {}
  // The next call tries again to load what could not be loaded.
  const kept = (list, part, promise) => list[part] ??= promise().catch(error => {
    delete list[part]
    throw error
  })
  const compile = part => kept(compiling, part, () => compiled(platform.compile, part))
  // An engine on this thread, for answers that take microseconds.
  const engine = (part = partOf()) => kept(starting, part, () => compile(part).then(started))

  const near = async (name, ...args) => {
    const part = partOf(name)
    const own = await engine(part)
    try {
      return own[name](...args)
    } catch (error) {
      // After a fault its memory is not to be trusted.
      if (error instanceof WebAssembly.RuntimeError) delete starting[part]
      throw typed(error)
    }
  }

  // In a worker, for answers that may take long.
  const far = async (signal, name, ...args) => {
    const ready = await compile(partOf(name === 'ask' ? args[0] : name))
    return withHands(pool, ready, 1, signal, ([hand]) => hand.ask({ task: 'call', name, args }))
  }

  // Many texts, many answers; one text, one answer, and an error if it is no puzzle.
  const asked = async (call, question, texts, options, given) => {
    const many = Array.isArray(texts)
    const list = many ? texts : [texts]
    const answers = JSON.parse(await call('ask', question, json(list), json(options), json(given ?? null)))
    if (many) return answers
    const [{ error, ...answer }] = answers
    if (error) throw new SudokuError({ ...error, index: undefined })
    return answer
  }

  // One answer, or each of many.
  const each = (answer, change) => Array.isArray(answer) ? answer.map(change) : change(answer)

  const solve = (puzzle, options) => asked(near, 'solve', puzzle, options)

  const canonical = async (puzzle, options) => each(
    await asked(near, 'canonical', puzzle, { ...options, transformation: true, automorphisms: true }),
    ({ canonical: form, puzzle, detail, ...one }) => ({ ...one, form }))

  const check = async (puzzle, { answer, ...options }) => each(
    await asked(near, 'check', puzzle, options, answer === undefined ? undefined : [answer].flat()),
    ({ clueCount: clues, puzzle, ...one }) => ({ ...one, clues }))

  const counted = async (call, puzzle, options) => each(
    await asked(call, 'count', puzzle, options),
    ({ solutionCount: solutions, solutionCountMore: more, puzzle, detail, ...one }) =>
      ({ ...one, solutions, more: more ?? false }))

  const count = (puzzle, { signal, ...options }) => counted((...args) => far(signal, ...args), puzzle, options)

  const solutions = async (puzzle, { signal, ...options }) => {
    const answer = await asked((...args) => far(signal, ...args), 'solutions', puzzle, options)
    return each(answer, ({ solution, error }) => {
      // A list has no place for an error.
      if (error) throw new SudokuError({ ...error, message: `puzzles[${error.index}]: ${error.message}` })
      return solution
    })
  }

  const rate = async (text, { signal, ...options }) => {
    const call = (...args) => far(signal, ...args)
    return each(await asked(call, 'rate', text, { ...options, difficulty: true }), ({ puzzle, ...one }) => one)
  }

  const steps = async (puzzle, { signal, ...options }) =>
    JSON.parse(await far(signal, 'steps', puzzle, json(options)))

  const hint = async (position, { signal }) => JSON.parse(await far(signal, 'hint', json(position)))

  // Slices of the numbers from `start` on, made by several workers, in order.
  const sliced = async (name, given) => {
    const { signal, workers = platform.cores, onProgress, ...options } = given
    const { n = 1, start = 0 } = options
    // An impossible set is refused before workers begin.
    if (name === 'puzzles') await near(name, json({ ...options, n: 0 }), false)
    const ready = await compile(partOf(name))
    const hands = Math.max(1, Math.min(workers, n, platform.cores))
    const length = Math.max(1, Math.min(AT_ONCE, Math.ceil(n / (4 * hands))))
    const slices = Math.max(1, Math.ceil(n / length))
    const parts = []
    let next = 0
    let done = 0
    await withHands(pool, ready, hands, signal, hands => Promise.all(hands.map(async hand => {
      while (next < slices) {
        const slice = next++
        const from = slice * length
        const args = [json({
          ...options,
          n: Math.min(length, n - from),
          start: BigInt(start) + BigInt(from),
        }), slice === 0]
        parts[slice] = await hand.ask({ task: 'call', name, args })
        onProgress?.({ done: done += Math.min(length, n - from), total: n })
      }
    })))
    return parts
  }

  const puzzles = async ({ onMissing = told, ...options }) => {
    const parts = (await sliced('puzzles', options)).map(part => JSON.parse(part))
    const missing = parts.reduce((sum, part) => sum + part.missing, 0)
    if (missing > 0) onMissing(missing)
    const made = parts.map(part => part.made)
    return options.format ? made.join('') : made.flat()
  }

  const generate = async options => {
    const parts = await sliced('generate', options)
    const text = parts.join('')
    return options.format ? text : text.split('\n').slice(0, -1)
  }

  const look = async text => {
    const seen = JSON.parse(await near('look', text))
    const { solution } = await solve(text)
    return { ...seen, ...await counted(near, text, { limit: 1000 }), solution }
  }

  const picture = (puzzle, options) => near('picture', puzzle, json(options))
  const sheet = options => near('sheet', json(options))

  const parts = {
    cores: platform.cores, random: platform.random, pool, compile, engine, partOf, json,
  }
  const calls = {
    solve, check, count, solutions, rate, steps, hint, canonical, puzzles, generate,
    batch: (...given) => batch(parts, ...given),
    inspect: (...given) => inspect(parts, ...given),
    look, picture, sheet,
  }
  const checked = Object.entries(calls).map(([name, call]) =>
    [name, async (...given) => call(...argumentsOf(name, given))])
  return {
    ...Object.fromEntries(checked),
    ready: async () => { await engine() },
    close: () => pool.close(),
  }
}
