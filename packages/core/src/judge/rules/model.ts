/** The types of a rule and of its findings. */
import type { Level } from "../../session/config/Levels.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import type { Severity } from "../verdict/Verdict.ts"

/**
 * One thing that keeps a task from being done.
 *
 * @category models
 */
export interface Finding {
  readonly severity: Severity
  /** True if the agent must act on the finding. False if the finding is excused, so that only the user is told. */
  readonly stands: boolean
  /** The check that the finding is about. */
  readonly gate?: string
  /** Other checks that the finding contradicts. If one of these checks has passed, the finding is dropped. */
  readonly denies?: ReadonlyArray<string>
  readonly failing?: ReadonlyArray<string>
  /** The lines that the run printed about the failure. */
  readonly telling?: ReadonlyArray<string>
  /** The ids of the tool calls that prove the finding. */
  readonly calls?: ReadonlyArray<string>
}

/** A finding in words. */
export interface Words {
  readonly agent: string
  readonly user: string
  /** What the agent should do. Null if another finding already says so. */
  readonly next: string | null
}

/** A rule as its file defines it. */
export interface RuleOf<Id extends string, A extends Finding> {
  readonly id: Id
  /** One sentence that says what the rule finds. */
  readonly what: string
  /** One sentence that says why the finding matters. */
  readonly why: string
  /**
   * The level while a person is present. A rule begins with `tell` if its finding is not a plain fact in the record.
   */
  readonly attended: Level
  readonly unattended: Level
  /** Returns the findings in the facts. Pure. */
  readonly check: (facts: Facts) => ReadonlyArray<A>
  /** Puts a finding into words. Pure. */
  readonly say: (found: A) => Words
}

/**
 * A rule of the judge: a pure function of the facts.
 *
 * @category models
 */
export interface Rule<Id extends string = string> extends Omit<RuleOf<Id, Finding>, "check" | "say"> {
  readonly find: (facts: Facts) => ReadonlyArray<Finding & Words>
}

/** A finding with its rule and the level that applies here. */
export interface RuleFinding extends Finding, Words {
  readonly rule: Rule
  readonly level: Level
}

export const rule = <const Id extends `${string}/${string}`, A extends Finding>({
  check,
  say,
  ...about
}: RuleOf<Id, A>): Rule<Id> => ({
  ...about,
  find: (facts) => check(facts).map((found) => ({ ...found, ...say(found) }))
})
