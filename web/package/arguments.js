// The arguments of the calls: one check for all of them, before anything else is done. Options that are settings of the
// engine go there as they are, and it holds them against the definitions of the questions.
import { SudokuError } from './error.js'

/** A value in words, for the end of a message. */
export const said = value => value == null || typeof value === 'number' ? String(value)
  : Array.isArray(value) ? 'an array' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`

const wrong = message => new SudokuError({ code: 'option', message })

// A kind takes a value, its name and that of the call. It gives the value, or throws what the value should be.

/** A kind of arguments. */
const kind = (words, is, error = message => new TypeError(message)) => (value, name) => {
  if (is(value)) return value
  throw error(`${name} is ${words}, not ${said(value)}`)
}

/** A kind of options. */
const option = (words, is) => kind(words, is, wrong)

const whole = most => option(`a whole number up to ${most.toLocaleString('en')}`,
  value => Number.isInteger(value) && value >= 0 && value <= most)

const any = value => value
const text = kind('a string', value => typeof value === 'string')
const list = kind('an array', Array.isArray)
const object = kind('an object', value => typeof value === 'object' && value !== null && !Array.isArray(value))
const callback = option('a function', value => typeof value === 'function')

const listOf = one => (value, name, call) =>
  Array.from(list(value, name), (item, n) => one(item, `${name}[${n}]`, call))

/** A text, or an array of texts. */
const texts = (value, name) => Array.isArray(value) ? listOf(text)(value, `${name}s`) : text(value, name)

/** The members of an object: `kindOf` gives their kinds, and `null` is no value, as for the engine. */
const members = (value, name, call, kindOf) => Object.fromEntries(Object.entries(object(value, name))
  .filter(([, one]) => one != null)
  .map(([key, one]) => [key, kindOf(key)(one, key, call)]))

const unknown = (_, key, call) => { throw wrong(`${call} has no option ${key}`) }

/** An object with a first member that it needs, and others that it may have. */
const record = kinds => (value = {}, name, call) => {
  const given = members(value, name, call, key => Object.hasOwn(kinds, key) ? kinds[key] : unknown)
  const [[first, needed]] = Object.entries(kinds)
  needed(given[first], first)
  return given
}

const position = record({ puzzle: text, filled: text, candidates: listOf(text) })
const page = record({
  puzzles: listOf(record({ puzzle: text, note: text })),
  title: text,
  perPage: option('4, 6 or 9', value => [4, 6, 9].includes(value)),
})

/** The options that a call has only if it names them. The engine looks at those of `any`, or gets them of the package. */
const OPTIONS = {
  signal: option('an AbortSignal', value => typeof value?.addEventListener === 'function'),
  workers: whole(1024), onProgress: callback, onRejects: callback, onMissing: callback,
  n: whole(100_000_000), most: whole(1_000_000), answer: texts,
  start: option('a whole number', value => ['number', 'bigint', 'string'].includes(typeof value) && /^\d+$/.test(value)),
  puzzleColumn: any, inputFormat: any, name: any, difficulty: any, counts: any, transformation: any, automorphisms: any,
  question: any, keySeed: any,
}

const MADE = [{}, 'signal', 'workers', 'onProgress', 'n', 'start']

/** The arguments of each call, and which of these options it has. */
const CALLS = {
  solve: [{ puzzle: texts }], check: [{ puzzle: texts }, 'answer'], canonical: [{ puzzle: texts }],
  count: [{ puzzle: texts }, 'signal'], solutions: [{ puzzle: texts }, 'signal'], rate: [{ puzzle: texts }, 'signal'],
  steps: [{ puzzle: text }, 'signal'], look: [{ puzzle: text }], picture: [{ puzzle: text }],
  hint: [{ position: (value, ...of) => typeof value === 'string' ? { puzzle: value } : position(value, ...of) }, 'signal'],
  puzzles: [...MADE, 'onMissing', 'difficulty'], generate: MADE,
  batch: [{ input: any, question: text }, 'signal', 'workers', 'onProgress', 'onRejects',
    'puzzleColumn', 'inputFormat', 'name', 'difficulty', 'counts', 'transformation', 'automorphisms', 'most'],
  inspect: [{ input: any }, 'most', 'puzzleColumn', 'inputFormat', 'name'], sheet: [{ options: page }],
}

/** The calls without options of the engine. */
const ALONE = ['hint', 'inspect', 'look']

/** The arguments of a call, and its options: those that are given, or an error. */
export function argumentsOf(call, given) {
  const [kinds, ...own] = CALLS[call]
  const names = Object.keys(kinds)
  const options = members(given[names.length] ?? {}, 'options', call, key =>
    own.includes(key) ? OPTIONS[key] : key in OPTIONS || ALONE.includes(call) ? unknown : any)
  return [...names.map((name, n) => kinds[name](given[n], name, call)), options]
}
