/** What a rule is, and what it finds. */
import type { Level } from "../../session/config/Levels.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import type { Severity } from "../verdict/Verdict.ts"

/**
 * One thing that keeps a task from being done. `stands`: it is the agent's to do and nothing excuses it; else the user is
 * told, and no more. `gate` is the check that it is about, `denies` are those whose pass it would deny as well, `failing` what
 * a run names as failed, `telling` what it printed of that, and `calls` are the tool calls that show it.
 *
 * @category models
 */
export interface Finding {
  readonly severity: Severity
  readonly stands: boolean
  readonly gate?: string
  readonly denies?: ReadonlyArray<string>
  readonly failing?: ReadonlyArray<string>
  readonly telling?: ReadonlyArray<string>
  readonly calls?: ReadonlyArray<string>
}

/** A finding in words: for the agent, for the user, and what the agent is to do; null where another finding says that. */
export interface Words {
  readonly agent: string
  readonly user: string
  readonly next: string | null
}

/**
 * A rule as its file has it: `check` says what is found in the facts, `say` what is said of that. Both are pure. `what` it
 * finds and `why` that matters are a sentence each. `attended` is its level while somebody is there to answer, `unattended`
 * where nobody is. What is no plain fact of the record begins at `tell` with somebody there.
 */
export interface RuleOf<Id extends string, A extends Finding> {
  readonly id: Id
  readonly what: string
  readonly why: string
  readonly attended: Level
  readonly unattended: Level
  readonly check: (facts: Facts) => ReadonlyArray<A>
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

/** A finding with the rule that has it, and how far that goes here. */
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
