/** The line of a text around a place, as far as it is read. */
const most = 2000

export interface Line {
  readonly start: number
  readonly end: number
  readonly text: string
}

export const lineAround = (text: string, at: number): Line => {
  const low = Math.max(0, at - most)
  const start = low + text.slice(low, at).lastIndexOf("\n") + 1
  const rest = text.slice(at, at + most)
  const length = rest.indexOf("\n")
  const end = at + (length < 0 ? rest.length : length)
  return { start, end, text: text.slice(start, end).trimEnd() }
}
