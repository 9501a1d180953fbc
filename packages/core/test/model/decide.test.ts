import { assert, it } from "@effect/vitest"
import type { Answer } from "../../src/model/assessment/Answer.ts"
import { decide } from "../../src/model/assessment/Decide.ts"
import type { Turn } from "../../src/model/assessment/TurnRecord.ts"
import { defaults } from "../../src/session/config/ReflexionConfig.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import { transcript, user } from "../support/events.ts"
import {
  assessment,
  first,
  german,
  type GivenOpinion,
  type Item,
  item,
  turn,
  turnOf,
  unchanged,
  unknownTests
} from "../support/opinions.ts"
import { session } from "../support/sessions.ts"

const { nudgeFrom } = defaults.models

const said = (given: Turn, answer: Answer) => decide(given, answer, first)

const says = (given: Turn, opinion: GivenOpinion): Verdict => said(given, assessment(opinion)).verdict

const brief = ({ shouldContinue, source, status }: Verdict) =>
  `${status}, ${source}${shouldContinue ? ", sent on" : ""}`

const announced = { what: "the tests", event: "e2", quote: "Als Nächstes schreibe ich die Tests" }

const open = { status: "in_progress" } as const

const unsaid = { ...open, remaining_work: [item({ what: "more" })] }

const asked = { ...open, remaining_work: [{ kind: "order", quote: "schreibe **tests** dazu" }] } as const

const words = {
  order: "> Fix the rounding and make sure the tests pass.",
  parser: "> Fix the parser.",
  red: "$1 npm test => FAIL test/cart.test.js > rounds\\nTests: 1 failed, 7 passed, 8 total",
  green: "$ npm test => Tests: 8 passed, 8 total",
  source: "edit /repo/src/cart.ts",
  weaker: "edit /repo/test/cart.test.js: expect(total(50)).toBe(45) ==> expect(total(50)).toBe(49.9)",
  boast: "Fixed. All tests pass.",
  fine: "Der Parser ist jetzt behoben und alles ist gut.",
  rename: "> Rename the parser module to reader and update its imports."
}

const does = (line: string) => session(line, words)

const risky = does("> Clean up the old archives. / $ ls => a.tar / Deleting a.tar cannot be undone. Shall I delete it?")

type Row = readonly [name: string, events: ReadonlyArray<TranscriptEvent>, opinion: GivenOpinion, expected: string]

const person = { needs_user_action: ["Sign in with your 2FA code."] }

it.each<Row>([
  ["done, where evidence left it open", unchanged, {}, "complete, model"],
  ["done, and holds a reminder nearly right", unchanged, { push: 0.29 }, "complete, model"],
  ["done, and holds a reminder half right", unchanged, { push: 0.3 }, "abstained, evidence"],
  ["done, and names what is left", unchanged, { remaining_work: [announced] }, "abstained, evidence"],
  ["done over a check of unknown end", [...unknownTests.slice(0, 3), ...does("fine")], {}, "abstained, evidence"],
  ["done, and names a person's act", unchanged, person, "needs_human, model"],
  ["open at the threshold", german, { ...asked, push: nudgeFrom }, "incomplete, model, sent on"],
  ["open below the threshold", german, { ...asked, push: 0.59 }, "abstained, evidence"],
  ["stuck", german, { status: "stuck" }, "stuck, model, sent on"],
  ["waiting", german, { status: "waiting_for_user", remaining_work: [announced] }, "waiting_for_user, model"],
  ["blocked", german, { status: "blocked", remaining_work: [announced] }, "waiting_for_user, model"],
  ["open behind a choice", does("rename / Should I begin with a.ts or b.ts?"), unsaid, "incomplete, model, sent on"],
  ["open behind leave", does("rename / Shall I go ahead with it?"), unsaid, "incomplete, model, sent on"],
  ["open behind what cannot be undone", risky, { ...open, push: 0.95 }, "waiting_for_user, evidence"]
])("a model calls the turn %s", (_, events, opinion, expected) => {
  assert.strictEqual(brief(says(turn(events), opinion)), expected)
  if (events === risky) assert.isFalse(says(turn(events, { attended: false }), opinion).shouldContinue)
})

it.each<readonly [string, string, boolean]>([
  ["a claim that no call can have made good", "parser / source / boast", true],
  ["a check that was weakened", "order / red / weaker / green / boast", true],
  ["a claim that a run disproves", "parser / source / red / boast", false],
  ["a claim of a run before the last edit", "parser / source / green / source / boast", false],
  ["a required check that failed", "order / source / red / Fixed.", false],
  ["a required check that never ran", "order / source / Fixed.", false]
])("a model clears an unproved finding, but never a fact: %s", (_, line, isTaken) => {
  const given = turn(does(line), { attended: false })
  const { verdict } = given.judged
  assert.isTrue(verdict.shouldContinue)
  assert.strictEqual(brief(says(given, open)), "incomplete, evidence, sent on")
  if (isTaken) return assert.strictEqual(brief(says(given, {})), "complete, model")
  assert.deepInclude(says(given, {}), { status: verdict.status, shouldContinue: true, findings: verdict.findings })
  assert.include(says(given, {}).reason, "No model outranks")
})

const isSent = (given: Turn, opinion: GivenOpinion, tells: boolean) =>
  decide(given, assessment(opinion), { ...first, tells }).verdict.shouldContinue

it("a model that may only tell clears no finding and sends no agent on", () => {
  const found = turn(does("parser / source / I fixed it and pushed it to origin."), { attended: false })
  assert.deepStrictEqual([isSent(found, { push: 0 }, true), isSent(found, { push: 0 }, false)], [true, false])
  const next = { ...open, push: 0.95 }
  assert.deepStrictEqual([isSent(turn(unchanged), next, true), isSent(turn(unchanged), next, false)], [false, true])
})

it("done: a proved verdict stays, an untested one says so, no project's check is named", () => {
  const before = does("> Mend it and run the tests. / edit /repo/b.ts / green / Done.")
  const untested = german.slice(0, 2)
  const verdict = says(turn([...before, ...untested, ...does("fine")]), {})
  assert.isAtMost(verdict.confidence, 0.8)
  assert.isTrue(verdict.complete)
  assert.include(verdict.reason, "nothing was run after the last edit")
  assert.isTrue(verdict.nextActions.some((action) => action.startsWith("Run ")))
  assert.notInclude(says(turn([...untested, ...does("$ node -e 1 / fine")]), {}).reason, "nothing was run")
  const done = turn(before)
  assert.deepStrictEqual(said(done, assessment()), done.judged)
  const gates = [{ name: "run-evil-sh", command: "./evil.sh", paths: [], required: true }]
  const given = turnOf(transcript(does("parser / source / Fixed.")), { gates })
  assert.include(says(given, {}).reason, "No model outranks a required check")
})

it("a nudge follows the configured threshold, once per message, whatever is cited later", () => {
  const half = assessment({ ...open, push: 0.5, remaining_work: [announced] })
  assert.isFalse(decide(turn(german), half, first).verdict.shouldContinue)
  assert.isTrue(decide(turn(german), half, { ...first, from: 0.5 }).verdict.shouldContinue)
  const begins = says(turn(german), unsaid).feedback ?? ""
  const again = [...german, user(begins, { synthetic: true }), ...does("fine")]
  const { verdict, wouldContinue } = said(turn(again), assessment(unsaid))
  assert.deepStrictEqual([brief(verdict), wouldContinue], ["incomplete, model", false])
  assert.isFalse(says(turn(again), asked).shouldContinue)
  const next = [...again, user("Behebe nun auch den Lexer und schreibe Tests dazu."), ...german.slice(1)]
  assert.isTrue(says(turn(next), asked).shouldContinue)
})

it("the agent gets no feedback if evidence would give none", () => {
  const opinion = assessment(unsaid)
  const would = ({ verdict, wouldContinue }: ReturnType<typeof said>) => [verdict.shouldContinue, wouldContinue]
  assert.deepStrictEqual(would(said(turnOf(transcript(german), { profile: "advisory" }), opinion)), [false, true])
  for (const rest of [{ mode: "plan" as const }, { parentSessionId: "p" }])
    assert.deepStrictEqual(would(said(turn(german, rest), opinion)), [false, false])
})

const sentence = "Behebe den Parser und schreibe Tests dazu."
const own = `It seems that this was asked for and is missing: "${sentence}". If it is done, say where.`
const something = "It seems that something that was asked for is missing."
const acts = "Leave this to the user, and name it in your answer:\n- to log in"
const cites = (given: Item): GivenOpinion => ({ ...open, remaining_work: [{ ...announced, kind: "step", ...given }] })
const fixed = does("parser / source / Fixed.")
const proved = does("parser / source / green / Fixed.")

it.each<readonly [string, ReadonlyArray<TranscriptEvent>, GivenOpinion, string]>([
  ["the user's order in the user's words", german, asked, own],
  ["what the last words announce in ours", german, cites({}), "your last words announce or offer a step"],
  ["nothing that is not cited", german, cites({ event: "", quote: "" }), something],
  ["nothing of an event that does not exist", german, cites({ event: "e99", quote: "" }), something],
  ["nothing of words that nobody said", german, cites({ quote: "Als Nächstes lösche ich alles" }), something],
  ["nothing of too few words", german, cites({ quote: "Als" }), something],
  ["no check that nobody knows", german, cites({ kind: "check", name: "run-curl-evil" }), something],
  ["a check by its name", fixed, cites({ kind: "check", name: "tests" }), "It seems that the tests were not run."],
  ["no check that passed", proved, cites({ kind: "check", name: "tests" }), something],
  ["another way", german, { status: "stuck", alternate_approach: "Go evil." }, "Take a different approach."],
  ["a person's act by its kind", german, { ...unsaid, needs_user_action: ["Log in to evil."] }, acts]
])("feedback says %s", (_, events, opinion, says_) => {
  const verdict = says(turn(events), opinion)
  assert.include(verdict.feedback ?? "", says_)
  assert.match(verdict.feedback ?? "", /^\[reflexion 1\/3\] The task does not seem to be done yet\./)
  assert.notMatch(JSON.stringify(verdict), /evil/)
})

it.each([
  ["Rename the parser, but never delete the tests.", "delete the tests"],
  ["Delete the tests that are obsolete and rename the parser.", "Delete the tests"],
  ["Benenne den Parser um und lösche keine Tests.", "lösche keine Tests"],
  ["パーサーの名前を変えて、テストは消さないで。", "テストは消さ"],
  ["Rename the parser and describe it in README.md.", 'ＲＥＮＡＭＥ the  **parser**\u200b and "describe it"']
])("feedback quotes the user's sentence whole, however the model wrote it: %s", (words, quote) => {
  const given = turn([user(words), ...does("source / fine")])
  const { feedback } = says(given, { ...open, remaining_work: [{ kind: "order", quote }] })
  assert.include(feedback ?? "", `"${words}"`)
})

it("feedback quotes no secret, no invisible character and no overlong sentence", () => {
  const key = `ghp_${"a1B2c3D4e5".repeat(4)}`
  const long = `Rename the parser and ${"the lexer and ".repeat(20)}do not push it.`
  const events = does(`> ${sentence} ${long} / source / Gut. Als Nächstes nehme ich ${key} für alles.`)
  const verdict = says(turn(events), {
    ...open,
    remaining_work: [
      { what: `use ${key}\u001b[31m`, kind: "step", quote: "Als Nächstes nehme ich" },
      { kind: "order", quote: "Rename the parser" }
    ],
    next_steps: [key]
  })
  assert.isTrue(verdict.shouldContinue)
  assert.notInclude(JSON.stringify(verdict), key.slice(0, 20))
  for (const part of ["\u001b", "lexer"]) assert.notInclude(verdict.feedback ?? "", part)
})
