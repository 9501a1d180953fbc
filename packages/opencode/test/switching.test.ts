import { assert, describe, it } from "@effect/vitest"
import { ReviewStates, TestReviewStates } from "@reflexion/core/ReviewStates"
import { Effect } from "effect"
import * as Guidance from "../src/host/Guidance.ts"
import * as Commands from "../src/plugin/commands.ts"
import * as Tools from "../src/plugin/Tools.ts"
import { obeyingPlugin } from "./support/obeyingPlugin.ts"

const full = (isFull: boolean) => Effect.flatMap(TestReviewStates, ({ fail }) => fail(isFull))

const typed = (words: string | undefined, sessionID = "s1") =>
  Commands.answer({ command: "reflection", sessionID, ...(words !== undefined && { arguments: words }) })

describe("a command of the user's", () => {
  it.effect("that cannot be kept is answered on the screen, with what to do about it", () => {
    const { layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      yield* full(true)
      yield* typed("stop")
      assert.deepStrictEqual(
        toasts.map(({ variant }) => variant),
        ["warning"]
      )
      assert.match(toasts[0]?.message ?? "", /cannot read or write down how it stands.*`reflexion doctor opencode`/)
      assert.notInclude(toasts[0]?.message, "\n")
      assert.isAtMost(toasts[0]?.message.length ?? 0, 200)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is answered on the screen, and the program hears of what changes", () => {
    const { heard, layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      for (const words of ["stop", " START ", "status", "", undefined]) yield* typed(words)
      const stands = toasts.map(({ message }) => /is (on|off) in this session/.exec(message)?.[1])
      assert.deepStrictEqual(stands, ["off", "on", "on", "on", "on"])
      assert.deepStrictEqual(heard, ["s1 stop by user", "s1 start by user"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is refused on the screen in a session that another one started", () => {
    const { heard, layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      yield* typed("stop", "child")
      assert.match(toasts[0]?.message ?? "", /session that another one started/)
      assert.deepStrictEqual(heard, [])
    }).pipe(Effect.provide(layer))
  })

  it("is ours without an argument, whoever has a command of that name, only if it is ours alone", () => {
    assert.isTrue(Commands.isOurs({ command: "reflection", sessionID: "s1" }, true))
    assert.isFalse(Commands.isOurs({ command: "reflection", sessionID: "s1" }, false))
  })
})

const tool = (sessionId: string, action: string) => Tools.reflection.run({ action }, sessionId)

const list = "Ship it.\n\n  - [x] Read\n  - [ ] Write"

const told = (message: string) => ({ message, variant: "info" as const })

const kept = Guidance.get("s1")

describe("a command of the user's about the guidance", () => {
  it.effect("sets the text as it was typed, and removes it, as the agent's tool does", () => {
    const { heard, layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      for (const words of [`set ${list}`, ` SET\n${list}\n`, `"set ${list}"`, `set "${list}"`]) {
        yield* typed(words)
        assert.strictEqual(yield* kept, list, words)
        yield* typed("Clear")
        assert.isNull(yield* kept)
      }
      yield* typed('set He said "no".')
      assert.strictEqual(yield* kept, 'He said "no".')
      const [set, removed] = [told("The guidance is set."), told("The guidance is removed.")]
      assert.deepStrictEqual(toasts, [...[1, 2, 3, 4].flatMap(() => [set, removed]), set])
      assert.deepStrictEqual(heard, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("keeps no more than the tool does, nothing that is empty, and what was set before", () => {
    const { layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      yield* typed(`set ${list}`)
      yield* typed(`set ${"x".repeat(4001)}`)
      yield* typed("set")
      yield* typed("set \u0007")
      assert.strictEqual(yield* kept, list)
      const usage =
        "reflexion knows `/reflection` with stop, start, status, model, model on, model off, away, here, wrong, checks, checks run, checks on, checks off, done-when CONDITIONS, set TEXT and clear."
      assert.deepStrictEqual(toasts.slice(1), [
        {
          message: "The guidance has 4001 characters; at most 4000 are kept. Shorten it and set it again.",
          variant: "warning"
        },
        { message: usage, variant: "warning" },
        { message: usage, variant: "warning" }
      ])
    }).pipe(Effect.provide(layer))
  })

  it("is another's where another has a command of that name", () => {
    for (const words of ["set the table", "clear"]) {
      assert.isFalse(Commands.isOurs({ command: "reflection", sessionID: "s1", arguments: words }, false))
    }
  })
})

describe("a call of the agent's", () => {
  it.effect("is the agent's word, and answered", () => {
    const { heard, layer } = obeyingPlugin()
    return Effect.gen(function* () {
      assert.match(yield* tool("s1", "stop"), /is off in this session/)
      assert.deepStrictEqual(heard, ["s1 stop by agent"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("turns nothing off in a session that another one started, and says so to the agent alone", () => {
    const { heard, layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      const states = yield* ReviewStates
      assert.match(yield* tool("child", "stop"), /session that another one started/)
      assert.isFalse(yield* states.isStopped("child"))
      assert.deepStrictEqual([heard, toasts], [[], []])
    }).pipe(Effect.provide(layer))
  })
})
