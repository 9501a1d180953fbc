/**
 * Scenes of a review, each a line of actions. In `asks, claims, stops`, a user gives a task, an agent edits and calls
 * it done, and it stops. `b/stops` is of another session, `wait 5 s` lets time pass. The test of scenes has the
 * results.
 */
import { Effect, TestClock } from "effect"
import { type Activity, TestHost } from "../../src/review/program/AgentHost.ts"
import * as ReviewState from "../../src/review/machine/ReviewState.ts"
import { ReviewStates, TestReviewStates } from "../../src/review/machine/ReviewStates.ts"
import { session as events } from "./sessions.ts"
import { log, notices, play, nudges, type Setting, services, started } from "./turns.ts"

const task = "Fix the bug in the parser and run the tests."

const works: Readonly<Record<string, string>> = {
  claims: "edit /repo/src/parser.ts / Done.",
  green: "$ npm test => Tests: 5 passed, 5 total / All 5 tests pass.",
  ports: "edit /repo/src/tokens.ts",
  says: "Done.",
  answers: "It turns text into events.",
  wonders: "Which of the two parsers do you mean, the old or the new one?",
  needs:
    "$1 npm publish => npm error code ENEEDAUTH / I can't publish: you need to run \\`npm login\\` with your account first.",
  installs: "#c1 $running npm install",
  installed: "#c1 $ npm install",
  circles: "3x $ cat src/parser.ts => const parser = 1",
  plans: "mode plan"
}

const reports: Readonly<Record<string, ReviewState.ReviewEvent>> = {
  idle: { _tag: "Idle", at: 0 },
  abort: { _tag: "Abort", at: 0 },
  error: { _tag: "Error", at: 0 },
  deleted: { _tag: "Deleted", at: 0 },
  question: { _tag: "Asked", id: "q1", at: 0 },
  answered: { _tag: "Answered", id: "q1", at: 0 },
  queued: { _tag: "Queued", waiting: 1, at: 0 },
  background: { _tag: "Background", running: 1, at: 0 },
  through: { _tag: "Background", running: 0, at: 0 },
  compacts: { _tag: "Compaction", running: true, at: 0 },
  plan: { _tag: "ModeChanged", mode: "plan", at: 0 },
  harness: { _tag: "UserMessage", id: "u9", genuine: false, at: 0 },
  message: { _tag: "UserMessage", id: "u9", genuine: true, at: 0 },
  off: { _tag: "Command", command: "stop", at: 0 },
  on: { _tag: "Command", command: "start", at: 0 },
  "agent-on": { _tag: "Command", command: "start", by: "agent", at: 0 },
  status: { _tag: "Command", command: "status", at: 0 }
}

type Session = Effect.Effect.Success<ReturnType<typeof play>>

interface Stage {
  readonly id: string
  readonly session: Session
  readonly restart: Effect.Effect.Success<typeof started>["restart"]
}

const appears = Effect.fnUntraced(function* (id: string, state: Activity["state"]) {
  const host = yield* TestHost
  const lastSign = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  yield* host.appear(id, { state, lastSign })
})

const acts = Effect.fnUntraced(function* (deed: string, { id, restart, session }: Stage) {
  const [verb = "", rest = ""] = deed.split(/ (.*)/s)
  const host = yield* TestHost
  const states = yield* ReviewStates
  const test = yield* TestReviewStates
  const report = reports[verb]
  const work = works[verb]
  if (work !== undefined) return yield* session.does(...events(work))
  if (report !== undefined) {
    yield* session.emit(report)
    return yield* TestClock.adjust(0)
  }
  switch (verb) {
    case "asks":
      return yield* session.asks(rest === "" ? task : rest)
    case "stops":
      return yield* session.stops
    case "hears":
      return yield* session.hears
    case "wait":
      return yield* TestClock.adjust(`${Number.parseFloat(rest) * 1000} millis`)
    case "appears":
      return yield* appears(id, rest as Activity["state"])
    case "compacted":
      return yield* session.compacted("This session is being continued from a previous one.")
    case "restarts":
      return yield* Effect.orDie(restart)
    case "forgets":
      return yield* states.save(id, ReviewState.initial)
    case "off-elsewhere":
      return yield* states.setStopped(id, true)
    case "on-elsewhere":
      return yield* states.setStopped(id, false)
    case "disk":
      return yield* test.fail(rest === "full")
    case "host":
      return yield* host.refuse(rest === "refuses" ? "rejected" : null)
    default:
      return yield* Effect.dieMessage(`no deed is called ${deed}`)
  }
})

export interface Scene {
  readonly setting?: Setting
  readonly rest?: Parameters<typeof play>[1]
}

/** Plays the actions. Returns what each session got, as "nudges | notices | log". */
export const scene = (deeds: string, { rest, setting }: Scene = {}): Effect.Effect<Readonly<Record<string, string>>> =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse("2026-03-02T09:00:00Z"))
    const { restart } = yield* started
    const sessions = new Map<string, Session>()
    for (const part of deeds.split(", ")) {
      const [, times = "1", id = "s1", deed = ""] = /^(?:(\d+)x )?(?:(\w+)\/)?(.*)$/s.exec(part) ?? []
      const session = sessions.get(id) ?? (yield* play(id, rest))
      sessions.set(id, session)
      for (let time = 0; time < Number(times); time++)
        for (const one of deed.split("+")) yield* acts(one, { id, session, restart })
    }
    const got: Record<string, string> = {}
    for (const id of sessions.keys()) {
      const lines = yield* log(id)
      got[id] = [(yield* nudges(id)).join(" "), (yield* notices(id)).join(" "), lines.join("\n")].join(" | ")
    }
    return got
  }).pipe(Effect.orDie, Effect.scoped, Effect.provide(services(setting)))
