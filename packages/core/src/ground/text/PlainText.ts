/**
 * Text without what a terminal would obey. What a session or a project's files say is shown to people and to the agent.
 */
import { runs } from "./UnseenCharacters.ts"

/**
 * Takes out escape sequences, control characters and characters that turn the text's direction or have no width, so
 * that no text can move the cursor, colour the screen or hide a part of itself. Line breaks stay; tabs become spaces. A
 * joiner between letters of a script that is written with it, or in an emoji, stays as well.
 *
 * @category text
 */
export const clean = (text: string): string => {
  const lines = text.replaceAll("\t", "  ").replace(/\r\n?|[\u2028\u2029]/g, "\n")
  const parts: Array<string> = []
  let from = 0
  for (const { end, means, start } of runs(lines)) {
    if (means) continue
    parts.push(lines.slice(from, start))
    from = end
  }
  return from === 0 ? lines : parts.join("") + lines.slice(from)
}
