/**
 * Stops as a table: small sessions in the neutral form or in a host's own, judged by the built command line, with
 * somebody there and with nobody. Two processes judge all tables of a file.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { folder } from "../runCli.ts"

const bin = fileURLToPath(new URL("../../dist/bin.js", import.meta.url))

/** An event in the neutral form. */
export type Event = Readonly<Record<string, unknown>>

export const user = (text: string): Event => ({ type: "user_message", text })

export const agent = (text: string): Event => ({ type: "assistant_message", text, completed: true })

export const tool = (name: string, input: unknown, over: Event = {}): Event => ({
  type: "tool_call",
  tool: name,
  input,
  ...over
})

/** A shell command, how it ended (null: the host does not say) and what it printed. */
export const run = (command: string, exitCode: number | null, output = "", over: Event = {}): Event =>
  tool("bash", { command }, { exitCode, output, ...over })

export const edit = (path: string, before = "floor(x)", after = "round(x)"): Event =>
  tool("edit", { file_path: path, old_string: before, new_string: after }, { output: `Updated ${path}` })

/** The agent's list, each as "[x] done", "[>] at work" or "[ ] open". */
export const todos = (...items: ReadonlyArray<string>): Event => ({
  type: "todo_update",
  todos: items.map((item) => ({
    content: item.slice(4),
    status: item.startsWith("[x]") ? "completed" : item.startsWith("[>]") ? "in_progress" : "pending"
  }))
})

export interface Wanted {
  readonly status?: string | ReadonlyArray<string>
  /** Is the agent nudged? */
  readonly nudge?: boolean
  readonly severity?: string
  /** Results of gates, by name; of several any is right. */
  readonly gates?: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** Rules that find something, and rules that don't. */
  readonly finds?: ReadonlyArray<string>
  readonly spares?: ReadonlyArray<string>
  readonly contradicted?: boolean
  /** The type of the task. */
  readonly task?: string
  /** What the agent is told says, in part. */
  readonly feedback?: ReadonlyArray<string>
}

export interface Stop {
  readonly name: string
  /** Files of the project, by path; the session's directory is theirs. None: a directory that does not exist. */
  readonly project?: Readonly<Record<string, string>>
  /** The session in the neutral form. */
  readonly events?: ReadonlyArray<Event>
  /** Or its whole record, as a host writes it; gets the session's directory. */
  readonly record?: (cwd: string) => string
  readonly attended?: Wanted
  readonly unattended?: Wanted
  /** What is wanted both with somebody there and with nobody. */
  readonly wanted?: Wanted
  /** What is wanted with somebody there under the profile `strict`; judged so only where it is given. */
  readonly strict?: Wanted
}

/** A stop that is judged alike with somebody there and with nobody. */
export const row = (name: string, wanted: Wanted, events: ReadonlyArray<Event>): Stop => ({ name, events, wanted })

/** The part of the documented verdict that the tables speak of. */
interface Judged {
  readonly file: string
  readonly status: string
  readonly shouldContinue: boolean
  readonly severity: string
  readonly feedback: string | null
  readonly task: { readonly type: string }
  readonly findings: ReadonlyArray<{ readonly rule: string; readonly message: string }>
  readonly gates: ReadonlyArray<{ readonly gate: string; readonly result: string; readonly detail: string }>
  readonly contradictions: ReadonlyArray<unknown>
}

const among = (wanted: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  typeof wanted === "string" ? [wanted] : wanted

const told = (name: string, want: unknown, got: unknown, holds: boolean): ReadonlyArray<string> =>
  holds ? [] : [`${name}: wanted ${JSON.stringify(want)}, got ${JSON.stringify(got)}`]

const problems = (wanted: Wanted, judged: Judged): ReadonlyArray<string> => {
  const rules = judged.findings.map(({ rule }) => rule)
  return [
    ...(wanted.status === undefined
      ? []
      : told("status", wanted.status, judged.status, among(wanted.status).includes(judged.status))),
    ...(wanted.nudge === undefined
      ? []
      : told("nudge", wanted.nudge, judged.shouldContinue, wanted.nudge === judged.shouldContinue)),
    ...(wanted.severity === undefined
      ? []
      : told("severity", wanted.severity, judged.severity, wanted.severity === judged.severity)),
    ...Object.entries(wanted.gates ?? {}).flatMap(([name, want]) => {
      const got = judged.gates.find(({ gate }) => gate === name)
      return told(`gate ${name}`, want, got, got !== undefined && among(want).includes(got.result))
    }),
    ...(wanted.task === undefined ? [] : told("task", wanted.task, judged.task.type, wanted.task === judged.task.type)),
    ...(wanted.feedback ?? []).flatMap((part) =>
      told("feedback", part, judged.feedback, judged.feedback?.includes(part) === true)
    ),
    ...(wanted.finds ?? []).flatMap((rule) => told("finds", rule, judged.findings, rules.includes(rule))),
    ...(wanted.spares ?? []).flatMap((rule) => told("spares", rule, judged.findings, !rules.includes(rule))),
    ...(wanted.contradicted === undefined
      ? []
      : told(
          "contradicted",
          wanted.contradicted,
          judged.contradictions,
          wanted.contradicted === judged.contradictions.length > 0
        ))
  ]
}

interface Verdicts {
  readonly by: ReadonlyMap<string, Judged>
  readonly said: string
}

const judge = (
  files: ReadonlyArray<string>,
  isAttended: boolean,
  profile: "balanced" | "strict" = "balanced"
): Effect.Effect<Verdicts> =>
  Effect.async((resume) => {
    const words = ["judge", ...files, "--format", "jsonl", "--attended", String(isAttended), "--profile", profile]
    const env = { PATH: process.env["PATH"], HOME: "/nonexistent" }
    execFile(process.execPath, [bin, ...words], { env, maxBuffer: 1 << 28 }, (_, stdout, said) => {
      const lines = stdout.split("\n").filter((line) => line !== "")
      const judged: ReadonlyArray<Judged> = lines.map((line) => JSON.parse(line))
      resume(Effect.succeed({ by: new Map(judged.map((verdict) => [verdict.file, verdict])), said }))
    })
  })

const recordOf = ({ events = [], name, record }: Stop, cwd: string): string =>
  record?.(cwd) ?? JSON.stringify({ version: 1, host: "other", sessionId: name, cwd, events })

/** What is wrong with the verdict of each stop, for all that two processes (and a third for `strict`) can judge at once. */
const judgeAll = (stops: ReadonlyArray<Stop>): Effect.Effect<ReadonlyMap<Stop, ReadonlyArray<string>>> =>
  Effect.scoped(
    Effect.gen(function* () {
      const placed = stops.map((stop, at) => ({ stop, place: `${at}/${stop.name}` }))
      const root = yield* folder(
        Object.fromEntries(
          placed.flatMap(({ place, stop: { project = {} } }) =>
            Object.entries(project).map(([path, text]) => [`${place}/${path}`, text])
          )
        )
      )
      const records = yield* folder(
        Object.fromEntries(placed.map(({ place, stop }) => [`${place}.json`, recordOf(stop, `${root}/${place}`)]))
      )
      const files = placed.map(({ place }) => `${records}/${place}.json`)
      const strictly = placed.flatMap(({ stop }, index) =>
        stop.strict === undefined ? [] : files.slice(index, index + 1)
      )
      const [there, away, strict] = yield* Effect.all(
        [
          judge(files, true),
          judge(files, false),
          strictly.length === 0 ? Effect.succeed({ by: new Map(), said: "" }) : judge(strictly, true, "strict")
        ],
        { concurrency: 2 }
      )
      return new Map(
        placed.map(({ place, stop }) => {
          const wrong = (who: string, { by, said }: Verdicts, wanted: Wanted): ReadonlyArray<string> => {
            const verdict = by.get(`${records}/${place}.json`)
            return (verdict === undefined ? [`no verdict: ${said}`] : problems(wanted, verdict)).map(
              (problem) => `${stop.name}, ${who}: ${problem}`
            )
          }
          return [
            stop,
            [
              ...wrong("somebody there", there, { ...stop.wanted, ...stop.attended }),
              ...wrong("nobody there", away, { ...stop.wanted, ...stop.unattended }),
              ...(stop.strict === undefined ? [] : wrong("strict", strict, stop.strict))
            ]
          ]
        })
      )
    })
  )

/** The stops of tables that no test has begun with yet. */
let waiting: Array<Stop> = []

const verdicts = new WeakMap<Stop, Promise<ReadonlyMap<Stop, ReadonlyArray<string>>>>()

/** The test of a table: judges its stops, with those of the other tables, and names all that were judged otherwise than wanted. */
export const judged = (stops: ReadonlyArray<Stop>): (() => Effect.Effect<void>) => {
  waiting.push(...stops)
  return () =>
    Effect.gen(function* () {
      if (waiting.length > 0) {
        const batch = waiting
        waiting = []
        const promise = Effect.runPromise(judgeAll(batch))
        for (const stop of batch) verdicts.set(stop, promise)
      }
      const wrong = yield* Effect.forEach(stops, (stop) =>
        Effect.promise(async () => (await verdicts.get(stop))?.get(stop) ?? [`${stop.name}: not judged`])
      )
      assert.deepStrictEqual(wrong.flat(), [])
    })
}
