const clip = (text: string): string => text.slice(0, 2000)

const squeeze = (text: string): string => text.trim().split(/\s+/u).join(" ")

/** Takes the first position of each part, because it leaves the most text for the later parts. */
const matches = (pattern: string, text: string): boolean => {
  const [first = "", ...rest] = pattern.split("*")
  const last = rest.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

/** `*` matches any text, including the empty text. */
export const matchesWildcard = (pattern: string, text: string): boolean =>
  (text.length <= 2000 || pattern.trimEnd().endsWith("*")) && matches(squeeze(clip(pattern)), squeeze(clip(text)))

const segments = (path: string): ReadonlyArray<string> =>
  clip(path)
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".")

/** `*` matches within a segment, `**` any number of segments. A glob for a folder also matches everything in it. */
export const matchesGlob = (glob: string, path: string): boolean => {
  const parts = segments(path)
  // The path segments at which the rest of the glob may continue.
  let reached: ReadonlyArray<number> = [0]
  for (const segment of segments(glob)) {
    const [from = parts.length + 1] = reached
    reached =
      segment === "**"
        ? [...parts, ""].map((_, at) => at).slice(from)
        : reached.flatMap((at) => (matches(segment, parts[at] ?? "") && at < parts.length ? [at + 1] : []))
  }
  return reached.length > 0
}
