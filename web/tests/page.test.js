// The page in chromium, used as a person would use it.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createReadStream, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join, normalize } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import puppeteer from 'puppeteer-core'
import { data, file, folder, mixed, packed, root, run } from './command.js'

const PUZZLE = '4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8'
const SEVERAL = '4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.....8'
const SOLUTION = run(['solve', '-q', PUZZLE]).stdout.toString().trim()
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' }
const screenshots = join(root, 'web/tests/screenshots')
mkdirSync(screenshots, { recursive: true })

let server
let browser
let address
const asked = []

before(async () => {
  server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://x').pathname)
    asked.push(path)
    const found = join(root, 'web/dist', path.endsWith('/') ? `${path}index.html` : path)
    if (!existsSync(found)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(found)] ?? 'text/plain' })
    createReadStream(found).pipe(response)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${server.address().port}/`
  browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    protocolTimeout: 240_000,
  })
})

after(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

/** A page of its own, which fails the test for every error in it. */
async function open(hash = '', { width = 1280, height = 900, dark = false } = {}) {
  const page = await browser.newPage()
  page.faults = []
  page.on('pageerror', error => page.faults.push(error.message))
  page.on('console', message => { if (message.type() === 'error') page.faults.push(message.text()) })
  page.on('request', request => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(address)) page.faults.push(`asked for ${request.url()}`)
  })
  await page.setViewport({ width, height })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }])
  const session = await page.createCDPSession()
  page.downloads = join(folder, `downloads-${Math.random()}`)
  mkdirSync(page.downloads)
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: page.downloads, browserContextId: page.browserContext().id })
  await page.goto(address + hash)
  await page.waitForSelector('html[data-ready]')
  return page
}

const close = async page => {
  assert.deepEqual(page.faults, [])
  await page.close()
}

const says = (page, id, pattern, timeout = 300_000) => page.waitForFunction(
  (id, source) => new RegExp(source).test(document.getElementById(id).textContent), { timeout }, id, pattern.source)

const text = (page, id) => page.$eval(`#${id}`, element => element.textContent)

/** The steps of the command. */
const explained = puzzle => run(['rate', '-q', '--explain', '--format', 'jsonl', puzzle]).stdout.toString().trim().split('\n').map(JSON.parse)

/** The 81 digits on the board, with points for blanks. */
const shown = page => page.$$eval('#board input', fields => fields.map(field => field.value || '.').join(''))

/** Waits for the list of steps, which is open on a wide page. */
const listed = (page, count) => page.waitForFunction(
  count => document.querySelectorAll('#step-list li').length === count, { timeout: 300_000 }, count)

const cell = n => `#board [role=row]:nth-child(${Math.floor(n / 9) + 1}) > :nth-child(${n % 9 + 1}) input`

/** The bytes of a file that a click saves. */
async function download(page, click, name) {
  await page.click(click)
  const path = join(page.downloads, name)
  for (let n = 0; n < 300 && !(existsSync(path) && statSync(path).size > 0); n++) await sleep(100)
  return readFileSync(path)
}

test('look: paste a puzzle, follow its steps, share it', { timeout: 600_000 }, async () => {
  const page = await open()
  await page.type('#look-text', PUZZLE)
  await says(page, 'look-status', /One solution\. 25 clues\. Rating 4\.5, extreme: unique rectangle type 4/)
  assert.equal(await page.evaluate(() => location.hash), `#look?p=${PUZZLE}`)
  // The steps of the command, in its words.
  const steps = explained(PUZZLE)
  for (const step of steps.slice(0, 5)) {
    await page.click('#step-next')
    await says(page, 'step-place', new RegExp(`^${step.step} of ${steps.length}$`))
    assert.ok((await text(page, 'step-words')).includes(step.words))
  }
  await listed(page, steps.length)
  // A strike is drawn with a cross, a placed digit in its cell.
  const striking = steps.findIndex(step => step.strikes)
  await page.click(`#step-list li:nth-child(${striking + 1}) button`)
  assert.equal(await page.$$eval('#board .cross', marks => marks.length), steps[striking].strikes.split(' ').length)
  await page.click('#show-solution')
  assert.equal(await shown(page), SOLUTION)
  const svg = await download(page, '#save-svg', 'sudoku.svg')
  const path = join(folder, 'shown.svg')
  run(['show', PUZZLE, '--solutions', '1', '--svg', path])
  assert.ok(svg.equals(readFileSync(path)), 'the picture is that of the command')
  await close(page)
})

test('look: chains are drawn with their links, duplicates are marked, a bad text says where', { timeout: 600_000 }, async () => {
  const page = await open(`#look?p=${data('minimal.txt').toString().split('\n').slice(0, 400).find(line => {
    const rated = JSON.parse(run(['rate', '-q', '--format', 'jsonl', line.slice(0, 81)]).stdout)
    return /chain|cycle/.test(rated.technique) && rated.er < 7.5
  }).slice(0, 81)}`)
  await says(page, 'look-status', /(chain|cycle)/)
  await page.waitForSelector('#step-list li')
  await page.$$eval('#step-list button', buttons => buttons.find(button => /^(X|Y|XY)-(chain|cycle)/.test(button.textContent)).click())
  assert.ok(await page.$$eval('#board path.link', links => links.length) > 1)
  await page.$eval('#look-text', field => { field.value = '' })
  await page.type('#look-text', `11${'.'.repeat(79)}`)
  await says(page, 'look-status', /Duplicates: 1 at r1c1 and r1c2/)
  assert.equal(await page.$$eval('#board input[aria-invalid=true]', fields => fields.length), 2)
  // A text that is no puzzle leaves nothing of the old one behind.
  await page.$eval('#look-text', field => { field.value = '' })
  await page.type('#look-text', PUZZLE)
  await says(page, 'look-status', /Rating 4\.5/)
  await page.click('#step-next')
  await says(page, 'step-place', /^1 of/)
  for (const [bad, said] of [
    ['12345', /line 1, column 6: end of line/],
    [`\n${PUZZLE.replace('7', 'z')}`, /line 2, column 7: 'z' where/],
    ['123\n456', /line 1, column 4: end of line/],
    [`${PUZZLE}\n${PUZZLE}`, /second begins in line 2/],
  ]) {
    await page.$eval('#look-text', field => { field.value = '' })
    await page.type('#look-text', bad)
    await says(page, 'look-error', said)
    assert.equal(await shown(page), '.'.repeat(81))
    assert.deepEqual([await text(page, 'step-words'), await text(page, 'step-place'), await text(page, 'look-status'), await text(page, 'step-list')], ['', '', '', ''])
    assert.ok(await page.$eval('#step-next', button => button.disabled))
    assert.equal(await page.evaluate(() => location.hash), '#look')
    assert.equal(await page.$eval('#look-text', field => field.getAttribute('aria-invalid')), 'true')
    // A good text makes it good.
    await page.$eval('#look-text', field => { field.value = '' })
    await page.type('#look-text', PUZZLE)
    await says(page, 'look-error', /^$/)
    await says(page, 'look-status', /^One solution/)
  }
  await close(page)
})

/** Whether an element ends on the screen, without scrolling. */
const endsOnScreen = (page, id) => page.$eval(`#${id}`, element => element.getBoundingClientRect().bottom <= innerHeight && scrollY === 0)

test('it opens on a chain, and on a phone the board and the step are one screen', { timeout: 600_000 }, async () => {
  // The pixels that a browser leaves of 844.
  const page = await open('', { width: 390, height: 664 })
  await says(page, 'step-place', /^\d+ of \d+$/)
  await says(page, 'look-status', /Rating \d/)
  const puzzle = await page.$eval('#look-text', field => field.value)
  const steps = explained(puzzle)
  const at = steps.findIndex(step => step.technique === 'XY-chain')
  assert.equal(await text(page, 'step-place'), `${at + 1} of ${steps.length}`)
  assert.equal(steps[at].rating, Math.max(...steps.map(step => step.rating)))
  assert.ok((await text(page, 'step-words')).startsWith(`XY-chain (${steps[at].rating.toFixed(1)}): `))
  assert.ok(await page.$$eval('#board path.link', links => links.length) >= steps[at].chains.chains[0].length - 1)
  assert.equal(await page.evaluate(() => location.hash), '')
  // Rows and columns have their names next to them.
  const middles = await page.$$eval('.names span', names => names.map(name => {
    const { x, y, width, height } = name.getBoundingClientRect()
    return [name.textContent, x + width / 2, y + height / 2]
  }))
  assert.equal(middles.length, 18)
  const boxes = await page.$$eval('#board input', fields => fields.map(field => field.getBoundingClientRect().toJSON()))
  for (const [name, x, y] of middles) {
    const { left, right, top, bottom } = boxes[(name[1] - 1) * (name[0] === 'r' ? 9 : 1)]
    assert.ok(name[0] === 'r' ? top < y && y < bottom && x < left : left < x && x < right && y < top, name)
  }
  assert.ok(await endsOnScreen(page, 'step-words'))
  // Long chains are folded, so this holds for the hardest steps, too.
  const hard = await page.$$eval('#examples option', options => options.find(({ text }) => text === 'forcing chains').value)
  await page.select('#examples', hard)
  await says(page, 'step-place', /^\d+ of 1\d\d$/)
  await page.click('#step-first')
  // The last of these is a chain.
  const chains = explained(hard).slice(0, 24)
  let folded = 0
  for (const step of chains) {
    await page.click('#step-next')
    await says(page, 'step-place', new RegExp(`^${step.step} of`))
    assert.ok(await endsOnScreen(page, 'step-words'), step.words)
    const details = await page.$('#step-words details')
    if (!details) continue
    folded++
    assert.ok(!await details.evaluate(element => element.open))
    assert.match(await text(page, 'step-words'), new RegExp(`\\): (Strike|r\\dc\\d is) .*Why: .*${step.chains.chains.flat().length} candidates`))
  }
  assert.ok(folded > 10)
  await page.click('#step-words summary')
  const squeezed = words => words.replaceAll(/\s/g, '')
  // The effect stands before its reason.
  const [reason] = chains.at(-1).words.split(/(?<=\.) Strike /)
  assert.ok(squeezed(await text(page, 'step-words')).includes(squeezed(reason)))
  await close(page)
})

test('typing plays, and the editor is a mode', { timeout: 600_000 }, async () => {
  const page = await open(`#look?p=${PUZZLE}`)
  const steps = explained(PUZZLE)
  await says(page, 'look-status', /Rating 4\.5/)
  await listed(page, steps.length)
  const blanks = [...PUZZLE].flatMap((cell, n) => cell === '.' ? [n] : [])
  const filled = [...PUZZLE]
  const type = async (n, digit) => {
    await page.focus(cell(n))
    await page.keyboard.press(digit)
  }
  const label = n => page.$eval(cell(n), field => field.getAttribute('aria-label'))
  // A clue stays.
  await type(0, '9')
  assert.equal(await shown(page), PUZZLE)
  for (const n of blanks.slice(0, 3)) {
    await type(n, SOLUTION[n])
    filled[n] = SOLUTION[n]
  }
  assert.equal(await shown(page), filled.join(''))
  assert.match(await label(blanks[0]), /your digit$/)
  assert.match(await label(0), /clue$/)
  assert.equal(await page.evaluate(() => location.hash), `#look?p=${PUZZLE}`)
  assert.match(await text(page, 'look-status'), /25 clues\. Rating 4\.5/)
  // The steps go on from there, as those of the command from these digits.
  const rest = explained(filled.join(''))
  await listed(page, rest.length)
  for (const step of rest.slice(0, 4)) {
    await page.click('#step-next')
    await says(page, 'step-place', new RegExp(`^${step.step} of ${rest.length}$`))
    assert.ok((await text(page, 'step-words')).includes(step.words))
  }
  // Digits that the steps have found stay when the player goes on.
  for (const { places } of rest.slice(0, 3)) {
    const [, row, column, digit] = /r(\d)c(\d)=(\d)/.exec(places)
    filled[9 * (row - 1) + (column - 1)] = digit
  }
  assert.equal(await shown(page), filled.join(''))
  const next = filled.indexOf('.')
  await type(next, SOLUTION[next])
  filled[next] = SOLUTION[next]
  assert.equal(await shown(page), filled.join(''))
  // A wrong digit is the next thing to mend.
  const last = filled.lastIndexOf('.')
  const wrong = [...'123456789'].find(digit => digit !== SOLUTION[last])
  await type(last, wrong)
  await page.click('#step-next')
  const name = `r${Math.floor(last / 9) + 1}c${last % 9 + 1}`
  await says(page, 'step-words', new RegExp(`^${name} is not ${wrong}`))
  assert.equal(await page.$eval(cell(last), field => field.getAttribute('aria-invalid')), 'true')
  // A digit that stands in the same house is marked.
  const same = [...filled].findIndex((digit, n) => n !== last && digit !== '.' && Math.floor(n / 9) === Math.floor(last / 9))
  await type(last, filled[same])
  assert.equal(await page.$eval(cell(last), field => field.getAttribute('aria-invalid')), 'true')
  await page.keyboard.press('Backspace')
  assert.equal(await shown(page), filled.join(''))
  // The keyboard of a phone sends characters, and no keys.
  for (const digit of [wrong, SOLUTION[last]]) {
    await page.keyboard.sendCharacter(digit)
    assert.equal(await shown(page), filled.with(last, digit).join(''))
  }
  await page.keyboard.press('Delete')
  assert.equal(await shown(page), filled.join(''))
  // A digit that is typed nowhere goes into the cell that was chosen last.
  await page.evaluate(() => document.activeElement.blur())
  await page.keyboard.press(SOLUTION[last])
  filled[last] = SOLUTION[last]
  assert.equal(await shown(page), filled.join(''))
  for (const n of blanks) await type(n, SOLUTION[n])
  assert.equal(await text(page, 'look-status'), 'Solved: every digit is right.')
  await page.click('#erase')
  assert.equal(await shown(page), PUZZLE)
  assert.match(await text(page, 'look-status'), /^One solution/)
  // The editor changes the puzzle.
  await page.click('#mode-edit')
  await type(blanks[0], SOLUTION[blanks[0]])
  const changed = PUZZLE.slice(0, blanks[0]) + SOLUTION[blanks[0]] + PUZZLE.slice(blanks[0] + 1)
  await says(page, 'look-status', /26 clues\. Rating/)
  assert.equal(await page.evaluate(() => location.hash), `#look?p=${changed}`)
  assert.equal(await page.$eval('#look-text', field => field.value), changed)
  assert.match(await label(blanks[0]), /clue$/)
  await page.click('#erase')
  await says(page, 'look-status', /^An empty grid/)
  assert.equal(await shown(page), '.'.repeat(81))
  // Of several solutions each is one.
  const [, second] = run(['solutions', '-q', '--limit', '2', SEVERAL]).stdout.toString().trim().split('\n').map(line => line.slice(-81))
  await page.$eval('#look-text', field => { field.value = '' })
  await page.type('#look-text', SEVERAL)
  await says(page, 'look-status', /solutions\. \d+ clues/)
  for (const [n, digit] of [...second].entries()) if (SEVERAL[n] === '.') await type(n, digit)
  assert.equal(await text(page, 'look-status'), 'Solved: every digit is right.')
  await close(page)
})

test('make: puzzles as asked, saved as the command writes them', { timeout: 600_000 }, async () => {
  const page = await open('#make')
  await page.$eval('#make-n', field => { field.value = '20' })
  await page.select('#make-difficulty', 'medium')
  await page.select('#make-symmetry', 'rotate180')
  await page.$eval('#make-seed', field => { field.value = '18446744073709551615' })
  await page.click('#make-form button.main')
  await says(page, 'make-status', /^20 puzzles/)
  assert.equal(await page.$$eval('#make-list img', images => images.filter(image => image.naturalWidth > 0).length), 12)
  const args = ['puzzles', '20', '-q', '--difficulty', 'medium', '--symmetry', 'rotate180', '--seed', '18446744073709551615']
  assert.ok((await download(page, '#make-csv', 'puzzles.csv')).equals(run([...args, '--format', 'csv']).stdout))
  const lines = run(args).stdout
  assert.ok((await download(page, '#make-lines', 'puzzles.txt')).equals(lines))
  const links = (await download(page, '#make-links', 'links.txt')).toString().trim().split('\n')
  assert.deepEqual(links.map(link => link.split('p=')[1]), lines.toString().trim().split('\n'))
  const sheet = (await download(page, '#make-sheet', 'sheet.html')).toString()
  assert.equal(sheet.match(/<svg/g).length, 40, 'puzzles and answers')
  await page.click('#make-list a')
  await says(page, 'look-status', /One solution/)
  await close(page)
})

/** Gives a file to the page, asks, and waits for the end. */
async function ask(page, path, question, before = async () => {}) {
  const input = await page.$('#file')
  await input.uploadFile(path)
  await page.waitForSelector('#batch-asked:not([hidden])')
  await page.select('#question', question)
  await before()
  await page.click('#batch-start')
  await says(page, 'batch-status', /^Done/, 200_000)
}

test('batch: all questions give the file that the command writes', { timeout: 600_000 }, async () => {
  const page = await open('#batch')
  assert.match(await text(page, 'batch'), /never leaves this machine/)
  const lines = file('some.txt', mixed().join('\n'))
  const table = file('quizzes.csv', run(['solve', '-q', '--format', 'csv', '--solution-column', 'solutions', '--status-column', 'how', lines]).stdout)
  const gz = file('quizzes.csv.gz', packed('gzip', table))
  const zst = file('quizzes.csv.zst', packed('zstd', table))
  for (const [question, args] of Object.entries({
    solve: ['solve'], check: ['check', '--rows'], rate: ['rate'], count: ['count'], canonical: ['canonical'], dedup: ['dedup'],
  })) {
    for (const path of [table, gz, zst].slice(0, question === 'solve' ? 3 : 1)) {
      await ask(page, path, question)
      const rejects = join(folder, 'rejects')
      const expected = run([...args, path, '--rejects', rejects])
      const name = `quizzes.${question}.csv`
      const saved = join(page.downloads, name)
      if (existsSync(saved)) writeFileSync(saved, '')
      assert.ok((await download(page, '#save-result', name)).equals(expected.stdout), `${question} of ${path}`)
      assert.match(await text(page, 'summary'), /records/)
      if (question === 'solve' && path === table) {
        assert.match(await text(page, 'preview'), /puzzle.*solutions.*how/)
        assert.ok((await download(page, '#save-rejects', 'quizzes.rejects.tsv')).equals(readFileSync(rejects)))
        assert.match(await text(page, 'reject-list'), /malformed/)
      }
    }
  }
  await close(page)
})

test('batch: a file is dropped', { timeout: 600_000 }, async () => {
  const page = await open('#batch')
  const path = file('dropped.csv', run(['convert', '-q', '--format', 'csv', file('d.txt', mixed().slice(0, 100).join('\n'))]).stdout)
  const drop = await (await page.$('#drop')).boundingBox()
  const session = await page.createCDPSession()
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await session.send('Input.dispatchDragEvent', { type, x: drop.x + drop.width / 2, y: drop.y + drop.height / 2, data })
  }
  await page.waitForSelector('#batch-asked:not([hidden])')
  assert.match(await text(page, 'batch-form'), /^dropped\.csv: .* form csv/)
  await page.click('#batch-start')
  await says(page, 'batch-status', /^Done/)
  assert.ok((await download(page, '#save-result', 'dropped.solve.csv')).equals(run(['solve', '-q', path]).stdout))
  await close(page)
})

test('a screen reader hears the grid, its cells, and what changes', { timeout: 600_000 }, async () => {
  const page = await open(`#look?p=${PUZZLE}`)
  await says(page, 'look-status', /Rating 4\.5/)
  const session = await page.createCDPSession()
  // The announced words: the role and the name of each node that is not left out.
  const heard = async () => {
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    return nodes.filter(node => !node.ignored).map(node => ({
      role: node.role?.value, name: node.name?.value ?? '', value: node.value?.value,
      live: node.properties?.find(({ name }) => name === 'live')?.value.value,
      invalid: node.properties?.find(({ name }) => name === 'invalid')?.value.value,
    }))
  }
  const nodes = await heard()
  const of = role => nodes.filter(node => node.role === role)
  assert.equal(of('grid')[0].name, 'Sudoku')
  assert.equal(of('row').length, 9)
  assert.equal(of('gridcell').length, 81)
  const fields = of('textbox').filter(({ name }) => name.startsWith('row '))
  assert.deepEqual(fields.map(({ name, value }) => [name, value || '.']), [...PUZZLE].map((cell, n) =>
    [`row ${Math.floor(n / 9) + 1} column ${n % 9 + 1}, ${cell === '.' ? 'blank' : 'clue'}`, cell]))
  assert.ok(of('status').some(({ live }) => live === 'polite'))
  assert.ok(nodes.some(({ role, name }) => role === 'StaticText' && /^One solution\. 25 clues\. Rating 4\.5/.test(name)))
  for (const role of ['button', 'link', 'textbox', 'combobox', 'checkbox', 'spinbutton']) {
    assert.deepEqual(of(role).filter(({ name }) => !name), [], `a ${role} has no name`)
  }
  assert.deepEqual(of('heading').slice(0, 1).map(({ name }) => name.length > 0), [true])
  await page.click('#show-candidates')
  assert.match((await heard()).find(({ name }) => name.startsWith('row 1 column 2')).name, /^row 1 column 2, candidates( [1-9])+$/)
  await page.$eval('#look-text', field => { field.value = '' })
  await page.type('#look-text', `11${'.'.repeat(79)}`)
  await says(page, 'look-status', /Duplicates/)
  assert.deepEqual((await heard()).filter(({ invalid }) => invalid === 'true').map(({ name }) => name),
    ['row 1 column 1, clue', 'row 1 column 2, clue'])
  await close(page)
})

test('look: a puzzle by candidates shows its pencil marks', { timeout: 600_000 }, async () => {
  const page = await open()
  const puzzle = run(['convert', '-q', '--format', 'candidates', '--reduce', PUZZLE]).stdout.toString().trim()
  await page.type('#look-text', puzzle.slice(0, 700))
  await page.type('#look-text', puzzle.slice(700))
  const rated = JSON.parse(run(['rate', '-q', '--format', 'jsonl', puzzle]).stdout)
  await says(page, 'look-status', new RegExp(`One solution\\..*Rating ${rated.er.toFixed(1)}`))
  assert.equal(await page.evaluate(() => location.hash), `#look?p=${puzzle}`)
  await page.click('#step-next')
  await says(page, 'step-place', /^1 of/)
  await close(page)
})

test('batch: a damaged file says so, and a cancelled one leaves nothing', { timeout: 600_000 }, async () => {
  const page = await open('#batch')
  const whole = packed('gzip', file('x.txt', mixed().join('\n')))
  await (await page.$('#file')).uploadFile(file('cut.txt.gz', whole.subarray(0, whole.length - 20)))
  await page.waitForFunction(() => document.getElementById('batch-error').textContent || !document.getElementById('batch-asked').hidden)
  if (!await text(page, 'batch-error')) await page.click('#batch-start')
  await says(page, 'batch-error', /cut\.txt\.gz: the gzip data is damaged at byte \d+/)
  const hard = data('hard.txt').toString().split('\n').map(line => line.slice(0, 81)).filter(Boolean)
  await (await page.$('#file')).uploadFile(file('slow.txt', Array(3000).fill(hard.slice(0, 20).join('\n')).join('\n')))
  await page.waitForSelector('#batch-asked:not([hidden])')
  await page.select('#question', 'rate')
  await page.click('#batch-start')
  await sleep(700)
  await page.evaluate(async () => {
    document.getElementById('batch-cancel').click()
    while (!/^Cancelled/.test(document.getElementById('batch-status').textContent)) await new Promise(requestAnimationFrame)
  })
  assert.ok(await page.$eval('#batch-done', element => element.hidden))
  await close(page)
})

test('the page works by the keyboard alone', { timeout: 600_000 }, async () => {
  const page = await open()
  await says(page, 'step-place', /of/)
  await page.keyboard.press('Tab')
  assert.match(await page.evaluate(() => document.activeElement.textContent), /content/)
  for (let n = 0; n < 4; n++) await page.keyboard.press('Tab')
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^row 1 column 1, candidates/)
  const reach = async (selector, key = 'Tab') => {
    for (let n = 0; n < 90; n++) {
      if (await page.evaluate(selector => document.activeElement.matches(selector), selector)) return
      if (key === 'Tab') await page.keyboard.press('Tab')
      else { await page.keyboard.down('Shift'); await page.keyboard.press('Tab'); await page.keyboard.up('Shift') }
    }
    assert.fail(`${selector} is not reached`)
  }
  await reach('#mode-play')
  await page.keyboard.press('ArrowRight')
  await reach('#erase')
  await page.keyboard.press('Enter')
  await says(page, 'look-status', /^An empty grid/)
  await reach('#board input', 'Shift+Tab')
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'row 1 column 1, blank')
  for (const cell of PUZZLE) {
    await page.keyboard.press(cell === '.' ? 'Delete' : cell)
    const column = await page.evaluate(() => document.activeElement.parentElement.matches(':last-child'))
    await page.keyboard.press('ArrowRight')
    if (column) await page.keyboard.press('ArrowDown')
  }
  await says(page, 'look-status', /One solution\. 25 clues/)
  await reach('#step-next')
  await page.keyboard.press('Enter')
  await says(page, 'step-words', /Hidden single/)
  await close(page)
})

test('it works without a network', { timeout: 600_000 }, async () => {
  const page = await open()
  await says(page, 'offline', /without a network/)
  await page.setOfflineMode(true)
  await page.goto(`${address}#look?p=${PUZZLE}`)
  await page.reload()
  await says(page, 'look-status', /Rating 4\.5/)
  await page.goto(`${address}#batch`)
  await ask(page, file('offline.txt', mixed().join('\n')), 'solve')
  await page.setOfflineMode(false)
  await close(page)
})

test('axe finds nothing, at both widths, light and dark', { timeout: 600_000 }, async () => {
  for (const width of [1280, 390]) {
    for (const dark of [false, true]) {
      const page = await open(`#look?p=${PUZZLE}`, { width, height: width === 390 ? 844 : 900, dark })
      await page.evaluate(AXE)
      const check = async name => {
        const { violations } = await page.evaluate(() => globalThis.axe.run())
        assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)]), [], `${name} ${width} ${dark}`)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(wide <= 0, `${name} is ${wide} px too wide at ${width}`)
        await page.screenshot({ path: join(screenshots, `${name}-${width}-${dark ? 'dark' : 'light'}.png`), fullPage: true })
      }
      await says(page, 'look-status', /Rating 4\.5/)
      await page.click('#step-next')
      await says(page, 'step-place', /^1 of/)
      if (width === 390) await page.click('#all-steps summary')
      await page.$$eval('#step-list button', buttons => buttons.find(button => /Strike/.test(button.textContent)).click())
      await check('look')
      // A digit that is wrong, pencil marks, and the editor.
      await page.focus(cell(1))
      await page.keyboard.press('4')
      await page.click('#show-candidates')
      await page.click('#step-next')
      await says(page, 'step-words', /is not 4/)
      await check('play')
      const hard = await page.$$eval('#examples option', options => options.find(({ text }) => text === 'forcing chains').value)
      await page.select('#examples', hard)
      await says(page, 'step-place', /^\d+ of 1\d\d$/)
      await page.click('#step-words summary')
      await check('chains')
      await page.click('#look-text')
      await page.keyboard.type('12345')
      await says(page, 'look-error', /column 6/)
      await check('bad')
      await page.click('#to-make')
      await page.click('#make-form button.main')
      await says(page, 'make-status', /^6 puzzles/)
      await check('make')
      await page.click('#to-batch')
      await ask(page, file('kaggle.csv', run(['solve', '-q', '--format', 'csv', '--solution-column', 'solutions', '--status-column', 'how', file('k.txt', mixed().join('\n'))]).stdout), 'solve')
      await check('batch')
      await close(page)
    }
  }
})

/** The memory of the renderers of this browser in bytes, their part of shared pages (PSS). */
function renderers() {
  const below = [browser.process().pid]
  let sum = 0
  for (let n = 0; n < below.length; n++) {
    try {
      for (const task of readdirSync(`/proc/${below[n]}/task`)) {
        const children = readFileSync(`/proc/${below[n]}/task/${task}/children`, 'utf8')
        below.push(...children.split(' ').filter(Boolean))
      }
      if (!readFileSync(`/proc/${below[n]}/cmdline`, 'utf8').includes('--type=renderer')) continue
      sum += 1024 * Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${below[n]}/smaps_rollup`, 'utf8'))[1])
    } catch {
      // It has ended.
    }
  }
  return sum
}

test('a million easy puzzles', { timeout: 600_000 }, async () => {
  const easy = data('easy.txt').toString().split('\n').map(line => line.slice(0, 81)).filter(Boolean)
  const rows = ['puzzle']
  for (let n = 0; n < 1_000_000; n++) rows.push(easy[n % easy.length])
  const path = file('million.csv', rows.join('\n') + '\n')
  const page = await open('#batch')
  const before = renderers()
  assert.ok(before > 0)
  let most = before
  const timer = setInterval(() => { most = Math.max(most, renderers()) }, 50)
  await ask(page, path, 'solve')
  clearInterval(timer)
  const said = await text(page, 'batch-status')
  const more = (most - before) / 1e6
  console.log(`a million rows: ${said} The renderers have at most ${more.toFixed(0)} MB more than before`)
  assert.match(said, /1,000,000 records/)
  assert.ok(more < 300, `${more} MB`)
  const found = await download(page, '#save-result', 'million.solve.csv')
  const expected = run(['solve', '-q', path]).stdout
  for (let n = 0; n < 100 && statSync(join(page.downloads, 'million.solve.csv')).size < expected.length; n++) await sleep(100)
  assert.ok(readFileSync(join(page.downloads, 'million.solve.csv')).equals(expected), `${found.length}`)
  await close(page)
})
