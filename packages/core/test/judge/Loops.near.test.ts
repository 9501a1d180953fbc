import { assert, describe, it } from "@effect/vitest"
import * as Loops from "../../src/judge/loops/Loops.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { call, run } from "../support/events.ts"

const patterns = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  Loops.read(events.reduce(Loops.step, Loops.initial)).map(({ pattern }) => pattern)

const noDatabase = "Error: connect ECONNREFUSED 127.0.0.1:5432"

const unreachable = () => run("curl -s localhost:3000/health", 7, "curl: (7) Failed to connect to localhost port 3000")

const absent = () => run("cat /var/lib/job/out.log", 1, "cat: /var/lib/job/out.log: No such file or directory")

const part = (index: number) => call("Read", { file_path: "a.ts", offset: index, limit: 50 }, { output: "the same" })

const script = (index: number) => run(`bash /tmp/fix_${index}.sh`, 1, noDatabase)

const write = (index: number) => call("Write", { file_path: `/tmp/fix_${index}.sh`, content: `${index}` })

describe("what moves by itself and cannot be reached", () => {
  it("is asked for a while, and then it is a loop", () => {
    for (const make of [unreachable, absent]) {
      assert.deepStrictEqual(patterns(Array.from({ length: 4 }, make)), [])
      assert.isNotEmpty(patterns(Array.from({ length: 5 }, make)))
    }
  })

  it("may take longer after a wait each time", () => {
    const events = Array.from({ length: 12 }, () => [run("sleep 5", 0), unreachable()]).flat()
    assert.deepStrictEqual(patterns(events), [])
  })
})

describe("near-duplicates that come to the same", () => {
  it.each([
    [
      "windows of the output",
      (index: number) => `npm test 2>&1 | ${["tail -20", "tail -n 21", "head -50", "cat"][index % 4]}`
    ],
    ["temporary folders", (index: number) => `pytest --basetemp=/tmp/pytest-${index} -q`],
    ["temporary scripts", (index: number) => `bash /tmp/fix_${index}.sh`],
    ["builds", (index: number) => `./ship --build ${index}a9f3c21bb7e${index}d4`],
    ["processes", (index: number) => `kill ${4000 + index * 17}`],
    ["days", (index: number) => `./import logs/2026-05-0${index + 1}.csv`],
    ["lines", (index: number) => `sed -n '${10 + index},${60 + index}p' src/a.ts`]
  ] as const)("are a loop, whatever their %s", (_, command) => {
    assert.isNotEmpty(patterns(Array.from({ length: 6 }, (_, index) => run(command(index), 1, noDatabase))))
  })

  it("are a loop where another part of a file shows the same text", () => {
    assert.deepStrictEqual(patterns(Array.from({ length: 6 }, (_, index) => part(index))), ["same_result"])
  })

  it.each([
    ["tests", (index: number) => `pytest tests/test_${"abcdefg"[index]}.py`],
    ["packages", (index: number) => `cd packages/p${index} && npm run lint`],
    ["ports", (index: number) => `./ask localhost:300${index}`],
    ["records", (index: number) => `./ask /users/${index}`]
  ] as const)("are not calls for other %s", (_, command) => {
    assert.deepStrictEqual(patterns(Array.from({ length: 6 }, (_, index) => run(command(index), 1, noDatabase))), [])
  })

  it("are none with an edit in between, nor where they work", () => {
    assert.deepStrictEqual(patterns(Array.from({ length: 6 }, (_, index) => [write(index), script(index)]).flat()), [])
    assert.deepStrictEqual(
      patterns(Array.from({ length: 6 }, (_, index) => run(`bash /tmp/fix_${index}.sh`, 0, "ok"))),
      []
    )
  })
})
