// Uses of the package that the compiler checks; nothing runs this.
import { type Solved, SudokuError, batch, canonical, check, count, hint, puzzles, rate, solutions, solve, steps } from 'sudoku-batch'

const one = await solve('.'.repeat(81), { unique: true })
const cells: string | null = one.solution
const several = await solve([cells ?? ''])
const number: number | null = (await count('', { limit: 2n ** 60n })).solutions
const made = await puzzles({ n: 3, rating: [2, 2.8], seed: 1n })
const index: number | string = made[0].index
await puzzles({ n: 1, start: index, seed: '18446744073709551615', onMissing: (missing: number) => missing })
// A list that cannot be changed is a list, too.
const fixed: readonly string[] = ['']
await solve(fixed)
await check(fixed, { answer: fixed })
await Promise.all([count(fixed), solutions(fixed), rate(fixed), canonical(fixed)])
// One or many: only the program knows.
const either: string | string[] = Math.random() < 0.5 ? '' : ['']
await check(either, { answer: either })
await Promise.all([count(either), solutions(either), rate(either), canonical(either)])
const found: Solved | Solved[] = await solve(either)
await hint({ puzzle: '', candidates: fixed })
await batch(fixed, 'solve', { workers: 0 })
await batch([new DataView(new ArrayBuffer(1)), new ArrayBuffer(1)], 'solve')
await puzzles({ clues: [24, 30] as const })
const text: string = await puzzles({ n: 3, format: 'csv' })
const next = await hint({ puzzle: text, candidates: [] })
await batch('', 'solutions', { limit: 5, recordColumn: 'n' })
const answer = await batch(new Blob(), 'dedup', { by: 'symmetry', signal: AbortSignal.timeout(1) })
await batch('', 'split', { by: 'solution', weights: '80,10,10', seed: 7n })
await batch('', 'stats', { upTo: 4.4 })
const rows: Uint8Array = await answer.bytes()
const { failed, counts } = await answer.report()
const sum: number = failed + counts.unique
// @ts-expect-error: there is no such question
await batch('', 'guess')
// @ts-expect-error: an option of another call
await solve('', { limit: 3 })
// @ts-expect-error: steps have no depth
await steps('', { te: true })
try { await solve('1') } catch (error) {
  if (error instanceof SudokuError) console.log(error.index, error.line, error.column, error.reason, several, found, number, index, next, rows, sum)
}
