/** Saves text or a blob as a file. */
export function save(name, content, type = 'text/plain') {
  const blob = content instanceof Blob ? content : new Blob([content], { type })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** The address of this page with a puzzle. */
export const linkTo = puzzle => `${location.origin}${location.pathname}#look?p=${puzzle}`

/** An element by its id. */
export const byId = id => document.getElementById(id)
