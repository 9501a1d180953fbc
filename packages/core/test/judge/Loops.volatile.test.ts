import { assert, describe, it } from "@effect/vitest"
import * as Loops from "../../src/judge/loops/Loops.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { call, run } from "../support/events.ts"

const patterns = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  Loops.read(events.reduce(Loops.step, Loops.initial)).map(({ pattern }) => pattern)

const madeUp = ["ab3cd", "x9k2f", "p0q1z", "m4n5b", "zz81a"]

describe("names that were made up for a file", () => {
  it.each([
    ["with an ending", (name: string) => `python /tmp/tmp${name}.py`],
    ["without one", (name: string) => `python /tmp/tmp${name}`],
    ["of a folder", (name: string) => `python /tmp/tmp.${name}XY/check.py`]
  ] as const)("tell no call from another: %s", (_, command) => {
    assert.isNotEmpty(patterns(madeUp.map((name) => run(command(name), 1, "ValueError: no price"))))
  })

  it("but names that somebody gave do", () => {
    const names = ["tmp_parser.py", "tmp_writer.py", "check_1.py", "check_2.py", "reproduce.py"]
    assert.deepStrictEqual(patterns(names.map((name) => run(`python /tmp/${name}`, 1, "ValueError: no price"))), [])
  })
})

describe("numbers that differ from run to run", () => {
  it.each([
    ["of a goroutine", (index: number) => `panic: nil map\ngoroutine ${index * 13 + 1} [running]:\nFAIL`],
    [
      "of a log's name",
      (index: number) =>
        `npm error Missing script: "lint"\nnpm error A complete log of this run can be found in: /root/.npm/_logs/2026-03-10T09_0${index}_09_${100 + index * 7}Z-debug-0.log`
    ],
    [
      "of a report's name",
      (index: number) => `1 failed\nreport: out/reports/run-2026-03-10T09-0${index}-17.html written`
    ],
    [
      "of a place in the runtime",
      (index: number) => `Error: listen EADDRINUSE\n    at Server.setupListenHandle (node:net:17${index}2:1${index})`
    ],
    ["of a module of the runtime", (index: number) => `Error: x\n    at ext:core/01_core.js:2${index}:3`],
    ["of a seed", (index: number) => `1 failed\nseed: ${index * 991}`],
    ["of a random seed", (index: number) => `1 failed\nrandom_seed=${index * 991}`]
  ] as const)("tell no result from another: %s", (_, output) => {
    assert.isNotEmpty(patterns([0, 1, 2, 3].map((index) => run("make test", 1, output(index)))))
  })
})

describe("numbers that are what is shown", () => {
  it.each([
    ["of a count", (index: number) => `passed:1${index}`],
    ["of a score", (index: number) => `score:${index}:2`]
  ] as const)("tell one result from another: %s", (_, output) => {
    assert.deepStrictEqual(patterns([0, 1, 2, 3].map((index) => run("make test", 1, output(index)))), [])
  })
})

const asked = (tool: string): ReadonlyArray<TranscriptEvent> =>
  Array.from({ length: 8 }, () => call(tool, { id: 7 }, { output: "as before" }))

describe("tools that ask what moves by itself", () => {
  it.each([
    "mcp__github__get_workflow_run",
    "mcp__vercel__get_deployment",
    "mcp__ci__get_build",
    "mcp__jenkins__getBuild",
    "mcp__gitlab__list_pipeline_jobs",
    "get_job_status",
    "describe_execution"
  ])("are pollers: %s", (tool) => {
    assert.deepStrictEqual(patterns(asked(tool)), [])
  })

  it.each(["mcp__github__get_issue", "get_file", "list_branches", "read_build_file"])("these are not: %s", (tool) => {
    assert.isNotEmpty(patterns(asked(tool)))
  })
})
