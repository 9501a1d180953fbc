/** Reads how a commit, a push, a pull request or a look at CI ended, from the output of git and forge tools. */
import { head, redactedHead } from "../../base/redaction/RedactedHead.ts"
import { clip, matchesAny } from "../../base/text/Text.ts"
import type { Run } from "./model.ts"

export interface Outcome {
  readonly result: Run["result"]
  readonly detail: string
  readonly failing: Run["failing"]
  readonly pending?: boolean
}

export const passed = (detail: string): Outcome => ({ result: "passed", detail, failing: [] })

export const failed = (detail: string, failing: Outcome["failing"] = []): Outcome => ({
  result: "failed",
  detail,
  failing: failing.slice(0, 10)
})

export const unknown = (detail: string): Outcome => ({ result: "unknown", detail, failing: [] })

type State = "pass" | "fail" | "pending"

const words: ReadonlyArray<readonly [state: State, pattern: RegExp]> = [
  ["pass", /^(?:pass|passed|success|successful|✓|✔|√)$/],
  ["fail", /^(?:fail|failed|failure|error|cancelled|canceled|timed_out|startup_failure|x|✗|✘|✖)$/],
  [
    "pending",
    /^(?:pending|queued|in_progress|running|requested|waiting|waiting_for_resource|created|expected|preparing|\*)$/
  ]
]

const stateOf = (word: string): State | null => {
  const low = word.trim().toLowerCase()
  return words.find(([, pattern]) => pattern.test(low))?.[0] ?? null
}

interface Line {
  readonly state: State
  readonly cells: ReadonlyArray<string>
}

/** Reads `(failed) • 00m 10s test unit`, `X main CI · 12`, `build pass 1m` or `completed failure title …`. */
const lineOf = (text: string): ReadonlyArray<Line> => {
  const line = head(text, 500)
  const cells = line.split(/\t|\s{2,}/).map((cell) => cell.trim())
  const isTable = line.includes("\t")
  const isRow = isTable || cells.length > 2 || /\s·\s\d|\(ID \d/.test(line)
  const glyph = isRow ? /^\s{0,4}(✓|✔|√|X|✗|✘|✖|\*)\s{1,8}\S/u.exec(line)?.[1] : undefined
  const first = /^\((\w{4,24})\)\s/.exec(line)?.[1] ?? glyph
  const state =
    first === undefined && isTable
      ? (stateOf(cells[1] ?? "") ?? (/^(?:queued|in_progress|pending)$/i.test(cells[0] ?? "") ? "pending" : null))
      : stateOf(first ?? "")
  return state === null ? [] : [{ state, cells }]
}

const field = /"(?:conclusion|state|bucket|status)"\s{0,4}:\s{0,4}"(\w{0,24})"/g

/** Returns the states in a JSON text. For a finished check, its conclusion counts. */
const linesOfJson = (text: string): ReadonlyArray<Line> =>
  [...text.matchAll(field)].slice(0, 200).flatMap((match) => {
    const state = stateOf(match[1] ?? "")
    return state === null ? [] : [{ state, cells: [] }]
  })

const outcomeOf = (lines: ReadonlyArray<Line>): Outcome => {
  const total = lines.length
  const red = lines.filter(({ state }) => state === "fail")
  const nameOf = ({ cells }: Line): string => clip(redactedHead(cells[0] ?? "", 2000), 120)
  if (red.length > 0)
    return failed(
      `${red.length} of ${total} checks failed`,
      red.map((line) => ({ name: nameOf(line), file: null, line: null }))
    )
  const open = lines.filter(({ state }) => state === "pending").length
  return open > 0
    ? { ...unknown(`${open} of ${total} checks are still running`), pending: true }
    : passed(`${total} checks passed`)
}

/** Returns the newest runs. The newest run comes first, and the runs of one push have the same title. */
const newest = (lines: ReadonlyArray<Line>, branch: string | null): ReadonlyArray<Line> => {
  const named = lines.filter(({ cells }) => branch !== null && cells.includes(branch))
  const own = named.length > 0 ? named : lines
  const title = ({ cells }: Line): string => (/^[a-z_]{4,}$/.test(cells[0] ?? "") ? cells[2] : cells[1]) ?? ""
  const [first] = own
  return own.filter(
    (line) => line === first || (first !== undefined && title(first) !== "" && title(line) === title(first))
  )
}

const inWords = (text: string): Outcome | null => {
  if (/\bsome checks were not successful\b|\bcompleted with '?failure|\bpipeline state: failed/i.test(text))
    return failed("checks failed")
  if (/\bsome checks are still pending\b|\bpipeline state: (?:running|pending)/i.test(text))
    return { ...unknown("checks are still running"), pending: true }
  return /\ball checks were successful\b|\bcompleted with '?success|\bpipeline state: success/i.test(text)
    ? passed("all checks passed")
    : null
}

/** In a list of runs, only the newest runs of the branch count. Null if the output does not say. */
export const ciOutcome = (output: string, command: string, branch: string | null): Outcome | null => {
  const text = output.slice(0, 64_000)
  const lines = text.split("\n").flatMap(lineOf)
  const all = lines.length > 0 ? lines : linesOfJson(text)
  if (all.length === 0) return inWords(text)
  const isList = /\b(?:run|runs|ci|pipelines?|workflow) (?:list|ls)\b|\bruns\?/.test(command)
  if (isList) return outcomeOf(newest(all, branch))
  // The first line is the run. The other lines are the run's jobs and their steps.
  return outcomeOf(/\brun (?:view|watch)\b/.test(command) ? all.slice(0, 1) : all)
}

export const pullRequestUrl = /https?:\/\/[\w.-]{1,100}\/[\w./-]{1,200}\/(?:pull|merge_requests|pulls)\/\d{1,9}/

export const prOutcome = (output: string): Outcome | null => {
  const text = output.slice(0, 20_000)
  const url = pullRequestUrl.exec(text)
  if (url !== null) return passed(url[0])
  return /^(?:pull request create failed|GraphQL: |must first push|error creating|(?:failed to|could not) create|aborted: )/im.test(
    text
  )
    ? failed("its command failed")
    : null
}

const sent = /^\s{0,8}(?:[0-9a-f]{6,40}\.\.\.?[0-9a-f]{6,40}|\* \[new (?:branch|tag)\]|\+ [0-9a-f]{6,40})/m

const rejected =
  /\[(?:remote )?rejected\]|^error: failed to push|^fatal: |hook declined|^(?:husky - )?pre-push\b.{0,40}\bfailed|^remote: (?:Permission|Invalid|error:)|^hint: Updates were rejected\b/m

/** If a delivery was not needed or not possible, the agent is not at fault. Null for any other delivery. */
export const needless = (gate: string, output: string): Outcome | null => {
  const text = output.slice(0, 20_000)
  if (gate === "commit" && /^nothing to commit, working tree clean/m.test(text))
    return unknown("there was nothing to commit")
  if (gate === "push" && /no configured push destination|does not appear to be a git repository/i.test(text))
    return unknown("there is no remote to push to")
  const url = gate === "pr" && /already exists/i.test(text) ? pullRequestUrl.exec(text) : null
  return url === null ? null : passed(url[0])
}

export const nothingSent = "everything was up to date, so nothing was pushed"

export const pushOutcome = (output: string): Outcome | null => {
  const text = output.slice(0, 20_000)
  if (rejected.test(text)) return failed("it was rejected")
  if (sent.test(text)) return passed("pushed")
  return /Everything up-to-date/.test(text) ? passed(nothingSent) : null
}

const committed = /^\[[^\]\n]{1,120} [0-9a-f]{5,40}\] /m

const refused: ReadonlyArray<RegExp> = [
  /^- hook id: |^- exit code: [1-9]|pre-commit (?:hook|script)?.{0,20}\bfailed|^husky - .{0,60}(?:failed|code [1-9]|exited)|^🥊/im,
  /aborting commit|no changes added to commit|failed to write commit object|failed to sign the data|please tell me who you are|^error: pathspec|found [1-9]\d{0,4} problems?, \d/im
]

/** If the commit was made, the output of a hook does not count. Null if the output shows no result. */
export const commitOutcome = (output: string): Outcome | null => {
  const text = output.slice(0, 20_000)
  if (committed.test(text)) return passed("committed")
  return matchesAny(refused, text) && !/^[0-9a-f]{7,12} \S/m.test(text) ? failed("git or a hook refused it") : null
}

const short = /^git status (?:(?:-s|--short|--porcelain(?:=v?[12])?) ?)+$/
const unsent =
  /^git (?:--no-pager )?(?:log|rev-list|cherry) (?:-\S+ )*(?:@\{u(?:pstream)?\}|origin\/\S+?)\.\.(?:HEAD)?(?: -\S+)*$/

export const showsNone = (gate: "commit" | "push", command: string, output: string): boolean => {
  const text = output.slice(0, 8000)
  const isSilent = (gate === "commit" ? short : unsent).test(command.trim()) && text.trim() === ""
  const says = gate === "commit" ? /^nothing to commit, working tree clean$/m : /^Your branch is up to date with '/m
  return isSilent || (/\bgit (?:\S+ ){0,4}(?:status|commit)\b/.test(command.slice(0, 4000)) && says.test(text))
}
