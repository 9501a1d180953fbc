import { assert, describe, expect, it } from "@effect/vitest"
import * as Json from "@reflexion/core/internal/base/json/Json"
import { Effect } from "effect"
import * as fc from "fast-check"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Lines from "../src/acp/lines.ts"
import * as Proxy from "../src/acp/proxy.ts"
import { golden } from "./golden.ts"
import { folder } from "./runCli.ts"
import { live } from "../../core/test/support/works.ts"

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url))

const prefix = "reflexion-test-"

type Side = "client" | "agent"

const lineOf = (message: object): Buffer => Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

const textOf = (message: object): string => lineOf(message).toString()

/** A proxy between a scripted client and a scripted agent, and what each side got. */
const between = () => {
  let clock = 1_800_000_000_000
  const proxy = Proxy.make({ now: () => (clock += 1000), prefix })
  const got: Record<Side, Array<string>> = { client: [], agent: [] }
  const turns: Array<Proxy.TurnEnd> = []
  const released: Array<number> = []
  const take = (outcome: Proxy.Outcome | null): boolean => {
    got.client.push(...(outcome?.client ?? []).map((line) => Buffer.from(line).toString("latin1")))
    got.agent.push(...(outcome?.agent ?? []).map((line) => Buffer.from(line).toString("latin1")))
    if (outcome !== null && outcome.ended !== null) turns.push(outcome.ended)
    released.push(...(outcome?.released ?? []))
    return outcome !== null
  }
  const nudgeAt = (turn: Proxy.TurnEnd | undefined) =>
    turn !== undefined && take(proxy.nudge(turn, "[reflexion 1/3] Run the tests.", "reflexion nudged the agent."))
  return {
    got,
    turns,
    nudgeAt,
    raw: (side: Side, line: Uint8Array) => take(side === "client" ? proxy.fromClient(line) : proxy.fromAgent(line)),
    client: (...all: ReadonlyArray<object>) => all.forEach((message) => take(proxy.fromClient(lineOf(message)))),
    agent: (...all: ReadonlyArray<object>) => all.forEach((message) => take(proxy.fromAgent(lineOf(message)))),
    nudge: () => nudgeAt(turns.at(-1)),
    wait: () => take(proxy.wait(turns[0] ?? assert.fail("no turn"), "The limit ends later.")),
    /** The numbers of the reviewed turns whose response was passed on. */
    released: () => released.map((review) => turns.findIndex((turn) => turn.review === review) + 1),
    release: () => take(proxy.release(turns.at(-1) ?? null)),
    end: () => take(proxy.release(null)),
    /** What the client got. */
    messages: () => got.client.map((line) => Json.object(JSON.parse(line))),
    /** The methods of what the agent got. */
    methods: () => got.agent.map((line) => Json.object(JSON.parse(line))["method"]),
    events: () => proxy.session("s")?.transcript.events() ?? []
  }
}

type World = ReturnType<typeof between>

const opening = { id: 1, method: "session/new", params: { cwd: "/shop", mcpServers: [] } }
const opened = { id: 1, result: { sessionId: "s", modes: { currentModeId: "default", availableModes: [] } } }
const prompt = (id: number | string, text = "Fix it.", sessionId = "s") => ({
  id,
  method: "session/prompt",
  params: { sessionId, prompt: [{ type: "text", text }] }
})
const stop = (id: unknown, stopReason = "end_turn") => ({ id, result: { stopReason, usage: { totalTokens: 7 } } })
const update = (fields: object, sessionId = "s") => ({
  method: "session/update",
  params: { sessionId, update: fields }
})
const chunk = (sessionUpdate: string, text: string) => update({ sessionUpdate, content: { type: "text", text } })
const say = (text: string) => chunk("agent_message_chunk", text)
const call = (toolCallId: string, fields: object) => update({ sessionUpdate: "tool_call", toolCallId, ...fields })
const more = (toolCallId: string, fields: object) =>
  update({ sessionUpdate: "tool_call_update", toolCallId, ...fields })
const cancel = { method: "session/cancel", params: { sessionId: "s" } }

/** The agent has just ended its turn, and the response is held. */
const held = (): World => {
  const world = between()
  world.client(opening)
  world.agent(opened)
  world.client(prompt(2))
  world.agent(say("Done."), stop(2))
  return world
}

const nudged = (): World => {
  const world = held()
  world.nudge()
  return world
}

/** The responses to prompts that the client got. */
const reasonsOf = (world: World) =>
  world.messages().flatMap(({ id, result }) => {
    const { stopReason } = Json.object(result)
    return stopReason === undefined ? [] : [`${JSON.stringify(id)} ${String(stopReason)}`]
  })

describe("the ACP proxy", () => {
  it("a turn that is released → the agent's lines as they came, later ones after the response", () => {
    const world = held()
    world.agent(say("late"))
    assert.deepStrictEqual(world.got.client, [opened, say("Done.")].map(textOf))
    world.release()
    assert.deepStrictEqual(world.got.client.slice(2), [stop(2), say("late")].map(textOf))
  })

  it("a nudge → our prompt, a text that shows it as ours, and one response", () => {
    const world = nudged()
    world.agent(say("Tests pass."), stop(`${prefix}1`))
    assert.lengthOf(world.turns, 2)
    world.release()
    assert.deepStrictEqual(reasonsOf(world), ["2 end_turn"])
    const shown = (["client", "agent"] as const)
      .map((side) => `To the ${side}:\n${world.got[side].join("")}`)
      .join("\n")
    return expect(shown).toMatchFileSnapshot("screens/acp-nudge.txt")
  })

  const ends: ReadonlyArray<readonly [string, () => World, (world: World) => void, string]> = [
    ["our prompt ends with max_tokens", nudged, (world) => world.agent(stop(`${prefix}1`, "max_tokens")), "max_tokens"],
    ["our prompt fails", nudged, (world) => world.agent({ id: `${prefix}1`, error: { code: 1 } }), "end_turn"],
    ["the agent dies while our prompt runs", nudged, (world) => world.end(), "end_turn"],
    ["the agent dies during the review", held, (world) => world.end(), "end_turn"],
    ["the user cancels during the review", held, (world) => world.client(cancel), "cancelled"]
  ]
  it.each(ends)("%s → the client gets its response, and no nudge follows", (_, begin, play, reason) => {
    const world = begin()
    play(world)
    assert.deepStrictEqual(reasonsOf(world), [`2 ${reason}`])
    assert.isFalse(world.nudge())
  })

  it("the user cancels during our prompt → the agent hears it, the turn ends cancelled", () => {
    const world = nudged()
    world.client(cancel)
    assert.strictEqual(world.got.agent.at(-1), textOf(cancel))
    assert.deepStrictEqual(reasonsOf(world), [])
    world.agent(stop(`${prefix}1`))
    assert.deepStrictEqual([reasonsOf(world), world.turns.length], [["2 cancelled"], 1])
  })

  it("a new prompt during the review → the held response first, and the old review has no effect", () => {
    const world = held()
    const [old] = world.turns
    world.client(prompt("3"))
    assert.deepStrictEqual(reasonsOf(world), ["2 end_turn"])
    world.agent(stop("3"))
    assert.isFalse(world.nudgeAt(old))
    world.release()
    assert.deepStrictEqual(reasonsOf(world), ["2 end_turn", `"3" end_turn`])
  })

  it("a new prompt while ours runs → ours is cancelled first, and nobody gets the response to ours", () => {
    const world = nudged()
    world.client(prompt(3))
    assert.deepStrictEqual(world.methods().slice(-2), ["session/cancel", "session/prompt"])
    world.agent(stop(`${prefix}1`, "cancelled"), stop(3))
    world.release()
    assert.deepStrictEqual(reasonsOf(world), ["2 end_turn", "3 end_turn"])
  })

  it.each(["max_tokens", "max_turn_requests", "refusal", "cancelled"])(
    "a turn that ends with %s → no review",
    (reason) => {
      const world = between()
      world.client(prompt(2))
      world.agent(stop(2, reason))
      assert.deepStrictEqual([reasonsOf(world), world.turns], [[`2 ${reason}`], []])
    }
  )
})

const failed = (id: unknown, message: string) => ({
  id,
  error: { code: -32603, message: "Internal error", data: { message } }
})

const limit = "You've hit your limit. Try again in 2 hours."
const limitedBy = (message: string): World => {
  const world = between()
  world.client(opening)
  world.agent(opened)
  world.client(prompt(2))
  world.agent(failed(2, message))
  return world
}

describe("the ACP proxy at a usage limit", () => {
  it("an error with a stated end → held; our prompt's success answers the client", () => {
    const world = limitedBy(limit)
    assert.match(world.turns[0]?.limitEnd ?? "", /^2027-01-15T11:00:\d\d/)
    assert.lengthOf(world.got.client, 1)
    world.nudge()
    world.agent(say("Tests pass."), stop(`${prefix}1`))
    assert.isNull(world.turns[1]?.limitEnd)
    world.release()
    assert.deepStrictEqual(reasonsOf(world), ["2 end_turn"])
    assert.notInclude(world.got.client.join(""), "error")
  })

  it("a limit that ends our own prompt → held, and the next prompt of ours answers the client", () => {
    const world = nudged()
    world.agent(failed(`${prefix}1`, limit))
    assert.deepStrictEqual([world.turns.length, reasonsOf(world)], [2, []])
    assert.isNotNull(world.turns[1]?.limitEnd)
    world.nudge()
    world.agent(stop(`${prefix}2`))
    world.release()
    assert.deepStrictEqual(reasonsOf(world), ["2 end_turn"])
  })

  it("another error of our prompt → shown to the user", () => {
    const world = nudged()
    world.agent(failed(`${prefix}1`, "The model is gone."))
    const said = "reflexion: the agent could not answer: Internal error: The model is gone."
    assert.include(world.got.client.join(""), said)
    assert.deepStrictEqual(reasonsOf(world), ["2 end_turn"])
  })

  it("the limit again → the client gets the error, and nothing waits", () => {
    const world = limitedBy(limit)
    world.nudge()
    world.agent(failed(`${prefix}1`, limit))
    assert.lengthOf(world.turns, 1)
    assert.strictEqual(world.got.client.at(-1), textOf(failed(2, limit)))
  })

  it("nothing is sent → the error as it came; the client cancels → cancelled", () => {
    const released = limitedBy(limit)
    released.release()
    assert.strictEqual(released.got.client.at(-1), textOf(failed(2, limit)))
    const world = limitedBy(limit)
    world.client(cancel)
    assert.deepStrictEqual(reasonsOf(world), ["2 cancelled"])
    assert.isFalse(world.nudge())
  })

  const cancels = [
    cancel,
    { method: "$/cancel_request", params: { requestId: 2 } },
    { id: 8, method: "session/close", params: { sessionId: "s" } },
    { id: 8, method: "session/delete", params: { sessionId: "s" } }
  ]
  it.each(cancels)("during the wait for the limit's end, and during our prompt: $method → cancelled", (message) => {
    const waiting = limitedBy(limit)
    waiting.wait()
    waiting.client(message)
    const running = limitedBy(limit)
    running.nudge()
    running.client(message)
    running.agent(stop(`${prefix}1`, "cancelled"))
    for (const world of [waiting, running]) {
      assert.deepStrictEqual([reasonsOf(world), world.released()], [["2 cancelled"], [1]])
      assert.isFalse(world.nudge())
    }
    assert.strictEqual(running.methods().at(-1), message.method)
  })

  it("during the wait for the limit's end → text at once, work after the error", () => {
    const world = limitedBy(limit)
    world.agent(say("late"))
    assert.lengthOf(world.got.client, 1)
    world.wait()
    world.agent(say("later"))
    const shown = world.got.client.slice(1).map((line) => /late\b|The limit|later/.exec(line)?.[0])
    assert.deepStrictEqual(shown, ["late", "The limit", "later"])
    world.agent(call("a", { kind: "edit" }))
    assert.strictEqual(world.got.client.at(-2), textOf(failed(2, limit)))
    assert.deepStrictEqual(world.released(), [1])
    const busy = limitedBy(limit)
    busy.agent(call("a", { kind: "edit" }))
    busy.wait()
    assert.deepStrictEqual([busy.released(), busy.nudge()], [[1], false])
  })

  it.each(["You've hit your limit. Try again later.", "overloaded, try again in 2 minutes"])(
    "%s → passed on at once",
    (message) => {
      const world = limitedBy(message)
      assert.deepStrictEqual([world.got.client.length, world.turns], [2, []])
    }
  )

  it("a limit in the agent's words, twice for one prompt → the first has an end", () => {
    const world = between()
    world.client(prompt(2))
    world.agent(say(limit), stop(2))
    world.nudge()
    world.agent(say(limit), stop(`${prefix}1`))
    const areUnlimited = world.turns.map(({ limitEnd }) => limitEnd === null)
    assert.deepStrictEqual(areUnlimited, [false, true])
  })
})

/**
 * Edits once, and after each prompt only says that it is done. With `die`, it ends at the second prompt. With `limit`,
 * the first prompt fails.
 */
const agentProgram = `import { createInterface } from "node:readline"
let prompts = 0
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n")
const update = (update) => send({ method: "session/update", params: { sessionId: "s", update } })
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (method === "session/new") return send({ id, result: { sessionId: "s" } })
  if (++prompts === 2 && process.argv[2] === "die") process.exit(3)
  const content = [{ type: "diff", path: "a.js", oldText: "1", newText: "2" }]
  if (prompts === 1) update({ sessionUpdate: "tool_call", toolCallId: "a", title: "edit", kind: "edit", status: "completed", content })
  const message = "You've hit your session limit. Try again in 1 second."
  if (prompts === 1 && process.argv[2] === "limit") return send({ id, error: { code: -32603, message } })
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Fixed." } })
  send({ id, result: { stopReason: "end_turn" } })
})`

/** Runs the built program with that agent until the client has its response. */
const served = Effect.fnUntraced(function* (how: string, config: object = {}) {
  const home = yield* folder({
    "shop/package.json": "{}",
    "shop/.git/HEAD": "ref: x\n",
    "agent.mjs": agentProgram,
    ".config/reflexion/config.json": JSON.stringify(config)
  })
  const argv = [bin, "acp", "--", process.execPath, join(home, "agent.mjs"), how]
  const child = spawn(process.execPath, argv, { cwd: join(home, "shop"), env: { HOME: home }, stdio: "pipe" })
  let out = ""
  child.stdout.on("data", (bytes: Buffer) => {
    out += bytes.toString()
    if (out.includes(`"id":2`)) child.stdin.end()
  })
  child.stdin.write(Buffer.concat([opening, prompt(2, "Fix a.js, and make sure that npm test passes.")].map(lineOf)))
  const code = yield* Effect.async<number | null>((resume) => {
    child.once("close", (status) => resume(Effect.succeed(status)))
  })
  const messages: ReadonlyArray<unknown> = JSON.parse(`[${out.trim().replaceAll("\n", ",")}]`)
  const updates = messages.map((one) => Json.object(Json.object(Json.object(one)["params"])["update"]))
  return { code, out, texts: updates.map(({ content }) => Json.contentText(content)) }
})

describe("reflexion acp", () => {
  live("an agent that never runs the tests → one nudge, one line that it did not help, one response", function* () {
    const { code, out, texts } = yield* served("stay")
    assert.strictEqual(code, 0)
    assert.lengthOf(out.split(`"id":2,"result":{"stopReason":"end_turn"}`), 2)
    yield* golden("acp-shown", texts.join(""))
  })

  live("an agent that dies after a nudge → the response, and exit status 1", function* () {
    const { code, out } = yield* served("die")
    assert.strictEqual(code, 1)
    assert.include(out, `"id":2,"result":{"stopReason":"end_turn"}`)
  })
})

describe("reflexion acp at a usage limit", () => {
  live("continueAfterLimit, unattended → the agent goes on at the limit's end, and the client sees it", function* () {
    const { out, texts } = yield* served("limit", { continueAfterLimit: true, attended: false })
    assert.include(out, `"id":2,"result":{"stopReason":"end_turn"}`)
    assert.match(
      texts.join(""),
      /The agent goes on when the limit ends, at 20\d\d-\d\d-\d\d \d\d:\d\d UTC, unless you write first\.[^]*\(1 of 3\): A usage limit stopped the agent/
    )
  })

  for (const config of [{ continueAfterLimit: true }, { attended: false }])
    live(`with ${JSON.stringify(config)} → the client gets the error at once`, function* () {
      const { out, texts } = yield* served("limit", config)
      assert.include(out, `"id":2,"error":`)
      assert.strictEqual(texts.join(""), "")
    })
})

const ids = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom("1", "2", "x", null, 1.5))
const names = fc.constantFrom("s", "t")

/** Lines that either side may send: known messages, unknown ones, damaged ones and long ones. */
const foreign = fc.oneof(
  fc.tuple(ids, names).map(([id, name]) => lineOf(prompt(id ?? 0, "Fix it.", name))),
  ids.map((id) => lineOf(stop(id))),
  fc
    .tuple(names, fc.string())
    .map(([name, text]) => lineOf(update({ sessionUpdate: "agent_message_chunk", text }, name))),
  fc
    .record({ id: ids, method: fc.constantFrom("fs/read_text_file", "_own", "session/new"), params: fc.json() })
    .map(lineOf),
  fc.record({ id: ids, result: fc.jsonValue() }).map(lineOf),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from([...bytes.filter((byte) => byte !== 10), 10])),
  fc.constantFrom("\n", "\r\n", "null\n", "[]\n", ` {"a" : 1}\r\n`, "{\n").map((text) => Buffer.from(text)),
  fc.constant(Buffer.from(`{"id":${"[".repeat(20_000)}${"]".repeat(20_000)}}\n`)),
  fc
    .integer({ min: 1, max: 200_000 })
    .map((length) => lineOf({ method: "_long", params: { text: "é".repeat(length) } }))
)

const chunksOf = (bytes: Buffer, cuts: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((one, other) => one - other), bytes.length]
  return places.slice(1).map((to, index) => bytes.subarray(places[index], to))
}

describe("lines that are not ours", () => {
  const sent = fc.array(fc.tuple(fc.constantFrom<Side>("client", "agent"), foreign), { maxLength: 30 })

  it("any lines in any chunks → the same lines", () =>
    fc.assert(
      fc.property(fc.array(foreign), fc.array(fc.nat(), { maxLength: 20 }), (all, cuts) => {
        const lines = Lines.splitter()
        const found = chunksOf(Buffer.concat(all), cuts).flatMap((part) => lines.push(part))
        assert.deepStrictEqual(found.map(String), all.map(String))
        assert.lengthOf(lines.rest(), 0)
      }),
      { numRuns: 50 }
    ))

  it("any lines of both sides, and reviews without a nudge → the same bytes in the same order", () =>
    fc.assert(
      fc.property(sent, (all) => {
        const world = between()
        for (const [side, line] of all) {
          world.raw(side, line)
          world.end()
        }
        const of = (from: Side) => all.filter(([side]) => side === from).map(([, line]) => line.toString("latin1"))
        assert.deepStrictEqual(
          [world.got.agent.join(""), world.got.client.join("")],
          [of("client").join(""), of("agent").join("")]
        )
      }),
      { numRuns: 100 }
    ))

  it("any lines while reviews last → no line is lost or changed, and each session's updates stay in order", () =>
    fc.assert(
      fc.property(sent, (all) => {
        const world = between()
        for (const [side, line] of all) world.raw(side, line)
        world.end()
        const agents = all.filter(([side]) => side === "agent").map(([, line]) => line.toString("latin1"))
        assert.deepStrictEqual(world.got.client.toSorted(), agents.toSorted())
        for (const name of ["s", "t"]) {
          const isOf = (line: string) => line.includes(`"sessionId":"${name}"`)
          assert.deepStrictEqual(world.got.client.filter(isOf), agents.filter(isOf))
        }
      }),
      { numRuns: 100 }
    ))
})

describe("the transcript", () => {
  const done = { status: "completed" }
  const diff = { type: "diff", path: "/shop/a.js", oldText: "1", newText: "2" }
  const printed = { type: "content", content: { type: "text", text: "3 passed" } }

  it("our prompt in a replayed history → not a prompt of the user", () => {
    const world = between()
    world.client({ id: 1, method: "session/load", params: { sessionId: "s", cwd: "/shop", mcpServers: [] } })
    const nudge = chunk("user_message_chunk", "[reflexion 1/3] The task is not done yet.\n\nContinue.")
    world.agent(chunk("user_message_chunk", "Fix it."), say("Done."), nudge)
    const events = world.events().map((event) => (event.type === "user_message" ? event.synthetic : event.type))
    assert.deepStrictEqual(events, [false, "assistant_message", true])
  })

  it("a session that was loaded and goes on → the events", () => {
    const world = between()
    world.client({ id: 1, method: "session/load", params: { sessionId: "s", cwd: "/shop", mcpServers: [] } })
    world.agent(chunk("user_message_chunk", "Fix "), chunk("user_message_chunk", "it."), say("Do"), say("ne."))
    world.agent({ id: 1, result: { configOptions: [{ id: "m", category: "mode", currentValue: "plan" }] } })
    world.client(prompt(2, "And test it."))
    const ask = {
      sessionId: "s",
      options: [{ optionId: "no", kind: "reject_once" }],
      toolCall: { toolCallId: "c", kind: "execute", title: "rm -rf ." }
    }
    world.agent(
      chunk("user_message_chunk", "And test it."),
      update({ sessionUpdate: "current_mode_update", currentModeId: "code" }),
      call("a", { title: "edit", kind: "edit", status: "pending", rawInput: {} }),
      more("a", { ...done, content: [diff] }),
      call("b", { title: "bash", kind: "execute", rawInput: {} }),
      more("b", {
        ...done,
        title: "npm test",
        rawInput: { command: "npm test" },
        rawOutput: { output: "1 failed", metadata: { exit: 1 } }
      }),
      call("b", { title: "`npm test`", kind: "execute", ...done, content: [printed] }),
      call("silent", { title: "npm test", kind: "execute", ...done, content: [] }),
      call("two", { title: "move", kind: "move", ...done, locations: [{ path: "b.js" }, { path: "c.js" }] }),
      call("own", { title: "todowrite", kind: "other", status: "failed" }),
      { id: 0, method: "session/request_permission", params: ask }
    )
    world.client({ id: 0, result: { outcome: { outcome: "selected", optionId: "no" } } })
    const entries = [{ content: "Fix", status: "in_progress", priority: "high" }]
    world.agent(more("c", { status: "failed" }), update({ sessionUpdate: "plan", entries }), stop(2, "cancelled"))
    const lines = world.events().map((event) => JSON.stringify({ ...event, at: null }))
    return expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("screens/acp-events.txt")
  })
})
