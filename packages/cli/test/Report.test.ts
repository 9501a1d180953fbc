import { assert, describe } from "@effect/vitest"
import * as Marks from "@reflexion/hooks/config/Marks"
import { Effect } from "effect"
import { linkSync } from "node:fs"
import { join } from "node:path"
import { CliProcess } from "../src/process/CliProcess.ts"
import { works } from "../../core/test/support/works.ts"
import * as Model from "../src/report/model.ts"
import * as Page from "../src/report/page.ts"
import * as Reading from "../src/report/read.ts"
import * as Sheet from "../src/report/sheet.ts"
import * as Text from "../src/report/text.ts"
import { width } from "../src/terminal/Layout.ts"
import { golden } from "./golden.ts"
import { bare } from "./runCli.ts"
import { day, log, minute, now, project, recordFiles, stop, task } from "./reportProject.ts"
import { scenes } from "./scenes.ts"

type Project = Effect.Effect.Success<ReturnType<typeof project>>

/** The report that the command makes of what it reads, for a reader in Berlin. */
const made = ({ home, project }: Project) =>
  Effect.gen(function* () {
    const { root: _, ...parts } = yield* Reading.read(project, null, { now, database: null })
    const report = Model.make({ ...parts, project: "~/shop", now, since: null, zone: "Europe/Berlin" })
    return { report, sheet: Sheet.make(report) }
  }).pipe(
    Effect.updateService(CliProcess, (one) => ({ ...one, env: { HOME: home } })),
    Effect.provide(CliProcess.Live)
  )

const pageOf = (one: Project) => Effect.map(made(one), ({ report, sheet }) => Page.render(report, sheet))

const style = { color: false, width: 80 }

describe("reflexion report", () => {
  works("begins with tasks that would have ended undone, fits any terminal, and matches its page", function* () {
    const one = yield* project()
    const { report, sheet } = yield* made(one)
    yield* golden("report", Text.render(style, sheet))
    const page = Page.render(report, sheet)
    const words = bare(page.replace(/<style>.*?<\/style>/su, "").replaceAll(/<[^>]*>/gu, " "))
    const drawn = sheet.sections.flatMap(({ rows, title }) => [
      title,
      ...rows.flatMap((row) => [row.title, row.badge, row.about, ...row.lines.flatMap((one) => [one.head, one.text])])
    ])
    for (const text of [sheet.headline, sheet.lead, ...drawn, ...sheet.foot]) assert.include(words, bare(text))
    assert.match(page, /<details class="nudged" +open>/u)
    assert.notMatch(page, /<script|\son\w+=|javascript:|https?:/iu)
    for (const terminal of [40, 60, 120]) {
      const screen = (yield* one.run("report", { terminal, env: { NO_COLOR: "1" } })).out
      for (const line of screen.split("\n")) assert.isAtMost(width(line), terminal, line)
    }
  })

  works("shows a session's words as plain text, without secrets and control characters, within 60 kB", function* () {
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
    const { out } = yield* one.run("report --format json")
    for (const text of [page, out, (yield* one.run("report")).out]) {
      assert.notInclude(text, secret)
      for (const char of ["\u001b", "\u202e"]) assert.notInclude(text, char)
    }
    assert.strictEqual(JSON.parse(out).tasks.length, 200)
    assert.match(page, /\d+ more: reflexion report --session ID shows a session in full/u)
  })

  works("fits 200 ordinary stops into 60 kB, with every open task", function* () {
    const many = Array.from({ length: 100 }, (_, index) => {
      const common = { session: `session-${index}`, at: now - index * 90 * minute, task: task(`Task ${index}`) }
      const end = { status: "complete", gates: [], feedback: null, reason: "All required gates passed." } as const
      return [stop(common), stop({ ...common, ...(index > 2 && end), at: common.at + minute }, { kind: "none" })]
    })
    const page = yield* pageOf(yield* project(recordFiles(many.flat())))
    assert.isBelow(Buffer.byteLength(page), 60_000)
    assert.include(page, "<h1>3 tasks are still open</h1>")
    assert.include(page, "100 of 100 tasks would have ended undone. 100 nudges got 97 of them done.")
    for (const index of [0, 1, 2]) assert.include(page, `Task ${index}<`)
  })

  scenes(
    String.raw`
    # --format json has the same data, and --since limits the time
    $ report --format json ¦ json stops {"done":2,"nudged":6,"yours":1,"open":1,"other":1} ¦ json since null
    $ report --format json --since 2h ¦ json stops {"done":1,"nudged":2,"yours":1,"open":0,"other":1} ¦ json since "2026-02-01T10:00:00.000Z"
    json tasks.*.ending ["nudged","yours","other","done"] ¦ json tasks.*.undone [true,true,false,false] ¦ json tasks.*.open [true,true,false,false]
    $ FORCE_COLOR=1 report ¦ ~ \x1b\[33mnudge

    # --session shows a session by the beginning of its id, from any project, newest last
    $ @. report --session aaaa ¦ ~ session aaaaaaaa-1 .* Other tasks .* Add a retry .* What was decided ¦ - Lessons
    ~ nudge 1/3 .* none complete .* none todo list 1: no reminder about stalled \(the limit for this list is reached\) .* failure the record
    $ report --session ffff ¦ + of another project
    $ report ¦ - of another project
    $ report --session dddd ¦ + asked claude-code/small: 3.2 s, 4,300 tokens
    $2 report --session nobody ¦ = ¦ ! --session: no session "nobody" is recorded
    twin ¦ $2 report --session aaaaaaaa ¦ ! is the beginning of 2 session ids, such as aaaaaaaa-1, aaaaaaaa-2

    # nudges that the user marked as wrong are shown, and --clear removes a rule's marks
    mark 00000000000000aa ¦ mark 00000000000000bb
    $ report ¦ + gates/not-run 2 nudges marked, so this rule only tells you here; {tick}reflexion report --clear gates/not-run{tick} removes the marks
    + ! You marked it as wrong.
    $ report --format json ¦ json marks.*.stop ["00000000000000aa","00000000000000bb"]
    $* doctor ¦ + because of your marks, gates/not-run may not nudge in this project: {tick}reflexion report --clear RULE{tick} removes the marks
    $ report --clear gates/not-run ¦ + 2 marks on gates/not-run removed
    $ report --clear gates/not-run ¦ + nothing changes
    $ report ¦ - nudges marked

    # the page is written into the project's folder or to --output, and its path printed
    $ report --format html ¦ = {project}/.reflection/report.html ¦ project/.reflection/report.html + <!-- reflexion report -->
    project/.reflection/report.html mode 600
    $ @project TTY=100 report --format html --output page.html ¦ = The report is in ~/project/page.html
    $ @project report --format html --output page.html

    # a file that is no report is not replaced, and no link is followed
    put project/notes.html <p>mine</p> ¦ put project/empty.html ¦ link project/link.html -> project/notes.html ¦ hard
    ${["notes.html", "empty.html", "link.html", "hard.html"].map((name) => `$2 @project report --format html --output ${name} ¦ = ¦ ! ${name}`).join("\n")}
    $2 @project report --format html --output . ¦ = ¦ ! project
    project/notes.html = <p>mine</p> ¦ put other/.git/HEAD ¦ link other/.reflection -> project/.reflection
    $2 @other report --format html ¦ ! .reflection ¦ project/.reflection/report.html gone

    # an obstacle to logging is reported, as the doctor does
    rm .local/state/reflexion/log.jsonl ¦ put .local/state/reflexion/log.older.jsonl/x
    $ report ¦ + log.older.jsonl is a folder where the log is needed: move it away
    $* doctor ¦ + log.older.jsonl is a folder where the log is needed: move it away
    put .local/state/reflexion/sessions
    $ report ¦ + no stop is logged and no agent is nudged, because the state folder cannot be written
    $* doctor ¦ + cannot be written, so no agent is nudged
    `,
    {
      home: project(),
      words: { tick: "`" },
      verbs: {
        twin: (_, home) => {
          const text = log(home.project)
          home.put(".local/state/reflexion/log.jsonl", text + text.replaceAll("aaaaaaaa-1", "aaaaaaaa-2"))
        },
        mark: (stop, { home, project }) =>
          Marks.add({ state: join(home, ".local/state/reflexion") }, project, {
            at: "2026-01-31T10:00:00.000Z",
            host: "codex",
            attempt: 1,
            stop,
            rules: ["gates/not-run"]
          }),
        hard: (_, { project }) => linkSync(join(project, "notes.html"), join(project, "hard.html"))
      }
    }
  )

  scenes(
    String.raw`
    # if nothing is recorded, it says how to begin and writes nothing
    $ report ¦ ~ ^Nothing is recorded here yet\. .*{tick}reflexion install claude-code{tick}.* {tick}reflexion doctor{tick}
    $ report --format html ¦ + Nothing is recorded here yet. ¦ project/.reflection gone

    # unreadable files and links are reported, and the rest is shown
    record
    put project/.reflection/s_1769900000000.json {} ¦ put project/.reflection/findings.jsonl torn\n ¦ put project/.reflection/proposals
    put secret x ¦ link project/.reflection/t_1769900000001.json -> secret ¦ link project/.reflection/reflections.jsonl -> secret
    put .local/state/reflexion/log.jsonl [1]\n
    $ report ¦ + 1 entry of the decision log ¦ + 2 entries of the reviews ¦ + 1 entry of the findings
    + the memory cannot be read: ¦ + the proposals cannot be read: ¦ + Add a retry to the uploader
    `,
    {
      home: project({}, () => ""),
      words: { tick: "`" },
      verbs: {
        record: (_, home) => {
          for (const [name, text] of Object.entries(recordFiles([stop({ session: "s", at: now - day })])))
            home.put(`project/${name}`, text)
        }
      }
    }
  )
})
