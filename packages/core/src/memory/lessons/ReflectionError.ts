/** The error of an operation of the memory. */
import * as Data from "effect/Data"

/**
 * Why it failed:
 * - `generation_failed`: the model gave no reflection.
 * - `parse_error`: the model's answer cannot be read.
 * - `timeout`: the model did not answer in time.
 * - `storage_error`: the storage failed.
 * - `not_found`: there is no reflection with this id.
 */
export type Reason = "generation_failed" | "parse_error" | "storage_error" | "not_found" | "timeout"

/** `detail` describes what happened, without secrets. */
export class ReflectionError extends Data.TaggedError("ReflectionError")<{
  readonly reason: Reason
  readonly detail: string
}> {
  override get message(): string {
    return `${this.reason}: ${this.detail}`
  }
}
