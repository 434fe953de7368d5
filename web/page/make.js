// The task "Make": puzzles as wanted, to look at, to print and to save.
import { picture, puzzles, sheet } from './sudoku-batch/browser.js'
import { byId, linkTo, save } from './save.js'

/** How many pictures are shown. */
const SHOWN = 12

export function startMake() {
  let made = []
  let asked = {}
  let work

  /** The two ends of a span, or nothing; one end alone leaves the other open. */
  const span = (least, most, first, last) => {
    const [from, to] = [byId(least).value, byId(most).value]
    return from || to ? [Number(from || first), Number(to || last)] : undefined
  }

  const options = () => ({
    n: Number(byId('make-n').value),
    difficulty: byId('make-difficulty').value || undefined,
    rating: span('make-least', 'make-most', 1, 11.9),
    clues: span('make-few', 'make-many', 17, 81),
    symmetry: byId('make-symmetry').value,
    minimal: byId('make-minimal').checked,
    seed: byId('make-seed').value || 0,
  })

  async function run() {
    work = new AbortController()
    byId('make-error').textContent = ''
    byId('make-status').textContent = 'Making …'
    byId('make-done').hidden = true
    byId('make-cancel').disabled = false
    const progress = byId('make-progress')
    progress.hidden = false
    progress.value = 0
    try {
      let missing = 0
      asked = { ...options(), onMissing: count => { missing = count } }
      const started = performance.now()
      made = await puzzles({
        ...asked,
        signal: work.signal,
        onProgress: ({ done, total }) => { progress.value = done / total },
      })
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      byId('make-status').textContent = `${made.length.toLocaleString('en')} puzzles in ${seconds} s.` +
        (missing ? ` ${missing} could not be made: few grids lead to such puzzles.` : '')
      await show()
      byId('make-done').hidden = made.length === 0
    } catch (error) {
      byId('make-status').textContent = error.name === 'AbortError' ? 'Cancelled.' : ''
      if (error.name !== 'AbortError') byId('make-error').textContent = `${error.message}.`
    } finally {
      byId('make-cancel').disabled = true
      progress.hidden = true
    }
  }

  const note = ({ clues, er }) => `${clues} clues${er ? `, ER ${er.toFixed(1)}` : ''}`

  async function show() {
    const items = made.slice(0, SHOWN).map(async (one, n) => {
      const item = document.createElement('li')
      const link = document.createElement('a')
      link.href = `#look?p=${one.puzzle}`
      const image = new Image()
      image.alt = `Puzzle ${n + 1}`
      image.src = `data:image/svg+xml,${encodeURIComponent(await picture(one.puzzle))}`
      link.append(image, note(one))
      item.append(link)
      return item
    })
    byId('make-list').replaceChildren(...await Promise.all(items))
  }

  /** These puzzles as text, in the format of the command. */
  const text = format => puzzles({ ...asked, format })

  byId('make-form').onsubmit = event => { event.preventDefault(); run() }
  byId('make-cancel').onclick = () => work.abort()
  byId('make-csv').onclick = async () => save('puzzles.csv', await text('csv'), 'text/csv')
  byId('make-lines').onclick = async () => save('puzzles.txt', await text('line'))
  byId('make-links').onclick = () => save('links.txt', made.map(one => `${linkTo(one.puzzle)}\n`).join(''))
  byId('make-sheet').onclick = async () => save('sheet.html', await sheet({
    title: byId('make-title-text').value,
    perPage: Number(byId('make-per-page').value),
    puzzles: made.slice(0, 1000).map(one => ({ puzzle: one.puzzle, note: note(one) })),
  }), 'text/html')
}
