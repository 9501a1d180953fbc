import { FileSystem, Path } from "@effect/platform"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { AgentHostError } from "../../src/review/program/AgentHost.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { JudgeError, JudgeService } from "../../src/review/tiers/JudgeService.ts"
import { transcript } from "../support/events.ts"
import { scene, type Scene } from "../support/scenes.ts"
import { session, table } from "../support/sessions.ts"

const judge = (answer: Effect.Effect<never, JudgeError>) => ({
  setting: { judge: Layer.succeed(JudgeService, { judge: () => answer, review: () => answer }) }
})

const slow = Layer.map(JudgeService.Evidence, (context) => {
  const known = Context.get(context, JudgeService)
  const review: typeof known.review = (...given) => Effect.delay(known.review(...given), "1 second")
  return Context.make(JudgeService, { ...known, review })
}).pipe(Layer.provide(Layer.merge(FileSystem.layerNoop({}), Path.layer)))

const same = Judgment.judge(transcript(session("> Fix it and run the tests. / edit /repo/src/parser.ts / Done.")))

const settings: Readonly<Record<string, Scene>> = {
  "judge is slow": { setting: { judge: slow } },
  "judge repeats": { setting: { judge: JudgeService.Test([same, same, same]) } },
  advisory: { setting: { config: { profile: "advisory" } } },
  "cannot nudge": { setting: { capabilities: { nudge: false } } },
  "judge dies": judge(Effect.die(new Error("503"))),
  "judge hangs": judge(Effect.never),
  "judge fails": judge(new JudgeError({ reason: "empty_transcript", sessionId: "s1" })),
  subagent: { rest: { parentSessionId: "s0" } },
  "slow host": {
    setting: { host: (host) => ({ inject: (id, given) => Effect.delay(host.inject(id, given), "1 second") }) }
  },
  "bad notices": { setting: { host: () => ({ notify: () => Effect.die("a fault of the adapter") }) } },
  "bad transcript": { setting: { host: () => ({ transcript: () => Effect.die("a fault of the adapter") }) } },
  "late activity": {
    setting: {
      host: (host) => {
        let asked = 0
        return {
          activity: (id) =>
            Effect.suspend(() =>
              ++asked === 1 ? new AgentHostError({ reason: "unreachable", sessionId: id }) : host.activity(id)
            )
        }
      }
    }
  }
}

/** What happens, the nudges, the notices, a part of the log, and the setting. */
const rows = String.raw`
  // What users complain about.
  a moving agent gets three :: asks, 6x claims+stops :: 1 2 3 :: exhausted :: Max attempts
  one that stands still gets one :: asks, claims, 6x says+stops :: 1 :: unmoved
  no nudge on a question in the text :: asks Fix the login., wonders, stops :: :: waiting_for_user
  no nudge on a question of the host's, until it is answered :: asks, claims, question, stops, answered, stops :: 1 :: :: abstain: a question is open
  none while background work runs, until it has ended :: asks, claims, background, stops, background, stops, through, stops :: 1 :: :: work goes on
  none for background work told only after the stop :: asks, claims, idle, wait 0.5, background, wait 60 :: :: :: abstain: work goes on
  none for a question told only after the stop :: asks, claims, idle, wait 0.5, question, wait 60 :: :: :: abstain: a question is open
  none for input told only after the stop :: asks, claims, idle, wait 0.5, queued, wait 60 :: :: :: abstain: the next message
  Esc revives no agent :: asks, claims, idle, wait 0.5, abort, 3x stops, wait 60, stops :: :: :: abstain: the user interrupted
  Esc disables nothing for ever :: asks, claims, abort, stops, asks, claims, wait 12, stops :: 1 ::
  blocked on something external the user is told :: asks Publish the package to npm., needs, 3x stops :: :: needs_human
  a judge that dies abstains :: asks, claims, stops, wait 300 :: :: :: failure: abstained, because the judge failed :: judge dies
  a judge that fails abstains each time :: asks, claims, stops, stops :: :: :: session s1 has no events :: judge fails
  a judge that hangs is given up :: asks, claims, stops, wait 119, wait 1 :: :: :: no answer within 2m :: judge hangs
  a judge has two minutes :: asks, claims, stops, wait 119 :: :: :: none yet :: judge hangs
  our count outlasts restarts :: asks, 8x claims+idle+wait 1.5+restarts :: 1 2 3 :: any
  the transcript's count outlasts the loss of our state :: asks, 8x claims+stops+forgets+restarts :: 1 2 3 :: any
  a compaction is no stop and no new task :: asks, claims, stops, claims, compacts, stops, compacted, ports, claims, stops :: 1 2 ::
  nothing is said where nothing is wrong :: asks What does the parser do?, answers, stops :: ::
  and once where something was :: asks, claims, stops, green, 3x stops :: 1 :: complete
  each message of the user has its own count :: asks, 2x claims+stops, asks, claims, stops :: 1 2 1 :: :: rearm: a new message of the user
  stop holds over stops, tasks and restarts, until start :: asks, off, 3x claims+stops+restarts+asks, on, claims, stops :: 1 :: off on :: stop: by the user
  stop in another process holds in this one :: asks What does it do?, answers, stops, off-elsewhere, asks, claims, stops, on-elsewhere, claims, stops :: 1 :: off on :: stop: in another process
  stop in another process holds for a stop that is judged :: asks, claims, stops, off-elsewhere, wait 2 :: :: :: the user stopped reflexion in this session :: judge is slow
  no feedback is sent twice, whatever the judge gives :: asks, 3x claims+stops :: 1 :: any :: could not be sent: there is no feedback for attempt 2 :: judge repeats
  // What becomes of a stop before its review.
  a shell command of the user's :: asks, claims, idle, wait 1, harness, wait 5 :: :: :: none: the stop was not reviewed: the agent continues
  a compaction :: asks, claims, idle, wait 1, compacts, wait 5 :: :: :: the context is compacted
  a message :: asks, claims, idle, wait 1, message, wait 5 :: :: :: none: the stop was not reviewed: a new message of the user
  an abort :: asks, claims, idle, wait 1, abort, wait 5 :: :: :: abstain: the user interrupted the agent
  the end of the session under review :: asks, claims, stops, deleted, idle, wait 300 :: :: :: none: review dropped: the session was deleted :: judge hangs
  an abort before the feedback is sent :: asks, claims, stops, abort, wait 300 :: :: :: abstain: the user interrupted the agent :: slow host
  // Where no nudge may be.
  the advisory profile :: asks, claims, stops :: :: incomplete :: :: advisory
  a host that cannot nudge :: asks, claims, stops :: :: incomplete :: :: cannot nudge
  a subagent :: asks, claims, stops :: :: :: :: subagent
  plan mode :: asks, plan, claims, stops :: :: :: the agent is in plan mode
  // Faults.
  nothing is nudged that could not be remembered :: disk full, asks, claims, stops, disk free, stops :: 1 :: :: failure: not nudged, because the state cannot be saved
  a nudge that the host refused counts :: host refuses, asks, claims, stops, host takes, claims, stops :: 2 :: :: failure: the feedback could not be sent: session s1 did not take the message
  a session that cannot be read is left alone :: asks, claims, stops :: :: :: a fault of the adapter :: bad transcript
  a notice that cannot be shown stops nothing :: asks, claims, stops, green, stops, asks, claims, stops :: 1 1 :: :: notice: :: bad notices
  a stop that could not be kept holds, and is kept when it can be :: asks, disk full, off, claims, stops, disk free, stops :: :: off
  a start that could not be kept does not hold :: asks, off, disk full, on, disk free, claims, stops :: :: off
  // What the user said to another process.
  it is heard at the next message :: off, on-elsewhere, asks, claims, stops :: 1 :: off on
  and when they ask how it stands :: status, off-elsewhere, status, on-elsewhere, status :: :: on off off on on :: start: in another process
  who turned it off and on is written down :: off, agent-on, off-elsewhere, asks, wait 0 :: :: off on off :: start: by the agent
  // Sessions apart.
  a used up, a stopped and a fresh one :: used/asks, stopped/asks, stopped/off, 4x used/claims+stops, asks, claims, stopped/claims, idle, stopped/stops, hears :: 1 ::
  // An agent at work that gives no sign.
  it is asked to go on, once :: appears working, asks, wait 179, wait 1, hears, wait 400 :: 1 :: unmoved
  not before three minutes :: appears working, asks, wait 179 :: ::
  not where its host knows nothing :: asks, wait 400 :: ::
  not where it waits for the model's service :: appears waiting, asks, wait 400 :: ::
  not where it is at rest :: appears idle, asks, wait 400 :: ::
  not in a subagent that plans by its record :: appears working, asks, plans, wait 400 :: :: :: :: subagent
  not under the advisory profile :: appears working, asks, wait 400 :: :: incomplete :: :: advisory
  not while a tool takes long :: appears working, asks, installs, wait 400 :: ::
  not while half words come :: appears working, asks, 8x wait 60+appears working :: ::
  but after the last of them :: appears working, asks, 8x wait 60+appears working, wait 180 :: 1 ::
  but where the host did not answer at first :: appears working, asks, wait 360 :: 1 :: :: :: late activity
  thirty seconds after a nudge it is looked at :: appears working, asks, claims, stops, wait 30 :: 1 :: :: abstain: no word from the agent for 3
  and told after three minutes :: appears working, asks, claims, stops, wait 180 :: 1 :: unmoved
  not where it has answered the nudge :: appears working, asks, claims, stops, wait 20, appears working, wait 60 :: 1 ::
  a stop after a silence is one like every other :: appears working, asks, installs, wait 240, installed, claims, stops :: 1 ::
  in a loop, by its rule :: appears working, asks, circles, wait 180 :: 1 ::
`

it.effect.each(table(rows))("a scene: %s", ([, deeds = "", nudges = "", notices = "", said = "", setting = ""]) =>
  Effect.gen(function* () {
    const got = (yield* scene(deeds, settings[setting] ?? {}))["s1"] ?? ""
    const [nudged, told, log = ""] = got.split(" | ")
    assert.deepStrictEqual([nudged, notices === "any" ? "any" : told], [nudges, notices], log)
    if (said === "none yet") assert.strictEqual(log, "")
    else assert.include(log, said)
  })
)
