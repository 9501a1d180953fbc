import { readFileSync } from "node:fs"

/** Titles of a file, each with the steps on the line below it, which ` | ` parts. */
export const rowsOf = (file: URL): ReadonlyArray<readonly [title: string, steps: ReadonlyArray<string>]> => {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
  return lines.flatMap((title, index) =>
    title.startsWith(" ") ? [] : [[title, (lines[index + 1] ?? "").slice(2).split(" | ")] as const]
  )
}
