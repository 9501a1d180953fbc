/**
 * A project's outcome log as a host's adapter writes it, and the rules of the reflection cycle over it, without any service. No
 * model is asked, and nothing is paused: a host has nothing that could be.
 */
import * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import { messageOf } from "@reflexion/core/internal/base/text/Text"
import * as ReflectionLook from "@reflexion/core/internal/memory/cycle/ReflectionLook"
import * as TurnOutcome from "@reflexion/core/internal/memory/outcomes/TurnOutcome"
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Path from "node:path"
import * as LearnedFile from "./LearnedFile.ts"
import * as MemoryPlace from "./MemoryPlace.ts"

/** `now` in ms since the epoch; `retentionDays`: how long outcomes are kept. */
export interface Given {
  readonly root: string
  readonly outcome: AttemptOutcome.AttemptOutcome
  readonly now: number
  readonly retentionDays: number
}

const dayMs = 86_400_000

/** A tenth of what is kept: else every failing stop would find one line too old, and write all the others anew. */
const agesOf = (retention: number): LearnedFile.Ages<AttemptOutcome.AttemptOutcome> => ({
  slack: retention / 10,
  read: AttemptOutcome.decode,
  timeOf: ({ at }) => at,
  older: (all, before) => new Set(all.filter(({ at }) => Date.parse(at) < before))
})

/**
 * Adds an outcome, and forgets what is old where it is a failure; says why that could not be, null where it could: it costs
 * nobody the outcome. Throws what the file system throws.
 */
export const add = ({ now, outcome, retentionDays, root }: Given): string | null => {
  LearnedFile.appendTo(root, TurnOutcome.fileName, () => AttemptOutcome.encode(outcome))
  if (!AttemptOutcome.isFailure(outcome)) return null
  const retention = retentionDays * dayMs
  try {
    LearnedFile.forgetIn(root, TurnOutcome.fileName, now - retention, agesOf(retention))
    return null
  } catch (cause) {
    return messageOf(cause)
  }
}

/** `now` in ms since the epoch. */
export interface Asked {
  readonly root: string
  readonly now: number
  readonly settings: ReflexionConfig["cycle"]
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** So much of the end of each log is looked through, some two thousand attempts of the one: somebody waits. */
const tailBytes = { outcomes: 1024 * 1024, findings: 512 * 1024 } as const

/**
 * Adds what is new to the project's findings, and gives the line for the user, empty where nothing is. What two processes
 * find at once the first of them adds and tells. Throws what the file system throws, and where git tracks either log or
 * cannot be asked whether it does.
 */
export const look = ({ env, now, root, settings }: Asked): string => {
  const at = (name: string): string => Path.join(root, ArtifactFiles.directory, name)
  const [outcomes, findings] = [at(TurnOutcome.fileName), at(ReflectionLook.fileName)]
  const attempts = LearnedFile.linesOf(outcomes, tailBytes.outcomes)
  const fresh = () => {
    const lines = { outcomes: attempts, known: LearnedFile.linesOf(findings, tailBytes.findings) }
    return ReflectionLook.fresh(settings, lines, now)
  }
  if (fresh().length === 0) return ""
  for (const file of [outcomes, findings]) {
    const is = MemoryPlace.tracked(root, file, env ?? process.env)
    if (is !== null) throw new Error(is.why)
  }
  let added: ReturnType<typeof fresh> = []
  // Another process may have added them meanwhile.
  LearnedFile.appendTo(root, ReflectionLook.fileName, () => ReflectionLook.encode((added = fresh())))
  return ReflectionLook.notice(added)
}
