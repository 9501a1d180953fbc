/** Recognises names of secrets: the name of a field, or a name before a value in a text. */

const escapes = String.raw`\\{0,15}`

/** Excludes other meanings of "pass": `-debug-pass=…`, a filter, or a pass of a compiler. */
const passes = "(?<!(?:debug|run|low|high|band|first|second|one|two|multi|single)-pass)"

/** Matches "pass" after another word, or before a sign that assigns a value. "bypass" does not match. */
const pass =
  `pass(?:(?<=[a-z0-9][_-]pass)${passes}|(?<![\\w-]pass)(?=${escapes}["']?[ \\t]{0,8}[:=])|` +
  "(?<=\\buser(?:name)?[:=][ \\t]{0,2}[^\\s,;]{1,60}[ \\t,;/]{1,4}pass)(?=[:=]))"

/** Excludes names of phase-shift modulations, such as `16-APSK` and `QPSK`. */
const psk = "psk(?<!\\b(?:\\d{1,3}-?[ABQDO]{0,3}|[ABQDO]{1,3})psk)"

export const names =
  `passw(?:or)?[dt]|passwd|pwd|passphrase|passcode|${pass}|${psk}|secret|token|credentials?|api[ _-]?key|` +
  "(?:access|secret)[ _-]?key|private[ _-]?key(?:[_-]id)?|(?:encryption|signing|account|master|shared|auth|client|deploy)[_-]?key|" +
  "contraseña|пароль|パスワード|密码|密碼|비밀번호"

export const suffix =
  "(?:s|[_-]?(?:key(?:[_-]?base)?|value|b64|base64|data|raw|plain|old|new|current|prod|production|dev|staging|live|\\d{1,4}))?"

/** Every name of a secret contains one of these texts. */
export const somewhere = /key|token|secret|pass|pwd|credential|psk|contraseña|пароль|パスワード|密码|密碼|비밀번호/i

/** After this text, a name is not a secret's name. Examples are `pageToken` and our own redaction mark. */
export const notAName =
  /(?:(?:page|next|continuation|cursor|sync|resume|design|cancellation|cancel|end|start|eof|comma|syntax)[_-]?|\[redacted:[a-z-]{0,20})$/i

export const kindOf = (name: string): string =>
  /token/i.test(name) ? "token" : /key/i.test(name) ? "key" : /secret|credential/i.test(name) ? "secret" : "password"

const field = new RegExp(
  `(?:${names}|kennwort|mnemonic|authorization|cookies?|connection-string|(?:license|session)-key)${suffix}$`,
  "i"
)

const worded = (name: string): string =>
  name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")

/** True for names such as `dbPassword` and `X-Api-Key`, but not for `tokenCount`. */
export const isSecretName = (name: string): boolean => {
  const words = worded(name)
  const found = field.exec(words)
  // A name that ends in "tokens" is usually a count.
  return found !== null && !/tokens$/i.test(words) && !notAName.test(words.slice(0, found.index))
}

export const kindOfName = (name: string): string => /[a-z]{1,40}$/.exec(worded(name).toLowerCase())?.[0] ?? "secret"

/** True if even a number under this name is a secret. */
export const isPasswordName = (name: string): boolean =>
  /^(?:passw(?:or[dt]|d)|pwd|pass(?:phrase|code)|kennwort)$/.test(kindOfName(name))
