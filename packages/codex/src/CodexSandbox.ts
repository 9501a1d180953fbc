/** Runs the user's checks in the sandbox that Codex has for its agent. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonScan from "@reflexion/core/internal/base/json/JsonScan"
import * as Effect from "effect/Effect"
import * as FS from "node:fs"
import { join } from "node:path"

const maxTail = 16 * 1024 * 1024

const tailOf = (file: string): string => {
  const descriptor = FS.openSync(file, "r")
  try {
    const { size } = FS.fstatSync(descriptor)
    const bytes = Buffer.alloc(Math.min(size, maxTail))
    return bytes.toString("utf8", 0, FS.readSync(descriptor, bytes, 0, bytes.length, size - bytes.length))
  } finally {
    FS.closeSync(descriptor)
  }
}

/** Reads the policy of the running turn. Empty if the record cannot be read. */
const policyOf = (record: string | null): Json.Json => {
  try {
    const lines = record === null ? [] : tailOf(record).split("\n")
    const { payload, type } = Json.object(JsonScan.parse(lines.findLast((one) => one.includes('"turn_context"')) ?? ""))
    return type === "turn_context" ? Json.object(Json.object(payload)["sandbox_policy"]) : {}
  } catch {
    return {}
  }
}

const set = (key: string, value: string | boolean): ReadonlyArray<string> => ["-c", `${key}=${JSON.stringify(value)}`]

/** The sandbox never allows more than the agent may do. Commands in it can write only in the project. */
export const placeIn = (
  program: string,
  record: string | null
): { readonly words: ReadonlyArray<string>; readonly offline: boolean } => {
  const policy = policyOf(record)
  const isOpen = policy["type"] === "danger-full-access" || policy["network_access"] === true
  const mode = policy["type"] === "read-only" ? "read-only" : "workspace-write"
  const network = set("sandbox_workspace_write.network_access", isOpen)
  return { words: [program, "sandbox", ...set("sandbox_mode", mode), ...network, "--"], offline: !isOpen }
}

const removeEmpty = (folder: string): void => {
  try {
    FS.rmdirSync(folder)
  } catch {
    // The folder is not empty, or does not exist.
  }
}

/**
 * If `.git` does not exist, Codex makes an empty folder there, which stays if Codex is killed. Empty folders in
 * temporary folders are not removed, because another session's sandbox may use them.
 */
export const leavingNothing = <A, E, R>(directory: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const dotGit = join(directory, ".git")
    return FS.existsSync(dotGit)
      ? work
      : Effect.ensuring(
          work,
          Effect.sync(() => removeEmpty(dotGit))
        )
  })
