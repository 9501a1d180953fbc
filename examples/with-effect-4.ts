/**
 * Judges a session inside a program of Effect 4. The services of `@reflexion/core` need Effect 3; the pure entry imports no
 * Effect.
 *
 *     node examples/dist/with-effect-4.js
 */
import { judge } from "@reflexion/core/pure"
import * as Effect from "effect/Effect"

const session = {
  events: [
    { type: "user_message", text: "Fix the rounding of the total and make sure that npm test passes." },
    { type: "tool_call", tool: "edit", input: { path: "src/total.ts" }, status: "completed" },
    {
      type: "tool_call",
      tool: "bash",
      input: { command: "npm test" },
      exitCode: 1,
      output: "Tests  1 failed | 3 passed"
    },
    { type: "assistant_message", text: "Fixed. All tests pass." }
  ]
} as const

const program = Effect.gen(function* () {
  const { facts, verdict } = yield* Effect.sync(() => judge(session))
  const denied = facts.claims.some(({ standing }) => standing === "contradicted")
  yield* Effect.sync(() => {
    process.stdout.write(`${verdict.status}: ${denied ? "claims/contradicted" : "nothing is contradicted"}\n`)
  })
})

Effect.runSync(program)
