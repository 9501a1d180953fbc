/** A question as chat completions take it. */
import * as AiError from "@effect/ai/AiError"
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Prompt from "@effect/ai/Prompt"
import * as Tool from "@effect/ai/Tool"
import * as Effect from "effect/Effect"
import { asJson } from "../ModelPrompt.ts"
import { isStrict } from "./strictSchema.ts"

export interface Message {
  readonly role: "system" | "user" | "assistant"
  readonly content: string
}

/** What this endpoint takes, as far as it is known. */
export interface Dialect {
  readonly json: "json_schema" | "json_object"
  readonly limit: "max_tokens" | "max_completion_tokens"
}

/** Null for what is more than text. */
const textOf = ({ content }: Prompt.UserMessage | Prompt.AssistantMessage): string | null => {
  const parts: ReadonlyArray<{ readonly type: string; readonly text?: string }> = content
  const said = parts.filter(({ type }) => type !== "reasoning")
  return said.every(({ type }) => type === "text") ? said.map(({ text }) => text).join("\n") : null
}

/** Null where the prompt has more than text. */
const messagesOf = ({ content }: Prompt.Prompt): ReadonlyArray<Message> | null => {
  const messages: Array<Message> = []
  for (const message of content) {
    if (message.role === "tool") return null
    const text = message.role === "system" ? message.content : textOf(message)
    if (text === null) return null
    messages.push({ role: message.role, content: text })
  }
  return messages
}

/** The form that is asked for, and what has to be said of it in words. */
const formOf = ({ responseFormat }: LanguageModel.ProviderOptions, { json }: Dialect) => {
  if (responseFormat.type === "text") return { words: [] }
  const schema = Tool.getJsonSchemaFromSchemaAst(responseFormat.schema.ast)
  if (json === "json_object")
    return { words: [{ role: "system", content: asJson(schema) }], response_format: { type: json } }
  const named = { name: responseFormat.objectName, schema, strict: isStrict(schema) }
  return { words: [], response_format: { type: json, json_schema: named } }
}

const unusable = (method: string, description: string) =>
  new AiError.MalformedInput({ module: "ChatCompletions", method, description })

export const body = Effect.fnUntraced(function* (
  method: string,
  options: LanguageModel.ProviderOptions,
  asked: { readonly model: string; readonly maxOutputTokens: number | null; readonly dialect: Dialect }
) {
  const messages = messagesOf(options.prompt)
  if (messages === null) return yield* unusable(method, "Only text can be asked: leave out files and calls of tools")
  const { words, ...form } = yield* Effect.try({
    try: () => formOf(options, asked.dialect),
    catch: () => unusable(method, "The schema cannot be said in JSON schema: give it annotations")
  })
  return {
    model: asked.model,
    messages: [...words, ...messages],
    ...form,
    ...(asked.maxOutputTokens !== null && { [asked.dialect.limit]: asked.maxOutputTokens })
  }
})
