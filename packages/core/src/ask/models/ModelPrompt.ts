/** A prompt of `@effect/ai` as plain text, for a model that is asked through a host and takes nothing else. */
import * as AiError from "@effect/ai/AiError"
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Prompt from "@effect/ai/Prompt"
import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"

/**
 * `system` is empty where nothing was said for it.
 *
 * @category models
 */
export interface ModelPrompt {
  readonly system: string
  readonly text: string
}

/**
 * What is asked, and for whom: `module` and `method` stand in an error.
 *
 * @category models
 */
export interface Options extends Pick<LanguageModel.ProviderOptions, "prompt" | "tools" | "responseFormat"> {
  readonly module: string
  readonly method: string
}

const unusable = ({ method, module }: Options, description: string) =>
  new AiError.MalformedInput({ module, method, description })

const names = { user: "User", assistant: "Assistant" } as const

/** Null for what is more than text. */
const textOf = ({ content }: Prompt.UserMessage | Prompt.AssistantMessage): string | null => {
  const parts: ReadonlyArray<{ readonly type: string; readonly text?: string }> = content
  const said = parts.filter(({ type }) => type !== "reasoning")
  return said.every(({ type }) => type === "text") ? said.map(({ text }) => text).join("\n") : null
}

interface Said {
  readonly role: "user" | "assistant"
  readonly text: string
}

const saidIn = ({ content }: Prompt.Prompt): ReadonlyArray<Said> | null => {
  const said: Array<Said> = []
  for (const message of content) {
    if (message.role === "system") continue
    const text = message.role === "tool" ? null : textOf(message)
    if (text === null || message.role === "tool") return null
    said.push({ role: message.role, text })
  }
  return said
}

const conversation = (said: ReadonlyArray<Said>): string =>
  said.every(({ role }) => role === "user")
    ? said.map(({ text }) => text).join("\n\n")
    : said.map(({ role, text }) => `${names[role]}: ${text}`).join("\n\n")

/**
 * Asks for an object in words, for a model that cannot be held to a schema.
 *
 * @category constructors
 */
export const asJson = (
  schema: object
): string => `Answer with one JSON object and nothing else: no code fence, and no words before or after it.
It has to fit this JSON schema:

${JSON.stringify(schema)}`

const form = (options: Options) => {
  const { responseFormat } = options
  return responseFormat.type === "text"
    ? Effect.succeed("")
    : Effect.try({
        try: () => `\n\n${asJson(JSONSchema.make(responseFormat.schema))}`,
        catch: () => unusable(options, "The schema cannot be said in JSON schema: give it annotations")
      })
}

/**
 * The conversation as one message, with the schema in words where an object is asked for. Fails for tools and for what
 * is more than text.
 *
 * @category constructors
 */
export const make: (options: Options) => Effect.Effect<ModelPrompt, AiError.AiError> = Effect.fnUntraced(
  function* (options) {
    if (options.tools.length > 0) return yield* unusable(options, "A model that only answers has no tools: give none")
    const said = saidIn(options.prompt)
    if (said === null) return yield* unusable(options, "Only text can be asked: leave out files and calls of tools")
    const system = options.prompt.content.flatMap((message) => (message.role === "system" ? [message.content] : []))
    return { system: system.join("\n\n"), text: `${conversation(said)}${yield* form(options)}` }
  }
)
