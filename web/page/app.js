// The three tasks of the page, chosen by the fragment of its address: #look, #make, #batch.
import { ready } from './sudoku-batch/browser.js'
import { startBatch } from './batch.js'
import { startLook } from './look.js'
import { startMake } from './make.js'

const TASKS = ['look', 'make', 'batch']

const look = startLook()
startMake()
startBatch()

/** The task and the puzzle of the address, as in `#look?p=4..52…`. */
function address() {
  const [task, query = ''] = location.hash.slice(1).split('?')
  const puzzle = new URLSearchParams(query).get('p')
  return { task: TASKS.includes(task) ? task : 'look', puzzle }
}

function show() {
  if (location.hash === '#main') return document.getElementById('main').focus()
  const { task, puzzle } = address()
  for (const name of TASKS) {
    document.getElementById(name).hidden = name !== task
    const link = document.getElementById(`to-${name}`)
    name === task ? link.setAttribute('aria-current', 'page') : link.removeAttribute('aria-current')
  }
  document.title = `${task[0].toUpperCase()}${task.slice(1)} – sudoku-batch`
  if (puzzle) look.show(puzzle)
  else if (task === 'look') look.open()
}

addEventListener('hashchange', show)
show()
ready().then(() => { document.documentElement.dataset.ready = String(Math.round(performance.now())) })

if ('serviceWorker' in navigator && isSecureContext) {
  navigator.serviceWorker.register('sw.js').then(() => navigator.serviceWorker.ready).then(() => {
    document.getElementById('offline').textContent = 'Ready to work without a network.'
  }).catch(() => {})
}
