/** What the commands and tools of a forge do to pull requests and issues, and whether they did it. */
import * as Refs from "./forgeRefs.ts"

/** What one command of a forge's program does to a pull request or an issue. */
export interface Deed {
  readonly kind: Refs.Named["kind"]
  readonly verb: string
  readonly rest: ReadonlyArray<string | null>
  /** Of which repository, where the command says so. */
  readonly repo: string | null
}

const kinds: Readonly<Record<string, Refs.Named["kind"]>> = {
  pr: "pr",
  mr: "pr",
  "pull-request": "pr",
  pulls: "pr",
  issue: "issue",
  issues: "issue"
}

const programs = new Set(["gh", "glab", "tea", "fj", "hub"])

export const read = (words: ReadonlyArray<string | null>): Deed | null => {
  if (!programs.has(words[0] ?? "")) return null
  if (words[0] === "hub" && words[1] === "pull-request")
    return { kind: "pr", verb: "create", rest: words.slice(2), repo: null }
  const at = words.findIndex((word, index) => index > 0 && word !== null && kinds[word] !== undefined)
  const kind = kinds[words[at] ?? ""]
  if (at < 0 || kind === undefined) return words[1] === "api" ? apiDeed(words) : null
  return { kind, verb: words[at + 1] ?? "", rest: words.slice(at + 2), repo: flagged(words) }
}

/** What `--repo` or `-R` says. */
const flagged = (words: ReadonlyArray<string | null>): string | null => {
  const at = words.findIndex((word) => word !== null && /^(?:-R$|--repo$|--repo=)/.test(word.slice(0, 7)))
  const given = words[at]?.startsWith("--repo=") ? words[at]?.slice(7) : words[at + 1]
  return at < 0 || given === undefined || given === null ? null : Refs.repoOf(given)
}

const apiDeed = (words: ReadonlyArray<string | null>): Deed | null => {
  const path = words.find((word) => /\/(?:issues|pulls)\/\d/.test(word?.slice(0, 300) ?? ""))
  const [, repo, place, number = ""] =
    /^(?:\/?repos\/([\w.-]{1,100}\/[\w.-]{1,100}))?.{0,200}?\/(issues|pulls)\/(\d{1,9})/.exec(
      path?.slice(0, 300) ?? ""
    ) ?? []
  if (place === undefined) return null
  const writes = words.some((word) =>
    /^(?:-f|-F|--field|--raw-field|--input|POST|PATCH)$/.test(word?.slice(0, 12) ?? "")
  )
  return {
    kind: place === "pulls" ? "pr" : "issue",
    verb: writes ? "comment" : "view",
    rest: [number],
    repo: repo?.toLowerCase() ?? null
  }
}

/** What a command printed, and whether its own exit is the one that was seen. */
export interface Outcome {
  readonly output: string
  readonly sure: boolean
}

const refusal =
  /not mergeable|cannot be merged|can't be merged|prohibits|GraphQL:|\bHTTP [45]\d\d\b|^(?:X|✗|×) |\b(?:create|merge|close|comment) failed\b|could not resolve/im
const later =
  /will be (?:automatically )?(?:merged|added)|(?:added|queued) (?:to|for) (?:the )?merge|merge queue|auto-?merge|when (?:the )?pipeline|when all requirements/i
const over =
  /(?:✓|✔|!)[^\n]{0,80}\b(?:merged|closed|deleted)\b|already (?:merged|closed)|\b(?:Merged|Closed) (?:pull|merge|issue)/i

const tailOf = ({ output }: Outcome): string => output.slice(-4000)

/** Whether it did not come about, though something behind it hid its exit. */
export const isRefused = (outcome: Outcome): boolean =>
  !outcome.sure && refusal.test(tailOf(outcome)) && !over.test(tailOf(outcome))

const waits = /^--(?:auto|auto-merge|when-pipeline-succeeds|disable-auto)(?:=true)?$/

export interface Ending {
  readonly closed?: boolean
}

const ends = new Set(["close", "merge", "delete"])

/** Closed, open again, or as it was: a merge that waits for its checks has not happened. */
export const ending = ({ rest, verb }: Deed, outcome: Outcome): Ending => {
  if (verb === "reopen") return { closed: false }
  const said = tailOf(outcome)
  if (!ends.has(verb) || later.test(said)) return {}
  if (over.test(said)) return { closed: true }
  const deferred = rest.some((word) => waits.test(word?.slice(0, 40) ?? ""))
  return deferred || !outcome.sure || refusal.test(said) ? {} : { closed: true }
}

const closes = /(?:^|[_.-])(?:close|merge|accept)(?:[_-]|(?=[A-Z])|$)(?!requests?(?:_|$))/
const looks = /auto|status|check|able|(?:^|[_.-])(?:get|list|view|read)/i

/** The same of a tool that a host has under a name of its own. */
export const toolEnding = (tool: string, input: Readonly<Record<string, unknown>>, output: string): Ending => {
  const state = input["state"]
  if (/reopen/i.test(tool) || state === "open" || state === "reopen") return looks.test(tool) ? {} : { closed: false }
  if (looks.test(tool) || /"merged":\s?false/.test(output.slice(0, 4000))) return {}
  return state === "closed" || state === "close" || closes.test(tool) ? { closed: true } : {}
}
