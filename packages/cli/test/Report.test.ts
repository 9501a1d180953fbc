import { assert, describe, it } from "@effect/vitest"
import type { AskLine } from "@reflexion/core/internal/model/calls/AskLog"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import type { Verdict } from "@reflexion/core/Verdict"
import { Option, Schema } from "effect"
import * as fc from "fast-check"
import * as StopSuite from "../../../evals/src/stops/StopSuite.ts"
import * as Judgment from "@reflexion/core/Judgment"
import type { Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { width } from "../src/terminal/Layout.ts"
import { escape, html, json } from "../src/report/html.ts"
import * as ReportCharts from "../src/report/charts.ts"
import { limits, ReportData, type Stop } from "../src/report/model.ts"
import * as ReportHtml from "../src/report/page.ts"
import { encode, labelOf, quietKinds } from "../src/report/labels.ts"
import * as ReportMemory from "../src/report/memory.ts"
import * as ReportModel from "../src/report/content.ts"
import { stopOf } from "../src/report/record.ts"
import * as ReportText from "../src/report/text.ts"
import { now, review, week } from "./reportProject.ts"

const minute = 60_000

const recordOf = (one: ArtifactFiles.Review): string => ArtifactFiles.files(one)[0]?.text ?? ""

const stopsOf = (reviews: ReadonlyArray<ArtifactFiles.Review>): ReadonlyArray<Stop> =>
  reviews.map((one) => Option.getOrThrow(stopOf(recordOf(one))))

const inputs = (given: Partial<ReportModel.Inputs> = {}): ReportModel.Inputs => ({
  project: "/repo",
  now,
  since: null,
  problems: [],
  reviews: [],
  past: null,
  decisions: [],
  attempts: { completed: 0, failed: 0, timeout: 0 },
  memory: ReportMemory.nothing,
  findings: [],
  proposals: [],
  questions: [],
  ...given
})

const switchedOff: Decision = {
  at: new Date(now + minute).toISOString(),
  host: "claude-code",
  sessionId: "s",
  directory: "/repo",
  event: "UserPromptSubmit",
  decision: "stop",
  reason: "",
  status: null,
  severity: null,
  attempt: null,
  maxAttempts: null,
  durationMs: 1
}

const weekStops = stopsOf(week)

const report = (reviews: ReadonlyArray<ArtifactFiles.Review>, given: Partial<ReportModel.Inputs> = {}): ReportData =>
  ReportModel.make(inputs({ reviews: reviews === week ? weekStops : stopsOf(reviews), ...given }))

const assets: ReportHtml.Assets = { script: "void 0", style: "p { margin: 0 }" }

const style = { color: false, unicode: true, width: 80 }

const green: Verdict["gates"] = [{ gate: "tests", required: true, result: "passed", detail: "", evidence: [] }]

const done = { status: "complete", complete: true, shouldContinue: false, gates: green, missing: [] } as const

const reflection = (id: string, createdAt: number) => ({
  id,
  sessionId: "s",
  taskId: "t",
  subtaskId: "u",
  attemptNumber: 1,
  category: "root_cause" as const,
  analysis: "why",
  suggestion: `do ${id}`,
  actionItems: [],
  confidence: 0.8,
  createdAt: new Date(createdAt).toISOString(),
  source: "heuristic" as const,
  model: null,
  tags: []
})

const record = { injected: 3, used: 0, succeeded: 0, failed: 0, helped: 0, harmed: 0, at: now, usedIn: null }

describe("the report's data", () => {
  it("reads every record that a review leaves, and is what its schema says", () => {
    const data = report(week)
    assert.strictEqual(data.tally.stops, week.length)
    assert.isTrue(Schema.is(ReportData)(data))
    const { outcomes } = data.tally
    assert.strictEqual(
      Object.values(outcomes).reduce((sum, count) => sum + count, 0),
      data.tally.stops
    )
    assert.strictEqual(data.tiers.find(({ tier }) => tier === "checks")?.reviews, 7)
    assert.deepInclude(data.models, { key: "claude-sonnet-4-5", count: 7 })
    assert.deepStrictEqual(data.tally.left, [{ key: "3 of 3 pushes are used up", count: 1 }])
  })

  it("takes no file for a record that is none", () => {
    for (const text of ["", "null", "[]", "{}", '{"version":2}', '{"version":1,"sessionId":"a"}', "\u0000"])
      assert.isTrue(Option.isNone(stopOf(text)), text)
  })

  it("looks only at the time that was asked for", () => {
    const data = report(week, { since: now - 24 * 60 * minute })
    assert.isBelow(data.tally.stops, week.length)
    assert.isTrue(data.stops.every(({ at }) => at !== null && at >= now - 24 * 60 * minute))
    assert.deepStrictEqual(
      data.days.map(({ day }) => day),
      ["2026-01-31", "2026-02-01"]
    )
  })

  it("says whether the gate turned green after a push", () => {
    const push = { session: "s", at: now - 10 * minute }
    const data = report([review(push), review({ session: "s", at: now, verdict: done })])
    assert.deepStrictEqual(data.effects, { green: 1, some: 0, nothing: 0, unknown: 0 })
    assert.deepStrictEqual(data.byGate, [{ gate: "tests", green: 1, open: 0, unknown: 0 }])
    assert.deepStrictEqual(data.pushes[0]?.doubts, [])
    assert.strictEqual(report([review(push)]).effects.unknown, 1)
    const otherTurn = review({ session: "s", at: now, turn: 1, verdict: done })
    assert.strictEqual(report([review(push), otherTurn]).effects.unknown, 1)
    const stillRed = review({ session: "s", at: now, attempt: 2 })
    assert.strictEqual(report([review(push), stillRed]).effects.nothing, 1)
  })

  it("doubts a push after which nothing was left to push for, though nothing had moved", () => {
    const data = report(week)
    const doubted = data.pushes.filter(({ doubts }) => doubts.length > 0)
    assert.lengthOf(doubted, 3)
    assert.deepStrictEqual(data.pushes.slice(0, 3), doubted)
    assert.match(doubted[0]?.doubts[0] ?? "", /nothing to push for/)
  })

  it("doubts a push after which reflexion was switched off", () => {
    const data = report([review({ session: "s", at: now })], { decisions: [switchedOff] })
    assert.deepStrictEqual(data.pushes[0]?.doubts, ["you switched reflexion off in this session within ten minutes"])
  })

  it("counts no turn twice that was reviewed and is judged again", () => {
    const reviews = stopsOf([review({ session: "s", at: now })])
    const past = reviews.map((stop): Stop => ({ ...stop, id: "s#0", origin: "session" }))
    const others = past.map((stop): Stop => ({ ...stop, id: "s#1", turn: 1 }))
    const data = ReportModel.make(inputs({ reviews, past: [...past, ...others] }))
    assert.strictEqual(data.past?.stops, 1)
    assert.strictEqual(data.tally.stops, 1)
    assert.strictEqual(data.effects.unknown, 1)
  })

  it("bounds what it shows, and says how much it left out", () => {
    const many = Array.from({ length: 45 }, (_, index) => review({ session: `s${index}`, at: now - index * minute }))
    const long = Array.from({ length: 200 }, (_, index) => review({ session: "long", at: now + index, turn: index }))
    const data = report([...many, ...long], { now: now + 1000 })
    assert.lengthOf(data.sessions, limits.sessions)
    assert.strictEqual(data.sessionsLeftOut, 16)
    const [first] = data.sessions
    assert.strictEqual(first?.id, "long")
    assert.lengthOf(first?.entries ?? [], limits.entries)
    assert.isAbove(first?.leftOut ?? 0, 0)
  })

  it("shows each run once, in its place before the stop", () => {
    const [session] = report([
      review({ session: "s", at: now }),
      review({ session: "s", at: now + 1, attempt: 2 })
    ]).sessions
    const kinds = session?.entries.map(({ kind, sign }) => `${kind} ${sign}`)
    assert.deepStrictEqual(kinds, ["run bad", "stop bad", "run bad", "stop bad"])
    const same = stopsOf([review({ session: "s", at: now })]).flatMap((stop) => [
      stop,
      { ...stop, id: "again", at: now + 1 }
    ])
    assert.lengthOf(ReportModel.make(inputs({ reviews: same })).sessions[0]?.entries ?? [], 3)
  })

  it("takes secrets out, also those of a record that somebody else wrote", () => {
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
    const given = review({ session: "s", at: now })
    const text = recordOf(given).replaceAll("The tests fail after the last edit.", `export GITHUB_TOKEN=${token}`)
    assert.include(text, token)
    const data = ReportModel.make(inputs({ reviews: [Option.getOrThrow(stopOf(text))], problems: [`at ${token}`] }))
    assert.notInclude(ReportHtml.render(data, assets), token)
    assert.notInclude(ReportText.render(style, data), token)
  })

  it("sums up what models were asked in the sessions of the project, by host, within its time", () => {
    const [first, second] = weekStops
    const question: AskLine = {
      at: new Date(now - minute).toISOString(),
      host: "claude-code",
      session: first?.sessionId ?? "",
      model: "claude-code/small",
      ms: 3000,
      end: "answered",
      inputTokens: 4000,
      outputTokens: 300,
      attended: true
    }
    const decided = { ...question, session: "decided", host: "codex", end: "late", ms: 20_000 } as const
    const data = report(week, {
      since: now - 30 * 1440 * minute,
      decisions: [{ ...switchedOff, sessionId: "decided" }],
      questions: [
        question,
        { ...question, session: second?.sessionId ?? "" },
        decided,
        { ...question, session: "of another project" },
        { ...question, at: new Date(now - 31 * 1440 * minute).toISOString() }
      ]
    })
    const { all, hosts } = data.questions
    assert.deepStrictEqual(all, {
      host: "all",
      calls: 3,
      answered: 2,
      medianMs: 3000,
      inputTokens: 12_000,
      outputTokens: 900
    })
    assert.deepStrictEqual(
      hosts.map(({ answered, calls, host }) => [host, calls, answered]),
      [
        ["claude-code", 2, 2],
        ["codex", 1, 0]
      ]
    )
    const page = ReportHtml.render(data, assets)
    const shown = page.replaceAll(/<[^>]*>|\s+/gu, " ").replaceAll(/ +/gu, " ")
    assert.include(shown, "Model 3 questions, 2 answered, median wait 3.0 s")
    assert.include(shown, "codex 1 0 20.0 s 4,000 300")
    const text = ReportText.render(style, data)
    assert.match(text, /What a model was asked at stops.*\n.*questions  answered  median wait/)
    assert.match(text, /codex +1 +0 +20\.0 s +4,000 +300/)
    const none = report(week)
    assert.notInclude(ReportHtml.render(none, assets) + ReportText.render(style, none), "a model was asked")
  })

  it("says what the memory learned, what helped, and what might go", () => {
    const day = 24 * 60 * minute
    const reflections = [
      reflection("fresh", now - day),
      reflection("helps", now - 10 * day),
      reflection("harms", now - 10 * day),
      reflection("idle", now - 100 * day)
    ]
    const effectiveness = new Map([
      ["helps", { ...record, succeeded: 4, helped: 4 }],
      ["harms", { ...record, failed: 3, harmed: 3 }]
    ])
    const memory = ReportMemory.make({ reflections, effectiveness, stats: null }, { now, since: now - 2 * day })
    assert.deepInclude(memory, { reflections: 4, learned: 1, helped: 1, toPrune: 2 })
    const prune = new Map(memory.lessons.map(({ id, prune }) => [id, prune]))
    assert.strictEqual(prune.get("harms"), "3 of 3 attempts that had it failed")
    assert.strictEqual(prune.get("idle"), "nobody was given it in 100 days")
    assert.isNull(prune.get("fresh"))
    assert.isNull(prune.get("helps"))
  })
})

const nasty = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "`${alert(1)}`",
    "&lt;img src=x onerror=alert(1)>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "</title></style></textarea>",
    "\u2028\u2029\u0000\ud800"
  )
)

/** What is left when every tag that the page's own templates may write is taken away. */
const tag = /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z-]+(?:="[^"<>]*")?)*)\s*\/?>/gu

const known = new Set(
  "html head meta link title style body a header div h1 h2 h3 h4 span p main footer script section dl dt dd details summary table caption thead tbody tr th td ul ol li b code article q pre button label select option input time aside".split(
    " "
  )
)

/** The page without its style and script, whose texts are no HTML. */
const markup = (page: string): string =>
  page
    .replace(ReportHtml.signature, "")
    .replace(`<style>${assets.style}</style>`, "")
    .replace(`<script>${assets.script}</script>`, "")
    .replace(/<script type="application\/json" id="data">[^<]*<\/script>/u, "")
    .replaceAll(/\s+/gu, " ")

describe("the report's page", () => {
  it.prop(
    "keeps whatever a record says from being more than text",
    { texts: fc.array(nasty, { minLength: 8, maxLength: 8 }) },
    ({ texts }) => {
      const [a = "", b = "", c = "", d = "", e = "", f = "", g = "", h = ""] = texts
      const stop = stopsOf([review({ session: "s", at: now })]).map((one): Stop => ({
        ...one,
        id: a,
        sessionId: b,
        task: c,
        reason: d,
        feedback: e,
        host: f,
        decision: g,
        userMessageAt: h,
        missing: [a],
        notice: b,
        gates: [
          {
            gate: c,
            required: true,
            result: "failed",
            detail: d,
            evidence: [{ callId: e, command: f, exitCode: 1, at: g }]
          }
        ],
        contradictions: [{ claim: h, fact: a, callId: null }],
        asked: { model: b, problem: c }
      }))
      const data = ReportModel.make(
        inputs({
          project: a,
          problems: [b],
          reviews: stop,
          memory: {
            reflections: [{ ...reflection(c, now), suggestion: d, analysis: e, createdAt: f }],
            effectiveness: new Map(),
            stats: null
          },
          findings: [
            {
              id: a,
              at: new Date(now).toISOString(),
              action: "reflection_rule",
              sessionId: "system:reflection",
              rule: "regression",
              severity: "warning",
              subjectType: "task",
              subjectId: g,
              detail: h,
              actionTaken: a
            },
            {
              id: b,
              at: new Date(now).toISOString(),
              action: "reflection_analysis",
              sessionId: "system:reflection",
              rule: "analysis",
              severity: "warning",
              subjectType: "sub_session",
              subjectId: c,
              detail: `${d}\n\nRecommended:\n- ${e}`,
              actionTaken: `left branch ${f}, proposal ${g}`
            }
          ],
          proposals: [{ reference: g, at: now, text: `# ${h}\n${b} ${c}` }]
        })
      )
      const page = ReportHtml.render(data, assets)
      const text = markup(page)
      for (const [, , name = "", attributes = ""] of text.matchAll(tag)) {
        assert.isTrue(known.has(name), name)
        assert.notMatch(attributes.replaceAll(/="[^"]*"/gu, ""), / on[a-z]+/iu)
        assert.notMatch(attributes, /(?:href|src)="(?!#main|#change-\d|#analysis-\d|data:,")/u)
      }
      assert.notInclude(text.replaceAll(tag, ""), "<")
      assert.lengthOf(page.match(/<script/gu) ?? [], 2)
      const [, inside = ""] = /id="data">([^<]*)<\/script>/u.exec(page) ?? []
      assert.deepStrictEqual(JSON.parse(inside), JSON.parse(JSON.stringify(ReportCharts.make(data))))
    },
    { fastCheck: { numRuns: 12 } }
  )

  it.prop("escapes text and JSON so that they read back as they were", { text: nasty }, ({ text }) => {
    assert.notMatch(escape(text), /[<>"'`]/u)
    assert.strictEqual(html`<p>${text}</p>`.text, `<p>${escape(text)}</p>`)
    assert.notMatch(json({ text }).text, /[<>&\u2028\u2029]/u)
    assert.deepStrictEqual(JSON.parse(json({ text }).text), { text })
  })

  it("forbids every request, and lets no other script run", () => {
    const page = ReportHtml.render(report(week), { ...assets, script: 'const a = "</script><!--"' })
    assert.match(page, /default-src &#39;none&#39;; script-src &#39;sha256-[A-Za-z0-9+/]{43}=&#39;/u)
    assert.notMatch(page, /<script>const a = "<\//u)
    assert.isTrue(page.startsWith(ReportHtml.signature))
    assert.notMatch(markup(page), /https?:\/\//u)
  })

  it("tells advice once that several attempts gave, with the others behind it", () => {
    const taught = ["a", "b", "c"].map((id) => ({
      ...reflection(id, now),
      suggestion: id === "c" ? "Else." : "Run it."
    }))
    const memory = ReportMemory.make({ reflections: taught, effectiveness: new Map(), stats: null }, { now, since: 0 })
    const page = ReportHtml.render({ ...report(week), memory }, assets)
    assert.match(page, /<b>Run it\.<\/b>[\s\S]*The same advice, 1 more time<\/summary>[\s\S]*<b>Run it\.<\/b>/u)
    assert.strictEqual(page.split("The same advice").length, 2)
  })

  it("counts as tasks what was worked on, not the project that hooks call the task", () => {
    const reflections = ["a", "b", "c"].map((id) => ({
      ...reflection(id, now),
      subtaskId: id === "c" ? "later" : "first"
    }))
    const memory = ReportMemory.make({ reflections, effectiveness: new Map(), stats: null }, { now, since: 0 })
    assert.include(ReportHtml.render({ ...report(week), memory }, assets), "of 2 tasks")
    assert.include(ReportText.render(style, { ...report(week), memory }), "Memory: 3 reflections of 2 tasks")
  })

  it("lists no tier that no review reached, and promises no way to sessions that are too old", () => {
    const page = ReportHtml.render(report(week), assets)
    assert.include(page, ">with a model<")
    assert.notInclude(page, ">with reviewers<")
    assert.match(page, /older sessions? left out/u)
    assert.notInclude(page, "a shorter time")
  })

  it("says what to do where nothing is recorded", () => {
    const page = ReportHtml.render(report([]), assets)
    assert.include(page, "Nothing to report")
    assert.include(page, "reflexion install claude-code")
    assert.notInclude(page, 'role="tab"')
    const later = ReportText.render(style, report(week, { now: now + 1e10, since: now + 1e9 }))
    assert.include(later, "Nothing is recorded in this time.")
  })
})

describe("the report's text", () => {
  for (const columns of [40, 60, 80, 120]) {
    it(`fits ${columns} columns`, () => {
      const data = report(week, { problems: ["one record ".repeat(20)] })
      const lines = ReportText.render({ ...style, width: columns }, data).split("\n")
      const tables = lines.filter((line) => width(line) > columns)
      // Tables of figures are as wide as their figures; no sentence is.
      assert.isTrue(columns < 80 || tables.length === 0, tables.join("\n"))
      assert.deepStrictEqual(
        tables.filter((line) => !/\d+ (?:ms|s)$|time$|not known$|\d$|█$/u.test(line)),
        []
      )
    })
  }

  it("says once what several attempts taught, and how often", () => {
    const taught = ["a", "b", "c"].map((id) => ({
      ...reflection(id, now),
      suggestion: id === "c" ? "Else." : "Run it."
    }))
    const memory = ReportMemory.make({ reflections: taught, effectiveness: new Map(), stats: null }, { now, since: 0 })
    const text = ReportText.render(style, { ...report(week), memory })
    assert.match(text, /Learned\n {2}\S Else\.\n {2}\S Run it\. \(2 times\)$/u)
  })

  it("has room for what it counts beside a task, however long that is", () => {
    const task = { type: "coding", summary: "word ".repeat(60), requirements: [] } as const
    const text = ReportText.render(style, report([review({ session: "s", at: now, verdict: { task } })]))
    assert.match(text, /^ {4}word .*… \(1 stop.*\)$/mu)
  })

  it("says of attempts with and without reflections why they are not alike", () => {
    const memory = { ...report(week).memory, reflections: 1, without: { succeeded: 0, failed: 2, rate: null } }
    const counted = { ...memory, without: { ...memory.without, rate: 0 } }
    assert.notInclude(ReportText.render(style, { ...report(week), memory }), "not alike")
    assert.include(ReportText.render(style, { ...report(week), memory: counted }), "not alike")
  })

  it("says in one line that no past session was found", () => {
    const data = { ...report(week), past: report([]).tally }
    assert.match(ReportText.render(style, data), /^Past sessions: no others were found\n\n/mu)
    assert.notInclude(ReportHtml.render(data, assets), "would be pushed")
    assert.include(ReportHtml.render(data, assets), "no other session of this directory")
    const nothing = { ...report([]), past: report([]).tally }
    assert.notInclude(ReportText.render(style, nothing), "--sessions")
  })

  it("has only ASCII where the terminal has no more", () => {
    assert.match(ReportText.render({ ...style, unicode: false }, report(week)), /^[\n -~]*$/u)
  })

  it("keeps what a terminal would obey out", () => {
    const text = recordOf(review({ session: "s", at: now })).replaceAll(
      "The tests fail",
      "\\u001b]0;x\\u0007The tests fail"
    )
    const data = ReportModel.make(inputs({ reviews: [Option.getOrThrow(stopOf(text))] }))
    assert.notInclude(ReportText.render(style, data), "\u001b")
  })
})

const start = Date.parse("2026-01-31T10:00:00.000Z")

const event = (index: number, given: Record<string, unknown>) => ({
  id: `e${index}`,
  at: new Date(start + index * minute).toISOString(),
  ...given
})

const run = (index: number, exitCode: number) =>
  event(index, {
    type: "tool_call",
    tool: "bash",
    input: { command: "npm test" },
    exitCode,
    status: exitCode === 0 ? "completed" : "error",
    output: exitCode === 0 ? "Tests: 5 passed, 5 total" : "Tests: 1 failed, 4 passed, 5 total",
    endedAt: null,
    cwd: null,
    background: false,
    agentId: null
  })

const said = (index: number, text: string) =>
  event(index, { type: "assistant_message", text, completed: true, outputTokens: null, model: null })

const asked = event(0, {
  type: "user_message",
  text: "Fix the failing test and run npm test until it passes.",
  synthetic: false
})

const reminded = event(3, { type: "user_message", text: "[reflexion 1/3] The tests fail.", synthetic: true })

const Events = Schema.declare((value): value is ReadonlyArray<TranscriptEvent> => Array.isArray(value))

const transcript = (events: ReadonlyArray<unknown>): Transcript => ({
  version: 1,
  host: "transcript",
  sessionId: "s",
  parentSessionId: null,
  cwd: "/repo",
  mode: "build",
  events: Schema.decodeUnknownSync(Events)(events)
})

describe("the labels of pushes", () => {
  it("are found again by the evals, at the very stop that was pushed", () => {
    const before = [asked, run(1, 1), said(2, "Done. All tests pass now.")]
    const whole = [...before, reminded, run(4, 0), said(5, "All 5 tests pass now.")]
    const verdict = Judgment.judge(transcript(before))
    assert.isTrue(verdict.shouldContinue)
    const at = start + 3 * minute
    const [stop] = stopsOf([
      {
        ...review({ session: "s", at }),
        verdict
      }
    ])
    assert.isDefined(stop)
    const data = ReportModel.make(inputs({ reviews: stop === undefined ? [] : [stop] }))
    const labelled = Object.values(ReportCharts.make(data).pushes)
    const right = labelled.map((one) => labelOf(one, { right: true, kind: null, note: "" }))
    const wrong = labelled.map((one) => labelOf(one, { right: false, kind: "complete", note: "It was done. " }))
    const folder = mkdtempSync(join(tmpdir(), "reflexion-labels-"))
    try {
      mkdirSync(join(folder, "sessions"))
      writeFileSync(join(folder, "sessions", "s.jsonl"), JSON.stringify(transcript(whole)))
      for (const labels of [right, wrong]) {
        writeFileSync(join(folder, "stops.jsonl"), encode(labels.flatMap((label) => (label === null ? [] : [label]))))
        const { rows, unmatched } = StopSuite.judge(folder)
        assert.deepStrictEqual(unmatched, [])
        assert.lengthOf(rows, 1)
        // The turn went on and ended complete: the stop that was pushed is judged, not its end.
        assert.deepInclude(rows[0], {
          session: "s",
          turn: 0,
          pushed: true,
          status: "incomplete",
          push: labels === right
        })
      }
      assert.deepStrictEqual(wrong[0]?.why, ["It was done."])
      assert.deepStrictEqual(wrong[0]?.kinds, ["complete"])
      assert.deepStrictEqual(right[0]?.kinds, ["premature"])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it("are none where the host recorded no time; a push that was wrong was no premature stop", () => {
    const stop = { sessionId: "s", turn: 0, userMessageAt: null, stoppedAt: null, kind: "premature", reason: "r" }
    assert.isNull(labelOf(stop, { right: true, kind: null, note: "" }))
    const found = labelOf({ ...stop, userMessageAt: "a", stoppedAt: "b" }, { right: false, kind: null, note: "" })
    assert.deepStrictEqual(found?.kinds, quietKinds)
    assert.notInclude(quietKinds, "premature")
  })
})
