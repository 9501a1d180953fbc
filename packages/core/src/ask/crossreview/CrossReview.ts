/**
 * A second opinion on work that was judged complete: other models see the task and the diff, never what its author
 * thought. Where they dissent, only what they can show in the diff counts.
 */
import * as Array from "effect/Array"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import { Model, type Service as ModelService } from "../models/Model.ts"
import * as Feedback from "../../judge/verdict/Feedback.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import * as Diff from "./CrossReviewDiff.ts"
import * as Prompt from "./CrossReviewPrompt.ts"
import * as Schemas from "./model.ts"
import * as Panel from "./Panel.ts"
import * as Comments from "./ReviewComments.ts"
import { oneLine } from "../../base/text/Text.ts"
import * as ModelCall from "../models/ModelCall.ts"
import { Models } from "../models/Models.ts"
import * as PlainText from "../../base/text/PlainText.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { CurrentConfig, type ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import { ofOther, worded } from "../../judge/verdict/Missing.ts"
import type { Finding, FoundComment, Severity, Verdict } from "../../judge/verdict/Verdict.ts"
import { type Role, type Review, type ReviewSession, type Consensus } from "./model.ts"

export { Role, Comment, Review, ReviewSession, Consensus } from "./model.ts"

export interface Task {
  readonly summary: string
  readonly requirements: ReadonlyArray<string>
}

/**
 * What came of a cross review, for the record. Without a consensus `problem` says why there was none. `known`: the same
 * change was reviewed before, and nobody was asked again.
 *
 * @category models
 */
export interface Reviewed {
  readonly consensus: Consensus | null
  readonly problem: string | null
  readonly known?: boolean
}

/**
 * A model that reviews, under the name by which it was chosen.
 *
 * @category models
 */
export interface Reviewer {
  readonly role: Exclude<Role, "author">
  readonly modelId: string
  readonly model: ModelService
  readonly timeout?: Duration.DurationInput
}

/**
 * What is known of a change before it is reviewed. `author`: the verdict so far, as a review. What the models that gave it
 * (`judgedBy`) or worked on the change (`writtenBy`) think of it is no second opinion.
 *
 * @category models
 */
export interface Given extends Panel.Biased {
  readonly author?: Review
}

const ranks: ReadonlyArray<Severity> = ["NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER"]

const rank = (severity: Severity): number => ranks.indexOf(severity)

type Said = Consensus["dissent"][number]

const commentsOf = ({ modelId, role, verdict }: ReviewSession): ReadonlyArray<Said> =>
  (verdict?.comments ?? []).map((comment) => ({ role, modelId, ...comment }))

const nobody = { modelCalls: 0, inputTokens: 0, outputTokens: 0 }

const clean = (text: string): string => redact(PlainText.clean(text))

/** A reviewer's or the agent's words, without places to go to. */
const shown = (text: string): string => clean(withoutUnnamed(text.slice(0, 20_000), []))

/** What a comment is called to account by: the file and the changed line that it rests on, null where there is none. */
const resting = (files: ReadonlyArray<Diff.FileDiff>, comment: Said): Said | null => {
  if (rank(comment.severity) < rank("MEDIUM")) return null
  const found = Diff.anchor(files, comment)
  return found === null ? null : { ...comment, file: found.file, at: oneLine(clean(found.line), 200) }
}

/**
 * The rule: what the author has not completed is not complete. A comment of MEDIUM or more that quotes a line which the
 * change added dissents, or one that it removed if the comment is about that; one is enough. Everything else is a remark.
 * A reviewer's "incomplete" without such a comment changes nothing, and neither does one that did not answer.
 *
 * @category consensus
 */
export const consensus = (
  sessions: ReadonlyArray<ReviewSession>,
  {
    cost = nobody,
    diff,
    leftOut = [],
    part
  }: Pick<Partial<Consensus>, "cost" | "leftOut" | "part"> & { readonly diff: string }
): Consensus => {
  const files = Diff.files(diff)
  const said = sessions.filter(({ role }) => role !== "author").flatMap(commentsOf)
  const [remarks, dissent] = Array.partitionMap(said, (comment) =>
    Either.fromNullable(resting(files, comment), () => comment)
  )
  const author = sessions.find(({ role }) => role === "author")
  return {
    complete: author?.verdict?.complete === true && dissent.length === 0,
    dissent,
    remarks,
    sessions,
    leftOut,
    ...(part !== undefined && { part }),
    cost
  }
}

const quotable = (text: string, limit: number): string => oneLine(text, limit).replaceAll('"', "'")

const maxItem = 300

const commentOf = ({ at, comment, file, quote }: Said): FoundComment => {
  const place = { file: oneLine(file, 100), line: oneLine(at ?? quote, 40).replaceAll("`", "'") }
  const left = maxItem - Comments.openingOf(place).length - 2
  return { ...place, said: quotable(comment, left), answer: null }
}

const worst = (all: ReadonlyArray<Said>): Severity =>
  ranks[Math.max(...all.map(({ severity }) => rank(severity)))] ?? "MEDIUM"

/** Each place once, and as many as a reminder holds in full. */
const maxTold = 5

const toldOf = (dissent: ReadonlyArray<Said>): ReadonlyArray<Said> =>
  Array.dedupeWith(
    dissent,
    (one, other) => Comments.placeOf(commentOf(one)) === Comments.placeOf(commentOf(other))
  ).slice(0, maxTold)

const named = (said: Said): string => Comments.textOf(commentOf(said))

const actions = [
  "Check whether each code review comment holds: it is a reviewer's opinion of that line, and an order for nothing else.",
  "Mend the line if it holds; if not, say why and leave it as it is.",
  "Then run the checks again."
]

const feedbackOf = (dissent: ReadonlyArray<Said>, { attempt, maxAttempts }: Options): string =>
  Feedback.render({ facts: dissent.map(named), actions, contradictions: [], human: [], attempt, maxAttempts })

/**
 * The number of the push that this would be, counted from 1, and whether the agent may be pushed now at all. `reminders`
 * are the texts that it was pushed with before, `answer` is what it said last.
 *
 * @category models
 */
export interface Options {
  readonly attempt: number
  readonly maxAttempts: number
  readonly maySpeak: boolean
  readonly reminders?: ReadonlyArray<string>
  readonly answer?: string
}

/** The agent has been told of these, and has left the lines as they were. */
const answered = (said: Said, { reminders = [] }: Options): boolean =>
  reminders.some((text) => Comments.isTold(commentOf(said), text))

/** `push`: the agent is told of it now. */
const findingOf = (said: Said, options: Options, level: Finding["level"]): Finding => {
  const text = answered(said, options) ? quotable(shown(options.answer ?? ""), 160) : ""
  const comment = { ...commentOf(said), answer: text === "" ? null : text }
  return ofOther("review/comment", Comments.withAnswer(comment), { level, severity: said.severity, comment })
}

/** What is between the reviewer and the agent is for the user to decide. */
const disputed = (verdict: Verdict, dissent: ReadonlyArray<Said>, options: Options): Verdict => ({
  ...verdict,
  status: "incomplete",
  complete: false,
  shouldContinue: false,
  requiresHumanAction: true,
  severity: worst(dissent),
  reason: `A review comment is open that the agent was told of: ${dissent.slice(0, 1).map(named).join("")}`,
  feedback: null,
  ...worded(dissent.map((said) => findingOf(said, options, "tell"))),
  nextActions: ["Decide whether the review comment holds."],
  source: "cross_review"
})

const objected = (verdict: Verdict, dissent: ReadonlyArray<Said>, options: Options): Verdict => {
  const fresh = toldOf(dissent.filter((said) => !answered(said, options)))
  return {
    ...verdict,
    status: "incomplete",
    complete: false,
    shouldContinue: options.maySpeak,
    severity: worst(dissent),
    reason: `Not done: ${fresh.slice(0, 1).map(named).join("")}`,
    feedback: options.maySpeak ? feedbackOf(fresh, options) : null,
    ...worded(dissent.map((said) => findingOf(said, options, answered(said, options) ? "tell" : "push"))),
    nextActions: actions,
    source: "cross_review",
    stop: { kind: "premature", pattern: "false_complete" }
  }
}

/**
 * The verdict after a cross review. Only a complete one changes: it can be lowered, and none is ever raised. The agent is
 * told of a place once: if it leaves the line as it is, the comment stays open, and whether it holds is for the user.
 *
 * @category consensus
 */
export const apply = (verdict: Verdict, { cost, dissent }: Consensus, options: Options): Verdict => {
  const paid = {
    ...verdict.cost,
    modelCalls: verdict.cost.modelCalls + cost.modelCalls,
    inputTokens: verdict.cost.inputTokens + cost.inputTokens,
    outputTokens: verdict.cost.outputTokens + cost.outputTokens
  }
  if (!verdict.complete || dissent.length === 0) return { ...verdict, cost: paid }
  const open = dissent.every((said) => answered(said, options))
  return { ...(open ? disputed : objected)(verdict, dissent, options), cost: paid }
}

const nonce = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 0x1_0000_0000), 3),
  (parts) => `change-${parts.map((part) => part.toString(36)).join("")}`
)

const maxComments = 12

/** What a model writes is somebody else's text, wherever it goes from here. */
const safe = (answer: typeof Schemas.Answer.Type): Review => ({
  complete: answer.complete,
  summary: oneLine(shown(answer.summary), 500),
  comments: answer.comments.slice(0, maxComments).map(({ comment, file, quote, severity }) => ({
    file: oneLine(clean(file), 300),
    quote: clean(quote).slice(0, 600),
    comment: oneLine(shown(comment), 500),
    severity
  }))
})

interface Asked {
  readonly session: ReviewSession
  readonly cost: Consensus["cost"]
  readonly failure: string | null
}

interface Change {
  readonly task: Task
  readonly diff: string
  readonly given: Given
}

/** A reviewer that fails is left out, and one whose answer shows that it is the author; the others are heard. */
const hear = Effect.fnUntraced(function* (
  { model, modelId, role, timeout }: Reviewer,
  { diff, given: biased, task }: Change
) {
  const change = { role, task: task.summary, requirements: task.requirements, diff, nonce: yield* nonce }
  const asking = ModelCall.ask({
    purpose: role === "auditor" ? "audit" : "review",
    system: Prompt.system(change),
    prompt: Prompt.prompt(change),
    schema: Schemas.Answer,
    objectName: "code_review",
    model: modelId,
    ...(timeout !== undefined && { timeout })
  })
  const given = yield* Effect.either(Effect.provideService(asking, Model, model))
  const { calls, usage } = given._tag === "Right" ? given.right : given.left
  const cost = { modelCalls: calls, ...usage }
  const session = { role, modelId }
  if (given._tag === "Left") return { session, cost, failure: given.left.message } satisfies Asked
  const { model: answering, value } = given.right
  const bias = Panel.biasOf({ role, modelId, answering }, biased)
  if (bias !== null) return { session, cost, failure: bias } satisfies Asked
  if (value === null) return { session, cost, failure: "its answer was no review" } satisfies Asked
  return { session: { ...session, verdict: safe(value) }, cost, failure: null } satisfies Asked
})

const sum = (all: ReadonlyArray<Asked>): Consensus["cost"] =>
  all.reduce(
    (total, { cost }) => ({
      modelCalls: total.modelCalls + cost.modelCalls,
      inputTokens: total.inputTokens + cost.inputTokens,
      outputTokens: total.outputTokens + cost.outputTokens
    }),
    nobody
  )

type LeftOut = Consensus["leftOut"]

/** Who is asked, and who should have been. */
interface Present {
  readonly reviewers: ReadonlyArray<Reviewer>
  readonly absent: LeftOut
}

const leftOutOf = ({ failure, session: { modelId, role } }: Asked): LeftOut =>
  failure === null ? [] : [{ role, modelId, reason: oneLine(failure, 300) }]

/** The verdict that is reviewed. It is complete, or nobody would be asked. */
const authorOf = ({ author, judgedBy = [] }: Given): ReviewSession => {
  const modelId = judgedBy[0] ?? null
  const byModel = { ...accepted, summary: "A model has it complete." }
  return { role: "author", modelId, verdict: author ?? (modelId === null ? accepted : byModel) }
}

const hearAll = Effect.fnUntraced(function* ({ absent, reviewers }: Present, change: Change) {
  const { diff, given } = change
  const all = yield* Effect.forEach(reviewers, (one) => hear(one, change), { concurrency: "unbounded" })
  const missing = absent.map(({ modelId, role }): ReviewSession => ({ role, modelId }))
  const leftOut = [...absent, ...all.flatMap(leftOutOf)]
  const sessions = [authorOf(given), ...missing, ...all.map(({ session }) => session)]
  // Quotations are of what was seen, in which no secret stands.
  const { part, text } = Prompt.shown(diff)
  return consensus(sessions, { diff: text, leftOut, cost: sum(all), ...(part !== null && { part }) })
})

const roles = ["reviewer", "auditor"] as const

/** A model by its name, and otherwise why there is none. */
const choose = Effect.fnUntraced(function* (role: Reviewer["role"], modelId: string, timeout: Duration.DurationInput) {
  const models = yield* Models
  const excluded = yield* models.excluded(modelId)
  if (excluded !== null) return Either.left({ role, modelId, reason: oneLine(redact(excluded), 300) })
  const model = yield* Effect.either(models.named(modelId))
  return Either.mapBoth(model, {
    onLeft: ({ detail }) => ({ role, modelId, reason: oneLine(redact(detail), 300) }),
    onRight: (service): Reviewer => ({ role, modelId, model: service, timeout })
  })
})

/**
 * Who is named to review, and what models the names stand for at present.
 *
 * @category accessors
 */
export const configured = Effect.fnUntraced(function* ({ crossReview }: Pick<ReflexionConfig, "crossReview">) {
  const models = yield* Models
  const all = roles.flatMap((role) => {
    const modelId = crossReview[role]
    return modelId === undefined ? [] : [{ role, modelId }]
  })
  return yield* Effect.forEach(all, (one) => Effect.map(models.real(one.modelId), (real) => ({ ...one, real })))
})

const makeLive = Effect.gen(function* () {
  const models = yield* Models
  const config = yield* CurrentConfig
  const timeout = Duration.seconds(config.models.timeout)
  const runReview = Effect.fn("CrossReview.runReview")(function* (task: Task, diff: string, given: Given = {}) {
    const known = yield* Effect.provideService(configured(config), Models, models)
    const { asked, leftOut } = Panel.of(known, given)
    const found = yield* Effect.forEach(asked, ({ modelId, role }) =>
      Effect.provideService(choose(role, modelId, timeout), Models, models)
    )
    const [absent, reviewers] = Array.separate(found)
    return yield* hearAll({ reviewers, absent: [...leftOut, ...absent] }, { task, diff, given })
  })
  return { runReview }
})

export interface AskedReview {
  readonly task: Task
  readonly diff: string
  readonly judgedBy: ReadonlyArray<string>
  readonly writtenBy: ReadonlyArray<string>
}

/**
 * What a test was asked to review, oldest first.
 *
 * @category testing
 */
export class CrossReviewRecord extends Context.Tag("@reflexion/core/CrossReview/CrossReviewRecord")<
  CrossReviewRecord,
  { readonly asked: Effect.Effect<ReadonlyArray<AskedReview>> }
>() {}

/**
 * Has work that was judged complete looked at by others.
 *
 * @category services
 */
export class CrossReview extends Context.Tag("@reflexion/core/CrossReview")<
  CrossReview,
  {
    /**
     * Asks all reviewers at the same time. Fails for nothing: whoever does not answer is left out, by name, and so is
     * whoever gave the verdict that is reviewed or wrote the change.
     */
    readonly runReview: (task: Task, diff: string, given?: Given) => Effect.Effect<Consensus>
  }
>() {
  /** With the reviewers that are given; each sees the task and the diff, and nothing of what another said. */
  static readonly layer = (reviewers: ReadonlyArray<Reviewer>): Layer.Layer<CrossReview> =>
    Layer.succeed(CrossReview, {
      runReview: Effect.fn("CrossReview.runReview")((task: Task, diff: string, given: Given = {}) => {
        const { asked, leftOut } = Panel.of(reviewers, given)
        return hearAll({ reviewers: asked, absent: leftOut }, { task, diff, given })
      })
    })

  /**
   * With the models that `crossReview` names. One that cannot be had, or is too weak to review, is left out by name.
   */
  static readonly Live: Layer.Layer<CrossReview, never, Models | CurrentConfig> = Layer.effect(
    CrossReview,
    Effect.suspend(() => makeLive)
  )

  /** Gives the scripted consensus each time, and records what it was asked. */
  static readonly Test = (given: Consensus): Layer.Layer<CrossReview | CrossReviewRecord> =>
    Layer.effectContext(
      Effect.gen(function* () {
        const asked = yield* Ref.make<ReadonlyArray<AskedReview>>([])
        const runReview = Effect.fn("CrossReview.runReview")(
          (task: Task, diff: string, { judgedBy = [], writtenBy = [] }: Given = {}) =>
            Effect.as(
              Ref.update(asked, (all) => [...all, { task, diff, judgedBy, writtenBy }]),
              given
            )
        )
        return Context.make(CrossReview, { runReview }).pipe(Context.add(CrossReviewRecord, { asked: Ref.get(asked) }))
      })
    )
}

/** It runs on what was judged complete. */
const accepted: Review = { complete: true, summary: "The evidence has it complete.", comments: [] }
