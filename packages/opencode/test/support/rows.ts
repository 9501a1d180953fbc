import { readFileSync } from "node:fs"

/** The titles in a file, each with the steps on the line below it. ` | ` separates steps. */
export const rowsOf = (file: URL): ReadonlyArray<readonly [title: string, steps: ReadonlyArray<string>]> => {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
  return lines.flatMap((title, index) =>
    title.startsWith(" ") ? [] : [[title, (lines[index + 1] ?? "").slice(2).split(" | ")] as const]
  )
}
