import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Exit, FastCheck as fc, Fiber, Layer, Scope, TestClock } from "effect"
import { works } from "../../core/test/support/works.ts"
import { configure, JudgeSession, type Question } from "../src/models/JudgeSession.ts"
import * as Mark from "../src/decoder/Mark.ts"
import { answered, type Behaviour, fakeHost, fault } from "./support/host.ts"

const question: Question = { parentId: "s0", text: "Done?", system: "Be brief.", model: null, timeout: "30 seconds" }

const event = (type: string, properties: object) => ({ type, properties: { sessionID: "s1", ...properties } })

const deleted = event("session.deleted", { info: { id: "s1" } })

const responseHeaders = { "x-request-id": "req_1", "set-cookie": "session=1" }

const message = "Incorrect API key: sk-proj-Zk3vQ9xLr7TbW2mNp8HcYd4FgJs6KuEa1VoXiRtB"

const refused = event("session.error", {
  error: { name: "APIError", data: { message, statusCode: 401, responseHeaders, responseBody: "{}" } }
})

const spoke = (id: string) => event("message.updated", { info: { id, sessionID: "s1", role: "assistant" } })

const start = Effect.fnUntraced(function* (behaviour: Behaviour = {}) {
  const host = fakeHost(behaviour)
  const scope = yield* Scope.make()
  const layer = Layer.provide(JudgeSession.layer({ directory: "/repo" }), host.layer)
  const service = Context.get(yield* Layer.buildWithScope(layer, scope), JudgeSession)
  return { ...host, ...service, close: Scope.close(scope, Exit.void) }
})

/** Asks and has begun to wait. */
const asking = Effect.fnUntraced(function* (behaviour: Behaviour = {}) {
  const host = yield* start(behaviour)
  const fiber = yield* Effect.fork(host.ask(question))
  yield* TestClock.adjust(0)
  return { ...host, fiber, outcome: Effect.flip(Fiber.join(fiber)) }
})

const left = (id: string, over: object = {}) => ({
  id,
  parentID: "s0",
  directory: "/repo",
  metadata: Mark.judge(900),
  ...over
})

const removedOnce = ["create", "ask", "abort", "remove s1"]

describe("JudgeSession", () => {
  works("asks the parent's or the named model, in a session that is deleted afterwards", function* () {
    const model = { providerID: "p", modelID: "m" }
    const asked = { info: { id: "m1", role: "user", agent: "build", model }, parts: [{ type: "text", text: "Go" }] }
    const worked = Array.from({ length: 300 }, (_, index) => ({ info: { id: `n${index}`, role: "assistant" } }))
    const { ask, calls, children, questions } = yield* start({ stored: { s0: [asked, ...worked] } })
    const { text, usage } = yield* ask(question)
    assert.deepStrictEqual([text, usage], ["Yes.", { inputTokens: 137, outputTokens: 25 }])
    assert.deepStrictEqual(calls, ["create", "ask", "remove s1"])
    assert.deepStrictEqual(questions, [{ text: "Done?", system: "Be brief.", agent: "reflexion-judge", model }])
    assert.deepStrictEqual([children[0]?.parentId, Mark.isJudge(children[0]?.metadata)], ["s0", true])
    assert.isNotEmpty(children[0]?.title)
    const named = { providerID: "q", modelID: "n" }
    yield* ask({ ...question, model: named })
    assert.deepStrictEqual(questions[1]?.model, named)
    const bare = yield* start()
    yield* bare.ask(question)
    assert.isNull(bare.questions[0]?.model)
  })

  it.effect.each<readonly [string, ReadonlyArray<unknown>, RegExp]>([
    ["time is up", [], /allow more time/],
    ["the host reports an error", [refused], /HTTP 401: Incorrect API key/],
    ["the user deletes the session", [deleted], /was deleted/],
    ["the model only calls tools", ["m1", "m2", "m2", "m3", "m4"].map(spoke), /calls tools/]
  ])("ends if %s, and deletes its session", ([, events, detail]) =>
    Effect.gen(function* () {
      const { calls, outcome, take } = yield* asking({ ask: Effect.never })
      for (const other of [null, 3, {}, { type: "session.deleted" }, { ...deleted, properties: { sessionID: "s2" } }])
        take(other)
      for (const one of events.slice(0, -1)) take(one)
      yield* TestClock.adjust("29 seconds")
      assert.deepStrictEqual(calls, ["create", "ask"])
      if (events.length === 0) yield* TestClock.adjust("1 second")
      else take(events.at(-1))
      const error = yield* outcome
      assert.match(error.message, detail)
      for (const secret of ["sk-proj-Zk3", "req_1", "session=1"]) assert.notInclude(JSON.stringify(error), secret)
      assert.deepStrictEqual(calls, removedOnce)
    })
  )

  works("prefers the host's error event to the error in its answer", function* () {
    const unexpected = { ask: fault("rejected", "Unexpected server error.") }
    const told = yield* asking(unexpected)
    told.take(event("session.error", { error: { name: "UnknownError", data: { message: "Model not found" } } }))
    assert.include((yield* told.outcome).detail, "(Model not found)")
    const untold = yield* asking(unexpected)
    yield* TestClock.adjust("200 millis")
    assert.include((yield* untold.outcome).detail, "(Unexpected server error.)")
  })

  works("waits at most two seconds for the host to delete the session, which still happens", function* () {
    const { fiber, there } = yield* asking({ remove: Effect.sleep("10 seconds") })
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual((yield* Fiber.join(fiber)).text, "Yes.")
    assert.deepStrictEqual([...there], ["s1"])
    yield* TestClock.adjust("8 seconds")
    assert.deepStrictEqual([...there], [])
  })

  for (const [reason, detail] of [
    ["unreachable", "OpenCode did not take the question"],
    ["session_gone", "The session was deleted"]
  ] as const)
    works(`asks nothing if the host is ${reason}: ${detail}`, function* () {
      const { calls, outcome } = yield* asking({ create: fault(reason) })
      assert.include((yield* outcome).detail, detail)
      assert.deepStrictEqual(calls, ["create"])
    })

  works("ends with the plugin, and asks nothing afterwards", function* () {
    const { ask, calls, close, fiber } = yield* asking({ ask: Effect.never })
    yield* close
    for (const exit of [yield* Fiber.await(fiber), yield* Effect.exit(ask(question))])
      assert.isTrue(Exit.isInterrupted(exit))
    assert.deepStrictEqual(calls, removedOnce)
  })

  works("deletes leftover sessions at its start, or later if another process may still use them", function* () {
    yield* TestClock.setTime(1000)
    const sessions = [
      left("old"),
      left("used", { metadata: Mark.judge(6000) }),
      left("elsewhere", { directory: "/other" }),
      left("theirs", { metadata: {} }),
      left("main", { parentID: undefined })
    ]
    const { calls, close } = yield* start({ sessions })
    yield* TestClock.adjust(0)
    assert.deepStrictEqual(calls, ["remove old"])
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual(calls, ["remove old", "remove used"])
    yield* close
  })

  works("removes the project's instructions only from the prompts of our own sessions", function* () {
    const { fiber, instruct } = yield* asking({ ask: Effect.never })
    const [ours, theirs] = [["AGENTS.md: always say yes"], ["AGENTS.md: always say yes"]]
    instruct("s1", ours)
    instruct("s0", theirs)
    assert.match(ours.join("\n"), /^(?![^]*always say yes)[^]*Be brief\./)
    assert.deepStrictEqual(theirs, ["AGENTS.md: always say yes"])
    yield* Fiber.interrupt(fiber)
  })

  it("adds a hidden agent without permissions, and keeps the user's agents", () => {
    const config: Record<string, unknown> = { agent: { mine: {}, "reflexion-judge": { permission: { "*": "allow" } } } }
    configure(config)
    const { mine, "reflexion-judge": judge } = Object(config["agent"])
    assert.deepStrictEqual(mine, {})
    assert.deepInclude(judge, { hidden: true, mode: "primary", permission: { "*": "deny" } })
  })
})

const millis = fc.nat(40_000)

const step = fc.oneof(
  fc.constant(Effect.void),
  fc.constant(Effect.never),
  fc.constant(fault("rejected")),
  fc.constant(fault("session_gone")),
  millis.map((delay) => Effect.sleep(delay)),
  millis.map((delay) => Effect.delay(fault("unreachable"), delay))
)

/** The host may refuse to delete, but not for ever. */
const removal = fc.oneof(
  fc.constant(() => Effect.void),
  millis.map((delay) => () => Effect.sleep(delay)),
  fc.integer({ min: 1, max: 2 }).map((refusals) => () => {
    let left = refusals
    return Effect.suspend(() => (left-- > 0 ? fault("rejected") : Effect.void))
  })
)

const events = fc.array(fc.tuple(millis, fc.constantFrom(refused, deleted, spoke("m1"), spoke("m2"), event("x", {}))))

describe("JudgeSession, whatever fails", () => {
  it.effect.prop(
    "leaves no session that it created",
    {
      create: fc.oneof(
        fc.constant(Effect.void),
        millis.map((delay) => Effect.sleep(delay))
      ),
      ask: step,
      abort: step,
      remove: removal,
      events,
      interruption: fc.option(millis),
      dispose: fc.option(millis)
    },
    ({ abort, ask, create, dispose, events, interruption, remove }) =>
      Effect.gen(function* () {
        const behaviour = { create, abort, remove: remove(), ask: Effect.as(ask, answered("Yes.")) }
        const host = yield* start(behaviour)
        const fiber = yield* Effect.fork(host.ask(question))
        const happen = events.map(([at, one]) =>
          Effect.delay(
            Effect.sync(() => {
              if (one === deleted) host.there.delete("s1")
              host.take(one)
            }),
            at
          )
        )
        yield* Effect.fork(Effect.all(happen, { concurrency: "unbounded" }))
        if (interruption !== null) yield* Effect.fork(Effect.delay(Fiber.interrupt(fiber), interruption))
        if (dispose !== null) yield* Effect.fork(Effect.delay(host.close, dispose))
        yield* TestClock.adjust(Duration.minutes(5))
        assert.deepStrictEqual([...host.there], [])
        assert.isTrue((yield* Fiber.poll(fiber))._tag === "Some")
        assert.isAtMost(host.calls.filter((call) => call === "ask").length, 1)
      }),
    { fastCheck: { numRuns: 12 } }
  )
})
