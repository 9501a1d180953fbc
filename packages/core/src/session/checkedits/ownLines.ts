/** The lines that the agent wrote itself into tests: what it takes away of them was never there. */
import * as KeyHash from "../../ground/system/KeyHash.ts"
import { clip } from "../../ground/text/Text.ts"
import type { CheckEdits, TextEdit } from "./model.ts"

const maxOwn = 600
const maxOwnFiles = 24

const linePrints = (text: string): ReadonlyArray<number> =>
  text
    .split("\n")
    .map((line) => line.trim())
    // A bracket by itself is anybody's.
    .filter((line) => line.length > 3)
    .slice(0, 2 * maxOwn)
    .map((line) => KeyHash.ofText(line.slice(0, 200)))

/** The lines that an edit adds to a file of tests are the agent's own. */
export const withOwn = (state: CheckEdits, { after, before, path }: TextEdit, isOwn: boolean): CheckEdits => {
  if (isOwn) return { ...state, ownFiles: [...state.ownFiles, clip(path, 200)].slice(-maxOwnFiles) }
  if (after === null || before === null) return state
  const old = new Set(linePrints(before))
  const all = [...new Set([...state.own, ...linePrints(after).filter((print) => !old.has(print))])]
  return { ...state, own: all.slice(-maxOwn), lost: state.lost || all.length > maxOwn }
}

/** A text without the lines that the agent wrote itself and takes away again. */
export const withoutOwn = (before: string, after: string, { own }: CheckEdits): string => {
  if (own.length === 0) return before
  const mine = new Set(own)
  const left = new Set(linePrints(after))
  return before
    .split("\n")
    .filter((line) => {
      const print = KeyHash.ofText(line.trim().slice(0, 200))
      return !mine.has(print) || left.has(print)
    })
    .join("\n")
}
