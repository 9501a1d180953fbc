/** Judges the hand-written cases. */
import * as Judgment from "@reflexion/core/Judgment"
import type { RepoSignals } from "@reflexion/core/RepoSignals"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import type { Verdict } from "@reflexion/core/Verdict"
import { type Case, transcript } from "./Case.ts"
import { differences } from "./Check.ts"
import { repoSignals } from "./Repo.ts"
import { suites } from "./Suites.ts"
import * as Utmost from "./Utmost.ts"
import * as Times from "../measure/Times.ts"

/** A hand-written case and in what the answer differs from its expectation; nothing where the case passes. */
export interface Written<A extends { readonly id: string; readonly why: string }> {
  readonly suite: string
  readonly case: A
  readonly differences: ReadonlyArray<string>
}

export interface CaseResult extends Written<Case> {
  readonly verdict: Verdict
}

const context = (self: Case): { readonly config: ReflexionConfig.ReflexionConfig; readonly repo?: RepoSignals } => {
  // Whether somebody is there makes a difference only at the levels as they are.
  const base = self.session?.attended === undefined ? Utmost.config : ReflexionConfig.defaults
  const config = ReflexionConfig.merge(base, {
    ...(self.profile && { profile: self.profile }),
    ...(self.gates && { gates: self.gates })
  })
  return self.repo === undefined ? { config } : { config, repo: repoSignals(self.repo) }
}

/** The verdict on the case's last turn, with the ways in which it differs from the expectation. */
export const judge = (suite: string, self: Case): CaseResult => {
  const verdict = Judgment.judge(transcript(self), { context: context(self) })
  return { suite, case: self, verdict, differences: differences(self.expect, verdict) }
}

/** Every case of every suite. */
export const judgeAll = (): ReadonlyArray<CaseResult> =>
  Object.entries(suites).flatMap(([suite, cases]) =>
    cases.map((self) => Times.measure("cases", self.id, () => judge(suite, self)))
  )

export interface CaseSummary {
  readonly cases: number
  readonly passed: number
  readonly suites: Readonly<Record<string, { readonly cases: number; readonly passed: number }>>
  /** The ids of the cases that the judge does not meet. */
  readonly missed: ReadonlyArray<string>
}

type AnyWritten = Written<{ readonly id: string; readonly why: string }>

const passed = (result: AnyWritten): boolean => result.differences.length === 0

export const summary = (results: ReadonlyArray<AnyWritten>): CaseSummary => ({
  cases: results.length,
  passed: results.filter(passed).length,
  suites: Object.fromEntries(
    [...new Set(results.map((result) => result.suite))].map((suite) => {
      const own = results.filter((result) => result.suite === suite)
      return [suite, { cases: own.length, passed: own.filter(passed).length }]
    })
  ),
  missed: results.filter((result) => !passed(result)).map((result) => result.case.id)
})
