import { assert, describe, it } from "@effect/vitest"
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

describe("the model that goes on with a task", () => {
  it.scoped("is the session's own unless the configuration names another", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* routed({}, "/repo/src/App.tsx"), [null, null])
      assert.deepStrictEqual(yield* routed({ routing: { backend: "a/b" } }, "/repo/src/App.tsx"), [null, null])
    })
  )

  it.scoped("is the one of the task's category, by what was edited", () =>
    Effect.gen(function* () {
      const routing = { frontend: "google/gemini-3-pro", default: "openai/gpt-5" }
      assert.deepStrictEqual(yield* routed({ routing }, "/repo/src/App.tsx"), [
        "google/gemini-3-pro",
        { category: "frontend", model: "google/gemini-3-pro" }
      ])
      assert.deepStrictEqual(yield* routed({ routing }, "/repo/src/parse.ts"), [
        "openai/gpt-5",
        { category: "default", model: "openai/gpt-5" }
      ])
    })
  )
})
