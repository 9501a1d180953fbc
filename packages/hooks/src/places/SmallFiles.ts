/**
 * A file system that does at once what takes a few system calls: a plugin shares its thread with the host, to which each
 * wait for another thread and back costs more than the call. What may be long is done as ever.
 */
import { SystemError, type SystemErrorReason } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FS from "node:fs"

const reasons: Readonly<Record<string, SystemErrorReason>> = {
  ENOENT: "NotFound",
  EACCES: "PermissionDenied",
  EPERM: "PermissionDenied",
  EEXIST: "AlreadyExists",
  EISDIR: "BadResource",
  ENOTDIR: "BadResource",
  ELOOP: "BadResource",
  EBUSY: "Busy"
}

const textOf = (cause: unknown, key: "code" | "syscall"): string | undefined => {
  const found = typeof cause === "object" && cause !== null ? Reflect.get(cause, key) : undefined
  return typeof found === "string" ? found : undefined
}

const attempt = <A>(method: string, path: string, work: () => A): Effect.Effect<A, SystemError> =>
  Effect.try({
    try: work,
    catch: (cause) =>
      new SystemError({
        reason: reasons[textOf(cause, "code") ?? ""] ?? "Unknown",
        module: "FileSystem",
        method,
        pathOrDescriptor: path,
        syscall: textOf(cause, "syscall"),
        description: cause instanceof Error ? cause.message : String(cause),
        cause
      })
  })

/** A longer text is written outside the thread. */
const most = 64 * 1024

const small = (files: FileSystem.FileSystem): FileSystem.FileSystem => ({
  ...files,
  exists: (path) =>
    attempt("access", path, () => FS.accessSync(path)).pipe(
      Effect.as(true),
      Effect.catchIf(
        ({ reason }) => reason === "NotFound",
        () => Effect.succeed(false)
      )
    ),
  readLink: (path) => attempt("readLink", path, () => FS.readlinkSync(path)),
  rename: (from, to) => attempt("rename", from, () => FS.renameSync(from, to)),
  writeFileString: (path, text, options = {}) =>
    text.length > most || options.flag === undefined
      ? files.writeFileString(path, text, options)
      : attempt("writeFile", path, () => FS.writeFileSync(path, text, { flag: options.flag, mode: options.mode }))
})

/** Over another file system, which does the rest. */
export const layer: Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem> = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, small)
)
