/** What a rule is, and what it finds. */
import type { Level, RuleName } from "../../session/config/RuleNames.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import type { Severity, StopPattern } from "../verdict/Verdict.ts"

/**
 * One thing that keeps a task from being done. `fact` is said to the agent and `action` what it is to do about it; `missing`
 * names it for a person. `stands`: it is the agent's to do, and nothing excuses it. `gate` is the check that it is about,
 * `denies` are those whose pass it would deny as well, `failing` what its run names as failed, and `calls` are the tool calls
 * that show it. `most`: it goes no further, whatever the
 * rule's level; `ask` only by itself, where neither the configuration nor a model says more.
 *
 * @category models
 */
export interface Finding {
  readonly severity: Severity
  readonly fact: string
  readonly missing: string
  readonly action: string | null
  readonly stands: boolean
  readonly gate?: string
  readonly denies?: ReadonlyArray<string>
  readonly failing?: ReadonlyArray<string>
  readonly calls?: ReadonlyArray<string>
  readonly most?: Level
}

/** A finding with the rule that has it, and how far that goes here. */
export interface Found extends Finding {
  readonly rule: Rule
  readonly level: Level
}

/**
 * A rule of the judge: a pure function of the facts. `what` it finds and `why` that matters are a sentence each, for a person.
 * How far it goes by itself is `attended` while somebody is there to answer, as far as it has proved itself on stops that nobody
 * had seen, and `unattended` where nobody is; a configuration turns it up or down. `most`: no ledger takes it further. `fact`: it
 * reads what needs no statistic, as the host's own word. `holds`: what it finds is never called done, whatever its level.
 * `stuck`: an agent for which it fires is stuck, rather than done too early; `differently`: it is to go about it in another way, and what
 * other rules would have it do is left out. `pattern` is what such a stop is called in a verdict. `presses`: an offer at the end
 * does not excuse it; `waits`: it is only not done yet, and rests while the agent depends on the user; `needsRights`: credentials
 * or rights may keep it from being done.
 *
 * @category models
 */
export interface Rule {
  readonly id: RuleName
  readonly what: string
  readonly why: string
  readonly attended: Level
  readonly unattended: Level
  readonly fact?: true
  readonly most?: Level
  readonly holds?: boolean
  readonly stuck?: boolean
  readonly differently?: boolean
  readonly pattern?: StopPattern
  readonly presses?: boolean
  readonly waits?: boolean
  readonly needsRights?: boolean
  readonly check: (facts: Facts) => ReadonlyArray<Finding>
}
