import { assert, describe, it } from "@effect/vitest"
import * as AskLines from "@reflexion/core/internal/model/calls/AskLines"
import type { AskLine } from "@reflexion/core/internal/model/calls/AskLog"
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import { Effect, TestClock } from "effect"
import { type Home, loggedIn } from "./hooksHome.ts"

const bare = (text: string): string => text.replace(/\s+/gu, " ")

const now = Date.parse("2026-11-27T12:00:00Z")

const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString()

const question: AskLine = {
  at: ago(10),
  host: "claude-code",
  session: "5e55105e-0000-4000-8000-000000000001",
  model: "claude-code/small",
  ms: 3200,
  end: "answered",
  inputTokens: 4000,
  outputTokens: 300,
  attended: true
}

const decision: Decision.Decision = {
  at: ago(6),
  host: "claude-code",
  sessionId: question.session,
  directory: "/home/user/shop",
  event: "Stop",
  decision: "none",
  reason: "done",
  status: "complete",
  severity: null,
  attempt: null,
  maxAttempts: null,
  durationMs: 40
}

const state = ".local/state/reflexion"

const noon = Effect.zipRight(TestClock.setTime(now), loggedIn)

const put = (
  home: Home,
  { decisions = [], questions }: { decisions?: ReadonlyArray<Decision.Decision>; questions: ReadonlyArray<AskLine> }
) => {
  for (const day of new Set(questions.map(({ at }) => at.slice(0, 10)))) {
    const lines = questions.filter(({ at }) => at.startsWith(day)).map(AskLines.print)
    home.put(`${state}/models/${AskLines.fileOf(day)}`, lines.join("\n"))
  }
  home.put(`${state}/log.jsonl`, decisions.map((one) => `${Decision.encode(one)}\n`).join(""))
}

describe("reflexion log, where a model was asked", () => {
  it.scoped("says at each stop what was asked for it, and sums the day up", () =>
    Effect.gen(function* () {
      const home = yield* noon
      const earlier = { ...decision, at: ago(300), reason: "by evidence alone" }
      const stopped = { ...decision, at: ago(8), decision: "stop", reason: "by the user's command" } as const
      const other = { ...decision, sessionId: "another", at: ago(5), reason: "of another session" }
      const late = { ...question, at: ago(100), end: "late", ms: 20_000, inputTokens: 0, outputTokens: 0 } as const
      const abstained = { ...decision, at: ago(79), decision: "abstain", reason: "nobody knows" } as const
      put(home, { decisions: [earlier, abstained, stopped, decision, other], questions: [late, question] })
      const { code, err, out } = yield* home.run("log")
      assert.strictEqual(`${code} ${err}`, "0 ")
      assert.match(out, /by evidence alone\n/)
      assert.include(out, "nobody knows [asked claude-code/small: no answer in time, 20.0 s]")
      assert.match(out, /by the user's command\n/)
      assert.include(out, "done [asked claude-code/small: 3.2 s, 4,300 tokens]")
      assert.match(out, /of another session\n/)
      assert.include(bare(out), "Models today: 2 questions, 1 answered, median wait 11.6 s, 4,300 tokens.")
      const json = JSON.parse((yield* home.run("log --format json")).out)
      assert.deepStrictEqual(
        json.map(({ asked }: { asked?: ReadonlyArray<AskLine> }) => asked?.map(({ end }) => end) ?? null),
        [null, ["late"], null, ["answered"], null]
      )
    })
  )

  it.scoped("gives a question that no decision followed to none, and says nothing of days before", () =>
    Effect.gen(function* () {
      const home = yield* noon
      const before = { ...decision, at: ago(60), reason: "before it" }
      const hours = { ...decision, at: ago(-7200), reason: "hours after" }
      const old = { ...question, at: ago(30 * 3600) }
      put(home, { decisions: [before, hours], questions: [old, question] })
      const { out } = yield* home.run("log")
      assert.notInclude(out, "[asked")
      assert.include(bare(out), "Models today: 1 question, 1 answered")
      put(home, { decisions: [decision], questions: [old] })
      home.put(`${state}/models/${AskLines.fileOf(question.at.slice(0, 10))}`, "")
      assert.notInclude((yield* home.run("log")).out, "Models today")
    })
  )

  it.scoped("shows the log where the questions cannot be read, and says so", () =>
    Effect.gen(function* () {
      const home = yield* noon
      put(home, { decisions: [decision], questions: [] })
      home.put(`${state}/models/${AskLines.fileOf(question.at.slice(0, 10))}/x`, "")
      const { code, err, out } = yield* home.run("log")
      assert.strictEqual(code, 0)
      assert.include(out, "done")
      assert.include(err, "the questions to models cannot be counted there")
    })
  )
})

const doctor = (home: Home, host = "claude-code", env: Readonly<Record<string, string>> = {}) =>
  home.run(`doctor ${host}`, { env })

describe("reflexion doctor, on the model that is asked", () => {
  it.scoped("says by whose word it is asked, what was asked today, and how it was answered", () =>
    Effect.gen(function* () {
      const home = yield* noon
      yield* home.run("install claude-code", { answers: ["y"] })
      const alone = { ...question, attended: false }
      const codex = { ...question, host: "codex", session: "c" }
      put(home, { questions: [{ ...question, at: ago(200_000) }, question, alone, codex] })
      const { out } = yield* doctor(home)
      assert.match(bare(out), /model claude-code\/small \(Claude Haiku, by `claude -p`\), by your yes of 2026-11-27/)
      assert.include(
        bare(out),
        "asked today 2 questions, 2 answered, median wait 3.2 s, 8,600 tokens; 2 of 20 a day with you there, all hosts together"
      )
      assert.notInclude(out, "no answer")
    })
  )

  it.scoped("says why none is asked", () =>
    Effect.gen(function* () {
      const home = yield* noon
      yield* home.run("install claude-code")
      const off = yield* doctor(home)
      assert.include(
        bare(off.out),
        "model off: you were not asked; `reflexion models on claude-code` says what it takes"
      )
      assert.notInclude(off.out, "asked today")
      yield* home.run("models off claude-code")
      assert.match(bare((yield* doctor(home)).out), /model off, by your no of [\d-]+/)
      home.put(".config/reflexion/config.json", '{ "model": "openai/gpt-5" }')
      assert.include(
        bare((yield* doctor(home)).out),
        "model openai/gpt-5, named by ~/.config/reflexion/config.json – asked today no question; 0 of 20"
      )
      const env = { REFLEXION_MODEL: "off" }
      assert.include(bare((yield* doctor(home, "claude-code", env)).out), "model off, by REFLEXION_MODEL")
    })
  )

  it.scoped("tells of OpenCode that its own is off until the user says yes", () =>
    Effect.gen(function* () {
      const home = yield* noon
      yield* home.run("install opencode")
      const { out } = yield* doctor(home, "opencode")
      assert.include(bare(out), "model off: you were not asked; `reflexion models on opencode`")
      yield* home.run("models on opencode")
      assert.match(
        bare((yield* doctor(home, "opencode")).out),
        /model opencode\/small \(the small model of the session's provider\), by your yes of [\d-]+/
      )
    })
  )

  it.scoped("needs you where the newest session's last three questions were not answered", () =>
    Effect.gen(function* () {
      const home = yield* noon
      yield* home.run("install claude-code", { answers: ["y"] })
      const failed = { ...question, end: "failed" } as const
      put(home, { questions: [question, failed, { ...question, end: "late" }, failed] })
      const { code, out } = yield* doctor(home)
      assert.strictEqual(code, 1)
      assert.include(
        bare(out),
        "the last three questions of the newest session were not answered (failed, late), so none is asked there any more: see what `claude -p hello --model haiku` says; `/reflection model on` there asks again, and so does the next session"
      )
      assert.strictEqual((yield* home.run("models on claude-code")).code, 0)
      assert.notInclude((yield* doctor(home)).out, "no answer")
      put(home, { questions: [failed, failed, failed, { ...question, session: "newer" }] })
      assert.notInclude((yield* doctor(home)).out, "no answer")
    })
  )
})
