/** What a verdict says, and at which level: contradictions, turns, reminders, rules that are off or only tell. */
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as Missing from "../../src/judge/verdict/Missing.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import * as Rules from "../../src/judge/rules/Rules.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { transcript, user } from "../support/events.ts"
import { session, table } from "../support/sessions.ts"
import { utmostContext } from "../support/utmost.ts"
import type { Transcript } from "../../src/session/transcript/Transcript.ts"
import type { Level } from "../../src/session/config/Levels.ts"
import { rows, words } from "./verdict.rows.ts"

const { defaults, merge, mergeTrusted, mergeWorkspace } = ReflexionConfig

const judged = (line: string, config: ReflexionConfig.ReflexionConfig = defaults, attended = true): Verdict =>
  Judgment.judge({ ...transcript(session(line, words)), attended }, { context: { config } })

const judge = (line: string, settings: ReflexionConfig.PartialConfig = {}): Verdict =>
  judged(line, merge(defaults, settings))

const rules = ({ findings }: Verdict): ReadonlyArray<string> => findings.map(({ rule }) => rule)

describe("a contradiction", () => {
  it.each([
    ["never ran", "U / S / Fixed. All tests pass.", "All tests pass.", false],
    ["failed", "U / S / bad / Fixed. All tests pass.", "All tests pass.", true],
    ["passed", "U / S / ok / Fixed. All tests pass.", "", false]
  ] as const)("of tests that %s", (_, line, claims, isProved) => {
    const { contradictions } = judged(line, utmostContext.config)
    assert.strictEqual(contradictions.map(({ claim }) => claim).join(), claims)
    if (claims !== "") assert.strictEqual(contradictions[0]?.callId !== null, isProved)
  })

  it("tests that failed before the last edit: the contradiction says so once", () => {
    const { contradictions, feedback, missing } = judged("U / S / bad / S / All tests pass.", utmostContext.config)
    assert.lengthOf(contradictions, 1)
    assert.match(contradictions[0]?.fact ?? "", /^the last run of tests \(`npm test`\) failed before the last edit/)
    assert.notMatch([feedback, ...missing].join("\n"), /fail(?:s|ed)?: failed/)
  })
})

describe("a turn", () => {
  const two = transcript([
    user("Fix the bug and run the tests.", { id: "u1", at: "2026-03-02T09:00:00Z" }),
    ...session("S / Done.", words),
    user("What does the parser do?", { id: "u2", at: "2026-03-02T10:00:00Z" }),
    ...session("It parses.")
  ])

  it("is judged on the events up to its stop", () => {
    const seen = Judgment.judgeTurns(two).map(({ status, turn }) => `${turn.index} ${turn.userMessageId} ${status}`)
    assert.deepStrictEqual(seen, ["0 u1 incomplete", "1 u2 complete"])
    assert.strictEqual(Judgment.judge(two).turn.userMessageAt, "2026-03-02T10:00:00Z")
  })

  it("a message typed while the agent works begins no turn", () => {
    const verdicts = Judgment.judgeTurns(transcript(session(">+ Fix it. / S / >+ and run the tests / Done.", words)))
    const tasks = verdicts.map(({ task }) => task.requirements.join())
    assert.deepStrictEqual(tasks, ["tests"])
  })

  it("no user message yet → turn -1 and abstained", () => {
    const { status, turn } = judge("Hello.")
    assert.deepStrictEqual([turn.index, status, Judgment.judge(transcript([])).status], [-1, "abstained", "abstained"])
  })

  it("can be judged for another task", () => {
    const stopped = transcript(session("> Fix it. / S / Done.", words))
    assert.strictEqual(Judgment.judge(stopped).status, "complete")
    assert.strictEqual(Judgment.judge(stopped, { task: "Fix it and run the tests." }).status, "incomplete")
  })
})

describe("a reminder", () => {
  it("names the command, and differs by the attempt", () => {
    const events = session("> Fix the bug and run \\`npm test\\`. / S / All tests pass.", words)
    const state = events.reduce((self, event) => Judgment.step(self, event, utmostContext), Judgment.initial)
    const before = JSON.stringify(state)
    const options = { session: transcript(events), context: utmostContext, now: null }
    const texts = [1, 2, 3].map((attempt) => Judgment.verdict(state, { ...options, attempt }).feedback ?? "")
    assert.strictEqual(new Set(texts).size, 3)
    for (const text of texts) assert.include(text, "npm test")
    assert.strictEqual(JSON.stringify(state), before, "a verdict leaves its state alone")
  })

  it("the finding that nudges comes first in `missing`", () => {
    const { feedback, missing, shouldContinue } = judge("> Fix the total and open a pull request. / T / bad / Z")
    assert.isTrue(shouldContinue)
    assert.match(missing[0] ?? "", /^no pull request was opened/)
    assert.notInclude(feedback ?? "", "tests")
  })
})

it.each([
  ["> Round the total. / edit /repo/README.md / Rounded.", /no check was asked for/],
  ["> The total, with pytest after it. / edit /repo/README.md / Done.", /no order for a check or a delivery was found/],
  ["> Fix the total. / todo [ ] The total / unread / T / todo [ ] The total / Done.", /1 open/]
])("the reason of %s is %s", (line, said) => assert.match(judged(line, defaults, false).reason, said))

it.each(
  table(String.raw`
  I / C / $ cd lib && ./all.sh && echo done / K :: something ran that could have been it: \`./all.sh\`
  I / C / call mcp__gradle__check / K :: something ran that could have been it: the tool \`mcp__gradle__check\`
  I / C / call Task / K :: something ran that could have been it: a subagent
  H / HE / $ cd /tmp/other && npm test => 5 passed / HZ :: it was run in /tmp/other, which is not where the edits are
`)
)("the detail of tests in %s", (line = "", detail = "") => {
  const events = transcript(session(line, words), { cwd: line.startsWith("H ") ? "/home/ann/shop" : "/repo" })
  const tests = Judgment.judge(events).gates.find(({ gate }) => gate === "tests")
  assert.strictEqual(tests?.detail, detail.replaceAll("\\`", "`"))
})

it("a finding names the failing test and its call; `missing` omits claims about that run", () => {
  const red = "#c1 $1 npm test => FAIL test/a.test.ts\\n  ● adds numbers\\n\\nTests: 1 failed, 5 total"
  const { findings, missing } = judge(`U / edit src/a.ts / ${red} / Done. All tests pass.`)
  assert.deepStrictEqual(
    findings.map(({ evidence, failing, gate, rule }) => [rule, gate, failing, evidence]),
    [
      ["gates/failing", "tests", ["adds numbers (test/a.test.ts)"], ["c1"]],
      ["claims/contradicted", null, undefined, ["c1"]]
    ]
  )
  assert.deepStrictEqual(missing, [findings[0]?.message ?? ""])
  const many = Missing.worded(Array.from({ length: 30 }, (_, at) => Missing.ofOther("model/unfinished", `part ${at}`)))
  assert.deepStrictEqual([many.findings.length, many.missing.length], [20, 20])
})

it("advice after an edit names the repository's test command, and causes no nudge", () => {
  const line = "> Do the tests pass? / ok / They do. / > Fix the rounding. / S / Fixed."
  const advice = ["npm test", null].map((testCommand) => {
    const context = { repo: { ...RepoSignals.empty, testCommand } }
    const { nextActions, shouldContinue } = Judgment.judge(transcript(session(line, words)), { context })
    return `${nextActions.join()} ${shouldContinue}`
  })
  const said = ["Run `npm test`", "Run the tests"].map(
    (run) => `${run}: code was changed and nothing was run since. false`
  )
  assert.deepStrictEqual(advice, said)
})

it("Missing.mapTexts changes every text of a finding", () => {
  const comment = { file: "a", line: "a", said: "a", answer: "a" }
  const found = { ...Missing.ofOther("review/comment", "a", { comment }), failing: ["a"] }
  const changed = JSON.stringify(Missing.mapTexts(found, () => "b"))
  assert.notInclude(changed.replaceAll(/"\w+":|review\/comment|tell|LOW|null/g, ""), "a")
})

const lie = "> Fix the total. / The total is right. I ran all 12 tests, and they pass."

describe("a rule's level", () => {
  it("a rule keeps its default level if the agent edited reflexion's configuration", () => {
    const off = { rules: { "gates/not-run": "off" } } as const
    const meddling = "> Fix the total and run the tests. / T / edit .reflection/config.json / Z"
    assert.isFalse(judge("> Fix the total and run the tests. / T / Z", off).shouldContinue)
    assert.isTrue(judge(meddling, off).shouldContinue)
    assert.isTrue(judged(meddling, mergeWorkspace(defaults, off)).shouldContinue)
  })

  it("a workspace can lower a level, but never raise it", () => {
    const own = merge(defaults, { rules: { "loops/planning": "tell" } })
    const both = { rules: { "loops/planning": "nudge", "gates/not-run": "tell" } } as const
    for (const merged of [mergeWorkspace(own, both), mergeTrusted(own, both)]) {
      const levels = Object.fromEntries(Rules.rules.map((rule) => [rule.id, Rules.levelOf(rule, merged, true)]))
      assert.include(levels, { "loops/planning": "tell", "gates/not-run": "tell", "host/cut-off": "nudge" })
    }
  })

  it("no level is lower if nobody is there", () => {
    const levels = { profile: "balanced", rules: {}, ruleLimits: {} } as const
    for (const rule of Rules.rules) {
      const [alone = 0, there = 0] = [false, true].map((attended) =>
        ["off", "tell", "nudge"].indexOf(Rules.levelOf(rule, levels, attended))
      )
      assert.isAtLeast(alone, there, rule.id)
    }
  })

  it("off: no finding, but a session that the rule would find is not complete", () => {
    const off = { rules: { "claims/unfounded": "off" } } as const
    const verdict = judge(lie, off)
    assert.deepInclude(verdict, { status: "abstained", shouldContinue: false, feedback: null })
    assert.deepStrictEqual([verdict.findings, verdict.missing, verdict.nextActions], [[], [], []])
    assert.notInclude(verdict.reason, "claims/")
    const byProject = judged(lie, mergeWorkspace(defaults, off))
    assert.strictEqual(byProject.status, "abstained")
    assert.notInclude(byProject.reason, "your configuration")
    assert.isTrue(judge(lie, { profile: "strict" }).shouldContinue)
  })

  it("off: a nudge for another rule does not mention this one", () => {
    const boast = "> Fix the total, run the tests and commit it. / T / bad / The total is right. All tests pass."
    const { feedback, shouldContinue } = judge(boast, { rules: { "claims/contradicted": "off" } })
    assert.isTrue(shouldContinue)
    assert.notInclude(feedback ?? "", "You wrote")
    assert.include(judge(boast).feedback ?? "", 'You wrote "All tests pass."')
  })
})

const after = (prompts: ReadonlyArray<string>, line: string): Verdict => {
  const context = { ...Judgment.defaultContext, cwd: "/repo" }
  const earlier = prompts.map((text) => ({ id: null, at: null, asked: text }))
  const before = Judgment.midway(prompts.length, earlier)
  const state = session(line, words).reduce((all, event) => Judgment.step(all, event, context), before)
  return Judgment.verdict(state, { session: { ...transcript([]), attended: false }, context, now: null })
}

describe("a part of the session that was not read", () => {
  it("unread events may hold work, so reading alone is no planning loop", () => {
    const looks = '12x call Read {"file_path":"a.ts"} => x / todo [~] The total; [x] The tax / I read all of it.'
    assert.include(rules(judged(`> Fix the total. / ${looks}`, defaults, false)), "loops/planning")
    assert.isEmpty(rules(judged(`> Fix the total. / T / unread / ${looks}`, defaults, false)))
  })

  it("an unfounded claim is reported as such only for the part that was read", () => {
    const { missing } = judged("> Fix the total. / unread / T / I ran all 12 tests, and they pass.", defaults, false)
    assert.match(missing.join(), /in what was read/)
  })
  const asked = "Fix the discount and make sure the tests pass."

  it.each<readonly [string, ReadonlyArray<string>, string]>([
    ["abstained", [asked], "> continue / Fixed."],
    ["abstained", ["Fix the discount."], "> continue / T / Fixed."],
    ["abstained", [], "> continue / T / Fixed."],
    ["abstained", [asked, "continue"], "> continue / Fixed."],
    ["complete", [asked], "> continue / T / ok / Fixed."],
    ["incomplete", [asked], "> continue / T / Fixed."],
    ["complete", [asked], "> Rename the cart to basket. / T / Fixed."],
    ["abstained", ["Fix the discount and the README."], "> continue / edit README.md / todo [x] README / All is done."]
  ])("%s after the turns %j and %s", (status, prompts, line) => assert.strictEqual(after(prompts, line).status, status))
})

const asks =
  "> Add a function that rounds the total. / $ cat a / The total is a float. Should I round half up or half even?"

const events = session(asks)

const answered = (attended: boolean | null | undefined, over: ReflexionConfig.PartialConfig = {}, all = events) =>
  Judgment.judge(
    { ...transcript(all), ...(attended !== undefined && { attended }) },
    { context: { config: merge(defaults, over) } }
  )

describe("whether somebody is there", () => {
  it.each([
    ["waiting_for_user", null, {}],
    ["waiting_for_user", undefined, {}],
    ["incomplete", false, {}],
    ["waiting_for_user", false, { attended: true }],
    ["incomplete", true, { attended: false }],
    ["incomplete", false, { attended: "auto" }]
  ] as const)("%s if the record says %s and the configuration %j", (status, attended, over) => {
    assert.strictEqual(answered(attended, over).status, status)
  })

  it("a workspace may only say that somebody is there, if the user says nothing", () => {
    for (const lay of [mergeTrusted, mergeWorkspace]) {
      assert.strictEqual(lay(defaults, { attended: true }).attended, true)
      assert.strictEqual(lay(defaults, { attended: false }).attended, "auto")
      assert.strictEqual(lay(merge(defaults, { attended: false }), { attended: true }).attended, false)
      assert.strictEqual(lay(merge(defaults, { attended: true }), { attended: false }).attended, true)
      assert.strictEqual(lay(merge(defaults, { attended: false }), {}).attended, false)
    }
  })
})

describe("with nobody there", () => {
  it.each([
    "A server costs 40 EUR a month. Should I create it?",
    "The migration deletes the column in production and cannot be undone. May I run it?",
    "I can publish the package now. Should I publish it?",
    "The paid plan is $20. Which one should I buy?"
  ])("spending money and irreversible steps are left to the user: %s", (text) => {
    const verdict = answered(false, {}, session(`> Set up the staging environment. / $ ls => infra / ${text}`))
    assert.deepStrictEqual([verdict.status, verdict.shouldContinue], ["needs_human", false])
  })

  it("every nudge says that nobody is there; after a question, also to state assumptions", () => {
    const { feedback } = answered(false)
    assert.include(feedback, '"Should I round half up or half even?"')
    assert.lengthOf(feedback?.match(/what you assumed|nobody is there to answer in this session/gi) ?? [], 2)
    const red = session("> Fix it and run the tests. / edit a.ts / $1 npm test =>  Tests  1 failed (4)\\n / Fixed.")
    assert.include(answered(false, {}, red).feedback, "Nobody is there")
    assert.notInclude(answered(true, {}, red).feedback, "Nobody is there")
  })

  it("one nudge per question, even if the evidence moved; a different question gets another", () => {
    const before = [...events, user(answered(false).feedback ?? "", { synthetic: true })]
    const again = answered(false, {}, [...before, ...session("edit a.ts / Should I round half up, or half even?")])
    assert.deepStrictEqual([again.status, again.shouldContinue], ["needs_human", false])
    const other = [...before, ...session("edit src/total.ts / Should I export it or keep it private?")]
    assert.isTrue(answered(false, {}, other).shouldContinue)
  })

  it.each<readonly [string, Partial<Transcript>, ReflexionConfig.ReflexionConfig]>([
    ["in a dialogue of the host's own", { events: session("> Add it. / call? AskUserQuestion") }, defaults],
    ["where the rule only tells", {}, merge(defaults, { rules: { "question/nobody-there": "tell" } })],
    ["under the advisory profile", {}, merge(defaults, { profile: "advisory" })],
    ["in plan mode", { mode: "plan" }, defaults],
    ["in a subagent", { parentSessionId: "p" }, defaults],
    ["where a workspace turned it down", {}, mergeWorkspace(defaults, { rules: { "question/nobody-there": "tell" } })]
  ])("no nudge %s", (_, info, config) => {
    const { shouldContinue } = Judgment.judge(
      { ...transcript(events), attended: false, ...info },
      { context: { config } }
    )
    assert.isFalse(shouldContinue)
  })
})

interface Setting {
  readonly config?: ReflexionConfig.PartialConfig
  readonly repo?: RepoSignals.RepoSignals
}

const scripts = {
  "package.json": '{ "scripts": { "test": "vitest run", "build": "tsc -b", "verify": "tsc && vitest run" } }'
}
const instructions = "- Always run `npm test` after changing source code, before you finish.\n"
const branches = { branch: "feature", defaultBranch: "main" }

const settings: Readonly<Record<string, Setting>> = {
  scripts: { repo: RepoSignals.fromFiles(scripts) },
  instructed: { repo: RepoSignals.fromFiles({ ...scripts, "AGENTS.md": instructions }) },
  strict: { config: { profile: "strict" }, repo: { ...RepoSignals.fromFiles(scripts), ...branches } },
  packages: {
    config: {
      gates: ["api", "web"].map((name) => ({
        name: `${name}-tests`,
        command: `pnpm --filter ${name} test*`,
        paths: [`packages/${name}/**`],
        required: true
      }))
    }
  }
}

/** "incomplete | nudge gates/failing | told checks/weakened". */
const brief = ({ findings, shouldContinue, status }: Verdict): string => {
  const at = (level: Level): string => findings.flatMap((one) => (one.level === level ? [one.rule] : [])).join(" ")
  const nudged = shouldContinue ? [`nudge ${at("nudge")}`] : []
  return [status, ...nudged, ...(at("tell") === "" ? [] : [`told ${at("tell")}`])].join(" | ")
}

const start = Date.parse("2026-03-02T09:00:00.000Z")

const timed = (line: string) =>
  session(line, words).map((event, index) => {
    const at = new Date(start + index * 60_000).toISOString()
    return event.type === "tool_call"
      ? { ...event, at, endedAt: event.status === "completed" ? at : null }
      : { ...event, at }
  })

it.each(table(rows))("the verdict: %s", (_, line = "", there = "", nobody = "=", setting = "") => {
  const { config = {}, repo } = settings[setting] ?? {}
  const context = { config: ReflexionConfig.merge(ReflexionConfig.defaults, config), ...(repo && { repo }) }
  for (const attended of [true, false]) {
    const verdict = Judgment.judge({ ...transcript(timed(line)), attended }, { context })
    const [expected = "", texts = ""] = (attended || nobody === "=" ? there : nobody).split(" | says ")
    assert.strictEqual(brief(verdict), expected, attended ? "somebody there" : "nobody there")
    for (const text of texts.split("; ")) assert.include(verdict.feedback ?? "", text)
  }
})
