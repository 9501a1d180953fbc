/** What a hook process runs of the judge: no service, no schema, no stream. */
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import * as JsonLines from "@reflexion/core/internal/ground/json/JsonLines"
import * as Judgment from "@reflexion/core/Judgment"
import * as Redaction from "@reflexion/core/Redaction"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import * as Micro from "effect/Micro"
import * as ClaudeCodeTranscript from "../../src/ClaudeCodeTranscript.ts"

interface Files {
  readonly cwd: string
  readonly answer: (request: RepoSignals.FileRequest) => RepoSignals.FileAnswer
}

/** The verdict on a transcript's last turn, its feedback and itself redacted. */
export const judge = (transcript: string, { answer, cwd }: Files) => {
  const repo = RepoSignals.loadSync(cwd, answer)
  const config = ReflexionConfig.mergeWorkspace(ReflexionConfig.defaults, { maxAttempts: 2 })
  const context = { config, repo, cwd }
  let decoding = ClaudeCodeTranscript.initial
  let state = Judgment.initial
  const lines = JsonLines.visit((item) => {
    if (item._tag !== "value") return
    const [next, events] = ClaudeCodeTranscript.step(decoding, item.value)
    decoding = next
    for (const event of events) state = Judgment.step(state, event, context)
  })
  lines.push(new TextEncoder().encode(transcript))
  lines.end()
  for (const event of ClaudeCodeTranscript.finish(decoding)) state = Judgment.step(state, event, context)
  const verdict = Judgment.verdict(state, { session: ClaudeCodeTranscript.session(decoding), context, now: null })
  return { verdict: Redaction.redactJson(verdict), attempt: Feedback.attemptOf(verdict.feedback ?? "") }
}

/** The same within a time limit, as a hook runs it. */
export const run = (transcript: string, files: Files) =>
  Micro.sync(() => judge(transcript, files)).pipe(
    Micro.timeoutOrElse({ duration: 5_000, onTimeout: () => Micro.succeed(null) }),
    Micro.catchAllCause(() => Micro.succeed(null)),
    Micro.runPromise
  )
