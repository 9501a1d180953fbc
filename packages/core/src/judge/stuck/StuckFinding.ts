/** What the rules go by, and what they find. */
import type * as Judgment from "../verdict/Judgment.ts"
import type { Loop } from "../loops/Loops.ts"
import { foundLoop, type LevelsHere } from "../rules/FoundLoops.ts"
import type { Found } from "../rules/model.ts"
import type { Reason } from "./model.ts"
import type * as StopSignal from "../../session/stop/StopSignal.ts"
import type { Verdict } from "../verdict/Verdict.ts"
import type { Pulse } from "./LastSigns.ts"

/** All that the rules go by. `silence` in seconds; what costs something is asked for only where it counts. */
export interface Known {
  readonly judgment: Judgment.JudgmentState
  readonly pulse: Pulse
  /** Those whose rule is not turned off, the gravest first. */
  readonly loops: ReadonlyArray<Loop>
  readonly levels: LevelsHere
  readonly silence: number | null
  readonly now: number | null
  readonly stall: number
  /** Whether the last sign of life is younger than the silence that counts. */
  readonly young: boolean
  /** Whether the host is in plan mode, where a plan is all that there is to do. */
  readonly planMode: boolean
  readonly reading: () => StopSignal.Reading
  readonly verdict: () => Verdict
  /** Whether what is missing is only told to the user, and may be missing by mistake. */
  readonly isOnlyTold: () => boolean
}

/** What to tell the agent: what the verdict says, or words of our own. */
export interface Say {
  readonly fact: string
  readonly action: string
}

export interface Finding {
  readonly reason: Reason
  readonly confidence: number
  readonly facts: ReadonlyArray<string>
  /** False where evidence is not enough: a model may know better. */
  readonly decided: boolean
  readonly say: Say | "verdict" | "loop" | null
  /** The loop that it is, and as its rule finds it. */
  readonly loop?: { readonly seen: Loop; readonly found: Found }
}

export type Rule = (known: Known) => Finding | null

export const finding = (reason: Reason, confidence: number, ...facts: ReadonlyArray<string>): Finding => ({
  reason,
  confidence,
  facts,
  decided: true,
  say: null
})

export const stuck = (confidence: number, say: Say, ...facts: ReadonlyArray<string>): Finding => ({
  ...finding("genuinely_stuck", confidence, ...facts),
  say
})

export const undecided = (...facts: ReadonlyArray<string>): Finding => ({
  ...finding("working", 0.3, ...facts),
  decided: false
})

/** A span of time as a person would say it. */
export const duration = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`
}

/** A call in a line. */
export const named = (call: { readonly tool: string; readonly summary: string }): string =>
  call.summary === "" ? call.tool : `${call.tool}: ${call.summary}`

/** Whoever is in a loop is told of it as far as its rule goes; `isDue`: a word is due in any case. */
export const looping = (loop: Loop, { levels }: Known, isDue = false): Finding => {
  const calls = loop.calls.map(named).join(", ")
  const found = foundLoop(loop, levels)
  return {
    ...finding(
      "genuinely_stuck",
      0.8,
      `${loop.pattern.replace("_", " ")} loop, ${loop.count} rounds${calls === "" ? "" : ` of ${calls}`}`
    ),
    say: isDue || found.level === "push" ? "loop" : null,
    loop: { seen: loop, found }
  }
}

/** Why an agent stopped by mistake, and what it is told. */
export const says = {
  cut_off: { fact: "Your last message was cut off.", action: "Go on from where the message was cut off." },
  announced_step: {
    fact: "You announced a next step and stopped before taking it.",
    action: "Take the step that you announced."
  },
  unhandled_failure: {
    fact: "Your last call failed, and you stopped as if it had not.",
    action: "Read its error, mend what causes it or try another way; or say that it failed and why you leave it so."
  },
  only_planned: {
    fact: "You wrote a plan and took no step of it.",
    action: "Carry the plan out now, beginning with its first step."
  }
} as const satisfies Readonly<Record<string, Say>>

export const isProven = (verdict: Verdict): boolean => verdict.complete && verdict.confidence >= 0.8
