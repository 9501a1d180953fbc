/** A project's outcome log and the rules of the reflection cycle, without a model and without Effect services. */
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

export interface OutcomeEntry {
  readonly root: string
  readonly outcome: AttemptOutcome.AttemptOutcome
  /** In ms since the epoch. */
  readonly now: number
  readonly retentionDays: number
}

/** After a failed attempt, also removes old outcomes. If only the removal fails, returns an error message. */
export const add = ({ now, outcome, retentionDays, root }: OutcomeEntry): string | null => {
  const file = LearnedFile.appendTo(root, TurnOutcome.fileName, () => AttemptOutcome.encode(outcome))
  if (!AttemptOutcome.isFailure(outcome)) return null
  const retention = retentionDays * 86_400_000
  try {
    LearnedFile.leaveOut(file, now - retention, {
      // A tenth of the retention time. Otherwise every failing stop would rewrite the file to remove one line.
      slack: retention / 10,
      read: AttemptOutcome.decode,
      timeOf: ({ at }) => at,
      older: (all, before) => new Set(all.filter(({ at }) => Date.parse(at) < before))
    })
    return null
  } catch (cause) {
    return `old outcomes were not deleted: ${Hooks.messageOf(cause)}`
  }
}

export interface CycleRequest {
  readonly root: string
  readonly now: number
  readonly settings: ReflexionConfig["cycle"]
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** In bytes. A user is waiting, so only the ends of the logs are read. That is about two thousand attempts. */
const tailBytes = { outcomes: 1024 * 1024, findings: 512 * 1024 } as const

/** Returns a line for the user. Throws if git tracks one of the two logs, or may track it. */
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
  // Computed again under the lock, because another process may have added some findings.
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

/** The objective and the start come from the whole task. The other facts come from the task's last turn. */
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

/** After a failure the rules also run. Returns a line for the user, or an empty string. */
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
  const logged = { directory: root, what: "nothing was added to the outcome log" }
  const outcome = Hooks.orLogged(hook, event, logged, keep, null)
  if (outcome === null || !AttemptOutcome.isFailure(outcome)) return ""
  const asked = { root, now: hook.now(), settings: config.cycle, env: hook.env }
  const what = "the rules did not look at the outcomes"
  return Hooks.orLogged(hook, event, { directory: root, what }, () => look(asked), "")
}
