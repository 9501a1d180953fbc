/** Why the command line could not do what it was asked. */
import * as Schema from "effect/Schema"

/**
 * The command line itself is wrong: nothing was done. `command` is the one whose help explains it.
 *
 * @category errors
 */
export class UsageError extends Schema.TaggedError<UsageError>("@reflexion/cli/UsageError")("UsageError", {
  command: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `${this.problem}\nTry '${this.command} --help'.`
  }
}

/**
 * The configuration is wrong: nothing was judged by it.
 *
 * @category errors
 */
export class ConfigurationError extends Schema.TaggedError<ConfigurationError>("@reflexion/cli/ConfigurationError")(
  "ConfigurationError",
  { problem: Schema.String }
) {
  override get message() {
    return this.problem
  }
}

/**
 * One session could not be judged; others may.
 *
 * @category errors
 */
export class SessionError extends Schema.TaggedError<SessionError>("@reflexion/cli/SessionError")("SessionError", {
  file: Schema.String,
  reason: Schema.Literal(
    "unreadable",
    "damaged",
    "directory",
    "missing",
    "empty",
    "undecoded",
    "unwritten",
    "subagent",
    "no_such_turn",
    "too_early",
    "no_task",
    "fault"
  ),
  problem: Schema.String
}) {
  override get message() {
    return `${this.file === "-" ? "standard input" : this.file}: ${this.problem}`
  }
}

/**
 * Something could not be read, written or run, and why; `problem` names the file and what to do.
 *
 * @category errors
 */
export class InstallError extends Schema.TaggedError<InstallError>("@reflexion/cli/InstallError")("InstallError", {
  problem: Schema.String
}) {
  override get message() {
    return this.problem
  }
}

/**
 * The memory could not do what was asked.
 *
 * @category errors
 */
export class MemoryError extends Schema.TaggedError<MemoryError>("@reflexion/cli/MemoryError")("MemoryError", {
  problem: Schema.String
}) {
  override get message() {
    return this.problem
  }
}

/**
 * The log of outcomes, or the cycle over it, could not do what was asked.
 *
 * @category errors
 */
export class OutcomesError extends Schema.TaggedError<OutcomesError>("@reflexion/cli/OutcomesError")("OutcomesError", {
  problem: Schema.String
}) {
  override get message() {
    return this.problem
  }
}

/**
 * The report could not be made.
 *
 * @category errors
 */
export class ReportError extends Schema.TaggedError<ReportError>("@reflexion/cli/ReportError")("ReportError", {
  problem: Schema.String
}) {
  override get message() {
    return this.problem
  }
}
