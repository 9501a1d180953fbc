/** What runs checks when the user asks for them. Loaded only then. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { Verification } from "@reflexion/core/internal/checks/Verification"
import { unmasked } from "@reflexion/core/internal/checks/VerificationReading"
import * as Answers from "@reflexion/core/internal/review/records/Answers"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import type { ActiveCheck } from "@reflexion/core/ReflexionConfig"
import * as Effect from "effect/Effect"
import type { OpenCodeClient } from "../host/OpenCodeClient.ts"
import * as Telling from "./telling.ts"

type Platform = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

/** At the project's root, with the user's rights, as every check is here. */
export const run = (
  { root, state }: { readonly root: string; readonly state: string },
  checks: ReadonlyArray<ActiveCheck>
): Effect.Effect<string, never, OpenCodeClient | Platform> =>
  Effect.gen(function* () {
    const started = yield* Telling.started
    const live = Verification.Live({ directory: `${state}/checks`, wait: "1 minute", started })
    const gates = checks.map(({ gate }) => gate)
    const running = Effect.flatMap(Verification, (service) => service.run({ directory: root, checks, gates }))
    const results = yield* Effect.provide(running, live)
    const { scripts } = yield* RepoSignals.load(root)
    return Answers.checked(results.map((result) => unmasked(result, scripts)))
  })
