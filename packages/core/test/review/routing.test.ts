import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ArtifactsRecord } from "../../src/review/records/Artifacts.ts"
import * as ArtifactFiles from "../../src/review/records/ArtifactFiles.ts"
import type { PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import { agent, edit } from "../support/events.ts"
import { injections, play, services, started } from "../support/turns.ts"

/** The model that is to go on after a turn that left the tests out, and what the record says of it. */
const routed = (config: PartialConfig, file: string) =>
  Effect.gen(function* () {
    yield* started
    const session = yield* play("s1")
    yield* session.asks("Fix the parser and run the tests.")
    yield* session.does(edit(file), agent("Done."))
    yield* session.stops
    const [injection] = yield* injections("s1")
    assert.isDefined(injection)
    const [written] = yield* Effect.flatMap(ArtifactsRecord, (record) => record.written)
    assert.isDefined(written)
    const [record] = ArtifactFiles.files(written.review)
    return [injection.model ?? null, JSON.parse(record?.text ?? "{}").routing]
  }).pipe(Effect.provide(services({ config })))

const routing = { frontend: "google/gemini-3-pro", default: "openai/gpt-5" }

it.scoped.each<readonly [PartialConfig, string, string | null, string | null]>([
  [{}, "/repo/src/App.tsx", null, null],
  [{ routing: { backend: "a/b" } }, "/repo/src/App.tsx", null, null],
  [{ routing }, "/repo/src/App.tsx", "frontend", "google/gemini-3-pro"],
  [{ routing }, "/repo/src/parse.ts", "default", "openai/gpt-5"]
])("the model that goes on is the session's own, or the configured one of what was edited: %j, %s", (row) => {
  const [config, file, category, model] = row
  const expected = category === null ? null : { category, model }
  return Effect.map(routed(config, file), (found) => assert.deepStrictEqual(found, [model, expected]))
})
