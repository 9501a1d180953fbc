import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import * as ReportHtml from "../src/report/page.ts"
import { NodeContext } from "@effect/platform-node"
import { analysedFindings, files, leaveProposal, log, now, proposed, skills } from "./reportProject.ts"
import { folder, runCli } from "./runCli.ts"
import * as Sessions from "./sessions.ts"

/** A project with its week, and a home of its own; the clock stands at the week's end. */
const project = (given: Readonly<Record<string, string>> = files) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const root = realpathSync(yield* folder({ ".git/HEAD": "", ...given }))
    const home = realpathSync(yield* folder({ "state/reflexion/log.jsonl": log(root) }))
    const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), PATH: join(home, "bin") }
    return {
      root,
      home,
      env,
      run: (...words: ReadonlyArray<string>) => runCli(["report", ...words], { cwd: root, env })
    }
  })

/** One of the project's logs, with two lines more that say nothing. */
const torn = (name: ".reflection/outcomes.jsonl" | ".reflection/findings.jsonl") => ({
  [name]: `${files[name]}{"id":\nnothing\n`
})

const lines = (records: ReadonlyArray<unknown>): string =>
  records.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join("")

/** What shows a page here. */
const opener = (home: string, script: string): void => {
  mkdirSync(join(home, "bin"))
  for (const name of ["xdg-open", "open"]) {
    writeFileSync(join(home, "bin", name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(home, "bin", name), 0o755)
  }
}

describe("reflexion report", () => {
  it.scoped("writes the page into the project's own folder, and says where", () =>
    Effect.gen(function* () {
      const { root, run } = yield* project()
      const { code, err, out } = yield* run()
      assert.deepStrictEqual([code, err, out], [0, "", join(root, ".reflection", "report.html")])
      const page = readFileSync(out, "utf8")
      assert.isTrue(page.startsWith(ReportHtml.signature))
      assert.include(page, "Add a retry to the uploader and run the tests")
      assert.include(page, "the record could not be read: it is locked")
      assert.notInclude(page, "not of this project")
      assert.strictEqual(lstatSync(out).mode & 0o777, 0o600)
      assert.strictEqual((yield* run()).code, 0)
    })
  )

  it.scoped("names the lines of its logs that it could not read", () =>
    Effect.gen(function* () {
      const { run } = yield* project({
        ...files,
        ...torn(".reflection/outcomes.jsonl"),
        ...torn(".reflection/findings.jsonl")
      })
      const { code, out } = yield* run("--format", "text")
      assert.strictEqual(code, 0)
      assert.include(out, "could not be read: 2 lines of the log of outcomes")
      assert.include(out, "could not be read: 2 lines of the findings of the cycle")
      const sound = yield* project()
      assert.notMatch((yield* sound.run("--format", "text")).out, /\blines? of the/)
    })
  )

  it.scoped("prints what the cycle left, and follows no link to it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const root = realpathSync(yield* folder({ ...skills, ".reflection/findings.jsonl": "" }))
      const proposal = yield* Effect.provide(leaveProposal(root), NodeContext.layer)
      writeFileSync(join(root, ".reflection/findings.jsonl"), analysedFindings(proposal))
      writeFileSync(join(root, ".reflection/proposals/notes.md"), "Mine.")
      symlinkSync(join(root, ".reflection/findings.jsonl"), join(root, ".reflection/proposals/link.md"))
      const text = Effect.map(runCli(["report", "--format", "text"], { cwd: root, terminal: 200 }), ({ out }) => out)
      const out = yield* text
      for (const part of [
        "Changes that the cycle left, of 2 analyses in this time",
        `.reflection/proposals/${proposed.id}.md: A change of tasks/login-test: Proposal`,
        ".reflection/proposals/notes.md: Mine.",
        "could not be read: 1 file of .reflection/proposals/"
      ])
        assert.include(out, part)
      renameSync(join(root, ".reflection/proposals"), join(root, "elsewhere"))
      symlinkSync(join(root, "elsewhere"), join(root, ".reflection/proposals"))
      const linked = yield* text
      assert.include(linked, "could not be read: the proposals: ")
      assert.notInclude(linked, "A change of tasks/login-test")
    })
  )

  it.scoped("makes no project of the home directory", () =>
    Effect.gen(function* () {
      const { env, home } = yield* project()
      const none = yield* runCli(["report"], { cwd: home, env })
      assert.deepStrictEqual([none.code, none.out], [2, ""])
      assert.include(none.err, `${home}: it is no project; run this in the folder of one, or name a file with --out`)
      assert.isFalse(existsSync(join(home, ".reflection")))
      const words = ["report", "--out", "page.html"]
      // A pipe's reader knows no `~`.
      assert.strictEqual((yield* runCli(words, { cwd: home, env })).out, join(home, "page.html"))
      assert.strictEqual((yield* runCli(words, { cwd: home, env, terminal: 100 })).out, "~/page.html")
      assert.strictEqual((yield* runCli(["report", "--format", "text"], { cwd: home, env })).code, 0)
    })
  )

  it.scoped("prints its twin", () =>
    Effect.gen(function* () {
      const { root, run } = yield* project()
      const { code, err, out } = yield* run("--format", "text", "--since", "7d")
      assert.deepStrictEqual([code, err], [0, ""])
      for (const part of [
        "Stops: ",
        "Pushes: ",
        "To review: 3 pushes",
        "What reviews took",
        "Memory: 4",
        "Findings",
        "Attempts logged: 5"
      ])
        assert.include(out, part)
      assert.isFalse(existsSync(join(root, ".reflection", "report.html")))
    })
  )

  it.scoped("says what to do where nothing is recorded, and writes nothing at all", () =>
    Effect.gen(function* () {
      const { home, root, run } = yield* project({})
      for (const words of [[], ["--since", "7d"], ["--open"]]) {
        const { code, err, out } = yield* run(...words)
        assert.deepStrictEqual([code, out], [0, ""], words.join(" "))
        assert.match(err, /^reflexion: Nothing is recorded (?:yet|in this time)\. [^\n]*No page is written\.$/)
      }
      assert.isFalse(existsSync(join(root, ".reflection")))
      const named = yield* run("--out", join(home, "page.html"))
      assert.include(readFileSync(named.out, "utf8"), "Nothing to report")
      const text = yield* run("--format", "text")
      assert.include(text.out, "Nothing is recorded yet.")
    })
  )

  it.scoped("names the option that is wrong, and writes nothing", () =>
    Effect.gen(function* () {
      const { root, run } = yield* project()
      const wrong = [
        [["--since", "7x"], '--since: "7x" is no age'],
        [["--since", "0d"], '--since: "0d" is no age'],
        [["--format", "pdf"], '--format: "pdf" is none of html, text'],
        [["--out", ""], "--out needs the name of a file"],
        [["--format", "text", "--out", "a.html"], "--out is for a page"],
        [["--format", "text", "--open"], "--open is for a page"],
        [["--out", "no/such/a.html"], "--out: "],
        [["--out", "."], "--out: "],
        [["a.html"], "takes no argument"]
      ] as const
      for (const [words, problem] of wrong) {
        const { code, err, out } = yield* run(...words)
        assert.deepStrictEqual([code, out], [2, ""], words.join(" "))
        assert.include(err, problem)
      }
      assert.isFalse(existsSync(join(root, ".reflection", "report.html")))
    })
  )

  it.scoped("replaces no file that is no report, and follows no link", () =>
    Effect.gen(function* () {
      const { root, run } = yield* project({ "notes.html": "<p>mine</p>", "kept.html": "" })
      for (const name of ["notes.html", "kept.html"]) {
        const before = readFileSync(join(root, name), "utf8")
        const { code, err } = yield* run("--out", name)
        assert.strictEqual(code, 2)
        assert.include(err, "it is no report, and is not replaced")
        assert.strictEqual(readFileSync(join(root, name), "utf8"), before)
      }
      symlinkSync(join(root, "notes.html"), join(root, "link.html"))
      assert.strictEqual((yield* run("--out", "link.html")).code, 2)
      const { code, out } = yield* run("--out", "report.html")
      assert.deepStrictEqual([code, out], [0, join(root, "report.html")])
      assert.strictEqual((yield* run("--out", "report.html")).code, 0)
    })
  )

  it.scoped("reads through no link, and says which part it could not read", () =>
    Effect.gen(function* () {
      const { root, run } = yield* project({
        ".reflection/s_1769900000000.json": "{}",
        ".reflection/outcomes.jsonl/x": ""
      })
      symlinkSync("/etc/passwd", join(root, ".reflection", "t_1769900000001.json"))
      symlinkSync("/etc/passwd", join(root, ".reflection", "reflections.jsonl"))
      const { code, out } = yield* run("--format", "text")
      assert.strictEqual(code, 0)
      assert.include(out, "2 records of reviews in .reflection/")
      assert.include(out, "the memory: ")
      assert.include(out, "the log of outcomes: ")
      const other = yield* project({})
      symlinkSync(join(root, ".reflection"), join(other.root, ".reflection"))
      const page = yield* other.run()
      assert.strictEqual(page.code, 2)
      assert.include(page.err, "symbolic link")
    })
  )

  it.scoped("judges past sessions of the directory if it is asked to", () =>
    Effect.gen(function* () {
      const { home, root, run } = yield* project()
      const place = join(home, ".claude", "projects", root.replaceAll(/[^a-zA-Z0-9]/gu, "-"))
      mkdirSync(place, { recursive: true })
      const session = "5e55105e-0000-4000-8000-00000000000a"
      writeFileSync(
        join(place, `${session}.jsonl`),
        lines(Sessions.claudeCode([Sessions.passing, Sessions.failing], { cwd: root, sessionId: session }))
      )
      writeFileSync(join(place, "broken.jsonl"), `{"cwd":${JSON.stringify(root)}}\n`)
      const { code, err, out } = yield* run("--format", "text", "--sessions")
      assert.strictEqual(code, 0)
      assert.include(err, "judging 2 past sessions of Claude Code")
      assert.include(out, "Past sessions: 2 stops judged now")
      assert.match(out, /would be pushed +1/)
      assert.include(out, "the session broken")
    })
  )

  it.scoped("shows the page in the browser", () =>
    Effect.gen(function* () {
      const { home, run } = yield* project()
      opener(home, "exit 0")
      const shown = yield* run("--open")
      assert.deepStrictEqual([shown.code, shown.err], [0, ""])
    })
  )

  it.scoped.each([
    ["nothing that opens one", null],
    ["one that finds no browser", "exit 3"],
    ["one that cannot run", "exec /nonexistent/browser"]
  ])("says that the page is not shown where there is %s, and exits with 1", ([, script]) =>
    Effect.gen(function* () {
      const { home, run } = yield* project()
      if (script !== null) opener(home, script ?? "")
      const { code, err, out } = yield* run("--open")
      assert.strictEqual(code, 1)
      assert.match(err, /^reflexion: no browser shows the page, for .*; open it yourself$/)
      assert.isTrue(existsSync(out))
    })
  )
})
