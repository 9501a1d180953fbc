const header = /^\*\*\* (?:Add|Update|Delete) File: (.{1,500})$/
const movedTo = /^\*\*\* Move to: (.{1,500})$/

/** The file whose changes start at this line of a patch (of a coding agent or `diff -u`). Null for other lines. */
export const fileOf = (line: string): string | null => {
  const start = line.slice(0, 600).trimEnd()
  const found = header.exec(start) ?? movedTo.exec(start)
  if (found !== null) return found[1] ?? null
  return start.startsWith("+++ ") ? start.slice(4, 500).trim().replace(/^b\//, "") : null
}

export const filesOf = (patch: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const line of patch.slice(0, 200_000).split("\n")) {
    const path = fileOf(line)
    if (path !== null && path !== "/dev/null" && found.size < 200) found.add(path)
  }
  return [...found]
}
