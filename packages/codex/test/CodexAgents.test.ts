import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect } from "effect"
import { worksWith } from "../../core/test/support/works.ts"
import * as AgentRollouts from "../src/AgentRollouts.ts"
import * as CodexAgents from "../src/CodexAgents.ts"
import * as CodexTranscript from "../src/CodexTranscript.ts"
import { call, completed, exited, meta, output, started } from "./support/lines.ts"

type Lines = ReadonlyArray<object>

const session = "01a20000-0000-7000-8000-000000000001"

const thread = (number: number): string => `01a20000-0000-7000-8000-0000000000${number}`

const rollout = (day: string, time: string, id: string): string =>
  `2026/01/${day}/rollout-2026-01-${day}T${time}-${id}.jsonl`

const archived = (id: string): string => `archived_sessions/rollout-2026-01-30T10-00-00-${id}.jsonl`

const own = rollout("30", "10-00-00", session)

/** What an agent of a session ran. */
const agent = (number: number, sessionId = session): Lines => [
  meta({ session_id: sessionId, id: thread(number), parent_thread_id: sessionId }),
  started(),
  call("c1", "exec_command", { cmd: `make ${number}` }),
  output("c1", exited(0, "x".repeat(20_000))),
  call("c2", "view_image", { path: "a.png" }),
  completed()
]

const folder = Effect.fnUntraced(function* (files: Readonly<Record<string, Lines>>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = yield* fs.makeTempDirectoryScoped()
  for (const [name, lines] of Object.entries(files)) {
    const file = path.join(root, name)
    yield* fs.makeDirectory(path.dirname(file), { recursive: true })
    yield* fs.writeFileString(file, lines.map((one) => `${JSON.stringify(one)}\n`).join(""))
  }
  return root
})

const found = (files: Readonly<Record<string, Lines>>, record = own) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const root = yield* folder(files)
    return AgentRollouts.of(path.join(root, record), 100).map((name) => path.relative(root, name))
  })

const parent: Lines = [meta({ session_id: session, id: session })]

const works = worksWith(NodeContext.layer)

describe("CodexAgents", () => {
  works("finds the session's agents of the same and the next day, and no other rollout", function* () {
    const [same, later] = [rollout("30", "10-00-05", thread(11)), rollout("31", "00-01-00", thread(12))]
    const names = yield* found({
      [own]: parent,
      [same]: agent(11),
      [later]: agent(12),
      [rollout("30", "10-00-06", thread(13))]: agent(13, thread(99)),
      [rollout("30", "10-00-07", thread(14))]: [meta({ session_id: session, id: thread(14) })],
      [rollout("30", "09-59-59", thread(15))]: agent(15),
      [rollout("29", "23-00-00", thread(16))]: agent(16),
      [rollout("30", "10-00-08", thread(17))]: [],
      [`2026/01/30/s-${thread(18)}.jsonl`]: agent(18),
      [`2026/01/notes/rollout-${thread(19)}.jsonl`]: agent(19)
    })
    assert.deepStrictEqual(names, [same, later])
  })

  works("finds the agents in an undated folder, also for a packed record; else finds none", function* () {
    const [record, theirs] = [archived(session), archived(thread(11))]
    const files = { [record]: parent, [theirs]: agent(11), [archived(thread(12))]: agent(12, "other") }
    for (const packed of [record, `${record}.gz`]) assert.deepStrictEqual(yield* found(files, packed), [theirs])
    const none = { "a.jsonl": parent, [`rollout-${thread(11)}.jsonl`]: agent(11, "a"), "b/rollout-c.jsonl/d": [] }
    for (const name of ["a.jsonl", "a", "missing/rollout-a.jsonl", "b/rollout-a.jsonl"])
      assert.deepStrictEqual(yield* found(none, name), [], name)
  })

  works("reads the agents' commands, clipped, and keeps equal call ids apart", function* () {
    const path = yield* Path.Path
    const root = yield* folder({
      [own]: parent,
      [rollout("30", "10-00-05", thread(11))]: agent(11),
      [rollout("30", "10-00-06", thread(12))]: agent(12)
    })
    const calls = yield* CodexAgents.read(path.join(root, own))
    assert.deepStrictEqual(
      calls.map(({ agentId, exitCode, id, status }) => [id, agentId, status, exitCode]),
      [11, 12].map((number) => [`${thread(number)}/c1`, thread(number), "completed", 0])
    )
    for (const one of calls) assert.isBelow(one.output?.length ?? Infinity, 4_200)
  })

  works("reads a recorded agent that was archived with its session, and no other session's", function* () {
    const recordings = yield* Recordings.list("codex")
    const { file = "", sidechains = [] } = recordings.find(({ name }) => name === "subagent") ?? {}
    assert.deepStrictEqual(AgentRollouts.of(file, 100), sidechains)
    const calls = yield* CodexAgents.read(file)
    assert.deepStrictEqual(
      calls.map(({ exitCode, status, tool }) => [tool, status, exitCode]),
      [["exec_command", "completed", 0]]
    )
  })

  it("ignores values that are not lines of a rollout", () => {
    for (const value of [null, 7, "text", [], {}, { type: "event_msg" }, { type: {}, payload: [] }])
      assert.deepStrictEqual(AgentRollouts.step(CodexTranscript.initial, value, "x.jsonl")[1], [])
  })
})
