/**
 * What besides checks a report may speak of: the last call of each kind that could have been a deployment, a look at CI or at a
 * screen, a benchmark, a search and the like. It only says that something could have done it.
 */
import type { Deed, EvidenceContext } from "./model.ts"
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { fileKind } from "../../ground/system/Paths.ts"
import * as Json from "../../ground/json/Json.ts"
import { oneLine } from "../../ground/text/Text.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { fileEdits, isView, shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import {
  byOutput,
  byWords,
  deploys,
  inspects,
  packs,
  platformsIn,
  printedByGit,
  rehearses,
  testMarks
} from "../shell/CommandSigns.ts"
import type { ToolCall, TranscriptEvent } from "../transcript/Transcript.ts"

type Kind = Deed["kind"]

/** A word of a deployment in one of these is a name in it. */
const aside: ReadonlySet<ShellCommand.CommandClass> = new Set([
  "install",
  "test",
  "lint",
  "typecheck",
  "search",
  "read",
  "commit",
  "push",
  "vcs"
])

export const isDeployment = ({ classes }: ShellCommand.SimpleCommand, text: string): boolean =>
  !inspects.test(text) &&
  (!packs.test(text) || /\b(?:push|publish|deploy)\b/i.test(text)) &&
  (classes.includes("deploy") ||
    (deploys.some((pattern) => pattern.test(text)) && !classes.some((name) => aside.has(name))))

const docsNames: ReadonlyArray<readonly [kind: Kind, pattern: RegExp]> = [
  ["readme", /readme/i],
  ["changelog", /change(?:log|s)|history|news|release/i]
]

const ofPath = (path: string, cwd: string | null): ReadonlyArray<Kind> => [
  ...docsNames.flatMap(([kind, pattern]) => (pattern.test(path) ? [kind] : [])),
  ...(fileKind(path, cwd) === "docs" || /(?:^|\/)docs?\//i.test(path) ? (["docs"] as const) : []),
  ...(fileKind(path, cwd) === "test" || /test|spec/i.test(path) ? (["tests"] as const) : [])
]

const ofEdit = (call: ToolCall, context: EvidenceContext): ReadonlyArray<Kind> =>
  isView(call)
    ? []
    : fileEdits(call).flatMap(({ after, path }) => {
        const text = after ?? Json.string(Json.object(call.input)["content"])
        const hasTests = text === null || testMarks.test(text.slice(0, 20_000))
        return [...ofPath(path.slice(-400), call.cwd ?? context.cwd), ...(hasTests ? (["tests"] as const) : [])]
      })

/** What git says of a change is on record as well as the change itself: it may be of before this session. */
const showsChanges = /\bgit\b.{0,60}\b(?:status|diff|show|commit|add|stash|log|apply|am|merge|pull|cherry-pick)\b/

const ofPaths = (output: string): ReadonlyArray<Kind> => {
  const changed =
    /^(?:\s{0,3}[AMRCDU?]{1,2}\s{1,4}|\s(?=\S{1,200}\s{1,60}\|)|(?:\+\+\+|---) |\s{1,8}(?:modified|new file|create mode \d+):?\s{1,8})(\S{1,300})/gm
  return [...output.matchAll(changed)].slice(0, 64).flatMap((match) => ofPath(match[1] ?? "", null))
}

const ofShell = (call: ToolCall, context: EvidenceContext): ReadonlyArray<Kind> => {
  const command = shellCommand(call)?.slice(0, 4000) ?? ""
  const output = call.output?.slice(0, 16_000) ?? ""
  const found: Array<Kind> = []
  for (const simple of ShellCommand.analyze(command, context.repo.scripts).commands) {
    const text = `${simple.via ?? ""} ${simple.text}`
    for (const [kind, pattern] of byWords) if (pattern.test(text)) found.push(kind)
    if (isDeployment(simple, text)) found.push(simple.dryRun || rehearses.test(text) ? "rehearsal" : "deploy")
    if (simple.classes.includes("search")) found.push("search")
    if (simple.classes.includes("ci") || simple.classes.includes("pr_checks")) found.push("ci")
    if (simple.classes.includes("process")) found.push("served")
    for (const path of simple.writes.slice(0, 16)) {
      if (path === "*") found.push("docs", "readme", "changelog", "tests")
      else found.push(...ofPath(path.slice(-400), call.cwd ?? context.cwd))
    }
    if (simple.writes.length > 0 && testMarks.test(command)) found.push("tests")
    if (simple.words[0] === "git" && showsChanges.test(simple.text)) found.push(...ofPaths(output))
  }
  for (const [kind, pattern] of byOutput) if (pattern.test(output)) found.push(kind)
  return found
}

const kindsOf = (call: ToolCall, context: EvidenceContext): ReadonlyArray<Kind> => {
  switch (toolKind(call.tool)) {
    case "shell":
      return ofShell(call, context)
    case "edit":
      return ofEdit(call, context)
    case "search":
      return ["search"]
    case "fetch":
      return ["ci", "served"]
    default:
      return []
  }
}

/** More than the lines of git's own in what a commit or a push prints: a hook's. */
const hasHook = (call: ToolCall): boolean => {
  const command = toolKind(call.tool) === "shell" ? (shellCommand(call)?.slice(0, 2000) ?? "") : ""
  if (!/\bgit\b.{0,80}\b(?:commit|push)\b/.test(command) || /--no-verify/.test(command)) return false
  const lines = (call.output ?? "").slice(0, 4000).split("\n")
  return lines.filter((line) => line.trim() !== "" && !printedByGit.test(line)).length > 2
}

/** The last of a kind. */
export const last = (deeds: ReadonlyArray<Deed>, kind: Kind): Deed | undefined => deeds.find((one) => one.kind === kind)

const most = 120

const withDeeds = (
  deeds: ReadonlyArray<Deed>,
  kinds: ReadonlyArray<Kind>,
  place: Omit<Deed, "kind">
): ReadonlyArray<Deed> => {
  if (kinds.length === 0) return deeds
  const made = [...new Set(kinds)].map((kind) => ({ kind, ...place }))
  return [...deeds.filter(({ kind }) => !kinds.includes(kind)), ...made]
}

/** The deeds with those of a settled call: the last of each kind, of whatever turn. */
export const afterCall = (
  deeds: ReadonlyArray<Deed>,
  call: ToolCall,
  context: EvidenceContext,
  seen: Pick<Deed, "order" | "turn"> & { readonly exercises: boolean; readonly code: number | null }
): ReadonlyArray<Deed> => {
  const kinds = [
    ...kindsOf(call, context),
    ...(seen.exercises ? (["ran"] as const) : []),
    ...(hasHook(call) ? (["hook"] as const) : [])
  ]
  const shows = kinds.includes("rehearsal")
  const what = shows ? oneLine(redactedHead(shellCommand(call) ?? call.tool, 2000), most) : ""
  const place = { order: seen.order, turn: seen.turn, callId: call.id }
  const done = withDeeds(deeds, kinds, { what, ...place })
  return seen.code === null ? done : withDeeds(done, ["code"], { what: "", ...place, order: seen.code })
}

const maxPlatforms = 64

/** What a program was run on, as far as commands and their outputs say so. */
export const withPlatforms = (known: ReadonlyArray<string>, call: ToolCall): ReadonlyArray<string> => {
  if (toolKind(call.tool) !== "shell" || known.length >= maxPlatforms) return known
  const text = `${shellCommand(call)?.slice(0, 1000) ?? ""}\n${call.output?.slice(0, 3000) ?? ""}`
  const added = platformsIn(text).filter((name) => !known.includes(name))
  return added.length === 0 ? known : [...known, ...added].slice(0, maxPlatforms)
}

/** What was printed by a command of the user's own, and where the record may lack what came before. */
export const afterEvent = (
  deeds: ReadonlyArray<Deed>,
  event: TranscriptEvent,
  place: Pick<Deed, "order" | "turn">
): ReadonlyArray<Deed> => {
  if (event.type === "notice" && event.kind === "compacted")
    return withDeeds(deeds, ["compacted"], { ...place, what: "", callId: null })
  if (event.type !== "user_message") return deeds
  const text = event.text.slice(0, 4000)
  if (/<(?:bash-stdout|bash-input|user_shell_command|local-command-stdout)>/.test(text))
    return withDeeds(deeds, ["user_ran"], { ...place, what: "", callId: null })
  return /\bcontinued from a previous (?:conversation|session)\b|\bran out of context\b/i.test(text)
    ? withDeeds(deeds, ["compacted"], { ...place, what: "", callId: null })
    : deeds
}
