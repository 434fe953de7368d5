// A step in words, with what is long folded.

/** The longest text that is shown as it is, in characters. */
const SHORT = 240

/** The name of a step. */
function name({ kind, technique, rating }) {
  if (kind !== 'step') return ''
  return `${technique[0].toUpperCase()}${technique.slice(1)} (${rating.toFixed(1)}): `
}

/** The effect of a step. Its words say that, too. */
function effect({ strikes, place }) {
  const struck = strikes.length ? `Strike ${strikes.map(({ cell, digit }) => `${digit} from ${cell}`).join(', ')}.` : ''
  const placed = place ? `${place.cell} is ${place.digit}.` : ''
  return [struck, placed].filter(Boolean).join(' ')
}

/** The parts of a reason: its lines, or else its sentences. A chain has one for each branch. */
const parts = words => words.includes('\n') ? words.split('\n').filter(line => line.trim()) : words.match(/[^.]+\.(?=\s|$)/g) ?? [words]

const isShort = step => step.words.length <= SHORT && !step.words.includes('\n')

/** A step in one line: of chains what they do alone. */
export const summary = step => name(step) + (isShort(step) && !step.chains ? step.words : effect(step))

const element = (kind, ...content) => {
  const made = document.createElement(kind)
  made.append(...content)
  return made
}

/** Whether the reader has unfolded a reason: the next one comes unfolded, too. */
let isUnfolded = false

/** A step as elements. A long reason is folded. */
export function explained(step) {
  const title = name(step) ? [element('strong', name(step))] : []
  if (isShort(step)) return [element('p', ...title, step.words)]
  const reasons = parts(step.words).filter(reason => reason.trim() !== effect(step))
  const nodes = step.chains?.chains.reduce((sum, chain) => sum + chain.length, 0)
  const extent = nodes ? `${step.chains.chains.length === 1 ? 'one chain' : `${step.chains.chains.length} chains`} of ${nodes} candidates` : `${reasons.length} sentences`
  const why = element('details', element('summary', `Why: ${extent}`), element('ul', ...reasons.map(reason => element('li', `${reason.trim()} `))))
  why.open = isUnfolded
  why.ontoggle = () => { isUnfolded = why.open }
  return [element('p', ...title, effect(step)), why]
}
