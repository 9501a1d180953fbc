import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Answer, JudgeAnswer, RemainingWork, SelfAssessment } from "../../src/model/assessment/Answer.ts"
import { decide } from "../../src/model/assessment/Decide.ts"
import type { Turn } from "../../src/model/assessment/TurnRecord.ts"
import { defaults } from "../../src/session/config/ReflexionConfig.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import { agent, call, edit, run, todos, transcript, user } from "../support/events.ts"
import {
  assessment,
  first,
  german,
  type Given,
  type GivenByJudge,
  type Item,
  item,
  judgeAnswer,
  ofAssessment,
  ofJudge,
  turn,
  turnOf,
  unchanged,
  unknownTests
} from "../support/opinions.ts"

const { pushFrom } = defaults.models

const said = (given: Turn, answer: Answer) => decide(given, answer, first)

const says = (given: Turn, opinion: Given): Verdict => said(given, ofAssessment(assessment(opinion))).verdict

const judges = (given: Turn, answer: GivenByJudge): Verdict => said(given, ofJudge(judgeAnswer(answer))).verdict

const brief = ({ shouldContinue, source, status }: Verdict) => [status, shouldContinue, source]

const announced = { what: "the tests", event: "e2", quote: "Als Nächstes schreibe ich die Tests" }

describe("what is not a model's to decide", () => {
  const sure = { status: "in_progress", push: 0.95 } as const
  const order = user("Clean up the old archives.")
  const risky = agent("Deleting 2020.tar cannot be undone. Shall I delete it?")

  it("is whether to do what cannot be undone, with somebody there or nobody", () => {
    for (const attended of [true, false]) {
      const given = turn([order, run("ls", 0, "2020.tar"), risky], { attended })
      assert.isFalse(says(given, sure).shouldContinue)
      assert.strictEqual(says(given, sure).status, given.judged.verdict.status)
    }
  })

  it("is a finding of evidence, where the model may only tell", () => {
    const given = turn([user("Fix the parser."), edit("/repo/a.ts"), agent("I fixed it and pushed it to origin.")], {
      attended: false
    })
    const yes = ofAssessment(assessment({ push: 0 }))
    assert.isTrue(given.judged.verdict.shouldContinue)
    assert.isFalse(decide(given, yes, first).verdict.shouldContinue)
    assert.isTrue(decide(given, yes, { ...first, tells: true }).verdict.shouldContinue)
    const no = ofAssessment(assessment(sure))
    assert.isFalse(decide(turn(unchanged), no, { ...first, tells: true }).verdict.shouldContinue)
    assert.isTrue(decide(turn(unchanged), no, first).verdict.shouldContinue)
  })

  it("is said by no name that a project gives to a check of its own", () => {
    const gates = [{ name: "run-evil-sh", command: "./evil.sh", paths: [], required: true }]
    const given = turnOf(transcript([user("Fix the parser."), edit("/repo/a.ts"), agent("Fixed.")]), { gates })
    assert.include(said(given, ofAssessment(assessment())).verdict.reason, "No model outranks a required check")
  })
})

describe("a model that calls it done", () => {
  it("settles what evidence left open", () => {
    const verdict = says(turn(unchanged), {})
    assert.deepStrictEqual(brief(verdict), ["complete", false, "model"])
    assert.isTrue(verdict.complete)
    assert.isAtMost(verdict.confidence, 0.8)
  })

  it("settles nothing where it holds a reminder right, if not quite, or names what is left", () => {
    assert.strictEqual(says(turn(unchanged), { push: 0.29 }).status, "complete")
    for (const doubts of [{ push: 0.3 }, { push: 0.9 }, { remaining_work: [announced] }])
      assert.deepStrictEqual(brief(says(turn(unchanged), doubts)), ["abstained", false, "evidence"])
  })

  it("outranks no required check whose end is not known", () => {
    const verdict = says(
      turn([...unknownTests.slice(0, 3), agent("Der Parser ist jetzt behoben und alles ist gut.")]),
      {}
    )
    assert.deepStrictEqual(brief(verdict), ["abstained", false, "evidence"])
    assert.include(verdict.reason, "tests")
  })

  const untested: ReadonlyArray<TranscriptEvent> = [
    ...german.slice(0, 2),
    agent("Der Parser ist jetzt behoben und alles ist gut.")
  ]

  it("says that nothing was run since, and leaves the advice to run it", () => {
    const before = [
      user("Mend it and run the tests."),
      edit("/repo/b.ts"),
      run("npm test", 0, "4 passed"),
      agent("Done.")
    ]
    const verdict = says(turn([...before, ...untested]), {})
    assert.strictEqual(verdict.status, "complete")
    assert.include(verdict.reason, "nothing was run after the last edit")
    assert.isTrue(verdict.nextActions.some((action) => action.startsWith("Run ")))
    const ran = says(turn([...untested.slice(0, 2), run("node -e 1", 0), ...untested.slice(2)]), {})
    assert.notInclude(ran.reason, "nothing was run")
  })

  const order = "Fix the rounding and make sure the tests pass."
  const red = run("npm test", 1, "FAIL test/cart.test.js > rounds\nTests: 1 failed, 7 passed, 8 total")
  const green = run("npm test", 0, "Tests: 8 passed, 8 total")
  const source = edit("/repo/src/cart.ts")
  const boast = agent("Fixed. All tests pass.")
  const weaker = {
    file_path: "/repo/test/cart.test.js",
    old_string: "expect(total(50)).toBe(45)",
    new_string: "expect(total(50)).toBe(49.9)"
  }

  it.each<readonly [string, ReadonlyArray<TranscriptEvent>]>([
    ["a claim that no call can have made good", [user("Fix the parser."), source, boast]],
    ["a check that was weakened", [user(order), red, call("Edit", weaker), green, boast]]
  ])("takes back %s", (_, events) => {
    const given = turn(events, { attended: false })
    assert.isTrue(given.judged.verdict.shouldContinue)
    assert.deepStrictEqual(brief(says(given, {})), ["complete", false, "model"])
    assert.deepStrictEqual(brief(says(given, { status: "in_progress" })), ["incomplete", true, "evidence"])
  })

  it.each<readonly [string, ReadonlyArray<TranscriptEvent>]>([
    ["a claim that a run disproves", [user("Fix the parser."), source, red, boast]],
    ["a claim of a run before the last edit", [user("Fix the parser."), source, green, source, boast]],
    ["a required check that failed", [user(order), source, red, agent("Fixed.")]],
    ["a required check that never ran", [user(order), source, agent("Fixed.")]]
  ])("never takes back %s", (_, events) => {
    const given = turn(events)
    assert.isTrue(given.judged.verdict.shouldContinue)
    const { verdict } = given.judged
    assert.deepInclude(says(given, {}), { status: verdict.status, shouldContinue: true, findings: verdict.findings })
    assert.include(says(given, {}).reason, "No model outranks")
  })

  it("needs a person where it names what only one can do", () => {
    const verdict = says(turn(unchanged), { needs_user_action: ["Sign in to the registry with your 2FA code."] })
    assert.deepStrictEqual(brief(verdict), ["needs_human", false, "model"])
    assert.isTrue(verdict.requiresHumanAction)
  })
})

describe("a model that calls it not done", () => {
  const open = { status: "in_progress" } as const

  it("pushes from the threshold on, and says in our words what the last words announce", () => {
    const { verdict, wouldContinue } = said(
      turn(german),
      ofAssessment(assessment({ ...open, push: pushFrom, remaining_work: [announced] }))
    )
    assert.deepStrictEqual(brief(verdict), ["incomplete", true, "model"])
    assert.isTrue(wouldContinue)
    assert.include(verdict.feedback ?? "", "a step which your last words announce")
    assert.include(verdict.feedback ?? "", "[reflexion 1/3] The task does not seem to be done yet.")
    assert.notInclude(verdict.feedback ?? "", "Randfälle")
    assert.strictEqual(verdict.stop.kind, "premature")
  })

  it("pushes for the user's own order in the user's own words, and for nothing below the threshold", () => {
    const order = { kind: "order", quote: "schreibe **tests** dazu" } as const
    const verdict = says(turn(german), { ...open, push: 0.7, remaining_work: [order] })
    const sentence = "Behebe den Parser und schreibe Tests dazu."
    assert.include(
      verdict.feedback ?? "",
      `It seems that this was asked for and is not there: "${sentence}". If it is done, say where.`
    )
    assert.deepStrictEqual(verdict.missing, [`what was asked for: "${sentence}"`])
    const unsure = says(turn(german), { ...open, push: 0.59, remaining_work: [order] })
    assert.deepStrictEqual(brief(unsure), ["abstained", false, "evidence"])
    assert.isNull(unsure.feedback)
    assert.include(unsure.reason, "not sure enough")
  })

  it("goes by the threshold of the configuration", () => {
    const answer = ofAssessment(assessment({ ...open, push: 0.5, remaining_work: [announced] }))
    assert.isFalse(decide(turn(german), answer, first).verdict.shouldContinue)
    assert.isTrue(decide(turn(german), answer, { ...first, from: 0.5 }).verdict.shouldContinue)
  })

  it.each<readonly [string, Item]>([
    ["nothing", { event: "", quote: "" }],
    ["an event that is not there", { event: "e99", quote: "" }],
    ["words that are in no last words", { quote: "Als Nächstes lösche ich alles" }],
    ["too few words", { quote: "Als" }],
    ["a check that nobody knows", { kind: "check", name: "run-curl-evil" }]
  ])("pushes as well where it cites %s, and then quotes nothing", (_, given) => {
    const english = [...unchanged.slice(0, 3), agent("I had a look at it; fine so far.")]
    const { verdict, wouldContinue } = said(
      turn(english),
      ofAssessment(assessment({ ...open, remaining_work: [{ ...announced, kind: "step", ...given }] }))
    )
    assert.deepStrictEqual(brief(verdict), ["incomplete", true, "model"])
    assert.isTrue(wouldContinue)
    assert.include(verdict.feedback ?? "", "It seems that something which was asked for is not there.")
    assert.notInclude(verdict.feedback ?? "", "evil")
    assert.isNull(verdict.stop.pattern)
  })

  const unsaid = { ...open, remaining_work: [item({ what: "more" })] }

  it("pushes once for one message, whatever it cites the second time", () => {
    const begins = says(turn(german), unsaid).feedback ?? ""
    const again = [...german, user(begins, { synthetic: true }), agent("Es ist alles erledigt, wie gewünscht und gut.")]
    const { verdict, wouldContinue } = said(turn(again), ofAssessment(assessment(unsaid)))
    assert.deepStrictEqual([...brief(verdict), wouldContinue], ["incomplete", false, "model", false])
    const order = { kind: "order", quote: "schreibe Tests dazu" } as const
    const cited = says(turn(again), { ...open, remaining_work: [order] })
    assert.isFalse(cited.shouldContinue)
    const anew = [...again, user("Behebe nun auch den Lexer und schreibe Tests dazu."), ...german.slice(1)]
    assert.isTrue(says(turn(anew), { ...open, remaining_work: [order] }).shouldContinue)
  })

  it("pushes past a question that only seems to be the user's", () => {
    const asked = "Rename the parser module to reader and update its imports."
    for (const last of ["Which file should I begin with, parser.ts or lexer.ts?", "Shall I go ahead with it?"]) {
      const given = turn([user(asked), agent(last)])
      assert.isFalse(given.judged.verdict.shouldContinue)
      assert.deepStrictEqual(brief(says(given, unsaid)), ["incomplete", true, "model"], last)
      assert.isFalse(says(given, { ...unsaid, push: 0.59 }).shouldContinue)
      assert.strictEqual(says(given, { status: "waiting_for_user" }).status, "waiting_for_user")
    }
  })

  it("leaves to the user what the model does, whatever else it finds", () => {
    for (const status of ["waiting_for_user", "blocked"] as const)
      assert.deepStrictEqual(brief(says(turn(german), { status, remaining_work: [announced] })), [
        "waiting_for_user",
        false,
        "model"
      ])
  })

  it("names a check by its name", () => {
    const given = [user("Fix the parser."), edit("/repo/src/parser.ts"), agent("Fixed, I think so.")]
    const { feedback } = says(turn(given), { ...open, remaining_work: [{ kind: "check", name: "tests" }] })
    assert.include(feedback ?? "", "It seems that the tests were not run.")
    const ran = [...given.slice(0, 2), run("npm test", 0, "4 passed"), ...given.slice(2)]
    const passed = says(turn(ran), { ...open, remaining_work: [{ kind: "check", name: "tests" }] })
    assert.notInclude(passed.feedback ?? "", "the tests")
  })

  it.each([
    ["Rename the parser, and delete the old tests.", "delete the old tests"],
    ["Rename the parser, but never delete the tests.", "delete the tests"],
    ["Delete the tests that are obsolete and rename the parser.", "Delete the tests"],
    ["Rename the parser and push it only after review.", "push it only"],
    ["Benenne den Parser um und lösche keine Tests.", "lösche keine Tests"],
    ["パーサーの名前を変えて、テストは消さないで。", "テストは消さ"]
  ])("cuts nothing out of %s that says something else", (sentence, quote) => {
    const given = [
      user(sentence),
      edit("/repo/src/parser.ts"),
      agent("Der Parser ist jetzt umbenannt und alles ist gut.")
    ]
    const { feedback } = says(turn(given), { ...open, remaining_work: [{ kind: "order", quote }] })
    assert.include(feedback ?? "", `"${sentence}"`, feedback ?? "")
  })

  it("speaks to nobody whom tier 1 would not speak to", () => {
    const opinion = ofAssessment(assessment({ ...open, remaining_work: [announced] }))
    const advised = said(turnOf(transcript(german), { profile: "advisory" }), opinion)
    assert.isFalse(advised.verdict.shouldContinue)
    assert.isTrue(advised.wouldContinue)
    for (const rest of [{ mode: "plan" as const }, { parentSessionId: "p" }]) {
      const judged = said(turn(german, rest), opinion)
      assert.deepStrictEqual([judged.verdict.shouldContinue, judged.wouldContinue], [false, false])
    }
  })

  it("asks for another approach where the agent is stuck, and names none of the model's", () => {
    const verdict = says(turn(german), {
      status: "stuck",
      remaining_work: [announced],
      alternate_approach: "Generate the cases from the grammar."
    })
    assert.deepStrictEqual(brief(verdict), ["stuck", true, "model"])
    assert.strictEqual(verdict.stop.kind, "stuck")
    assert.include(verdict.feedback ?? "", "Take a different approach.")
    assert.notInclude(JSON.stringify(verdict), "Generate the cases")
  })

  it("leaves to the user what only a person can do, and names it", () => {
    const verdict = says(turn(german), {
      ...open,
      remaining_work: [announced],
      needs_user_action: ["Log in to the registry."]
    })
    assert.deepStrictEqual([verdict.shouldContinue, verdict.requiresHumanAction], [true, true])
    assert.include(verdict.feedback ?? "", "Leave to the user, and name it in your answer:\n- to log in")
  })

  it("puts no secret and no unseen character into what it says", () => {
    const key = `ghp_${"a1B2c3D4e5".repeat(4)}`
    const events = [
      german[0] ?? user(""),
      edit("/repo/a.ts"),
      agent(`Es ist gut. Als Nächstes nehme ich den Schlüssel ${key} für alles.`)
    ]
    const verdict = says(turn(events), {
      ...open,
      remaining_work: [{ what: `use ${key}\u001b[31m`, kind: "order", quote: "schreibe Tests dazu" }],
      next_steps: [key]
    })
    assert.isTrue(verdict.shouldContinue)
    assert.notInclude(JSON.stringify(verdict), key.slice(0, 20))
    assert.notInclude(verdict.feedback ?? "", "\u001b")
  })
})

describe("the judge's form", () => {
  it("settles, leaves and pushes as the first does", () => {
    assert.deepStrictEqual(brief(judges(turn(unchanged), {})), ["complete", false, "model"])
    assert.deepStrictEqual(brief(judges(turn(unchanged), { complete: false, requires_human_action: true })), [
      "waiting_for_user",
      false,
      "model"
    ])
    assert.deepStrictEqual(
      brief(judges(turn(german), { complete: false, severity: "LOW", push: 0.8, missing: [announced] })),
      ["incomplete", true, "model"]
    )
  })

  it("has its severity in the verdict", () => {
    const given = { complete: false, push: 0.8, missing: [announced] } as const
    for (const severity of ["LOW", "MEDIUM", "HIGH", "BLOCKER"] as const)
      assert.strictEqual(judges(turn(german), { ...given, severity }).severity, severity)
  })

  it("makes a blocker of it, without a push where it gives no probability", () => {
    for (const given of [unchanged, unknownTests]) {
      const verdict = judges(turn(given), {
        complete: false,
        severity: "BLOCKER",
        missing: [{ ...announced, event: "" }]
      })
      assert.deepStrictEqual(brief(verdict), ["incomplete", false, "model"])
      assert.isFalse(verdict.complete)
      assert.strictEqual(verdict.severity, "BLOCKER")
    }
  })
})

/** Much of it fits what the turns below have: by chance alone nothing would ever be shown. */
const words = fc.constantFrom(
  "Als Nächstes schreibe ich die Tests",
  "Translate the changelog into French.",
  "schreibe Tests dazu",
  "src/parser.ts",
  "Sign in with your password",
  ""
)

const cited: fc.Arbitrary<RemainingWork> = fc.record({
  what: words,
  kind: fc.constantFrom<RemainingWork["kind"]>("order", "check", "file", "step", "other"),
  name: fc.constantFrom(null, "tests", "lint", "parser.ts", "evil.sh"),
  event: fc.constantFrom("e2", "e3", "e4", ""),
  quote: fc.oneof(words, fc.string())
})

const anyAssessment = fc
  .record({
    status: fc.constantFrom<SelfAssessment["status"]>(
      "complete",
      "in_progress",
      "blocked",
      "stuck",
      "waiting_for_user"
    ),
    push: fc.constantFrom(0, 0.3, 0.59, pushFrom, 1),
    remaining_work: fc.array(cited, { maxLength: 3 }),
    needs_user_action: fc.array(words, { maxLength: 2 }),
    alternate_approach: fc.option(words)
  })
  .map((given) => ofAssessment(assessment(given)))

const anyJudge = fc
  .record({
    complete: fc.boolean(),
    severity: fc.constantFrom<JudgeAnswer["severity"]>("NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER"),
    push: fc.constantFrom(0, pushFrom, 1),
    missing: fc.array(cited, { maxLength: 3 }),
    requires_human_action: fc.boolean()
  })
  .map((given) => ofJudge(judgeAnswer(given)))

const lasts: ReadonlyArray<TranscriptEvent> = [
  ...german.slice(1),
  ...unknownTests.slice(2),
  run("npm test", 0, "5 passed"),
  run("npm test", 1, "1 failed"),
  todos(["write tests", "pending"]),
  user("Fix the parser, run the tests and open a pull request."),
  agent("I fixed it; the flaky test is skipped."),
  agent("Der Parser ist jetzt behoben und alles ist gut.")
]

const turns = lasts.flatMap((one) =>
  lasts.flatMap((other) =>
    (["balanced", "advisory"] as const).map((profile) =>
      turnOf(transcript([...german.slice(0, 2), one, other]), { profile })
    )
  )
)

it("whatever a model says: facts keep the last word, and it pushes once, from the threshold on", () => {
  let pushed = 0
  fc.assert(
    fc.property(fc.constantFrom(...turns), fc.oneof(anyAssessment, anyJudge), (given, opinion) => {
      const before = given.judged.verdict
      const { verdict, wouldContinue } = said(given, opinion)
      const open = before.gates.some((gate) => gate.required && gate.result !== "passed")
      assert.isFalse(verdict.complete && open && !before.complete)
      assert.strictEqual(verdict.complete, verdict.status === "complete")
      if (opinion.severity === "BLOCKER") assert.isFalse(verdict.complete)
      // What a rule has found is on record, and the rule says it.
      if (verdict.source !== "model") return
      assert.isFalse(verdict.complete && open)
      assert.isFalse(verdict.shouldContinue && !wouldContinue)
      assert.strictEqual(verdict.feedback !== null, verdict.shouldContinue)
      if (!wouldContinue) return
      pushed += 1
      assert.include(["incomplete", "stuck"], verdict.status)
      assert.isAtLeast(opinion.push, pushFrom)
      assert.isFalse(given.told)
    }),
    { numRuns: 150 }
  )
  assert.isAbove(pushed, 0)
})
