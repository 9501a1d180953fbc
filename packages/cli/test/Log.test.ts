import { assert, describe, it } from "@effect/vitest"
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import { Effect, Schema } from "effect"
import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { width } from "../src/terminal/Layout.ts"
import { hooksHome } from "./hooksHome.ts"
import { folder, runCli, type Surroundings } from "./runCli.ts"

const push: Decision.Decision = {
  at: "2026-01-31T12:00:00.000Z",
  host: "claude-code",
  sessionId: "5e55105e-0000-4000-8000-000000000001",
  directory: "/home/user/shop",
  event: "Stop",
  decision: "push",
  reason: "tests: failed before the last edit (cart.js), not run since (`npm test`), and this goes on for long",
  status: "incomplete",
  severity: "HIGH",
  attempt: 1,
  maxAttempts: 3,
  durationMs: 80
}

const done: Decision.Decision = { ...push, decision: "none", status: "complete", reason: "done", attempt: null }

const other: Decision.Decision = {
  ...push,
  host: "codex",
  sessionId: "5e551000-1",
  decision: "failure",
  reason: "\u001b[31mx"
}

const text = (...decisions: ReadonlyArray<Decision.Decision>): string =>
  decisions.map((one) => `${Decision.encode(one)}\n`).join("")

const log = (files: Readonly<Record<string, string>>, words = "", given: Surroundings = {}) =>
  Effect.flatMap(
    folder(Object.fromEntries(Object.entries(files).map(([name, one]) => [`reflexion/${name}`, one]))),
    (root) =>
      runCli(["log", ...words.split(" ").filter(Boolean)], {
        ...given,
        env: { XDG_STATE_HOME: root, HOME: "/home/user", ...given.env }
      })
  )

/** Of a text that is broken into lines, what it says. */
const plain = (said: string): string => said.replaceAll(/\s+/gu, " ")

const Printed = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Decision.Decision)))

describe("reflexion log", () => {
  it.scoped("prints a line for each decision, newest last, under its session", () =>
    Effect.gen(function* () {
      const { code, err, out } = yield* log({ "log.older.jsonl": text(push), "log.jsonl": text(done, other) })
      assert.deepStrictEqual([code, err], [0, ""])
      const lines = out.split("\n")
      assert.match(lines[0] ?? "", /^2026-0[12]-\d\d {2}claude-code {2}5e55105e {2}~\/shop$/)
      assert.match(lines[1] ?? "", /^ {2}\d\d:\d\d:\d\d {2}push {5}1\/3 {2}incomplete {8}tests: failed/)
      assert.match(lines[2] ?? "", /^ {2}\d\d:\d\d:\d\d {2}none {10}complete {10}done$/)
      assert.match(lines[4] ?? "", /codex {2}5e551000 {2}/)
      assert.include(lines[5] ?? "", "failure")
      assert.notInclude(out, "\u001b")
    })
  )

  it.scoped("shows of ids that begin with the time as much as tells the sessions apart", () =>
    Effect.gen(function* () {
      const ids = ["01a200fd-3b13-7331-845f-6ab909ebb2d1", "01a200fd-3b17-7620-bbb6-c7a9d75d34a4", "ses_01", "ses_01a"]
      const decisions = ids.map((sessionId): Decision.Decision => ({ ...push, sessionId }))
      const { out } = yield* log({ "log.jsonl": text(...decisions) })
      const headings = out.split("\n").filter((line) => line.includes("~/shop"))
      const shown = headings.map((line) => line.split("  ")[2] ?? "")
      assert.deepStrictEqual(shown, ["01a200fd-3b13", "01a200fd-3b17", "ses_01", "ses_01a"])
      const one = yield* log({ "log.jsonl": text(...decisions) }, `--session ${shown[1]} --format json`)
      assert.deepStrictEqual(Printed(one.out), decisions.slice(1, 2))
    })
  )

  it.scoped.each([40, 60, 72, 80, 120])("fits a terminal of %i columns, and has every word of the reasons", (columns) =>
    Effect.gen(function* () {
      const long = `${push.reason}; ${"0123456789".repeat(20)} and at last: the end`
      const files = { "log.jsonl": text({ ...push, reason: long }, other, done) }
      const { out } = yield* log(files, "", { terminal: columns, env: { NO_COLOR: "1" } })
      for (const line of out.split("\n")) assert.isAtMost(width(line), columns)
      assert.include(out.replaceAll(/\s/g, ""), long.replaceAll(" ", ""))
      assert.notInclude(out, "…")
      assert.lengthOf(out.match(/\d\d:\d\d:\d\d/g) ?? [], 3)
    })
  )

  it.scoped("continues a reason under its own column", () =>
    Effect.gen(function* () {
      const { out } = yield* log({ "log.jsonl": text(push) }, "", { terminal: 80, env: { NO_COLOR: "1" } })
      const [, first = "", second = ""] = out.split("\n")
      assert.strictEqual(second.search(/\S/), first.indexOf("tests: "))
    })
  )

  it.scoped.each(["", "40"])("has a line for each decision in a pipe, whole, whatever COLUMNS says: %j", (columns) =>
    Effect.gen(function* () {
      const ends = ["the one", "the other"].map((end) => ({ ...push, reason: `${push.reason.repeat(4)} ${end}` }))
      const directory = `/home/user/${"deep/".repeat(40)}x`
      const files = { "log.jsonl": text(...ends.map((one) => ({ ...one, directory }))) }
      const { out } = yield* log(files, "", { env: { COLUMNS: columns } })
      const lines = out.split("\n")
      assert.lengthOf(lines, 3)
      assert.isTrue(lines[0]?.endsWith("deep/x"))
      assert.isTrue(lines[1]?.endsWith("the one"))
      assert.isTrue(lines[2]?.endsWith("the other"))
      assert.include(lines[1], "incomplete        tests: ")
    })
  )

  it.scoped("prints JSON", () =>
    Effect.gen(function* () {
      const { out } = yield* log({ "log.jsonl": text(push, done) }, "--format json")
      assert.deepStrictEqual(Printed(out), [push, done])
      const empty = yield* log({}, "--format json")
      assert.deepStrictEqual(Printed(empty.out), [])
    })
  )

  it.scoped("finds a session by the beginning of its id", () =>
    Effect.gen(function* () {
      const files = { "log.jsonl": text(push, other, done) }
      const found = yield* log(files, "--session 5e5510-", {})
      assert.strictEqual(found.code, 2)
      assert.include(found.err, 'no session "5e5510-"')
      const one = yield* log(files, "--session 5e55105 --format json")
      assert.deepStrictEqual(Printed(one.out), [push, done])
      const several = yield* log(files, "--session 5e5510")
      assert.strictEqual(several.code, 2)
      assert.include(several.err, "the ids of 2 sessions")
    })
  )

  it.scoped("prints the newest", () =>
    Effect.gen(function* () {
      const files = {
        "log.jsonl": text(...Array.from({ length: 60 }, (_, index) => ({ ...push, reason: `r${index}.` })))
      }
      const byDefault = yield* log(files)
      assert.include(byDefault.out, "10 earlier; see them with --limit 60")
      assert.notInclude(byDefault.out, "r9.")
      assert.include(byDefault.out, "r59.")
      assert.lengthOf(Printed((yield* log(files, "--format json --limit 3")).out), 3)
      assert.lengthOf(Printed((yield* log(files, "--format json")).out), 60)
      for (const wrong of ["0", "-1", "x"]) assert.strictEqual((yield* log(files, `--limit ${wrong}`)).code, 2)
    })
  )

  it.scoped("counts what is no decision, and goes on", () =>
    Effect.gen(function* () {
      const torn = `${text(push).slice(0, 40)}\n[1]\n${text(done)}${text(push).slice(0, 60)}`
      const { code, err, out } = yield* log({ "log.jsonl": torn }, "--format json")
      assert.deepStrictEqual([code, Printed(out)], [0, [done]])
      assert.include(err, "3 lines of the log are no decisions")
    })
  )

  it.scoped("says how to begin where nothing is logged", () =>
    Effect.gen(function* () {
      const { code, out } = yield* log({})
      assert.strictEqual(code, 0)
      assert.include(out.replaceAll("\n", " "), "reflexion install claude-code")
    })
  )

  it.scoped("says that nothing can be logged where the state cannot be written", () =>
    Effect.gen(function* () {
      const warning = /^reflexion: no stop is logged and no agent is pushed, for the state cannot be written: .+$/
      const denied = yield* folder({ kept: "" })
      symlinkSync("/proc/self", join(denied, "reflexion"))
      const { code, err, out } = yield* runCli(["log"], { env: { XDG_STATE_HOME: denied, HOME: "/home/user" } })
      assert.deepStrictEqual([code, out.startsWith("Nothing is logged yet.")], [0, true])
      assert.match(err, warning)
      const doctor = yield* runCli(["doctor"], { cwd: denied, env: { XDG_STATE_HOME: denied, HOME: denied } })
      assert.include(doctor.out.replaceAll(/\s+/g, " "), "cannot be written, so nothing is ever pushed")
      const fine = yield* folder({ "reflexion/log.jsonl": "" })
      for (const place of [fine, join(fine, "not", "yet")]) {
        assert.strictEqual((yield* runCli(["log"], { env: { XDG_STATE_HOME: place, HOME: "/home/user" } })).err, "")
      }
      assert.deepStrictEqual(readdirSync(fine), ["reflexion"])
      assert.deepStrictEqual(readdirSync(join(fine, "reflexion")), ["log.jsonl"])
    })
  )

  it.scoped("names the file that stands where a session's folder is needed, as the doctor does", () =>
    Effect.gen(function* () {
      for (const place of ["sessions", "sessions/codex"]) {
        const root = yield* folder({ [`reflexion/${place}`]: "" })
        const env = { XDG_STATE_HOME: root, HOME: root }
        const file = join(root, "reflexion", place)
        assert.include(
          (yield* runCli(["log"], { env })).err,
          `${file} is a file where a folder is needed: move it away`
        )
        const doctor = (yield* runCli(["doctor"], { cwd: root, env })).out.replaceAll(/\s+/g, " ")
        assert.include(doctor, "is a file where a folder is needed: move it away")
      }
    })
  )

  it.scoped("reads no link", () =>
    Effect.gen(function* () {
      const root = yield* folder({ "elsewhere.jsonl": text(push) })
      mkdirSync(join(root, "reflexion"))
      symlinkSync(join(root, "elsewhere.jsonl"), join(root, "reflexion", "log.jsonl"))
      const { code, err } = yield* runCli(["log"], { env: { XDG_STATE_HOME: root } })
      assert.strictEqual(code, 2)
      assert.include(err, "not a plain file")
    })
  )

  it.scoped("says, where reflexion is installed and nothing has stopped since, what is waited for", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      assert.include((yield* home.run("log")).out.replace(/\s+/gu, " "), "`reflexion install claude-code`")
      yield* home.run("install claude-code")
      const { code, out } = yield* home.run("log")
      assert.strictEqual(code, 0)
      assert.include(
        out.replace(/\s+/gu, " "),
        "Nothing is logged yet: reflexion is installed for Claude Code, and no agent has stopped since."
      )
      assert.notInclude(out, "reflexion install")
      yield* home.run("install codex")
      assert.include((yield* home.run("log")).out.replace(/\s+/gu, " "), "for Claude Code and Codex, and no agent")
    })
  )

  it.scoped("names what is in the place of the log, and a .git that leads nowhere, with what to do", () =>
    Effect.gen(function* () {
      const state = yield* folder({ "reflexion/log.jsonl/inside": "", "shop/.keep": "" })
      const file = join(state, "reflexion", "log.jsonl")
      const env = { XDG_STATE_HOME: state, HOME: "/home/user" }
      const wanted = `${file} is a folder in the place of the log: move it away`
      const failed = yield* runCli(["log"], { env })
      assert.deepStrictEqual([failed.code, failed.out], [2, ""])
      assert.include(failed.err, wanted)
      const cwd = join(state, "shop")
      assert.include(plain((yield* runCli(["doctor"], { env, cwd })).out), wanted)
      rmSync(file, { recursive: true })
      assert.notInclude((yield* runCli(["doctor"], { env, cwd })).out, "in the place of the log")
    })
  )
})
