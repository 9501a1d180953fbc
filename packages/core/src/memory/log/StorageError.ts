/** Why something could not be kept or read, whatever keeps it. */
import * as Data from "effect/Data"

/**
 * What refused: `code` is the system's name of it, such as `ENOSPC`, null where it has none; `detail` says it in words, with
 * the place where that helps.
 *
 * @category errors
 */
export class StorageError extends Data.TaggedError("StorageError")<{
  readonly code: string | null
  readonly detail: string
}> {
  override get message(): string {
    return this.detail
  }
}
