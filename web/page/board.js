// The grid of the task "Look": 81 fields to type in, a drawing around them, and the names of rows and columns.

const SIDE = 360
const CELL = SIDE / 9
const NAMESPACE = 'http://www.w3.org/2000/svg'

/** The number of a cell by its name, `r1c1`. */
export const cellOf = name => (name.charCodeAt(1) - 49) * 9 + name.charCodeAt(3) - 49

/** The cells that share a house with a cell. */
export const peersOf = cell => {
  const row = Math.floor(cell / 9)
  const column = cell % 9
  const isPeer = other => {
    const [r, c] = [Math.floor(other / 9), other % 9]
    return other !== cell && (r === row || c === column ||
      (Math.floor(r / 3) === Math.floor(row / 3) && Math.floor(c / 3) === Math.floor(column / 3)))
  }
  return Array.from({ length: 81 }, (_, n) => n).filter(isPeer)
}

const middleOf = cell => [(cell % 9 + .5) * CELL, (Math.floor(cell / 9) + .5) * CELL]

/** The place where a candidate is drawn. */
const placeOf = (cell, digit) => {
  const [x, y] = middleOf(cell)
  return [x + ((digit - 1) % 3 - 1) * 12, y + (Math.floor((digit - 1) / 3) - 1) * 12]
}

const shape = (name, attributes, text) => {
  const element = document.createElementNS(NAMESPACE, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  if (text !== undefined) element.textContent = text
  return element
}

/** The names of the rows, `r`, or of the columns, `c`. Each field says its own place. */
const names = letter => {
  const list = document.createElement('div')
  list.className = `names ${letter}`
  list.setAttribute('aria-hidden', 'true')
  for (let n = 1; n <= 9; n++) {
    const name = document.createElement('span')
    name.textContent = `${letter}${n}`
    list.append(name)
  }
  return list
}

export class Board {
  #fields = []
  #ground
  #over
  #onDigit
  #onPaste
  /** The cell that was chosen last: it is the one stop for the tabulator. */
  #chosen = 0

  /** `onDigit` gets a cell and the digit that was typed there, or nothing to erase it; `onPaste` gets a text. */
  constructor(root, { onDigit, onPaste }) {
    this.#onDigit = onDigit
    this.#onPaste = onPaste
    const layer = name => shape('svg', { class: name, viewBox: `0 0 ${SIDE} ${SIDE}`, 'aria-hidden': 'true' })
    this.#ground = layer('ground')
    this.#over = layer('over')
    const cells = document.createElement('div')
    cells.className = 'cells'
    cells.setAttribute('role', 'grid')
    cells.setAttribute('aria-label', 'Sudoku')
    for (let row = 0; row < 9; row++) {
      const line = document.createElement('div')
      line.setAttribute('role', 'row')
      for (let column = 0; column < 9; column++) line.append(this.#field(row, column))
      cells.append(line)
    }
    const square = document.createElement('div')
    square.className = 'square'
    square.append(this.#ground, cells, this.#over)
    root.append(names('c'), names('r'), square)
  }

  /** Types a digit into the cell that was chosen last. */
  type(digit) {
    this.#fields[this.#chosen].focus()
    this.#onDigit(this.#chosen, digit)
  }

  #field(row, column) {
    const cell = document.createElement('div')
    cell.setAttribute('role', 'gridcell')
    const field = document.createElement('input')
    field.inputMode = 'numeric'
    field.autocomplete = 'off'
    // One stop for the tabulator: arrows move within the grid.
    field.tabIndex = row + column === 0 ? 0 : -1
    const number = 9 * row + column
    field.addEventListener('paste', event => {
      event.preventDefault()
      const text = event.clipboardData.getData('text').trim()
      if (/^[1-9]$/.test(text)) this.#onDigit(number, text)
      else this.#onPaste(text)
    })
    // The keyboards of phones send no keys.
    field.addEventListener('input', () => {
      this.#onDigit(number, field.value.match(/[1-9]/g)?.at(-1) ?? '')
      field.select()
    })
    field.addEventListener('focus', () => {
      this.#chosen = number
      this.#fields.forEach(other => { other.tabIndex = other === field ? 0 : -1 })
      field.select()
    })
    field.addEventListener('keydown', event => this.#move(event, number))
    this.#fields.push(field)
    cell.append(field)
    return cell
  }

  #move(event, number) {
    const [row, column] = [Math.floor(number / 9), number % 9]
    const to = {
      ArrowUp: [(row + 8) % 9, column], ArrowDown: [(row + 1) % 9, column],
      ArrowLeft: [row, (column + 8) % 9], ArrowRight: [row, (column + 1) % 9],
      Home: [row, 0], End: [row, 8],
    }[event.key]
    if (to) {
      event.preventDefault()
      this.#fields[9 * to[0] + to[1]].focus()
    } else if (/^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      this.#onDigit(number, event.key)
    } else if (['0', '.', ' ', 'Delete', 'Backspace'].includes(event.key)) {
      event.preventDefault()
      this.#onDigit(number, '')
    }
  }

  /** Shows clues, which may be fixed, the digits of the player and others, marks, what is wrong, and a step. */
  draw({ clues, isFixed, entries = [], digits, candidates, wrong = new Set(), step }) {
    this.#ground.replaceChildren()
    this.#over.replaceChildren()
    const square = (cell, kind) => this.#ground.append(shape('rect', {
      x: cell % 9 * CELL, y: Math.floor(cell / 9) * CELL, width: CELL, height: CELL, class: kind,
    }))
    wrong.forEach(cell => square(cell, 'wrong'))
    if (step) {
      step.sideCells.forEach(name => square(cellOf(name), 'side'))
      step.cells.filter(name => !wrong.has(cellOf(name))).forEach(name => square(cellOf(name), 'pattern'))
      if (step.place) square(cellOf(step.place.cell), 'place')
    }
    this.#fields.forEach((field, cell) => {
      const clue = clues[cell] !== '.'
      const digit = clue ? clues[cell] : digits?.[cell]
      const isFilled = digit && digit !== '.'
      if (field.value !== (isFilled ? digit : '')) field.value = isFilled ? digit : ''
      field.classList.toggle('entry', Boolean(isFilled && !clue))
      field.readOnly = isFixed && clue
      field.setAttribute('aria-invalid', String(wrong.has(cell)))
      const marks = !isFilled && candidates?.[cell]
      const digitsOf = marks ? [...Array(9).keys()].map(n => n + 1).filter(d => marks >> (d - 1) & 1) : []
      const place = `row ${Math.floor(cell / 9) + 1} column ${cell % 9 + 1}`
      const filled = clue ? 'clue' : entries[cell] ? 'your digit' : 'found digit'
      const blank = digitsOf.length ? `candidates ${digitsOf.join(' ')}` : 'blank'
      field.setAttribute('aria-label', `${place}, ${isFilled ? filled : blank}`)
      this.#mark(cell, digitsOf, step)
    })
    if (step) this.#step(step)
  }

  #mark(cell, digits, step) {
    const isPart = step && [...step.cells, ...step.sideCells].some(name => cellOf(name) === cell)
    const isPlaced = step?.place && cellOf(step.place.cell) === cell
    if (isPlaced) return
    for (const digit of digits) {
      const [x, y] = placeOf(cell, digit)
      const isGone = step?.strikes.some(strike => cellOf(strike.cell) === cell && strike.digit === digit)
      const kind = isGone ? 'mark gone' : isPart && step.digits.includes(digit) ? 'mark of' : 'mark'
      this.#over.append(shape('text', { x, y, class: kind }, digit))
      if (isGone) this.#over.append(shape('path', { d: `M${x - 6} ${y + 6}L${x + 6} ${y - 6}`, class: 'cross' }))
    }
  }

  #step(step) {
    const links = chains => {
      for (const nodes of chains.chains) {
        for (const node of nodes) {
          for (const parent of node.parents) this.#link(nodes[parent], node)
        }
      }
    }
    if (step.chains) links(step.chains)
    if (step.place) {
      const [x, y] = middleOf(cellOf(step.place.cell))
      this.#over.append(shape('text', { x, y, class: 'placed' }, step.place.digit))
    }
  }

  /** A link from one candidate to another: solid if the second is on, dashed if it is off. */
  #link(from, to) {
    const [x1, y1] = placeOf(cellOf(from.cell), from.digit)
    const [x2, y2] = placeOf(cellOf(to.cell), to.digit)
    const length = Math.hypot(x2 - x1, y2 - y1) || 1
    // A bend keeps links apart that lie on one line.
    const [bx, by] = [(x1 + x2) / 2 + (y2 - y1) / length * 8, (y1 + y2) / 2 - (x2 - x1) / length * 8]
    this.#over.append(shape('path', {
      d: `M${x1} ${y1}Q${bx} ${by} ${x2} ${y2}`, class: to.on ? 'link' : 'link weak',
    }))
  }
}
