/** Secrets in the report of a failed assertion that says in the same line what it is about. */
import type { Span } from "./secretRule.ts"
import { charged, perPlace, type SearchWork } from "./searchWork.ts"
import { isPlaceholder, isTelling } from "./secretValues.ts"

const name = "passw(?:or)?[dt]|passphrase|passcode|secret|token|(?:api|access|secret|private)[ _-]?key|credentials?"

const kindOf = (word: string): string =>
  /token/i.test(word) ? "token" : /key/i.test(word) ? "key" : /secret|cred/i.test(word) ? "secret" : "password"

/** What a test wanted to see and saw, in quotes right behind the word for it. */
const quoted =
  /(?:expected|received|actual|got|equals?|be|match|include|contain)s?:?[ \t]{1,3}(["'`])([^\s"'`]{10,300})\1/gi

const subject = new RegExp(`(?<![A-Za-z0-9])(${name})(?![A-Za-z0-9])`, "i")

/** How far from the value the line says what it is of. */
const near = 300

/** In a text that has a secret's name. */
export const assertedSecrets = (text: string, work: SearchWork): ReadonlyArray<Span> =>
  [...text.matchAll(quoted)].flatMap((match) => {
    const value = match[2] ?? ""
    if (!charged(work, perPlace) || !isTelling(value) || isPlaceholder(value)) return []
    const start = match.index + match[0].length - 1 - value.length
    const before = text.slice(Math.max(0, start - near), start)
    const after = text.slice(start + value.length, start + value.length + near)
    const line = before.slice(before.lastIndexOf("\n") + 1) + (after.split("\n", 1)[0] ?? "")
    const about = subject.exec(line)?.[1]
    return about === undefined ? [] : [{ kind: kindOf(about), start, end: start + value.length }]
  })
