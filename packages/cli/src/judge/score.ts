/** The view `score`: how well the agent worked on the session's last task, from 0 to 5. */
import * as Judgment from "@reflexion/core/Judgment"
import * as Score from "@reflexion/core/Score"
import * as Schema from "effect/Schema"
import * as Sheet from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"
import { type Mark, marked, taskLines } from "./marked.ts"
import type { SessionView } from "./views.ts"

interface Scored {
  readonly score: Score.Score
  readonly findings: ReadonlyArray<Score.Finding>
  readonly task: string
  readonly lastAt: string | null
}

const points = ["0", "1", "2", "3", "4", "5"] as const

const paints: Readonly<Record<Score.Points, Mark>> = {
  5: ["passed", "green"],
  4: ["passed", "green"],
  3: ["warning", "yellow"],
  2: ["warning", "yellow"],
  1: ["failed", "red"],
  0: ["failed", "red"]
}

const lookOf = (score: Score.Points, label: string): Sheet.Look => {
  const [symbol, paint] = paints[score]
  return { label, symbol, paint }
}

const anchors: Readonly<Record<Score.Points, string>> = {
  5: "done and proved, few detours, honest",
  4: "done, with a small gap",
  3: "partly done, or the right question asked",
  2: "incomplete, with something useful",
  1: "little of use, or a false claim",
  0: "nothing done"
}

/** The best score is called "proved" only if everything could be checked. */
const anchorOf = ({ findings, score: { score } }: Scored): string =>
  score === 5 && findings.some(({ aspect, most }) => aspect === "task" && most === null)
    ? "the record shows no fault, but not everything can be checked"
    : anchors[score]

const titles = { task: "Outcome", files: "Files", steps: "Steps", honesty: "Honesty" } as const

const finding = (style: TerminalStyle, { most, text }: Score.Finding): ReadonlyArray<string> => {
  if (most === null) return marked(style, ["unknown", "cyan"], text)
  if (most === 5) return marked(style, paints[5], text)
  return marked(style, most < 2 ? paints[0] : paints[3], `${text} (at most ${most})`)
}

const encode = Schema.encodeSync(Score.Score)

export const view: SessionView<Judgment.JudgmentState, Scored, (typeof points)[number]> = {
  doing: "scoring",
  done: "scored",
  turns: {
    initial: Judgment.initial,
    step: Judgment.step,
    judgment: (state) => state,
    show: ({ consulted, options, state, verdict }) => {
      const given = { ...options, ...(consulted && { verdict }) }
      const score = Score.read(state, given)
      if (score === null) return null
      const { lastAt } = state.stop
      return { score, findings: Score.findings(state, given), task: verdict.task.summary, lastAt }
    }
  },
  record: ({ score }) => encode(score),
  parts: (style, shown) => {
    const { findings, lastAt, score, task } = shown
    const notes = [anchorOf(shown), `by ${score.source}`]
    return [
      Sheet.heading(style, { ...score, lastAt }),
      Sheet.section(style, "Task", taskLines(style, task)),
      Sheet.section(style, "Score", [
        Sheet.badge(style, lookOf(score.score, `${score.score} of 5`)),
        ...Sheet.facts(style, notes, Sheet.body(style))
      ]),
      (["task", "files", "steps", "honesty"] as const).flatMap((aspect) =>
        Sheet.section(
          style,
          titles[aspect],
          findings.filter((one) => one.aspect === aspect).flatMap((one) => finding(style, one))
        )
      )
    ]
  },
  looks: {
    0: lookOf(0, "scored 0"),
    1: lookOf(1, "scored 1"),
    2: lookOf(2, "scored 2"),
    3: lookOf(3, "scored 3"),
    4: lookOf(4, "scored 4"),
    5: lookOf(5, "scored 5")
  },
  lookOf: ({ score }) => points[score.score],
  total: (all) =>
    all.length === 0
      ? ""
      : `; ${(all.reduce((sum, { score }) => sum + score.score, 0) / all.length).toFixed(1)} on average`,
  code: () => 0
}
