/** Why something could not be kept or read, whatever keeps it. */
import * as Data from "effect/Data"

/**
 * `busy`: others wrote all the while; `full`: there is no room; `denied`: it may not be read, or not be written; `failed`: all
 * else.
 *
 * @category models
 */
export type Reason = "busy" | "full" | "denied" | "failed"

/**
 * `detail` says it in words: of a file with its path, of a database with what that said.
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
