/**
 * Finds addresses of pages, hosts and mailboxes, even in disguised forms that a reader can still open. If only a model
 * or only the agent names an address, the address is not shown, so that nobody opens it.
 */
import { lazy } from "./Lazy.ts"
import { clean } from "./PlainText.ts"

export const leftOut = "[address left out]"

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** Common top-level domains, and those with free addresses. */
const zones = wordsOf(
  "com net org edu gov mil int info biz name pro mobi tel asia cat jobs post travel museum aero coop arpa onion " +
    "io ai co me tv cc ly gg to gl la fm am im is it in us uk eu de fr nl be ch at se no dk fi pl cz sk hu ro bg gr pt es ie " +
    "ru su ua by kz cn hk tw jp kr sg my id th vn ph au nz ca mx br ar cl pe za ng ke eg tr ir il ae sa pk bd lk np ws to vc sh " +
    "dev app page web site online shop store tech cloud host space website xyz top club live link click icu fun one vip work " +
    "world today life media news blog agency digital network systems solutions services support center company group team email " +
    "run codes tools software computer design studio art games zone rocks ninja guru expert academy bank finance money cash zip mov"
)

/** Top-level domains that are also English words, or names of parts in programs and files. */
const words = wordsOf(
  "in is it to me name work team email page web run group host post zone one app id do no am im at be by as us la so ws int net sh"
)

/** File extensions. Most of them are not top-level domains. */
const endings = wordsOf(
  "js jsx ts tsx mjs cjs mts cts json jsonl md mdx py rs go java kt rb php css scss html htm yml yaml toml lock txt xml env " +
    "cfg conf ini sql sh bash csv tsv log vue svelte c h cc cpp hpp swift cs fs ex exs erl lua pl r tf ipynb pem key pub png jpg " +
    "svg pdf gz tar tgz zip wasm map snap patch diff example sample local test spec config d"
)

/** After these words, a name is probably an address. */
const leads = lazy(() => /(?:^|[^\p{L}])(?:to|into|at|on|via|from|visit|open|see|browse|go|click|use)\s{1,3}$/iu)

const end = "[^\\s<>\"'`|]"
const rest = `(?::\\d{1,5})?(?:[/?#]${end}{0,2000})?`

/** The expressions for the letters of all languages take twenty times as long to compile as those for ASCII. */
const expressions = (letter: string, either: string, flags: string) => {
  const label = `[${either}](?:[${either}-]{0,62}[${either}])?`
  const address = [
    `(?<![${either}])[a-z][a-z0-9+.-]{1,20}:[/\\\\]{2,3}${end}{1,2000}`,
    `(?<![${either}])(?:mailto|sms|tel|javascript|data|vscode|ssh|magnet):${end}{3,2000}`,
    `(?<![${either}])[^\\s@<>"'\`(|/]{1,100}@(?!(?:v?\\d|latest|next|beta|alpha|canary)\\b)${label}(?:\\.${label}){0,10}${rest}`,
    `(?<![\\d.])\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\d.]*\\d)${rest}|\\[[0-9a-f:]{2,45}\\]${rest}`,
    `(?<![${either}_.@/\\\\-])(?:${label}\\.){1,10}(?:xn--[a-z0-9-]{2,59}|${letter}{2,24})(?![${either}_(-]|\\.[${either}])${rest}`
  ].join("|")
  const sign = [
    `(?<=[${either}])\\s{1,2}(?:dot|\\.)\\s{1,2}(?=[a-z]{2,6}\\b)`,
    `(?<=[${either}])\\s{1,2}\\.(?=(?:com|net|org|io|dev|app|ai|co|me|info|ru|cn|xyz)\\b)`
  ].join("|")
  return { address: new RegExp(address, flags), sign: new RegExp(sign, flags) }
}

const ascii = lazy(() => expressions("[a-z]", "a-z0-9", "gi"))
const all = lazy(() => expressions("\\p{L}", "\\p{L}\\p{N}", "giu"))

/** Characters outside ASCII that may be letters or digits. Dashes, arrows, boxes and check marks are left out. */
const other = /[^\0-\x7f\u2010-\u2023\u2026\u2190-\u245f\u2500-\u2775\u2794-\u2bff]/

const expressionsFor = (text: string): ReturnType<typeof expressions> => (other.test(text) ? all() : ascii())

/** A browser treats these characters as a dot. */
const dotted = (text: string): string =>
  /[。․‧∙・]/.test(text) ? text.replace(/(?<=[\p{L}\p{N}])[。․‧∙・](?=[a-z0-9])/giu, ".") : text

/** Disguised letters, dots and schemes become normal ones. */
const folded = (text: string): string => {
  const plain = dotted(clean(text).normalize("NFKC"))
  return plain
    .replace(/\bhxxp(s?)\b/gi, "http$1")
    .replace(/(?<=[a-z])\s{0,2}:\s{0,2}\/\s{0,2}\/\s{0,2}(?=\S)/gi, "://")
    .replace(/\s?[[({<]\s?(?:\.|dot)\s?[\])}>]\s?/gi, ".")
    .replace(expressionsFor(plain).sign, (sign, at: number, whole: string) =>
      zones.has((/^[a-z]{2,6}/i.exec(whole.slice(at + sign.length))?.[0] ?? "").toLowerCase()) ? "." : sign
    )
}

const trimmed = (found: string): string =>
  found.replace(found.startsWith("[") ? /[.,;:!?)}'"*_]{1,20}$/ : /[.,;:!?)\]}'"*_]{1,20}$/, "")

/** Two ways to write the same address become equal. */
const plain = (found: string): string =>
  trimmed(found)
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]{1,20}:[/\\]{2,3}|^mailto:/, "")
    .replace(/^www\./, "")
    .replace(/[/?#]$/, "")

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0)(?=$|[:/?#])/

/** A name with dots could also be a file or a part of a program. */
const isHost = (name: string, strict: boolean, before: string): boolean => {
  const host = name.split(/[:/?#]/, 1)[0] ?? ""
  const zone = host.slice(host.lastIndexOf(".") + 1).toLowerCase()
  if (/^www\./i.test(host) || zone.startsWith("xn--") || /[^\p{ASCII}]/u.test(host)) return true
  const goesOn = /[/?#]/.test(name)
  const leadsThere = strict && leads().test(before)
  if (endings.has(zone)) return (zones.has(zone) && (goesOn || leadsThere)) || (goesOn && leadsThere)
  if (zones.has(zone)) return strict || goesOn || !words.has(zone) || host.split(".").length > 2
  // If the top-level domain is not listed, a word of `leads` must come before, and the name must have no capitals.
  return leadsThere && /^[a-z\d.-]+$/.test(host)
}

/** True if the text can only be an address: it has a scheme, an "@", or an IP address. */
const isCertain = (found: string): boolean =>
  (/^[a-z][a-z0-9+.-]{1,20}:/i.test(found) && !/^[\w.-]+\.\w+:\d/.test(found)) ||
  /@|^\[|^\d{1,3}(?:\.\d{1,3}){3}(?!\w)/.test(found)

interface Address {
  readonly at: number
  readonly text: string
}

const addressesIn = (text: string, strict: boolean): ReadonlyArray<Address> =>
  [...text.matchAll(expressionsFor(text).address)].flatMap((match) => {
    const one = trimmed(match[0])
    const before = text.slice(Math.max(0, match.index - 20), match.index)
    const isOne = !loopback.test(plain(one)) && (isCertain(one) || isHost(one, strict, before))
    return isOne ? [{ at: match.index, text: one }] : []
  })

/** An address is also known if a known address begins with it. */
const unnamed = (text: string, others: ReadonlyArray<string>): ReadonlyArray<Address> => {
  const named = others.flatMap((other) => addressesIn(folded(other), true).map((one) => plain(one.text)))
  return addressesIn(text, false).filter((found) => {
    const one = plain(found.text)
    return !named.some((other) => other === one || (other.startsWith(one) && /[/?#:]/.test(other.charAt(one.length))))
  })
}

export const withoutUnnamed = (text: string, others: ReadonlyArray<string>): string => {
  const whole = folded(text)
  const gone = unnamed(whole, others)
  if (gone.length === 0) return text
  const kept = [0, ...gone.map((one) => one.at + one.text.length)].map((from, index) =>
    whole.slice(from, gone[index]?.at)
  )
  return kept.join(leftOut)
}
