import { Command, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either } from "effect"
import { fileURLToPath } from "node:url"
import { bundle } from "../../../../scripts/bundler.mjs"
import { marker } from "../../src/model/calls/HostProcess.ts"
import * as ModelCall from "../../src/model/calls/ModelCall.ts"
import { cutOff, ofStatus } from "../../src/model/calls/ModelFailures.ts"
import { question } from "../support/chatServer.ts"
import { world } from "../support/hostProgram.ts"
import { gone, pidsIn } from "../support/processes.ts"
import { worksWith } from "../support/works.ts"

const live = worksWith(NodeContext.layer, it.scopedLive)

const asked = ModelCall.ask(question)

/** A process that ignores the request to end, like its child. It writes its folder and both ids to files. */
const stubborn = `trap '' TERM
pwd > "$1/where"
(echo $(exec sh -c 'echo $PPID') >> "$1/pids"; while :; do sleep 1; done) &
echo $$ >> "$1/pids"
echo begun
while :; do sleep 1; done`

const folderOf = (where: string) => Effect.map(Path.Path, (path) => path.dirname(where.trim()))

describe("HostModel", () => {
  live("asks the program by standard input, in an empty folder that it then removes", function* () {
    const { asking, fs, text } = yield* world
    const looks = `pwd > "$1/where"; ls -A > "$1/there"; cp "$2" "$1/system"; echo "$REFLEXION_ASKING $X"; cat`
    const using = asking(`${looks}; printf '\n\`\`\`json\n{"done":true}\n\`\`\`'`, { env: { X: "set" } })
    const { text: answer, ...given } = yield* using(asked)
    assert.match(answer, /^1 set\nIs it done\?\n\nAnswer with one JSON object .*"done"/s)
    assert.deepInclude(given, { model: "agent/small", usage: { inputTokens: 3, outputTokens: 2 } })
    assert.deepStrictEqual(given.value, { done: true }, "it is found in a fence")
    assert.deepStrictEqual([yield* text("there"), yield* text("system")], ["", "You judge."])
    assert.isFalse(yield* fs.exists(yield* folderOf(yield* text("where"))))
  })

  live("ends a program that takes too long, with its children, and leaves no file", function* () {
    const { asking, folder, fs, text } = yield* world
    const error = yield* Effect.flip(asking(stubborn, { timeout: "500 millis" })(asked))
    assert.include(error.message, "did not finish within 500ms")
    yield* gone(yield* pidsIn(`${folder}/pids`, 2))
    assert.isFalse(yield* fs.exists(yield* folderOf(yield* text("where"))))
  })

  live("the asking process is killed → the program ends too, and leaves no file", function* () {
    const { folder, fs, text } = yield* world
    const outfile = `${folder}/worker.mjs`
    const entry = fileURLToPath(new URL("../support/hostModelWorker.ts", import.meta.url))
    yield* Effect.promise(() => bundle({ entry, outfile }))
    const command = Command.make("node", outfile, folder, stubborn).pipe(Command.env({ REFLEXION_ASKING: "" }))
    const worker = yield* Command.start(command)
    const pids = yield* pidsIn(`${folder}/pids`, 2)
    const left = yield* folderOf(yield* text("where"))
    assert.isTrue(yield* fs.exists(left))
    yield* Effect.sync(() => process.kill(worker.pid, "SIGKILL"))
    yield* gone(pids)
    assert.isFalse(yield* fs.exists(left))
  })

  live("no program → says what to do; already inside a question → asks nothing", function* () {
    const { asking, folder, fs } = yield* world
    yield* fs.writeFileString(`${folder}/plain`, "no program", { mode: 0o644 })
    for (const program of ["/nowhere/agent", `${folder}/plain`]) {
      const error = yield* Effect.flip(asking("", { program })(asked))
      assert.include(error.message, `Agent was not found as "${program}": install it`)
    }
    const within = ConfigProvider.fromMap(new Map([[marker, "1"]]))
    const error = yield* asking('echo > "$1/ran"')(asked).pipe(Effect.flip, Effect.withConfigProvider(within))
    assert.strictEqual(error.reason, "unavailable")
    assert.isFalse(yield* fs.exists(`${folder}/ran`))
  })

  live("errors show no secret of the program, its environment or the question", function* () {
    const { asking } = yield* world
    const key = `sk-ant-api03-${"aB3".repeat(20)}`
    const env = { KEY: key, MY_API_KEY: "plain-words" }
    const using = asking(`echo "Wrong key $KEY or $MY_API_KEY" >&2; exit 3`, { env })
    const error = yield* Effect.flip(using(ModelCall.ask({ ...question, prompt: "A private question" })))
    for (const shown of [error.message, JSON.stringify(error), String(error)]) {
      assert.notInclude(shown, key)
      assert.notInclude(shown, "plain-words")
      assert.notInclude(shown, "private question")
    }
    assert.include(error.message, "Wrong key")
  })

  live("fails as its adapter reads the answer, with the asked model's name", function* () {
    const { asking } = yield* world
    const usage = { inputTokens: 3, outputTokens: 2 }
    for (const [failed, reason, model, paid] of [
      [ofStatus(401, "no"), "unavailable", "agent/default", 0],
      [cutOff({ model: "large", usage }), "truncated", "agent/large", 3]
    ] as const) {
      const failure = yield* Effect.flip(asking("", { read: () => Either.left(failed) })(asked))
      assert.deepInclude(failure, { reason, model, detail: failed.detail, calls: 1 })
      assert.strictEqual(failure.usage.inputTokens, paid)
    }
  })
})
