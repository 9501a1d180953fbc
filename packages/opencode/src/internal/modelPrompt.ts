/** A prompt of `@effect/ai` as the one message that a session of ours is asked. */
import * as AiError from "@effect/ai/AiError"
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Prompt from "@effect/ai/Prompt"
import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"

export interface ModelPrompt {
  readonly system: string
  readonly text: string
}

type Options = Pick<LanguageModel.ProviderOptions, "prompt" | "tools" | "responseFormat">

const unusable = (method: string, description: string, cause?: unknown) =>
  new AiError.MalformedInput({ module: "OpenCodeModel", method, description, ...(cause !== undefined && { cause }) })

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

const asJson = (
  schema: object
): string => `Answer with one JSON object and nothing else: no code fence, and no words before or after it.
It has to fit this JSON schema:

${JSON.stringify(schema)}`

const form = (method: string, { responseFormat }: Options) =>
  responseFormat.type === "text"
    ? Effect.succeed("")
    : Effect.try({
        try: () => `\n\n${asJson(JSONSchema.make(responseFormat.schema))}`,
        catch: (cause) => unusable(method, "The schema cannot be said in JSON schema: give it annotations", cause)
      })

/** The host's own way to ask for JSON leaves a session that cannot be read: the schema is asked for in words. */
export const make = Effect.fnUntraced(function* (method: string, options: Options) {
  if (options.tools.length > 0) return yield* unusable(method, "A model in a session of ours has no tools: give none")
  const said = saidIn(options.prompt)
  if (said === null) return yield* unusable(method, "Only text can be asked: leave out files and calls of tools")
  const system = options.prompt.content.flatMap((message) => (message.role === "system" ? [message.content] : []))
  const prompt: ModelPrompt = {
    system: system.join("\n\n"),
    text: `${conversation(said)}${yield* form(method, options)}`
  }
  return prompt
})
