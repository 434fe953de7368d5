// Parts that the tests share: the command, whose bytes are the measure, and files to ask about.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const program = [process.env.SUDOKU_BATCH, 'target/release/sudoku-batch', 'target/debug/sudoku-batch']
  .filter(Boolean).map(path => join(root, path)).find(existsSync)
if (!program) throw new Error('no command to compare with: `cargo build --release` makes one')

export const folder = mkdtempSync(join(tmpdir(), 'sudoku-batch-web-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Runs the command: its output, its standard error, and its exit status. */
export function run(args, input) {
  const { stdout, stderr, status } = spawnSync(program, args, { input, maxBuffer: 1 << 30 })
  return { stdout, stderr: stderr.toString(), status }
}

export const data = name => readFileSync(join(root, 'data', name))

export function file(name, content) {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Packs the package, and installs it into an app, as web/package/README.md says. */
export function install(app) {
  writeFileSync(join(app, 'package.json'), '{"private":true,"type":"module"}')
  const npm = args => execFileSync('npm', args, { cwd: app, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [{ filename }] = JSON.parse(npm(['pack', '--json', join(root, 'web/package')]))
  const page = readFileSync(join(root, 'web/package/README.md'), 'utf8')
  for (const line of ['npm pack ./web/package', `npm install ../sudoku-batch/${filename} `]) {
    if (!page.includes(`    ${line}`)) throw new Error(`the page does not say: ${line}`)
  }
  npm(['install', '--offline', '--no-audit', '--no-fund', `./${filename}`])
}

export const packed = (tool, path) => execFileSync(tool, ['-c', path], { maxBuffer: 1 << 30 })

const puzzles = name => data(name).toString().trim().split('\n').map(line => line.slice(0, 81))

/** Puzzles of all kinds, and records that fail for every reason. */
export function mixed() {
  const [easy, hard] = [puzzles('easy.txt').slice(0, 300), puzzles('minimal.txt').slice(0, 300)]
  const spoiled = [
    '.'.repeat(81), `11${'.'.repeat(79)}`, `1........1${'.'.repeat(71)}`, `1.........1${'.'.repeat(70)}`,
    '123', `z${'.'.repeat(80)}`, `${'12345678.'}........9${'.'.repeat(63)}`, '', easy[0], easy[0],
    easy[1].replaceAll('.', '0'), easy[2].split('').reverse().join(''),
  ]
  return [...easy.slice(0, 150), ...spoiled, ...hard, ...easy.slice(150), ...spoiled]
}
