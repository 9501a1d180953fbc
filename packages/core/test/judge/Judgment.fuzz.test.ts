/** Laws of every verdict, over any session. The state is bounded, and reading a long text is fast. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { Verdict } from "../../src/judge/verdict/Verdict.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import type { Transcript, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { anyEvents, anySession, anyTranscript, realistic, units } from "../support/anyEvents.ts"
import { agent, call, run, todos, transcript, user } from "../support/events.ts"
import { session } from "../support/sessions.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { utmost } from "../support/utmost.ts"
import { list } from "../support/rows.ts"

const config = fc
  .constantFrom("balanced" as const, "strict" as const, "advisory" as const)
  .map((profile) => ReflexionConfig.merge(ReflexionConfig.defaults, { profile }))

const endsInPlanMode = (self: Transcript): boolean => {
  const changes = self.events.flatMap((one) => (one.type === "mode_change" ? [one.mode] : []))
  return (changes.at(-1) ?? self.mode) === "plan"
}

const checkInvariants = (verdict: Verdict): void => {
  assert.strictEqual(verdict.complete, verdict.status === "complete")
  if (verdict.shouldContinue) assert.include(["incomplete", "stuck"], verdict.status)
  assert.strictEqual(verdict.feedback !== null, verdict.shouldContinue)
  if (verdict.feedback !== null) assert.isTrue(verdict.feedback.trim() !== "" && verdict.feedback.length <= 2000)
  if (verdict.requiresHumanAction) assert.include(["needs_human", "incomplete"], verdict.status)
  assert.isTrue(verdict.confidence >= 0 && verdict.confidence <= 1)
  assert.isAtMost(Math.max(verdict.missing.length, verdict.nextActions.length), 50)
  assert.isAtMost(JSON.stringify(verdict).length, 100_000)
  assert.isNotEmpty(verdict.reason)
  for (const gate of verdict.gates) if (gate.result === "not_required") assert.isFalse(gate.required)
}

const throughJson = <A, I>(schema: Schema.Schema<A, I>, value: A): A =>
  Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value))))

describe("a verdict on any session", () => {
  it("keeps its invariants, with no nudge in plan mode, a subagent or the advisory profile", () => {
    fc.assert(
      fc.property(anyTranscript, config, (self, settings) => {
        const verdicts = Judgment.judgeTurns(self, { context: { config: settings } })
        assert.isNotEmpty(verdicts)
        for (const verdict of verdicts) {
          checkInvariants(verdict)
          if (settings.profile === "advisory" || self.parentSessionId !== null) assert.isFalse(verdict.shouldContinue)
        }
        if (endsInPlanMode(self)) assert.isFalse(verdicts.at(-1)?.shouldContinue)
      })
    )
  })

  it("is the same after JSON encoding, and from `judge` as from `judgeTurns`", () => {
    fc.assert(
      fc.property(anyTranscript, (self) => {
        const verdict = Judgment.judge(self)
        assert.deepStrictEqual(throughJson(Verdict, verdict), verdict)
        assert.deepStrictEqual(Judgment.judgeTurns(self).at(-1), verdict)
      })
    )
  })

  it("is the same if the state was saved and restored at any event", () => {
    fc.assert(
      fc.property(anySession, anyEvents, fc.nat({ max: 20 }), (info, all, cut) => {
        const context = Judgment.defaultContext
        const options = { session: info, context, now: null }
        const fold = (events: ReadonlyArray<TranscriptEvent>, from: Judgment.JudgmentState): Judgment.JudgmentState =>
          events.reduce((state, one) => Judgment.step(state, one, context), from)
        const half = throughJson(Judgment.JudgmentState, fold(all.slice(0, cut), Judgment.initial))
        const whole = fold(all, Judgment.initial)
        assert.deepStrictEqual(Judgment.verdict(fold(all.slice(cut), half), options), Judgment.verdict(whole, options))
      })
    )
  })

  it("never nudges for an unknown result alone", () => {
    const runs = fc.constantFrom(
      ...list`npm test ¦ pytest -q ¦ go test ./... ¦ cargo test ¦ mvn test ¦ bundle exec rspec`
    )
    const answers = fc.constantFrom("The total is rounded once now.", "Rounding is fixed.")
    fc.assert(
      fc.property(runs, answers, fc.boolean(), (command, answer, masked) => {
        const made = masked ? `$ ${command} > log.txt 2>&1; echo finished => finished\\n` : `$? ${command}`
        const line = `> Fix the rounding and run the tests with ${command}. / edit src/total.ts / ${made} / ${answer}`
        const verdict = Judgment.judge(transcript(session(line)))
        assert.strictEqual(verdict.gates.find((gate) => gate.gate === "tests")?.result, "unknown")
        assert.deepStrictEqual([verdict.status, verdict.shouldContinue], ["abstained", false])
      })
    )
  })
})

const sizeAfter = (events: ReadonlyArray<TranscriptEvent>): number => {
  const state = events.reduce((all, one) => Judgment.step(all, one, Judgment.defaultContext), Judgment.initial)
  assert.deepStrictEqual(throughJson(Judgment.JudgmentState, state), state)
  return JSON.stringify(state).length
}

const of = (turns: number) =>
  Array.from({ length: turns }, (_, turn) =>
    realistic.map((one) => (one.type === "tool_call" ? { ...one, id: `${turn}-${one.id}` } : one))
  ).flat()

const long = (unit: string): string => unit.repeat(Math.ceil(8000 / unit.length))

describe("the state", () => {
  it("has a bounded size for a session of any length", () =>
    assert.isAtMost(sizeAfter(of(50)), sizeAfter(of(25)) * 1.2 + 1000))

  it("has a bounded size if failing calls have long output and todos are long", () => {
    const failed = Array.from({ length: 40 }, (_, at) => `FAILED tests/test_a.py::test_${at}_${"name_".repeat(30)} - x`)
    const events = Array.from({ length: 150 }, (_, index) =>
      index % 2 === 0
        ? run(`pytest ${"tests/ ".repeat(100)}`, 1, failed.join("\n"))
        : todos(...Array.from({ length: 40 }, () => [long("todo "), "pending"] as const))
    )
    assert.isBelow(sizeAfter([user(long("Fix it. ")), ...events]), 72 * 1024)
  })
})

const fields: Readonly<Record<string, (value: string) => ReadonlyArray<TranscriptEvent>>> = {
  prompt: (value) => [user(value)],
  "final text": (value) => [user("Fix it and run the tests."), agent(value)],
  command: (value) => [user("Fix it."), run(value, 0)],
  output: (value) => [user("Fix it and run the tests."), run("npm test | cat", 0, value), agent("All tests pass.")],
  patch: (value) => [user("Fix it."), call("apply_patch", { input: value })],
  path: (value) => [user("Fix it."), call("edit", { file_path: value, old_string: value, new_string: "" })],
  todo: (value) => [user("Fix it."), todos([value, "pending"])]
}

const much = process.env["REFLEXION_TESTS"] === "night" ? 200_000 : 8000

// A quadratic scan would reach the test's time limit.
it.each(Object.keys(fields))("a long text is read in linear time: %s", (field) => {
  for (const unit of units) {
    const events = fields[field]?.(unit.repeat(Math.ceil(much / unit.length))) ?? []
    const verdict = Judgment.judge(transcript(field === "final text" ? events : [...events, agent("Done.")]))
    checkInvariants(verdict)
    assert.isBelow(verdict.reason.length, 2000)
  }
})

const npm = { test: "vitest run test/", "test:unit": "vitest run test/unit", build: "tsc -p .", lint: "eslint src" }

const repo: RepoSignals.RepoSignals = {
  ...RepoSignals.empty,
  scripts: { ...RepoSignals.empty.scripts, npm },
  testCommand: "npm test",
  buildCommand: "npm run build",
  covers: [".ts"]
}

const orders = list`
    Fix the rounding in src/cart.ts. ¦ Fix the rounding in src/cart.ts and make sure the tests pass.
    Fix the rounding in src/cart.ts, make sure that it works, and run the linter. ¦ Add tests for the cart and run npm run build. ¦ Go on.
  `

const outputs = ["Tests:  12 passed, 12 total", "FAIL  test/cart.test.ts > rounds\\nTests:  1 failed, 11 passed", ""]

const commands = list`
  npm test ¦ npm run test:unit ¦ npx vitest run test/cart.test.ts ¦ npm test 2>&1 | tail -5 ¦ npm test || true ¦ npm run build
  npm run lint ¦ ./check-all ¦ sed -i s/a/b/ src/cart.ts && npm test ¦ cd /elsewhere && npm test ¦ npm test; sed -i s/a/b/ src/cart.ts
  sed -i s/a/b/ src/cart.ts; npm test; echo x > deploy.sh ¦ git stash && npm test && git stash pop ¦ node src/cart.ts ¦ ls src
  git commit -am 'All tests pass' ¦ git push
`

/** What an agent says, and the check that it speaks of. */
const claims: Readonly<Record<string, string>> = {
  "I fixed the rounding. All tests pass.": "tests",
  "I fixed the rounding. All 42 tests pass.": "tests",
  "Done. The full test suite passes.": "tests",
  "Done. `npm run test:unit` passes.": "tests",
  "I wrote the tests and did not run the tests.": "tests",
  "Done, and the build succeeds.": "build",
  "I fixed the rounding.": "none",
  "One test still fails.": "none"
}

const output = fc.constantFrom(...outputs)

const exits = fc.constantFrom("", "", "1", "?")
const ran = fc
  .tuple(fc.constantFrom(...commands), output, exits)
  .map(([one, said, exit]) => `$${exit} ${one} => ${said}`)
const edited = fc
  .constantFrom("src/cart.ts", "test/cart.test.ts", "README.md", "deploy.sh")
  .map((path) => `edit ${path}`)

const piece = fc.oneof(
  { weight: 4, arbitrary: ran },
  { weight: 3, arbitrary: edited },
  output.map(
    (said) => `>> <bash-input>npm test</bash-input> / >> <bash-stdout>${said}</bash-stdout><bash-stderr></bash-stderr>`
  ),
  output.map((said) => `Please run it. / > ${said}`),
  fc.constant('call Task {"prompt":"Fix the rest"} => Done.'),
  fc.constantFrom(...orders).map((text) => `Done. / > ${text}`)
)

/** The check that did not pass according to a finding, or did not pass on the current files. */
const deniedBy = ({ message, rule }: Verdict["findings"][number], said: string): string => {
  if (rule === "work/nothing-run") return "tests"
  if (/^claims\/(?:contradicted|unfounded)$/.test(rule))
    return message.includes("All tests pass") ? "tests" : (claims[said] ?? "none")
  return rule.startsWith("gates/") ? (/^([a-z]+):/.exec(message)?.[1] ?? "none") : "none"
}

it("no finding, reason or advice contradicts a check that the verdict calls passed", () => {
  const sessions = fc.record({
    order: fc.constantFrom(...orders),
    work: fc.array(piece, { maxLength: 7 }),
    said: fc.constantFrom(...Object.keys(claims)),
    attended: fc.boolean(),
    profile: fc.constantFrom("strict" as const, "balanced" as const),
    rules: fc.constantFrom(utmost.rules, {})
  })
  fc.assert(
    fc.property(sessions, ({ attended, order, profile, rules, said, work }) => {
      const events = session([`> ${order}`, ...work, said.replaceAll("`", "\\`")].join(" / "))
      const config = { ...ReflexionConfig.defaults, profile, rules }
      const verdict = Judgment.judge(transcript(events, { attended }), { context: { repo, config } })
      const passed = new Set(verdict.gates.filter(({ result }) => result === "passed").map(({ gate }) => gate))
      const found = verdict.findings.filter((finding) => passed.has(deniedBy(finding, said)))
      assert.deepStrictEqual(found, [])
      if (passed.has("tests")) {
        const words = [verdict.reason, ...verdict.nextActions].join("\n")
        assert.notMatch(words, /nothing was run|tests: (?:asked|required|ran|failed)/)
        assert.isFalse(verdict.contradictions.some(({ fact }) => fact.includes("no run of tests")))
      }
    }),
    { numRuns: 100 }
  )
})
