// The task "Batch": a file in, the answers to all of its records out.
import { batch, inspect } from './sudoku-batch/browser.js'
import { byId } from './save.js'

const number = n => n.toLocaleString('en')

const ENDINGS = { csv: 'csv', tsv: 'tsv', jsonl: 'jsonl' }

export function startBatch() {
  let file
  let work
  let saved = []

  const say = (id, text) => { byId(id).textContent = text }

  function row(cells, kind = 'td') {
    const line = document.createElement('tr')
    for (const text of cells) {
      const cell = document.createElement(kind)
      cell.textContent = text
      if (kind === 'td' && /^[\d.]{81}$/.test(text)) cell.className = 'cells'
      line.append(cell)
    }
    return line
  }

  const head = cells => {
    const part = document.createElement('thead')
    const line = row(cells, 'th')
    for (const cell of line.children) cell.scope = 'col'
    part.append(line)
    return part
  }

  async function choose(chosen, puzzleColumn) {
    file = chosen
    clear()
    say('batch-error', '')
    byId('batch-asked').hidden = true
    try {
      const about = await inspect(file, { most: 5, puzzleColumn })
      say('batch-form', `${file.name}: ${number(file.size)} bytes, form ${about.form}` +
        `${about.packing ? `, packed by ${about.packing}` : ''}${about.column ? `, puzzles in column ${about.column}` : ''}.`)
      const body = document.createElement('tbody')
      for (const { fields, error } of about.records) body.append(row(error ? [...fields, `⚠ ${error}`] : fields))
      byId('preview').replaceChildren(...about.columns.length ? [head(about.columns)] : [], body)
      const hasColumns = about.columns.length > 0
      byId('column-label').hidden = !hasColumns
      byId('column').replaceChildren(...about.columns.map(name => new Option(name, name, false, name === about.column)))
      const others = about.columns.filter(name => name !== about.column)
      byId('answers').replaceChildren(new Option('no column', ''), ...others.map(name => new Option(name, name)))
      byId('batch-asked').hidden = false
      asked()
    } catch (error) {
      say('batch-error', `${file.name}: ${error.message}.`)
    }
  }

  /** Shows the options of the question. */
  function asked() {
    const question = byId('question').value
    byId('unique-label').hidden = question !== 'solve'
    byId('answers-label').hidden = question !== 'check' || byId('answers').options.length < 2
  }

  function clear() {
    saved.forEach(url => URL.revokeObjectURL(url))
    saved = []
    byId('batch-done').hidden = true
    say('batch-status', '')
  }

  const offer = (id, blob, name) => {
    const link = byId(id)
    const url = URL.createObjectURL(blob)
    saved.push(url)
    link.href = url
    link.download = name
  }

  /** The name of the result: `puzzles.csv.gz` becomes `puzzles.solve.csv`. */
  function resultName(question, form) {
    const plain = file.name.replace(/\.(gz|zst)$/i, '').replace(/\.[^.]*$/, '')
    return `${plain}.${question}.${ENDINGS[form] ?? 'txt'}`
  }

  function progress({ bytes, totalBytes, records, seconds }) {
    const part = totalBytes ? bytes / totalBytes : 0
    byId('batch-progress').value = part
    const left = part > 0 && part < 1 ? `, about ${Math.ceil(seconds / part - seconds)} s left` : ''
    say('batch-status', `${number(records)} records, ${number(Math.round(records / Math.max(seconds, .001)))} a second${left}.`)
  }

  async function run() {
    clear()
    say('batch-error', '')
    work = new AbortController()
    const question = byId('question').value
    byId('batch-start').disabled = true
    byId('batch-cancel').disabled = false
    byId('batch-progress').hidden = false
    byId('batch-progress').value = 0
    let shown = 0
    const rejects = []
    try {
      const answer = await batch(file, question, {
        unique: question === 'solve' && byId('unique').checked || undefined,
        answerColumn: question === 'check' && byId('answers').value || undefined,
        puzzleColumn: byId('column').value || undefined,
        signal: work.signal,
        onRejects: bytes => rejects.push(new Blob([bytes])),
        onProgress: at => {
          // Ten times a second: a screen reader and the layout get some peace.
          if (performance.now() - shown < 100) return
          shown = performance.now()
          progress(at)
        },
      })
      const blob = await answer.blob()
      const report = await answer.report()
      offer('save-result', blob, resultName(question, answer.outputForm))
      offer('save-rejects', new Blob(rejects), resultName('rejects', 'tsv'))
      finish(report, rejects.length > 0)
    } catch (error) {
      const isCancelled = error.name === 'AbortError'
      say('batch-status', isCancelled ? 'Cancelled. Nothing was kept.' : '')
      if (!isCancelled) say('batch-error', `${file.name}: ${error.message}.`)
    } finally {
      byId('batch-start').disabled = false
      byId('batch-cancel').disabled = true
      byId('batch-progress').hidden = true
    }
  }

  function finish(report, hasRejects) {
    const { records, seconds, counts, failed, accuracies = {} } = report
    say('batch-status', `Done: ${number(records)} records in ${seconds.toFixed(2)} s, ` +
      `${number(Math.round(records / Math.max(seconds, .001)))} a second.`)
    const rows = [['records', records], ...Object.entries(counts).filter(([, n]) => n > 0), ['failed', failed]]
    const scores = Object.entries(accuracies).filter(([, score]) => score != null)
    byId('summary').tBodies[0].replaceChildren(
      ...rows.map(([name, n]) => row([name, number(n)])),
      ...scores.map(([name, score]) => row([name.replaceAll('_', ' '), score.toFixed(6)])),
    )
    byId('save-rejects').hidden = !hasRejects
    byId('rejects').hidden = !hasRejects
    const body = document.createElement('tbody')
    body.append(...report.rejects.map(({ line, reason, detail, record }) => row([line, reason, detail, record])))
    byId('reject-list').replaceChildren(head(['line', 'reason', 'detail', 'record']), body)
    byId('batch-done').hidden = false
  }

  const drop = byId('drop')
  drop.ondragover = event => { event.preventDefault(); drop.classList.add('over') }
  drop.ondragleave = () => drop.classList.remove('over')
  drop.ondrop = event => {
    event.preventDefault()
    drop.classList.remove('over')
    if (event.dataTransfer.files.length) choose(event.dataTransfer.files[0])
  }
  byId('file').onchange = event => { if (event.target.files.length) choose(event.target.files[0]) }
  byId('column').onchange = event => choose(file, event.target.value)
  byId('question').onchange = asked
  byId('batch-start').onclick = run
  byId('batch-cancel').onclick = () => work.abort()
}
