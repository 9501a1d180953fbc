import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import * as Answers from "../../src/model/assessment/Answer.ts"
import { isAsked } from "../../src/review/tiers/BeyondEvidence.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { transcript, user } from "../support/events.ts"
import { session, table } from "../support/sessions.ts"
import { assessment, deploys, german, item, seenOf, unchanged, unknownTests } from "../support/opinions.ts"

const remindedBy = (fact: string, isUnsure: boolean) => {
  const given = { facts: [fact], actions: [], human: [], maxAttempts: 3, attempt: 1 }
  return user(Feedback.render({ ...given, ...(isUnsure && { unsure: true }) }), { synthetic: true })
}

const words = {
  fix: "> Fix it and run the tests.",
  source: "edit /repo/a.ts",
  order: "> Behebe den Parser und schreibe Tests dazu.",
  parser: "edit /repo/src/parser.ts",
  next: "Der Parser ist jetzt behoben. Als Nächstes schreibe ich die Tests für die Randfälle.",
  german: "order / parser / next"
}

const asked = (events: ReadonlyArray<TranscriptEvent>, rest: Parameters<typeof transcript>[1] = {}): boolean => {
  const { judged, options, state } = seenOf(transcript(events, rest))
  return isAsked(state, judged.verdict, options)
}

const reminded = remindedBy("It is open.", true)

const again = [...german, reminded, ...german.slice(1)]

/** Why a model is asked about a stop or not, and how the session went. */
const rows = String.raw`
  asked :: evidence proves it :: fix / source / $ npm test / Done.
  asked :: the agent asks :: > Add a login page. / Which database should I use?
  asked :: the record lacks how a call ended :: order / call? Edit {"file_path":"/repo/a.ts"} / Der Parser ist behoben, und ich werde noch die Tests schreiben.
  asked :: an order that cannot be read came to nothing :: order / Der Parser ist jetzt behoben, und die Tests sind geschrieben.
  asked :: a question led to a change :: > Why is it red? / source / It was a typo.
  not :: an ordered check never ran :: fix / source / Done.
  not :: an ordered check failed :: fix / source / $1 npm test => 1 failed, 3 passed / Done.
  not :: it is interrupted :: order / parser / notice aborted
  not :: the model's service failed :: german / notice api_error: overloaded
  not :: a usage limit stopped it :: german / notice rate_limited: weekly limit reached
  not :: the user refused a call :: order / parser / edit-denied /repo/src/lexer.ts / next
  not :: a request is made again :: german / notice api_error: retrying in 4 s (attempt 2)
  not :: nothing was said :: order / parser
  not :: a question was answered :: > What does this do? / It parses the file.
  not :: there is no task :: Der Parser ist jetzt behoben und alles ist gut und fertig.
  not :: the next message waits :: german / notice input_queued
  not :: it plans :: order / mode plan / parser / next
`

const byName: ReadonlyArray<readonly [string, string, ReadonlyArray<TranscriptEvent>]> = [
  ["asked", "nothing was changed though a change was asked for", unchanged],
  ["asked", "the final text cannot be read", german],
  ["asked", "how a required check ended is not known", unknownTests],
  ["asked", "what was run last failed", deploys],
  ["asked", "a reminder was evidence's own", [...german, remindedBy("It is open.", false), ...german.slice(1)]],
  ["not", "a model has sent the agent on before", again],
  ["asked", "the user has said something since", [...again, user("Behebe nun den Lexer."), ...german.slice(1)]],
  ...table(rows).map(([expected = "", why = "", line = ""]) => [expected, why, session(line, words)] as const)
]

describe("which stops a model is asked about", () => {
  it.each(byName)("%s if %s", (expected, _, events) => assert.strictEqual(asked(events), expected === "asked"))

  it("not about a subagent, nor unattended if a fact decides, in any language", () => {
    assert.isFalse(asked(german, { parentSessionId: "p" }))
    const before = session("> Fix it and run npm test. / source / $ npm test => 4 passed / Done.", words)
    assert.isFalse(asked([...before, ...german], { attended: false }))
  })

  it.each([
    "src/a.ts is ported. Now on to src/b.ts.",
    "src/a.ts is ported.\n\nRemaining: src/b.ts and src/c.ts.",
    "src/a.ts is ported.\n\n- [ ] src/b.ts\n- [ ] src/c.ts",
    "Ported to the new API."
  ])("asked if a part of the order may be missing, attended or not: %s", (text) => {
    const events = session(`> Port src/a.ts, src/b.ts and src/c.ts to the new API. / edit /repo/src/a.ts / ${text}`)
    for (const attended of [true, false]) assert.isTrue(asked(events, { attended }))
  })
})

const open = (more: string) => `{"status":"in_progress","confidence":0.7${more}}`

describe("the reader of answers", () => {
  const whole = JSON.stringify(assessment({ remaining_work: [{ what: "tests", event: "e1", quote: "write tests" }] }))

  it.each<readonly [string, string, Partial<Answers.Answer>]>([
    ["in a fence, after words", `I looked.\n\`\`\`json\n${whole}\n\`\`\``, { status: "complete" }],
    ["the last of two", `${whole}\n${whole.replace('"complete"', '"blocked"')}`, { status: "blocked" }],
    ["bare keys and a trailing comma", "{status: 'complete', confidence: 0.9,}", { status: "complete" }],
    ["another spelling", '{"status":"In Progress","confidence":"0.7"}', { status: "in_progress" }],
    ["another word for it", '{"status":"incomplete","confidence":1}', { status: "in_progress" }],
    ["a status and a probability alone", '{"status":"complete","push":0.1}', { push: 0.1, confidence: null }],
    ["its sureness for the push", open(""), { push: 0.7 }],
    ["no sureness of waiting for the push", '{"status":"waiting_for_user","confidence":0.7}', { push: 0 }],
    ["its push before its sureness", open(',"push":"0.25"'), { push: 0.25 }],
    ["no evidence that is no object", open(',"evidence":"all of it"'), { evidence: null }],
    ["evidence as it is given", open(',"evidence":{"tests":{"ran":false}}'), { evidence: { tests: { ran: false } } }],
    ["a bare sentence", open(',"remaining_work":["the tests"]'), { remaining_work: [item({ what: "the tests" })] }],
    ["ids", open(',"remaining_work":[{"what":"x","id":"e2"}]'), { remaining_work: [item({ what: "x", event: "e2" })] }],
    [
      "claims, and no claim without an outcome",
      open(',"claims":[{"check":"tests","outcome":"pass","quote":"green"},{"check":"lint","outcome":"maybe"},"x"]'),
      { claims: [{ check: "tests", outcome: "passed", quote: "green" }] }
    ]
  ])("reads %s", (_, text, expected) => assert.deepInclude(Answers.read(text), expected))

  it.each([
    ["no object", "It is done."],
    ["no status", '{"confidence":1}'],
    ["an unknown status", '{"status":"fine","confidence":1}'],
    ["no probability", '{"status":"complete"}'],
    ["a probability of 70", open(',"push":70')],
    ["a probability below 0", open(',"push":-1')],
    ["a probability in words", open(',"push":"much"')],
    ["a confidence that is none", '{"status":"complete","confidence":90}'],
    ["a whole answer before one that was cut off", `${whole} ${whole.slice(0, 40)}`],
    ["a list", `[${whole.slice(0, 10)}]`]
  ])("reads nothing from %s", (_, text) => assert.isNull(Answers.read(text)))

  it("applies a given change to every text of an answer", () => {
    const given = assessment({ next_steps: ["x"], remaining_work: [{ what: "x", quote: "x", event: "x" }] })
    const read = Answers.read(JSON.stringify(given), (words) => (words === "x" ? "y" : words))
    assert.deepStrictEqual(read?.next_steps, ["y"])
    assert.deepStrictEqual(read?.remaining_work, [item({ what: "y", quote: "y", event: "y" })])
    assert.deepStrictEqual(Answers.read(JSON.stringify(given)), given)
  })

  it("never accepts a truncated answer, and never throws", () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.string(), fc.jsonValue(), (cut, noise, value) => {
        assert.isNull(Answers.read(`${noise.replaceAll(/[{}]/g, "")}${whole.slice(0, cut)}`))
        Answers.read(`${noise}${JSON.stringify({ status: "complete", push: 0, evidence: value, claims: value })}`)
      })
    )
  })
})
