/** Why a record could not be stored or read, for any kind of storage. */
import * as Data from "effect/Data"

/**
 * The kind of failure:
 * - `busy`: other processes wrote all the time.
 * - `full`: there is no room.
 * - `denied`: reading or writing is not allowed.
 * - `failed`: any other reason.
 *
 * @category models
 */
export type Reason = "busy" | "full" | "denied" | "failed"

/**
 * `detail` includes the path of a file, or a database's message.
 *
 * @category errors
 */
export class StorageError extends Data.TaggedError("StorageError")<{
  readonly reason: Reason
  readonly detail: string
}> {
  override get message(): string {
    return this.detail
  }
}
