// Calls the installed npm package, and compares its answers with the files that the command has written in
// scripts/calls.py: node try_npm.mjs FOLDER
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as sb from 'sudoku-batch'

const file = name => readFileSync(join(process.argv[2], name))
const lines = name => file(name).toString().split('\n').filter(line => line && !line.startsWith('#'))

let calls = 0
const same = (given, expected) => { assert.deepEqual(given, expected); calls++ }
for (const name of ['sample', 'easy', 'minimal', 'hard']) {
  const solved = file(`data/${name}.solved.txt`)
  for (const workers of [0, 2]) {
    const batch = await sb.batch(file(`data/${name}.txt`), 'solve', { workers })
    same(Buffer.from(await batch.bytes()), solved)
  }
}
const packed = await sb.batch(file('easy.txt.gz'), 'solve')
assert.equal(packed.packing, 'gzip')
const rated = await sb.batch(file('sample.csv'), 'rate', { upTo: 7, difficulty: true, name: 'sample.csv' })
same(await rated.text(), file('rated.csv').toString())
const sample = lines('data/sample.txt')
same((await sb.solve(sample)).map(answer => answer.solution), lines('solved.txt'))
same((await sb.canonical(sample)).map(answer => answer.form), lines('canonical.txt'))
same((await sb.count(sample)).map(answer => String(answer.solutions)), lines('counts.txt'))
same(await sb.generate({ n: 1000 }), lines('grids.txt'))
same((await sb.puzzles({ n: 50, seed: 4 })).map(made => made.puzzle), lines('puzzles.txt'))
await assert.rejects(sb.solve('12345'), sb.SudokuError)
sb.close()
console.log(`${calls} answers of Node ${process.version}: none differ`)
