import * as Decoding from "@reflexion/testing/samples/Decoding"
import { readFileSync } from "node:fs"

/** Recorded sessions that say whether anybody is there. */
export const recorded = (name: string): ReadonlyArray<unknown> =>
  readFileSync(new URL(`../../../testing/recordings/attended/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

export const rows = Decoding.rows(new URL("../decoder.rows.jsonl", import.meta.url))
