/**
 * Judges a recorded Claude Code session from its evidence alone, and prints what the agent would be told.
 *
 *     node examples/dist/judge-session.js SESSION.jsonl
 */
import { ClaudeCodeTranscript } from "@reflexion/claude-code"
import { JudgeService, ReflexionConfig, type Transcript, TranscriptReader } from "@reflexion/core"
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"

/** Reads a whole session; a host plugin would instead fold the events as they happen. */
const readTranscript = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const reader = TranscriptReader.make({ decoders: [ClaudeCodeTranscript.decoder] })
    const events = [...reader.push(yield* fs.readFile(file)), ...reader.end()]
    const transcript: Transcript.Transcript = { version: 1, ...reader.session(), events }
    return transcript
  })

const program = Effect.gen(function* () {
  const [file] = process.argv.slice(2)
  if (file === undefined) return yield* Effect.fail("usage: node examples/dist/judge-session.js SESSION.jsonl")
  const service = yield* JudgeService.JudgeService
  const verdict = yield* service.judge(yield* readTranscript(file))
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
