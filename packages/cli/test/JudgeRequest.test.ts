import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import type { Given } from "../src/judge/model.ts"
import * as JudgeRequest from "../src/judge/request.ts"

const nothing: Given = {
  files: ["a"],
  host: null,
  turn: null,
  cwd: null,
  task: null,
  profile: null,
  attended: null,
  format: null,
  now: null,
  model: null,
  checks: null,
  "done-when": null,
  "cross-review": null
}

const make = (over: Partial<Given>) => JudgeRequest.make({ ...nothing, ...over })

const problem = (over: Partial<Given>): string => Either.getOrThrow(Either.flip(make(over))).problem

describe("JudgeRequest", () => {
  it("has defaults", () => {
    assert.deepStrictEqual(Either.getOrThrow(make({})), {
      files: ["a"],
      host: null,
      turn: "last",
      cwd: null,
      task: null,
      profile: null,
      attended: null,
      format: "text",
      now: null,
      model: "off",
      checks: false,
      crossReview: false,
      doneWhen: null
    })
  })

  it("knows which of the options without a value were given", () => {
    const { crossReview, checks } = Either.getOrThrow(make({ checks: "" }))
    assert.deepStrictEqual([checks, crossReview], [true, false])
    assert.isTrue(Either.getOrThrow(make({ "cross-review": "" })).crossReview)
  })

  it("takes --host auto for the default", () => {
    assert.isNull(Either.getOrThrow(make({ host: "auto" })).host)
    assert.strictEqual(Either.getOrThrow(make({ host: "transcript" })).host, "transcript")
  })

  it.each([
    ["last", "last"],
    ["all", "all"],
    ["0", 0],
    ["17", 17]
  ] as const)("--turn %s", (turn, expected) => {
    assert.strictEqual(Either.getOrThrow(make({ turn })).turn, expected)
  })

  it.each(["", "-1", "1.5", "first", "0x1", "1e3", "9999999999", " 1"])("refuses --turn %j", (turn) => {
    assert.include(problem({ turn }), `--turn: "${turn}"`)
  })

  it.each([
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.123Z"],
    ["2026-01-31T12:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T12:00:00+0230", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T12:00:00-05", "2026-01-31T17:00:00.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"]
  ])("--now %s", (now, expected) => {
    assert.strictEqual(Either.getOrThrow(make({ now })).now, expected)
  })

  it.each([
    "",
    "now",
    "2026-02-30T00:00:00Z",
    "2026-13-01",
    "2026-01-31T25:00:00Z",
    "2026-01-31T12:00:00",
    "1769860800",
    "31.1.2026"
  ])("refuses --now %j", (now) => {
    assert.include(problem({ now }), `--now: "${now}"`)
  })

  it.each(["off", "auto", "openai/gpt-5", "openrouter/openai/gpt-5"])("--model %s", (model) => {
    assert.strictEqual(Either.getOrThrow(make({ model })).model, model)
  })

  it.each(["", "gpt-5", "/gpt-5", "openai/", "open ai/gpt-5", "on"])("refuses --model %j", (model) => {
    assert.include(problem({ model }), `--model: "${model}"`)
  })

  it("refuses standard input twice, a nameless file and an empty text", () => {
    assert.include(problem({ files: ["-", "-"] }), "once")
    assert.include(problem({ files: [""] }), "not a file")
    assert.include(problem({ task: " " }), "--task")
    assert.include(problem({ cwd: "" }), "--cwd")
  })
})
