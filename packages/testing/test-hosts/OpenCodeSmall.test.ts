import { assert, describe } from "@effect/vitest"
import * as AskLines from "@reflexion/core/internal/model/calls/AskLines"
import { Effect } from "effect"
import { type Answer, edit, eventually, say, shell } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import { green, fix, rework, runTests, task } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import * as ModelScript from "../src/servers/ModelScript.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../src/hosts/OpenCodeSession.ts"
import * as SampleAssessment from "../src/samples/SampleAssessment.ts"
import type * as ScriptedChat from "../src/servers/ScriptedChat.ts"
import * as OpenCode from "./support/openCode.ts"
import { live } from "./support/live.ts"

const isJudge = ({ tools, system }: ModelScript.ModelRequest): boolean =>
  tools.length === 0 && /You assess, after the fact|Another reader was asked this/.test(system)

/** The host's configuration: with a small model, unless the case is about having none. */
const withSmall = { small_model: `${OpenCodeHost.small.providerID}/${OpenCodeHost.small.modelID}` }

/** `files` in the workspace or the user's home, by their absolute paths. */
interface Played {
  readonly answers: ReadonlyArray<Answer>
  readonly judge: ScriptedChat.Reply
  /** Whether the user agreed that the model is asked; true by default. */
  readonly agreed?: boolean
  readonly config?: object
  readonly hosts?: Readonly<Record<string, unknown>>
  readonly files?: (world: World.World) => Readonly<Record<string, string>>
}

const prompt = `${task} Also translate the README into German.`

const yes = JSON.stringify({ version: 1, hosts: { opencode: { asked: true, at: "2026-11-27T10:00:00.000Z" } } })

const prepared = Effect.fnUntraced(function* (played: Played) {
  const { agreed = true, answers, config = {}, files, hosts = withSmall, judge } = played
  const made = yield* OpenCode.prepared(answers, {
    reflexion: config,
    hosts,
    change: ({ rules = [], ...rest }) => ({
      ...rest,
      rules: [{ name: "judge", when: isJudge, replies: [judge] }, ...rules]
    })
  })
  yield* Files.write({
    ...(agreed ? { [`${made.world.state}/own-models.json`]: yes } : {}),
    ...files?.(made.world)
  })
  return made
})

/** The questions that were kept in the user's state. */
const keptOf = Effect.fnUntraced(function* ({ state }: World.World) {
  const files = (yield* Files.filesBelow(`${state}/models`)).filter((file) => file.includes("/asks-"))
  const texts = yield* Effect.forEach(files, Files.textOf)
  return AskLines.parse(...texts.map((text) => text ?? ""))
})

/** One prompt on the command line. */
const play = Effect.fnUntraced(function* (played: Played) {
  const { hosted, model, turns, world } = yield* prepared(played)
  const { exitCode, errors, output } = yield* OpenCodeHost.run(hosted, "run", prompt)
  const asked = yield* turns
  const left = yield* OpenCodeHost.run(hosted, "db", "select title from session", "--format", "json")
  assert.notInclude(left.output, "reflexion asks a model")
  return {
    exitCode,
    printed: `${output}${errors}`,
    judges: (yield* model.requests).filter(isJudge),
    turns: asked,
    nudges: new Set((asked.at(-1)?.conversation ?? "").match(/\[reflexion \d\/\d\][^"]*/g)),
    kinds: World.kinds({ decisions: yield* World.decisions(world) }),
    kept: yield* keptOf(world)
  }
})

/** Another provider, that is set up and answers nobody. */
const elsewhere = {
  elsewhere: {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: "http://127.0.0.1:9/v1", apiKey: "test" },
    models: { m: {} }
  }
}

const done = say("Done: `discounted` takes a percentage of the total now.")

/** The result of the tests is in a file that nobody has read. */
const unseen: ReadonlyArray<Answer> = [[fix], [shell("npm test > test.log 2>&1; true")], [done]]

/** Another change that is left unseen. */
const again = (version: number): ReadonlyArray<Answer> => [[rework(version)], ...unseen.slice(1)]

const translate = edit(
  "README.md",
  "Carts, discounts and orders. Prices are whole cents. Run the tests with `npm test`.",
  "Warenkörbe, Rabatte und Bestellungen."
)

const translated: ReadonlyArray<Answer> = [[translate], [runTests], [green]]

const { complete } = SampleAssessment

const finding = {
  ...complete,
  status: "in_progress",
  confidence: 0.95,
  push: 0.9,
  evidence: { ...complete.evidence, tests: { ...complete.evidence.tests, ran: true, ran_after_changes: true } },
  remaining_work: [{ what: "Translate it.", event: "e0", quote: "translate the README into German" }],
  next_steps: ["Translate it."]
}

const answering = (answer: object): ScriptedChat.Reply => ModelScript.say(JSON.stringify(answer))

describe.concurrent("the small model of the session's provider in OpenCode", () => {
  live("with the user's consent, is asked about an open stop and leads to one nudge", function* () {
    const all = yield* play({ answers: [...unseen, ...translated], judge: answering(finding) })
    assert.deepStrictEqual([all.exitCode, all.turns.length], [0, 6], all.printed)
    assert.deepInclude(all.judges[0], { model: OpenCodeHost.small.modelID, tools: [] })
    const asks = /\[reflexion 1\/3\][^]*this was asked for and is missing: \\?"[^"]*translate the README/
    assert.match(all.turns[3]?.lastUser ?? "", asks)
    assert.strictEqual(all.kinds.filter((kind) => kind === "nudge").length, 1)
    const kept = { host: "opencode", model: "opencode/small", end: "answered", attended: false } as const
    assert.deepInclude(all.kept[0], kept)
    assert.isAbove(all.kept[0]?.inputTokens ?? 0, 0)
    assert.notInclude(all.printed, "reflexion asks")
  })

  const useless: ReadonlyArray<readonly [what: string, judge: ScriptedChat.Reply, end: AskLines.AskEnd]> = [
    ["comes too late", { ...answering(finding), delay: "30 seconds" }, "late"],
    ["is refused by the provider", { status: 401, error: "Bad key" }, "failed"]
  ]

  for (const [what, judge, end] of useless)
    live(`leaves evidence's verdict if its answer ${what}`, function* () {
      const all = yield* play({ answers: unseen, judge, config: { models: { timeout: end === "late" ? 2 : 20 } } })
      assert.deepStrictEqual([all.exitCode, all.turns.length, all.nudges.size], [0, 3, 0], all.printed)
      const ends = all.kept.map((line) => line.end)
      assert.deepStrictEqual(ends, [end])
    })

  const off: ReadonlyArray<readonly [who: string, played: Omit<Played, "answers" | "judge">]> = [
    ["nobody agreed", { agreed: false }],
    ["the provider has no small model", { hosts: {} }],
    [
      "a project names another provider's model",
      {
        hosts: { enabled_providers: [OpenCodeHost.small.providerID, "elsewhere"] },
        files: ({ sandbox }) => ({
          [`${sandbox.home}/.config/opencode/config.json`]: JSON.stringify({ provider: elsewhere }),
          [`${sandbox.workspace}/opencode.json`]: '{ "small_model": "elsewhere/m" }'
        })
      }
    ]
  ]

  for (const [who, played] of off)
    live(`is not asked if ${who}`, function* () {
      const all = yield* play({ ...played, answers: unseen, judge: answering(finding) })
      assert.deepStrictEqual([all.exitCode, all.turns.length, all.judges, all.kept], [0, 3, [], []], all.printed)
      assert.notInclude(all.kinds, "failure")
    })

  live("is offered once on the screen, and asked there after a yes, not a no", function* () {
    const answers = [...unseen, ...again(2), ...again(3)]
    const judge = answering({ ...complete, confidence: 0.95 })
    const { hosted, model, world } = yield* prepared({ agreed: false, answers, judge })
    const server = yield* OpenCodeHost.serve(hosted)
    const session = yield* OpenCodeSession.open(server)
    const reflection = (words: string) => OpenCode.command(server, session.id, words)
    const isUnasked = Effect.gen(function* () {
      assert.deepStrictEqual([(yield* model.requests).filter(isJudge), yield* keptOf(world)], [[], []])
    })
    const reviewed = (count: number) => {
      const reviews = Effect.map(World.decisions(world), (all) => all.filter(({ event }) => event === "review"))
      return OpenCode.until(
        `review ${count}`,
        Effect.map(reviews, ({ length }) => length >= count)
      )
    }
    yield* session.prompt(prompt)
    yield* OpenCode.shown(
      server,
      /^reflexion decides only from the record.* opencode\/small \(scripted\/small\).*You are told this once\.$/
    )
    yield* reviewed(1)
    yield* isUnasked
    yield* reflection("model off")
    yield* OpenCode.shown(server, /^reflexion asks no model in this session: you turned it off/)
    yield* session.prompt("Now let `discounted` round up.")
    yield* reviewed(2)
    yield* isUnasked
    const offers = OpenCode.toasts(server).filter((text) => text.includes("You are told this once"))
    assert.lengthOf(offers, 1)
    yield* reflection("model on")
    yield* OpenCode.shown(
      server,
      /^reflexion asks opencode\/small \(scripted\/small\) when the agent stops work.*Nothing was asked today/
    )
    yield* session.prompt("Now let `discounted` round down, and run the tests.")
    const kept = yield* eventually(
      "the question",
      Effect.map(keptOf(world), (lines) => (lines.length > 0 ? lines : null))
    )
    const told = OpenCode.toasts(server).filter((text) => text.startsWith("reflexion asks opencode/small whether"))
    assert.lengthOf(told, 1)
    assert.lengthOf(kept, 1)
    assert.deepInclude(kept[0], { attended: true, end: "answered" })
  })
})
