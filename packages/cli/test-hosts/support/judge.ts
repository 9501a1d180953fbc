import { Command } from "@effect/platform"
import { assert } from "@effect/vitest"
import * as Verdict from "@reflexion/core/Verdict"
import type { Recordings } from "@reflexion/testing"
import { Effect, Schema, Stream } from "effect"
import { fileURLToPath } from "node:url"

/** The built command line. */
export const bin = fileURLToPath(new URL("../../dist/bin.js", import.meta.url))

const VerdictLine = Schema.parseJson(Schema.extend(Verdict.Verdict, Schema.Struct({ file: Schema.String })))

const exitCodes: Partial<Record<Verdict.Status, number>> = { complete: 0, abstained: 3 }

const text = (stream: Stream.Stream<Uint8Array, unknown>) => Stream.mkString(Stream.decodeText(stream))

const judge = Effect.fnUntraced(function* (file: string) {
  const running = yield* Command.start(Command.make(process.execPath, bin, "judge", file, "--format", "json"))
  const [output, errors] = yield* Effect.all([text(running.stdout), text(running.stderr)], { concurrency: 2 })
  const exitCode = yield* running.exitCode
  assert.isNotEmpty(output, `nothing judged (exit ${exitCode}): ${errors}`)
  return { exitCode, verdict: yield* Schema.decode(VerdictLine)(output) }
}, Effect.scoped)

/** Judges a session with the built command line and compares the verdict with what the scenario expects. */
export const judgedAs = Effect.fnUntraced(function* (session: {
  readonly file: string
  readonly host: string
  readonly expected: Recordings.ExpectedVerdict
}) {
  const { expected, file, host } = session
  const { exitCode, verdict } = yield* judge(file)
  const { contradicted, gates = {}, shouldContinue, status } = expected
  assert.strictEqual(verdict.file, file)
  assert.strictEqual(verdict.host, host)
  assert.strictEqual<string>(verdict.status, status, verdict.reason)
  assert.strictEqual(verdict.shouldContinue, shouldContinue, verdict.reason)
  assert.strictEqual(exitCode, exitCodes[verdict.status] ?? 1)
  if (contradicted !== undefined) assert.strictEqual(verdict.contradictions.length > 0, contradicted)
  for (const [gate, result] of Object.entries(gates)) {
    assert.strictEqual<string | undefined>(verdict.gates.find((one) => one.gate === gate)?.result, result, gate)
  }
})
