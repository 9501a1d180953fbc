/** Judges the labelled stops with models that answer by a rule: how often one is asked, and what it can do to a verdict. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as PlatformPath from "@effect/platform/Path"
import { JudgeService } from "@reflexion/core/JudgeService"
import * as Judgment from "@reflexion/core/Judgment"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as SelfAssessment from "@reflexion/core/internal/ask/assessment/SelfAssessment"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import type { Transcript } from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Path from "node:path"
import * as Corpus from "../sessions/Corpus.ts"
import * as LabelledTurn from "../sessions/LabelledTurn.ts"
import * as ModelSample from "./ModelSample.ts"
import * as ScriptedModels from "./ScriptedModels.ts"
import * as Sessions from "../sessions/Sessions.ts"
import * as Times from "../measure/Times.ts"

/** One labelled stop as a model's judge leaves it. */
export interface ModelRow {
  readonly suite: string
  readonly model: string
  readonly session: string
  readonly turn: number
  readonly push: boolean | null
  readonly kinds: ReadonlyArray<string>
  /** Whether tier 1 alone would have pushed. */
  readonly pushedBefore: boolean
  readonly verdict: Verdict
  readonly calls: number
  /** Whether it would push if every stop were put to it, decided or not. */
  readonly pushedIfAsked: boolean
}

/** A turn of a transcript: its number, and what came up to its end. */
export interface Stop extends LabelledTurn.Turn {
  readonly upTo: Transcript
}

export const stopsOf = (transcript: Transcript): ReadonlyArray<Stop> => {
  const begins: Array<{ readonly turn: number; readonly at: string | null; readonly index: number }> = []
  for (const [index, event] of transcript.events.entries()) {
    const current = begins.at(-1)?.turn ?? -1
    if (event.type !== "user_message" || !TaskContext.beginsTurn(current, event)) continue
    begins.push({ turn: event.turn ?? current + 1, at: event.at, index })
  }
  return begins.map(({ at, turn }, begin) => ({
    index: turn,
    userMessageAt: at,
    upTo: { ...transcript, events: transcript.events.slice(0, begins[begin + 1]?.index) }
  }))
}

const platform = Layer.merge(FileSystem.layerNoop({}), PlatformPath.layer)

const needs = Layer.merge(platform, CurrentConfig.layer())

export interface Labelled {
  readonly suite: string
  readonly stop: Corpus.Stop
  readonly upTo: Transcript
}

/** Every labelled stop of a folder that is found in its session. */
export const labelledIn = (folder: string, suite: string): ReadonlyArray<Labelled> => {
  const labels = Corpus.stops(folder)
  return [...Corpus.sessionFiles(folder)].flatMap(([session, file]) => {
    const mine = labels.filter((label) => label.session === session)
    if (mine.length === 0) return []
    const whole = Sessions.decode(Corpus.bytes(file))
    return mine.flatMap((stop): ReadonlyArray<Labelled> => {
      const then = stop.stoppedAt === undefined ? whole : LabelledTurn.until(whole, stop.stoppedAt)
      const found = LabelledTurn.of(then, stopsOf(then), stop)
      return found === null ? [] : [{ suite, stop, upTo: found.upTo }]
    })
  })
}

/** Every labelled stop of the recorded suites. */
export const labelled = (root: string): ReadonlyArray<Labelled> =>
  Corpus.names.flatMap((suite) => labelledIn(Path.join(root, suite), suite))

interface Judged {
  readonly verdict: Verdict
  readonly calls: number
}

const verdicts = (stops: ReadonlyArray<Labelled>, judge: Layer.Layer<JudgeService>, calls: Ref.Ref<number>) =>
  Effect.flatMap(JudgeService, (service) =>
    Effect.forEach(stops, ({ stop, upTo }) =>
      Effect.gen(function* () {
        yield* Ref.set(calls, 0)
        const [took, verdict] = yield* Effect.timed(service.judge(upTo))
        Times.keep("models", { session: stop.session, stops: 1, ms: Duration.toMillis(took) })
        return { verdict, calls: yield* Ref.get(calls) }
      })
    )
  ).pipe(Effect.provide(judge))

const telling = { nonce: "record", attempt: 1, maxAttempts: 3, guidance: null, instructions: null }

/** A stop as a model would be told of it, whatever evidence says. */
const askable = ({ upTo }: Labelled) => {
  const context = { ...Judgment.defaultContext, cwd: upTo.cwd }
  const options = { session: upTo, context, now: null }
  const { state } = Judgment.replay(upTo, context)
  const judged = Judgment.review(state, options)
  const turn = SelfAssessment.turnOf(state, { ...options, transcript: upTo, judged })
  return { turn, judged, prompt: SelfAssessment.prompt(turn, telling).prompt }
}

/** What the model would make of the stop if it were asked. */
const pushesIfAsked = (
  { judged, prompt, turn }: ReturnType<typeof askable>,
  model: ScriptedModels.Scripted
): boolean => {
  const text = model.answer(prompt)
  const first = Option.map(SelfAssessment.decode(text), (said) => SelfAssessment.apply(turn, said, telling))
  const second = () =>
    Option.map(SelfAssessment.decodeJudgeAnswer(text), (said) => SelfAssessment.applyJudge(turn, said, telling))
  return Option.getOrElse(Option.orElse(first, second), () => judged).verdict.shouldContinue
}

interface Put {
  readonly labels: Labelled
  readonly asked: ReturnType<typeof askable>
}

const rowOf = ({ asked, labels }: Put, model: ScriptedModels.Scripted, is: Judged): ModelRow => {
  const { stop, suite } = labels
  const { kinds, push, session, turn } = stop
  const pushedBefore = asked.judged.verdict.shouldContinue
  const pushedIfAsked = pushesIfAsked(asked, model)
  return { suite, model: model.name, session, turn, push, kinds, pushedBefore, pushedIfAsked, ...is }
}

/** Stops under one model; `known` are verdicts that no model was asked for, which are the same under each. */
const judged = Effect.fnUntraced(function* (
  stops: ReadonlyArray<Put>,
  model: ScriptedModels.Scripted,
  known: ReadonlyMap<Labelled, Judged>
) {
  const calls = yield* Ref.make(0)
  const judge = JudgeService.Live.pipe(Layer.provide([needs, ScriptedModels.layer(model, calls)]))
  const open = stops.map(({ labels }) => labels).filter((labels) => !known.has(labels))
  const found = new Map([...known, ...Arr.zip(open, yield* verdicts(open, judge, calls))])
  const rows = stops.flatMap((put) => {
    const is = found.get(put.labels)
    return is === undefined ? [] : [rowOf(put, model, is)]
  })
  return { rows, unasked: new Map([...found].filter(([, is]) => is.calls === 0)) }
})

const judgeAll = Effect.fnUntraced(function* (stops: ReadonlyArray<Labelled>) {
  const all = stops.map((labels): Put => ({ labels, asked: askable(labels) }))
  const rows: Array<ModelRow> = []
  let unasked: ReadonlyMap<Labelled, Judged> = new Map()
  for (const model of ScriptedModels.all) {
    const under = yield* judged(all, model, unasked)
    unasked = under.unasked
    rows.push(...under.rows)
  }
  return rows
})

/** The stops of the sample under every model; `found` counts the labels whose stop is in its session, of the sample or not. */
export const run = async (
  root: string
): Promise<{ readonly rows: ReadonlyArray<ModelRow>; readonly found: number }> => {
  const all = labelled(root)
  const sample = all.filter(({ stop }) => ModelSample.isIn(stop))
  const rows = await Effect.runPromise(judgeAll(sample).pipe(Logger.withMinimumLogLevel(LogLevel.Error)))
  return { rows, found: all.length }
}

/** What a model does to the stops of the sample. */
export interface ModelSummary {
  readonly model: string
  readonly stops: number
  /** Stops that were judged without a call. */
  readonly decided: number
  readonly calls: number
  readonly labelledNoPush: number
  readonly falsePushes: number
  readonly labelledPush: number
  readonly foundPushes: number
  readonly falseIfAsked: number
  /** Pushes that only the model made, whatever the label. */
  readonly added: number
  readonly complete: number
  readonly abstained: number
}

const count = (rows: ReadonlyArray<ModelRow>, test: (row: ModelRow) => boolean): number => rows.filter(test).length

const sumUp = (model: string, rows: ReadonlyArray<ModelRow>): ModelSummary => ({
  model,
  stops: rows.length,
  decided: count(rows, ({ calls }) => calls === 0),
  calls: rows.reduce((sum, { calls }) => sum + calls, 0),
  labelledNoPush: count(rows, ({ push }) => push === false),
  falsePushes: count(rows, ({ push, verdict }) => push === false && verdict.shouldContinue),
  labelledPush: count(rows, ({ push }) => push === true),
  foundPushes: count(rows, ({ push, verdict }) => push === true && verdict.shouldContinue),
  falseIfAsked: count(rows, ({ push, pushedIfAsked }) => push === false && pushedIfAsked),
  added: count(rows, ({ pushedBefore, verdict }) => verdict.shouldContinue && !pushedBefore),
  complete: count(rows, ({ verdict }) => verdict.complete),
  abstained: count(rows, ({ verdict }) => verdict.status === "abstained")
})

export const summary = (rows: ReadonlyArray<ModelRow>): ReadonlyArray<ModelSummary> =>
  ScriptedModels.all.map(({ name }) =>
    sumUp(
      name,
      rows.filter(({ model }) => model === name)
    )
  )
