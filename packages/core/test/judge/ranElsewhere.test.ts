import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, edit, run, transcript, user } from "../support/events.ts"

const summary = "Tests:  5 passed, 5 total"

const judged = (events: ReadonlyArray<TranscriptEvent>, cwd = "/home/ann/shop") =>
  Judgment.judge(
    transcript([user("Fix the rounding and run the tests."), ...events, agent("Fixed, and the tests pass.")], { cwd }),
    { context: { ...Judgment.defaultContext, cwd } }
  )

const tests = (events: ReadonlyArray<TranscriptEvent>, cwd?: string) => {
  const gate = judged(events, cwd).gates.find((each) => each.gate === "tests")
  assert(gate !== undefined && gate.required)
  return gate
}

const code = (path = "/home/ann/shop/src/a.ts"): TranscriptEvent => edit(path)

describe("a run in another project than the edits", () => {
  it.each([
    "cd /tmp/other && npm test",
    "(cd ../other; npm test)",
    "npm --prefix /tmp/other test",
    "make -C ../other test",
    "cd ~/other && pytest",
    "echo go && cd /srv/copy && go test ./...",
    "pnpm --dir=/tmp/other test",
    "bash -c 'cd /tmp/other && npm test'"
  ])("proves nothing here: %s", (command) => {
    const gate = tests([code(), run(command, 0, summary)])
    assert.strictEqual(gate.result, "unknown")
    assert.match(gate.detail, /^it was run in .*other|copy.*, which is not where the edits are$/)
    assert.isFalse(judged([code(), run(command, 0, summary)]).shouldContinue)
  })

  it("makes no failing run good, and fails nothing", () => {
    const failing = run("npm test", 1, "Tests:  1 failed, 4 passed, 5 total")
    assert.strictEqual(tests([code(), failing, run("cd /tmp/other && npm test", 0, summary)]).result, "failed")
    const elsewhere = run("cd /tmp/other && npm test", 1, "Tests:  1 failed, 4 passed, 5 total")
    assert.strictEqual(tests([code(), run("npm test", 0, summary), elsewhere]).result, "passed")
  })

  it.each([
    ["cd web && npm test", undefined],
    ["cd /home/ann/shop && npm test", undefined],
    ["cd /home/ann/shop/web && npm test", undefined],
    ["cd ../shop && npm test", undefined],
    ["cd ~/shop && npm test", undefined],
    ['cd "$ROOT" && npm test', undefined],
    ["npm test -w @shop/web", undefined],
    ["docker run --rm -v $PWD:/app -w /app node:22 npm test", undefined],
    ["docker exec web sh -c 'cd /app && npm test'", undefined],
    ["cd .. && npm test", "/home/ann/shop/web"],
    ["cd /home/ann/shop-fix && npm test", "/home/ann/shop-fix/src/a.ts"]
  ])("is not: %s", (command, edited) => {
    const cwd = edited === "/home/ann/shop/web" ? edited : undefined
    const path = edited === undefined || cwd !== undefined ? "/home/ann/shop/web/a.ts" : edited
    assert.strictEqual(tests([code(path), run(command, 0, summary)], cwd).result, "passed")
  })

  it("is none where nothing was edited", () => {
    assert.strictEqual(tests([run("cd /tmp/other && npm test", 0, summary)]).result, "passed")
  })
})
