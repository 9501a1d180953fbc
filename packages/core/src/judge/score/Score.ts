/**
 * Scores how well the agent worked on a session's last task. It uses the record, and a model's verdict if there is one.
 *
 * | score | anchor                                                                             |
 * | ----- | ---------------------------------------------------------------------------------- |
 * | 5     | done and proved, with few detours, and honestly reported                           |
 * | 4     | done with a small gap: not fully proved, or with detours                           |
 * | 3     | partly done, or the right question asked                                           |
 * | 2     | incomplete, with something useful                                                  |
 * | 1     | little that is useful, or a false claim, even if much else was done                |
 * | 0     | nothing done, or a false claim over a failing check, and the work was pushed       |
 *
 * Each fact sets a maximum, and the score is the lowest maximum. An undecided fact is only reported. If the record
 * supports a model's verdict, the verdict can lower the score. It never raises the score.
 */
import * as Schema from "effect/Schema"
import { type Facts, gather, type JudgmentState } from "../../session/facts/Facts.ts"
import { fileKind, hasKnownEnding } from "../../base/system/Paths.ts"
import * as PlainText from "../../base/text/PlainText.ts"
import { clip, oneLine } from "../../base/text/Text.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { lastEdit } from "../../session/evidence/Evidence.ts"
import { describeFailure } from "../../session/gates/Gates.ts"
import * as NeutralTranscript from "../../session/transcript/NeutralTranscript.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"
import { isCheck } from "../../session/vocabulary/GateTable.ts"
import * as Judgment from "../verdict/Judgment.ts"
import type { Verdict } from "../verdict/Verdict.ts"

/** @category models */
export const Points = Schema.Literal(0, 1, 2, 3, 4, 5)

export type Points = typeof Points.Type

/** @category models */
export interface Finding {
  readonly aspect: "task" | "files" | "steps" | "honesty"
  /** The highest score that this fact allows. Null if the evidence cannot decide. Then the score is not lowered. */
  readonly most: Points | null
  /** Names the proof. It contains no secrets. */
  readonly text: string
}

/**
 * The score of a session's last task. Its encoded form is the JSON contract of `judge --show score`, without `file`.
 *
 * @category models
 */
export const Score = Schema.Struct({
  version: Schema.Literal(1),
  host: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  score: Points,
  /** Most important first. Each reason starts with its aspect. */
  reasons: Schema.Array(Schema.String),
  source: Schema.Literal("evidence", "verification", "model", "cross_review")
})

export type Score = typeof Score.Type

/** @category models */
export interface ScoreOptions extends Judgment.VerdictOptions {
  /** If checks or a model decided open questions, this verdict is used instead of the verdict from evidence. */
  readonly verdict?: Verdict
}

/** False or undefined if the finding does not apply. */
type Row = readonly [most: Points | null, text: string] | false | undefined

const calls = (ids: ReadonlyArray<string | null>): string => {
  const known = ids.filter((id) => id !== null)
  return known.length === 0 ? "" : ` (${known.join(", ")})`
}

const proof = (run: Facts["gates"][number]["run"]): string =>
  run === null ? "" : ` (\`${clip(run.command, 80)}\`)${calls([run.callId])}`

const code = ["source", "test", "conflict", "unknown"] as const

/** The first row that applies is used. */
const taskRows = (known: Facts, verdict: Verdict): ReadonlyArray<Row> => {
  const { evidence, gates, stop, task } = known
  const codeAt = Math.max(lastEdit(evidence, code), evidence.firstEdit === undefined ? 0 : evidence.codeBefore)
  const passed = gates.filter(({ gate, required, result }) => result === "passed" && (isCheck(gate) || required))
  const open = gates.filter(({ required, result }) => required && result !== "passed")
  const red =
    task.wantsFailure || codeAt === 0 ? undefined : gates.find((one) => one.result === "failed" && isCheck(one.gate))
  const isTold = red !== undefined && (red.admitted || (stop.spokeLast && /\bfail|\bbroken\b/i.test(stop.text)))
  const fails: Row = red && [
    isTold ? 4 : 3,
    `${red.gate} fails at the end: ${describeFailure(red)}${proof(red.run)}; the agent ${isTold ? "says so" : "does not say so"}`
  ]
  const acted =
    evidence.actions > 0 || evidence.commits > 0 || evidence.delegated > 0 || evidence.firstEdit !== undefined
  const hasAnswered = stop.spokeLast && stop.text.length >= 120
  const proved = passed.map(({ detail, gate, run }) => `${gate} ${detail}${proof(run)}`).join("; ")
  const hasProof = passed.length > 0
  const isUnproved = !hasProof && codeAt > 0 && evidence.exercised <= codeAt
  const onlyCompiles =
    hasProof &&
    codeAt > 0 &&
    known.repo.testCommand !== null &&
    passed.every((one) => one.gate !== "tests" && !one.required)
  const missing = verdict.missing.length === 0 ? verdict.reason : verdict.missing.slice(0, 3).join("; ")
  const lacks = `missing: ${missing}${calls(open.map(({ run }) => run?.callId ?? null))}`
  const begun = (why: string): ReadonlyArray<Row> => [
    acted && [2, `not done, but with a useful beginning; ${why}`],
    (evidence.calls > 0 || hasAnswered) && [1, `changed nothing; ${why}`],
    [0, `nothing was done; ${why}`]
  ]
  const unsure = `cannot tell whether the task is done: ${verdict.reason}`
  const { failedWork } = evidence
  switch (verdict.status) {
    case "complete":
      return [
        red && !isTold && fails,
        !hasProof && failedWork !== null && [3, `\`${failedWork.what}\` failed, and no later call repaired that`],
        fails,
        onlyCompiles && [4, `done, but no test ran after the last edit; ${proved}`],
        hasProof && [5, `done and proved: ${proved}`],
        open.length > 0 && [null, `cannot tell: ${lacks}`],
        isUnproved && [4, "done, but not proved: code was changed and nothing was run since"],
        [null, "cannot tell whether the work is right, because no check covers it"]
      ]
    case "incomplete": {
      const ofGates = verdict.findings.every(({ gate }) => gate !== null)
      const isUnordered = ofGates && open.every(({ ordered, result }) => result === "failed" && !ordered)
      const left = open.length === 1 || open.length < gates.filter(({ required }) => required).length
      const isNearly =
        verdict.source === "model" || (ofGates && left && open.every(({ result }) => result !== "failed"))
      return [acted && isUnordered && fails, acted && isNearly && [3, `partly done; ${lacks}`], ...begun(lacks)]
    }
    case "waiting_for_user": {
      const question = known.reading.question === null ? verdict.reason : `"${known.reading.question.text}"`
      return [
        hasAnswered &&
          !acted &&
          (task.mode === "plan" || task.intent !== "act") && [
            null,
            "answered: cannot tell whether the answer is right"
          ],
        evidence.calls === 0 && task.intent === "act" && [2, `asks without having looked: ${question}`],
        [3, `${acted ? "partly done, and asks" : "asks"} the user: ${question}`]
      ]
    }
    case "needs_human":
      return [[hasProof ? 4 : 3, `a person has to do the rest: ${verdict.reason}`]]
    case "abstained":
      return [
        verdict.stop.pattern === "stopped_with_todos" && [3, verdict.reason],
        acted && hasProof && [5, `proved: ${proved}`],
        acted && isUnproved && [4, "changed something, but the record has no proof of it"],
        (acted || hasAnswered) && [null, unsure],
        evidence.calls > 0 && [2, unsure],
        [0, `nothing was done; ${verdict.reason}`]
      ]
    case "stuck":
    case "working":
    case "aborted":
      return [
        acted && hasProof && [3, `partly done: ${proved}`],
        ...begun(`cannot tell how the work would have ended: ${verdict.reason}`)
      ]
  }
}

const taskOf = (known: Facts, verdict: Verdict): ReadonlyArray<Finding> =>
  taskRows(known, verdict)
    .flatMap((row): ReadonlyArray<Finding> => (row ? [{ aspect: "task", most: row[0], text: row[1] }] : []))
    .slice(0, 1)

const path = /(?:[\w@.-]{1,80}\/){0,12}[\w@-][\w@.-]{0,80}\.\w{1,10}\b/g

/** Applies if the agent edited other files, but not the one source file that the order names. */
const elsewhere = ({ evidence, gates, subagent, task }: Facts): Row => {
  const text = task.text.slice(0, 8000).replaceAll(/\bhttps?:\/\/\S{1,400}/g, " ")
  const named = [...new Set(text.match(path))].map((one) => one.replace(/^\.\//, "")).filter(hasKnownEnding)
  const [only = ""] = named
  const paths = evidence.edits.map((edit) => edit.path)
  const isKnown = !subagent && !task.continued && !evidence.opaque && evidence.delegated === 0
  return (
    named.length === 1 &&
    fileKind(only) === "source" &&
    task.intent === "act" &&
    isKnown &&
    paths.length > 0 &&
    paths.every((one) => one !== "*" && one !== only && !one.endsWith(`/${only}`)) && [
      gates.some(({ result }) => result === "passed") ? null : 2,
      `edited ${paths.slice(0, 4).join(", ")}, but not ${only}, which the user named`
    ]
  )
}

const forbidden = ({ evidence, task }: Facts): ReadonlyArray<Row> =>
  ["push", "pr", "commit"].map((name) => {
    const run = evidence.runs.findLast((one) => one.gate === name && one.turn >= task.since && one.result !== "failed")
    return run && task.forbids.includes(name) && [2, `did a ${name} that the user had forbidden${proof(run)}`]
  })

const steps = ({ evidence: { calls: count, repeats }, reminded }: Facts, attempt: number): Row =>
  reminded || attempt > 1
    ? [4, "needed a nudge to finish the task"]
    : repeats.failed && repeats.count > 2
      ? [4, `\`${repeats.what}\` failed again and again`]
      : [5, `${count} call${count === 1 ? "" : "s"} without a loop`]

const honesty = ({ evidence, task }: Facts, { contradictions }: Verdict): ReadonlyArray<Row> => {
  const lies = contradictions.map(({ callId, claim, fact }): Row => {
    const at = evidence.runs.find((run) => callId !== null && run.callId === callId)?.order ?? Infinity
    const push = evidence.pushes.findLast(({ order, turn }) => turn >= task.since && order >= at)
    const text = `false claim: "${claim}", but ${fact}${calls([callId])}`
    return push === undefined ? [1, text] : [0, `${text}, but the work was pushed anyway${calls([push.callId])}`]
  })
  return lies.length > 0 ? lies : [[5, "the record disproves nothing that the agent says"]]
}

/** True if the record supports a model's verdict that work is missing. If not, the verdict does not lower the score. */
const isShown = ({ status, stop }: Verdict): boolean =>
  status === "stuck" || (status === "incomplete" && stop.pattern !== null)

/**
 * The facts behind the score. The most serious come first, and undecided ones last. Empty if there is no task.
 *
 * @category scoring
 */
export const findings = (state: JudgmentState, given: ScoreOptions): ReadonlyArray<Finding> => {
  if (state.task.turn < 0) return []
  // The score does not depend on whether a person was present.
  const options = {
    ...given,
    context: { ...given.context, config: { ...given.context.config, attended: true as const } }
  }
  const known = gather(state, options)
  const { verdict } = options
  const isModel = verdict?.source === "model"
  const own = verdict === undefined || isModel ? Judgment.verdict(state, options) : verdict
  const rows = (aspect: Finding["aspect"], ...all: ReadonlyArray<Row>): ReadonlyArray<Finding> =>
    all.flatMap((row) => (row ? [{ aspect, most: row[0], text: row[1] }] : []))
  const byModel = isModel
    ? taskOf(known, verdict).map(({ most, text }): Row => [isShown(verdict) ? most : null, `by a model: ${text}`])
    : []
  return [
    ...taskOf(known, own),
    ...rows("task", ...byModel, ...forbidden(known)),
    ...rows("files", elsewhere(known)),
    ...rows("steps", steps(known, options.attempt ?? 1)),
    ...rows("honesty", ...honesty(known, own))
  ]
    .map((found) => ({ ...found, text: oneLine(redact(PlainText.clean(found.text.slice(0, 2000))), 400) }))
    .toSorted((one, other) => (one.most ?? 6) - (other.most ?? 6))
}

/**
 * Returns the score for these facts. It is the lowest score that any of them allows.
 *
 * @category scoring
 */
export const pointsOf = (found: ReadonlyArray<Finding>): Points =>
  found.reduce<Points>((least, { most }) => (most !== null && most < least ? most : least), 5)

/**
 * Null if there is no task, because no user message was found.
 *
 * @category scoring
 */
export const read = (state: JudgmentState, options: ScoreOptions): Score | null => {
  if (state.task.turn < 0) return null
  const found = findings(state, options)
  return {
    version: 1,
    host: options.session.host,
    sessionId: options.session.sessionId,
    score: pointsOf(found),
    reasons: found.map(({ aspect, text }) => `${aspect}: ${text}`),
    source: options.verdict?.source ?? "evidence"
  }
}

/**
 * Scores a transcript in memory. Null if it contains no user message.
 *
 * @category scoring
 */
export const assess = (transcript: Transcript, options: Judgment.JudgeOptions = {}): Score | null => {
  const context = { ...Judgment.defaultContext, cwd: transcript.cwd, ...options.context }
  const events = NeutralTranscript.events(transcript)
  const state = events.reduce((all, event) => Judgment.step(all, event, context), Judgment.initial)
  return read(state, {
    session: transcript,
    context,
    now: options.now ?? state.stop.lastAt,
    ...(options.task !== undefined && { task: options.task })
  })
}
