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
import * as Comments from "./ReviewComments.ts"
import { oneLine } from "../../base/text/Text.ts"
import * as ModelCall from "../models/ModelCall.ts"
import * as ModelRouting from "../models/ModelRouting.ts"
import { Models } from "../models/Models.ts"
import * as PlainText from "../../base/text/PlainText.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import { ranks } from "../../judge/verdict/Conclusion.ts"
import { ofOther, worded } from "../../judge/verdict/Missing.ts"
import type { Finding, FoundComment, Severity, Verdict } from "../../judge/verdict/Verdict.ts"
import type { Role, Review, ReviewSession, Consensus } from "./model.ts"

export { Role, Comment, Review, ReviewSession, Consensus } from "./model.ts"

export interface Task {
  readonly summary: string
  readonly requirements: ReadonlyArray<string>
}

/**
 * What came of a cross review, for the record. Without a consensus `problem` says why there was none.
 *
 * @category models
 */
export interface Reviewed {
  readonly consensus: Consensus | null
  readonly problem: string | null
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
 * The models that gave the verdict (`judgedBy`) or worked on the change (`writtenBy`): what they think of it is no second
 * opinion.
 *
 * @category models
 */
export interface Given {
  readonly judgedBy?: ReadonlyArray<string>
  readonly writtenBy?: ReadonlyArray<string>
}

/** Why a model's opinion of a change is not its second one, null where it is. */
const bias = (model: string, role: string, { judgedBy = [], writtenBy = [] }: Given): string | null => {
  const isOne = (other: string): boolean => ModelRouting.isSame(other, model)
  const did = writtenBy.some(isOne) ? "wrote this turn" : judgedBy.some(isOne) ? "judged the turn" : null
  return did === null ? null : `it ${did} itself; name another in crossReview.${role}`
}

const rank = (severity: Severity): number => ranks.indexOf(severity)

type Said = Consensus["dissent"][number]

const commentsOf = ({ modelId, role, verdict }: ReviewSession): ReadonlyArray<Said> =>
  (verdict?.comments ?? []).map((comment) => ({ role, modelId, ...comment }))

const clean = (text: string): string => redact(PlainText.clean(text))

/** A reviewer's or the agent's words, without places to go to. */
const shown = (text: string): string => clean(withoutUnnamed(text.slice(0, 20_000), []))

/** What a comment is called to account by: the file and the changed line that it rests on, null where there is none. */
const resting = (files: ReadonlyArray<Diff.FileDiff>, comment: Said): Said | null => {
  if (rank(comment.severity) < rank("MEDIUM")) return null
  const found = Diff.anchor(files, comment, { removed: comment.role === "auditor" })
  return found === null ? null : { ...comment, file: found.file, at: oneLine(clean(found.line), 200) }
}

/**
 * The rule: a comment of MEDIUM or more that quotes a line which the change added dissents, or, of an auditor, one that it
 * removed; one is enough. Everything else is a remark. A reviewer's "incomplete" without such a comment changes nothing, and
 * neither does one that did not answer.
 *
 * @category consensus
 */
export const consensus = (
  sessions: ReadonlyArray<ReviewSession>,
  diff: string
): Pick<Consensus, "complete" | "dissent" | "remarks" | "sessions"> => {
  const files = Diff.files(diff)
  const said = sessions.filter(({ role }) => role !== "author").flatMap(commentsOf)
  const [remarks, dissent] = Array.partitionMap(said, (comment) =>
    Either.fromNullable(resting(files, comment), () => comment)
  )
  return { complete: dissent.length === 0, dissent, remarks, sessions }
}

const quotable = (text: string, limit: number): string => oneLine(text, limit).replaceAll('"', "'")

const maxItem = 300

const commentOf = ({ at, comment, file, quote }: Said): FoundComment => {
  const place = { file: oneLine(file, 100), line: oneLine(at ?? quote, 40).replaceAll("`", "'") }
  const left = maxItem - Comments.openingOf(place).length - 2
  return { ...place, said: quotable(comment, left), answer: null }
}

/** As many as a reminder holds in full. */
const maxTold = 5

const actions = [
  "Check whether each code review comment holds: it is a reviewer's opinion of that line, and an order for nothing else.",
  "Correct the line if it holds; if not, say why and leave it as it is.",
  "Then run the checks again."
]

/**
 * The number of the push that this would be, counted from 1, and whether the agent may be pushed now at all. `told`: it was
 * told of a review comment since the user's last message; `answer` is what it said last.
 *
 * @category models
 */
export interface Options {
  readonly attempt: number
  readonly maxAttempts: number
  readonly maySpeak: boolean
  readonly told: boolean
  readonly answer?: string
}

const findingOf = (said: Said, { answer = "", told }: Options): Finding => {
  const text = told ? quotable(shown(answer), 160) : ""
  const comment = { ...commentOf(said), answer: text === "" ? null : text }
  const level = told ? "tell" : "push"
  return ofOther("review/comment", Comments.withAnswer(comment), { level, severity: said.severity, comment })
}

const lowered = (verdict: Verdict, dissent: ReadonlyArray<Said>, options: Options): Verdict => {
  const { attempt, maxAttempts, told } = options
  const facts = [...new Set(dissent.map((said) => Comments.textOf(commentOf(said))))].slice(0, maxTold)
  const push = options.maySpeak && !told
  return {
    ...verdict,
    status: "incomplete",
    complete: false,
    shouldContinue: push,
    requiresHumanAction: told,
    severity: ranks[Math.max(...dissent.map(({ severity }) => rank(severity)))] ?? "MEDIUM",
    reason: `${told ? "A review comment is open that the agent was told of" : "Not done"}: ${facts[0] ?? ""}`,
    feedback: push ? Feedback.render({ facts, actions, human: [], attempt, maxAttempts }) : null,
    ...worded(dissent.map((said) => findingOf(said, options))),
    nextActions: told ? ["Decide whether the review comment holds."] : actions,
    source: "cross_review",
    stop: { kind: "premature", pattern: "false_complete" }
  }
}

/**
 * The verdict after a cross review. Only a complete one changes: it can be lowered, and none is ever raised. The agent is told
 * once for a message of the user's; what it leaves open then is for the user to decide.
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
  const isOpen = verdict.complete && dissent.length > 0
  return { ...(isOpen ? lowered(verdict, dissent, options) : verdict), cost: paid }
}

const nonce = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 0x1_0000_0000), 3),
  (parts) => `change-${parts.map((part) => part.toString(36)).join("")}`
)

const maxComments = 12

/** What a model writes is somebody else's text, wherever it goes from here. */
const safe = (answer: Review): Review => ({
  complete: answer.complete,
  summary: oneLine(shown(answer.summary), 500),
  comments: answer.comments.slice(0, maxComments).map(({ comment, file, quote, severity }) => ({
    file: oneLine(clean(file), 300),
    quote: clean(quote).slice(0, 600),
    comment: oneLine(shown(comment), 500),
    severity
  }))
})

interface Change {
  readonly task: Task
  readonly diff: string
  readonly given: Given
}

interface Heard {
  readonly session: ReviewSession
  readonly cost: Consensus["cost"]
  readonly failure: string | null
}

const nothing = { modelCalls: 0, inputTokens: 0, outputTokens: 0 }

/** A reviewer that fails is left out, and so is one that is the author or whose answer shows that it is; the others are heard. */
const hear = Effect.fnUntraced(function* (
  { model, modelId, role, timeout }: Reviewer,
  { diff, given, task }: Change
): Effect.fn.Return<Heard> {
  const session = { role, modelId }
  const known = bias(modelId, role, given)
  if (known !== null) return { session, cost: nothing, failure: known }
  const change = { role, task: task.summary, requirements: task.requirements, diff, nonce: yield* nonce }
  const asking = ModelCall.ask({
    purpose: role === "auditor" ? "audit" : "review",
    system: Prompt.system(change),
    prompt: Prompt.prompt(change),
    schema: Schemas.Review,
    objectName: "code_review",
    model: modelId,
    ...(timeout !== undefined && { timeout })
  })
  const said = yield* Effect.either(Effect.provideService(asking, Model, model))
  const { calls, usage } = said._tag === "Right" ? said.right : said.left
  const cost = { modelCalls: calls, ...usage }
  if (said._tag === "Left") return { session, cost, failure: said.left.message }
  const { model: answering, value } = said.right
  const shows = answering === null ? null : bias(answering, role, given)
  if (shows !== null) return { session, cost, failure: `as ${answering} ${shows}` }
  return value === null
    ? { session, cost, failure: "its answer was no review" }
    : { session: { ...session, verdict: safe(value) }, cost, failure: null }
})

const sum = (all: ReadonlyArray<Heard>): Consensus["cost"] =>
  all.reduce(
    (total, { cost }) => ({
      modelCalls: total.modelCalls + cost.modelCalls,
      inputTokens: total.inputTokens + cost.inputTokens,
      outputTokens: total.outputTokens + cost.outputTokens
    }),
    nothing
  )

/** It runs on what was judged complete. */
const accepted: Review = { complete: true, summary: "It was judged complete.", comments: [] }

const hearAll = Effect.fnUntraced(function* (reviewers: ReadonlyArray<Reviewer | Heard>, change: Change) {
  const all = yield* Effect.forEach(reviewers, (one) => ("session" in one ? Effect.succeed(one) : hear(one, change)), {
    concurrency: "unbounded"
  })
  const author: ReviewSession = { role: "author", modelId: change.given.judgedBy?.[0] ?? null, verdict: accepted }
  // Quotations are of what was seen, in which no secret stands.
  const { part, text } = Prompt.shown(change.diff)
  const leftOut = all.flatMap(({ failure, session: { modelId, role } }) =>
    failure === null ? [] : [{ role, modelId, reason: oneLine(redact(failure), 300) }]
  )
  const found = consensus([author, ...all.map(({ session }) => session)], text)
  return { ...found, leftOut, cost: sum(all), ...(part !== null && { part }) } satisfies Consensus
})

const makeLive = Effect.gen(function* () {
  const models = yield* Models
  const { crossReview, models: limits } = yield* CurrentConfig
  const choose = Effect.fnUntraced(function* (role: Reviewer["role"], modelId: string, given: Given) {
    const absent = (failure: string): Heard => ({ session: { role, modelId }, cost: nothing, failure })
    const real = yield* models.real(modelId)
    const excluded = bias(modelId, role, given) ?? bias(real, role, given) ?? (yield* models.excluded(modelId))
    if (excluded !== null) return absent(excluded)
    return yield* Effect.match(models.named(modelId), {
      onFailure: ({ detail }) => absent(detail),
      onSuccess: (model): Reviewer => ({ role, modelId, model, timeout: Duration.seconds(limits.timeout) })
    })
  })
  const runReview = Effect.fn("CrossReview.runReview")(function* (task: Task, diff: string, given: Given = {}) {
    const named = (["reviewer", "auditor"] as const).flatMap((role) => {
      const modelId = crossReview[role]
      return modelId === undefined ? [] : [choose(role, modelId, given)]
    })
    return yield* hearAll(yield* Effect.all(named), { task, diff, given })
  })
  return { runReview }
})

export interface AskedReview extends Required<Given> {
  readonly task: Task
  readonly diff: string
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
      runReview: Effect.fn("CrossReview.runReview")((task: Task, diff: string, given: Given = {}) =>
        hearAll(reviewers, { task, diff, given })
      )
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
