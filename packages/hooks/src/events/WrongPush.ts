/**
 * The user's word that the last push of a session was wrong: which rules made it is taken from the decision log, which is the
 * user's own, and kept as a mark.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonScan from "@reflexion/core/internal/base/json/JsonScan"
import { isRuleName, type RuleName } from "@reflexion/core/internal/judge/rules/Rules"
import * as Marks from "../config/Marks.ts"
import * as Learned from "../memory/Learned.ts"
import * as MemoryPlace from "../memory/MemoryPlace.ts"
import * as Checksum from "../places/Checksum.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as DecisionFile from "@reflexion/core/internal/review/records/DecisionFile"
import * as DecisionLog from "../session/DecisionLog.ts"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as UserDirectories from "../places/UserDirectories.ts"

/** Where it was said: `event` in the host's word, `root` of the session's project; `now` in ms since the epoch. */
export interface Said {
  readonly directories: UserDirectories.UserDirectories
  readonly host: string
  readonly sessionId: string
  readonly root: string
  readonly event: string
  readonly now: number
}

/** What the user is told, and what goes no further than to tell from now on. */
export interface Answer {
  readonly text: string
  readonly lowered: ReadonlyArray<RuleName>
}

interface Push {
  readonly at: string
  readonly directory: string | null
  readonly attempt: number | null
  readonly maxAttempts: number | null
  /** Null where an older version logged it. */
  readonly rules: ReadonlyArray<string> | null
}

/** Null for what is no push of that session. */
const pushIn = (line: string, { host, sessionId }: Said): Push | null => {
  // Most lines are others', and parsing a long log takes longer than all else.
  if (!line.includes('"decision":"push"')) return null
  const found = Json.object(JsonScan.parse(line))
  const { at, decision, directory, rules } = found
  const isOwn = found["host"] === host && found["sessionId"] === sessionId.slice(0, 100)
  if (decision !== "push" || !isOwn || typeof at !== "string") return null
  return {
    at,
    directory: Json.string(directory),
    attempt: Json.number(found["attempt"]),
    maxAttempts: Json.number(found["maxAttempts"]),
    rules: Array.isArray(rules) ? rules.filter((rule): rule is string => typeof rule === "string") : null
  }
}

const lastPush = (said: Said): Push | null => {
  for (const file of DecisionLog.files(said.directories).toReversed()) {
    const lines = (PlainFiles.read(file, { maxBytes: 2 * DecisionFile.maxBytes }) ?? "").split("\n")
    for (let at = lines.length - 1; at >= 0; at -= 1) {
      const push = pushIn(lines[at] ?? "", said)
      if (push !== null) return push
    }
  }
  return null
}

/** Nobody who reads it learns of which session it was. */
const hashOf = ({ host, sessionId }: Said, { at, attempt }: Push): string =>
  Checksum.sha256(JSON.stringify([host, sessionId, at, attempt])).slice(0, 16)

/** What follows for one rule. */
const followsOf = (rule: string, count: number): string => {
  if (!isRuleName(rule)) return `${rule} is no rule, and no mark lowers it.`
  return count < Marks.enough
    ? `${rule}: ${count} mark in this project; two lower it to tell here.`
    : `${rule}: ${count} marks in this project; from your next message on it goes no further than tell here (\`reflexion marks --clear ${rule}\` takes that back).`
}

const named = ({ attempt, maxAttempts }: Push): string =>
  attempt === null ? "the last push of this session" : `push ${attempt}/${maxAttempts ?? "?"} of this session`

const log = (said: Said, push: Push, root: string, reason: string): void => {
  try {
    DecisionFile.append(UserDirectories.logFile(said.directories), {
      at: new Date(said.now).toISOString(),
      host: said.host,
      sessionId: said.sessionId,
      directory: root,
      event: said.event,
      decision: "wrong",
      reason,
      status: null,
      severity: null,
      attempt: push.attempt,
      maxAttempts: push.maxAttempts,
      durationMs: null,
      ...(push.rules !== null && { rules: push.rules })
    })
  } catch {
    // The mark is kept; what cannot be logged costs the user nothing.
  }
}

const none = (text: string): Answer => ({ text, lowered: [] })

/** Marks the last push of a session, once, and takes back what was learned at it. Throws what the file system throws. */
export const mark = (said: Said): Answer => {
  const push = lastPush(said)
  if (push === null) return none("reflexion has sent nobody on in this session: there is no push to mark.")
  const { rules } = push
  const root = push.directory === null ? said.root : ProjectRoot.of(push.directory)
  const taken = MemoryPlace.exists(root) ? Learned.takeBack(said, { ...push, root }) : 0
  const lessons = taken === 0 ? "" : " What it taught is taken back."
  if (rules === null || rules.length === 0)
    return none(`reflexion cannot mark ${named(push)}: the log does not say which rule made it.${lessons}`)
  const stop = hashOf(said, push)
  const { marks } = Marks.read(said.directories, root)
  if (marks.some((one) => one.stop === stop))
    return none(`reflexion: ${named(push)} is marked as wrong already (${rules.join(", ")}); a push counts once.`)
  const made: Marks.Mark = {
    root,
    at: new Date(said.now).toISOString(),
    host: said.host,
    sessionId: said.sessionId,
    pushedAt: push.at,
    attempt: push.attempt,
    stop,
    rules
  }
  Marks.add(said.directories, made)
  const counts = Marks.counts([...marks, made])
  const follows = rules.map((rule) => followsOf(rule, counts.get(rule) ?? 1)).join(" ")
  log(said, push, root, `by the user: ${follows}`)
  return {
    text: `reflexion: ${named(push)} is marked as wrong. ${follows}${lessons}`,
    lowered: Marks.lowered([...marks, made])
  }
}
