/** The pull requests and issues that a session knows of, and what happens to each. */
import type { ForgeWork as Schema } from "./model.ts"
import * as Refs from "./forgeRefs.ts"
import type { View } from "./forgeViews.ts"

export type ForgeWork = typeof Schema.Type

export const initial: ForgeWork = {
  version: 1,
  order: 0,
  begun: 0,
  refs: [],
  repos: [],
  branch: null,
  branched: 0,
  committed: 0,
  pushed: 0,
  reported: 0
}

const maxRefs = 12

const maxRepos = 8

const nameOf = (repo: string): string => repo.slice(repo.lastIndexOf("/") + 1)

/** Another repository than the session works in; a fork has the name of what it was forked from. */
export const isForeign = ({ repos }: ForgeWork, repo: string | null): boolean =>
  repo !== null && repos.length > 0 && !repos.some((own) => nameOf(own) === nameOf(repo))

const isSame = (state: ForgeWork, ref: ForgeWork["refs"][number], named: Refs.Named): boolean =>
  ref.number === named.number &&
  ref.kind === named.kind &&
  (ref.repo === named.repo || named.repo === null || (ref.repo === null && !isForeign(state, named.repo)))

/** The one of that repository, or else the last that it could be. */
export const known = (state: ForgeWork, named: Refs.Named): ForgeWork["refs"][number] | undefined =>
  state.refs.find((ref) => isSame(state, ref, named) && ref.repo === named.repo) ??
  state.refs.findLast((ref) => isSame(state, ref, named))

/** What happens to a ref: `own` where the session was told to work on it, or does; `subject` where only to read it. */
export interface Deal {
  readonly own: boolean
  readonly subject?: boolean
  readonly closed?: boolean
  readonly branch?: string | null
}

/** Whoever is told to read a pull request has another branch than it, unless it is checked out. */
const branchFor = ({ branch }: ForgeWork, { branch: given, own }: Deal, subject: boolean): string | null =>
  given ?? (own && !subject ? branch : null)

export const name = (state: ForgeWork, named: Refs.Named, deal: Deal): ForgeWork => {
  const { closed, own } = deal
  const before = known(state, named)
  const subject = deal.subject ?? before?.subject ?? false
  const ref = {
    kind: named.kind,
    number: named.number,
    url: named.url ?? before?.url ?? null,
    repo: named.repo ?? before?.repo ?? null,
    branch: branchFor(state, deal, subject) ?? before?.branch ?? null,
    order: own ? state.order : (before?.order ?? state.order),
    own: own || (before?.own ?? false),
    subject,
    closed: closed ?? before?.closed ?? false
  }
  return { ...state, refs: [...state.refs.filter((other) => other !== before), ref].slice(-maxRefs) }
}

export const nameAll = (state: ForgeWork, named: ReadonlyArray<Refs.Named>): ForgeWork =>
  named.reduce((all, one) => name(all, one, { own: true, subject: false }), state)

/** What a person asks for; a pull request that is to be reviewed is what the task is about, and nobody's to change. */
export const order = (state: ForgeWork, text: string): ForgeWork =>
  Refs.orders(text).reduce((all, { named, reads }) => name(all, named, { own: true, subject: reads }), state)

/** What is committed to the branch of a pull request, or pushed to it, is work on that. */
export const claim = (state: ForgeWork): ForgeWork => ({
  ...state,
  refs: state.refs.map((ref) =>
    ref.kind === "pr" && !ref.closed && ref.branch !== null && ref.branch === state.branch && (!ref.own || ref.subject)
      ? { ...ref, own: true, subject: false, order: state.order }
      : ref
  )
})

/** The task's only issue is what its pull request was for. */
export const merged = (state: ForgeWork): ForgeWork => {
  const issues = state.refs.filter((ref) => ref.kind === "issue" && ref.own && !ref.closed && ref.order >= state.begun)
  if (issues.length !== 1) return state
  return { ...state, refs: state.refs.map((ref) => (ref === issues[0] ? { ...ref, closed: true } : ref)) }
}

export const atHome = (state: ForgeWork, repos: ReadonlyArray<string>): ForgeWork =>
  repos.length === 0 ? state : { ...state, repos: [...new Set([...state.repos, ...repos])].slice(-maxRepos) }

/** Without a number it is that of the branch, which is the last one named. */
export const current = (state: ForgeWork, kind: Refs.Named["kind"]): Refs.Named | null =>
  state.refs.findLast((ref) => ref.kind === kind && ref.own && !ref.closed) ?? null

/** What became of one that a look shows. */
export const ended = (state: ForgeWork, named: Refs.Named | null, { branch, state: as }: View): ForgeWork => {
  if (named === null || (as !== "merged" && as !== "closed")) return state
  const own = known(state, named)?.own === true
  const next = name(state, named, { own, closed: true, branch })
  return own && named.kind === "pr" && as === "merged" ? merged(next) : next
}
