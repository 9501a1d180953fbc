/** Handles the command `wrong`: finds the last nudge's rules in the decision log and saves a mark. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonScan from "@reflexion/core/internal/base/json/JsonScan"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import { isRuleName } from "@reflexion/core/internal/judge/rules/Rules"
import type * as Decision from "@reflexion/core/internal/review/machine/Decision"
import * as DecisionFile from "@reflexion/core/internal/review/records/DecisionFile"
import * as Marks from "../config/Marks.ts"
import * as Learned from "../memory/Learned.ts"
import * as MemoryPlace from "../memory/MemoryPlace.ts"
import * as Checksum from "../places/Checksum.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as UserDirectories from "../places/UserDirectories.ts"

export interface NudgeReport {
  readonly directories: UserDirectories.UserDirectories
  readonly host: string
  readonly sessionId: string
  readonly root: string
  readonly event: string
  /** In ms since the epoch. */
  readonly now: number
}

export interface Answer {
  readonly text: string
  /** From now on, these rules only inform the user in this project. */
  readonly lowered: ReturnType<typeof Marks.lowered>
}

interface Nudge {
  readonly at: string
  readonly directory: string | null
  readonly attempt: number | null
  readonly maxAttempts: number | null
  readonly rules: ReadonlyArray<string>
}

const nudgeIn = (line: string, { host, sessionId }: NudgeReport): Nudge | null => {
  // Skips other decisions before parsing, because parsing a whole long log would take too long.
  if (!line.includes('"decision":"nudge"')) return null
  const found = Json.object(JsonScan.parse(line))
  const at = Json.string(found["at"])
  if (at === null || found["host"] !== host || found["sessionId"] !== sessionId.slice(0, 100)) return null
  return {
    at,
    directory: Json.string(found["directory"]),
    attempt: Json.number(found["attempt"]),
    maxAttempts: Json.number(found["maxAttempts"]),
    rules: Json.list(found["rules"]).filter((rule) => typeof rule === "string")
  }
}

const lastNudge = (said: NudgeReport): Nudge | null => {
  for (const file of UserDirectories.logFiles(said.directories).toReversed()) {
    const lines = (PlainFiles.read(file, { maxBytes: 2 * DecisionFile.maxBytes }) ?? "").split("\n")
    for (let at = lines.length - 1; at >= 0; at -= 1) {
      const nudge = nudgeIn(lines[at] ?? "", said)
      if (nudge !== null) return nudge
    }
  }
  return null
}

const followsOf = (rule: string, count: number): string => {
  if (!isRuleName(rule)) return `${rule} is not a rule, so marks do not change its level.`
  return count < Marks.enough
    ? `${rule}: ${count} mark in this project; after two marks, the rule only tells here.`
    : `${rule}: ${count} marks in this project; from your next message on, the rule only tells here (\`reflexion report --clear ${rule}\` undoes that).`
}

/** The mark is already saved, so an error while logging is ignored. */
const log = (said: NudgeReport, { attempt, maxAttempts, rules }: Nudge, root: string, reason: string): void => {
  const { event, host, sessionId } = said
  const common = { at: new Date(said.now).toISOString(), host, sessionId, directory: root, event }
  const none = { status: null, severity: null, durationMs: null }
  const decision: Decision.Decision = { ...common, ...none, decision: "wrong", reason, attempt, maxAttempts, rules }
  try {
    DecisionFile.append(UserDirectories.logFile(said.directories), decision)
  } catch {
    // There is no other place to report this.
  }
}

const none = (text: string): Answer => ({ text, lowered: [] })

/** Marks the last nudge, at most once. The lessons of this nudge are marked as taken back. */
export const mark = (said: NudgeReport): Answer => {
  const nudge = lastNudge(said)
  if (nudge === null) return none("reflexion has nudged no agent in this session: there is no nudge to mark.")
  const { attempt, maxAttempts, rules } = nudge
  const named = attempt === null ? "the last nudge" : `nudge ${attempt}/${maxAttempts ?? "?"}`
  const root = nudge.directory === null ? said.root : ProjectRoot.of(nudge.directory)
  const taken = MemoryPlace.exists(root) ? Learned.takeBack(said, { ...nudge, root }) : 0
  const lessons = taken === 0 ? "" : " The lesson of this nudge was removed."
  if (rules.length === 0)
    return none(
      `reflexion cannot mark ${named} of this session: the log does not say which rule caused the nudge.${lessons}`
    )
  // The hash does not reveal the session.
  const stop = Checksum.sha256(JSON.stringify([said.host, said.sessionId, nudge.at, attempt])).slice(0, 16)
  const { marks } = Marks.read(said.directories, root)
  if (marks.some((one) => one.stop === stop))
    return none(
      `reflexion: ${named} of this session is marked as wrong already (${rules.join(", ")}); each nudge counts once.`
    )
  const made: Marks.Mark = { at: new Date(said.now).toISOString(), host: said.host, attempt, stop, rules }
  Marks.add(said.directories, root, made)
  const counts = Marks.counts([...marks, made])
  const follows = rules.map((rule) => followsOf(rule, counts.get(rule) ?? 1)).join(" ")
  log(said, nudge, root, `by the user: ${follows}`)
  return {
    text: `reflexion: ${named} of this session is marked as wrong. ${follows}${lessons}`,
    lowered: Marks.lowered([...marks, made])
  }
}
