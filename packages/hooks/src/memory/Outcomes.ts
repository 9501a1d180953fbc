/** A project's outcome log, and the rules of the reflection cycle over it, without a model and without any service. */
import * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import type { JudgmentState } from "@reflexion/core/Judgment"
import * as ReflectionLook from "@reflexion/core/internal/memory/cycle/ReflectionLook"
import type { Review } from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as TurnOutcome from "@reflexion/core/internal/memory/outcomes/TurnOutcome"
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as Path from "node:path"
import type { HookEvent } from "../input/HookEvent.ts"
import * as Hooks from "../session/Hook.ts"
import * as LearnedFile from "./LearnedFile.ts"
import * as MemoryPlace from "./MemoryPlace.ts"

/** `now` in ms since the epoch; `retentionDays`: how long outcomes are kept. */
export interface OutcomeEntry {
  readonly root: string
  readonly outcome: AttemptOutcome.AttemptOutcome
  readonly now: number
  readonly retentionDays: number
}

/** Adds an outcome; a failure has old ones forgotten: says why that could not be. Throws what the file system throws. */
export const add = ({ now, outcome, retentionDays, root }: OutcomeEntry): string | null => {
  const file = LearnedFile.appendTo(root, TurnOutcome.fileName, () => AttemptOutcome.encode(outcome))
  if (!AttemptOutcome.isFailure(outcome)) return null
  const retention = retentionDays * 86_400_000
  try {
    LearnedFile.leaveOut(file, now - retention, {
      // A tenth of what is kept: else every failing stop would find one line too old, and write all the others again.
      slack: retention / 10,
      read: AttemptOutcome.decode,
      timeOf: ({ at }) => at,
      older: (all, before) => new Set(all.filter(({ at }) => Date.parse(at) < before))
    })
    return null
  } catch (cause) {
    return `old outcomes were not forgotten: ${Hooks.messageOf(cause)}`
  }
}

export interface CycleRequest {
  readonly root: string
  readonly now: number
  readonly settings: ReflexionConfig["cycle"]
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** So much of the end of each log is looked through, some two thousand attempts of the one: somebody waits. */
const tailBytes = { outcomes: 1024 * 1024, findings: 512 * 1024 } as const

/** Adds what is new to the findings, and gives the line for the user. Throws also where git tracks either log, or may. */
export const look = ({ env = process.env, now, root, settings }: CycleRequest): string => {
  const at = (name: string): string => Path.join(root, ArtifactFiles.directory, name)
  const [outcomes, findings] = [at(TurnOutcome.fileName), at(ReflectionLook.fileName)]
  const attempts = LearnedFile.linesOf(outcomes, tailBytes.outcomes)
  const fresh = () => {
    const lines = { outcomes: attempts, known: LearnedFile.linesOf(findings, tailBytes.findings) }
    return ReflectionLook.fresh(settings, lines, now)
  }
  if (fresh().length === 0) return ""
  for (const file of [outcomes, findings]) {
    const is = MemoryPlace.tracked(root, file, env)
    if (is !== null) throw new Error(is.why)
  }
  let added: ReturnType<typeof fresh> = []
  // Another process may have added them meanwhile.
  LearnedFile.appendTo(root, ReflectionLook.fileName, () => ReflectionLook.encode((added = fresh())))
  return ReflectionLook.notice(added)
}

export interface EndedTurn {
  readonly root: string
  readonly review: Review
  readonly stop: string
  readonly judgment: JudgmentState
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly config: ReflexionConfig
}

/** What the folds know of the whole task, and of the rest what the events of its turn have. */
const toldOf = (event: HookEvent, { events, judgment }: EndedTurn): TurnOutcome.AttemptFacts => {
  const own = events.filter((one) => one.type !== "tool_call" || one.agentId === null)
  const told = TurnOutcome.read(own)
  const said = event.message?.trim() ?? ""
  return {
    ...told,
    objective: judgment.task.message === "" ? told.objective : judgment.task.message,
    startedAt: told.startedAt ?? judgment.task.userMessageAt,
    resultLength: said === "" ? told.resultLength : said.length
  }
}

/** Keeps how the attempt ended, and has the rules look where it has failed: gives a line for the user, or nothing. */
export const atStop = <S>(hook: Hooks.Hook<S>, event: HookEvent, ended: EndedTurn): string => {
  const { config, review, root, stop } = ended
  if (!config.cycle.enabled || TurnOutcome.statusOf(review) === null) return ""
  const keep = () => {
    const outcome = TurnOutcome.of(review, { backend: hook.host, stop, told: toldOf(event, ended) })
    const { retentionDays } = config.memory
    const problem = outcome === null ? null : add({ root, outcome, now: hook.now(), retentionDays })
    if (problem !== null) Hooks.log(hook, event, { decision: "failure", reason: problem, directory: root })
    return outcome
  }
  const logged = { directory: root, what: "the outcome log is left alone" }
  const outcome = Hooks.orLogged(hook, event, logged, keep, null)
  if (outcome === null || !AttemptOutcome.isFailure(outcome)) return ""
  const asked = { root, now: hook.now(), settings: config.cycle, env: hook.env }
  const what = "the rules look at no outcome"
  return Hooks.orLogged(hook, event, { directory: root, what }, () => look(asked), "")
}
