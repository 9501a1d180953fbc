/** Small readings of files that may not be there. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as JsonLines from "@reflexion/core/JsonLines"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Json from "./json.ts"

const maxHead = 1024 * 1024

/** A directory's names, none where there is no directory. */
export const list = (
  directory: string,
  options?: { readonly recursive: boolean }
): Effect.Effect<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap((fs) => fs.readDirectory(directory, options)),
    Effect.catchIf(isAbsent, () => Effect.succeed([]))
  )

export const isAbsent = (error: PlatformError): boolean =>
  error._tag === "SystemError" && (error.reason === "NotFound" || error.reason === "BadResource")

/** The first string under a key among a file's first lines, null where none has it. */
export const firstLine = (
  file: string,
  key: string
): Effect.Effect<string | null, PlatformError, FileSystem.FileSystem> =>
  Effect.suspend(() => {
    const lines = JsonLines.make({ maxLineBytes: maxHead })
    return FileSystem.FileSystem.pipe(
      Effect.map((fs) => fs.stream(file, { bytesToRead: FileSystem.Size(maxHead) })),
      Effect.flatMap((bytes) => {
        const items = Stream.concat(
          Stream.flatMap(bytes, (chunk) => Stream.fromIterable(lines.push(chunk))),
          Stream.suspend(() => Stream.fromIterable(lines.end()))
        )
        return Stream.runHead(Stream.filterMap(items, (item) => found(item, key)))
      }),
      Effect.map(Option.getOrNull)
    )
  })

const found = (item: JsonLines.Item, key: string): Option.Option<string> =>
  item._tag === "warning" ? Option.none() : Option.fromNullable(Json.string(Json.object(item.value)[key]))
