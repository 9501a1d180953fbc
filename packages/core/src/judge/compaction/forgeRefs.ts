/** Pull requests and issues as people, commands and tools name them. */
import { isOrdered, isReviewed, ordersPull } from "./forgeOrders.ts"

export interface Named {
  readonly kind: "pr" | "issue"
  readonly number: string
  readonly url: string | null
  /** "owner/name" in lower case, null where nothing says which. */
  readonly repo: string | null
}

const url =
  /https?:\/\/[\w.:-]{1,100}\/([\w.~-]{1,100}(?:\/[\w.~-]{1,100}){0,5}?)\/(?:-\/)?(pull|pulls|pull-requests|merge_requests|issues)\/(\d{1,9})\b/g

const maxText = 8000

interface Found {
  readonly named: Named
  readonly from: number
  readonly to: number
}

const addresses = (text: string): ReadonlyArray<Found> => {
  if (!text.includes("://")) return []
  return [...text.slice(0, maxText).matchAll(url)].slice(0, 20).map((match) => {
    const [address, repo = "", place, number = ""] = match
    const kind = place === "issues" ? ("issue" as const) : ("pr" as const)
    const named = { kind, number, url: address, repo: repo.toLowerCase() }
    return { named, from: match.index, to: match.index + address.length }
  })
}

/** Those whose address a text has. */
export const addressed = (text: string): ReadonlyArray<Named> => addresses(text).map(({ named }) => named)

const spoken =
  /(?<![\w/#])(?:(?:(pr|pull request|mr|merge request)|(issues?|ticket|bug(?: report)?))\s{0,3}(?:number |no\.? ?)?([#!]?)|([#!]))(\d{1,7})\b/gi

/** "PR 2 of the plan", "step 3": a part of something else. */
const part = /^\s(?:of|from|in) (?:(?:the|your|my|our) \w|\d)/i

const mentions = (text: string): ReadonlyArray<Found> => {
  return [...text.matchAll(spoken)].slice(0, 60).flatMap((match) => {
    const [whole, pr, issue, within = "", sign = within, number = ""] = match
    const [from, to] = [match.index, match.index + whole.length]
    if (sign === "" && part.test(text.slice(to, to + 30))) return []
    const pull = pr !== undefined || sign === "!" || (issue === undefined && ordersPull(text, from))
    return [{ named: { kind: pull ? ("pr" as const) : ("issue" as const), number, url: null, repo: null }, from, to }]
  })
}

const isSame = (one: Named, other: Named): boolean =>
  one.kind === other.kind && one.number === other.number && one.repo === other.repo

/** A pull request or an issue that a person orders work on; `reads` where that is to read it, as for a review. */
export interface Order {
  readonly named: Named
  readonly reads: boolean
}

/** What a person orders work on; what is only named, blamed or held up as an example is none. */
export const orders = (text: string): ReadonlyArray<Order> => {
  const said = text.slice(0, maxText)
  const found = [...addresses(said), ...mentions(said)]
    .filter(({ from, to }) => isOrdered(said, from, to))
    .map(({ from, named, to }) => ({ named, reads: named.kind === "pr" && isReviewed(said, from, to) }))
  const first = ({ named }: Order, index: number) => found.findIndex((other) => isSame(named, other.named)) === index
  return found.filter(first).slice(0, 20)
}

/** The same without what is to be done with them. */
export const asked = (text: string): ReadonlyArray<Named> => orders(text).map(({ named }) => named)

/** A number, "#12" or an address among the words of a command. */
export const inWords = (
  words: ReadonlyArray<string | null>,
  kind: Named["kind"],
  repo: string | null
): Named | null => {
  for (const word of words) {
    const [address] = word === null ? [] : addressed(word)
    if (address !== undefined) return address
    const number = /^[#!]?(\d{1,9})$/.exec(word?.slice(0, 12) ?? "")?.[1]
    if (number !== undefined) return { kind, number, url: null, repo }
  }
  return null
}

const remote = /^(?:https?:\/\/|ssh:\/\/|git:\/\/)?(?:[^/\s@]{1,200}@)?[\w.-]{1,100}(?::\d{1,5}\/|[:/])\/?(\S{1,200})$/

/** "owner/name" of a remote's address, or of what follows `--repo`. */
export const repoOf = (address: string): string | null => {
  const given = address
    .slice(0, 300)
    .replace(/\/$/, "")
    .replace(/\.git$/, "")
  const path = /^[\w.~-]{1,100}\/[\w.~-]{1,100}$/.test(given) ? given : remote.exec(given)?.[1]
  return path !== undefined && /^[\w.~-]{1,100}(?:\/[\w.~-]{1,100}){1,5}$/.test(path) ? path.toLowerCase() : null
}

const shown = /^(?:To|\w[\w.-]{0,60}\t) ?(\S{1,300})(?: \((?:push|fetch)\))?$/gm

/** The repositories that `git push` and `git remote -v` show. */
export const remotes = (output: string): ReadonlyArray<string> =>
  [...output.slice(-4000).matchAll(shown)]
    .slice(0, 8)
    .map(([, address = ""]) => repoOf(address))
    .filter((repo) => repo !== null)
