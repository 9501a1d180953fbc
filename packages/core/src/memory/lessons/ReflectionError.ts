/** The error of an operation of the memory. */
import * as Data from "effect/Data"

export type Reason = "generation_failed" | "parse_error" | "storage_error" | "not_found" | "timeout"

/** `detail` contains no secrets. */
export class ReflectionError extends Data.TaggedError("ReflectionError")<{
  readonly reason: Reason
  readonly detail: string
}> {
  override get message(): string {
    return `${this.reason}: ${this.detail}`
  }
}
