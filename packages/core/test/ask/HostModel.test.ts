import { Command, Path } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { bundle } from "../../../../scripts/bundler.mjs"
import * as HostModel from "../../src/ask/models/HostModel.ts"
import * as ModelCall from "../../src/ask/models/ModelCall.ts"
import { live, world } from "../support/hostProgram.ts"
import { gone, pidsIn } from "../support/processes.ts"

const Opinion = Schema.Struct({ done: Schema.Boolean })

const long = 60_000

const question = {
  purpose: "judge",
  system: "Be brief.",
  prompt: "Done?",
  schema: Opinion,
  objectName: "opinion"
} as const

const asked = ModelCall.ask(question)

/** Ignores the request to end, as its child does; both say who they are, and where they were. */
const stubborn = `trap '' TERM
pwd > "$1/where"
(echo $(exec sh -c 'echo $PPID') >> "$1/pids"; while :; do sleep 1; done) &
echo $$ >> "$1/pids"
echo begun
while :; do sleep 1; done`

const folderOf = (where: string) => Effect.map(Path.Path, (path) => path.dirname(where.trim()))

describe("HostModel", () => {
  it.scopedLive(
    "asks a program in an empty folder, with the question as its input and nothing of it left",
    () =>
      Effect.gen(function* () {
        const { asking, fs, text } = yield* world
        const using = asking(
          `pwd > "$1/where"; ls -A > "$1/there"; cp "$2" "$1/system"; echo "$REFLEXION_ASKING $X"; cat`,
          {
            env: { X: "set" }
          }
        )
        const { model, text: answer, usage } = yield* using(asked)
        assert.match(answer, /^1 set\nDone\?\n\nAnswer with one JSON object .*"done"/s)
        assert.deepStrictEqual([model, usage], ["agent/small", { inputTokens: 3, outputTokens: 2 }])
        assert.deepStrictEqual([yield* text("there"), yield* text("system")], ["", "Be brief."])
        assert.isFalse(yield* fs.exists(yield* folderOf(yield* text("where"))))
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "asks for an object in words, and finds it in a fence",
    () =>
      Effect.gen(function* () {
        const { asking, text } = yield* world
        const fenced = 'cat > "$1/question"; printf \'So:\\n```json\\n{"done":true}\\n```\''
        assert.deepStrictEqual((yield* asking(fenced)(asked)).value, { done: true })
        assert.include(yield* text("question"), '"done"')
        assert.isNull((yield* asking("echo I cannot say")(asked)).value)
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "takes a long answer, from one who reads no question",
    () =>
      Effect.gen(function* () {
        const { asking } = yield* world
        const { text } = yield* asking("exec <&-; head -c 200000 /dev/zero | tr '\\0' x; exit 0")(
          ModelCall.ask({ ...question, prompt: "x".repeat(500_000) })
        )
        assert.lengthOf(text, 200_000)
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "ends who takes too long, with the children, and leaves no file",
    () =>
      Effect.gen(function* () {
        const { asking, folder, fs, text } = yield* world
        const error = yield* Effect.flip(asking(stubborn, { timeout: "500 millis" })(asked))
        assert.include(error.message, "did not answer within 500ms")
        yield* gone(yield* pidsIn(`${folder}/pids`, 2))
        assert.isFalse(yield* fs.exists(yield* folderOf(yield* text("where"))))
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "ends who is no longer wanted, with the children",
    () =>
      Effect.gen(function* () {
        const { asking, folder } = yield* world
        const fiber = yield* Effect.fork(asking(stubborn)(asked))
        const pids = yield* pidsIn(`${folder}/pids`, 2)
        yield* Fiber.interrupt(fiber)
        yield* gone(pids)
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "ends what an answer leaves behind",
    () =>
      Effect.gen(function* () {
        const { asking, folder } = yield* world
        const leaving = 'sleep 600 & echo $! > "$1/pids"; echo done'
        assert.strictEqual((yield* asking(leaving)(asked)).text, "done\n")
        yield* gone(yield* pidsIn(`${folder}/pids`, 1))
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "ends with a process that is killed, and leaves no file",
    () =>
      Effect.gen(function* () {
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
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "ends who prints without end",
    () =>
      Effect.gen(function* () {
        const { asking } = yield* world
        const error = yield* Effect.flip(asking("yes")(asked))
        assert.deepStrictEqual([error.reason, error.message.includes("printed more")], ["malformed", true])
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "says what to do where there is no program",
    () =>
      Effect.gen(function* () {
        const { asking, folder, fs } = yield* world
        yield* fs.writeFileString(`${folder}/plain`, "no program", { mode: 0o644 })
        for (const program of ["/nowhere/agent", `${folder}/plain`]) {
          const error = yield* Effect.flip(asking("", { program })(asked))
          assert.include(error.message, `Agent was not found as "${program}": install it`)
        }
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "finds a program by a path from where it was named",
    () =>
      Effect.gen(function* () {
        const { asking, folder, fs } = yield* world
        const path = yield* Path.Path
        yield* fs.writeFileString(`${folder}/agent`, "#!/bin/sh\ncat\n", { mode: 0o755 })
        const program = path.relative(process.cwd(), `${folder}/agent`)
        assert.match((yield* asking("", { program })(asked)).text, /^Done\?/)
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "asks nothing where a model is asked already",
    () =>
      Effect.gen(function* () {
        const { asking, folder, fs } = yield* world
        const within = ConfigProvider.fromMap(new Map([[HostModel.marker, "1"]]))
        const error = yield* asking('echo > "$1/ran"')(asked).pipe(Effect.flip, Effect.withConfigProvider(within))
        assert.strictEqual(error.reason, "unavailable")
        assert.isFalse(yield* fs.exists(`${folder}/ran`))
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "shows no secret of the program's, its environment's or the question's",
    () =>
      Effect.gen(function* () {
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
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "fails as other models do",
    () =>
      Effect.gen(function* () {
        const { asking, text } = yield* world
        const reasons: Array<unknown> = []
        const rows: ReadonlyArray<HostModel.Failure> = [
          HostModel.failure("provider", "slow down", 429),
          HostModel.failure("provider", "out of order", 500),
          HostModel.failure("provider", "bad key", 401),
          HostModel.failure("unreachable", "refused"),
          HostModel.failure("broken_off", "reset"),
          HostModel.failure("unreadable", "empty"),
          HostModel.failure("unusable", "log in first")
        ]
        for (const failure of rows) {
          const using = asking(`echo >> "$1/calls"`, { read: () => failure })
          const { calls, detail, reason } = yield* Effect.flip(using(ModelCall.ask(question)))
          reasons.push([failure.detail, reason, calls, detail.includes(failure.detail)])
        }
        assert.deepStrictEqual(reasons, [
          ["slow down", "rate_limited", 2, true],
          ["out of order", "unavailable", 2, true],
          ["bad key", "unavailable", 1, true],
          ["refused", "unavailable", 2, true],
          ["reset", "truncated", 2, false],
          ["empty", "malformed", 1, true],
          ["log in first", "unavailable", 1, true]
        ])
        assert.lengthOf(yield* text("calls"), 11)
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "is refused, and cut off, as other models are",
    () =>
      Effect.gen(function* () {
        const { asking } = yield* world
        const usage = { inputTokens: 3, outputTokens: 2 }
        for (const [finish, reason] of [
          ["content-filter", "refused"],
          ["length", "truncated"]
        ] as const) {
          const using = asking("", { read: () => ({ type: "answer", text: "", model: null, finish, usage }) })
          const failure = yield* Effect.flip(using(ModelCall.ask(question)))
          assert.deepStrictEqual([failure.reason, failure.model, failure.calls], [reason, "agent/default", 1])
        }
      }).pipe(Effect.provide(live)),
    long
  )

  it.scopedLive(
    "is given up within the caller's time, and ends",
    () =>
      Effect.gen(function* () {
        const { asking, folder } = yield* world
        const failure = yield* Effect.flip(asking(stubborn)(ModelCall.ask({ ...question, timeout: "500 millis" })))
        assert.strictEqual(failure.reason, "timed_out")
        yield* gone(yield* pidsIn(`${folder}/pids`, 2))
      }).pipe(Effect.provide(live)),
    long
  )
})
