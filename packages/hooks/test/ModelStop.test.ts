/** Stops at which a model is asked or not, and which no row of stops.rows.txt can express. */
import { assert, describe } from "@effect/vitest"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as ScriptedChat from "@reflexion/testing/servers/ScriptedChat"
import { Effect } from "effect"
import { live } from "../../core/test/support/works.ts"
import * as Trust from "../src/config/Trust.ts"
import * as ModelHost from "./support/modelHost.ts"
import * as Support from "./support/session.ts"
import { configure, reasons, scratch, session } from "./support/session.ts"

describe("a stop of a session whose record is too long to be held", () => {
  live("has its checks run and no change reviewed, and the log says why", function* () {
    const scratched = yield* scratch
    const server = yield* ScriptedChat.make({ turns: [], rules: [] })
    const providers = { local: { api: "chat-completions", url: `${server.url}/v1` } }
    scratched.put("package.json", '{"type":"module","scripts":{"test":"node --test"}}')
    configure(scratched, {
      checks: [{ name: "tests", command: "echo 'Tests  3 passed (3)'" }],
      crossReview: { reviewer: "local/reviewer-1" },
      models: { providers }
    })
    const agent = session(scratched, "s1").user(Support.task).edits("src/total.js")
    const large = "Word for word. ".repeat(140_000)
    for (const _ of Array.from({ length: 10 })) agent.says(large)
    agent.says(Support.claim)
    yield* Effect.promise(() => agent.consulted(Support.claim))
    assert.deepNestedInclude(Support.record(scratched), {
      "evidence.checks[0].result": "passed",
      "verdict.complete": true
    })
    assert.include(reasons(scratched), "no cross review: the task's record is too long")
    assert.notInclude(reasons(scratched), "to ask a model about the stop")
    assert.deepStrictEqual(yield* server.requests, [])
  })
})

describe("a stop that a model is asked about", () => {
  live("tells the reader what the user wants looked at, in projects that they trust alone", function* () {
    const scratched = yield* scratch
    const { requests, url } = yield* ScriptedChat.make({
      turns: [],
      rules: [{ name: "reader", when: () => true, replies: [ModelScript.say("{}")] }]
    })
    const providers = { local: { api: "chat-completions", url: `${url}/v1` } }
    configure(scratched, { model: "local/reader-1", models: { providers } })
    scratched.put(".reflection.md", "Look at the retries with care.")
    scratched.put("package.json", "{}")
    const agent = session(scratched, "s1").user(ModelHost.asked).edits("src/parser.js").says(ModelHost.claim)
    yield* Effect.promise(() => agent.consulted(ModelHost.claim))
    const before = yield* requests
    assert.isTrue(before.length > 0 && !before.some(({ payload }) => payload.includes("Look at the retries")))
    const { directories } = scratched.hook
    Trust.trust(directories, Trust.Workspace.at(directories, scratched.root))
    agent.user(`${ModelHost.asked} Bitte.`).edits("src/parser.js").says(ModelHost.claim)
    yield* Effect.promise(() => agent.consulted(ModelHost.claim))
    const after = (yield* requests).slice(before.length)
    assert.isTrue(after.length > 0 && after.every(({ payload }) => payload.includes("Look at the retries")))
  })
})
