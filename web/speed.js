// The speed of the package on one thread, compared with the command at `avx2`, alternating:
//
//     node web/speed.js target/dist/sudoku-batch [ROUNDS]
//
// A million easy puzzles each time, text to text; nanoseconds of processor time a puzzle. The first round
// of the package has the start of WebAssembly in it, and stands apart.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sb from './package/node.js'

const [command, rounds = '9'] = process.argv.slice(2)
const RECORDS = 1_000_000
const easy = readFileSync(new URL('../data/easy.txt', import.meta.url), 'latin1')
  .split('\n').map(line => line.slice(0, 81)).filter(Boolean)
const bytes = Buffer.from(Array.from({ length: RECORDS }, (_, n) => easy[n % easy.length]).join('\n') + '\n')
const folder = mkdtempSync(join(tmpdir(), 'sudoku-batch-speed-'))
const [input, output] = ['in.txt', 'out.txt'].map(name => join(folder, name))
writeFileSync(input, bytes)

/** The processor time of the command, by the shell's clock. */
function ofCommand() {
  const script = `TIMEFORMAT='%U %S'; time "$1" solve -q -j 1 --simd avx2 "$2" -o "$3"`
  const said = execFileSync('bash', ['-c', `{ ${script}; } 2>&1`, '-', command, input, output], { encoding: 'utf8' })
  const [user, system] = said.trim().split(' ').map(Number)
  return (user + system) * 1e9 / RECORDS
}

async function ofPackage() {
  const start = process.cpuUsage()
  const answer = await (await sb.batch(bytes, 'solve', { workers: 0 })).bytes()
  const { user, system } = process.cpuUsage(start)
  if (!Buffer.from(answer).equals(readFileSync(output))) throw new Error('the answers differ')
  return (user + system) * 1e3 / RECORDS
}

const times = { command: [], package: [] }
ofCommand()
const first = await ofPackage()
for (let round = 0; round < Number(rounds); round++) {
  times.command.push(ofCommand())
  times.package.push(await ofPackage())
}
rmSync(folder, { recursive: true })
const median = list => list.toSorted((a, b) => a - b)[list.length >> 1]
for (const [name, list] of Object.entries(times)) {
  console.log(`${name}: median ${median(list).toFixed(0)} ns, ${list.map(n => n.toFixed(0)).join(' ')}`)
}
const ratios = times.package.map((time, n) => time / times.command[n])
console.log(`the package takes ${median(ratios).toFixed(2)} times as long (median of the rounds), ${first.toFixed(0)} ns in the first round`)
