import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as Files from "../src/contract/files.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { host } from "../src/hosts/ClaudeCodeContract.ts"
import * as ClaudeCodeScreen from "../src/hosts/ClaudeCodeScreen.ts"
import * as SampleAssessment from "../src/samples/SampleAssessment.ts"
import { defect } from "../src/sandbox/ShopProject.ts"
import { act, say } from "../src/servers/ModelScript.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"
import { live } from "./support/live.ts"

/** The rules read no German: only a model can see that the agent announces work here. */
const task = "Behebe den Rabatt in src/cart.js und schreibe Tests dazu."
const announced = "Der Rabatt ist behoben. Als Naechstes schreibe ich die Tests."

const assessment = SampleAssessment.announced("Als Naechstes schreibe ich die Tests")

/** Long enough for a person to do something meanwhile, on a busy machine as well. */
const patience = 12

/** A session on the screen. A slow model judges its first stop. */
const played = Effect.gen(function* () {
  const world = yield* World.make(host)
  const replies = [{ ...say(JSON.stringify(assessment)), delay: `${patience} seconds` }] as const
  const reader = yield* ScriptedChat.make({ turns: [], rules: [{ name: "reader", when: () => true, replies }] })
  const providers = { local: { api: "chat-completions", url: `${reader.url}/v1` } }
  const config = { model: "local/reader-1", models: { providers } }
  yield* Files.write({ [`${world.config}/config.json`]: JSON.stringify(config) })
  const file = `${world.sandbox.workspace}/src/cart.js`
  const edit = { tool: "Edit", input: { file_path: file, old_string: defect.before, new_string: defect.after } }
  const screen = yield* ClaudeCodeScreen.open({
    sandbox: world.sandbox,
    turns: [
      act("", { tool: "Read", input: { file_path: file } }),
      act("", edit),
      act("", { tool: "Bash", input: { command: "npm test", description: "Run the tests" } }),
      say(announced),
      { ...say("Danke, so ist es."), delay: "1 second" },
      say("Und so auch."),
      say("Gut.")
    ]
  })
  yield* screen.say(task)
  yield* screen.shows(/Als Naechstes schreibe ich die Tests/)
  return { reader, screen, world }
})

type Played = Effect.Effect.Success<typeof played>

const reasons = ({ screen, world }: Played) =>
  Effect.map(World.decisions(world, screen.sessionId), (all) =>
    all.map(({ decision, reason }) => `${decision}: ${reason}`).join("\n")
  )

/** The requests with our nudge so far. */
const told = ({ screen }: Played) =>
  Effect.map(screen.requests, (all) => all.filter(({ lastUser }) => lastUser.includes("[reflexion 1/3]")))

const pause = (ms: number) => Effect.sleep(`${ms} millis`)

/** Waits until the model would have answered, and the hook had time to say something. */
const answered = Effect.sleep(`${patience + 4} seconds`)

/** What a person can do during a review so that its result becomes useless. */
const gone: ReadonlyArray<readonly [name: string, (one: Played) => Effect.Effect<unknown, unknown>]> = [
  [
    "a newer prompt that is answered",
    ({ screen }) => Effect.zipRight(screen.say("Und jetzt?"), screen.shows(/Danke, so ist es/))
  ],
  [
    "a rewind",
    ({ screen }) =>
      Effect.gen(function* () {
        yield* screen.press("Escape")
        yield* pause(200)
        yield* screen.press("Escape")
        yield* screen.shows(/Restore the code and/)
        yield* screen.press("Up")
        yield* pause(300)
        yield* screen.press("Enter")
        yield* screen.shows(/Restore conversation/)
        yield* screen.press("Enter")
      })
  ],
  ["/clear", ({ screen }) => screen.say("/clear")],
  ["the end of Claude Code", ({ screen }) => screen.say("/exit")]
]

describe("a stop in Claude Code that a model judges", () => {
  live("leaves the prompt free, wakes the agent at rest, and tells the user why", function* () {
    const one = yield* played
    const { screen } = one
    yield* screen.type("half a draft")
    yield* screen.shows(/reflexion looked again: there is more to do/)
    yield* screen.shows(/UserPromptSubmit says: reflexion nudged the agent/)
    const shown = yield* screen.shows(/Danke, so ist es/)
    assert.lengthOf(yield* told(one), 1)
    assert.match(shown, /reflexion asked local\/reader-1: \d/)
    assert.include(shown, "half a draft")
    yield* screen.shows(/done \d[^]*done \d/)
    yield* answered
    assert.lengthOf(yield* told(one), 1, yield* reasons(one))
  })

  for (const [name, go] of gone) {
    live(`says nothing after ${name}`, function* () {
      const one = yield* played
      yield* one.screen.shows(/done \d/)
      yield* go(one)
      yield* answered
      assert.deepStrictEqual(yield* told(one), [], yield* reasons(one))
      assert.notInclude(yield* reasons(one), "nudge:")
    })
  }
})
