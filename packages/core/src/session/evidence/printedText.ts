/** The text that a tool's result has in it: unfolded where it is JSON, and without the numbers that a reader puts before lines. */

const maxText = 64_000
const maxParts = 400

const gathered = (value: unknown, depth: number, parts: Array<string>): void => {
  if (parts.length >= maxParts || depth > 6) return
  if (typeof value === "string") parts.push(value)
  else if (Array.isArray(value)) for (const one of value) gathered(one, depth + 1, parts)
  else if (typeof value === "object" && value !== null)
    for (const one of Object.values(value)) gathered(one, depth + 1, parts)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The end of an output, where a runner sums up; of JSON the texts in it. */
export const printedText = (output: string): string => {
  const start = output.trimStart().slice(0, 1)
  if ((start === "{" || start === "[") && output.length <= maxText) {
    const value = parsed(output)
    if (value !== null) {
      const parts: Array<string> = []
      gathered(value, 0, parts)
      return parts.join("\n")
    }
  }
  return output.slice(-maxText)
}

/** `     12→`, `12:`, `f.log:12:`, and the mark that Nix puts before a log's lines. */
const numbered = /^(?:[^\s:]{1,200}:)?\s{0,8}(?:\d{1,7}(?:→|\t|:|\| ?)|> )/

/** A text as it was printed before something that shows files put numbers, or a sign, before its lines. */
export const withoutNumbers = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(numbered, ""))
    .join("\n")
