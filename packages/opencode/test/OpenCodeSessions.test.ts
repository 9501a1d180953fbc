import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { Env } from "@reflexion/core/internal/session/host/Host"
import * as ProgramTraps from "@reflexion/testing/sandbox/ProgramTraps"
import { Effect, Option } from "effect"
import { worksWith } from "../../core/test/support/works.ts"
import * as OpenCodeAgents from "../src/decoder/OpenCodeAgents.ts"
import * as OpenCodeSessions from "../src/decoder/OpenCodeSessions.ts"
import { kilo, openCode, running } from "../src/decoder/Program.ts"
import { agent, bash, exported, tool, user } from "./support/messages.ts"
import { folder } from "./support/world.ts"

const onDisk = worksWith(NodeContext.layer)

/** A program that prints `<its words>.json` of the folder it is in, or fails. */
const program = `#!${process.execPath}
const fs = require("node:fs")
const words = process.argv.slice(2)
if (process.env.OPENCODE_PURE !== "1") throw new Error("plugins would run")
const file = __dirname + "/" + (words[0] === "export" ? words[1] : words.slice(0, 2).join("-")) + ".json"
if (!fs.existsSync(file)) {
  fs.writeSync(2, "Exporting\\n\\u001b[91m\\u001b[1mError: \\u001b[0mSession not found: " + words[1] + "\\n")
  process.exit(1)
}
process.stdout.write(fs.readFileSync(file))
`

const listed = (id: string, directory: string, updated: number) => ({ id, title: id, directory, updated, created: 1 })

const task = (id: string, sessionId: string) =>
  tool(id, "task", { status: "completed", input: {}, metadata: { sessionId }, output: "" })

const session = (id: string, ...children: ReadonlyArray<string>) =>
  JSON.stringify(
    exported([user("u1", 0, "go"), agent("a1", 1, [...children.map((one) => task(one, one)), bash("t1", "make", 0)])], {
      id
    })
  )

const setUp = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  const fs = yield* FileSystem.FileSystem
  const root = yield* folder({ "bin/opencode": program, "out/.keep": "", "repo/.keep": "", ...files })
  yield* fs.chmod(`${root}/bin/opencode`, 0o755)
  return { root, cwd: `${root}/repo`, folder: `${root}/out`, env: { HOME: root, PATH: `${root}/bin` } }
})

const ids = Effect.map((all: ReadonlyArray<{ readonly id: string | null }>) => all.map(({ id }) => id))

describe("the sessions of OpenCode", () => {
  onDisk("are those of the directory, also through a link, newest first", function* () {
    const fs = yield* FileSystem.FileSystem
    const options = yield* setUp({})
    const { cwd, root } = options
    const others = [listed("../x", cwd, 3), listed("ses_4", `${cwd}/sub`, 2), null, { id: "ses_3" }]
    const sessions = [listed("ses_1", cwd, 1), listed("ses_2", cwd, 2), ...others]
    yield* fs.writeFileString(`${root}/bin/session-list.json`, JSON.stringify(sessions))
    yield* fs.symlink(cwd, `${root}/link`)
    for (const one of [cwd, `${root}/link`])
      assert.deepStrictEqual(yield* ids(OpenCodeSessions.list({ ...options, cwd: one })), ["ses_2", "ses_1"])
    assert.deepStrictEqual(yield* OpenCodeSessions.list({ ...options, cwd: root }), [])
    const { message } = yield* Effect.flip(OpenCodeSessions.list({ ...options, program: kilo }))
    assert.strictEqual(message, "kilo could not be run: put kilo on the PATH, or name it in KILO_BIN")
  })

  onDisk("are exported completely, with all nested agents", function* () {
    const long = JSON.stringify(exported([user("u1", 0, "x".repeat(5_000_000))], { id: "ses_4" }))
    const options = yield* setUp({
      "bin/ses_1.json": session("ses_1", "ses_2", "ses_gone"),
      "bin/ses_2.json": session("ses_2", "ses_3", "ses_1"),
      "bin/ses_3.json": session("ses_3"),
      "bin/ses_4.json": long
    })
    const file = yield* OpenCodeSessions.download(options, "ses_1")
    assert.strictEqual(file, `${options.folder}/ses_1.json`)
    assert.deepStrictEqual(yield* ids(OpenCodeAgents.read(file)), ["ses_2/t1", "ses_3/t1"])
    const fs = yield* FileSystem.FileSystem
    const { size } = yield* fs.stat(yield* OpenCodeSessions.download(options, "ses_4"))
    assert.strictEqual(size, FileSystem.Size(long.length))
  })
})

describe("failures of OpenCode's command line", () => {
  onDisk("a missing program → says what to do", function* () {
    const options = yield* setUp({})
    const advice = "could not be run: put opencode on the PATH, or name it in OPENCODE_BIN"
    for (const [env, said] of [
      [{ OPENCODE_BIN: "/nowhere/opencode" }, `/nowhere/opencode ${advice}`],
      [{ PATH: options.folder }, `opencode ${advice}`]
    ] as const)
      assert.strictEqual((yield* Effect.flip(OpenCodeSessions.list({ ...options, env }))).message, said)
  })

  onDisk("a program that only the project has is not run", function* () {
    const fs = yield* FileSystem.FileSystem
    const options = yield* setUp({})
    const sessions = JSON.stringify([listed("ses_1", options.cwd, 1)])
    yield* fs.writeFileString(`${options.root}/bin/session-list.json`, sessions)
    yield* fs.makeDirectory(`${options.root}/outside`)
    const traps = ProgramTraps.make({ root: options.cwd, outside: `${options.root}/outside` })
    const HOME = options.root
    for (const PATH of Object.values(traps.paths(options.env.PATH)))
      assert.lengthOf(yield* OpenCodeSessions.list({ ...options, env: { HOME, PATH } }), 1, PATH)
    for (const PATH of Object.values(traps.paths("/nowhere"))) {
      const failed = yield* Effect.flip(OpenCodeSessions.list({ ...options, env: { HOME, PATH } }))
      assert.match(failed.message, /opencode was not run, because it is in the project .*: put opencode on the PATH/)
    }
    const named = { HOME, PATH: "/nowhere", OPENCODE_BIN: `${options.cwd}/opencode` }
    assert.include((yield* Effect.flip(OpenCodeSessions.list({ ...options, env: named }))).message, "was not run")
    assert.deepStrictEqual(traps.ran(), [])
  })

  const exports = [
    ["a failed export → the program's last words", {}, "ended with 1: Error: Session not found: ses_1"],
    ["an export that is no session → says so", { "bin/ses_1.json": '{"info":{' }, "printed no session"]
  ] as const
  for (const [what, files, said] of exports)
    onDisk(what, function* () {
      const failed = yield* Effect.flip(OpenCodeSessions.download(yield* setUp(files), "ses_1"))
      assert.strictEqual(failed.message, `\`opencode export ses_1\` ${said}`)
    })
})

it("a process is Kilo only if Kilo's mark names its process id", () => {
  const found = [{ KILO_PID: "7", OPENCODE: "1" }, { KILO_PID: "6", KILO: "1" }, {}].map((env) => running(env, 7))
  assert.deepStrictEqual(found, [kilo, openCode, openCode])
})

const writtenAt = (env: Env, program = openCode) =>
  Effect.map(OpenCodeSessions.writtenAt(env, program), Option.getOrNull)

describe("when OpenCode last wrote", () => {
  onDisk("is the later time of its database and its write-ahead log", function* () {
    const fs = yield* FileSystem.FileSystem
    const data = ".local/share/opencode"
    const times = { [`${data}/opencode.db`]: 1000, [`${data}/opencode.db-wal`]: 2000, "own.db": 3000 }
    const files = Object.fromEntries([...Object.keys(times), `${data}/notes.txt`].map((name) => [name, ""]))
    const root = yield* folder(files)
    for (const [name, time] of Object.entries(times)) yield* fs.utimes(`${root}/${name}`, time, time)
    for (const env of [{ HOME: root }, { XDG_DATA_HOME: `${root}/.local/share` }])
      assert.strictEqual(yield* writtenAt(env), 2_000_000)
    assert.strictEqual(yield* writtenAt({ HOME: root, OPENCODE_DB: `${root}/own.db` }), 3_000_000)
    assert.isNull(yield* writtenAt({ HOME: root, OPENCODE_DB: `${root}/own.db` }, kilo))
    assert.strictEqual(yield* writtenAt({ HOME: root, KILO_DB: `${root}/own.db` }, kilo), 3_000_000)
  })
})
