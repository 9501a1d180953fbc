/** What the tests of the tiers share: a model that answers as told, and a platform on which no process starts. */
import { CommandExecutor, FileSystem, Path } from "@effect/platform"
import { Effect, Layer, Ref } from "effect"
import type { CheckResult } from "../../src/checks/CheckResult.ts"
import { type Request, Verification } from "../../src/checks/Verification.ts"
import { CrossReview } from "../../src/model/crossreview/CrossReview.ts"
import type { Consensus } from "../../src/model/crossreview/model.ts"
import type { AskLine } from "../../src/model/calls/AskLines.ts"
import type { Service } from "../../src/model/calls/Model.ts"
import { failure, type ModelFailure } from "../../src/model/calls/ModelFailures.ts"

export interface AskedModel {
  readonly prompt: string
  readonly count: number
}

/** Null means that the provider is down. */
export type Answers = (asked: AskedModel) => Effect.Effect<string, ModelFailure> | string | null

export const modelOf = (answers: Answers, usage = { inputTokens: 100, outputTokens: 10 }) =>
  Effect.gen(function* () {
    const prompts = yield* Ref.make<ReadonlyArray<string>>([])
    const ask: Service["ask"] = Effect.fnUntraced(function* ({ prompt, system }) {
      const text = JSON.stringify([system, prompt])
      const before = yield* Ref.getAndUpdate(prompts, (all) => [...all, text])
      const said = answers({ prompt: text, count: before.length })
      if (said === null) return yield* failure("unavailable", "down")
      return { text: typeof said === "string" ? said : yield* said, model: null, usage }
    })
    return { service: { ask }, prompts: Ref.get(prompts), asked: Effect.map(Ref.get(prompts), (all) => all.length) }
  })

/** A platform where all folders exist or none do, and where no process can start. */
export const noProcess = (exists: boolean) =>
  Layer.mergeAll(
    FileSystem.layerNoop({ exists: () => Effect.succeed(exists) }),
    Path.layer,
    Layer.succeed(
      CommandExecutor.CommandExecutor,
      CommandExecutor.makeExecutor(() => Effect.dieMessage("no process is started"))
    )
  )

/** Checks with these results. Adds each request to `asked`. */
export const checksOf = (results: ReadonlyArray<CheckResult>, asked: Array<Request> = []) =>
  Layer.succeed(Verification, {
    run: (request) =>
      Effect.sync(() => {
        asked.push(request)
        return results.filter(({ gate }) => request.checks.some(({ name }) => name === gate))
      })
  })

/** Reviewers who come to this. Adds each diff that they are asked about to `asked`. */
export const reviewersOf = (consensus: Consensus, asked: Array<string> = []) =>
  Layer.succeed(CrossReview, {
    runReview: (_, diff) =>
      Effect.sync(() => {
        asked.push(diff)
        return consensus
      })
  })

/** A question to a host's small model that was answered. */
export const askLine = (given: Partial<AskLine> = {}): AskLine => ({
  at: "2026-11-27T10:00:00.000Z",
  host: "claude-code",
  session: "s1",
  model: "claude-code/small",
  ms: 4100,
  end: "answered",
  inputTokens: 3000,
  outputTokens: 200,
  attended: true,
  ...given
})
