import { assert, describe, it } from "@effect/vitest"
import * as ModelGrades from "@reflexion/hooks/config/ModelGrades"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import * as ScriptedChat from "@reflexion/testing/servers/ScriptedChat"
import { Effect } from "effect"
import { join } from "node:path"
import { cases } from "../src/allow/AllowModel.ts"
import { type GradedAnswer, grade, least } from "../src/allow/grade.ts"
import { type Home, hooksHome } from "./hooksHome.ts"
import { bare } from "./runCli.ts"
import { neutral, turn } from "./sessions.ts"
import { live } from "../../core/test/support/works.ts"

type WrittenCase = (typeof cases)[number]

const env = { WORK_KEY: "sk-test-0123456789abcdefghijklmnop" }

/** The user's first words, which no other case has. */
const orderOf = ({ transcript }: WrittenCase): string => {
  const first = transcript.events.find(({ type }) => type === "user_message")
  return first?.type === "user_message" ? first.text.slice(0, 40) : ""
}

type Said = (one: WrittenCase) => string

const answer = (status: string, push: number): string =>
  JSON.stringify({ ...SampleAssessment.complete, status, push, confidence: 0.9 })

const rightly: Said = ({ push }) => (push ? answer("in_progress", 0.58) : answer("complete", 0.1))

/**
 * A server that knows the cases, and a home that names it. It calls any other session in_progress, by default with a
 * push of 0.58.
 */
const world = Effect.fnUntraced(function* (said: Said, other = 0.58) {
  const server = yield* ScriptedChat.make({
    turns: [],
    rules: [
      ...cases.map((one) => ({
        name: one.name,
        when: ({ lastUser }: { readonly lastUser: string }) => lastUser.includes(orderOf(one)),
        replies: [{ content: [{ text: said(one) }], usage: { input_tokens: 2000, output_tokens: 100 } }] as const
      })),
      { name: "other", when: () => true, replies: [{ content: [{ text: answer("in_progress", other) }] }] as const }
    ]
  })
  const home = yield* hooksHome
  const work = { api: "chat-completions", url: `${server.url}/v1`, keyEnv: "WORK_KEY" }
  home.put(".config/reflexion/config.json", JSON.stringify({ models: { timeout: 10, providers: { work } } }))
  return { home, server, asked: Effect.map(server.requests, (all) => all.length) }
})

const gradesOf = ({ home }: Home) => ModelGrades.read({ state: join(home, ".local/state/reflexion") })

const open = turn(
  "Add a retry to the fetch helper in src/http.ts. / $ sed -i s/a/b/ src/http.ts / I changed the helper."
)

describe("reflexion allow model", () => {
  live("says what it sends and costs, asks, and lets the model nudge until --revoke", function* () {
    const { asked, home, server } = yield* world(rightly)
    home.put("project/src/open.json", neutral([open]))
    const nudges = Effect.map(home.run("judge open.json --model work/medium --format json", { env }), ({ out }) => {
      const verdict: { readonly shouldContinue: boolean } = JSON.parse(out)
      return verdict.shouldContinue
    })
    assert.isFalse(yield* nudges)
    const { code, err, out } = yield* home.run("allow model work/medium", { answers: ["y"], env, terminal: 100 })
    assert.deepStrictEqual([code, yield* asked], [0, 31], err)
    for (const part of [
      "30 sample sessions that come with reflexion, half of them honest; none of your data",
      "Send them? [y/N]",
      "30 of 30 answers are right",
      "15 of 15 premature stops",
      "60,000 in, 3,000 out",
      'The model may nudge an agent if its probability for "not done" is 0.55 or more. Saved in ~/.local/state/reflexion/model-grades.json.'
    ])
      assert.include(bare(out), part)
    const [kept] = gradesOf(home).values()
    assert.deepInclude(kept, { right: 30, cases: 30, from: 0.55 })
    // Nothing of this machine or its user is in a question.
    for (const { payload } of (yield* server.requests).slice(1)) assert.notInclude(payload, home.root)
    assert.isTrue(yield* nudges)
    const revoked = yield* home.run("allow model work/medium --revoke", { env })
    assert.deepStrictEqual([revoked.code, revoked.out], [0, "The result of work/medium is deleted."])
    assert.isFalse(yield* nudges)
    assert.strictEqual(gradesOf(home).size, 0)
  })

  live("a model with fewer than 24 right answers may inform the user, but not nudge", function* () {
    const { home } = yield* world(() => answer("in_progress", 0.99), 0.9)
    const { code, out } = yield* home.run("allow model work/medium --yes", { env })
    assert.strictEqual(code, 1)
    assert.include(out, "15 of 30 answers are right")
    const told =
      "reflexion tells you what this model finds, but the model nudges no agent: that needs 24 right answers."
    assert.include(bare(out), told)
    home.put("project/src/open.json", neutral([open]))
    const judged = yield* home.run("judge open.json --model work/medium --format json", { env })
    const { shouldContinue, status } = JSON.parse(judged.out)
    assert.deepStrictEqual([status, shouldContinue], ["incomplete", false])
  })
})

const all = (count: number, push: boolean, said: string | null, probability: number): ReadonlyArray<GradedAnswer> =>
  Array.from({ length: count }, (_, at) => ({ name: `${push}${at}`, push, said, probability }))

describe("what a model earns", () => {
  it.each([
    ["the threshold with the most right answers", ["in_progress", 0.62], ["in_progress", 0.57], 30, 0.6],
    ["the highest of equal thresholds", ["stuck", 0.9], ["complete", 0.1], 30, 0.65],
    ["nothing with too few right answers", ["in_progress", 0.9], ["in_progress", 0.9], 15, null],
    ["nothing for unreadable answers", [null, 0.9], ["complete", 0.1], 15, null],
    ["nothing for a status that does not nudge", ["complete", 0.9], ["complete", 0], 15, null]
  ] as const)("is %s", (_, early, honest, right, from) => {
    const found = grade([...all(15, true, early[0], early[1]), ...all(15, false, honest[0], honest[1])])
    assert.deepInclude(found, { right, from })
    assert.strictEqual(found.right >= least, found.from !== null)
  })

  it("is measured by thirty cases, half of them honest", () => {
    assert.deepStrictEqual([cases.length, cases.filter(({ push }) => push).length], [30, 15])
    assert.strictEqual(new Set(cases.map(({ name }) => name)).size, 30)
  })
})
