/** The tags in which the harness wraps what it puts in the user's place. */

/** The text between `<tag>` and `</tag>`, null without them. */
export const tagged = (source: string, tag: string): string | null => {
  const open = source.indexOf(`<${tag}>`)
  if (open === -1) return null
  const start = open + tag.length + 2
  const close = source.indexOf(`</${tag}>`, start)
  return close === -1 ? null : source.slice(start, close)
}
