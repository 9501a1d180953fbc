/**
 * Judges a recorded Claude Code session from its evidence alone, and prints what the agent would be told.
 *
 *     node examples/dist/judge-session.js SESSION.jsonl
 */
import { ClaudeCodeTranscript } from "@reflexion/claude-code"
import { JudgeService, ReflexionConfig, TranscriptFile } from "@reflexion/core"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"

const program = Effect.gen(function* () {
  const [file] = process.argv.slice(2)
  if (file === undefined) return yield* Effect.fail("usage: node examples/dist/judge-session.js SESSION.jsonl")
  const service = yield* JudgeService.JudgeService
  const transcript = yield* TranscriptFile.read(file, { decoders: [ClaudeCodeTranscript.decoder] })
  const verdict = yield* service.judge(transcript)
  yield* Console.log(`${verdict.status}: ${verdict.reason}`)
  for (const { detail, gate, required, result } of verdict.gates) {
    if (required) yield* Console.log(`  ${gate}: ${result} (${detail})`)
  }
  if (verdict.feedback !== null) yield* Console.log(`\n${verdict.feedback}`)
})

const MainLive = JudgeService.JudgeService.Evidence.pipe(
  Layer.provide(ReflexionConfig.CurrentConfig.layer()),
  Layer.provideMerge(NodeContext.layer)
)

NodeRuntime.runMain(Effect.provide(program, MainLive))
