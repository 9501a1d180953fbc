/**
 * Text without what a terminal would obey. What a session or a project's files say is shown to people and to the agent.
 *
 * @since 0.1.0
 */

const sequence = /^\[[0-?]{0,64}[ -/]{0,16}[@-~]?/

/** What follows an escape character, without the part that a terminal takes as a command. */
const afterEscape = (piece: string, index: number, pieces: ReadonlyArray<string>): string => {
  const kind = piece[0] ?? ""
  if (kind === "[") return piece.replace(sequence, "")
  if (kind === "" || !"]PX^_".includes(kind)) return piece.slice(1)
  if (pieces[index + 1]?.startsWith("\\")) return ""
  return piece.slice(piece.indexOf("\u0007") + 1 || 1)
}

/** Controls, what has no width, what turns the text's direction, and tags. */
const unseen =
  /(?!\n)[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/**
 * Takes out escape sequences, control characters and characters that turn the text's direction or have no width, so
 * that no text can move the cursor, colour the screen or hide a part of itself. Line breaks stay; tabs become spaces.
 *
 * @since 0.1.0
 * @category text
 */
export const clean = (text: string): string => {
  const spaced = text.replaceAll("\t", "  ")
  if (spaced.search(unseen) < 0) return spaced
  const [head = "", ...rest] = spaced.replace(/\r\n?|[\u2028\u2029]/g, "\n").split("\u001b")
  return (head + rest.map(afterEscape).join("")).replace(unseen, "")
}
