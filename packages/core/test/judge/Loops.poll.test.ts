import { assert, describe, it } from "@effect/vitest"
import * as Loops from "../../src/judge/loops/Loops.ts"
import type { ToolCall, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { call, run } from "../support/events.ts"

const patterns = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  Loops.read(events.reduce(Loops.step, Loops.initial)).map(({ pattern }) => pattern)

const begin = Date.parse("2026-03-02T09:00:00.000Z")

const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString()

/** The call so many times, each so many seconds after the end of the one before. */
const every = (seconds: number, count: number, make: () => ToolCall, lasting = 2): ReadonlyArray<TranscriptEvent> =>
  Array.from({ length: count }, (_, index) => ({
    ...make(),
    at: at(index * (seconds + lasting)),
    endedAt: at(index * (seconds + lasting) + lasting)
  }))

/** Programs that no list has, and results that say nothing of what goes on. */
const unlisted: ReadonlyArray<readonly [what: string, look: () => ToolCall]> = [
  ["a queue of jobs", () => run("squeue --me", 0, "4711 gpu train me R 1 node7")],
  ["a build service", () => run("eas build:view 0b1", 0, "Status: new")],
  ["a notary", () => run("xcrun notarytool info 77 --wait-less", 0, "status: Accepted soon")],
  ["a cluster's accounts", () => run("sacct -j 12 --format=State", 0, "State\n----")],
  ["an operator", () => run("argocd app get shop", 0, "Health: Degraded")],
  ["a graphics card", () => run("nvidia-smi --query-gpu=utilization.gpu --format=csv", 0, "97 %")],
  ["a script of the project's", () => run("./ops/how_far.sh", 0, "stage b")],
  ["another machine", () => run("ssh box 'tail -1 run.out'", 0, "epoch b")],
  ["a store of keys", () => run("redis-cli llen jobs", 0, "(integer) 17")],
  ["a service by its address", () => run("curl -s https://ci.example.com/9", 7, "curl: (7) Failed to connect")],
  ["a tool of another host's", () => call("mcp__lab__sample", { id: 7 }, { output: "no news" })]
]

describe("looks with time between them", () => {
  it.each(unlisted)("are no loop: %s", (_, look) => {
    assert.deepStrictEqual(patterns(every(60, 19, look)), [])
    assert.deepStrictEqual(patterns(every(20, 19, look)), [])
  })

  it.each(unlisted)("are one in the end: %s", (_, look) => {
    assert.isNotEmpty(patterns(every(60, 64, look)))
  })

  it("of two commands in turns are none", () => {
    const [first, second] = [run("squeue --me", 0, "4711 R"), run("./size.sh", 0, "17 out.csv")]
    const events = Array.from({ length: 12 }, (_, index) => [
      { ...first, id: `a${index}`, at: at(index * 62), endedAt: at(index * 62 + 1) },
      { ...second, id: `b${index}`, at: at(index * 62 + 1), endedAt: at(index * 62 + 2) }
    ]).flat()
    assert.deepStrictEqual(patterns(events), [])
  })

  it.each([
    ["tests that fail", () => run("npm test", 1, "1 failed, 3 passed")],
    ["a script that crashes", () => run("python reproduce.py", 1, "ValueError: no price")],
    ["a file that is read", () => call("Read", { file_path: "src/a.ts" }, { output: "const a = 1" })],
    ["words that are searched for", () => run("grep -rn price src", 0, "src/a.ts:1:price")],
    ["the state of the working copy", () => run("git status --short", 0, " M src/a.ts")]
  ] as const)("are no excuse for %s", (_, make) => {
    assert.isNotEmpty(patterns(every(45, 4, make)))
  })

  it("are told from calls that take long", () => {
    assert.isNotEmpty(patterns(every(3, 5, () => run("./simulate", 0, "energy 7"), 90)))
  })
})

describe("a result that says something is under way", () => {
  it.each([
    ["./ops/state.sh", "pending"],
    ["gcloud builds describe 12", "status: QUEUED"],
    ["terraform-state show", "3 resources not ready"],
    ["buildkite-agent meta-data get x", "Job is still running, 3 of 5 through"],
    ["./deploy-info", "UPDATE_IN_PROGRESS"]
  ])("makes a look of it: %s", (command, output) => {
    assert.deepStrictEqual(patterns(Array.from({ length: 12 }, () => run(command, 0, output))), [])
    assert.isNotEmpty(patterns(Array.from({ length: 40 }, () => run(command, 0, output))))
  })

  it.each([
    ["cargo test", "running 3 tests\ntest a ... FAILED"],
    ["python train.py", "Running epoch 1\nTraceback (most recent call last):\nValueError"],
    ["grep -n pending src/queue.ts", "12: pending"],
    ["cat src/queue.ts", `${"const state = 1\n".repeat(40)}return "pending"`]
  ])("is not that of %s", (command, output) => {
    assert.isNotEmpty(patterns(Array.from({ length: 4 }, () => run(command, 1, output))))
  })
})
