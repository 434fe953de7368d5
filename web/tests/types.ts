// Uses of the package that the compiler checks; nothing runs this.
import { SudokuError, batch, count, hint, puzzles, solve } from 'sudoku-batch'

const one = await solve('.'.repeat(81), { unique: true })
const cells: string | null = one.solution
const several = await solve([cells ?? ''])
const number: bigint | null = (await count('', { limit: 2n ** 60n })).solutions
const made = await puzzles({ n: 3, rating: [2, 2.8], seed: 1n })
const index: bigint = made[0].index
const text: string = await puzzles({ n: 3, format: 'csv' })
const next = await hint({ puzzle: text, candidates: [] })
await batch('', 'solutions', { limit: 5, recordColumn: 'n' })
const answer = await batch(new Blob(), 'dedup', { by: 'symmetry', signal: AbortSignal.timeout(1) })
const rows: Uint8Array = await answer.bytes()
const failed: number | bigint = (await answer.report()).failed
// @ts-expect-error: there is no such question
await batch('', 'guess')
// @ts-expect-error: an option of another call
await solve('', { limit: 3 })
try { await solve('1') } catch (error) {
  if (error instanceof SudokuError) console.log(error.line, error.column, error.reason, several, number, index, next, rows, failed)
}
