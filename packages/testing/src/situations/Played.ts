/** Plays a situation with Claude Code's built hook and compares the results with the expected ones. */
import * as Command from "@effect/platform/Command"
import type { Process } from "@effect/platform/CommandExecutor"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as NodeProcess from "node:process"
import { fileURLToPath } from "node:url"
import * as Sandbox from "../sandbox/Sandbox.ts"
import { recordOf } from "./record.ts"
import * as Situation from "./Situation.ts"

const hook = fileURLToPath(new URL("../../../cli/dist/hooks/claude-code/hook.cjs", import.meta.url))

const orFailed = Effect.mapError((cause: unknown) => new Situation.SituationFailure({ detail: String(cause) }))

const Answer = Schema.parseJson(
  Schema.Struct({
    reason: Schema.optional(Schema.String),
    systemMessage: Schema.optional(Schema.String),
    hookSpecificOutput: Schema.optional(Schema.Struct({ additionalContext: Schema.String }))
  })
)

const read = (bytes: Process["stdout"]) => Stream.mkString(Stream.decodeText(bytes))

/** `nudge` is null if the agent gets no nudge. Any output on standard error is a failure. */
const answerOf = Effect.fnUntraced(function* (process: Process) {
  const [out, err] = yield* Effect.all([read(process.stdout), read(process.stderr)], { concurrency: 2 })
  const code = yield* Effect.orElseSucceed(process.exitCode, () => null)
  if (code !== 0 || err !== "") {
    return yield* new Situation.SituationFailure({ detail: `the hook ended with ${code}: ${err}` })
  }
  const { hookSpecificOutput, reason, systemMessage = "" } = out === "" ? {} : yield* Schema.decode(Answer)(out)
  return { nudge: hookSpecificOutput?.additionalContext ?? reason ?? null, notice: systemMessage }
}, orFailed)

export const stop = Effect.fnUntraced(function* (world: Situation.World, ending: Situation.Ending = {}) {
  const { home, workspace } = world.sandbox
  const last = world.done.at(-1)?.deed
  const transcript = Path.join(home, `${world.sessionId}.jsonl`)
  const input = {
    session_id: world.sessionId,
    transcript_path: transcript,
    cwd: workspace,
    hook_event_name: "Stop",
    stop_hook_active: world.done.some(({ deed }) => deed._tag === "Told"),
    last_assistant_message: last?._tag === "Say" ? last.text : null,
    prompt_id: "f3630930-fec3-4e23-81ea-6f00165cf6fd",
    permission_mode: ending.plan === true ? "plan" : "default",
    background_tasks: ending.background === true ? [{ id: "a1", type: "agent", status: "running" }] : [],
    session_crons: []
  }
  FS.writeFileSync(transcript, recordOf(world))
  const command = Sandbox.command(world.sandbox, {}, [NodeProcess.execPath, hook, "Stop"])
  const process = yield* Command.start(Command.feed(command, JSON.stringify(input)))
  return { process, answer: answerOf(process) }
}, orFailed)

const longest = 2000

/** The lessons of earlier attempts vary in length, so they are left out. */
const withoutLessons = (nudge: string): string => nudge.split("\n## Learning from Previous Failures\n")[0] ?? ""

interface Outcome {
  readonly expected: Situation.ExpectedStop
  readonly nudge: string | null
  readonly notice: string
  readonly logged: string
  readonly runs: number
  readonly traces: ReadonlyArray<string>
}

const unlike = ({ expected, logged, notice, nudge, runs, traces }: Outcome): ReadonlyArray<string> => {
  const text = withoutLessons(nudge ?? "")
  const wanted = nudge === null ? [] : (expected.nudge ?? [])
  const problems: ReadonlyArray<readonly [boolean, string]> = [
    [expected.nudge === null && nudge !== null, `the agent was nudged: ${text}`],
    [expected.nudge != null && nudge === null, `the agent was not nudged; the user read: ${notice}`],
    ...wanted.map((word) => [!text.includes(word), `the nudge lacks ${word}: ${text}`] as const),
    [expected.unsaid?.test(text) === true, `the nudge has ${expected.unsaid}: ${text}`],
    [nudge !== null && notice === "", "the user was told nothing of the nudge"],
    [text.length > longest, `the nudge has ${text.length} characters: ${text}`],
    [expected.notice?.test(notice) === false, `the user did not read ${expected.notice}: ${notice}`],
    [expected.unnoticed?.test(notice) === true, `the user read ${expected.unnoticed}: ${notice}`],
    [expected.logged?.test(logged) === false, `the log lacks ${expected.logged}`],
    [(expected.runs ?? runs) !== runs, `the check was run ${runs} times`]
  ]
  return [...problems.flatMap(([isOne, problem]) => (isOne ? [problem] : [])), ...traces]
}

const outcomes = Effect.fnUntraced(function* (situation: Situation.Situation) {
  const came: Array<Outcome> = []
  let world = yield* Situation.make(situation)
  for (const { deeds, ending, expected } of situation.stops) {
    for (const deed of deeds) world = yield* Situation.perform(world, deed)
    const before = Situation.filesOf(world.sandbox.workspace)
    const [runs, log] = [Situation.runs(world), Situation.log(world)]
    const said = yield* Effect.flatMap(stop(world, ending), ({ answer }) => answer)
    const logged = Situation.log(world).slice(log.length)
    const traces = Situation.traces(world, before)
    came.push({ ...said, expected, logged, traces, runs: Situation.runs(world) - runs })
    if (said.nudge !== null) world = Situation.told(world, said.nudge)
  }
  return came
}, Effect.scoped)

/** Empty if there are no differences. */
export const play = (situation: Situation.Situation) =>
  Effect.map(outcomes(situation), (came) =>
    came
      .flatMap((one, at) => {
        const problems = unlike(one).map((problem) => `stop ${at + 1}: ${problem}`)
        return problems.length > 0 ? [...problems, one.logged] : []
      })
      .join("\n")
  )
