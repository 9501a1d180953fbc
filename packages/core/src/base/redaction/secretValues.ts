/** Decides whether a value is a real secret or only a placeholder for one. */
import { isScrambled } from "./scrambled.ts"

const placeholderWords = new Set(
  (
    "example examples placeholder changeme changeit change replace replaceme dummy fake sample mock mocked stub redacted masked hidden " +
    "your yours my some insert test tests testing foo bar baz todo xxx valid invalid expired wrong bad unused irrelevant"
  ).split(" ")
)

const plainWords = new Set(
  (
    "password passwd pass pwd secret token key apikey string str number int integer bool boolean none null nil undefined true false " +
    "required optional yes no on off text value default empty unknown any void object bearer basic auth user username admin root " +
    "guest postgres mysql redis oauth jwt env file prompt options abc123"
  ).split(" ")
)

const reference =
  /^(?:['"]?`|[$<%[{(@&!*#]|\\[{$(]|process\.env|os\.(?:environ|getenv)|env[.[(]|ENV\[|secrets?\.|vault:|op:\/\/|arn:|getenv|import\.meta|Deno\.env|config[.[]|self\.|this\.|std::)/

/** True if the value refers to a secret or shows only its form. This applies to every kind of secret. */
export const isMasked = (value: string): boolean =>
  /^\[redacted|\$\{|\{\{|\.\.\.|…|\*\*\*|x{5}|X{5}|EXAMPLE|(.)\1{7}|0123456789abcdef|abcdefghijkl|1234567890123456/.test(
    value
  )

/** True for small letters, capitals and digits together, or for random characters. People do not make up such names. */
const isOpaque = (part: string): boolean =>
  part.length >= 6 &&
  ((/[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part)) || looksRandom(part) || isScrambled(part))

/** A value with a placeholder word is no placeholder if another part looks random. */
export const isPlaceholder = (value: string): boolean => {
  if (isMasked(value) || reference.test(value)) return true
  if (/^[x*•.\-_#?0~]{1,500}$/i.test(value)) return true
  if (plainWords.has(value.toLowerCase())) return true
  const parts = value.split(/[-_.\s:/]/, 20)
  const others = parts.filter((part) => !placeholderWords.has(part.toLowerCase()) && !/^x{3,40}$/i.test(part))
  if (others.length < parts.length) return !others.some(isOpaque)
  return parts.every((part) => plainWords.has(part.toLowerCase()))
}

const extensions =
  "[cm]?[jt]sx?|json|py|rb|go|rs|java|kt|cc?|cpp|cs|hh?|php|sh|md|txt|ya?ml|toml|xml|html?|css|pem|key|crt|bin|lock|sql"

const inFolder = new RegExp(`^(?:[\\w@.-]{1,60}[/\\\\]){1,12}[\\w.-]{1,60}\\.(?:${extensions})$`, "i")

const named = new RegExp(`^[\\w-]{1,60}\\.(?:${extensions})$`, "i")

export const isPath = (value: string): boolean => inFolder.test(value)

/** True for a file or a file URL from which a program reads the secret. */
export const isFile = (value: string): boolean => isPath(value) || named.test(value) || /^fileb?:\/\//.test(value)

const distinct = (value: string): number => new Set(value.slice(0, 200)).size

/** True if the characters are too mixed for a word, an identifier, a version or a path. */
export const looksRandom = (value: string): boolean => {
  if (value.length < 8 || /\s/.test(value) || distinct(value) < 6) return false
  const digits = /\d/.test(value)
  const letters = /[A-Za-z]/.test(value)
  if (!digits || !letters) return false
  if (/^(?:v?\d{1,4}(?:\.\d{1,5}){1,4}|[a-z]{1,60}(?:[-_./][a-z]{1,60}){0,20}[-_]?\d{1,3})$/i.test(value)) return false
  return !/^(?:\/|\.{1,2}\/|~\/|https?:|[a-z]:\\)/i.test(value)
}

/** True if a person might choose this as a password. False for a bare word, a type or an identifier. */
export const looksChosen = (value: string): boolean => {
  if (value.length < 6 || /\s/.test(value)) return false
  if (/^(?:u?int|float|bytes|varchar|char|string|utf|(?:scram-)?sha|md|base|bool|text)[-_]?\d{1,4}$/i.test(value))
    return false
  if (/^[a-z]{1,60}(?:[-_.][a-z]{1,60}){3,20}$/.test(value)) return value.length >= 20 && value.includes("-")
  if (/^[A-Za-z_]{1,200}(?:[-./:][A-Za-z_]{1,200}){0,20}$/.test(value)) return false
  return /\d/.test(value) || /[^\w\s./:-]/.test(value)
}

/** True for a long value whose length and mix of cases distinguish it from a word. */
export const looksDense = (value: string): boolean =>
  /^[A-Za-z0-9+/=_-]{20,2000}$/.test(value) &&
  distinct(value) >= 12 &&
  /[a-z][A-Z][a-z]?[A-Z]|[A-Z]{3}[a-z]{2}[A-Z]|\d[A-Za-z]\d/.test(value)

/** True for a password with spaces: at least one part does not look like a word of a sentence. */
export const looksPhrased = (value: string): boolean =>
  value.length <= 100 &&
  value.split(/\s/, 8).length < 7 &&
  value
    .split(/\s/)
    .some((part) => /[A-Za-z0-9][!@#$%^&*+=~?|][A-Za-z0-9]/.test(part) || (looksRandom(part) && isScrambled(part)))

/** True for a secret even without a name before it: its characters are too mixed for a word. */
export const isTelling = (value: string): boolean => (looksDense(value) && /\d/.test(value)) || isScrambled(value)

/** True if a sign or a digit is between letters. People type this only in passwords. */
export const looksTyped = (value: string): boolean =>
  looksChosen(value) &&
  (/[A-Za-z0-9][!@#$%^&*+=~?][A-Za-z0-9]/.test(value) ||
    (looksRandom(value) && /[a-z]\d[A-Za-z]|[A-Z]\d[a-z]/.test(value)))
