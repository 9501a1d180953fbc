/** What a rule is, and what it finds. */
import type { Level, RuleName } from "../../session/config/RuleNames.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import type { TranscriptEvent } from "../../session/transcript/Transcript.ts"
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
 * A rule of the judge: a pure function of the facts. How far it goes by itself is what it has earned (`earned.ts`), at the
 * `most` as far as is said here; a configuration turns it up or down. `fact`: it reads what needs no statistic, as the host's own word. `unattended`: how far it goes where nobody is there to answer. `holds`: what it finds is never called done, whatever its level. `stuck`: an agent for which it fires is stuck,
 * rather than done too early; `anew`: it is to go about it differently, and what other rules would have it do is left out. `pattern` is what such a stop is called in a verdict. `presses`: an offer at the end does not
 * excuse it; `waits`: it is only not done yet, and rests while the agent depends on the user; `needsRights`: credentials or
 * rights may keep it from being done.
 *
 * @category models
 */
export interface Rule {
  readonly id: RuleName
  readonly fact?: true
  readonly most?: Level
  readonly unattended?: Level
  readonly holds?: boolean
  readonly stuck?: boolean
  readonly anew?: boolean
  readonly pattern?: StopPattern
  readonly presses?: boolean
  readonly waits?: boolean
  readonly needsRights?: boolean
  readonly check: (facts: Facts) => ReadonlyArray<Finding>
}

/** A session in a few events, and what there is to see in it. */
export interface Example {
  readonly title: string
  readonly events: ReadonlyArray<TranscriptEvent>
}

/**
 * What a person reads of a rule: what it finds, in a sentence; why that matters; examples in which it fires, and near misses
 * in which it must not. The examples are its tests. No hook loads it.
 *
 * @category models
 */
export interface Page {
  readonly what: string
  readonly why: string
  readonly fires: ReadonlyArray<Example>
  readonly spares: ReadonlyArray<Example>
}
