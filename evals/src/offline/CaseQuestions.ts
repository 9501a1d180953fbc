/** The hand-written sessions of the stuck detector as questions: those where the rules leave something open. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as PlatformPath from "@effect/platform/Path"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import { StuckDetector } from "@reflexion/core/StuckDetector"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Ref from "effect/Ref"
import * as Utmost from "../case/Utmost.ts"
import type { StuckCase } from "../watch/StuckCase.ts"
import * as StuckSuite from "../watch/StuckSuite.ts"
import type { Asked } from "./model.ts"
import { idOf } from "./OfflineFiles.ts"
import { type Heard, layer } from "./Spoken.ts"

/** A case that a model is asked about. `differs`: in what it is otherwise than expected, without an answer and with one. */
export interface CaseQuestion extends Asked {
  readonly before: ReadonlyArray<string>
  readonly differs: (answer: string) => Promise<ReadonlyArray<string>>
}

const platform = Layer.merge(FileSystem.layerNoop({}), PlatformPath.layer)

const quiet = Logger.remove(Logger.defaultLogger)

interface Run {
  readonly differences: ReadonlyArray<string>
  readonly heard: ReadonlyArray<Heard>
}

/** A suite of hand-written sessions. */
export type CaseSuite = Exclude<Asked["suite"], "judge">

type Runs = (answer: string | null) => Promise<Run>

/** A nonce is new with every question: in what is written down it is the question's own. */
const settled = (text: string, id: string): string => text.replaceAll(/record-[0-9a-z]{6,40}/g, `record-${id}`)

/** None where nothing is asked. */
const questionOf = async (suite: CaseSuite, name: string, run: Runs): Promise<ReadonlyArray<CaseQuestion>> => {
  const { differences, heard } = await run(null)
  const [asked] = heard
  if (asked === undefined) return []
  const id = idOf(suite, name)
  const differs = async (answer: string) => (await run(answer)).differences
  return [
    { suite, id, system: settled(asked.system, id), prompt: settled(asked.prompt, id), before: differences, differs }
  ]
}

const stuck =
  (self: StuckCase): Runs =>
  (answer) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const heard = yield* Ref.make<ReadonlyArray<Heard>>([])
        const { now, session } = StuckSuite.seen(self)
        const config = ReflexionConfig.merge(Utmost.config, self.profile ? { profile: self.profile } : {})
        const needs = Layer.mergeAll(platform, Layer.succeed(CurrentConfig, config), layer(answer, heard))
        const assessment = yield* Effect.flatMap(StuckDetector, (detector) => detector.assess(session, now)).pipe(
          Effect.provide(Layer.provide(StuckDetector.Live, needs))
        )
        return { differences: StuckSuite.differences(self.expect, { assessment }), heard: yield* Ref.get(heard) }
      }).pipe(Effect.provide(quiet))
    )

const collected = async (all: ReadonlyArray<Promise<ReadonlyArray<CaseQuestion>>>) =>
  (await Promise.all(all)).flat().toSorted((one, other) => (one.id < other.id ? -1 : 1))

export const allStuck = (): Promise<ReadonlyArray<CaseQuestion>> =>
  collected(
    Object.entries(StuckSuite.suites).flatMap(([name, cases]) =>
      cases.map((self) => questionOf("stuck", `${name}/${self.id}`, stuck(self)))
    )
  )
