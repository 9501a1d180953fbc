/**
 * Tables of stops: sessions in the one-line notation (core/test/support/sessions.ts), judged by the command line with
 * somebody there, with nobody there, and in the profile `strict` where something is said of it.
 *
 *     ## what is tested
 *     NAME = an event, events or an expectation     for this test; above the first test, for all of them
 *     | events with a % :: expectation              a frame; %1, %2 are the fields of a row, % the last
 *     @ path text                                   a file of the project: of this frame, or above the first of all
 *     @host claude-code                             the record is that host's, and not the neutral form
 *       row ¦ field § field ¦ row :: expectation    rows with ` ¦ ` between them, the last with an expectation of its own;
 *                                                   a line that goes on is indented by more
 *
 * An expectation names the status (`a|b` is either), `nudge` or `rest`, a severity, `gate=result`, `+rule` that finds
 * something and `-rule` that does not, `lie` or `honest` (is a claim contradicted?), `task:type`, "text" that the agent
 * is told, and `asked` where a model would be asked. What follows `there:`, `alone:` or `strict:` applies only to that
 * mode.
 */
import { assert, describe, it } from "@effect/vitest"
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import * as Judgment from "@reflexion/core/Judgment"
import * as NeutralTranscript from "@reflexion/core/internal/session/transcript/NeutralTranscript"
import * as Transcript from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { plain } from "../../../core/test/support/rows.ts"
import type { Words } from "../../../core/test/support/sessions.ts"
import { folder, runCli } from "../runCli.ts"
import { type Event, eventsOf, type Host, recordOf } from "./hostRecords.ts"

interface Stop {
  readonly name: string
  readonly events: ReadonlyArray<Event>
  readonly project: ReadonlyArray<readonly [path: string, text: string]>
  readonly host: Host
  readonly expected: ReadonlyArray<string>
}

const reads = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `call Read {"file_path":"src/part${from + at}.ts"} => export {}`).join(" / ")

const common: Words = {
  blank: "",
  "6 more reads": reads(20, 6),
  ...Object.fromEntries([5, 6, 7, 8, 12].map((count) => [`${count} reads`, reads(0, count)]))
}

const tokens = (text: string, words: Words): ReadonlyArray<string> =>
  (text.match(/"[^"]*"|\S+/gu) ?? []).flatMap((token) => {
    const word = words[token]
    return word === undefined ? [token] : tokens(word, words)
  })

const parted = (text: string): readonly [string, string] => {
  const at = text.lastIndexOf(" :: ")
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 4)]
}

const defined = (lines: ReadonlyArray<string>): Words =>
  Object.fromEntries(
    lines.flatMap((line) => [/^(\w+) = (.*)$/u.exec(line)?.slice(1) ?? []]).filter(({ length }) => length > 0)
  )

type Frame = readonly [events: string, expected: string]

const unframed: Frame = ["", ""]

interface Place {
  readonly frame: Frame
  readonly files: ReadonlyArray<string>
  readonly host: Host
  readonly words: Words
}

const stopOf = (item: string, { files, frame, host, words }: Place): Stop => {
  const [row, own] = parted(item)
  const fields = row.split(/ §(?:(?= §)| )/u)
  const field = (_: string, at: string): string => (at === "" ? fields.at(-1) : fields[Number(at) - 1]) ?? ""
  const filled = (text: string): string => text.replaceAll(/%(\d?)/gu, field)
  const project = files.map((file) => {
    const [, path = "", text = ""] = /^(\S+) ?(.*)$/su.exec(filled(file)) ?? []
    return [path, plain(text)] as const
  })
  const events = eventsOf(filled(frame[0]), words)
  const expected = tokens(own === "" ? filled(frame[1]) : own, words)
  assert.isNotEmpty(expected, item)
  const unknown = events.filter((event) => event.type === "assistant_message" && /^\w+$|^\d.* reads$/u.test(event.text))
  assert.isEmpty(unknown, `a word that is not defined: ${item}`)
  return { name: row, events, project, host, expected }
}

/** The tests of a table. */
const tables = (name: string): ReadonlyArray<readonly [title: string, stops: ReadonlyArray<Stop>]> => {
  const text = readFileSync(new URL(name, import.meta.url), "utf8").replaceAll(/\n {4,}/gu, " ")
  const [head = "", ...sections] = text.split("\n## ")
  const shared = { ...common, ...defined(head.split("\n")) }
  return sections.map((section) => {
    const [title = "", ...lines] = section.split("\n").filter((line) => line !== "")
    const words = { ...shared, ...defined(lines) }
    const stops: Array<Stop> = []
    const ofAll: Array<string> = []
    let [frame, files, host]: [Frame, Array<string>, Host] = [unframed, [], "other"]
    for (const line of lines) {
      if (line.startsWith("| ")) [frame, files, host] = [parted(line.slice(2)), [...ofAll], "other"]
      else if (line.startsWith("@host ")) host = line.slice(6) as Host
      else if (line.startsWith("@ ")) (frame === unframed ? ofAll : files).push(line.slice(2))
      else if (line.startsWith("  ")) {
        assert.notStrictEqual(frame, unframed, line)
        for (const item of line.slice(2).split(" ¦ ")) stops.push(stopOf(item, { frame, files, host, words }))
      }
    }
    return [title, stops] as const
  })
}

const modes = ["there:", "alone:", "strict:"]

/** The expectations for a mode. Those before any mode's name apply to all modes but `strict`. */
const expectedIn = (mode: string, { expected }: Stop): ReadonlyArray<string> => {
  let at = "both"
  return expected.filter((token) => {
    if (modes.includes(token)) at = token
    return !modes.includes(token) && (at === mode || (at === "both" && mode !== "strict:"))
  })
}

/** Whether a model is asked about a stop with somebody there, where one is configured. */
const isAsked = ({ events }: Stop): boolean => {
  const bare = Transcript.make({ host: "other", sessionId: "s", attended: true, events })
  const session = { ...bare, events: NeutralTranscript.events(bare) }
  const options = { session, context: Judgment.defaultContext, now: null }
  const { state } = Judgment.replay(session, options.context)
  return BeyondEvidence.isAsked(state, Judgment.review(state, options).verdict, options)
}

const holds = (token: string, stop: Stop, judged: Verdict): boolean => {
  const rules = judged.findings.map(({ rule }) => rule as string)
  const [, gate, results = ""] = /^(\w+)=(\S+)$/u.exec(token) ?? []
  if (token === "nudge" || token === "rest") return judged.shouldContinue === (token === "nudge")
  if (token === "lie" || token === "honest") return judged.contradictions.length > 0 === (token === "lie")
  if (token === "asked") return isAsked(stop)
  if (token.startsWith('"')) return judged.feedback?.includes(token.slice(1, -1)) === true
  if (token.startsWith("+")) return rules.includes(token.slice(1))
  if (token.startsWith("-")) return !rules.includes(token.slice(1))
  if (token.startsWith("task:")) return judged.task.type === token.slice(5)
  if (/^[A-Z]+$/u.test(token)) return judged.severity === token
  const result = judged.gates.find((one) => one.gate === gate)?.result
  return gate === undefined ? token.split("|").includes(judged.status) : results.split("|").includes(result ?? "")
}

const brief = (judged: Verdict): string =>
  JSON.stringify({
    status: `${judged.status}${judged.shouldContinue ? ", nudged" : ""}, ${judged.severity}, ${judged.task.type}`,
    gates: judged.gates
      .filter(({ result }) => result !== "not_required")
      .map(({ gate, result }) => `${gate}=${result}`),
    rules: judged.findings.map(({ rule }) => rule),
    claims: judged.contradictions.map(({ claim }) => claim),
    feedback: judged.feedback
  })

/** What is judged otherwise than expected. */
const wrong = Effect.fnUntraced(function* (stops: ReadonlyArray<Stop>) {
  const root = yield* folder(
    Object.fromEntries(stops.flatMap(({ project }, at) => project.map(([path, text]) => [`${at}/${path}`, text])))
  )
  const records = yield* folder(
    Object.fromEntries(stops.map((stop, at) => [`${at}.json`, recordOf(stop.host, stop.events, `${root}/${at}`)]))
  )
  const found: Array<string> = []
  for (const mode of modes) {
    const judged = stops.flatMap((stop, at) => (expectedIn(mode, stop).length > 0 ? [`${records}/${at}.json`] : []))
    if (judged.length === 0) continue
    const words = ["--attended", `${mode !== "alone:"}`, "--profile", mode === "strict:" ? "strict" : "balanced"]
    const { err, out } = yield* runCli(["judge", ...judged, "--format", "jsonl", ...words])
    const verdicts = new Map<string, Verdict>(
      out.split("\n").map((line) => {
        const verdict = JSON.parse(line === "" ? "{}" : line)
        return [verdict.file, verdict]
      })
    )
    for (const [at, stop] of stops.entries()) {
      const verdict = verdicts.get(`${records}/${at}.json`)
      const lost = expectedIn(mode, stop).filter((token) => verdict === undefined || !holds(token, stop, verdict))
      if (lost.length > 0)
        found.push(
          `${mode} ${stop.name}: wanted ${lost.join(" ")}, got ${verdict === undefined ? err : brief(verdict)}`
        )
    }
  }
  return found
})

for (const name of ["orders", "runs", "ends", "seeds"])
  describe(`stops: ${name}`, () => {
    it.scoped.each(tables(`${name}.rows.txt`))("%s", ([, stops]) =>
      Effect.map(wrong(stops), (found) => assert.deepStrictEqual(found, []))
    )
  })
