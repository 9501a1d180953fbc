/** The searches of a turn: what was looked for, where, and in which files it was found. */
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import * as Json from "../../ground/json/Json.ts"
import { oneLine } from "../../ground/text/Text.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import type { EvidenceContext, Search } from "./model.ts"

const maxKept = 8
const maxHits = 16

type Found = Pick<Search, "name" | "narrow" | "inFolder" | "command">

/** The longest name in a pattern. */
const nameIn = (pattern: string): string =>
  (pattern.slice(0, 400).match(/[\p{L}_$][\p{L}\p{N}_$]{2,80}/gu) ?? []).reduce(
    (longest, name) => (name.length > longest.length ? name : longest),
    ""
  )

/** The folder that is all there is. */
const isWide = (path: string, cwd: string | null): boolean =>
  /^(?:\.{1,2}|\*|\.\/)?\/?$/.test(path) || path === cwd || path === `${cwd ?? ""}/` || path === ":/"

/** Where all code of a project often lies. */
const isRoot = (path: string): boolean =>
  /^(?:\.\/)?(?:src|lib|app|source|packages|crates|internal|pkg|tests?|spec)\/?$/.test(path)

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const ofTool = (call: ToolCall, cwd: string | null): Found | null => {
  const input = Json.object(call.input)
  const name = nameIn(text(input["pattern"]) || text(input["query"]) || text(input["symbol"]))
  const path = text(input["path"])
  const limits = ["glob", "include", "type", "file_pattern"].some((key) => text(input[key]) !== "")
  return name === ""
    ? null
    : {
        name,
        narrow: limits || !isWide(path, cwd),
        inFolder: !isWide(path, cwd) && !isRoot(cwd === null ? path : path.replace(`${cwd}/`, "")),
        command: `${call.tool} ${name}${path === "" ? "" : ` in ${path}`}`
      }
}

const searchers = /^(?:grep|egrep|fgrep|rg|ag|ack|git)$/

const limiting = /^(?:--include|--exclude|--glob|--type|-g|-t|-T|--iglob)(?:=|$)/

const ofCommand = ({ text: shown, words }: ShellCommand.SimpleCommand, cwd: string | null): Found | null => {
  if (!searchers.test(words[0] ?? "") || (words[0] === "git" && words[1] !== "grep")) return null
  const rest = words.slice(words[0] === "git" ? 2 : 1)
  const plain = rest.filter((word) => word === null || !word.startsWith("-"))
  const [pattern, ...paths] = plain
  if (pattern === undefined || pattern === null) return null
  const limits = rest.some((word) => word !== null && limiting.test(word))
  const name = nameIn(pattern)
  const narrow = limits || paths.some((path) => path === null || !isWide(path, cwd))
  const [folder] = paths
  const inFolder = paths.length === 1 && typeof folder === "string" && !isWide(folder, cwd) && !isRoot(folder)
  return name === "" ? null : { name, narrow, inFolder, command: shown }
}

const ofShell = (call: ToolCall, context: EvidenceContext): ReadonlyArray<Found> =>
  ShellCommand.analyze(shellCommand(call)?.slice(0, 4000) ?? "", context.repo.scripts)
    .commands.filter(({ classes }) => classes.includes("search"))
    .slice(0, 4)
    .flatMap((simple) => ofCommand(simple, call.cwd ?? context.cwd) ?? [])

/** `src/a.ts:12: …`, `src/a.ts`, `src/a.ts:` above its lines */
const hitLine = /^(?:\.\/)?((?:[\w@+-][\w@.+-]{0,100}\/|\/){0,24}[\w@+-][\w@+.-]{0,100}\.[A-Za-z]\w{0,8})(?::|$)/

const hitsIn = (output: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const line of output.slice(0, 16_000).split("\n")) {
    const path = hitLine.exec(line.slice(0, 600))?.[1]
    if (path !== undefined && found.size < maxHits) found.add(path)
  }
  return [...found]
}

/** The last searches, with those of a settled call. */
export const afterSearch = (
  searches: ReadonlyArray<Search>,
  call: ToolCall,
  order: number,
  context: EvidenceContext
): ReadonlyArray<Search> => {
  const kind = toolKind(call.tool)
  if (kind !== "search" && kind !== "shell") return searches
  const tool = kind === "search" ? ofTool(call, call.cwd ?? context.cwd) : null
  const found = kind === "shell" ? ofShell(call, context) : tool === null ? [] : [tool]
  if (found.length === 0) return searches
  // Of several in one call nobody knows whose hits these are.
  const hits = found.length === 1 ? hitsIn(call.output ?? "") : []
  const made = found.map(({ command, inFolder, name, narrow }) => ({
    name,
    inFolder,
    command: oneLine(redactedHead(command, 400), 120),
    narrow,
    hits,
    order,
    callId: call.id
  }))
  return [...searches, ...made].slice(-maxKept)
}
