import { assert, describe, it } from "@effect/vitest"
import * as Marks from "@reflexion/hooks/config/Marks"
import { Effect } from "effect"
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CliProcess } from "../src/process/CliProcess.ts"
import * as Model from "../src/report/model.ts"
import * as Page from "../src/report/page.ts"
import * as Reading from "../src/report/read.ts"
import * as Sheet from "../src/report/sheet.ts"
import * as Text from "../src/report/text.ts"
import { width } from "../src/terminal/Layout.ts"
import { golden } from "./golden.ts"
import { bare, runCli } from "./runCli.ts"
import { day, files, log, minute, now, project, recordFiles, stop, task } from "./reportProject.ts"

type Project = Effect.Effect.Success<ReturnType<typeof project>>

/** What the command reads and makes of it, for a reader in Berlin. */
const made = ({ env, root }: Project, session: string | null = null, since: number | null = null) =>
  Effect.gen(function* () {
    const { root: _, ...parts } = yield* Reading.read(root, session, now)
    const report = Model.make({ ...parts, project: "~/shop", now, since, zone: "Europe/Berlin" })
    return { report, sheet: Sheet.make(report) }
  }).pipe(
    Effect.updateService(CliProcess, (one) => ({ ...one, env })),
    Effect.provide(CliProcess.Live)
  )

const style = { color: false, unicode: true, width: 80 }

const pageOf = (one: Project) => Effect.map(made(one), ({ report, sheet }) => Page.render(report, sheet))

const said = (one: Project, command: string) =>
  Effect.map(runCli([command], { cwd: one.root, env: one.env }), ({ out }) => bare(out))

describe("reflexion report", () => {
  it.scoped("says first what would have ended undone and what came of it, in all words", () =>
    Effect.gen(function* () {
      const { sheet } = yield* made(yield* project())
      yield* golden("report", Text.render(style, sheet))
    })
  )

  it.scoped("draws the same rows as a page without script", () =>
    Effect.gen(function* () {
      const { report, sheet } = yield* made(yield* project())
      const page = Page.render(report, sheet)
      const words = bare(page.replace(/<style>.*?<\/style>/su, "").replaceAll(/<[^>]*>/gu, " "))
      const drawn = sheet.sections.flatMap(({ rows, title }) => [
        title,
        ...rows.flatMap((row) => [row.title, row.badge, row.about, ...row.lines.flatMap((one) => [one.head, one.text])])
      ])
      for (const text of [sheet.headline, sheet.lead, ...drawn, ...sheet.foot]) assert.include(words, bare(text))
      assert.match(page, /<details class="nudged" +open>/u)
      assert.notMatch(page, /<script|\son\w+=|javascript:|https?:/iu)
    })
  )

  it.scoped("fits any terminal, in colour and in ASCII", () =>
    Effect.gen(function* () {
      const one = yield* project()
      for (const terminal of [40, 60, 120]) {
        const { out } = yield* one.run("", { terminal, env: { ...one.env, LC_ALL: "C" } })
        for (const line of out.split("\n")) assert.isAtMost(width(line), terminal, line)
        assert.notMatch(out, /[^\n -~]/u)
      }
      const coloured = yield* one.run("", { terminal: 80, env: { ...one.env, NO_COLOR: "", FORCE_COLOR: "1" } })
      assert.include(coloured.out, "\u001b[33mnudge")
    })
  )

  it.scoped("takes what a session says for text, without secrets and control characters, within 60 kB", () =>
    Effect.gen(function* () {
      const secret = `ghp_${"a1B2".repeat(9)}`
      const hostile = `</style><script>alert(1)</script><img src=x onerror=a> "'&\u202e\u001b[31m ${secret} `
      const attacks = Array.from({ length: 200 }, (_, index) =>
        stop({
          session: index === 0 ? "__proto__" : `session-${index}`,
          at: now - index * 60 * minute,
          host: "<i>",
          reason: hostile,
          feedback: hostile.repeat(8),
          task: task(hostile.repeat(3))
        })
      )
      const one = yield* project(recordFiles(attacks), (root) =>
        log(root).replaceAll("by the user", hostile.slice(0, 60).replaceAll('"', "'"))
      )
      const page = yield* pageOf(one)
      assert.isBelow(Buffer.byteLength(page), 60_000)
      assert.notMatch(page, /<(?:script|img|i>)/u)
      assert.lengthOf(page.match(/<\/style>/gu) ?? [], 1)
      assert.include(page, "&lt;script&gt;alert(1)")
      const { out } = yield* one.run("--format json")
      for (const text of [page, out, (yield* one.run("")).out]) {
        assert.notInclude(text, secret)
        for (const char of ["\u001b", "\u202e"]) assert.notInclude(text, char)
      }
      assert.strictEqual(JSON.parse(out).tasks.length, 200)
      assert.match(page, /\d+ more: reflexion report --session ID shows one in full/u)
    })
  )

  it.scoped("has 200 ordinary stops in 60 kB, every open task among them", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 100 }, (_, index) => {
        const common = { session: `session-${index}`, at: now - index * 90 * minute, task: task(`Task ${index}`) }
        const end = { status: "complete", gates: [], feedback: null, reason: "All required gates passed." } as const
        return [stop(common), stop({ ...common, ...(index > 2 && end), at: common.at + minute }, { kind: "none" })]
      })
      const page = yield* pageOf(yield* project(recordFiles(many.flat())))
      assert.isBelow(Buffer.byteLength(page), 60_000)
      assert.include(page, "<h1>3 tasks need you</h1>")
      assert.include(page, "100 of 100 tasks would have ended undone. 100 nudges got 97 of them done.")
      for (const index of [0, 1, 2]) assert.include(page, `Task ${index}<`)
    })
  )

  it.scoped("gives programs the same as JSON, and takes time into account", () =>
    Effect.gen(function* () {
      const one = yield* project()
      const all = JSON.parse((yield* one.run("--format json")).out)
      assert.deepStrictEqual(all.stops, { done: 2, nudged: 6, yours: 1, open: 1, other: 1 })
      assert.strictEqual(all.since, null)
      const week = JSON.parse((yield* one.run("--format json --since 2h")).out)
      assert.deepStrictEqual(week.stops, { done: 1, nudged: 2, yours: 1, open: 0, other: 1 })
      assert.deepStrictEqual(
        week.tasks.map(({ ending, open, undone }: Model.Task) => [ending, open, undone]),
        [
          ["nudged", true, true],
          ["yours", true, true],
          ["other", false, false],
          ["done", false, false]
        ]
      )
      assert.strictEqual(week.since, "2026-02-01T10:00:00.000Z")
    })
  )

  it.scoped("shows all of one session by the beginning of its id, wherever it was, the newest last", () =>
    Effect.gen(function* () {
      const one = yield* project()
      const { code, out } = yield* one.run("--session aaaa", { cwd: one.home })
      assert.strictEqual(code, 0)
      assert.match(bare(out), /session aaaaaaaa-1 .* Other tasks .* Add a retry .* What was decided/u)
      assert.match(
        bare(out),
        /nudge 1\/3 .* none complete .* none todo list 1: not told of stalled \(as often as .* failure the record/u
      )
      assert.notInclude(out, "Lessons")
      const other = yield* one.run("--session ffff")
      assert.include(other.out, "of another project")
      assert.notInclude((yield* one.run("")).out, "of another project")
      assert.include((yield* one.run("--session dddd")).out, "asked claude-code/small: 3.2 s, 4,300 tokens")
      const missing = yield* one.run("--session nobody")
      assert.deepStrictEqual([missing.code, missing.out], [2, ""])
      assert.include(missing.err, '--session: no session "nobody" is recorded')
      const many = yield* project(files, (root) => log(root) + log(root).replaceAll("aaaaaaaa-1", "aaaaaaaa-2"))
      assert.match(
        (yield* many.run("--session aaaaaaaa")).err,
        /begins the ids of 2 sessions, such as aaaaaaaa-1, aaaaaaaa-2/u
      )
    })
  )

  it.scoped("shows which nudges you marked as wrong, and takes the marks on a rule back", () =>
    Effect.gen(function* () {
      const one = yield* project()
      const rule = "gates/not-run"
      for (const stop of ["00000000000000aa", "00000000000000bb"])
        Marks.add({ state: join(one.home, "state/reflexion") }, one.root, {
          at: "2026-01-31T10:00:00.000Z",
          host: "codex",
          attempt: 1,
          stop,
          rules: [rule]
        })
      const { out } = yield* one.run("")
      assert.include(bare(out), `${rule} 2 nudges marked, so it only tells here; \`reflexion report --clear ${rule}\``)
      assert.include(bare(out), "! You marked it as wrong.")
      assert.lengthOf(JSON.parse((yield* one.run("--format json")).out).marks, 2)
      const doctor = yield* runCli(["doctor"], { cwd: one.root, env: one.env })
      assert.include(
        bare(doctor.out),
        "your marks keep gates/not-run from nudging in this project: `reflexion report --clear RULE` takes them back"
      )
      assert.include((yield* one.run(`--clear ${rule}`)).out, `2 marks on ${rule} taken back`)
      assert.include((yield* one.run(`--clear ${rule}`)).out, "nothing changes")
      assert.notInclude((yield* one.run("")).out, "nudges marked")
    })
  )

  it.scoped("writes the page into the project's own folder, and says where", () =>
    Effect.gen(function* () {
      const { env, root, run } = yield* project()
      const { code, err, out } = yield* run("--format html")
      assert.deepStrictEqual([code, err, out], [0, "", join(root, ".reflection", "report.html")])
      assert.isTrue(readFileSync(out, "utf8").startsWith(Page.signature))
      assert.strictEqual(lstatSync(out).mode & 0o777, 0o600)
      const again = yield* run("--format html --output page.html", { terminal: 100, env: { ...env, HOME: root } })
      assert.strictEqual(again.out, "The report is in ~/page.html")
      assert.strictEqual((yield* run("--format html --output page.html")).code, 0)
    })
  )

  it.scoped("replaces no file that is no report, and follows no link", () =>
    Effect.gen(function* () {
      const one = yield* project({ ...files, "notes.html": "<p>mine</p>", "empty.html": "" })
      symlinkSync(join(one.root, "notes.html"), join(one.root, "link.html"))
      linkSync(join(one.root, "notes.html"), join(one.root, "hard.html"))
      for (const name of ["notes.html", "empty.html", "link.html", "hard.html", "."]) {
        const { code, err, out } = yield* one.run(`--format html --output ${name}`)
        assert.deepStrictEqual([code, out], [2, ""], name)
        assert.include(err, name === "." ? one.root : join(one.root, name), name)
      }
      assert.strictEqual(readFileSync(join(one.root, "notes.html"), "utf8"), "<p>mine</p>")
      const linked = yield* project({})
      symlinkSync(join(one.root, ".reflection"), join(linked.root, ".reflection"))
      const { code, err } = yield* linked.run("--format html")
      assert.strictEqual(code, 2)
      assert.include(err, ".reflection")
      assert.isFalse(existsSync(join(one.root, ".reflection", "report.html")))
    })
  )

  it.scoped("says how to begin where nothing is recorded, and writes nothing", () =>
    Effect.gen(function* () {
      const { root, run } = yield* project({}, () => "")
      for (const words of ["", "--format html"]) {
        const { code, out } = yield* run(words)
        assert.strictEqual(code, 0)
        assert.match(
          bare(out),
          /^Nothing is recorded here yet\. .*`reflexion install claude-code`.* `reflexion doctor`/u
        )
      }
      assert.isFalse(existsSync(join(root, ".reflection")))
    })
  )

  it.scoped("names what it could not read, through no link, and shows the rest", () =>
    Effect.gen(function* () {
      const { home, root, run } = yield* project({
        ...recordFiles([stop({ session: "s", at: now - day })]),
        ".reflection/s_1769900000000.json": "{}",
        ".reflection/findings.jsonl": "torn\n",
        ".reflection/proposals": ""
      })
      symlinkSync("/etc/passwd", join(root, ".reflection", "t_1769900000001.json"))
      symlinkSync("/etc/passwd", join(root, ".reflection", "reflections.jsonl"))
      writeFileSync(join(home, "state/reflexion/log.jsonl"), "[1]\n", { flag: "a" })
      const { code, out } = yield* run("")
      assert.strictEqual(code, 0)
      for (const problem of [
        "1 entry of the decision log",
        "2 entries of the reviews",
        "1 entry of the findings",
        "the memory cannot be read: ",
        "the proposals cannot be read: "
      ])
        assert.include(bare(out), problem)
      assert.include(out, "Add a retry to the uploader")
    })
  )

  it.scoped("says, as the doctor does, why nothing can be logged", () =>
    Effect.gen(function* () {
      const blocked = yield* project(files, () => "")
      mkdirSync(join(blocked.home, "state/reflexion/log.older.jsonl"))
      for (const command of ["report", "doctor"])
        assert.include(
          yield* said(blocked, command),
          "log.older.jsonl is a folder where the log is needed: move it away"
        )
      writeFileSync(join(blocked.home, "state/reflexion/sessions"), "")
      assert.include(
        yield* said(blocked, "report"),
        "no stop is logged and no agent is nudged, for the state cannot be"
      )
      assert.include(yield* said(blocked, "doctor"), "cannot be written, so no agent is nudged")
    })
  )
})
