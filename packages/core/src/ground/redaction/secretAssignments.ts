/** Secrets that only their name gives away: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`, `<password>…</password>`. */
import { lazy } from "../text/Lazy.ts"
import type { Span } from "./secretRule.ts"
import { isScrambled, lenient } from "./scrambled.ts"
import { charged, perPlace, type SearchWork } from "./searchWork.ts"
import {
  isPath,
  isPlaceholder,
  isTelling,
  looksChosen,
  looksDense,
  looksPhrased,
  looksRandom,
  looksTyped
} from "./secretValues.ts"
import { tabledSecrets } from "./secretTables.ts"

const escapes = String.raw`\\{0,15}`
const quote = `${escapes}["'\`]`
const anyQuote = `${escapes}["'\`“”„‘’«»]`

/** What is passed in these is no gate: `-debug-pass=…`, a filter, a pass of a compiler. */
const passes = "(?<!(?:debug|run|low|high|band|first|second|one|two|multi|single)-pass)"

/** A word of others as well, as of "bypass": it is a name behind another word, or before a sign that gives it a value. */
const pass =
  `pass(?:(?<=[a-z0-9][_-]pass)${passes}|(?<![\\w-]pass)(?=${escapes}["']?[ \\t]{0,8}[:=])|` +
  "(?<=\\buser(?:name)?[:=][ \\t]{0,2}[^\\s,;]{1,60}[ \\t,;/]{1,4}pass)(?=[:=]))"

/** Phases that are shifted are a modulation: `16-APSK`, `QPSK`. */
const psk = "psk(?<!\\b(?:\\d{1,3}-?[ABQDO]{0,3}|[ABQDO]{1,3})psk)"

const names =
  `passw(?:or)?[dt]|passwd|pwd|passphrase|passcode|${pass}|${psk}|` +
  "secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|" +
  "secret[ _-]?key|encryption[_-]?key|signing[_-]?key|account[_-]?key|master[_-]?key|shared[_-]?key|auth[_-]?key|" +
  "client[_-]?key|deploy[_-]?key|credentials?"

/** In letters beyond ASCII; apart, for they would make the search for a name slow. */
const foreignNames = "contraseña|пароль|パスワード|密码|密碼|비밀번호"

const suffix =
  "(?:s|[_-]?(?:key(?:[_-]?base)?|value|b64|base64|data|raw|plain|old|new|current|prod|production|dev|staging|live|\\d{1,4}))?"

/** Of these words each name in letters of ASCII has one. */
export const nameWords: ReadonlyArray<string> =
  "key,token,secret,passw,pwd,credential,_pass,-pass,pass:,pass=,pass =,pass :,pass  ,pass\\,pass\",pass',passphrase,passcode,psk".split(
    ","
  )

/** Whose it is: "Password for ada: …" */
const owner = "[ \\t](?:for|of)[ \\t](?:(?:the[ \\t])?(?:user|account)[ \\t])?[\"'`]?[\\w.@-]{1,60}[\"'`]?"

/** What stands between a name and its value, by how it is written. The first that fits counts. */
const between = {
  /** `: string = "…"`, `: &str = "…"` */
  typed: `${escapes}["']?[ \\t]{0,4}:[ \\t]?[&A-Za-z][^\\r\\n"'\`=:;,(){}]{0,40}=[ \\t]{0,4}(?=${quote})`,
  /** `{ get; set; } = "…"` */
  accessed: `[ \\t]{0,4}\\{[^{}"'\\r\\n]{1,60}\\}[ \\t]{0,4}=[ \\t]{0,4}(?=${quote})`,
  /** Visual Basic's ` As String = "…"` */
  dimmed: `[ \\t]{1,3}As[ \\t]{1,3}\\w{1,20}[ \\t]{0,4}=[ \\t]{0,4}(?=")`,
  /** What a variable is where it has no other value: ` = process.env.NAME || "…"` */
  fallenBack:
    `${anyQuote}?\\]?[ \\t]{0,4}(?::=|[:=])[ \\t]{0,4}[A-Za-z_$][\\w$.:]{0,80}(?:[[(][^\\r\\n\\])]{0,60}[\\])])?[ \\t]{0,4}` +
    `(?:\\|\\||\\?\\?|\\?:|or\\b)[ \\t]{0,4}(?=${quote})`,
  /** Terraform's `"name" {` with a default below, in the same block, or on the same line */
  defaulted: `"[ \\t]{0,4}\\{(?:[ \\t]{1,8}(?:[^{}\\r\\n]{0,120}[ \\t])?|[ \\t]{0,4}\\r?\\n(?:(?!\\}|[ \\t]{0,20}(?:variable|output|resource|module|data|provider|locals)\\b)[^\\r\\n]{0,120}\\r?\\n){0,4}?[ \\t]{0,20})default[ \\t]{0,20}=[ \\t]{0,4}(?=")`,
  /** Go's dump of a value: `:(string) (len=24) "…"` */
  dumped: `:[ \\t]?(?:\\([^\\r\\n()"]{1,40}\\)[ \\t]?){1,3}(?=")`,
  /** `name: X` and `value: …` beside each other, in YAML, JSON and XML */
  valued: `${anyQuote}?(?:[,;][ \\t]{0,4}|[ \\t]{1,4}|,?\\s{1,80})${quote}?value${quote}?[ \\t]{0,4}[:=][ \\t]{0,4}`,
  /** A pair in a list, the arguments of a call: `"name", "…"` */
  paired: `${quote}[ \\t]{0,4},[ \\t]{0,4}(?=[brufBRUF]{0,2}${quote})`,
  /** Erlang's `{name, <<"…">>}` */
  tupled: `[ \\t]{0,2},[ \\t]{0,4}(?=<<")`,
  /** A field of a form that is sent in parts */
  posted: `"[^\\r\\n]{0,100}\\r?\\n(?:[A-Za-z-]{1,30}:[^\\r\\n]{0,100}\\r?\\n){0,3}\\r?\\n`,
  /** PHP's dump of a value: `"]=>`, a line break, `string(32) "…"` */
  printed: `["']\\][ \\t]{0,4}=>\\s{1,40}string\\(\\d{1,6}\\)[ \\t](?=")`,
  /** Apple's `<key>…</key>` and `<string>…` */
  listedKey: `</key>\\s{0,40}<string>`,
  /** `=$(cat <<EOF`, and `= <<EOT` */
  piped: `[ \\t]{0,4}=[ \\t]{0,4}["']?(?:\\$\\([ \\t]{0,2}cat[ \\t]{0,2})?<<[-~]?[ \\t]{0,2}["']?\\w{1,20}["']?\\r?\\n[ \\t]{0,20}`,
  /** A text on the next line */
  below: `${quote}[ \\t]{0,4}[:=][ \\t]{0,4}\\r?\\n[ \\t]{1,40}(?=["'])`,
  continued: `=\\\\\\r?\\n[ \\t]{0,20}`,
  /** YAML's text on the lines below: `: >-` */
  folded: `:[ \\t]{1,3}[>|][+-]?\\d?[ \\t]{0,4}\\r?\\n[ \\t]{1,40}`,
  element: `(?:[ \\t][^<>\\r\\n]{0,80})?>(?=(?:<!\\[CDATA\\[)?[^<>\\s]{1,400}(?:\\]\\]>)?</)`,
  cell: `\`?[ \\t]{1,60}[|│┃][ \\t]{1,20}(?=[^\\s|│┃]{1,400}[ \\t]{0,60}[|│┃])`,
  sql: `[ \\t]{1,3}(?=')`,
  /** `setPassword("…")`, `.password("…")`, `[Password("…")]` */
  called: `\\((?=${quote})`,
  braced: `\\{(?=${quote})`,
  assigned:
    `(?:[ \\t](?:provided|given|supplied|used|received)|${owner})?${anyQuote}?(?:\\]|\\[\\w{0,6}\\])?(?:\\*\\*)?[ \\t\\u00a0]{0,8}` +
    `(?:=>|:=|(?:\\?{1,2}|\\|\\|)=|={1,3}|!=|::|[:：→]|%3D)(?:\\*\\*)?[ \\t\\u00a0]{0,8}`,
  /** The first row of a table */
  headed: `["']?[ \\t]{0,40}(?=[,;\\t|│\\r\\n]|$)`,
  /** "The password is …", "with the token …" */
  spoken: `(?:${owner})?(?:[ \\t]{1,2}(?<verb>is|was|are|be|ist|war|lautet|to|of|value))?[ \\t]{1,2}["'\`“„(]?(?=[^\\s"'\`“”„<>(),;|]{8})`
}

type Way = keyof typeof between

const ways: ReadonlyArray<Way> = [
  "typed",
  "accessed",
  "dimmed",
  "dumped",
  "valued",
  "defaulted",
  "printed",
  "paired",
  "tupled",
  "folded",
  "posted",
  "listedKey",
  "piped",
  "below",
  "continued",
  "fallenBack",
  "element",
  "cell",
  "sql",
  "called",
  "braced",
  "assigned",
  "headed",
  "spoken"
]

const assignedTo = (name: string): RegExp =>
  new RegExp(`(${name})${suffix}(?:${ways.map((way) => `(?<${way}>${between[way]})`).join("|")})`, "gi")

const assigned = lazy(() => assignedTo(names))

const foreign = lazy(() => assignedTo(foreignNames))

const flagged = lazy(() => new RegExp(`(?<![\\w-])--?(?:[a-z0-9]{1,20}-){0,4}(${names})(?<flag>=|[ \\t]{1,4})`, "gi"))

/** Words that set a variable to what comes after its name: `set -x NAME …`, `setenv NAME …`. */
const setting = lazy(
  () =>
    new RegExp(
      `set(?:(?:[ \\t]{1,3}-{1,2}\\w{1,12}){1,4}|env|x)[ \\t]{1,3}\\w{0,60}(${names})\\w{0,20}(?<flag>[ \\t]{1,4})`,
      "gi"
    )
)

/** What before the name makes it another thing: a page's token, or our own mark. */
const notAName =
  /(?:(?:page|next|continuation|cursor|sync|resume|design|cancellation|cancel|end|start|eof|comma|syntax)[_-]?|\[redacted:[a-z-]{0,20})$/i

const quoted = /(\\{0,15}(["'`]))((?:(?!\2)[^\r\n\\]|\\(?!["'`])[^\r\n]){1,4000})(?=\\{0,15}\2|$)/y
const typographic = /([“”„‘’«»])([^\r\n“”„‘’«»]{1,400})(?=[“”„‘’«»])/y
const unquoted = /[^\s"'`,;)}\]<>|\\“”„‘’«»]{1,1000}/y

/** What is written around a text that is meant as a secret or as a text, and is no call that makes another of it. */
const wrapper =
  /(?:(?:new )?(?:Secret(?:Str|String)?|Some|Just|Password|Token|String(?:::from)?|str|bytes|Buffer\.from|Redacted\.make|sensitive|pulumi\.secret)\(\s{0,60}|[bruf]{1,2}|[@N[]|<<|["'`]{2}|&\w{1,30} |!!?\w{1,30} )(?=\\{0,15}["'`])/iy

/** What stands before a text without quotation marks: Lua's and XML's brackets, YAML's marks, braces of ODBC. */
const opening = /\[\[(?=[^\s[\]]{4})|<!\[CDATA\[|(?:&|!!?)\w{1,30} |\{(?=[^{};\s"']{4,200}\};)/y

/** A text that another begins or ends before; in base64 a plus may be its first. */
const joined = /^(?:[),.;&|\]}]|\+(?![\w+/]{20}))/

const at = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index
  return pattern.exec(text)
}

const kindOf = (name: string): string => {
  if (/token/i.test(name)) return "token"
  if (/key/i.test(name)) return "key"
  return /secret|credential/i.test(name) ? "secret" : "password"
}

const codeLike =
  /^(?:[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$][\w$]{0,80}){1,10}[!?;]?|[A-Za-z_$][\w$.:]{0,120}!?[([].{0,1000}|[A-Za-z_$][\w$.]{0,80}(?:!=|[&|]\w{1,20}\?).{0,1000}|(?:Bigu?int|u?int|float)\d{1,2}(?:clamped)?array|(?:new|await|typeof|function|return|throw|case|void)\b.{0,1000}|\/\*.{0,1000}|[A-Za-z_$][\w$]{0,80}(?:\.[A-Za-z_$][\w$]{0,80}){1,10}=.{0,1000})$/i

interface Candidate {
  readonly kind: string
  readonly value: string
  readonly inQuotes: boolean
  /** Written as an environment variable or a flag with `=`, where a bare word is a value too. */
  readonly assignment: boolean
  /** Nothing but a value can stand there. */
  readonly alone: boolean
  /** One of a list or of a row, in which the name may be nothing but another word. */
  readonly listed: boolean
  /** In a sentence: whether a verb before it says that it is the value. Null elsewhere. */
  readonly spoken: boolean | null
  /** Under "pass", which is what tests do as well, and without quotation marks. */
  readonly doubtful: boolean
}

/** A sign amid letters and digits, which no name of a test has. */
const isSigned = (value: string): boolean =>
  value.length >= 8 && /\d/.test(value) && /[A-Za-z0-9][!@#$%^*~?][A-Za-z0-9]/.test(value) && looksChosen(value)

const address = /^[a-z][a-z0-9+.-]{1,20}:\/\//i

const isSecret = (candidate: Candidate): boolean => {
  const { alone, assignment, doubtful, inQuotes, kind, listed, spoken, value } = candidate
  if (value.length < 4 || isPlaceholder(value) || /^(?:\d{1,5}|0x[\da-f]{1,8})$/i.test(value) || address.test(value))
    return false
  if (isPath(value)) return false
  if (!inQuotes && codeLike.test(value)) return false
  if (doubtful) return isTelling(value) || isSigned(value)
  if (spoken !== null) return isTelling(value) || (spoken && kind === "password" && looksTyped(value))
  if (listed) return isTelling(value) || (kind === "password" && /\d/.test(value) && looksChosen(value))
  if (looksDense(value) || looksRandom(value)) return true
  if (looksChosen(value) && (kind === "password" || assignment)) return true
  const placed = inQuotes || alone || assignment
  if (placed && kind === "password" && isScrambled(value, lenient)) return true
  if ((placed || kind === "password") && isScrambled(value)) return true
  if (inQuotes && kind === "password" && looksPhrased(value)) return true
  return assignment && !/[\s/\\(]/.test(value) && value.length >= (kind === "password" ? 6 : 10)
}

interface Found {
  readonly start: number
  readonly value: string
  readonly inQuotes: boolean
}

const valueAt = (text: string, index: number): Found | null => {
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

/** The rest of the name before the keyword, back to where it starts. */
const lead = /(?:^|[\n;])[ \t]{0,8}(?:export )?[\w.-]{0,60}$/

/** A part of an object in a program. */
const member = /\.[\w$]{0,60}$/

/** `NAME=value` of a shell, or a whole line of a properties file or part of a connection string. */
const isAssignment = (text: string, start: number, name: string, end: number): boolean => {
  const before = text.slice(Math.max(0, start - 80), start)
  if (/^[A-Z]/.test(name)) return !member.test(before)
  return lead.test(before) && /^(?:$|[\r\n;])/.test(text.charAt(end))
}

const inQuery = (text: string, start: number): boolean =>
  /[?&][\w.-]{0,60}$/.test(text.slice(Math.max(0, start - 62), start))

const untilAmpersand = (value: string): string => {
  const index = value.indexOf("&")
  return index < 0 ? value : value.slice(0, index)
}

const wayOf = (match: RegExpExecArray): Way | "flag" | undefined =>
  match.groups?.["flag"] === undefined ? ways.find((way) => match.groups?.[way] !== undefined) : "flag"

/** Where the value stands so that nothing else could. */
const alone: ReadonlySet<string | undefined> = new Set([
  "element",
  "folded",
  "valued",
  "flag",
  "posted",
  "listedKey",
  "piped",
  "continued"
])

/** What has to stand before the name where a value is written so. */
const leads: Partial<Record<Way, RegExp>> = {
  element: /<[\w:.-]{0,60}$/,
  posted: /form-data; name="[\w.[\]-]{0,40}$/i,
  listedKey: /<key>[\w.-]{0,50}$/,
  called: /(?:(?:set|with)[\w$]{0,50}|[.[@](?:db|user|admin|root|proxy|smtp|auth|client)?)$/i
}

/** Where the words between do not say it, whether this is the place of a value. */
const fits = (text: string, match: RegExpExecArray, way: Way | "flag" | undefined): boolean => {
  const name = match[1] ?? ""
  const before = way === undefined || way === "flag" ? undefined : leads[way]
  if (before !== undefined) return before.test(text.slice(Math.max(0, match.index - 62), match.index))
  return way !== "sql" || kindOf(name) === "password"
}

const candidateAt = (text: string, match: RegExpExecArray, from: number): (Candidate & Span) | null => {
  const name = match[1] ?? ""
  const way = wayOf(match)
  if (!fits(text, match, way)) return null
  const found = valueAt(text, from)
  if (found === null || notAName.test(text.slice(Math.max(0, match.index - 24), match.index))) return null
  const query = !found.inQuotes && inQuery(text, match.index)
  const value = query ? untilAmpersand(found.value) : found.value
  const end = found.start + value.length
  const operator = match.groups?.["flag"] ?? match.groups?.["assigned"] ?? ""
  // What is compared without quotation marks is a program's variable or number.
  if (!found.inQuotes && /[!=]=/.test(operator)) return null
  const assignment =
    operator === "=" && (match.groups?.["flag"] !== undefined || isAssignment(text, match.index, name, end))
  return {
    kind: kindOf(name),
    value,
    inQuotes: found.inQuotes,
    assignment,
    alone: query || alone.has(way),
    listed: way === "paired" || way === "cell",
    spoken: way === "spoken" ? match.groups?.["verb"] !== undefined : null,
    doubtful: !found.inQuotes && /^pass$/i.test(name) && !/[\w-]/.test(text.charAt(match.index - 1)),
    start: found.start,
    end
  }
}

/** A table's cells, where a name ends the first row's. */
const tabled = (text: string, pattern: RegExp, from: number, work: SearchWork): ReadonlyArray<Span> => {
  const table = tabledSecrets(text, from, work)
  pattern.lastIndex = Math.max(table.end, pattern.lastIndex)
  return table.spans
}

const collect = (text: string, pattern: RegExp, work: SearchWork): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  if (!charged(work, text.length)) return spans
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (!charged(work, perPlace)) return spans
    if (match.groups?.["headed"] !== undefined) {
      spans.push(...tabled(text, pattern, match.index, work))
      continue
    }
    const candidate = candidateAt(text, match, pattern.lastIndex)
    if (candidate === null || !isSecret(candidate)) continue
    spans.push({ kind: candidate.kind, start: candidate.start, end: candidate.end })
    pattern.lastIndex = candidate.end
  }
  return spans
}

/** The values that stand under a secret's name and look like one, in a text that has one of the words of a name. */
export const assignedSecrets = (text: string, work: SearchWork): ReadonlyArray<Span> =>
  [assigned, flagged, setting].flatMap((pattern) => collect(text, pattern(), work))

/** The same under a name in letters beyond ASCII. */
export const assignedAbroad = (text: string, work: SearchWork): ReadonlyArray<Span> => collect(text, foreign(), work)
