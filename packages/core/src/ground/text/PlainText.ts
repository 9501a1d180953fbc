/** Text without what a terminal would obey. What a session or a project's files say is shown to people and to the agent. */
import { withoutUnseen } from "./UnseenCharacters.ts"

/**
 * Takes out escape sequences, control characters and characters that turn the text's direction or have no width, so
 * that no text can move the cursor, colour the screen or hide a part of itself. Line breaks stay; tabs become spaces.
 *
 * @category text
 */
export const clean = (text: string): string =>
  withoutUnseen(text.replaceAll("\t", "  ").replace(/\r\n?|[\u2028\u2029]/g, "\n"))
