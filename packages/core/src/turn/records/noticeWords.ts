/** Where a task stands, in the words of a person who looks up from other work. */
import { redact } from "../../ground/redaction/Redaction.ts"
import type { Gate, Verdict } from "../../judge/verdict/Verdict.ts"
import { oneLine } from "../../ground/text/Text.ts"

export interface Said {
  readonly proved: ReadonlyArray<string>
  readonly unproved: ReadonlyArray<string>
  readonly open: ReadonlyArray<string>
  readonly human: ReadonlyArray<string>
  readonly asks: ReadonlyArray<string>
}

type Words = Readonly<Record<"passed" | "failed" | "stale" | "missing" | "unknown", string>>

const runnable = (name: string, plural = false): Words => ({
  passed: `${name} ${plural ? "pass" : "passes"}`,
  failed: `${name} ${plural ? "fail" : "fails"}`,
  stale: `${name} ${plural ? "were" : "was"} not run after the last edit`,
  missing: `${name} ${plural ? "were" : "was"} not run`,
  unknown: `whether ${name} ${plural ? "pass" : "passes"} cannot be seen`
})

const words: Readonly<Record<string, Words>> = {
  tests: runnable("the tests", true),
  build: runnable("the build"),
  typecheck: runnable("the type check"),
  lint: runnable("the linter"),
  pr: {
    passed: "the pull request is open",
    failed: "the pull request could not be opened",
    stale: "the pull request lacks the last edit",
    missing: "no pull request was opened",
    unknown: "whether the pull request is open cannot be seen"
  },
  ci: {
    passed: "CI is green",
    failed: "CI is red",
    stale: "CI was not checked after the last push",
    missing: "CI was not checked",
    unknown: "whether CI is green cannot be seen"
  },
  push: {
    passed: "the branch is pushed",
    failed: "the push failed",
    stale: "the last change was not pushed",
    missing: "the branch was not pushed",
    unknown: "whether the branch was pushed cannot be seen"
  },
  commit: {
    passed: "the change is committed",
    failed: "the commit failed",
    stale: "the last change was not committed",
    missing: "nothing was committed",
    unknown: "whether the change was committed cannot be seen"
  }
}

const wordsOf = ({ gate, result }: Gate): string =>
  result === "not_required" ? "" : (words[gate] ?? runnable(gate))[result]

/** What failed, as the entry in `missing` names it: not how many, nor the command. */
const failure = (gate: Gate, missing: string): string => {
  const what = missing.slice(gate.gate.length + 2).split(" (`")[0] ?? ""
  const named = what.replace(/^\d{1,6} failing tests?: /, "")
  return named === "" || named.length > 90 || /^(?:\d{1,6} failed|exit|failed)/i.test(named) ? "" : `: ${named}`
}

const comment =
  /^Code Review Comment \(([^`]{1,200}) at `[^`]{0,80}`\): a reviewer says ("[^"]*"?)(; the agent answered .*)?/u

/** A review comment without its place, short enough that an answer can be read as well. */
const reviewItem = (missing: string): string | null => {
  const [, file, said = "", answer] = comment.exec(missing) ?? []
  if (file === undefined) return null
  const open = `a review comment is open (${file}): `
  return answer === undefined ? `${open}${said}` : `${open}${oneLine(said, 50)}${answer}`
}

const openItem = (missing: string, gates: ReadonlyArray<Gate>): string => {
  const reviewed = reviewItem(missing)
  if (reviewed !== null) return reviewed
  const gate = gates.find((candidate) => missing.startsWith(`${candidate.gate}: `))
  if (gate === undefined) return missing
  return gate.result === "failed" ? `${wordsOf(gate)}${failure(gate, missing)}` : wordsOf(gate)
}

/** What a reason quotes: the question that was asked, or what only a person can do. */
const quoted = (reason: string): ReadonlyArray<string> => {
  const at = reason.indexOf(": ")
  return at < 0 ? [] : [`"${oneLine(redact(reason.slice(at + 2)), 120)}"`]
}

const required = ({ gates }: Verdict, result: Gate["result"]): ReadonlyArray<string> =>
  gates.filter((gate) => gate.required && gate.result === result).map(wordsOf)

const openOf = (verdict: Verdict): ReadonlyArray<string> => {
  if (verdict.missing.length > 0) return verdict.missing.map((item) => openItem(item, verdict.gates))
  const reported = ["failed", "stale", "missing"] as const
  const gates = reported.flatMap((result) => required(verdict, result))
  return gates.length > 0 || verdict.complete ? gates : [verdict.reason]
}

const provedOf = (verdict: Verdict): ReadonlyArray<string> => {
  const passed = required(verdict, "passed")
  if (passed.length > 0) return passed
  return verdict.gates.filter((gate) => gate.result === "passed").map(wordsOf)
}

const nothing: Said = { proved: [], unproved: [], open: [], human: [], asks: [] }

export const standing = (verdict: Verdict | null): Said => {
  if (verdict === null) return nothing
  const open = openOf(verdict)
  const first = quoted(verdict.reason)
  return {
    proved: provedOf(verdict),
    unproved: required(verdict, "unknown"),
    open,
    human: [...first, ...verdict.missing.map((item) => openItem(item, verdict.gates))],
    asks: first
  }
}
