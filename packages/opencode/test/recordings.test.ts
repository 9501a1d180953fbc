import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { readFileSync } from "node:fs"
import { worksWith } from "../../core/test/support/works.ts"
import * as OpenCodeAgents from "../src/decoder/OpenCodeAgents.ts"
import * as OpenCodeTranscript from "../src/decoder/OpenCodeTranscript.ts"

const onDisk = worksWith(NodeContext.layer)

const fileOf = (name: string): string => `${Recordings.folder("opencode")}/${name}.json`

const recorded = (name: string) => Decoding.decode(OpenCodeTranscript.decoder, readFileSync(fileOf(name)))

/** The sessions in which a person wrote more than once. */
const prompts: Readonly<Record<string, ReadonlyArray<number>>> = {
  "second-task": [0, 1],
  "compacted-by-user": [0, 1],
  "queued-prompt": [0, 0],
  "user-shell": [0, 1]
}

describe("recorded sessions", () => {
  onDisk(
    "are decoded whole, at once and message by message: no warning, a turn for each prompt, no call left open",
    function* () {
      const recordings = yield* Recordings.list("opencode")
      assert.isAbove(recordings.length, 10)
      for (const { file, name } of recordings) {
        const { events, reader } = Decoding.decode(OpenCodeTranscript.decoder, readFileSync(file), 1000)
        assert.strictEqual(reader.warningCount(), 0, name)
        const mode = name === "plan-mode" ? "plan" : "build"
        assert.deepInclude(
          reader.session(),
          { host: "opencode", parentSessionId: null, cwd: "/home/dev/shop", mode },
          name
        )
        assert.match(reader.session().sessionId ?? "", /^ses_/, name)
        assert.deepStrictEqual(Decoding.genuine(events), prompts[name] ?? [0], name)
        assert.strictEqual(
          Decoding.settled(events).some((one) => /pending|running/.test(one)),
          name === "killed" || name === "background-running",
          name
        )
        assert.strictEqual(new Set(Decoding.texts(events)).size, Decoding.texts(events).length, name)
        const exported = JSON.parse(readFileSync(file, "utf8"))
        const [atOnce] = Decoding.fold(OpenCodeTranscript, [exported])
        const [oneByOne] = Decoding.fold(OpenCodeTranscript, [{ info: exported.info }, ...exported.messages])
        assert.deepStrictEqual(oneByOne, atOnce, name)
      }
    }
  )

  it.each<[name: string, notices: string, calls?: string]>([
    ["fixed-and-tested", "", "read completed -, bash error 1, edit completed -, bash completed 0"],
    ["interrupted", "aborted", "bash interrupted -"],
    ["killed", "", "bash running -"],
    ["compacted", "compacted"],
    ["compacted-by-user", "compacted"],
    ["api-error", "api_error"],
    ["permission-denied", "", "edit completed -, bash denied -"],
    ["question-answered", "", "question completed -"],
    ["user-shell", "", "edit completed -"],
    ["subagent", "", "task completed -"],
    ["background-running", "", "task running -"],
    ["background-finished", "", "task completed -"]
  ])("%s has the notices %j and the calls %j", (name, notices, calls) => {
    const { events } = recorded(name)
    assert.strictEqual(Decoding.notices(events).join(), notices)
    if (calls !== undefined) assert.strictEqual(Decoding.settled(events).join(", "), calls)
  })

  it.each(["compacted", "compacted-by-user"])("%s leaves the summary out of what the agent says", (name) => {
    const exported: string = readFileSync(fileOf(name), "utf8")
    const summaries = JSON.parse(exported).messages.filter(
      (message: { info: { summary?: unknown } }) => message.info.summary === true
    )
    assert.strictEqual(summaries.length, 1)
    const said = summaries[0].parts.find((part: { type: string }) => part.type === "text").text
    assert.notInclude(Decoding.texts(recorded(name).events), said)
  })

  it("stopped-with-todos ends with the list as it stands", () => {
    const last = recorded("stopped-with-todos").events.findLast((event) => event.type === "todo_update")
    assert.strictEqual(last?.todos.map((todo): string => todo.status).join(), "completed,in_progress,pending")
  })

  onDisk("subagent's agent is a session of its own that names its parent", function* () {
    const recordings = yield* Recordings.list("opencode")
    const { file = "", sidechains = [] } = recordings.find(({ name }) => name === "subagent") ?? {}
    const parent = JSON.parse(readFileSync(file, "utf8"))
    assert.strictEqual(sidechains.length, 1)
    for (const agent of sidechains) {
      const session = Decoding.decode(OpenCodeTranscript.decoder, readFileSync(agent)).reader.session()
      assert.strictEqual(session.parentSessionId, parent.info.id)
      assert.deepStrictEqual(OpenCodeAgents.children(parent), [session.sessionId ?? "none"])
    }
    assert.isNotEmpty(yield* OpenCodeAgents.read(file))
  })
})
