/**
 * Whether a value is a real secret or something that only stands where one would.
 *
 * @since 0.1.0
 */

const placeholderWords = new Set(
  "example examples placeholder changeme change replace replaceme dummy fake sample mock mocked stub redacted masked hidden your yours my some insert test tests testing foo bar baz todo xxx valid invalid expired wrong bad unused irrelevant".split(
    " "
  )
)

const plainWords = new Set([
  ..."password passwd pass pwd secret token key apikey string str number int integer bool boolean none null nil".split(
    " "
  ),
  ..."undefined true false required optional yes no on off text value default empty unknown any void object".split(" "),
  ..."bearer basic auth user username admin root guest postgres mysql redis oauth jwt env file prompt abc123".split(" ")
])

const reference =
  /^(?:[$<%[{(@&!*#]|\\[{$(]|process\.env|os\.(?:environ|getenv)|env[.[(]|ENV\[|secrets?\.|vault:|op:\/\/|arn:|getenv|import\.meta|Deno\.env|config[.[]|self\.|this\.|std::)/

/** Points at a secret, or shows its shape, without being one; holds for every kind of secret. */
export const isMasked = (value: string): boolean =>
  value.startsWith("[redacted") ||
  value.includes("${") ||
  value.includes("{{") ||
  value.includes("...") ||
  value.includes("…") ||
  value.includes("***") ||
  /x{5}|X{5}|EXAMPLE|(.)\1{7}|0123456789abcdef|abcdefghijkl|1234567890123456/.test(value)

/** A value that a person wrote to stand for one that is not there. */
export const isPlaceholder = (value: string): boolean => {
  if (isMasked(value) || reference.test(value)) return true
  if (/^[x*•.\-_#?0~]{1,500}$/i.test(value)) return true
  const parts = value.toLowerCase().split(/[-_.\s:/]/, 20)
  if (plainWords.has(value.toLowerCase())) return true
  return (
    parts.some((part) => placeholderWords.has(part) || /^x{3,40}$/.test(part)) ||
    parts.every((part) => plainWords.has(part))
  )
}

const distinct = (value: string): number => new Set(value.slice(0, 200)).size

/** Mixed enough that nobody would write it as a word, an identifier, a version or a path. */
export const looksRandom = (value: string): boolean => {
  if (value.length < 8 || /\s/.test(value) || distinct(value) < 6) return false
  const digits = /\d/.test(value)
  const letters = /[A-Za-z]/.test(value)
  if (!digits || !letters) return false
  if (/^(?:v?\d{1,4}(?:\.\d{1,5}){1,4}|[a-z]{1,60}(?:[-_./][a-z]{1,60}){0,20}[-_]?\d{1,3})$/i.test(value)) return false
  return !/^(?:\/|\.{1,2}\/|~\/|https?:|[a-z]:\\)/i.test(value)
}

/** What a person might choose as a password: not a bare word, type or identifier. */
export const looksChosen = (value: string): boolean => {
  if (value.length < 6 || /\s/.test(value)) return false
  if (/^(?:u?int|float|bytes|varchar|char|string|utf|sha|md|base|bool|text)[-_]?\d{1,4}$/i.test(value)) return false
  if (/^[a-z]{1,60}(?:[-_.][a-z]{1,60}){3,20}$/.test(value)) return value.length >= 20 && value.includes("-")
  if (/^[A-Za-z_]{1,200}(?:[-_./:][A-Za-z_]{1,200}){0,20}$/.test(value)) return false
  return /\d/.test(value) || /[^\w\s./:-]/.test(value)
}

/** A secret of hexadecimal digits or letters alone is told from a word by its length and mix of cases. */
export const looksDense = (value: string): boolean =>
  /^[A-Za-z0-9+/=_-]{20,2000}$/.test(value) &&
  distinct(value) >= 12 &&
  /[a-z][A-Z][a-z]?[A-Z]|[A-Z]{3}[a-z]{2}[A-Z]|\d[A-Za-z]\d/.test(value)
