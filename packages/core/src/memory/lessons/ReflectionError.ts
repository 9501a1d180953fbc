/** Why something of the memory could not be done. */
import * as Data from "effect/Data"

/**
 * `generation_failed`: the model gave no reflection; `parse_error`: it gave none that can be read; `timeout`: it gave none
 * in time; `storage_error`: the disk refused; `not_found`: there is no reflection of that id.
 */
export type Reason = "generation_failed" | "parse_error" | "storage_error" | "not_found" | "timeout"

/** `detail` says what happened, without secrets. */
export class ReflectionError extends Data.TaggedError("ReflectionError")<{
  readonly reason: Reason
  readonly detail: string
}> {
  override get message(): string {
    return `${this.reason}: ${this.detail}`
  }
}
