import { assert, describe, it } from "@effect/vitest"
import * as AskLines from "@reflexion/core/internal/model/calls/AskLines"
import type { AskLine } from "@reflexion/core/internal/model/calls/AskLog"
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

const state = ".local/state/reflexion"

const noon = Effect.zipRight(TestClock.setTime(now), loggedIn)

const put = (home: Home, { questions }: { readonly questions: ReadonlyArray<AskLine> }) => {
  for (const day of new Set(questions.map(({ at }) => at.slice(0, 10)))) {
    const lines = questions.filter(({ at }) => at.startsWith(day)).map(AskLines.print)
    home.put(`${state}/models/${AskLines.fileOf(day)}`, lines.join("\n"))
  }
  home.put(`${state}/log.jsonl`, "")
}

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
