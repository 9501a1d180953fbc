/**
 * Runs a prompt with the Codex SDK, judges each stop from its evidence, and runs the feedback that follows, until there
 * is none. For a program that owns its loop: in a person's own sessions the installed hook does the same.
 *
 *     node examples/dist/codex-loop.js "Fix the discount and make sure the tests pass."
 *
 * CODEX_PATH names the Codex that is run, otherwise the one on the PATH; each line of CODEX_CONFIG is a `key=value` of
 * its configuration. Ctrl-C aborts the turn, which is then not judged.
 */
import { CodexTranscript } from "@reflexion/codex"
import {
  AgentHost,
  Artifacts,
  DecisionLog,
  JudgeService,
  Redaction,
  ReflexionConfig,
  ReviewStates,
  type Transcript,
  TurnReview
} from "@reflexion/core"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Codex, type ThreadEvent } from "@openai/codex-sdk"
import { Config, Console, Context, Data, Effect, Exit, Layer, Option, Ref, Stream } from "effect"

/** The user's prompt, or our feedback, which is `synthetic` and no task of its own. */
type Message = Pick<Transcript.UserMessage, "text" | "synthetic">
class TurnFailed extends Data.TaggedError("TurnFailed")<{ readonly message: string }> {}

class CodexThread extends Context.Tag("CodexThread")<
  CodexThread,
  {
    /** Runs a turn to its end and gives the thread's id. */
    readonly run: (message: Message) => Effect.Effect<string, TurnFailed>
    /** The feedback since the last turn. */
    readonly feedback: Effect.Effect<Option.Option<Message>>
  }
>() {}

/** Nobody is there to approve anything, so the sandbox says what the agent may do. */
const startThread = Effect.gen(function* () {
  const overrides = yield* Config.withDefault(Config.string("CODEX_CONFIG"), "")
  return new Codex({
    codexPathOverride: yield* Config.withDefault(Config.nonEmptyString("CODEX_PATH"), "codex"),
    config: { approval_policy: "never", sandbox_mode: "workspace-write" },
    configOverrides: overrides.split("\n").filter((line) => line.trim() !== "")
  }).startThread()
})

const show = (event: ThreadEvent) => {
  const item = event.type === "item.completed" ? event.item : null
  if (item?.type === "agent_message") process.stdout.write(`codex: ${item.text}\n`)
  if (item?.type === "command_execution") process.stdout.write(`codex ran ${item.command}: exit ${item.exit_code}\n`)
}

/** One thread as a host: the events of its turns are its transcript, and what is injected is what is run next. */
const CodexThreadLive = Layer.effectContext(
  Effect.gen(function* () {
    const thread = yield* startThread
    const cwd = process.cwd()
    const decoding = CodexTranscript.decoder.start()
    const events: Array<Transcript.TranscriptEvent> = []
    const next = yield* Ref.make(Option.none<Message>())
    const run = ({ synthetic, text }: Message) =>
      Effect.tryPromise({
        try: async (signal) => {
          // The prompt is not among the SDK's events.
          events.push({ type: "user_message", id: `message-${events.length}`, at: null, text, synthetic })
          const turn = await thread.runStreamed(text, { signal })
          for await (const event of turn.events) {
            show(event)
            if (event.type === "turn.failed") throw new Error(event.error.message)
            events.push(...decoding.push(event))
          }
          return thread.id ?? ""
        },
        catch: (cause) => new TurnFailed({ message: `Codex did not finish the turn: ${String(cause)}` })
      })
    const host = AgentHost.AgentHost.of({
      name: "codex-sdk",
      capabilities: { nudge: true, raceWindow: 0, cooldown: 0 },
      events: Stream.empty,
      transcript: () => Effect.sync(() => ({ version: 1, ...decoding.session(), cwd, events: [...events] })),
      directory: () => Effect.succeed(cwd),
      activity: () => Effect.succeed(null),
      inject: (_, { notice, text }) =>
        Effect.zipRight(Console.log(notice), Ref.set(next, Option.some({ text, synthetic: true }))),
      notify: (_, { text }) => Console.log(text)
    })
    const feedback = Ref.getAndSet(next, Option.none())
    return Context.make(AgentHost.AgentHost, host).pipe(Context.add(CodexThread, { run, feedback }))
  })
)

const DecisionsShown = Layer.succeed(DecisionLog.DecisionLog, {
  append: ({ decision, reason, status }) =>
    Console.log(`decision: ${decision} (${status ?? "not judged"}): ${Redaction.redact(reason)}`)
})

const program = Effect.gen(function* () {
  const [text] = process.argv.slice(2)
  if (text === undefined) return yield* Effect.fail("usage: node examples/dist/codex-loop.js PROMPT")
  const { feedback, run } = yield* CodexThread
  let message = Option.some<Message>({ text, synthetic: false })
  while (Option.isSome(message)) {
    yield* TurnReview.onIdle(yield* run(message.value))
    message = yield* feedback
  }
})

const MainLive = Layer.mergeAll(
  CodexThreadLive,
  DecisionsShown,
  JudgeService.JudgeService.Evidence,
  Artifacts.Artifacts.Live,
  ReviewStates.ReviewStates.Memory
).pipe(Layer.provideMerge(ReflexionConfig.CurrentConfig.layerFromEnv), Layer.provide(NodeContext.layer))

NodeRuntime.runMain(Effect.provide(program, MainLive), {
  teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) ? 0 : Exit.isInterrupted(exit) ? 130 : 1)
})
