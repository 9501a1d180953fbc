/** What a shell command is to a loop: its words without noise, where it runs, and whether it looks, waits or changes. */
import { checkClasses } from "../../session/gates/GateTable.ts"
import * as ShellCommand from "../../session/shell/ShellCommand.ts"
import type { CallKind } from "./model.ts"

/** A command without what makes no difference; `directory` is where a leading `cd` goes, null without one. */
export interface Plain {
  readonly text: string
  readonly directory: string | null
}

const setting = /^(?:export\s{1,4})?([A-Z_]{2,30})=[^\s;&|'"]{0,60}(?:\s{1,4}(?:&&\s{0,4}|;\s{0,4})?|;\s{0,4})/
/** Settings of how something is printed. */
const noisy = new Set(
  "CI NO_COLOR FORCE_COLOR CLICOLOR TERM PAGER GIT_PAGER GH_PAGER LANG LC_ALL COLUMNS PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE DEBIAN_FRONTEND NODE_NO_WARNINGS".split(
    " "
  )
)
const change = /^cd\s{1,4}("[^"\n]{1,300}"|'[^'\n]{1,300}'|[^\s;&|]{1,300})\s{0,4}(?:&&|;|\n)\s{0,4}/
/** What only cuts a window out of the output is noise, too: the result says whether it shows something else. */
const trailing =
  /\s{0,8}(?:2>&1|\|\s{0,4}cat|\|\s{0,4}(?:tail|head)(?:\s{1,4}(?:-[nc]\s{0,2}|--(?:lines|bytes)[= ]|-)[+-]?\d{1,6})?|;\s{0,4}echo\s{1,4}"?(?:exit|rc|status|code)?[:= ]{0,3}\$\?"?|;)\s{0,8}$/i
const comment = /^#[^\n]{0,400}\n\s{0,40}/

const noiseOf = (text: string): RegExpExecArray | null => {
  const found = setting.exec(text)
  return found !== null && noisy.has(found[1] ?? "") ? found : comment.exec(text)
}

const peeled = (text: string): Plain => {
  let rest = text.trim()
  let directory: string | null = null
  for (let round = 0; round < 6; round++) {
    const noise = noiseOf(rest)
    const moved = noise === null ? change.exec(rest) : null
    if (noise === null && moved === null) break
    if (moved !== null) directory = (moved[1] ?? "").replaceAll(/["']|\/$/g, "")
    rest = rest.slice((noise ?? moved)?.[0].length)
  }
  return { text: rest, directory }
}

/** The end of a command, where its noise stands, cut off before the expression reads it. */
const withoutTrailing = (text: string): string => {
  let rest = text
  for (let round = 0; round < 3; round++) {
    const tail = rest.slice(-60)
    const short = tail.replace(trailing, "")
    if (short === tail) break
    rest = rest.slice(0, rest.length - tail.length) + short
  }
  return rest
}

/** Whose end it is differs each time; that something is ended does not. */
const ended = /\bkill((?:\s-\w{1,10})?)(?:\s\d{1,9}){1,9}(?=$|[\s;&|])/g

/** Where quotes only hold words together it does not matter which they are. */
const quoted = /'([\w ./:@%+,=*?<>^-]{0,400})'/g

export const plainCommand = (command: string): Plain => {
  const { directory, text } = peeled(command)
  const cut = withoutTrailing(text).replaceAll(" 2>&1", "")
  const told = cut.includes("kill ") ? cut.replaceAll(ended, "kill$1 #") : cut
  return { directory, text: told.includes("'") ? told.replaceAll(quoted, '"$1"') : told }
}

const harmless = new Set(["cd", "echo", "printf", "true", "false", ":", "export", "set", "unset", "pwd", "test", "["])
const waiting = new Set(["sleep", "wait", "watch"])
const watching = new Set(["ps", "pgrep", "lsof", "ss", "netstat", "nc", "date", "uptime", "jobs", "journalctl", "top"])
/** What these show moves by itself. */
const remote = new Set([
  "gh",
  "glab",
  "kubectl",
  "docker",
  "docker-compose",
  "podman",
  "systemctl",
  "service",
  "az",
  "aws"
])
/** Whatever the program is there for, this asks it for something: "rollout status web", "build:view 12", "list-jobs". */
const asksState =
  /^(?:[\w-]{1,40}:)?(?:get|describe|view|show|info|status|list|logs|history|inspect|ps|checks|stats|top|is-active)(?:-[\w-]{1,60})?$/
/** What is asked of a pipeline that starts it, or ends it, and does not look at it. */
const setsOff =
  /^(?:run|workflow|ci|pipeline|pipelines|build|job) (?:run|rerun|retry|trigger|cancel|delete|create|play)\b/
const selfWaiting = /^(?:run watch|wait|rollout status)\b|--(?:watch|follow)\b(?!=false)/
const logFile = /(?:\.(?:log|out|output|err)|nohup\.out)$|\/(?:logs?|tasks)\//i
/** Options with which a program that asks the network tells it something. */
const telling =
  /^(?:-[a-zA-Z]{0,5}[XdFT](?:POST|PUT|PATCH|DELETE)?|--(?:request|data|form|upload-file|method|field|raw-field|input)\b.{0,200})$/
const telledBy = new Map([
  ["curl", /^--json$/],
  ["gh", /^-[fF]$/]
])

const readOnly: ReadonlySet<ShellCommand.CommandClass> = new Set(["read", "search", "vcs"])
const changing: ReadonlySet<ShellCommand.CommandClass> = new Set([
  "write",
  "commit",
  "push",
  "install",
  "format",
  "pr_create",
  "pr_merge",
  "deploy",
  "process",
  "vcs"
])

type Simple = ShellCommand.SimpleCommand

const rest = (simple: Simple): string => simple.words.slice(1, 8).join(" ")

const isWait = (simple: Simple, name: string): boolean => waiting.has(name) || selfWaiting.test(rest(simple))

/** What a program asks the network moves by itself, unless the program tells it something. */
const tells = (simple: Simple, name: string): boolean =>
  simple.words.some((word) => word !== null && (telling.test(word) || telledBy.get(name)?.test(word) === true)) &&
  !simple.words.includes("GET")

const asking = new Set(["curl", "wget", "http", "xh"])
const versioning = new Set(["git", "hg", "jj", "svn"])
const reading = new Set(["tail", "cat", "head", "grep", "less"])

/** The state of what comes to an end: of checks, of a run, of a pipeline. */
const asksPipeline = (simple: Simple): boolean =>
  (simple.classes.includes("ci") || simple.classes.includes("pr_checks")) && !setsOff.test(rest(simple))

const isWatch = (simple: Simple, name: string): boolean => {
  if (asksPipeline(simple) || watching.has(name)) return true
  if (asking.has(name)) return !tells(simple, name)
  if (reading.has(name))
    return simple.words.some((word) => word !== null && (word === "-f" || word === "-F" || logFile.test(word)))
  if (remote.has(name)) return asks(simple) && !tells(simple, name)
  return !versioning.has(name) && /^(?:status|logs|ps|inspect)$/.test(simple.words[1] ?? "")
}

const asks = ({ words }: Simple): boolean =>
  words[1] === "api" || words.slice(1, 4).some((word) => word !== null && asksState.test(word.slice(0, 60)))

const isAsking = (simple: Simple): boolean =>
  simple.writes.length === 0 && simple.classes.every((name) => name === "build" || name === "deploy") && asks(simple)

const isLook = ({ classes, writes }: Simple): boolean =>
  (classes.includes("read") || classes.includes("search")) &&
  writes.length === 0 &&
  classes.every((name) => readOnly.has(name))

const isCheck = (simple: Simple): boolean => simple.classes.some((name) => checkClasses.has(name)) && !isAsking(simple)

/** What a redirection of a check's own output writes is no work. */
const isChange = (simple: Simple): boolean => {
  if (simple.dryRun) return false
  const checked = isCheck(simple)
  return simple.writes.length > 0 ? !checked : simple.classes.some((name) => changing.has(name))
}

const kindOfSimple = (simple: Simple): CallKind => {
  const name = (simple.words[0] ?? "").slice(0, 60)
  if (isWait(simple, name)) return "wait"
  if (isWatch(simple, name)) return "watch"
  if (isLook(simple)) return "look"
  return isChange(simple) && !isAsking(simple) ? "change" : "run"
}

/** What weighs most in a command of several: one that waits first does so for what follows. */
const order: ReadonlyArray<CallKind> = ["change", "wait", "run", "watch", "look"]

/**
 * A call's kind, whether it checks the work, whether it asks only what the agent itself changes, whether it asks for the
 * state or the log of what comes to an end, and whether it may change the sources.
 */
export interface Nature {
  readonly kind: CallKind
  readonly check: boolean
  readonly local: boolean
  readonly ends: "state" | "log" | null
  readonly edits: boolean
}

const sourced: ReadonlySet<ShellCommand.CommandClass> = new Set(["commit", "push", "format", "vcs"])

/** What is started again, installed or deployed leaves the sources as they are, and so does what is written to a log. */
const isEdit = (simple: Simple): boolean => {
  if (!isChange(simple)) return false
  if (simple.writes.length > 0) return simple.writes.some((path) => path === null || !isAside(path))
  return simple.classes.some((name) => name === "write" || sourced.has(name))
}

const isAside = (path: string): boolean => logFile.test(path) || /^\/(?:tmp|dev|var\/log)\//.test(path)

const isLocal = ({ classes, words }: Simple): boolean => classes.includes("search") || versioning.has(words[0] ?? "")

const endsOf = (simple: Simple | undefined): Nature["ends"] => {
  if (simple === undefined) return null
  return simple.words.some((word) => word !== null && /^(?:--log(?:-failed)?|trace|logs)$/.test(word)) ? "log" : "state"
}

/** What a command does. Watching is not local, whatever it is done with. */
export const commandNature = (command: string): Nature => {
  const { commands, unknown } = ShellCommand.analyze(command)
  const kind = kindOf(commands, unknown)
  return {
    kind,
    check: commands.some(isCheck),
    local: kind !== "watch" && commands.some(isLocal),
    ends: endsOf(commands.find(asksPipeline)),
    edits: kind === "change" && commands.some(isEdit)
  }
}

/** By the gravest of its parts. */
const kindOf = (commands: ReadonlyArray<Simple>, unknown: boolean): CallKind => {
  const kinds = new Set<CallKind>()
  for (const simple of commands) {
    if (!harmless.has(simple.words[0] ?? "")) kinds.add(kindOfSimple(simple))
    else if (simple.writes.length > 0) kinds.add("change")
  }
  return order.find((kind) => kinds.has(kind)) ?? (unknown ? "run" : "look")
}
