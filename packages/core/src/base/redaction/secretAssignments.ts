/** Finds secrets by their names: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`, `<password>…</password>`. */
import { lazy } from "../text/Lazy.ts"
import { isScrambled, lenient } from "./scrambled.ts"
import { eachMatch, type SearchWork, type Span } from "./secretRule.ts"
import { kindOf, names, notAName, somewhere, suffix } from "./SecretNames.ts"
import * as Values from "./secretValues.ts"

const escapes = String.raw`\\{0,15}`
const quote = `${escapes}["'\`]`
const anyQuote = `${escapes}["'\`“”„‘’«»]`

/** The owner of a secret: "Password for ada: …" */
const owner = "[ \\t](?:for|of)[ \\t](?:(?:the[ \\t])?(?:user|account)[ \\t])?[\"'`]?[\\w.@-]{1,60}[\"'`]?"

/** The text between a name and its value. There is a pattern for each way to write them. The first match counts. */
const between = {
  /** A type is between name and value: `: string = "…"`, `: &str = "…"`, ` As String = "…"`, `{ get; set; } = "…"` */
  typed: `${escapes}["']?[ \\t]{0,4}(?::[ \\t]?[&A-Za-z]|As[ \\t]|\\{)[^\\r\\n"'\`=:,(){]{0,60}=[ \\t]{0,4}(?=${quote})`,
  /** `name: X` and `value: …` stand next to each other, in YAML, JSON and XML. */
  valued: `${anyQuote}?(?:[,;][ \\t]{0,4}|[ \\t]{1,4}|,?\\s{1,80})${quote}?value${quote}?[ \\t]{0,4}[:=][ \\t]{0,4}`,
  /** Name and value are two items of a list, two arguments of a call (`"name", "…"`), or two cells of a table. */
  paired:
    `${quote}[ \\t]{0,4},[ \\t]{0,4}(?=[brufBRUF]{0,2}${quote})|` +
    "`?[ \\t]{1,60}[|│┃][ \\t]{1,20}(?=[^\\s|│┃]{1,400}[ \\t]{0,60}[|│┃])",
  /** The value is on the lines below, for example after YAML's `: >-` or a shell's `=$(cat <<EOF`. */
  folded:
    "(?::[ \\t]{1,3}[>|][+-]?\\d?|[ \\t]{0,4}=[ \\t]{0,4}[\"']?(?:\\$\\([ \\t]{0,2}cat[ \\t]{0,2})?<<[-~]?[\"']?\\w{1,20}[\"']?)" +
    "[ \\t]{0,4}\\r?\\n[ \\t]{0,40}",
  /** The value is the default of a variable: ` = process.env.NAME || "…"` */
  fallenBack:
    `${anyQuote}?\\]?[ \\t]{0,4}(?::=|[:=])[ \\t]{0,4}[A-Za-z_$][\\w$.:]{0,80}(?:[[(][^\\r\\n\\])]{0,60}[\\])])?[ \\t]{0,4}` +
    `(?:\\|\\||\\?\\?|\\?:|or\\b)[ \\t]{0,4}(?=${quote})`,
  element: `(?:[ \\t][^<>\\r\\n]{0,80})?>(?=(?:<!\\[CDATA\\[)?[^<>\\s]{1,400}(?:\\]\\]>)?</)`,
  /** The value is the argument of a call: `setPassword("…")`, `.password("…")`, `[Password("…")]` */
  called: `\\((?=${quote})`,
  assigned:
    `(?:[ \\t](?:provided|given|supplied|used|received)|${owner})?${anyQuote}?(?:\\]|\\[\\w{0,6}\\])?(?:\\*\\*)?[ \\t\\u00a0]{0,8}` +
    `(?:=>|:=|(?:\\?{1,2}|\\|\\|)=|={1,3}|!=|::|[:：→]|%3D|\\{(?=${quote}))(?:\\*\\*)?(?:\\\\?\\r?\\n[ \\t]{0,40}(?=["'])|\\\\\\r?\\n[ \\t]{0,20}|[ \\t\\u00a0]{0,8})`,
  /** The value follows in a sentence: "The password is …", "with the token …", SQL's "PASSWORD '…'" */
  spoken: `(?:${owner})?(?:[ \\t]{1,2}(?<verb>is|was|are|be|ist|war|lautet|to|of|value))?[ \\t]{1,2}["'\`“„(]?(?=[^\\s"'\`“”„<>(),;|]{8})`
}

const assigned = lazy(() => {
  const ways = Object.entries(between).map(([way, pattern]) => `(?<${way}>${pattern})`)
  return new RegExp(`(${names})${suffix}(?:${ways.join("|")})`, "gi")
})

/** An option (`--token …`), or a command that sets a variable: `set -x NAME …`, `setenv NAME …`. */
const flagged = lazy(() => [
  new RegExp(`(?<![\\w-])--?(?:[a-z0-9]{1,20}-){0,4}(${names})(?<flag>=|[ \\t]{1,4})`, "gi"),
  new RegExp(
    `set(?:(?:[ \\t]{1,3}-{1,2}\\w{1,12}){1,4}|env|x)[ \\t]{1,3}\\w{0,60}(${names})\\w{0,20}(?<flag>[ \\t]{1,4})`,
    "gi"
  )
])

const quoted = /(\\{0,15}(["'`]))((?:(?!\2)[^\r\n\\]|\\(?!["'`])[^\r\n]){1,4000})(?=\\{0,15}\2|$)/y
const typographic = /([“”„‘’«»])([^\r\n“”„‘’«»]{1,400})(?=[“”„‘’«»])/y
const unquoted = /[^\s"'`,;)}\]<>|\\“”„‘’«»]{1,1000}/y

/** Code before a quoted text, for example the name of a type for secrets. The code does not change the text. */
const wrapper = new RegExp(
  "(?:(?:new )?(?:Secret(?:Str|String)?|Some|Just|Password|Token|String(?:::from)?|str|bytes|Buffer\\.from|Redacted\\.make|" +
    'sensitive|pulumi\\.secret)\\(\\s{0,60}|(?:\\([^\\r\\n()"]{1,40}\\)[ \\t]?){1,3}|[bruf]{1,2}|[@N[]|<<|["\'`]{2}|' +
    "&\\w{1,30} |!!?\\w{1,30} )(?=\\\\{0,15}[\"'`])",
  "iy"
)

/** Openings before a text without quotation marks: brackets of Lua and XML, marks of YAML, braces of ODBC. */
const opening = /\[\[(?=[^\s[\]]{4})|<!\[CDATA\[|(?:&|!!?)\w{1,30} |\{(?=[^{};\s"']{4,200}\};)/y

/** Code between two strings looks like a quoted text. A plus may also be the first character of a base64 value. */
const joined = /^(?:[),.;&|\]}]|\+(?![\w+/]{20}))/

const at = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index
  return pattern.exec(text)
}

const codeLike = [
  /^[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$][\w$]{0,80}){1,10}(?:[!?;]?$|=)/,
  /^[A-Za-z_$][\w$.:]{0,120}!?[([]/,
  /^[A-Za-z_$][\w$.]{0,80}(?:!=|[&|]\w{1,20}\?)/,
  /^(?:Bigu?int|u?int|float)\d{1,2}(?:clamped)?array$/i,
  /^(?:(?:new|await|typeof|function|return|throw|case|void)\b|\/\*)/i
]

interface Value {
  readonly value: string
  readonly start: number
  readonly inQuotes: boolean
}

const valueAt = (text: string, index: number): Value | null => {
  const from = index + (at(wrapper, text, index)?.[0].length ?? 0)
  const inside = at(quoted, text, from)
  if (inside !== null && !joined.test(inside[3] ?? ""))
    return { start: from + (inside[1] ?? "").length, value: inside[3] ?? "", inQuotes: true }
  const printed = at(typographic, text, index)
  if (printed !== null) return { start: index + 1, value: printed[2] ?? "", inQuotes: true }
  const start = index + (at(opening, text, index)?.[0].length ?? 0)
  const bare = at(unquoted, text, start)
  if (bare === null || bare[0].endsWith("...")) return null
  return { start, value: bare[0].replace(/[.:!?]{1,3}$/, ""), inQuotes: false }
}

const isNone = (value: string, inQuotes: boolean): boolean =>
  value.length < 4 ||
  Values.isPlaceholder(value) ||
  /^(?:\d{1,5}$|0x[\da-f]{1,8}$|[a-z][a-z0-9+.-]{1,20}:\/\/)/i.test(value) ||
  Values.isPath(value) ||
  (!inQuotes && codeLike.some((pattern) => pattern.test(value)))

/** True if a sign stands between letters and digits. Names of tests do not have this form. */
const isSigned = (value: string): boolean =>
  value.length >= 8 && /\d/.test(value) && /[A-Za-z0-9][!@#$%^*~?][A-Za-z0-9]/.test(value) && Values.looksChosen(value)

/** True for `NAME=value` in a shell, a properties file or a connection string. There, values may have no quotes. */
const isAssignment = (before: string, name: string, after: string): boolean =>
  /^[A-Z]/.test(name)
    ? !/\.[\w$]{0,60}$/.test(before)
    : /(?:^|[\n;])[ \t]{0,8}(?:export )?[\w.-]{0,60}$/.test(before) && /^(?:$|[\r\n;])/.test(after)

/** The text that must precede the name: `tag` for an element, `setter` for a call. */
const tag = /<[\w:.-]{0,60}$/
const setter = /(?:(?:set|with)[\w$]{0,50}|[.[@](?:db|user|admin|root|proxy|smtp|auth|client)?)$/i

const secretAt = (text: string, match: RegExpExecArray): Span | null => {
  const [whole, name = ""] = match
  const { assigned: sign, called, element, flag, folded, paired, spoken, valued, verb } = match.groups ?? {}
  const before = text.slice(Math.max(0, match.index - 80), match.index)
  const isElsewhere = (element !== undefined && !tag.test(before)) || (called !== undefined && !setter.test(before))
  const found = isElsewhere || notAName.test(before) ? null : valueAt(text, match.index + whole.length)
  if (found === null) return null
  const { inQuotes, start } = found
  const inQuery = !inQuotes && /[?&][\w.-]{0,60}$/.test(before)
  const value = inQuery ? found.value.replace(/&.*/s, "") : found.value
  const operator = flag ?? sign ?? ""
  // If a value without quotation marks is compared, it is a variable or a number.
  if (isNone(value, inQuotes) || (!inQuotes && /[!=]=/.test(operator))) return null
  const [kind, end] = [kindOf(name), start + value.length]
  const isPassword = kind === "password"
  const isBare = operator === "=" && (flag !== undefined || isAssignment(before, name, text.charAt(end)))
  const isPlaced = inQuotes || isBare || inQuery || [element, folded, valued, flag].some((way) => way !== undefined)
  const isSecret = (): boolean => {
    // "pass" may also be the result of a test.
    if (!inQuotes && /^pass$/i.test(name) && !/[\w-]$/.test(before)) return Values.isTelling(value) || isSigned(value)
    const isSaid = verb !== undefined || /['"]$/.test(whole)
    if (spoken !== undefined) return Values.isTelling(value) || (isSaid && isPassword && Values.looksTyped(value))
    if (paired !== undefined)
      return Values.isTelling(value) || (isPassword && /\d/.test(value) && Values.looksChosen(value))
    if (Values.looksDense(value) || Values.looksRandom(value) || (Values.looksChosen(value) && (isPassword || isBare)))
      return true
    if ((isPlaced || isPassword) && isScrambled(value, isPlaced && isPassword ? lenient : undefined)) return true
    if (inQuotes && isPassword && Values.looksPhrased(value)) return true
    return isBare && !/[\s/\\(]/.test(value) && value.length >= (isPassword ? 6 : 10)
  }
  return isSecret() ? { kind, start, end } : null
}

const assertion = new RegExp(
  "(?:expected|received|actual|got|equals?|be|match|include|contain)s?:?[ \\t]{1,3}([\"'`])([^\\s\"'`]{10,300})\\1",
  "gi"
)

const subject = new RegExp(`(?<![A-Za-z0-9])(${names})(?![A-Za-z0-9])`, "i")

/** A value's name is searched in this many characters of the line, before and after the value. */
const near = 300

/** Also finds a value in an assertion if the same line contains a secret's name. */
export const namedSecrets = (text: string, work: SearchWork): ReadonlyArray<Span> => {
  if (!somewhere.test(text)) return []
  const spans: Array<Span> = []
  for (const pattern of [assigned(), ...flagged()])
    eachMatch(pattern, text, work, (match) => {
      const found = secretAt(text, match)
      if (found !== null) spans.push(found)
      return found?.end
    })
  eachMatch(assertion, text, work, ({ 0: whole, 2: value = "", index }) => {
    if (!Values.isTelling(value) || Values.isPlaceholder(value)) return
    const end = index + whole.length - 1
    const before = text.slice(Math.max(0, index - near), index)
    const line = before.slice(before.lastIndexOf("\n") + 1) + (text.slice(end, end + near).split("\n", 1)[0] ?? "")
    const name = subject.exec(line)?.[1]
    if (name !== undefined) spans.push({ kind: kindOf(name), start: end - value.length, end })
  })
  return spans
}
