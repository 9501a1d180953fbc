const squeeze = (text: string): string => text.trim().split(/\s+/u).join(" ")

/** Greedy with one point of return: never worse than pattern length × text length. */
const matches = (pattern: string, text: string): boolean => {
  let at = 0
  let next = 0
  let star = -1
  let resume = 0
  while (at < text.length) {
    if (next < pattern.length && pattern[next] === "*") {
      star = next
      next += 1
      resume = at
    } else if (next < pattern.length && pattern[next] === text[at]) {
      next += 1
      at += 1
    } else if (star >= 0) {
      next = star + 1
      resume += 1
      at = resume
    } else {
      return false
    }
  }
  return pattern.slice(next).replaceAll("*", "") === ""
}

const clip = (text: string): string => text.slice(0, 2000)

/** Whether the whole text fits a pattern in which `*` stands for any text, the empty one included. */
export const matchesWildcard = (pattern: string, text: string): boolean =>
  (text.length <= 2000 || pattern.trimEnd().endsWith("*")) && matches(squeeze(clip(pattern)), squeeze(clip(text)))

const segments = (path: string): ReadonlyArray<string> =>
  clip(path)
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".")

/** Whether a path fits a glob: `*` within a segment, `**` for any number of segments; a folder covers what is in it. */
export const matchesGlob = (glob: string, path: string): boolean => {
  const pattern = segments(glob)
  const parts = segments(path)
  let reached = new Set<number>()
  const open = (at: number, into: Set<number>): void => {
    if (into.has(at)) return
    into.add(at)
    if (pattern[at] === "**") open(at + 1, into)
  }
  open(0, reached)
  for (const part of parts) {
    if (reached.has(pattern.length)) return true
    const next = new Set<number>()
    for (const at of reached) {
      const segment = pattern[at]
      if (segment === "**") open(at, next)
      else if (segment !== undefined && matches(segment, part)) open(at + 1, next)
    }
    reached = next
  }
  return reached.has(pattern.length)
}
