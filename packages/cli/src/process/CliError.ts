/** The errors of the command line. */
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"

type ProblemClass<Tag extends string> = new (given: {
  readonly problem: string
}) => Cause.YieldableError & { readonly _tag: Tag; readonly problem: string }

const Problem = <Tag extends string>(tag: Tag): ProblemClass<Tag> =>
  class extends Data.TaggedError(tag)<{ readonly problem: string }> {
    override get message(): string {
      return this.problem
    }
  }

/** The command line is wrong. `command` is the command whose help explains the correct form. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly command: string; readonly problem: string }> {
  override get message(): string {
    return `${this.problem}\nTry '${this.command} --help'.`
  }
}

/** The configuration is wrong, or reflexion refuses to do something, for example without the user's consent. */
export class ConfigurationError extends Problem("ConfigurationError") {}

export const refusal = (problem: string): ConfigurationError => new ConfigurationError({ problem })

/** A session could not be judged. This does not affect other sessions. */
export class SessionError extends Data.TaggedError("SessionError")<{
  readonly file: string
  readonly reason:
    | "unreadable"
    | "damaged"
    | "directory"
    | "missing"
    | "empty"
    | "undecoded"
    | "unwritten"
    | "subagent"
    | "no_such_turn"
    | "too_early"
    | "no_task"
    | "fault"
  readonly problem: string
}> {
  override get message(): string {
    return `${this.file === "-" ? "standard input" : this.file}: ${this.problem}`
  }
}

/** Something could not be read, written or run, or reflexion refuses it. The text says why. */
export class CliFailure extends Problem("CliFailure") {}
