/** Which files the session wrote since its task was given, by any tool. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type { ToolCall } from "../../session/transcript/Transcript.ts"
import { editsOf } from "../../session/evidence/Edits.ts"
import { fileEdits, shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import { eventsOf } from "../assessment/TurnRecord.ts"
import type { Seen } from "./model.ts"

/** `text` is what an edit took away and put there, null where the record does not say. */
export interface Written {
  readonly path: string
  readonly kind: ReturnType<typeof editsOf>[number]["kind"]
  readonly text: string | null
}

/** npm writes the project's manifest without naming it. */
const setsManifest = /\b(?:npm|pnpm)\s{1,8}pkg\s{1,8}set\b/

const textOf = (call: ToolCall, path: string): string | null => {
  const edit = toolKind(call.tool) === "edit" ? fileEdits(call).find((one) => one.path === path) : undefined
  return edit === undefined || edit.before === null || edit.after === null ? null : `${edit.before}\n${edit.after}`
}

/** What is left of a record that is too long to be held: more than the task's own, and not what an edit did. */
const folded = ({ state, transcript }: Pick<Seen, "state" | "transcript">, path: Path.Path): ReadonlyArray<Written> =>
  state.evidence.edits
    .filter((edit) => edit.path !== "*")
    .map((edit) => ({ path: path.resolve(transcript.cwd ?? "", edit.path), kind: edit.kind, text: null }))

/** Absolute paths, as the session named them. */
export const writtenIn = Effect.fnUntraced(function* ({
  options,
  state,
  transcript
}: Pick<Seen, "options" | "state" | "transcript">) {
  const path = yield* Path.Path
  if (transcript.events.length === 0) return folded({ state, transcript }, path)
  const { config, cwd = transcript.cwd, repo } = options.context
  const context = { repo, gates: config.gates, cwd }
  return eventsOf(transcript, state.task).flatMap((event): ReadonlyArray<Written> => {
    if (event.type !== "tool_call") return []
    const root = event.cwd ?? cwd ?? transcript.cwd ?? ""
    const manifest = setsManifest.test((shellCommand(event) ?? "").slice(0, 8000))
    const edits = editsOf(event, 0, context).filter((edit) => edit.path !== "*")
    const written = edits.map((edit) => ({
      path: path.resolve(root, edit.path),
      kind: edit.kind,
      text: textOf(event, edit.path)
    }))
    return manifest ? [...written, { path: path.resolve(root, "package.json"), kind: "config", text: null }] : written
  })
})
