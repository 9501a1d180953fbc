import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, run, transcript, user } from "../support/events.ts"
import { utmost } from "../support/utmost.ts"

const repo: RepoSignals.RepoSignals = {
  ...RepoSignals.empty,
  scripts: {
    ...RepoSignals.empty.scripts,
    npm: { test: "vitest run test/", "test:unit": "vitest run test/unit", build: "tsc -p .", lint: "eslint src" }
  },
  testCommand: "npm test",
  buildCommand: "npm run build",
  covers: [".ts"]
}

const checks = ["tests", "build", "typecheck", "lint"]

const outputs = {
  green: "Tests:  12 passed, 12 total",
  red: " FAIL  test/cart.test.ts > rounds\nTests:  1 failed, 11 passed, 12 total",
  silent: ""
} as const

const orders = [
  "Fix the rounding in src/cart.ts.",
  "Fix the rounding in src/cart.ts and make sure the tests pass.",
  "Fix the rounding in src/cart.ts, make sure that it works, and run the linter.",
  "Add tests for the cart and run npm run build.",
  "ok?",
  "Go on."
]

const commands = [
  "npm test",
  "npm run test:unit",
  "npx vitest run test/cart.test.ts",
  "npm test 2>&1 | tail -5",
  "npm test || true",
  "npm run build",
  "npm run lint",
  "./check-all",
  "sed -i s/a/b/ src/cart.ts && npm test",
  "npm test; sed -i s/a/b/ src/cart.ts",
  "sed -i s/a/b/ src/cart.ts; npm test; echo x > deploy.sh",
  "cd /elsewhere && npm test",
  "git stash && npm test && git stash pop",
  "node src/cart.ts",
  "ls src",
  "git commit -am 'All tests pass'",
  "git push"
]

/** What an agent says of the tests alone, or of the build alone. */
const claims: Readonly<Record<string, string>> = {
  "I fixed the rounding. All tests pass.": "tests",
  "I fixed the rounding. All 42 tests pass.": "tests",
  "Done. The full test suite passes.": "tests",
  "Done. `npm test` passes.": "tests",
  "Done. `npm run test:unit` passes.": "tests",
  "I wrote the tests and did not run the tests.": "tests",
  "Done, and the build succeeds.": "build",
  "I fixed the rounding.": "none",
  "One test still fails.": "none"
}

const shellRun: fc.Arbitrary<ReadonlyArray<TranscriptEvent>> = fc
  .tuple(
    fc.constantFrom(...commands),
    fc.constantFrom(...Object.values(outputs)),
    fc.constantFrom<number | null>(0, 0, 1, null)
  )
  .map(([command, output, exit]) => [run(command, exit, output)])

const piece: fc.Arbitrary<ReadonlyArray<TranscriptEvent>> = fc.oneof(
  { weight: 4, arbitrary: shellRun },
  {
    weight: 3,
    arbitrary: fc.constantFrom("src/cart.ts", "test/cart.test.ts", "README.md", "deploy.sh").map((path) => [edit(path)])
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...Object.values(outputs))
      .map((output) => [
        user("<bash-input>npm test</bash-input>", { synthetic: true }),
        user(`<bash-stdout>${output}</bash-stdout><bash-stderr></bash-stderr>`, { synthetic: true, id: "shell" })
      ])
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...Object.values(outputs)).map((output) => [agent("Please run it."), user(output)])
  },
  { weight: 1, arbitrary: fc.constant([call("Task", { prompt: "Fix the rest" }, { output: "Done." })]) },
  { weight: 1, arbitrary: fc.constantFrom(...orders).map((text) => [agent("Done."), user(text)]) }
)

const session = fc.record({
  order: fc.constantFrom(...orders),
  work: fc.array(piece, { maxLength: 7 }),
  said: fc.constantFrom(...Object.keys(claims)),
  attended: fc.boolean(),
  strict: fc.boolean(),
  isPushed: fc.boolean()
})

const passedIn = ({ gates }: Verdict): ReadonlySet<string> =>
  new Set(gates.filter(({ result }) => result === "passed").map(({ gate }) => gate))

/** The checks of which a finding says that they did not pass, or not for what is there now. */
const deniedBy = ({ message, rule }: Verdict["findings"][number], said: string): ReadonlyArray<string> => {
  if (rule === "work/nothing-run") return checks
  if (rule === "work/tests-not-run") return ["tests"]
  if (/^claims\/(?:contradicted|unfounded)$/.test(rule))
    return [message.includes("All tests pass") ? "tests" : (claims[said] ?? "none")]
  return rule.startsWith("gates/") ? [/^([a-z]+):/.exec(message)?.[1] ?? "none"] : []
}

describe("what a verdict calls passed", () => {
  it("is denied by none of its findings, nor by its reason or advice", () => {
    fc.assert(
      fc.property(session, ({ attended, isPushed, order, said, strict, work }) => {
        const verdict = Judgment.judge(
          transcript([user(order), ...work.flat(), agent(said)], { cwd: "/repo", attended }),
          {
            context: {
              repo,
              config: {
                ...ReflexionConfig.defaults,
                profile: strict ? "strict" : "balanced",
                rules: isPushed ? utmost.rules : {}
              }
            }
          }
        )
        const passed = passedIn(verdict)
        const denied = verdict.findings.filter((finding) => deniedBy(finding, said).some((gate) => passed.has(gate)))
        assert.deepStrictEqual(denied, [])
        if (passed.has("tests")) {
          const words = [verdict.reason, ...verdict.nextActions].join("\n")
          assert.notMatch(words, /nothing was run|tests: (?:asked|required|ran|failed)/)
          assert.isFalse(verdict.contradictions.some(({ fact }) => fact.includes("no run of tests")))
        }
      }),
      { numRuns: 100 }
    )
  })
})
