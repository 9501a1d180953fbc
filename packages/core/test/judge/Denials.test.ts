/** If a verdict says that a check passed, its findings, its reason and its advice do not deny it. */
import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { transcript } from "../support/events.ts"
import { session } from "../support/sessions.ts"
import { utmost } from "../support/utmost.ts"
import { list } from "../support/rows.ts"

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

it("no finding, reason or advice denies what a verdict calls passed", () => {
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
      assert.deepStrictEqual(
        verdict.findings.filter((finding) => passed.has(deniedBy(finding, said))),
        []
      )
      if (passed.has("tests")) {
        const words = [verdict.reason, ...verdict.nextActions].join("\n")
        assert.notMatch(words, /nothing was run|tests: (?:asked|required|ran|failed)/)
        assert.isFalse(verdict.contradictions.some(({ fact }) => fact.includes("no run of tests")))
      }
    }),
    { numRuns: 100 }
  )
})
