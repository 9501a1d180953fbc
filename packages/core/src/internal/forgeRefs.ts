/** Pull requests and issues as people, commands and tools name them. */
import { guarded } from "./guarded.ts"

export interface Named {
  readonly kind: "pr" | "issue"
  readonly number: string
  readonly url: string | null
}

const url =
  /https?:\/\/[\w.:-]{1,100}(?:\/[\w.~-]{1,100}){1,6}?\/(?:-\/)?(pull|pulls|pull-requests|merge_requests|issues)\/(\d{1,9})\b/g

const maxText = 8000

/** Those whose address a text has. */
export const addressed = (text: string): ReadonlyArray<Named> => {
  if (!text.includes("://")) return []
  return [...text.slice(0, maxText).matchAll(url)].slice(0, 20).map(([address, place, number = ""]) => ({
    kind: place === "issues" ? "issue" : "pr",
    number,
    url: address
  }))
}

const spoken = guarded(
  "#|!|pr |pull request|merge request|issue|mr ",
  () =>
    /\b(?:(pr|pull request|mr|merge request)|(issues?|ticket|bug(?: report)?)|(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|implement|address|tackle|work(?:ing)? on|handle|finish|solve))\s{0,3}(?:number |no\.? ?)?([#!]?)(\d{1,7})\b|(?:^|\s)!(\d{1,7})\b/gi
)

/** "PR 2" is more often a part of a plan; a number that stands alone has to be a long one. */
const isNumber = (sign: string | undefined, number: string): boolean => sign !== "" || number.length >= 3

/** Those that a person asks to work on; a number in passing is none. */
export const asked = (text: string): ReadonlyArray<Named> => {
  const said = text.slice(0, maxText)
  const found: Array<Named> = [...addressed(text)]
  if (!spoken.admits(said)) return found
  for (const [, pr, issue, sign, number, bare] of said.matchAll(spoken.pattern())) {
    if (bare !== undefined) found.push({ kind: "pr", number: bare, url: null })
    else if (number !== undefined && isNumber(sign, number) && (pr ?? issue ?? sign) !== "")
      found.push({ kind: pr !== undefined || sign === "!" ? "pr" : "issue", number, url: null })
  }
  return found.filter(
    (one, index) => found.findIndex((other) => other.kind === one.kind && other.number === one.number) === index
  )
}

/** A number, "#12" or an address among the words of a command. */
export const inWords = (words: ReadonlyArray<string | null>, kind: Named["kind"]): Named | null => {
  for (const word of words) {
    const [address] = word === null ? [] : addressed(word)
    if (address !== undefined) return address
    const number = /^[#!]?(\d{1,9})$/.exec(word?.slice(0, 12) ?? "")?.[1]
    if (number !== undefined) return { kind, number, url: null }
  }
  return null
}
