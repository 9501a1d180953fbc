/** The screens and records of `reflexion judge --show`, word for word, and what the views stand on. */
import { assert, describe, it } from "@effect/vitest"
import { CompactionAssessment } from "@reflexion/core/Compaction"
import { LoopPattern } from "@reflexion/core/internal/session/facts/Loop"
import { Score } from "@reflexion/core/Score"
import { Assessment } from "@reflexion/core/StuckAssessment"
import { Effect, FastCheck as fc, Schema, TestClock } from "effect"
import { clean, width } from "../src/terminal/Layout.ts"
import { plain, type TerminalStyle } from "../src/terminal/TerminalStyle.ts"
import { formOf } from "../src/judge/views.ts"
import { view as stuckView } from "../src/judge/stuck.ts"
import { view as verdictView } from "../src/judge/verdict.ts"
import { golden } from "./golden.ts"
import { bare, folder, runCli } from "./runCli.ts"
import { claudeCode, failing, neutral, passing, text } from "./sessions.ts"
import * as Silences from "./silences.ts"
import { done, failing as failed } from "./verdicts.ts"

const files = {
  "turns.jsonl": text(claudeCode([passing, failing])),
  "stuck.json": Silences.stuck,
  "looping.json": Silences.looping,
  "alternating.json": Silences.alternating,
  "working.json": Silences.working,
  "waiting.json": Silences.waiting,
  "complete.json": Silences.complete,
  "compacted.json": Silences.session([
    Silences.user("Add a --json flag to the export command in src/export.ts."),
    Silences.bash("cat src/export.ts", { output: "export const run = () => {}" }),
    { type: "notice", kind: "compacted", detail: "auto" }
  ])
}

/** Of the stuck ones a minute after the last event. */
const show = (root: string, view: string, words: string, env: Readonly<Record<string, string>> = {}) => {
  const now = view === "stuck" && !words.includes("--now") ? ["--now", Silences.after(60)] : []
  return runCli(["judge", "--show", view, ...words.split(" "), ...now], { cwd: root, env })
}

describe("a view of a session", () => {
  it.scoped.each([
    ["verdict", "turns.jsonl --turn all"],
    ["verdict", "complete.json turns.jsonl"],
    ["stuck", "alternating.json"],
    ["stuck", "stuck.json looping.json working.json missing.json"],
    ["compaction", "compacted.json complete.json missing.json"],
    ["score", "complete.json waiting.json missing.json"]
  ] as const)("%s of %s reads so", ([view, words]) =>
    Effect.gen(function* () {
      const { out } = yield* show(yield* folder(files), view, words)
      yield* golden(`${view}-${words.split(/[ .]/u, 1)[0]}`, out)
    })
  )

  it.scoped("has the fields of its contract in JSON, and no other", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      for (const [view, schema] of [
        ["stuck", Assessment],
        ["compaction", CompactionAssessment],
        ["score", Score]
      ] as const) {
        const printed = Schema.Struct({ file: Schema.String, ...schema.fields })
        const { out } = yield* show(root, view, "alternating.json --format json")
        Schema.decodeUnknownSync(Schema.parseJson(printed), { onExcessProperty: "error" })(out)
        assert.deepStrictEqual(Object.keys(JSON.parse(out)).slice(0, 4), ["version", "file", "host", "sessionId"])
      }
    })
  )

  it.scoped("takes the task that was given where the record has no prompt", () =>
    Effect.gen(function* () {
      const root = yield* folder({
        "stuck.json": Silences.promptless(Silences.stuck),
        "score.json": Silences.promptless(Silences.complete),
        "compaction.json": Silences.promptless(files["compacted.json"])
      })
      const given = (view: string) => {
        const now = view === "stuck" ? ["--now", Silences.after(60)] : []
        const words = ["judge", "--show", view, `${view}.json`, "--format", "json", ...now]
        const task = ["--task", "Fix src/cart.ts and run npm test."]
        return Effect.map(runCli([...words, ...task], { cwd: root }), ({ out }) => JSON.parse(out))
      }
      assert.deepInclude(yield* given("stuck"), { reason: "genuinely_stuck", shouldNudge: true })
      assert.deepInclude(yield* given("score"), { score: 5 })
      assert.include((yield* given("compaction")).text, "Fix src/cart.ts")
      assert.isFalse(JSON.parse((yield* show(root, "stuck", "stuck.json --format json")).out).shouldNudge)
    })
  )
})

describe("--show stuck", () => {
  it.scoped.each([
    ["working.json", "working"],
    ["waiting.json", "waiting_for_user"],
    ["complete.json", "complete"],
    ["stuck.json", "genuinely_stuck"]
  ] as const)("of %s is %s", ([file, reason]) =>
    Effect.gen(function* () {
      const found = JSON.parse((yield* show(yield* folder(files), "stuck", `${file} --format json`)).out)
      const stuck = reason === "genuinely_stuck"
      assert.deepInclude(found, { file, reason, stuck, shouldNudge: stuck, silence: 60, source: "evidence" })
      assert.strictEqual(found.nudge !== null, stuck)
    })
  )

  it.scoped("ends the silence at --now or the present, and nudges nobody before it has lasted long enough", () =>
    Effect.gen(function* () {
      const root = yield* folder({ ...files, "reflexion/config.json": '{"stuck": {"silence": 90}}' })
      const at = (words: string, env = {}) =>
        Effect.map(show(root, "stuck", `stuck.json --format json ${words}`, env), ({ out }) => JSON.parse(out))
      assert.deepInclude(yield* at(`--now ${Silences.after(5)}`), { silence: 5, shouldNudge: false })
      assert.deepInclude(yield* at(`--now ${Silences.after(45)}`), { silence: 45, shouldNudge: true })
      assert.deepInclude(yield* at(`--now ${Silences.after(45)}`, { XDG_CONFIG_HOME: root }), { shouldNudge: false })
      assert.deepInclude(yield* at(`--now ${Silences.after(60)} --profile advisory`), { shouldNudge: false })
      yield* TestClock.setTime(new Date(Silences.after(90)))
      const { out } = yield* runCli(["judge", "--show", "stuck", "stuck.json", "--format", "json"], { cwd: root })
      assert.deepInclude(JSON.parse(out), { silence: 90 })
    })
  )

  it.scoped("knows no silence in a record without times", () =>
    Effect.gen(function* () {
      const root = yield* folder({ "s.json": Silences.stuck.replace(/"at":"[^"]{1,40}",/gu, "") })
      const found = JSON.parse((yield* show(root, "stuck", "s.json --format json")).out)
      assert.deepInclude(found, { silence: null, shouldNudge: false })
      assert.include((yield* show(root, "stuck", "s.json")).out, "its record has no times")
    })
  )
})

it.scoped("--show score calls nothing proved where something cannot be told", () =>
  Effect.gen(function* () {
    const answered = { ask: "What does src/cart.ts do?", runs: [], answer: "It adds up the prices of the cart." }
    const root = yield* folder({ "answered.json": neutral([answered]) })
    const { out } = yield* show(root, "score", "answered.json")
    assert.include(out, "5 of 5")
    assert.include(out, "not all of it can be told")
  })
)

const calls = [
  { tool: "mcp__browser__take_a_screenshot_of_everything", summary: "x".repeat(120) },
  { tool: "购物车", summary: "grep -rn 购物车 src/组件 ".repeat(5) }
]

const assessment = (text: string): Assessment => ({
  version: 1,
  host: text,
  sessionId: text,
  stuck: true,
  reason: "genuinely_stuck",
  shouldNudge: true,
  confidence: 0.85,
  evidence: [text],
  loops: LoopPattern.literals.map((pattern) => ({ pattern, period: 2, count: 12, calls, callIds: [text] })),
  nudge: text,
  silence: 200,
  source: "evidence"
})

/** Both views with much to draw, of a session that says this everywhere. */
const drawn = (style: TerminalStyle, text: string): string => {
  const folded = { lastAt: text, turns: 2, last: 1 }
  const verdict = {
    ...failed,
    sessionId: text,
    reason: text,
    feedback: text,
    missing: [text],
    nextActions: [text],
    task: { type: "coding", summary: text, requirements: [text] },
    gates: failed.gates.map((gate) => ({
      ...gate,
      gate: text.slice(0, 60),
      detail: text,
      evidence: gate.evidence.map((run) => ({ ...run, command: text }))
    })),
    contradictions: [{ claim: text, fact: text, callId: text }],
    turn: { ...failed.turn, stoppedAt: text, userMessageAt: text }
  } as const
  const stuck = { assessment: assessment(text), decided: true, lastAt: text }
  return [
    formOf(verdictView, true).draw(style, { file: text, value: { ...folded, shown: [done, verdict] } }),
    formOf(stuckView, false).draw(style, { file: text, value: { ...folded, shown: [stuck] } })
  ].join("\n")
}

describe("a screen", () => {
  it.each([40, 60, 80, 120])("fits %i columns", (columns) => {
    for (const line of drawn({ ...plain, width: columns }, "word ".repeat(60)).split("\n"))
      assert.isAtMost(width(line), columns, line)
  })

  it("is ASCII where the terminal needs it, and says the same in colour", () => {
    assert.match(drawn({ ...plain, unicode: false }, "word").replaceAll(/[^ -~\n]{2,}/gu, ""), /^[ -~\n购物车组件]*$/u)
    const coloured = drawn({ ...plain, color: true }, "word")
    assert.include(coloured, "\u001b[31;1;7m NOT COMPLETE \u001b[0m")
    assert.strictEqual(bare(clean(coloured)), bare(drawn(plain, "word")))
  })

  it("lets no text of a session reach the terminal as a command", () => {
    const signs = fc.constantFrom("\u001b", "[", "2", "J", "]", "0", ";", "\u0007", "\r", "\n", "a", "\u009b", "\u202e")
    fc.assert(
      fc.property(fc.stringOf(signs), (text) =>
        assert.notMatch(drawn(plain, text).replaceAll("\n", ""), /[\p{Cc}\u202e]/u)
      )
    )
  })
})
