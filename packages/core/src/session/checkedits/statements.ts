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

const special = /\\.|["'`(){}[\];]|\/\/|#/g

/** What stands between one sign and the next is copied as it is. */
class Reader {
  readonly found: Array<string> = []
  /** True for brackets that hold statements. */
  private readonly open: Array<boolean> = []
  private current = ""

  private end(): void {
    const statement = this.current.length < 2 ? "" : squeezed(this.current)
    if (/\w/.test(statement) && this.found.length < maxStatements) this.found.push(statement)
    this.current = ""
  }

  private isWithin(): boolean {
    return this.open[this.open.length - 1] === false
  }

  private bracket(sign: string): void {
    if (sign === "{" && opensBlock.test(this.current.slice(-60)) && !/\breturn\s{0,8}$/.test(this.current.slice(-20))) {
      this.end()
      this.open.push(true)
    } else if (sign === "(" || sign === "[" || sign === "{") {
      this.open.push(false)
      this.current += sign
    } else {
      const isBlock = this.open.pop()
      if (isBlock === true || (isBlock === undefined && sign === "}")) this.end()
      else this.current += sign
    }
  }

  line(line: string): void {
    let quote = ""
    let from = 0
    special.lastIndex = 0
    for (let match = special.exec(line); match !== null; match = special.exec(line)) {
      const [sign] = match
      const at = match.index
      if (quote !== "") {
        if (sign === quote) quote = ""
        continue
      }
      const before = line[at - 1] ?? " "
      if (sign === '"' || sign === "`" || (sign === "'" && !/\w/.test(before))) quote = sign
      else if (sign === "//" || sign === "#") {
        const isComment = sign === "#" ? at > 0 && line[at + 1] === " " : /\s/.test(before) && !line.startsWith("//go:")
        if (!isComment) continue
        this.current += line.slice(from, at)
        from = line.length
        break
      } else if (sign.length === 1 && sign !== "'") {
        this.current += line.slice(from, at)
        from = at + 1
        if (sign !== ";") this.bracket(sign)
        else if (this.isWithin()) this.current += sign
        else this.end()
      }
    }
    this.current += line.slice(from)
    if (this.isWithin()) this.current += " "
    else this.end()
  }

  all(): ReadonlyArray<string> {
    this.end()
    return this.found
  }
}

/**
 * The statements of a text. One goes over several lines where a bracket is open that holds no statements; a body begins the
 * next.
 */
export const statements = (text: string): ReadonlyArray<string> => {
  const known = last.find((one) => one.text === text)
  if (known !== undefined) return known.all
  const reader = new Reader()
  for (const line of liveLines(text)) reader.line(line)
  const all = reader.all()
  last = [{ text, all }, ...last.slice(0, 1)]
  return all
}

/** An edit's texts are asked for several times each. */
let last: ReadonlyArray<{ readonly text: string; readonly all: ReadonlyArray<string> }> = []

const literal =
  /'(?:[^'\\]|\\.){0,400}'|(?<![\w.])0[xX][\da-fA-F_]{1,32}\b|(?<![\w.])-?\d[\d_]{0,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?[a-zA-Z]{0,3}\b|\b(?:true|false|null|None|True|False|nil|undefined|NaN)\b/g

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
