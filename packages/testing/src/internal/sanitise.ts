import * as Schema from "effect/Schema"
import type { Sandbox } from "../Sandbox.ts"

const Line = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
const decodeLine = Schema.decodeSync(Line)
const Attachment = Schema.Struct({ type: Schema.String })
const isAttachment = Schema.is(Attachment)

/** Lines that hold the host's own prompts and the request sent to the model: only what identifies them is kept. */
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

/** A path as the host turns it into a folder name. */
const slug = (path: string) => path.replaceAll(/[^A-Za-z0-9]/g, "-")

/** Puts the sandbox's paths in the place of a developer's, in every form that the host writes them. */
export const neutralPaths = (sandbox: Sandbox, text: string): string => {
  return text
    .replaceAll(sandbox.home, "/home/dev")
    .replaceAll(slug(sandbox.home), "-home-dev")
    .replaceAll(`${sandbox.root}/tmp`, "/tmp")
    .replaceAll(/\/tmp\/claude-\d{1,6}\//g, "/tmp/claude-1000/")
    .replaceAll(/127\.0\.0\.1:\d{1,5}/g, "127.0.0.1:8080")
}

/** A transcript without the host's own prompts and without this machine's paths. */
export const sanitise = (sandbox: Sandbox, transcript: string): string =>
  transcript
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => `${neutralPaths(sandbox, JSON.stringify(withoutPrompts(decodeLine(line))))}\n`)
    .join("")
