/** What is known of the providers of models: who answers, and why one does not. */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Place } from "./providers/known.ts"
import type { ModelFailure } from "./ModelCall.ts"

/**
 * A provider as it is at present. `key` says whether its variable is set, never what it has; `offered` is null where the
 * provider does not list its models; `problem` is null where nothing stands against asking it.
 *
 * @category models
 */
export interface ProviderStatus {
  readonly provider: string
  readonly api: Place["api"] | "host"
  readonly url: string | null
  readonly keyEnv: string | null
  readonly key: "set" | "missing" | "none"
  readonly offered: ReadonlySet<string> | null
  readonly problem: string | null
}

/**
 * A host's own models, which are asked through its program and need no key of ours. `problem` says why it cannot be asked;
 * `real` which of its models a name such as `default` stands for, null where it stands for itself or nobody can tell.
 *
 * @category models
 */
export interface HostModels {
  readonly layer: (model: string) => Layer.Layer<LanguageModel.LanguageModel, ModelFailure>
  readonly problem: Effect.Effect<string | null>
  readonly real?: (model: string) => Effect.Effect<string | null>
}
