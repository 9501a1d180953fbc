/**
 * Judges a Codex session; about a stop of work, and what evidence leaves open, a model of Anthropic's is asked once.
 *
 *     ANTHROPIC_API_KEY=… node examples/dist/judge-with-model.js ROLLOUT.jsonl
 */
import { CodexTranscript } from "@reflexion/codex"
import { JudgeService, ProviderModel, ReflexionConfig, TranscriptFile } from "@reflexion/core"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Config, Console, Effect, Layer } from "effect"

const program = Effect.gen(function* () {
  const judge = yield* JudgeService.JudgeService
  const transcript = yield* TranscriptFile.read(process.argv[2] ?? "", { decoders: [CodexTranscript.decoder] })
  const { cost, reason, source, status } = yield* judge.judge(transcript)
  yield* Console.log(`${status} (by ${source}; model calls: ${cost.modelCalls}): ${reason}`)
})

const apiKey = Config.redacted("ANTHROPIC_API_KEY")
const url = Config.withDefault(Config.string("ANTHROPIC_BASE_URL"), "https://api.anthropic.com")
const ModelLive = Layer.unwrapEffect(
  Effect.map(Config.all({ apiKey, url }), (how) =>
    ProviderModel.layer({ ...how, api: "anthropic", model: "claude-sonnet-4-5" })
  )
)
const JudgeLive = JudgeService.JudgeService.Live.pipe(
  Layer.provide([ModelLive, ReflexionConfig.CurrentConfig.layer()]),
  Layer.provideMerge(NodeContext.layer)
)

NodeRuntime.runMain(Effect.provide(program, JudgeLive))
