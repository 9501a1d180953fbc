/** The view `compaction`: what to tell an agent after its context was compacted. */
import * as Compaction from "@reflexion/core/Compaction"
import * as Schema from "effect/Schema"
import * as Sheet from "../terminal/Sheet.ts"
import type { SessionView } from "./views.ts"

interface Compacted {
  readonly assessment: Compaction.CompactionAssessment
  readonly lastAt: string | null
}

const looks: Readonly<Record<Compaction.Action, Sheet.Look>> = {
  continue_task: { label: "CONTINUE THE TASK", symbol: "arrow", paint: "blue" },
  needs_github_update: { label: "UPDATE GITHUB FIRST", symbol: "warning", paint: "yellow" },
  needs_clarification: { label: "WAIT FOR AN ANSWER", symbol: "unknown", paint: "cyan" },
  task_complete: { label: "DONE", symbol: "passed", paint: "green" }
}

const encode = Schema.encodeSync(Compaction.CompactionAssessment)

export const view: SessionView<Compaction.CompactionState, Compacted, Compaction.Action> = {
  doing: "assessing",
  done: "assessed",
  turns: {
    initial: Compaction.initial,
    step: Compaction.step,
    judgment: ({ judgment }) => judgment,
    show: ({ options, state }) => ({
      assessment: Compaction.read(state, options),
      lastAt: state.judgment.stop.lastAt
    })
  },
  record: ({ assessment }) => encode(assessment),
  parts: (style, { assessment, lastAt }) => {
    const { action, confidence, hasActiveGitWork, text } = assessment
    const work = `${hasActiveGitWork ? "a" : "no"} branch, pull request or issue is under way`
    return [
      Sheet.heading(style, { ...assessment, lastAt }),
      Sheet.section(style, "Next", [
        Sheet.badge(style, looks[action]),
        ...Sheet.facts(style, [`confidence ${Sheet.percent(confidence)}`, work], Sheet.body(style))
      ]),
      Sheet.section(style, "Text", Sheet.quotation(style, text, { bar: "yellow", none: "" }))
    ]
  },
  looks,
  lookOf: ({ assessment: { action } }) => action,
  code: () => 0
}
