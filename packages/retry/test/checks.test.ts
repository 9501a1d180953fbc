/** The next attempt is told about a review's red check. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, it } from "@effect/vitest"
import { JudgeService } from "@reflexion/core/JudgeService"
import { Models } from "@reflexion/core/Models"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import { ReflectionService } from "@reflexion/core/ReflectionService"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as ReviewTiers from "@reflexion/core/ReviewTiers"
import * as TranscriptFile from "@reflexion/core/TranscriptFile"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reflexion from "../src/Reflexion.ts"

const suite = `
import assert from "node:assert"
import { test } from "node:test"
import { total } from "./total.mjs"
test("takes ten percent off", () => assert.strictEqual(total(100), 90))
`

it.scopedLive("a failed check names its test and its line to the next attempt, which passes", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "retry-" }))
    const project = `${folder}/project`
    yield* fs.makeDirectory(project)
    yield* fs.writeFileString(`${project}/total.test.mjs`, suite)
    const prompts: Array<string> = []
    const attempt = Effect.fnUntraced(function* ({ promptSection }: Reflexion.AttemptInput) {
      prompts.push(promptSection)
      const factor = promptSection.includes("takes ten percent off") ? "0.9" : "1"
      const events = [
        { type: "user_message", text: "Take ten percent off." },
        { type: "tool_call", tool: "Write", input: { file_path: `${project}/total.mjs`, content: factor } },
        { type: "assistant_message", text: "Ten percent are taken off." }
      ]
      yield* Effect.orDie(
        Effect.all([
          fs.writeFileString(`${project}/total.mjs`, `export const total = (sum) => sum * ${factor}\n`),
          fs.writeFileString(`${folder}/record.json`, JSON.stringify({ version: 1, cwd: project, events }))
        ])
      )
      const reading = TranscriptFile.read(`${folder}/record.json`, { decoders: [NeutralTranscript.decoder] })
      const { review } = yield* JudgeService
      const judged = yield* Effect.orDie(review(yield* Effect.orDie(reading), { attempt: 1 }))
      return judged.verdict.shouldContinue ? yield* Effect.fail(judged) : judged.verdict.status
    })
    const done = Reflexion.retry({
      taskId: "shop",
      subtaskId: "shop/total",
      description: "Take ten percent off.",
      maxAttempts: 3,
      attempt,
      toFailure: Reflexion.failureOf
    })
    const judging = JudgeService.layer(ReviewTiers.make({ state: `${folder}/state`, within: [] })).pipe(
      Layer.provide([
        CurrentConfig.layer({ attended: false, checks: [{ name: "tests", command: "node --test" }] }),
        Models.Test({})
      ])
    )
    assert.strictEqual(yield* Effect.provide(done, judging), "complete")
    assert.strictEqual(prompts.length, 2)
    assert.include(prompts[1], 'The test "takes ten percent off" failed')
    assert.match(prompts[1] ?? "", /100 !== 90/)
  }).pipe(Effect.provide([Layer.provide(ReflectionService.Heuristic, ReflexionStore.Memory), NodeContext.layer]))
)
