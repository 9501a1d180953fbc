import { assert, describe, it } from "@effect/vitest"
import { Recordings } from "@reflexion/testing"
import { Effect, TestClock } from "effect"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { folder, runCli } from "./runCli.ts"

/** Where the recorded sessions began. */
const shop = "/home/dev/shop"

const day = 24 * 60 * 60 * 1000
const now = Date.parse("2026-11-23T12:00:00.000Z")

const recorded = (host: Recordings.Host, name: string): string =>
  readFileSync(join(Recordings.folder(host), name), "utf8")

/** Prints its list of sessions, and each by its id; keeps the words that it was run with. */
const openCode = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeSync } = require("node:fs")
const [first, second] = process.argv.slice(2)
appendFileSync(__dirname + "/asked", first + " " + second + "\\n")
const file = __dirname + "/" + (first === "export" ? second : first + "-" + second) + ".json"
if (!existsSync(file)) {
  writeSync(2, "Error: Session not found: " + second)
  process.exit(1)
}
process.stdout.write(readFileSync(file))
`

/** A directory and a home without settings, at a moment after the recordings. */
const place = Effect.gen(function* () {
  yield* TestClock.setTime(now)
  const root = realpathSync(yield* folder({ ".git/HEAD": "" }))
  const home = realpathSync(yield* folder({ "bin/.keep": "" }))
  const put = (name: string, text: string, at = now): string => {
    const file = join(home, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    utimesSync(file, at / 1000, at / 1000)
    return file
  }
  const report = (words = "", over: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {}) =>
    runCli(["report", "--format", "text", "--sessions", ...words.split(" ").filter(Boolean)], {
      cwd: over.cwd ?? root,
      env: { HOME: home, XDG_STATE_HOME: join(home, "state"), PATH: join(home, "bin"), ...over.env }
    })
  return { root, home, put, report }
})

/** How many past stops were judged how, without those that nothing was. */
const past = (out: string): ReadonlyArray<string> => {
  const [, stops = "", rows = ""] = /^Past sessions: (.*)((?:\n {2}.*)*)/mu.exec(out) ?? []
  const told = [...rows.matchAll(/^ {2}(\D+?) +(\d+) /gmu)].filter(([, , count]) => count !== "0")
  return [stops, ...told.map(([, name, count]) => `${name}: ${count}`)]
}

const on = (date: string, name: string): string =>
  `sessions/${date.replaceAll("-", "/")}/rollout-${date}T02-02-02-${name}.jsonl`

describe("the past sessions of Codex", () => {
  it.scoped("are those that began in the directory, each turn of them judged", () =>
    Effect.gen(function* () {
      const { put, report, root } = yield* place
      const here = (name: string): string => recorded("codex", name).replaceAll(shop, root)
      put(`.codex/${on("2026-11-22", "a")}`, here("fixed-and-tested.jsonl"))
      put(`.codex/${on("2026-11-22", "b")}`, here("tests-failing.jsonl"))
      put(`.codex/${on("2026-11-21", "c")}`, here("second-task.jsonl"))
      put(`.codex/${on("2026-11-21", "elsewhere")}`, recorded("codex", "tests-failing.jsonl"))
      for (const name of readdirSync(join(Recordings.folder("codex"), "subagent/subagents"))) {
        put(`.codex/sessions/2026/11/22/${name}`, here(`subagent/subagents/${name}`))
      }
      const { code, err, out } = yield* report()
      assert.deepStrictEqual([code, err], [0, "reflexion: judging 3 past sessions of Codex …"])
      assert.deepStrictEqual(past(out), ["4 stops judged now", "complete: 2", "would be pushed: 2"])
    })
  )

  it.scoped("are those that were written to since then, wherever they are kept", () =>
    Effect.gen(function* () {
      const { home, put, report, root } = yield* place
      const text = recorded("codex", "fixed-and-tested.jsonl").replaceAll(shop, root)
      put(`own/${on("2026-11-22", "a")}`, text)
      put(`own/${on("2026-11-01", "b")}`, text, now - 10 * day)
      put(`.codex/${on("2026-11-22", "c")}`, text)
      const { code, err, out } = yield* report("--since 7d", { env: { CODEX_HOME: join(home, "own") } })
      assert.deepStrictEqual([code, err], [0, "reflexion: judging 1 past session of Codex …"])
      assert.deepStrictEqual(past(out), ["1 stop judged now", "complete: 1"])
    })
  )

  it.scoped("are told apart from one that cannot be read, and pass over one in which nobody has written", () =>
    Effect.gen(function* () {
      const { put, report, root } = yield* place
      const [head = "", ...rest] = recorded("codex", "fixed-and-tested.jsonl").replaceAll(shop, root).split("\n")
      put(`.codex/${on("2026-11-22", "a")}`, [head, ...rest].join("\n"))
      put(`.codex/${on("2026-11-22", "torn")}`, `${head}\n{"timestamp":"20`)
      put(`.codex/${on("2026-11-22", "unused")}`, `${head}\n`)
      const { code, out } = yield* report()
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(past(out), ["1 stop judged now", "complete: 1"])
      assert.include(out, "the session rollout-2026-11-22T02-02-02-torn: ")
      assert.notInclude(out, "-unused")
    })
  )
})

interface Given {
  readonly name: string
  readonly directory?: string
  readonly updated?: number
}

/** Has a home's OpenCode list these, and print them by their ids, which are returned. */
const listing = ({ put, root }: Effect.Effect.Success<typeof place>, given: ReadonlyArray<Given>) => {
  const listed = given.map(({ directory = root, name, updated = now }) => {
    const text = recorded("opencode", `${name}.json`).replaceAll(shop, root)
    const [, id = ""] = /"id": "(ses_\w+)"/u.exec(text) ?? []
    put(`bin/${id}.json`, text)
    return { id, title: name, directory, updated }
  })
  put("bin/session-list.json", JSON.stringify(listed))
  put(".local/share/opencode/opencode.db", "")
  chmodSync(put("bin/opencode", openCode), 0o755)
  return listed.map(({ id }) => id)
}

describe("the past sessions of OpenCode", () => {
  it.scoped("are asked of its program, with those of their agents", () =>
    Effect.gen(function* () {
      const world = yield* place
      const ids = listing(world, [{ name: "fixed-and-tested" }, { name: "tests-failing" }, { name: "subagent" }])
      const [agent = ""] = readdirSync(join(Recordings.folder("opencode"), "subagent/subagents"))
      world.put(`bin/${agent}`, recorded("opencode", `subagent/subagents/${agent}`))
      const { code, err, out } = yield* world.report()
      assert.deepStrictEqual([code, err], [0, "reflexion: judging 3 past sessions of OpenCode …"])
      assert.deepStrictEqual(past(out), ["3 stops judged now", "complete: 2", "would be pushed: 1"])
      const asked = ["session list", ...[...ids, agent.replace(".json", "")].map((id) => `export ${id}`)]
      assert.strictEqual(readFileSync(join(world.home, "bin/asked"), "utf8"), asked.map((one) => `${one}\n`).join(""))
    })
  )

  it.scoped("are those of the directory, behind its links too, that were written to since then", () =>
    Effect.gen(function* () {
      const world = yield* place
      const link = join(world.home, "link")
      symlinkSync(world.root, link)
      const [, wanted = ""] = listing(world, [
        { name: "fixed-and-tested", directory: join(world.root, "sub") },
        { name: "tests-failing" },
        { name: "retried", updated: now - 10 * day }
      ])
      const { err, out } = yield* world.report("--since 7d", { cwd: link })
      assert.strictEqual(err, "reflexion: judging 1 past session of OpenCode …")
      assert.deepStrictEqual(past(out), ["1 stop judged now", "would be pushed: 1"])
      assert.strictEqual(readFileSync(join(world.home, "bin/asked"), "utf8"), `session list\nexport ${wanted}\n`)
    })
  )

  it.scoped("are judged but for the one that could not be had, which is named", () =>
    Effect.gen(function* () {
      const world = yield* place
      const [gone = ""] = listing(world, [{ name: "tests-failing" }, { name: "fixed-and-tested" }])
      rmSync(join(world.home, `bin/${gone}.json`))
      const { code, err, out } = yield* world.report()
      assert.deepStrictEqual([code, err], [0, "reflexion: judging 1 past session of OpenCode …"])
      assert.deepStrictEqual(past(out), ["1 stop judged now", "complete: 1"])
      assert.match(out.replaceAll(/\s+/gu, " "), new RegExp(`the session ${gone}: .*Session not found: ${gone}`, "u"))
    })
  )

  it.scoped("are not asked for where nothing was written since then, nor is a program that is gone a failure", () =>
    Effect.gen(function* () {
      const world = yield* place
      listing(world, [{ name: "tests-failing" }])
      world.put(".local/share/opencode/opencode.db", "", now - 10 * day)
      const none = yield* world.report("--since 7d")
      assert.deepStrictEqual([none.code, none.err], [0, ""])
      assert.notInclude(none.out, "Past sessions")
      assert.isFalse(existsSync(join(world.home, "bin/asked")))
      const gone = yield* world.report("", { env: { OPENCODE_BIN: join(world.home, "gone") } })
      assert.strictEqual(gone.code, 0)
      assert.include(gone.out, "the sessions of OpenCode: ")
    })
  )
})
