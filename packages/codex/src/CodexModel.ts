/** Codex's own models as a `Model`, through `codex exec` without hooks, tools, instructions or a saved session. */
import * as HostModel from "@reflexion/core/internal/model/calls/HostModel"
import { Model, type Service } from "@reflexion/core/Model"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AskedEvents from "./internal/askedEvents.ts"
import * as Exec from "./internal/execWords.ts"

export type Options = HostModel.Options

const alone = {
  include_environment_context: false,
  include_permissions_instructions: false,
  "features.shell_tool": false,
  "features.unified_exec": false
}

/** Codex has no setting that limits the cost of a question. */
export const make = (options: Options = {}): Effect.Effect<Service, never, HostModel.HostModelServices> => {
  const host: HostModel.Host = {
    ...Exec.program,
    id: "codex",
    invoke: ({ system }) =>
      Effect.map(Exec.words("read-only", { ...alone, model_instructions_file: system }, options), (words) => ({
        words
      })),
    read: AskedEvents.read
  }
  return HostModel.make(host, options)
}

export const layer = (options: Options = {}): Layer.Layer<Model, never, HostModel.HostModelServices> =>
  Layer.effect(Model, make(options))

/** `small` is a model of Codex 0.169. A Codex version without it fails. */
export const own: HostModel.HostAccount = {
  program: Exec.program.program,
  small: "gpt-6-luna",
  // A small question needs a quick answer. The effect of "low" was not measured.
  ask: (options, { isSmall }) => make({ ...options, ...(isSmall && { effort: "low" }) })
}
