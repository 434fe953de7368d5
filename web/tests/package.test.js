// The package in Node, against the command.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createReadStream, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as sb from '../package/node.js'
import { make } from '../package/calls.js'
import { compiled, started } from '../package/engine.js'
import { data, file, folder, install, mixed, packed, root, run } from './command.js'

const PUZZLE = '4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8'
const SOLUTION = run(['solve', '-q', PUZZLE]).stdout.toString().trim()

after(() => sb.close())

/** The objects that the command writes as JSON lines. */
const objects = args => run([...args, '--format', 'jsonl']).stdout.toString().trim().split('\n').map(JSON.parse)

/** The blocks of JavaScript on all pages, and what each is to give. `file` is a file of the user. */
const pages = ['.', 'data', 'docs', 'docs/internals', 'python', 'web', 'web/package'].flatMap(folder =>
  readdirSync(join(root, folder)).filter(name => name.endsWith('.md')).map(name => join(root, folder, name)))
const blocks = pages.flatMap(page => [...readFileSync(page, 'utf8').matchAll(/^```js\n(.*?)^```/gms)].map(([, text]) => text))
  // vite.test.js has its configuration.
  .filter(block => !block.startsWith('export default'))
const answers = [
  { given: '[status, solution]', is: () => ['unique', SOLUTION] },
  {
    given: '[await blob.text(), counts.unique, rejects.length]',
    is: () => [run(['solve', '-q', file('easy.csv', easyTable())]).stdout.toString(), 50, 0],
  },
]
const easyTable = () => 'id,puzzle\n' + data('easy.txt').toString().split('\n').slice(0, 50).map((puzzle, n) => `${n},${puzzle}\n`).join('')

test('it is installed and called as the pages say', { timeout: 600_000 }, () => {
  const here = join(folder, 'app')
  mkdirSync(here)
  install(here)
  writeFileSync(join(here, 'easy.csv'), easyTable())
  assert.equal(blocks.length, answers.length)
  blocks.forEach((block, n) => {
    const before = `import { readFileSync, writeFileSync } from 'node:fs'\nconst file = readFileSync('easy.csv')\n`
    const after = `writeFileSync('given.json', JSON.stringify(${answers[n].given}))`
    writeFileSync(join(here, 'try.js'), before + block + after)
    execFileSync(process.execPath, ['try.js'], { cwd: here })
    assert.deepEqual(JSON.parse(readFileSync(join(here, 'given.json'))), answers[n].is(), block)
  })
})

test('a puzzle may have any form', async () => {
  const block = SOLUTION.match(/.{9}/g).join('\n')
  assert.equal((await sb.solve(block)).solution, SOLUTION)
  const framed = run(['convert', '-q', '--format', 'pretty', PUZZLE]).stdout.toString()
  assert.equal((await sb.solve(framed)).solution, SOLUTION)
  assert.equal((await sb.solve(`{"puzzle":"${PUZZLE}"}`)).solution, SOLUTION)
})

test('bad input has a line, a column and a reason', async () => {
  const fails = async (call, fields) => {
    await assert.rejects(call, error => {
      assert.ok(error instanceof sb.SudokuError)
      const found = Object.fromEntries(Object.keys(fields).map(key => [key, error[key]]))
      assert.deepEqual(found, fields)
      return true
    })
  }
  assert.match(run(['solve', '--input-format', 'line', file('short', '12345\n')]).stderr,
    /:1: malformed: column 6: end of line where a cell should be/)
  await fails(sb.solve('12345'), { code: 'malformed', line: 1, column: 6, reason: 'column 6: end of line where a cell should be' })
  await fails(sb.rate(`\n\nz${'.'.repeat(80)}`), { code: 'malformed', line: 3, column: 1 })
  await fails(sb.solve(`${PUZZLE}\n${PUZZLE}`), { code: 'several', line: 2 })
  await fails(sb.solve(''), { code: 'malformed' })
  await fails(sb.puzzles({ difficulty: 'none' }), { code: 'option' })
  await fails(sb.puzzles({ clues: 5 }), { code: 'option' })
  await fails(sb.steps(PUZZLE, { colour: 1 }), { code: 'option' })
  await fails(sb.batch(PUZZLE, 'guess'), { code: 'option' })
  await fails(sb.batch('no puzzle here\n', 'solve'), { code: 'form' })
  await fails(sb.batch('id,puzzle\n', 'solve', { puzzleColumn: 'other' }), { code: 'form' })
  const [good, bad] = await sb.solve([PUZZLE, '12'])
  assert.equal(good.solution, SOLUTION)
  assert.deepEqual([bad.status, bad.solution, bad.error.column], ['malformed', null, 3])
})

test('in an array the error says which text it is about', async () => {
  const two = `${PUZZLE}\n\n${PUZZLE}\n`
  const texts = [PUZZLE, '12', PUZZLE, two, `\nz${'.'.repeat(80)}`]
  const codes = [undefined, 'malformed', undefined, 'several', 'malformed']
  for (const call of ['solve', 'check', 'count', 'rate', 'canonical']) {
    const answers = await sb[call](texts)
    assert.deepEqual(answers.map(answer => answer.error?.code), codes, call)
    assert.deepEqual(answers.map(answer => answer.error?.index), codes.map((code, n) => code && n), call)
    assert.deepEqual(answers.map(answer => answer.error?.line), [undefined, 1, undefined, 3, 2], call)
    assert.deepEqual(answers.map(answer => answer.status === 'malformed'), codes.map(Boolean), call)
  }
  assert.equal((await sb.solve(texts))[3].detail, 'the text has 2 records: this call takes one, `batch` takes all')
  const fails = (call, fields) => assert.rejects(call, { name: 'SudokuError', ...fields })
  await fails(sb.solutions(texts), { code: 'malformed', index: 1, line: 1, column: 3, message: /^puzzles\[1\]: line 1: column 3/ })
  await fails(sb.solutions([PUZZLE, two]), { code: 'several', index: 1, line: 3 })
  await fails(sb.sheet({ puzzles: [{ puzzle: PUZZLE }, { puzzle: '12' }] }), { code: 'malformed', index: 1, column: 3, message: /^puzzles\[1\]: / })
  const candidates = Array(81).fill('19')
  candidates[7] = '1a'
  await fails(sb.hint({ puzzle: PUZZLE, candidates }), { code: 'option', index: 7, message: /^candidates\[7\]: "1a"/ })
  await fails(sb.hint({ puzzle: PUZZLE, candidates: candidates.slice(1) }), { code: 'option', message: /not of 80/ })
  await fails(sb.check([PUZZLE, PUZZLE], { answer: [SOLUTION] }), { code: 'option', message: 'there are 2 puzzles and 1 answer' })
  await assert.rejects(sb.check([PUZZLE, PUZZLE], { answer: [SOLUTION, 7] }), { name: 'TypeError', message: 'answers[1] is a string, not 7' })
  // A single text has no place in an array.
  await assert.rejects(sb.solve('12'), error => error.code === 'malformed' && !('index' in error))
})

test('a shortfall of puzzles is told', { timeout: 600_000 }, async t => {
  const wish = { n: 12, clues: 21, seed: 3 }
  const args = ['puzzles', '12', '--clues', '21', '--seed', '3', '--summary', 'json', '-q']
  const warned = t.mock.method(console, 'warn', () => {})
  for (const format of [undefined, 'line', 'csv', 'jsonl']) {
    const { stdout, stderr, status } = run([...args, ...format ? ['--format', format] : []])
    assert.equal(status, 1)
    const { made, not_made: missing } = JSON.parse(stderr.trim().split('\n').at(-1))
    assert.ok(made > 0 && missing > 0, stderr)
    const told = []
    const found = await sb.puzzles({ ...wish, format, onMissing: n => told.push(n), workers: 2 })
    assert.deepEqual(told, [missing], format)
    assert.deepEqual(format ? found : found.map(one => `${one.puzzle}\n`).join(''), stdout.toString(), format)
    assert.equal(warned.mock.callCount(), 0)
    await sb.puzzles({ ...wish, format })
    assert.match(warned.mock.calls[0].arguments[0], new RegExp(`could not be made is ${missing};`))
    warned.mock.resetCalls()
  }
  await sb.puzzles({ n: 2, onMissing: () => assert.fail('none is missing') })
})

test('single answers are those of the command', async () => {
  const texts = mixed().filter(text => text)
  const path = file('mixed.txt', texts.join('\n') + '\n')
  const solved = objects(['solve', '-q', path])
  const answers = await sb.solve(texts)
  assert.equal(answers.length, solved.length)
  solved.forEach((row, n) => {
    assert.equal(answers[n].solution ?? '', row.solution ?? '', texts[n])
    assert.equal(answers[n].status, row.status, texts[n])
  })
  const checked = objects(['check', '-q', '--minimal', '--rows', path])
  const checks = await sb.check(texts, { minimal: true })
  checked.forEach((row, n) => {
    assert.deepEqual([checks[n].status, checks[n].clues, checks[n].redundantClues], [row.status, row.clue_count, row.redundant_clues])
  })
  const forms = objects(['canonical', '-q', '--transformation', '--automorphisms', path])
  const found = await sb.canonical(texts)
  forms.forEach((row, n) => {
    assert.deepEqual([found[n].form ?? '', found[n].transformation ?? '', found[n].automorphisms],
      [row.canonical ?? '', row.transformation ?? '', row.automorphisms])
  })
  const rated = objects(['rate', '-q', '--difficulty', path])
  const ratings = await sb.rate(texts)
  rated.forEach((row, n) => {
    const { er, ep, ed, technique, difficulty, status } = ratings[n]
    assert.deepEqual([er, ep, ed, technique ?? '', difficulty ?? '', status], [row.er, row.ep, row.ed, row.technique ?? '', row.difficulty ?? '', row.status])
  })
})

/** Puzzles by 729 candidates, some of which no 81 cells have, among others by cells. */
const byCandidates = () => {
  const path = file('cells.txt', [...mixed().slice(0, 30), ...mixed().slice(170, 190), '.'.repeat(81)].join('\n'))
  const lines = extra => run(['convert', '-q', '--format', 'candidates', ...extra, path]).stdout.toString().trim().split('\n')
  // A candidate that the solution needs is struck, and one that two solutions differ in.
  const spoiled = lines([])[0].replace(/[1-9](?=[1-9.]{0,8}$)/, '.')
  return [...lines([]).slice(0, 12), ...lines(['--reduce']), spoiled, '0'.repeat(729), mixed()[3]]
}

test('729 candidates are a puzzle, too', { timeout: 600_000 }, async () => {
  const texts = byCandidates()
  assert.ok(texts.filter(text => text.length === 729).length > 50)
  const path = file('candidates.txt', texts.join('\n') + '\n')
  const rows = {
    solve: objects(['solve', '-q', path]), check: objects(['check', '-q', '--minimal', '--rows', path]),
    count: objects(['count', '-q', '--limit', '50', path]), rate: objects(['rate', '-q', '--difficulty', path]),
    canonical: objects(['canonical', '-q', '--transformation', '--automorphisms', path]),
  }
  const fields = {
    solve: [{}, row => [row.solution ?? '', row.status]],
    check: [{ minimal: true }, row => [row.status, row.clue_count ?? row.clues ?? null, row.redundant_clues ?? row.redundantClues ?? null]],
    count: [{ limit: 50 }, row => [row.status, row.solution_count ?? (row.solutions == null ? '' : `${row.solutions}${row.more ? '+' : ''}`)]],
    rate: [{}, row => [row.er, row.ep, row.ed, row.technique ?? '', row.difficulty ?? '', row.status]],
    canonical: [{}, row => [row.canonical ?? row.form ?? '', row.transformation ?? '', row.automorphisms]],
  }
  const statuses = new Set()
  for (const [call, [options, of]] of Object.entries(fields)) {
    const answers = await sb[call](texts, options)
    rows[call].forEach((row, n) => assert.deepEqual(of(answers[n]), of(row), `${call} of ${texts[n]}`))
    answers.forEach(({ status }) => statuses.add(status))
  }
  assert.ok(['unique', 'multiple', 'malformed'].every(status => statuses.has(status)), [...statuses].join())
  // Hard enough to have steps left.
  const reduced = texts[rows.rate.findIndex(({ er }, n) => n >= 12 && er > 2)]
  const listed = run(['solutions', '-q', '--limit', '3', reduced]).stdout.toString().trim().split('\n').map(line => line.slice(-81))
  assert.deepEqual(await sb.solutions(reduced, { limit: 3 }), listed)
  const explained = objects(['rate', '-q', '--explain', reduced]).filter(row => row.step != null && row.rating != null)
  const steps = await sb.steps(reduced)
  assert.ok(steps.length > 10)
  assert.deepEqual(steps.map(step => step.words), explained.map(row => row.words))
  assert.deepEqual(await sb.hint(reduced), steps[0])
  const seen = await sb.look(reduced)
  assert.equal(seen.puzzle, reduced)
  assert.equal(seen.cells.length, 81)
  const marks = run(['convert', '-q', '--format', 'pencilmarks', reduced]).stdout.toString()
  assert.deepEqual(await sb.solve(marks), await sb.solve(reduced))
  const picture = join(folder, 'candidates.svg')
  run(['show', reduced, '--svg', picture])
  assert.equal(await sb.picture(reduced), readFileSync(picture, 'utf8'))
})

test('batches of 729 candidates have the bytes of the command', { timeout: 600_000 }, async () => {
  const path = file('candidates.txt', byCandidates().join('\n') + '\n')
  const marks = file('marks.txt', run(['convert', '-q', '--format', 'pencilmarks', file('good.txt', byCandidates().slice(0, 30).join('\n'))]).stdout)
  const table = file('candidates.csv', run(['convert', '-q', '--format', 'csv', path]).stdout)
  // A string with escapes is the same string.
  const escaped = byCandidates().slice(0, 20).map(text => `{"puzzle":"${text.replace('.', '\\u002e')}"}`)
  const objectLines = file('candidates.jsonl', escaped.join('\n') + '\n')
  for (const [question, options, args] of QUESTIONS) {
    for (const input of [path, marks, table, objectLines]) {
      const expected = run([...args, input])
      const answer = await sb.batch(readFileSync(input), question, options)
      const found = Buffer.from(await answer.bytes())
      assert.ok(found.equals(expected.stdout), `${question} ${JSON.stringify(options)} ${input}\n${found.subarray(0, 900)}\n${expected.stdout.subarray(0, 900)}`)
    }
  }
})

test('who only solves does not load the raters', async () => {
  const loaded = []
  const own = make({
    cores: 1, random: numbers => numbers, start: () => assert.fail('no worker is needed'),
    compile(url) {
      loaded.push(url.pathname.split('/').at(-1))
      return WebAssembly.compile(readFileSync(url))
    },
  })
  assert.equal((await own.solve(PUZZLE)).solution, SOLUTION)
  assert.equal(await (await own.batch(PUZZLE, 'solve', { workers: 0 })).text(), `${SOLUTION}\n`)
  assert.deepEqual(loaded, ['solving_bg.wasm'])
  assert.equal(await (await own.batch(PUZZLE, 'rate', { workers: 0 })).text(), run(['rate', '-q', PUZZLE]).stdout.toString())
  assert.deepEqual(loaded, ['solving_bg.wasm', 'rating_bg.wasm'])
})

test('JSON has a text for every answer, and no number is rounded', async () => {
  assert.deepEqual(await sb.count('.'.repeat(81), { limit: 5000 }), { status: 'multiple', solutions: 5000, more: true })
  assert.equal((await sb.count(PUZZLE)).solutions, 1)
  // An index is a number, or beyond 2^53 - 1 its digits, which `start` takes.
  const last = 2n ** 53n - 1n
  const made = await sb.puzzles({ n: 3, start: last - 1n })
  assert.deepEqual(made.map(one => one.index), [Number(last - 1n), Number(last), '9007199254740992'])
  assert.deepEqual(await sb.puzzles({ n: 1, start: made[2].index }), made.slice(2))
  const row = objects(['puzzles', '1', '-q', '--start', made[2].index])[0]
  assert.deepEqual([made[2].puzzle, made[2].solution], [row.puzzle, row.solution])
  const { packing, ...report } = await (await sb.batch(`${PUZZLE}\n12\n`, 'count')).report()
  for (const answer of [made, report, await sb.count([PUZZLE, '12']), await sb.rate(PUZZLE)]) {
    assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer)
  }
  assert.deepEqual([report.failed, report.counts.unique, report.counts.solutions], [1, 1, 1])
  const listed = run(['solutions', '-q', '--limit', '7', '.'.repeat(81)]).stdout.toString().trim().split('\n').map(line => line.slice(-81))
  assert.deepEqual(await sb.solutions('.'.repeat(81), { limit: 7 }), listed)
})

test('steps are those of the command', async () => {
  for (const puzzle of [PUZZLE, ...mixed().slice(170, 180)]) {
    const rows = objects(['rate', '-q', '--explain', puzzle]).filter(row => row.step != null && row.rating != null)
    const steps = await sb.steps(puzzle)
    assert.ok(rows.length > 30)
    assert.equal(steps.length, rows.length)
    rows.forEach((row, n) => {
      const step = steps[n]
      assert.equal(step.rating, row.rating)
      assert.equal(step.technique, row.technique)
      assert.equal(step.words, row.words)
      assert.equal(step.cells.join(' '), row.cells ?? '')
      assert.equal(step.digits.join(''), row.digits ?? '')
      assert.equal(step.place ? `${step.place.cell}=${step.place.digit}` : '', row.places ?? '')
      assert.equal(step.strikes.map(({ cell, digit }) => `${cell}-${digit}`).join(' '), row.strikes ?? '')
      assert.equal(step.chains?.kind, row.chains?.kind)
      assert.deepEqual(step.chains?.chains.map(nodes => nodes.map(node => [node.cell, node.digit, node.on, node.parents])),
        row.chains?.chains.map(nodes => nodes.map(node => [node.cell, node.digit, node.on, node.parents])))
    })
  }
})

test('hints lead from any position to the solution', async () => {
  const filled = [...PUZZLE]
  const wrong = filled.indexOf('.')
  filled[wrong] = SOLUTION[wrong] === '9' ? '8' : '9'
  const correction = await sb.hint({ puzzle: PUZZLE, filled: filled.join('') })
  assert.equal(correction.kind, 'wrong')
  assert.equal(correction.cells[0], `r${Math.floor(wrong / 9) + 1}c${wrong % 9 + 1}`)
  const candidates = Array(81).fill('123456789')
  candidates[wrong] = candidates[wrong].replace(SOLUTION[wrong], '')
  assert.equal((await sb.hint({ puzzle: PUZZLE, candidates })).kind, 'struck')
  assert.equal(await sb.hint({ puzzle: PUZZLE, filled: SOLUTION }), null)
  assert.deepEqual(await sb.hint(PUZZLE), (await sb.steps(PUZZLE))[0])
})

test('the same seed makes the same as the command', { timeout: 600_000 }, async () => {
  const cases = [
    [{ n: 40, seed: 7 }, ['40', '--seed', '7']],
    [{ n: 20, seed: 2n ** 64n - 1n, start: 5 }, ['20', '--seed', '18446744073709551615', '--start', '5']],
    [{ n: 10, difficulty: 'medium', symmetry: 'rotate180' }, ['10', '--difficulty', 'medium', '--symmetry', 'rotate180']],
    [{ n: 10, rating: [2.6, 3.4] }, ['10', '--rating', '2.6..3.4']],
    [{ n: 30, blanks: [45, 50], sequence: true }, ['30', '--blanks', '45..50', '--sequence']],
    [{ n: 10, clues: [40, 42], solvedBy: 'naked-singles' }, ['10', '--clues', '40..42', '--solved-by', 'naked-singles']],
  ]
  for (const [options, args] of cases) {
    for (const format of ['csv', 'line', 'jsonl']) {
      const expected = run(['puzzles', '-q', '--format', format, ...args]).stdout.toString()
      assert.equal(await sb.puzzles({ ...options, format, workers: 2 }), expected, `${args} ${format}`)
    }
    const rows = objects(['puzzles', '-q', ...args])
    const made = await sb.puzzles(options)
    assert.deepEqual(made.map(one => [one.index, one.puzzle, one.solution, one.clues]),
      rows.map(row => [row.index, row.puzzle, row.solution, row.clues]))
  }
  const grids = run(['generate', '-q', '5000', '--seed', '3']).stdout.toString()
  assert.equal(await sb.generate({ n: 5000, seed: 3n, uniform: false, format: 'line' }), grids)
  assert.equal(await sb.generate({ n: 5000, seed: 3, format: 'line' }), grids)
  const uniform = run(['generate', '-q', '100', '--uniform', '--seed', '3', '--format', 'csv']).stdout.toString()
  assert.equal(await sb.generate({ n: 100, seed: 3, uniform: true, format: 'csv' }), uniform)
})

test('every two wishes give the puzzles of the command, or an error', { timeout: 600_000 }, async () => {
  const wishes = [
    [{ blanks: 51 }, '--blanks 51'],
    [{ clues: 30 }, '--clues 30'],
    [{ minimal: true }, '--minimal'],
    [{ difficulty: 'hard' }, '--difficulty hard'],
    [{ rating: [2, 2.8] }, '--rating 2.0..2.8'],
    [{ hardest: 'claiming' }, '--hardest claiming'],
    [{ contains: 'claiming' }, '--contains claiming'],
    [{ firstHard: 'pointing' }, '--first-hard pointing'],
    [{ only: 'singles,pointing' }, '--only singles,pointing'],
    [{ steps: [1, 3] }, '--steps 1..3'],
    [{ guesses: [1, null] }, '--guesses 1..'],
    [{ solvedBy: 'naked-singles' }, '--solved-by naked-singles'],
    [{ symmetry: 'rotate180' }, '--symmetry rotate180'],
    [{ cluesPerBox: [1, 5] }, '--clues-per-box 1..5'],
    [{ missingDigit: 5 }, '--missing-digit 5'],
    [{ unique: false }, '--not-unique'],
  ]
  for (const [n, first] of wishes.entries()) {
    for (const second of wishes.slice(n + 1)) {
      const args = `puzzles -q 4 --seed 3 ${first[1]} ${second[1]}`
      const { status, stdout } = run(args.split(' '))
      const made = sb.puzzles({ n: 4, seed: 3, ...first[0], ...second[0], format: 'line' })
      if (status === 2) await assert.rejects(made, { code: 'option' }, args)
      else assert.equal(await made, stdout.toString(), args)
    }
  }
})

// Formats of the same records, as the command writes them.
const forms = () => {
  const path = file('records.txt', mixed().join('\n') + '\n')
  const table = run(['solve', '-q', '--format', 'csv', path]).stdout.toString()
  // Columns to keep, some of them quoted.
  const rows = table.split('\n').map((row, n) => row && `${n},${row},"a ""note"", ${n}"`)
  const csv = rows.join('\n').replace(/^0,/, 'id,').replace(',status,"a ""note"", 0"', ',how,note')
  return {
    line: mixed().join('\n') + '\n',
    crlf: mixed().join('\r\n'),
    csv,
    tsv: run(['convert', '-q', '--format', 'tsv', file('a.csv', csv)]).stdout,
    jsonl: run(['convert', '-q', '--format', 'jsonl', file('a.csv', csv)]).stdout,
    block: run(['convert', '-q', '--format', 'block', file('good.txt', mixed().slice(0, 140).join('\n'))]).stdout,
  }
}

const QUESTIONS = [
  ['solve', {}, ['solve']],
  ['solve', { unique: true }, ['solve', '--unique']],
  ['check', {}, ['check', '--rows']],
  ['check', { minimal: true }, ['check', '--rows', '--minimal']],
  ['rate', { upTo: 4.4, difficulty: true }, ['rate', '--up-to', '4.4', '--difficulty']],
  ['rate', { counts: true, without: 'uniqueness' }, ['rate', '--counts', '--without', 'uniqueness']],
  ['rate', { upTo: 1, te: true }, ['rate', '--up-to', '1.0', '--te']],
  ['count', { limit: 1000 }, ['count', '--limit', '1000']],
  ['canonical', {}, ['canonical']],
  ['canonical', { minlex: true }, ['canonical', '--minlex']],
  ['canonical', { transformation: true, automorphisms: true }, ['canonical', '--transformation', '--automorphisms']],
  ['solve', { maxGuesses: 3 }, ['solve', '--max-guesses', '3']],
  ['rank', { seed: 7, firstDigit: 5 }, ['rank', '--seed', '7', '--first-digit', '5']],
  ['classes', {}, ['classes']],
  ['patterns', {}, ['patterns']],
  ['unavoidable', {}, ['unavoidable']],
  ['unavoidable', { most: 6, list: true }, ['unavoidable', '--most', '6', '--list']],
  ['expand', {}, ['expand']],
  ['true-candidates', {}, ['true-candidates']],
  ['candidate-counts', {}, ['candidate-counts']],
  ['candidate-counts', { limit: 2 }, ['candidate-counts', '--limit', '2']],
  ['solutions', { limit: 30 }, ['solutions', '--limit', '30']],
  ['solutions', { limit: 2, solutionColumn: 'grid' }, ['solutions', '--limit', '2', '--solution-column', 'grid']],
  ['minimals', { limit: 3 }, ['minimals', '--limit', '3']],
  ['backdoors', {}, ['backdoors']],
  ['backdoors', { most: 1, list: true }, ['backdoors', '--most', '1', '--list']],
  ['backdoors', { most: 1, upTo: 4.4 }, ['backdoors', '--most', '1', '--up-to', '4.4']],
  ['features', {}, ['features']],
  ['dedup', {}, ['dedup']],
  ['dedup', { by: 'equality' }, ['dedup', '--by', 'equality']],
  ['convert', {}, ['convert']],
]

const types = readFileSync(join(root, 'web/package/index.d.ts'), 'utf8')
const [, list] = /export type Question =([^]*?)\nexport/.exec(types)
const questions = list.match(/'[a-z-]+'/g).map(name => name.slice(1, -1))

test('every question of the types is tried', () => {
  // A test of the library holds the types against the questions.
  assert.deepEqual(new Set([...QUESTIONS.map(([name]) => name), 'score', 'split', 'filter', 'stats']), new Set(questions))
})

// The calls and their options, as the types have them.
const CALLS = [...new Set([...types.matchAll(/^export function (\w+)\(\w+/gm)].map(([, name]) => name))]
const membersOf = name => {
  const [, parent, body] = new RegExp(`^export interface ${name}(?:<A>)?(?: extends (\\w+))? \\{([^]*?)\\n?\\}\\n`, 'm').exec(types)
  const own = [...body.matchAll(/^  (\w+)\??: (.+)$/gm)].map(([, member, type]) => [member, type])
  return [...parent ? membersOf(parent) : [], ...own]
}
/** The options of a call: their names and their types. */
const optionsOf = call => membersOf(new RegExp(`^export function ${call}\\(.*options\\??: (\\w+)`, 'm').exec(types)[1])
/** Calls with options, each with arguments before them. */
const WITH_OPTIONS = CALLS.filter(call => call !== 'look').flatMap(call => ({
  puzzles: [[]], generate: [[]], sheet: [[]], inspect: [[PUZZLE]],
  batch: questions.filter(question => question !== 'score').map(question => [PUZZLE, question]),
})[call]?.map(before => [call, before]) ?? [[call, [PUZZLE]]])
const hyphened = name => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
const NAMES = [...new Set(CALLS.filter(call => call !== 'look').flatMap(call => optionsOf(call).map(([name]) => name)))]

/** The error of a call, which has words for people. */
async function refusal(call, given) {
  const what = `${call}(${given.map(String)})`
  const error = await sb[call](...given).then(() => assert.fail(`${what} is taken`), error => error)
  assert.ok(error instanceof TypeError || error instanceof sb.SudokuError && error.code === 'option', `${what}: ${error}`)
  assert.doesNotMatch(error.message, /memory|struct|unreachable|invalid type|is not a function|Cannot|undefined \(/, what)
  for (const name of NAMES.map(hyphened).filter(name => name.includes('-'))) assert.ok(!error.message.includes(name), `${what}: ${error.message}`)
  return error
}

test('no call takes an argument of another type', { timeout: 600_000 }, async () => {
  assert.ok(CALLS.length >= 15, CALLS.join())
  const none = [5, true, () => 1, Symbol('s')]
  for (const call of CALLS) {
    const hasOptionsAlone = ['puzzles', 'generate', 'sheet'].includes(call)
    for (const value of [...none, [5], ...hasOptionsAlone ? [PUZZLE] : [{}, null, undefined, [PUZZLE, , PUZZLE]]]) {
      const error = await refusal(call, [value, 'solve'].slice(0, call === 'batch' ? 2 : 1))
      assert.ok(error instanceof TypeError, `${call}: ${error}`)
    }
  }
  for (const [call, before] of WITH_OPTIONS) {
    for (const value of [5, true, 'unique', [], () => 1]) {
      assert.ok(await refusal(call, [...before, value]) instanceof TypeError)
    }
  }
  for (const question of [undefined, 5, null, ['solve']]) assert.ok(await refusal('batch', [PUZZLE, question]) instanceof TypeError)
  await refusal('check', [PUZZLE, { answer: 5 }])
  await refusal('check', [[PUZZLE], { answer: [5] }])
  await refusal('hint', [{ filled: PUZZLE }])
  await refusal('hint', [{ puzzle: PUZZLE, candidates: Array(81).fill(5) }])
  await refusal('sheet', [{ puzzles: [PUZZLE] }])
  await refusal('sheet', [{ puzzles: [{ note: 'easy' }] }])
  assert.equal((await refusal('steps', [5])).message, 'puzzle is a string, not 5')
  assert.equal((await refusal('solve', [[PUZZLE, null]])).message, 'puzzles[1] is a string, not null')
  assert.equal((await refusal('generate', [5])).message, 'options is an object, not 5')
  // An argument that is not given is nothing wrong.
  assert.equal((await sb.count(PUZZLE, { limit: null, signal: undefined })).solutions, 1)
  assert.equal((await sb.generate({ n: null, workers: null, signal: null })).length, 1)
})

test('no call takes an option that it does not have, or another kind of value', { timeout: 600_000 }, async () => {
  for (const [call, before] of WITH_OPTIONS) {
    const ask = async (name, value) => {
      const error = await refusal(call, [...before, { ...call === 'sheet' && { puzzles: [] }, [name]: value }])
      assert.ok(error.message.includes(name), `${call} ${name}: ${error.message}`)
      return error.message
    }
    const options = optionsOf(call)
    assert.ok(options.length > 0, call)
    for (const [name, type] of options) {
      for (const value of [{}, [[]], Symbol('s'), NaN]) await ask(name, value)
      if (!/=>/.test(type)) await ask(name, () => 1)
      if (/^(number|Whole)$/.test(type)) await ask(name, -1)
      if (type === 'Whole' || ['n', 'workers', 'most', 'perPage'].includes(name)) await ask(name, 1.5)
      if (type === 'boolean') for (const value of ['yes', 1, '']) await ask(name, value)
    }
    // Some have an overload with a format.
    const known = new Set([...options.map(([name]) => name), ...['puzzles', 'generate'].includes(call) ? ['format'] : []])
    for (const name of ['colour', 'question', 'keySeed', 'header', ...NAMES.filter(name => !known.has(name))]) {
      // A batch reads all values before it knows what it has.
      for (const value of call === 'batch' ? [1] : [1, {}]) assert.match(await ask(name, value), new RegExp(` has no option ${name}\\b`))
    }
  }
  for (const workers of [-1, 1.5, '2', 1025]) {
    assert.match((await refusal('batch', [PUZZLE, 'solve', { workers }])).message, /^workers is a whole number up to 1,024, not /)
    assert.match((await refusal('puzzles', [{ workers }])).message, /^workers is a whole number up to 1,024, not /)
  }
  // Names are those of JavaScript, and all that the types have.
  const own = call => optionsOf(call).map(([name]) => name)
  for (const [call, before, other] of [['solve', [PUZZLE], []], ['picture', [PUZZLE], []], ['steps', [PUZZLE], ['signal']]]) {
    const { message } = await refusal(call, [...before, { colour: 1 }])
    assert.deepEqual(new Set(message.split(' are: ')[1].split(', ').concat(other)), new Set(own(call)), call)
  }
  assert.match((await refusal('puzzles', [{ solvedBy: 'magic' }])).message, /^solvedBy: .*no technique that solves alone is called "magic"/)
  assert.match((await refusal('generate', [{ inOrder: true, uniform: true }])).message, /^uniform: it cannot be used with inOrder$/)
  const { message } = await refusal('batch', [PUZZLE, 'guess'])
  assert.deepEqual(new Set(message.split(' one of: ')[1].split(', ')), new Set(questions))
})

test('a puzzle with a cell too few or too many has its place', async () => {
  for (const text of [PUZZLE.slice(1), PUZZLE.slice(40), `${PUZZLE}1`, `\n\n${PUZZLE.slice(1)}\n`]) {
    const { stderr } = run(['solve', '--input-format', 'line', file('wrong.txt', text)])
    const [, line, reason, column] = /:(\d+): malformed: (column (\d+): .*)/.exec(stderr)
    const place = { code: 'malformed', line: Number(line), column: Number(column), reason }
    for (const call of ['solve', 'check', 'count', 'solutions', 'rate', 'canonical', 'steps', 'hint', 'look', 'picture']) {
      await assert.rejects(sb[call](text), { name: 'SudokuError', ...place }, call)
    }
    await assert.rejects(sb.solutions([PUZZLE, text]), { ...place, index: 1 })
    assert.deepEqual((await sb.solve([PUZZLE, text]))[1].error.reason, reason)
    await assert.rejects(sb.batch(text, 'solve'), { code: 'form', line: Number(line), reason: /of 81 cells/ })
  }
})

test('archives are refused, with what to do, and JSON that is no lines is read', { timeout: 60_000 }, async () => {
  const text = input => new TextEncoder().encode(input)
  // The sum of the bytes of a header of tar, with spaces in its own place, is in it.
  const header = new Uint8Array(1536)
  header.set(text('puzzles.txt'))
  header.set(text('        '), 148)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.set(text(sum.toString(8).padStart(6, '0') + '\0 '), 148)
  for (const [bytes, kind, tool] of [
    [header, 'tar', 'tar -xOf FILE'],
    [gzipSync(header), 'tar', 'tar -xOf FILE'],
    [text('BZh91AY&SY and more'), 'bzip2', 'bzip2 -dc FILE'],
    [new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0]), 'xz', 'xz -dc FILE'],
    [text('PK\x03\x04 and more'), 'zip', 'unzip -p FILE'],
  ]) {
    const message = `the input is ${kind === 'xz' ? 'an' : 'a'} ${kind} archive: unpack it first, as in ${tool} | sudoku-batch …`
    await assert.rejects(sb.batch(bytes, 'solve', { workers: 0 }), { code: 'form', message })
  }
  // JSON in one array, or over several lines, is read as lines of objects are, unless these are asked for.
  const object = JSON.stringify({ puzzle: '.'.repeat(81) })
  const answers = async text => {
    const answer = await sb.batch(text, 'solve', { workers: 0 })
    return (await answer.text()).trimEnd().split('\n').map(line => JSON.parse(line))
  }
  const [lines] = await answers(object + '\n')
  for (const [json, line, tool, records] of [
    [`[${object}, ${object}]`, 1, "jq -c '.[]' FILE", 2],
    [`\n[\n${object},\n${object}\n]\n`, 2, "jq -c '.[]' FILE", 2],
    [JSON.stringify({ puzzle: '.'.repeat(81) }, null, 2), 1, 'jq -c . FILE', 1],
  ]) {
    await assert.rejects(sb.batch(json, 'solve', { workers: 0, inputFormat: 'jsonl' }), error =>
      error.code === 'form' && error.line === line && error.column === 1 && error.message.includes(tool))
    assert.deepEqual(await answers(json), Array(records).fill(lines))
  }
})

test('dedup takes equal records as the same, with any number of solutions', { timeout: 60_000 }, async () => {
  const records = ['.'.repeat(81), '5' + '.'.repeat(80), '0'.repeat(81), '.'.repeat(80) + '5', '5' + '.'.repeat(80)]
  for (const by of ['equality', 'symmetry', 'solution']) {
    const answer = await sb.batch(records.join('\n') + '\n', 'dedup', { by, workers: 0 })
    const kept = [0, 1, 3].map(record => records[record] + '\n').join('')
    assert.equal(Buffer.from(await answer.bytes()).toString(), kept, by)
  }
  // Some are rejected as candidates that no cells have, and are compared all the same.
  const answer = await sb.batch(byCandidates().join('\n'), 'dedup', { by: 'minlex', workers: 0 })
  const rows = (await answer.text()).trimEnd().split('\n').length
  const { counts, records: all } = await answer.report()
  assert.ok(counts.malformed > 1)
  assert.deepEqual([counts.kept, counts.repeated], [rows, all - rows])
})

/** The objects of a batch, and its report. */
async function rowsOf(input, question, options) {
  const answer = await sb.batch(input, question, { ...options, format: 'jsonl' })
  const rows = (await answer.text()).trimEnd().split('\n').map(row => JSON.parse(row))
  return { rows, report: await answer.report() }
}

// Several pieces, for workers that answer at the same time.
const manyTimes = () => mixed().filter(text => text).map(text => `${text}\n`).join('').repeat(30)

test('split gives each record the part to which the command writes it', { timeout: 120_000 }, async () => {
  const path = file('split.txt', manyTimes())
  const lines = manyTimes().split('\n').slice(0, -1)
  // The command writes one sign for all blanks of a line.
  const dotted = text => text.replace(/[^1-9]/g, '.')
  const weights = { train: 70, valid: 20, test: 10 }
  const named = Object.entries(weights).map(([name, weight]) => `${name}=${weight}`).join()
  for (const by of ['equality', 'symmetry', 'solution', 'minlex']) {
    const to = join(folder, `parts-${by}`)
    const { stderr } = run(['split', '--by', by, '--seed', '3', '--parts', named, '--output-dir', to, '--summary', 'json', path])
    const summary = JSON.parse(stderr.trim().split('\n').at(-1))
    const parts = [...Object.keys(weights), 'rejected'].map(name => readFileSync(join(to, `${name}.txt`), 'utf8'))
    const options = { by, seed: 3, weights: Object.values(weights).join() }
    for (const workers of [0, 2]) {
      const { rows, report } = await rowsOf(readFileSync(path), 'split', { ...options, workers })
      for (const [number, text] of parts.entries()) {
        const found = lines.filter((_, n) => rows[n].part === number).map(dotted)
        assert.deepEqual(found, text.split('\n').slice(0, -1).map(dotted), `${by} ${number} ${workers}`)
      }
      assert.deepEqual([rows.length, lines.length], [summary.records, summary.records])
      assert.equal(report.counts.rejected, summary.rejected)
      assert.equal(report.failed, summary.rejected)
    }
  }
  await assert.rejects(sb.batch(PUZZLE, 'split', { weights: '0,0' }), { code: 'option', message: /^weights: / })
})

test('filter says which records the command keeps', { timeout: 120_000 }, async () => {
  const path = file('filter.txt', manyTimes())
  const lines = manyTimes().split('\n').slice(0, -1)
  const dotted = text => text.replace(/[^1-9]/g, '.')
  for (const [options, args] of [
    [{ status: 'unique,multiple', clues: [null, 40] }, ['--status', 'unique,multiple', '--clues', '..40']],
    [{ difficulty: 'easy,extreme', invert: true }, ['--difficulty', 'easy,extreme', '--invert']],
    [{ rating: [1.5, 4.4], minimal: true, ratings: true }, ['--rating', '1.5..4.4', '--minimal']],
    [{ contains: 'pointing', te: '0..1' }, ['--contains', 'pointing', '--te', '0..1']],
    [{ guesses: [1, null], symmetry: 'rotate180,diagonal' }, ['--guesses', '1..', '--symmetry', 'rotate180,diagonal']],
  ]) {
    const kept = run(['filter', '-q', ...args, path]).stdout.toString().split('\n').slice(0, -1)
    for (const workers of [0, 2]) {
      const { rows, report } = await rowsOf(readFileSync(path), 'filter', { ...options, workers })
      assert.equal(rows.length, lines.length)
      assert.deepEqual(lines.filter((_, n) => rows[n].kept).map(dotted), kept.map(dotted), args.join(' '))
      assert.equal(report.counts.kept, kept.length)
      assert.ok(!options.ratings || rows.every(row => !row.kept || row.er >= 1.5 && row.er <= 4.4))
    }
  }
  await assert.rejects(sb.batch(PUZZLE, 'filter', { rating: 1.9 }), { code: 'option' })
})

test('stats counts what the command sums up, and so do its columns', { timeout: 120_000 }, async () => {
  for (const [text, upTo] of [[mixed().join('\n'), 11.9], [manyTimes(), 1.5]]) {
    const path = file('stats.txt', text)
    const { stderr } = run(['stats', '-q', '--up-to', String(upTo), '--summary', 'json', path])
    const { records, seconds, records_per_second: speed, threads, ...summary } = JSON.parse(stderr)
    for (const workers of [0, 2]) {
      const { rows, report } = await rowsOf(readFileSync(path), 'stats', { upTo, workers })
      assert.equal(report.records, records)
      assert.equal(rows.length, records)
      const counts = Object.entries(report.counts).map(([name, number]) => [name.replaceAll('-', '_'), number])
      assert.deepEqual(Object.fromEntries(counts), summary)
      const found = {}
      const count = name => { found[name] = (found[name] ?? 0) + 1 }
      const unique = rows.filter(({ status }) => status === 'unique')
      for (const { clues, er } of unique) {
        count(`clues_${clues}`)
        count(er === null ? `rating_over_${upTo.toFixed(1).replace('.', '_')}` : `rating_${er.toFixed(1).replace('.', '_')}`)
      }
      const wanted = Object.entries(summary).filter(([name]) => /^(clues|rating)_/.test(name))
      assert.deepEqual(found, Object.fromEntries(wanted))
      assert.equal(unique.reduce((sum, { guesses }) => sum + guesses, 0), summary.guesses)
      assert.equal(Math.max(...unique.map(({ guesses }) => guesses)), summary.most_guesses)
      assert.equal(unique.filter(row => row.naked_singles).length, summary.naked_singles_solve)
      assert.equal(unique.filter(row => row.singles).length, summary.singles_solve)
      assert.equal(report.failed, records - summary.unique)
      assert.ok(rows.every(row => row.status === 'unique' || row.clues === null && row.er === null))
    }
  }
})

test('batches have the bytes, the rejects and the counts of the command', { timeout: 600_000 }, async () => {
  for (const [form, text] of Object.entries(forms())) {
    const ending = form === 'crlf' || form === 'line' || form === 'block' ? 'txt' : form
    const path = file(`input.${ending}`, text)
    for (const [question, options, args] of QUESTIONS) {
      const rejects = join(folder, 'rejects.tsv')
      const expected = run([...args, path, '--rejects', rejects, '--summary', 'json'])
      for (const workers of [0, 2]) {
        const lines = []
        const what = `${question} ${JSON.stringify(options)} ${form} ${workers}`
        if (expected.status === 2) {
          // A column `solution` that is there has other values.
          assert.match(expected.stderr, /has the value .* already/, what)
          const answer = await sb.batch(readFileSync(path), question, { ...options, workers })
          await assert.rejects(answer.bytes(), { code: 'record' }, what)
          continue
        }
        const answer = await sb.batch(readFileSync(path), question, { ...options, workers, onRejects: bytes => lines.push(bytes) })
        const found = Buffer.from(await answer.bytes())
        assert.ok(found.equals(expected.stdout), `${what}\n${found.subarray(0, 300)}\n${expected.stdout.subarray(0, 300)}`)
        assert.ok(Buffer.concat(lines).equals(readFileSync(rejects)), `rejects of ${what}`)
        const report = await answer.report()
        const last = expected.stderr.trim().split('\n').at(-1)
        const summary = JSON.parse(last)
        assert.equal(report.records, summary.records, what)
        for (const [name, number] of Object.entries(report.counts)) {
          assert.equal(Number(number), summary[name.replaceAll('-', '_')], `${name} of ${what}`)
        }
        assert.equal(report.failed > 0, expected.status === 1, what)
      }
    }
  }
})

// Inputs of every kind. Each gets bytes, the path of a file of them, and the size of the parts.
const parts = (bytes, size) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))
const KINDS = {
  buffer: bytes => bytes,
  view: bytes => new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
  array: (bytes, path, size) => parts(bytes, size),
  'stream of a file': (bytes, path, size) => createReadStream(path, { highWaterMark: size }),
  'stream of the web': (bytes, path, size) => Readable.toWeb(Readable.from(parts(bytes, size))),
  generator: function* (bytes, path, size) { yield* parts(bytes, size) },
  'asynchronous generator': async function* (bytes, path, size) { yield* parts(bytes, size) },
  'generator with one memory': function* (bytes, path, size) {
    const memory = Buffer.alloc(size)
    for (const part of parts(bytes, size)) yield memory.subarray(0, part.copy(memory))
  },
  'generator of texts': function* (bytes, path, size) { for (const part of parts(bytes, size)) yield part.toString() },
}

test('every kind of input is answered as by the command, in parts of every size', { timeout: 600_000 }, async () => {
  const records = mixed().filter(text => text)
  const lines = count => Array.from({ length: count }, (_, n) => `${records[n % records.length]}\n`).join('')
  const table = (count, note) => 'id,puzzle,text,note\n' + Array.from({ length: count }, (_, n) =>
    `${n},${records[n % records.length]},${SOLUTION},"${note}, ""${n}"""\n`).join('')
  // The records of large parts are long, so that there are no more than a question answers in a moment.
  const [few, many] = [20, 900].map(count => [lines(count), table(count, '')])
  const [long, longest] = [4_000, 15_000].map(length => Array(2).fill(table(600, 'x'.repeat(length))))
  const sizes = [[1, few], [16 << 10, many], [64 << 10, many], [1 << 20, long], [8_000_000, longest]]
  const names = new Set()
  const asked = [...QUESTIONS, ['score', { answerColumn: 'text' }, ['check', '--rows', '--answer-column', 'text', '--extract', 'last']]]
    .filter(([question]) => !names.has(question) && names.add(question))
    // One that takes no longer than the others.
    .map(([question, ...rest]) => question === 'rate' ? [question, { upTo: 1.5 }, ['rate', '--up-to', '1.5']] : [question, ...rest])
  const met = new Set()
  for (const [q, [question, options, args]] of asked.entries()) {
    const expected = new Map()
    for (const [s, [size, texts]] of sizes.entries()) {
      const text = texts[question === 'score' ? 1 : 0]
      const bytes = Buffer.from(text)
      assert.ok(bytes.length > size)
      const path = file('parts.txt', bytes)
      if (!expected.has(text)) expected.set(text, run([...args, path, '--summary', 'json']))
      const { stdout, stderr } = expected.get(text)
      const summary = JSON.parse(stderr.trim().split('\n').at(-1))
      for (const [k, [kind, inputOf]] of Object.entries(KINDS).entries()) {
        // A third of all: each question, and each kind of input, meets each size and each number of workers.
        if ((q + s + k) % 3) continue
        const workers = [0, 1, 4][(q + Math.floor(k / 3)) % 3]
        const what = `${question} of a ${kind} by ${size}, ${workers} workers`
        const own = Buffer.from(bytes)
        const answer = await sb.batch(inputOf(own, path, size), question, { ...options, workers })
        const found = Buffer.from(await answer.bytes())
        assert.ok(found.equals(stdout), `${what}: ${found.length} bytes, not ${stdout.length}`)
        assert.equal((await answer.report()).records, summary.records, what)
        // The memory of the caller is as it was.
        assert.ok(own.equals(bytes), what)
        for (const one of [question, kind]) met.add(`${one}, ${size}`).add(`${one}, ${workers} workers`)
        met.add(`${question}, ${kind}`)
      }
    }
  }
  const [questions, kinds] = [asked, Object.keys(KINDS)].map(list => list.length)
  assert.equal(met.size, (questions + kinds) * (sizes.length + 3) + questions * kinds)
})

test('in a list each text is a record', async () => {
  const texts = [PUZZLE, `${SOLUTION}\n`, '', `${PUZZLE}\r\n`, PUZZLE]
  const expected = run(['solve', '-q'], `${PUZZLE}\n${SOLUTION}\n\n${PUZZLE}\r\n${PUZZLE}\n`).stdout.toString()
  assert.equal(await (await sb.batch(texts, 'solve')).text(), expected)
  assert.equal(await (await sb.batch([PUZZLE, PUZZLE], 'solve', { workers: 0 })).text(), `${SOLUTION}\n`.repeat(2))
  const table = ['puzzle,n', `${PUZZLE},1`]
  assert.equal(await (await sb.batch(table, 'solve')).text(), run(['solve', '-q'], table.join('\n')).stdout.toString())
  assert.equal((await sb.inspect([PUZZLE, PUZZLE])).records.length, 2)
  // Bytes in a list, and texts that come from elsewhere, are parts of one text.
  const halves = [PUZZLE.slice(0, 40), PUZZLE.slice(40)]
  for (const input of [halves.map(half => Buffer.from(half)), Readable.from(halves), new Set(halves)]) {
    assert.equal(await (await sb.batch(input, 'solve')).text(), `${SOLUTION}\n`)
  }
})

test('names and many records choose the column of the puzzles', async () => {
  const [short, long] = [PUZZLE.slice(0, 80), `${PUZZLE}.`]
  for (const [text, column] of [
    ...[short, long, ''].map(bad => [`puzzle,solution\n${bad},${SOLUTION}\n${PUZZLE},${SOLUTION}\n`, 'puzzle']),
    [`solution\tproblem_text\n${SOLUTION}\t${PUZZLE}\n`, 'problem_text'],
    [`final,initial_board\n${SOLUTION},${PUZZLE}\n`, 'initial_board'],
    [`{"solution":"${SOLUTION}","text":"${short}"}\n{"solution":"${SOLUTION}","text":"${PUZZLE}"}\n`, 'text'],
    [`id,final,start\n${`1,${SOLUTION},${short}\n`.repeat(300)}${`2,${SOLUTION},${PUZZLE}\n`.repeat(900)}`, 'start'],
  ]) {
    const expected = run(['solve', '-q'], text).stdout.toString()
    // Pieces of an input may have any size.
    const bytes = Buffer.from(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 5000) }, (_, n) => bytes.subarray(5000 * n, 5000 * n + 5000))
    for (const input of [text, Readable.from(pieces)]) {
      const answer = await sb.batch(input, 'solve')
      assert.equal(answer.column, column)
      assert.equal(await answer.text(), expected)
      assert.equal((await answer.report()).warning, undefined)
    }
  }
  const grids = `id,solution\n1,${SOLUTION}\n2,x\n`
  const report = async options => (await sb.batch(grids, 'check', options)).report()
  assert.match((await report()).warning, /every puzzle in column solution is a full grid/)
  assert.equal((await report({ puzzleColumn: 'solution' })).warning, undefined)
})

test('no value is lost unasked, and no name comes twice', async () => {
  for (const [column, question, value] of [['status', 'solve', 'open'], ['er', 'rate', '9.9'], ['clue_count', 'check', '30'], ['solution', 'solve', 'mine']]) {
    const table = value => `puzzle,${column},n\n${PUZZLE},${value},1\n`
    const ask = async (text, options) => (await sb.batch(text, question, options)).text()
    await assert.rejects(ask(table(value)), { code: 'record', line: 2, message: /has the value .* already.*`replace` writes over it/ })
    const filled = await ask(table(''))
    assert.equal(filled, await ask(table(value), { replace: true }))
    assert.equal(filled, run([...question === 'check' ? ['check', '--rows'] : [question], '-q', file('empty.csv', table(''))]).stdout.toString())
    assert.equal(filled, await ask(filled))
  }
  for (const [input, options] of [
    [PUZZLE, { format: 'jsonl', solutionColumn: 'puzzle' }],
    [`puzzle,n\n${PUZZLE},1\n`, { solutionColumn: 'status' }],
    [`a,puzzle,a\n1,${PUZZLE},2\n`, { format: 'jsonl' }],
  ]) {
    await assert.rejects(sb.batch(input, 'solve', options), { code: 'form', message: /two columns/ })
  }
  const list = `0000183b305c ${PUZZLE} 1.2 a name\n`
  for (const [input, options, args] of [
    [list, { format: 'csv' }, ['--format', 'csv']],
    [`{"id":1,"game":{"puzzle":"${PUZZLE}"}}\n`, { format: 'csv', puzzleColumn: 'game.puzzle' }, ['--format', 'csv', '--puzzle-column', 'game.puzzle']],
    ['{"puzzle":""}\n', { format: 'tsv' }, ['--format', 'tsv']],
  ]) {
    const found = await (await sb.batch(input, 'convert', options)).text()
    assert.equal(found, run(['convert', '-q', ...args], input).stdout.toString())
  }
  const rated = await (await sb.batch(list, 'rate')).text()
  assert.ok(rated.startsWith(`${list.trim()}\t4.5\t1.2\t`), rated)
})

test('answers in a column are scored as by the command', async () => {
  const path = file('answers.csv', forms().csv)
  const args = ['check', path, '--answer-column', 'solution', '--rows', '--summary', 'json']
  const expected = run(args)
  const answer = await sb.batch(readFileSync(path), 'check', { answerColumn: 'solution' })
  assert.ok(Buffer.from(await answer.bytes()).equals(expected.stdout))
  const summary = JSON.parse(expected.stderr.trim().split('\n').at(-1))
  const { accuracies } = await answer.report()
  assert.ok(accuracies.grid_accuracy > 0)
  for (const [name, score] of Object.entries(accuracies)) assert.equal(score, summary[name])
})

test('free texts in a column are scored as by the command', async () => {
  const { csv } = forms()
  const path = file('texts.csv', csv.replace(/,"a ""note"", 1"/, ',"no grid in 1 note"'))
  for (const [options, args] of [[{}, ['--extract', 'last']], [{ extract: 'only', reward: 'blanks' }, ['--extract', 'only', '--reward', 'blanks']]]) {
    const expected = run(['check', path, '--answer-column', 'solution', '--rows', ...args])
    const answer = await sb.batch(readFileSync(path), 'score', { answerColumn: 'solution', ...options })
    const text = Buffer.from(await answer.bytes())
    assert.ok(text.equals(expected.stdout))
    assert.ok(/,true,true,\d+,\d+,0,0,1\n/.test(text) && /,false,false,/.test(text))
  }
  await assert.rejects(sb.batch(csv, 'score', {}).then(answer => answer.text()), /needs a text for each record/)
})

// A frame of zstd that is skipped: its magic, a length and as many bytes.
const SKIPPED = Buffer.from([0x57, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 1, 2, 3, 4, 5])

test('every sort of input is read, packed or not', { timeout: 600_000 }, async () => {
  const text = Array(40).fill(mixed().join('\n')).join('\n') + '\n'
  const path = file('many.txt', text)
  const expected = run(['solve', '-q', path]).stdout
  const several = Buffer.concat([packed('gzip', path), packed('gzip', path), Buffer.alloc(700_000)])
  const twice = Buffer.concat([SKIPPED, packed('zstd', path), SKIPPED, packed('zstd', path), SKIPPED])
  const own = join(folder, 'own.gz')
  run(['convert', '-q', path, '-o', own])
  const inputs = {
    text, bytes: Buffer.from(text), blob: new Blob([text]),
    node: createReadStream(path, { highWaterMark: 1000 }),
    stream: Readable.toWeb(createReadStream(path)),
    gzip: packed('gzip', path), zstd: new Blob([packed('zstd', path)]),
    'in small pieces': Readable.from(packed('zstd', path).toString('latin1').match(/[^]{1,7}/g).map(s => Buffer.from(s, 'latin1'))),
    'of the command': readFileSync(own),
  }
  for (const [name, input] of Object.entries(inputs)) {
    const answer = await sb.batch(input, 'solve', { workers: 2 })
    assert.ok(Buffer.from(await answer.bytes()).equals(expected), name)
  }
  for (const [name, input] of Object.entries({ several, twice })) {
    const answer = await sb.batch(input, 'solve')
    assert.ok(Buffer.from(await answer.bytes()).equals(Buffer.concat([expected, expected])), name)
  }
})

test('damaged data is an error with its place', async () => {
  const skipped = Buffer.concat([packed('zstd', file('skipped.txt', PUZZLE)), SKIPPED.subarray(0, 11)])
  const message = `the zstd data is damaged at byte ${skipped.length}: it ends in the middle of a frame`
  await assert.rejects(async () => (await sb.batch(skipped, 'solve')).bytes(), { code: 'damaged', message })
  const path = file('whole.txt', mixed().join('\n'))
  for (const tool of ['gzip', 'zstd']) {
    const whole = packed(tool, path)
    const damaged = Buffer.from(whole)
    damaged.fill(0xa5, damaged.length >> 1, (damaged.length >> 1) + 40)
    for (const bytes of [damaged, whole.subarray(0, whole.length - 30), Buffer.concat([whole, Buffer.from('junk')]),
      Buffer.concat([whole, whole.subarray(0, 1)]), Buffer.concat([whole, whole.subarray(0, 7)])]) {
      await assert.rejects(async () => (await sb.batch(bytes, 'solve')).bytes(), { name: 'SudokuError', code: 'damaged' }, tool)
    }
  }
})

test('a row without a place has its line', async () => {
  const rows = `{"puzzle":"${PUZZLE}"}\n`.repeat(20_000) + `{"puzzle":"${PUZZLE}","solution":"no"}\n`
  const answer = await sb.batch(rows, 'solve', { workers: 2 })
  await assert.rejects(answer.bytes(), error => error.code === 'record' && error.line === 20_001)
})

test('an abort ends a batch and a search at once', { timeout: 600_000 }, async () => {
  const slow = Array(200_000).fill(data('hard.txt').toString().slice(0, 81)).join('\n')
  for (const work of [
    async signal => (await sb.batch(slow, 'rate', { signal, workers: 2 })).bytes(),
    async signal => sb.count('.'.repeat(81), { limit: 0, signal }),
    async signal => sb.puzzles({ n: 10_000_000, rating: [8, 9], signal, workers: 2 }),
  ]) {
    const stop = new AbortController()
    const done = assert.rejects(work(stop.signal), { name: 'AbortError' })
    await new Promise(resolve => setTimeout(resolve, 500))
    // Without an end this takes longer than the test may.
    stop.abort()
    await done
  }
  assert.equal((await sb.count(PUZZLE)).solutions, 1)
})

test('close ends what runs', { timeout: 600_000 }, async () => {
  const endless = [
    () => sb.count('.'.repeat(81), { limit: 0 }),
    () => sb.puzzles({ n: 10_000_000, rating: [8, 9], workers: 2 }),
    async () => (await sb.batch(`${'.'.repeat(81)}\n`, 'count', { limit: 0, workers: 1 })).bytes(),
  ]
  for (const call of endless) {
    const done = assert.rejects(call(), { name: 'SudokuError', code: 'closed' })
    await new Promise(resolve => setTimeout(resolve, 1000))
    sb.close()
    await done
  }
  assert.equal((await sb.count(PUZZLE)).solutions, 1)
})

test('steps of a puzzle with several solutions', { timeout: 600_000 }, async () => {
  const one = [...PUZZLE]
  const several = ['.'.repeat(81), ...[0, 40, 70].map(at => one.map((c, n) => n < at ? '.' : c).join(''))]
    .filter(puzzle => run(['count', '-q', '--limit', '2', puzzle]).stdout.toString().includes('2'))
  assert.ok(several.length > 2)
  for (const puzzle of several) {
    await assert.rejects(sb.steps(puzzle), { code: 'multiple' })
    const smallest = (await sb.solve(puzzle)).solution
    const way = await sb.steps(puzzle, { guess: true })
    const filled = [...puzzle]
    for (const { place } of way.filter(step => step.place)) {
      filled[(place.cell[1] - 1) * 9 + (place.cell[3] - 1)] = String(place.digit)
    }
    assert.equal(filled.join(''), smallest)
  }
  const none = `11${'.'.repeat(79)}`
  for (const options of [{}, { guess: true }]) await assert.rejects(sb.steps(none, options), { code: 'no-solution' })
})

test('memory does not grow with the input', { timeout: 600_000 }, async () => {
  const piece = new TextEncoder().encode(`${data('easy.txt').toString().slice(0, 82 * 10_000)}`)
  async function* input() { for (let n = 0; n < 300; n++) yield piece.slice() }
  const answer = await sb.batch(input(), 'solve', { workers: 2 })
  let most = 0
  let first
  let length = 0
  for await (const rows of answer.output) {
    length += rows.length
    if (length > 20 << 20) {
      first ??= process.memoryUsage().rss
      most = Math.max(most, process.memoryUsage().rss)
    }
  }
  assert.equal(length, 300 * piece.length)
  assert.ok(most - first < 150 << 20, `${(most - first) >> 20} MiB more`)
})

test('without vectors it gives the same', async () => {
  const compile = async url => WebAssembly.compile(readFileSync(url))
  const plain = await started(await compiled(compile, 'solving', false))
  const text = Buffer.from(mixed().join('\n') + '\n')
  const options = JSON.stringify({ question: 'solve' })
  const reading = plain.Reading.begin(text, true, options)
  const expected = run(['solve', '-q', file('plain.txt', text)]).stdout
  assert.ok(Buffer.from(reading.answer(text, true, 1n)).equals(expected))
})
