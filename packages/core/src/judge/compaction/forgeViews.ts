/** What a forge's program shows of one pull request or issue: its number, its branch, and whether it is still open. */
import * as Refs from "./forgeRefs.ts"

export interface View {
  readonly number: string | null
  readonly url: string | null
  /** The branch that it brings. */
  readonly branch: string | null
  readonly state: "open" | "merged" | "closed" | null
}

const nothing: View = { number: null, url: null, branch: null, state: null }

const maxHead = 4000

const looks = new Set(["view", "show", "status"])

export const isLook = (verb: string): boolean => looks.has(verb)

const current = /Current branch[^\n]{0,200}\n {1,8}#(\d{1,9})\s([^\n]{0,400})((?:\n {3,8}\S[^\n]{0,200}){0,3})/
const currentJson = /"currentBranch":\s?(\{[^{}]{0,2000})/
const inBrackets = /\[([^[\]\s]{1,200})\]\s*$/

/** That of the branch which is checked out, of all that `gh pr status` lists. */
const ofStatus = (output: string): View => {
  const json = currentJson.exec(output)?.[1]
  if (json !== undefined) return ofView(json)
  const [, number, title = "", below = ""] = current.exec(output) ?? []
  if (number === undefined) return nothing
  const state = /\b(merged|closed)\b/i.exec(below)?.[1]
  return { ...nothing, number, branch: inBrackets.exec(title)?.[1] ?? null, state: stateOf(state) ?? "open" }
}

const numbered = /"(?:number|iid)":\s?(\d{1,9})|^(?:number|iid):\s{1,8}#?(\d{1,9})/m
const alone = /^[#!]?(\d{1,9})$/
/** As a person sees it, in one line with the title. */
const titled = /^[^\n]{1,300}(?:\s|[\w.-]\/[\w.-]{1,100})[#!](\d{1,9})\s{0,4}(?:\n|$)/
const branched = /"(?:headRefName|source_branch)":\s?"([^"\n]{1,200})"|^(?:Open|Draft)\b[^\n]{0,200}\bfrom (\S{1,200})/m
const stated =
  /"state":\s?"(\w{4,8})"|^state:\s{1,8}(\w{4,8})|^(open|opened|draft|merged|closed)\b(?=\s{0,4}$|\s{1,2}[•·])/im
const merged = /"merged":\s?true|"(?:mergedAt|merged_at)":\s?"/

const stateOf = (word: string | undefined): View["state"] => {
  const said = word?.toLowerCase() ?? ""
  if (said === "merged" || said === "closed") return said
  return /^(?:open|opened|draft)$/.test(said) ? "open" : null
}

const firstOf = (match: RegExpExecArray | null): string | undefined =>
  match?.slice(1).find((group) => group !== undefined)

const ofView = (output: string): View => {
  const [address] = Refs.addressed(output)
  const number =
    firstOf(numbered.exec(output) ?? alone.exec(output.trim()) ?? titled.exec(output)) ?? address?.number ?? null
  const state = merged.test(output) ? "merged" : stateOf(firstOf(stated.exec(output)))
  const url = address !== undefined && address.number === number ? address.url : null
  return { number, url, branch: firstOf(branched.exec(output)) ?? null, state }
}

/** What stands above its description. */
const headOf = (output: string): string => output.slice(0, maxHead).split(/^--$/m, 1)[0] ?? ""

/** What a look shows, of the branch's own where it lists several. */
export const read = (verb: string, output: string): View =>
  verb === "status" ? ofStatus(output.slice(0, maxHead)) : ofView(headOf(output))
