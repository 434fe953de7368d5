// The task "Look": one puzzle, its status, its rating, the steps to its solution, and digits of the player.
import { hint, look, picture, rate, steps } from './sudoku-batch/browser.js'
import { Board, cellOf, peersOf } from './board.js'
import { byId, linkTo, save } from './save.js'
import { explained, summary } from './words.js'

/** The page opens on the first. Each is shown at its hardest step. */
const EXAMPLES = {
  'XY-chain': '..2..7...5...34..84.62.1.........7...4.....5...9.7.3.11.....5.....9284...6.3.....',
  'easy: singles': '..1....3..4....6..5.7.8..9.....2.8...3.....4...6.5.....8..7.3.5..2....1..9....7..',
  'pointing': '....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.',
  'unique rectangle': '4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8',
  'forcing chains': '1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..',
  'several solutions': '4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.....8',
}

const EMPTY = '.'.repeat(81)
const NOTHING = { puzzle: EMPTY, cells: EMPTY, clues: 0, candidates: [], conflicts: [], solution: null }

/** The place for the list of steps. */
const isWide = matchMedia('(min-width: 50.01rem)').matches

export function startLook() {
  let seen = NOTHING
  // The clues on the board: they change as they are typed, and `seen` a moment later.
  let clues = EMPTY
  // The digit of the player in each cell, or nothing.
  let entries = Array(81)
  let way = null
  let coming
  let place = 0
  let rating = ''
  let isOpen = false
  // Ends what is asked about an earlier puzzle, and about an earlier position of it.
  let work = new AbortController()
  let walk = new AbortController()
  let typing
  let resting

  const board = new Board(byId('board'), { onDigit: enter, onPaste: text => show(text) })
  const isPlay = () => byId('mode-play').checked
  const mine = () => isPlay() ? entries : []
  const hasEntries = () => mine().some(Boolean)

  /** The clues and the digits of the player. */
  const filled = () => [...clues].map((clue, cell) => clue === '.' && mine()[cell] || clue).join('')

  /** The puzzle with the digits of the player. */
  function position() {
    if (seen.puzzle === seen.cells) return filled()
    const only = (cell, digit) => [...cell].map(other => other === digit ? digit : '.').join('')
    return seen.puzzle.match(/.{9}/g).map((cell, n) => mine()[n] ? only(cell, mine()[n]) : cell).join('')
  }

  /** The digits and candidates after the first steps. */
  function after(count) {
    const digits = [...clues]
    const candidates = [...seen.candidates]
    const set = (cell, digit) => {
      digits[cell] = String(digit)
      for (const peer of peersOf(cell)) candidates[peer] &= ~(1 << (digit - 1))
    }
    mine().forEach((digit, cell) => { if (digit) set(cell, digit) })
    for (const { place, strikes } of way?.slice(0, Math.max(count, 0)) ?? []) {
      if (place) set(cellOf(place.cell), place.digit)
      for (const { cell, digit } of strikes) candidates[cellOf(cell)] &= ~(1 << (digit - 1))
    }
    return { digits, candidates }
  }

  /** The cells whose digit stands in one of their houses again. */
  function repeated(digits) {
    const isRepeated = (digit, cell) => digit !== '.' && peersOf(cell).some(peer => digits[peer] === digit)
    return digits.flatMap((digit, cell) => isRepeated(digit, cell) && clues[cell] === '.' ? [cell] : [])
  }

  /** Whether the player has filled the grid: a puzzle with several solutions has one of them then. */
  function isSolved() {
    const digits = filled()
    const isGrid = seen.puzzle === seen.cells && !digits.includes('.') && repeated([...digits]).length === 0
    return isGrid || digits === seen.solution
  }

  /** Takes a digit that was typed, or its end: of the player, or a clue. */
  function enter(cell, digit) {
    byId('show-solution').checked = false
    if (!isPlay()) {
      clues = clues.slice(0, cell) + (digit || '.') + clues.slice(cell + 1)
      way = null
      place = 0
      show(clues, 'board')
    } else if (clues[cell] === '.') {
      // The digits that the steps have found up to here are kept.
      const { digits } = after(place - 1)
      entries = digits.map((found, at) => clues[at] === '.' && found !== '.' ? found : undefined)
      entries[cell] = digit || undefined
      restart()
    }
    draw()
  }

  /** Forgets the steps. They are found anew for the list, if it is shown. */
  function restart() {
    walk.abort()
    walk = new AbortController()
    way = coming = null
    place = 0
    byId('step-list').replaceChildren()
    clearTimeout(resting)
    if (byId('all-steps').open) resting = setTimeout(() => go(n => n), 300)
    byId('look-status').textContent = status()
  }

  const hasWay = () => Boolean(seen.solution) && seen.puzzle !== EMPTY

  function draw() {
    const step = way?.[place - 1]
    const { digits, candidates } = after(place - 1)
    const withSolution = byId('show-solution').checked && seen.solution
    board.draw({
      clues,
      isFixed: isPlay(),
      entries: mine(),
      digits: withSolution ? seen.solution : digits,
      candidates: byId('show-candidates').checked || step || seen.puzzle !== seen.cells ? candidates : undefined,
      wrong: new Set([
        ...seen.conflicts.flatMap(conflict => conflict.cells),
        ...withSolution ? [] : repeated(digits),
        ...!withSolution && step?.kind === 'wrong' ? step.cells.map(cellOf) : [],
      ]),
      step: withSolution ? undefined : step,
    })
    const count = way?.length ?? 0
    byId('step-place').textContent = way ? `${place} of ${count}` : ''
    byId('step-back').disabled = byId('step-first').disabled = place === 0
    byId('step-next').disabled = !hasWay() || (way !== null && place >= count)
    byId('step-words').replaceChildren(...step ? explained(step) : way?.length === 0 ? ['The grid is full: there are no steps.'] : [])
    byId('erase').disabled = isPlay() ? !hasEntries() : clues === EMPTY
    byId('erase').setAttribute('aria-label', isPlay() ? 'Erase my digits' : 'Erase all clues')
    byId('all-steps').hidden = !hasWay()
    const list = byId('step-list')
    for (const [n, { firstChild: button }] of [...list.children].entries()) {
      if (n !== place - 1) {
        button.removeAttribute('aria-current')
        continue
      }
      button.setAttribute('aria-current', 'step')
      // The list scrolls to it, and the page stays.
      list.scrollTop += button.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3
    }
  }

  function status() {
    const count = `${seen.clues} clue${seen.clues === 1 ? '' : 's'}`
    if (seen.puzzle === EMPTY) return 'An empty grid. Type a puzzle, or paste one.'
    if (seen.solution && hasEntries() && isSolved()) return 'Solved: every digit is right.'
    const conflicts = seen.conflicts.map(conflict => conflict.words)
    if (conflicts.length) return `Duplicates: ${conflicts.join('; ')}. ${count}.`
    if (seen.status === 'unique') return `One solution. ${count}. ${rating}`
    if (seen.status === 'multiple') {
      return `${seen.more ? 'More than 1,000' : seen.solutions.toLocaleString('en')} solutions. ${count}.`
    }
    return `No solution. ${count}.`
  }

  /** The steps from the digits on the board. If one of those is wrong, the only step says so. */
  async function find(signal) {
    byId('step-words').textContent = 'Looking for the steps …'
    try {
      return await steps(position(), { guess: true, signal })
    } catch (error) {
      if (error.code !== 'no-solution' || !hasEntries()) throw error
      return [await hint({ puzzle: seen.puzzle, filled: filled() }, { signal })]
    }
  }

  async function load() {
    const { signal } = walk
    const found = await (coming ??= find(signal))
    signal.throwIfAborted()
    if (way) return
    way = found
    byId('step-list').replaceChildren(...way.map((step, n) => {
      const item = document.createElement('li')
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = summary(step)
      button.onclick = () => { place = n + 1; draw() }
      item.append(button)
      return item
    }))
  }

  async function go(to) {
    if (!hasWay()) return
    try {
      await load()
      place = Math.max(0, Math.min(to(place), way.length))
      draw()
    } catch (error) {
      if (error.name === 'AbortError') return
      byId('step-words').textContent = ''
      byId('look-error').textContent = `${error.message}.`
    }
  }

  /** The number of the first of the hardest steps. */
  const hardest = () => {
    const ratings = way.map(step => step.rating ?? 0)
    return ratings.indexOf(Math.max(...ratings)) + 1
  }

  /** The error of a text, with its place. */
  function refused({ code, line, reason, message }) {
    if (code === 'several') return `More than one puzzle: the second begins in line ${line}. “Batch” takes files of many.`
    return `Not a puzzle: ${reason ? `line ${line}, ${reason}` : line ? `line ${line}: ${message}` : message}.`
  }

  /**
   * Shows the puzzle of a text in any format, or of a link. It comes from the field for texts, from the board, from the
   * examples, from the start of the page, or from elsewhere.
   */
  async function show(text, from) {
    isOpen = true
    const link = /[#?&]p=([^&\s]+)/.exec(text)
    const asked = link ? decodeURIComponent(link[1]) : text
    work.abort()
    work = new AbortController()
    const { signal } = work
    byId('share-note').textContent = ''
    let found = NOTHING
    let fault = ''
    try {
      found = await look(asked.trim() === '' ? EMPTY : asked)
    } catch (error) {
      fault = refused(error)
    }
    if (signal.aborted) return
    // A text that is no puzzle leaves no other on the board.
    seen = found
    clues = seen.cells
    entries = Array(81)
    rating = seen.status === 'unique' ? 'Rating …' : ''
    byId('look-error').textContent = fault
    byId('look-text').setAttribute('aria-invalid', String(fault !== ''))
    if (from !== 'text') byId('look-text').value = seen.puzzle === EMPTY ? '' : seen.puzzle
    const isExample = from === 'example' || from === 'start'
    byId('examples').value = isExample ? seen.puzzle : ''
    if (from !== 'start') history.replaceState(null, '', seen.puzzle === EMPTY ? '#look' : `#look?p=${seen.puzzle}`)
    if (from !== 'board') byId(seen.puzzle === EMPTY ? 'mode-edit' : 'mode-play').checked = true
    restart()
    if (fault) byId('look-status').textContent = ''
    draw()
    if (isExample) go(hardest)
    if (seen.status !== 'unique') return
    try {
      const { er, difficulty, technique } = await rate(seen.puzzle, { signal })
      rating = `Rating ${er?.toFixed(1)}, ${difficulty}${technique ? `: ${technique}` : ''}.`
      byId('look-status').textContent = status()
    } catch (error) {
      if (error.name !== 'AbortError') throw error
    }
  }

  for (const [name, puzzle] of Object.entries(EXAMPLES)) byId('examples').append(new Option(name, puzzle))
  byId('examples').onchange = event => { if (event.target.value) show(event.target.value, 'example') }
  const field = byId('look-text')
  field.oninput = () => {
    clearTimeout(typing)
    typing = setTimeout(() => show(field.value, 'text'), 200)
  }
  // A text that is pasted replaces the old one: a click that comes into the field selects all of it.
  let isNew = false
  field.onfocus = () => { isNew = true; field.select() }
  field.onmouseup = event => { if (isNew) event.preventDefault(); isNew = false }
  byId('show-candidates').onchange = byId('show-solution').onchange = draw
  byId('mode-play').onchange = byId('mode-edit').onchange = () => { restart(); draw() }
  byId('erase').onclick = () => {
    if (!isPlay()) return show(EMPTY, 'board')
    entries = Array(81)
    restart()
    draw()
  }
  byId('step-next').onclick = () => go(n => n + 1)
  byId('step-back').onclick = () => go(n => n - 1)
  byId('step-first').onclick = () => go(() => 0)
  byId('all-steps').open = isWide
  byId('all-steps').ontoggle = event => { if (event.target.open) go(n => n) }
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
  // A digit that is typed nowhere goes into the cell that was chosen last.
  document.addEventListener('keydown', event => {
    const isFree = event.target === document.body && !event.ctrlKey && !event.metaKey && !event.altKey
    if (isFree && /^[1-9]$/.test(event.key) && !byId('look').hidden) board.type(event.key)
  })
  draw()
  return {
    show: text => { if (text !== seen.puzzle) show(text) },
    /** Shows the first example, unless there was something. */
    open: () => { if (!isOpen) show(Object.values(EXAMPLES)[0], 'start') },
  }
}
