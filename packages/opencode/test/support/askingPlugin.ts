/** A plugin that asks the host's model the text after `/ask`, and writes each result into a file as a line. */
import * as ModelCall from "@reflexion/core/ModelCall"
import type { OpencodeClient } from "@opencode-ai/sdk"
import { Effect, Layer, ManagedRuntime, Schema } from "effect"
import * as FS from "node:fs"
import { configure, JudgeSession } from "../../src/models/JudgeSession.ts"
import { OpenCodeClient } from "../../src/host/OpenCodeClient.ts"
import * as OpenCodeModel from "../../src/models/OpenCodeModel.ts"

interface Input {
  readonly client: OpencodeClient
  readonly directory: string
}

interface Typed {
  readonly command: string
  readonly sessionID: string
  readonly arguments: string
}

const Asked = Schema.parseJson(Schema.Struct({ prompt: Schema.String, timeout: Schema.Number }))

const Opinion = Schema.Struct({ done: Schema.Boolean, missing: Schema.Array(Schema.String) })

const answer = ({ prompt, timeout }: typeof Asked.Type) =>
  ModelCall.ask({ purpose: "self_assessment", system: "", prompt, schema: Opinion, objectName: "opinion" }).pipe(
    Effect.map(({ text, value }) => (value === null ? text : JSON.stringify(value))),
    Effect.provide(OpenCodeModel.layer({ model: null, timeout }))
  )

const ask = Effect.fnUntraced(function* ({ arguments: given, sessionID }: Typed, log: string) {
  const asked = yield* Schema.decode(Asked)(given)
  const outcome = yield* answer(asked).pipe(
    OpenCodeModel.inSession(sessionID),
    Effect.match({
      onSuccess: (text) => ({ text }),
      onFailure: (error) => ({ tag: error._tag, message: error.message, error: JSON.stringify(error) })
    })
  )
  FS.appendFileSync(log, `${JSON.stringify({ prompt: asked.prompt, ...outcome })}\n`)
})

const server = async ({ client, directory }: Input, { log }: { readonly log: string }) => {
  const runtime = ManagedRuntime.make(Layer.provide(JudgeSession.layer({ directory }), OpenCodeClient.layer(client)))
  const { instruct, take } = await runtime.runPromise(JudgeSession)
  return {
    config: async (config: Record<string, unknown>) => {
      configure(config)
      config["command"] = { ask: { description: "Ask", template: "Say that nothing was asked." } }
    },
    event: async ({ event }: { readonly event: unknown }) => take(event),
    "experimental.chat.system.transform": async (
      { sessionID }: { readonly sessionID?: string },
      { system }: { readonly system: Array<string> }
    ) => {
      if (sessionID !== undefined) instruct(sessionID, system)
    },
    "command.execute.before": async (typed: Typed) => {
      if (typed.command !== "ask") return
      runtime.runFork(ask(typed, log))
      throw new Error("asked")
    },
    dispose: () => runtime.dispose()
  }
}

export default { id: "asking", server }
