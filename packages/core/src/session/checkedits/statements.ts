/** A program's text in statements, as they are compared: without comments, line breaks and spaces. */

const comment = /^\s{0,200}(?:\/\/(?!go:build)|#(?!\[|if 0|!\[)|\*(?:\s|\/|$)|--\s|;;)/

/** The lines that run: what is commented out is not there. */
export const liveLines = (text: string): ReadonlyArray<string> => {
  const kept: Array<string> = []
  let within = false
  for (const raw of text.split("\n")) {
    const line = raw.slice(0, 2000)
    const start = line.trimStart()
    if (within) within = !line.includes("*/")
    else if (start.startsWith("/*")) within = !line.includes("*/", line.indexOf("/*") + 2)
    else if (!comment.test(line)) kept.push(line)
  }
  return kept
}

const quotes = new Set(['"', "'", "`"])

/** Quotes are told apart by nothing here, and what a formatter puts at the end of a list is left out. */
const squeezed = (text: string): string =>
  text
    .replaceAll(/["`]/g, "'")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([^\w\s'$@#]) ?/g, "$1")
    .replaceAll(/,(?=[)\]}])/g, "")
    .replace(/[;,]$/, "")
    .trim()

const opensBlock = /(?:=>|\)|\bdo|\belse|\btry|\bfinally|\bthen|[\w>?\]]|^)\s{0,8}$/

const maxStatements = 4000

/**
 * The statements of a text. One goes over several lines where a bracket is open that holds no statements; a body begins the
 * next.
 */
export const statements = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let current = ""
  // True for brackets that hold statements.
  const open: Array<boolean> = []
  const end = (): void => {
    const statement = squeezed(current)
    if (/\w/.test(statement) && found.length < maxStatements) found.push(statement)
    current = ""
  }
  for (const line of liveLines(text)) {
    let quote = ""
    for (let at = 0; at < line.length; at += 1) {
      const char = line[at] ?? ""
      if (quote !== "") {
        if (char === "\\") {
          current += char + (line[at + 1] ?? "")
          at += 1
          continue
        }
        if (char === quote) quote = ""
        current += char
      } else if (quotes.has(char) && !(char === "'" && /\w/.test(line[at - 1] ?? ""))) {
        quote = char
        current += char
      } else if (char === "{" && opensBlock.test(current.slice(-60)) && !/\breturn\s{0,8}$/.test(current.slice(-20))) {
        end()
        open.push(true)
      } else if (char === "(" || char === "[" || char === "{") {
        open.push(false)
        current += char
      } else if (char === ")" || char === "]" || char === "}") {
        const isBlock = open.pop()
        if (isBlock === true || (isBlock === undefined && char === "}")) end()
        else current += char
      } else if (char === ";" && open[open.length - 1] !== false) end()
      else if (
        (char === "/" && line[at + 1] === "/" && !line.startsWith("//go:build") && /\s|^$/.test(line[at - 1] ?? "")) ||
        (char === "#" && line[at + 1] === " " && at > 0)
      )
        break
      else current += char
    }
    if (open[open.length - 1] !== false) end()
    else current += " "
  }
  end()
  return found
}

const literal =
  /'(?:[^'\\]|\\.){0,400}'|(?<![\w.])-?\d[\d_]{0,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?[a-zA-Z]{0,3}\b|\b(?:true|false|null|None|True|False|nil|undefined|NaN)\b/g

/** The values that a statement names. */
export const literalsOf = (statement: string): ReadonlyArray<string> => statement.match(literal) ?? []

/** The statement with its values left blank. */
export const masked = (statement: string): string => statement.replaceAll(literal, "§")

/** A value as it is compared, whatever its quotes and zeros. */
export const plainValue = (value: string): string => {
  const bare = value
    .trim()
    .replace(/^["'`<]+|["'`>,;]+$/g, "")
    .replaceAll("_", "")
    .slice(0, 80)
  const number = /^-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?[a-zA-Z]{0,3}$/.test(bare)
    ? Number.parseFloat(bare)
    : Number.NaN
  return Number.isNaN(number) ? bare : String(number)
}

/** What one list has more often than another. */
export const more = (all: ReadonlyArray<string>, than: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = new Map<string, number>()
  for (const item of than) left.set(item, (left.get(item) ?? 0) + 1)
  return all.filter((item) => {
    const count = left.get(item) ?? 0
    if (count > 0) left.set(item, count - 1)
    return count === 0
  })
}
