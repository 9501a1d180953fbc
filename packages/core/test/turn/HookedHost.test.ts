import { FileSystem, Path } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Stream, TestClock } from "effect"
import { AgentHost, type Injection } from "../../src/turn/program/AgentHost.ts"
import * as HookedHost from "../../src/turn/program/HookedHost.ts"
import * as NeutralTranscript from "../../src/session/transcript/NeutralTranscript.ts"
import * as Transcript from "../../src/session/transcript/Transcript.ts"

const asked = { type: "user_message", id: "u1", text: "Fix the total and run npm test." } as const
const said = { type: "assistant_message", text: "Fixed." } as const

/** The records by their paths; a test changes them as a host would. */
const records = new Map<string, ReadonlyArray<Transcript.Fields["events"][number]>>()

const bytesOf = (path: string) =>
  new TextEncoder().encode(JSON.stringify(Transcript.make({ cwd: "/repo", events: records.get(path) ?? [] })))

const disk = FileSystem.layerNoop({ stream: (path) => Stream.suspend(() => Stream.make(bytesOf(path))) })

const adapter: HookedHost.Adapter = {
  name: "mine",
  kinds: { Stop: "stop", Prompt: "work", Esc: "interrupt", Failed: "failure" },
  plan: () => null,
  background: () => null,
  decoder: NeutralTranscript.decoder,
  subagentCalls: () => Effect.succeed([]),
  encode: (all) => all
}

const host = Layer.provide(HookedHost.layer(adapter), Layer.merge(disk, Path.layer))

const payload = (name: string, rest: object = {}) => ({
  hook_event_name: name,
  session_id: "s1",
  transcript_path: "/s1.json",
  cwd: "/elsewhere",
  ...rest
})

const injection: Injection = {
  text: "Go on.",
  attempt: 1,
  maxAttempts: 3,
  reviewId: "s1/1",
  userMessageId: "u1",
  silentSince: null,
  notice: "reflexion asked the agent to go on."
}

/** A stop under way, with the events that it told. */
const held = Effect.gen(function* () {
  records.set("/s1.json", [asked, said])
  const { deliver } = yield* HookedHost.HookInbox
  const { events } = yield* AgentHost
  const [seen, failed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const tags: Array<string> = []
  const note = Stream.runForEach(events, ({ event }) => {
    tags.push(event._tag)
    if (event._tag === "Error") return Deferred.succeed(failed, undefined)
    return event._tag === "Idle" ? Deferred.succeed(seen, undefined) : Effect.void
  })
  yield* Effect.forkScoped(note)
  const answer = yield* Effect.fork(deliver(payload("Stop")))
  yield* Deferred.await(seen)
  return { answer, deliver, failed: Deferred.await(failed), tags }
})

describe("HookedHost", () => {
  it.scoped("holds a stop until it is settled, and answers with what was said", () =>
    Effect.gen(function* () {
      const { answer, tags } = yield* held
      const port = yield* AgentHost
      assert.deepStrictEqual(tags, ["UserMessage", "Background", "Idle"])
      assert.strictEqual(yield* port.directory("s1"), "/repo")
      yield* port.inject("s1", injection)
      yield* port.notify("s1", { kind: "incomplete", text: "Look here." })
      assert.isNull(yield* Fiber.poll(answer).pipe(Effect.map((exit) => (exit._tag === "None" ? null : exit))))
      yield* port.settled?.("s1") ?? Effect.void
      assert.deepStrictEqual(JSON.parse(yield* Fiber.join(answer)), {
        feedback: "Go on.",
        notice: "reflexion asked the agent to go on.\nLook here."
      })
    }).pipe(Effect.provide(host))
  )

  it.scoped("says nothing once the user has written, and nothing to a stop that is over", () =>
    Effect.gen(function* () {
      const { answer } = yield* held
      const port = yield* AgentHost
      records.set("/s1.json", [asked, said, { type: "notice", kind: "input_queued" }])
      assert.match(
        (yield* Effect.flip(port.inject("s1", injection))).message,
        /the next message of the user is waiting/
      )
      records.set("/s1.json", [asked, said, { ...asked, id: "u2" }, said])
      assert.match((yield* Effect.flip(port.inject("s1", injection))).message, /the user has written since/)
      records.set("/s1.json", [asked, said])
      yield* port.settled?.("s1") ?? Effect.void
      assert.strictEqual(yield* Fiber.join(answer), "")
      assert.match((yield* Effect.flip(port.inject("s1", injection))).message, /only in answer to a stop/)
    }).pipe(Effect.provide(host))
  )

  it.scoped("lets a stop go when its time is up, when the next one comes, and when its hook is gone", () =>
    Effect.gen(function* () {
      const { answer, deliver } = yield* held
      const port = yield* AgentHost
      const next = yield* Effect.fork(deliver(payload("Stop")))
      assert.strictEqual(yield* Fiber.join(answer), "")
      yield* port.inject("s1", injection)
      yield* Fiber.interrupt(next)
      assert.match((yield* Effect.flip(port.inject("s1", injection))).message, /only in answer to a stop/)
      const last = yield* Effect.fork(deliver(payload("Stop")))
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(yield* Fiber.join(last), "")
    }).pipe(Effect.provide(host))
  )

  it.scoped("tells of other events at once, and of none that is not the session's own", () =>
    Effect.gen(function* () {
      const { deliver, failed, tags } = yield* held
      assert.strictEqual(yield* deliver(payload("Stop", { agent_id: "a1" })), "")
      for (const name of ["Other", "Prompt", "Esc", "Failed"]) assert.strictEqual(yield* deliver(payload(name)), "")
      yield* failed
      assert.deepStrictEqual(tags, ["UserMessage", "Background", "Idle", "AssistantMessage", "Abort", "Error"])
    }).pipe(Effect.provide(host))
  )
})
