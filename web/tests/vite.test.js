// The package in an app of Vite, installed as web/package/README.md says: built, and from the server for work on it.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import puppeteer from 'puppeteer-core'
import { build, createServer, preview } from 'vite'
import { data, folder, install, root, run } from './command.js'

const app = join(folder, 'vite-app')
const EASY = data('easy.txt').toString().split('\n').slice(0, 50).map(line => `${line.slice(0, 81)}\n`).join('')

// Both parts of the engine, here and in workers.
const CODE = `
import { batch, rate, solve } from 'sudoku-batch'
const lines = ${JSON.stringify(EASY)}
const [first] = lines.split('\\n')
const of = async () => [(await solve(first)).solution, (await rate(first)).er, await (await batch(lines, 'solve')).text()]
globalThis.answer = of().catch(error => String(error))
`

let browser

before(async () => {
  mkdirSync(app)
  install(app)
  writeFileSync(join(app, 'index.html'), '<!doctype html><link rel="icon" href="data:,"><script type="module" src="app.js"></script>')
  writeFileSync(join(app, 'app.js'), CODE)
  browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
})

after(() => browser?.close())

async function answers(server) {
  const page = await browser.newPage()
  const faults = []
  page.on('pageerror', error => faults.push(error.message))
  page.on('response', response => { if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`) })
  try {
    await page.goto(server.resolvedUrls.local[0])
    await page.waitForFunction(() => globalThis.answer)
    const [first] = EASY.split('\n')
    const solved = run(['solve', '-q'], EASY).stdout.toString()
    const { er } = JSON.parse(run(['rate', '-q', '--format', 'jsonl', first]).stdout)
    assert.deepEqual(await page.evaluate(() => globalThis.answer), [solved.split('\n')[0], er, solved])
    assert.deepEqual(faults, [])
  } finally {
    await page.close()
    await server.close()
  }
}

// The configuration as it is, and with the lines that the page has for earlier versions.
const block = /^```js\n(export default .*?)^```/ms.exec(readFileSync(join(root, 'web/package/README.md'), 'utf8'))[1]
const { default: earlier } = await import(`data:text/javascript,${encodeURIComponent(block)}`)

for (const [name, config] of Object.entries({ 'as it is': {}, 'with the lines of the page': earlier })) {
  const own = { ...config, root: app, configFile: false, logLevel: 'error', cacheDir: join(folder, `vite-${name.length}`) }

  test(`an app of Vite is built, ${name}`, { timeout: 600_000 }, async () => {
    await build(own)
    await answers(await preview({ ...own, preview: { port: 0, host: '127.0.0.1' } }))
  })

  test(`an app of Vite runs from its server, ${name}`, { timeout: 600_000 }, async () => {
    const server = await createServer({ ...own, server: { port: 0, host: '127.0.0.1' } })
    await answers(await server.listen())
  })
}
