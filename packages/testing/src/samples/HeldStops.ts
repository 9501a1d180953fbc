/** A host with hooks under the real program, with evidence as its judge: payloads in, what the hook prints out. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { AgentHost } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import { DecisionLog, type DecisionRecord } from "@reflexion/core/DecisionLog"
import { HookInbox } from "@reflexion/core/HookedHost"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonScan from "@reflexion/core/internal/base/json/JsonScan"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { StuckDetector } from "@reflexion/core/StuckDetector"
import * as TurnReview from "@reflexion/core/TurnReview"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * All that `TurnReview.run` needs beside the platform.
 *
 * @category layers
 */
export const services = (
  host: Layer.Layer<AgentHost | HookInbox, never, FileSystem.FileSystem | Path.Path>
): Layer.Layer<
  TurnReview.Services | HookInbox | StuckDetector | DecisionRecord,
  never,
  FileSystem.FileSystem | Path.Path
> =>
  Layer.mergeAll(
    host,
    JudgeService.Evidence,
    StuckDetector.Heuristic,
    Artifacts.Test,
    ReviewStates.Memory,
    DecisionLog.Memory
  ).pipe(Layer.provideMerge(CurrentConfig.layer()))

/**
 * Runs the program until the scope ends.
 *
 * @category programs
 */
export const started = Effect.forkScoped(TurnReview.run())

/**
 * What the hook would print, parsed; null where it prints nothing.
 *
 * @category accessors
 */
export const told = Effect.fnUntraced(function* (payload: object) {
  const inbox = yield* HookInbox
  const printed = yield* inbox.deliver(payload)
  return printed === "" ? null : Json.object(JsonScan.parse(printed))
})
