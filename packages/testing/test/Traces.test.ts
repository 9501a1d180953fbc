import { FetchHttpClient } from "@effect/platform"
import * as Otlp from "@effect/opentelemetry/Otlp"
import { assert, describe } from "@effect/vitest"
import { AgentHost, TestHost } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as Transcript from "@reflexion/core/Transcript"
import * as TurnReview from "@reflexion/core/TurnReview"
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { createServer } from "node:http"
import { live } from "../../core/test/support/works.ts"

/** A collector that keeps what it gets. */
const collector = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly bodies: Array<string>; readonly close: () => void }>((resume) => {
    const bodies: Array<string> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        if (request.url === "/v1/traces") bodies.push(Buffer.concat(chunks).toString())
        response.end("{}")
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, bodies, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const secret = ["sk", "ant", "api03", "a1B2c3D4".repeat(8)].join("-")

const transcript = Transcript.make({
  sessionId: "s1",
  mode: "build",
  events: [
    { type: "user_message", id: "u1", text: "Fix the total and run npm test." },
    { type: "tool_call", id: "c1", tool: "edit", status: "completed", input: { filePath: "/repo/total.ts" } },
    { type: "assistant_message", text: "I fixed the total.", completed: true }
  ]
})

describe("DecisionLog.Traced", () => {
  live("sends each decision to a collector as an event of the review, without secrets", function* () {
    const { bodies, url } = yield* collector
    const program = Effect.gen(function* () {
      const host = yield* TestHost
      yield* host.put("s1", transcript)
      yield* TurnReview.onIdle("s1")
      const { append } = yield* DecisionLog
      const decision = { host: "test", sessionId: "s1", directory: null, event: "idle", decision: "failure" } as const
      const empty = { status: null, severity: null, attempt: null, maxAttempts: null, durationMs: null }
      yield* append({ ...decision, ...empty, at: "2026-01-01T00:00:00Z", reason: `It said ${secret}.` })
    }).pipe(Effect.withSpan("orchestrator"))
    const services = Layer.mergeAll(
      AgentHost.Test({ raceWindow: 0 }),
      JudgeService.Evidence,
      Artifacts.Test,
      ReviewStates.Test,
      Layer.provideMerge(DecisionLog.Traced, DecisionLog.Memory)
    ).pipe(Layer.provideMerge(CurrentConfig.layer()), Layer.provide(NodeContext.layer))
    const tracing = Otlp.layerJson({ baseUrl: url, resource: { serviceName: "fleet" } })
    yield* program.pipe(Effect.provide(services), Effect.provide(Layer.provide(tracing, FetchHttpClient.layer)))
    const spans = bodies.join("\n")
    for (const part of ["TurnReview.onIdle", "reflexion.decision", "nudge", "incomplete", "It said"])
      assert.include(spans, part)
    assert.notInclude(spans, secret)
  })
})
