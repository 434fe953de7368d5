// The task "Look": one puzzle, its status, its rating, and the steps to its solution.
import { look, picture, rate, steps } from './sudoku-batch/browser.js'
import { Board, cellOf, peersOf } from './board.js'
import { byId, linkTo, save } from './save.js'

const EXAMPLES = {
  'easy: singles': '..1....3..4....6..5.7.8..9.....2.8...3.....4...6.5.....8..7.3.5..2....1..9....7..',
  'pointing': '....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.',
  'unique rectangle': '4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8',
  'chains': '1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..',
  'several solutions': '4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.....8',
}

const EMPTY = '.'.repeat(81)

export function startLook() {
  let seen = { puzzle: EMPTY, cells: EMPTY, candidates: [], conflicts: [], status: 'multiple' }
  let way = null
  let place = 0
  let rating = ''
  let work = new AbortController()
  let timer

  const board = new Board(byId('board'), text => show(text, 'board'))

  /** The digits and candidates after the first steps. */
  function position(count) {
    const digits = [...seen.cells]
    const candidates = [...seen.candidates]
    for (const { place, strikes } of way?.slice(0, count) ?? []) {
      if (place) {
        const cell = cellOf(place.cell)
        digits[cell] = String(place.digit)
        for (const peer of peersOf(cell)) candidates[peer] &= ~(1 << (place.digit - 1))
      }
      for (const { cell, digit } of strikes) candidates[cellOf(cell)] &= ~(1 << (digit - 1))
    }
    return { digits, candidates }
  }

  function draw() {
    const step = way?.[place - 1]
    const { digits, candidates } = position(Math.max(place - 1, 0))
    const withSolution = byId('show-solution').checked && seen.solution
    const wrong = new Set(seen.conflicts.flatMap(conflict => conflict.cells))
    board.draw({
      clues: seen.cells,
      digits: withSolution ? seen.solution : digits,
      candidates: byId('show-candidates').checked || step || seen.puzzle !== seen.cells ? candidates : undefined,
      wrong,
      step: withSolution ? undefined : step,
    })
    const count = way?.length ?? 0
    byId('step-place').textContent = way ? `${place} of ${count}` : ''
    const hasWay = seen.solution && seen.puzzle !== EMPTY
    byId('step-back').disabled = byId('step-first').disabled = place === 0
    byId('step-next').disabled = !hasWay || (way !== null && place >= count)
    byId('step-words').textContent = words(step, count)
    for (const [n, item] of [...byId('step-list').children].entries()) {
      const button = item.firstChild
      n === place - 1 ? button.setAttribute('aria-current', 'step') : button.removeAttribute('aria-current')
    }
  }

  function words(step, count) {
    if (!step) return way && place === count && count === 0 ? 'The grid is full: there are no steps.' : ''
    const name = step.kind === 'guess' ? '' : `${step.technique[0].toUpperCase()}${step.technique.slice(1)} (${step.rating.toFixed(1)}): `
    const strikes = step.strikes.length
      ? ` Struck: ${step.strikes.map(({ cell, digit }) => `${digit} from ${cell}`).join(', ')}.` : ''
    const placed = step.place ? ` Placed: ${step.place.digit} in ${step.place.cell}.` : ''
    return `${name}${step.words}${strikes}${placed}`
  }

  function status() {
    const clues = `${seen.clues} clue${seen.clues === 1 ? '' : 's'}`
    if (seen.puzzle === EMPTY) return 'An empty grid. Type a puzzle, or paste one.'
    const conflicts = seen.conflicts.map(conflict => conflict.words)
    if (conflicts.length) return `Duplicates: ${conflicts.join('; ')}. ${clues}.`
    if (seen.status === 'unique') return `One solution. ${clues}. ${rating}`
    if (seen.status === 'multiple') {
      return `${seen.more ? 'More than 1,000' : seen.solutions.toLocaleString('en')} solutions. ${clues}.`
    }
    return `No solution. ${clues}.`
  }

  async function load() {
    if (way) return
    const { signal } = work
    byId('step-words').textContent = 'Looking for the steps …'
    way = await steps(seen.puzzle, { guess: true, signal })
    byId('step-list').replaceChildren(...way.map((step, n) => {
      const item = document.createElement('li')
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = words(step, way.length)
      button.onclick = () => { place = n + 1; draw() }
      item.append(button)
      return item
    }))
  }

  async function go(to) {
    try {
      await load()
      place = Math.max(0, Math.min(to(place), way.length))
      draw()
    } catch (error) {
      if (error.name !== 'AbortError') byId('look-error').textContent = error.message
    }
  }

  /** Shows the puzzle of a text in any form, or of a link. */
  async function show(text, from) {
    const link = /[#?&]p=([^&\s]+)/.exec(text)
    const asked = link ? decodeURIComponent(link[1]) : text
    work.abort()
    work = new AbortController()
    const { signal } = work
    byId('look-error').textContent = ''
    byId('share-note').textContent = ''
    let found
    try {
      found = await look(asked.trim() === '' ? EMPTY : asked)
    } catch (error) {
      if (!signal.aborted) {
        byId('look-error').textContent = `Not a puzzle: ${error.reason ? `line ${error.line}, ${error.reason}` : error.message}.`
      }
      return
    }
    if (signal.aborted) return
    seen = found
    way = null
    place = 0
    rating = seen.status === 'unique' ? 'Rating …' : ''
    byId('step-list').replaceChildren()
    if (from !== 'text') byId('look-text').value = seen.puzzle === EMPTY ? '' : seen.puzzle
    if (seen.puzzle !== EMPTY) history.replaceState(null, '', `#look?p=${seen.puzzle}`)
    byId('look-status').textContent = status()
    draw()
    if (seen.status !== 'unique') return
    try {
      const { er, grade, technique } = await rate(seen.puzzle, { signal })
      rating = `Rating ${er?.toFixed(1)}, ${grade}${technique ? `: ${technique}` : ''}.`
      byId('look-status').textContent = status()
    } catch (error) {
      if (error.name !== 'AbortError') throw error
    }
  }

  for (const [name, puzzle] of Object.entries(EXAMPLES)) byId('examples').append(new Option(name, puzzle))
  byId('examples').onchange = event => { if (event.target.value) show(event.target.value) }
  byId('look-text').oninput = event => {
    clearTimeout(timer)
    timer = setTimeout(() => show(event.target.value, 'text'), 200)
  }
  byId('show-candidates').onchange = byId('show-solution').onchange = draw
  byId('clear').onclick = () => { show(EMPTY); history.replaceState(null, '', '#look') }
  byId('step-next').onclick = () => go(n => n + 1)
  byId('step-back').onclick = () => go(n => n - 1)
  byId('step-first').onclick = () => go(() => 0)
  byId('all-steps').ontoggle = event => { if (event.target.open && seen.solution) go(n => n) }
  byId('copy-link').onclick = async () => {
    const link = linkTo(seen.puzzle)
    try {
      await navigator.clipboard.writeText(link)
      byId('share-note').textContent = `Copied: ${link}`
    } catch {
      byId('share-note').textContent = link
    }
  }
  byId('save-svg').onclick = async () => {
    const solution = byId('show-solution').checked
    const candidates = byId('show-candidates').checked
    save('sudoku.svg', await picture(seen.puzzle, { solution, candidates }), 'image/svg+xml')
  }
  show(EMPTY)
  return { show: text => { if (text !== seen.puzzle) show(text) } }
}
