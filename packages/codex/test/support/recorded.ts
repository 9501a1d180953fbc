/** Recorded sessions of which it is told whether anybody is there. */
import { readFileSync } from "node:fs"

export const recorded = (name: string): ReadonlyArray<unknown> =>
  readFileSync(new URL(`../../../testing/recordings/attended/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
