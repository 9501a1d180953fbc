import * as Schema from "effect/Schema"
import type { Sandbox } from "../sandbox/Sandbox.ts"

const Line = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
const decodeLine = Schema.decodeSync(Line)
const Attachment = Schema.Struct({ type: Schema.String })
const isAttachment = Schema.is(Attachment)

/** In a line with a request to the model, only these fields stay. */
const identity = ["type", "sessionId", "agentId", "uuid", "parentUuid", "timestamp", "isSidechain"]

const attachmentsKept = /^(?:hook_|queued_command$|task_status$|edited_text_file$)/

const withoutPrompts = (line: Readonly<Record<string, unknown>>) => {
  const type = String(line["type"])
  if (type.startsWith("api-request")) {
    return Object.fromEntries(Object.entries(line).filter(([key]) => identity.includes(key)))
  }
  const attachment = line["attachment"]
  if (type !== "attachment" || !isAttachment(attachment) || attachmentsKept.test(attachment.type)) return line
  const { rendered: _, ...rest } = line
  return { ...rest, attachment: { type: attachment.type } }
}

/** The host writes paths in this form in folder names. */
const slug = (path: string) => path.replaceAll(/[^A-Za-z0-9]/g, "-")

export const neutralPaths = (sandbox: Sandbox, text: string): string => {
  return text
    .replaceAll(sandbox.home, "/home/dev")
    .replaceAll(slug(sandbox.home), "-home-dev")
    .replaceAll(`${sandbox.root}/tmp`, "/tmp")
    .replaceAll(/\/tmp\/claude-\d{1,6}\//g, "/tmp/claude-1000/")
    .replaceAll(/127\.0\.0\.1:\d{1,5}/g, "127.0.0.1:8080")
}

type Line = Readonly<Record<string, unknown>>

const rewrite = (sandbox: Sandbox, transcript: string, rewriteLine: (line: Line) => Line): string =>
  transcript
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => `${neutralPaths(sandbox, JSON.stringify(rewriteLine(decodeLine(line))))}\n`)
    .join("")

export const sanitise = (sandbox: Sandbox, transcript: string): string => rewrite(sandbox, transcript, withoutPrompts)

const Payload = Schema.Record({ key: Schema.String, value: Schema.Unknown })
const isPayload = Schema.is(Payload)

const without = (payload: Line, keys: ReadonlyArray<string>): Line =>
  Object.fromEntries(Object.entries(payload).filter(([key]) => !keys.includes(key)))

/** Removes the host's instructions, but keeps their lines. */
const withoutInstructions = (line: Line): Line => {
  const payload = line["payload"]
  if (!isPayload(payload)) return line
  const kept = (rest: Line): Line => ({ ...line, payload: rest })
  switch (line["type"]) {
    case "session_meta":
      return kept(without(payload, ["base_instructions", "dynamic_tools"]))
    case "world_state":
      return kept({})
    case "compacted":
      return kept(
        without(payload, ["message", "replacement_history", "replacement_history_metadata", "retained_context"])
      )
    case "response_item":
      if (payload["type"] === "additional_tools") return kept({ type: payload["type"] })
      return payload["role"] === "developer" ? kept({ ...payload, content: [] }) : line
    default:
      return line
  }
}

export const sanitiseCodex = (sandbox: Sandbox, record: string): string => rewrite(sandbox, record, withoutInstructions)

/** The export has no prompts of the host. */
export const sanitiseOpenCode = (sandbox: Sandbox, record: string): string =>
  `${neutralPaths(sandbox, record).trimEnd()}\n`
