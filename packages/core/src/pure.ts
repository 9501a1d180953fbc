/**
 * The judge without Effect: a transcript in, facts and a verdict out. Plain functions for a program that uses another
 * version of Effect, or none. The published package has one file, which imports only Node's own modules.
 */
import { gather } from "./session/facts/Facts.ts"
import type { GateFact } from "./session/facts/model.ts"
import type { Claim, HeldClaim } from "./session/claims/model.ts"
import type { Edit } from "./session/evidence/model.ts"
import { defaults } from "./session/config/Defaults.ts"
import type { DeclaredGate, ReflexionConfig } from "./session/config/model.ts"
import * as RepoSignals from "./session/project/RepoSignals.ts"
import type { Fields, Transcript, TranscriptEvent } from "./session/transcript/Transcript.ts"
import * as Judgment from "./judge/verdict/Judgment.ts"
import type { Verdict } from "./judge/verdict/Verdict.ts"

/**
 * A session in the neutral form. Only `events` is required. Each event needs `type` and all fields without a default.
 *
 * @category models
 */
export type TranscriptInput = Fields

/**
 * How a session is judged. `attended` says whether a person can answer. If it is left out, the transcript decides; if
 * the transcript does not say, a person can answer. `gates` are the project's own checks, and `rules` the levels of
 * rules, as in the configuration. `files` has, by path, the contents of files that show the project's checks, such as
 * package.json. `now` is a time in ISO 8601.
 *
 * @category models
 */
export interface JudgeOptions {
  readonly attended?: boolean
  readonly profile?: ReflexionConfig["profile"]
  readonly gates?: ReadonlyArray<Partial<DeclaredGate> & Pick<DeclaredGate, "name" | "command">>
  readonly rules?: ReflexionConfig["rules"]
  readonly files?: Readonly<Record<string, string>>
  readonly now?: string
}

/**
 * What the record shows about the last turn's task, before any rule. It has the order, each check with its result and
 * the calls that prove it, the edits, and the number of commits. It also has each claim of the final text, compared
 * with the record, and how the turn ended.
 *
 * @category models
 */
export interface TurnFacts {
  readonly task: string
  readonly taskType: Verdict["task"]["type"]
  readonly attended: boolean
  readonly gates: ReadonlyArray<Pick<GateFact, "gate" | "required" | "ordered" | "result" | "detail" | "evidence">>
  readonly edits: ReadonlyArray<Pick<Edit, "path" | "kind" | "callId">>
  readonly commits: number
  readonly claims: ReadonlyArray<
    Pick<Claim, "gate" | "outcome" | "text"> & Pick<HeldClaim, "standing" | "fact" | "calls">
  >
  readonly ending: string
}

/**
 * The verdict on a session's last turn, with the facts that led to it.
 *
 * @category models
 */
export interface Judgement {
  readonly verdict: Verdict
  readonly facts: TurnFacts
}

/** The required fields of each kind of event. */
const needed: Readonly<Record<TranscriptEvent["type"], ReadonlyArray<readonly [string, "string" | "array"]>>> = {
  user_message: [["text", "string"]],
  assistant_message: [["text", "string"]],
  tool_call: [["tool", "string"]],
  todo_update: [["todos", "array"]],
  notice: [["kind", "string"]],
  mode_change: [["mode", "string"]]
}

const isOf = (value: unknown, type: "string" | "array"): boolean =>
  type === "array" ? Array.isArray(value) : typeof value === type

type EventInput = TranscriptInput["events"][number]

const checked = (event: EventInput, index: number): EventInput => {
  if (typeof event !== "object" || event === null) throw new TypeError(`events[${index}]: an object is needed`)
  if (!Object.hasOwn(needed, event.type)) {
    const known = Object.keys(needed).join(", ")
    throw new TypeError(`events[${index}].type: ${JSON.stringify(event.type)} is not one of ${known}`)
  }
  for (const [name, type] of needed[event.type]) {
    if (!isOf(new Map(Object.entries(event)).get(name), type))
      throw new TypeError(`events[${index}].${name}: ${type === "array" ? "a list" : "a text"} is needed`)
  }
  if (event.type === "tool_call" && event.output != null && typeof event.output !== "string")
    throw new TypeError(`events[${index}].output: a text is needed`)
  if (event.type === "todo_update")
    for (const [at, todo] of event.todos.entries())
      if (typeof todo?.content !== "string")
        throw new TypeError(`events[${index}].todos[${at}].content: a text is needed`)
  return event
}

const eventOf = (given: EventInput, index: number): TranscriptEvent => {
  const event = checked(given, index)
  switch (event.type) {
    case "user_message":
      return { ...event, id: event.id ?? null, at: event.at ?? null, synthetic: event.synthetic ?? false }
    case "assistant_message": {
      const { at = null, completed = null, id = null, model = null, outputTokens = null } = event
      return { ...event, id, at, completed, outputTokens, model }
    }
    case "tool_call": {
      const { agentId = null, at = null, background = false, cwd = null, endedAt = null } = event
      const { exitCode = null, id = null, input = null, output = null, status = null } = event
      return { ...event, id, at, endedAt, input, cwd, background, agentId, status, exitCode, output }
    }
    case "todo_update":
      return { ...event, at: event.at ?? null, todos: event.todos.map((todo) => ({ ...todo, id: todo.id ?? null })) }
    case "notice":
      return { ...event, at: event.at ?? null, detail: event.detail ?? null }
    case "mode_change":
      return { ...event, at: event.at ?? null }
  }
}

const listed = (events: TranscriptInput["events"]): TranscriptInput["events"] => {
  if (!Array.isArray(events)) throw new TypeError("events: a list is needed")
  return events
}

const transcriptOf = ({ events, ...session }: TranscriptInput): Transcript => ({
  version: 1,
  host: session.host ?? "transcript",
  sessionId: session.sessionId ?? null,
  parentSessionId: session.parentSessionId ?? null,
  cwd: session.cwd ?? null,
  mode: session.mode ?? "unknown",
  ...(session.attended !== undefined && { attended: session.attended }),
  ...(session.doneWhen !== undefined && { doneWhen: session.doneWhen }),
  events: listed(events).map(eventOf)
})

/**
 * Judges a session's last turn. Throws a `TypeError` that names the event and the field if a value is not valid.
 *
 * @example
 * ```ts
 * import { judge } from "@reflexion/core/pure"
 *
 * const { facts, verdict } = judge({
 *   events: [
 *     { type: "user_message", text: "Fix the rounding and run npm test." },
 *     { type: "tool_call", tool: "bash", input: { command: "npm test" }, exitCode: 1, output: "1 failed" },
 *     { type: "assistant_message", text: "Fixed, and all tests pass." }
 *   ]
 * })
 * console.log(verdict.status, verdict.shouldContinue) // => incomplete true
 * console.log(facts.claims[0]?.standing) // => contradicted
 * ```
 *
 * @category judging
 */
export const judge = (transcript: TranscriptInput, options: JudgeOptions = {}): Judgement => {
  const read = transcriptOf(transcript)
  const { attended, gates = [], profile = defaults.profile, rules = {}, files = {} } = options
  const declared = gates.map((gate) => ({ paths: [], required: true, ...gate }))
  const config = { ...defaults, profile, gates: declared, rules, attended: attended ?? defaults.attended }
  const context = { config, repo: RepoSignals.fromFiles(files), cwd: read.cwd }
  const { state } = Judgment.replay(read, context)
  const asked = { session: read, context, now: options.now ?? state.stop.lastAt }
  return { verdict: Judgment.verdict(state, asked), facts: factsOf(state, asked) }
}

const factsOf = (state: Judgment.JudgmentState, options: Judgment.VerdictOptions): TurnFacts => {
  const facts = gather(state, options)
  return {
    task: facts.task.message,
    taskType: facts.taskType,
    attended: facts.attended,
    gates: facts.gates.map(({ detail, evidence, gate, ordered, required, result }) => ({
      gate,
      required,
      ordered,
      result,
      detail,
      evidence
    })),
    edits: facts.evidence.edits.map(({ callId, kind, path }) => ({ path, kind, callId })),
    commits: facts.evidence.commits,
    claims: facts.held.map(({ calls, claim: { gate, outcome, text }, fact, standing }) => ({
      gate,
      outcome,
      text,
      standing,
      fact,
      calls
    })),
    ending: facts.reading.closing
  }
}
