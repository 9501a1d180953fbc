/**
 * The options that every command which reads sessions takes, and what it reads.
 *
 * @since 0.1.0
 */
import type { CommandSpec, OptionSpec } from "./CommandSpec.ts"

/**
 * @since 0.1.0
 * @category options
 */
export const host = {
  name: "host",
  value: "HOST",
  choices: ["auto", "claude-code", "codex", "opencode", "transcript"],
  description: "The format of the session's record; auto tells it by the content (default)."
} as const satisfies OptionSpec

/**
 * @since 0.1.0
 * @category options
 */
export const cwd = {
  name: "cwd",
  value: "DIR",
  description: "The working copy to look at, in place of the session's own directory."
} as const satisfies OptionSpec

/**
 * @since 0.1.0
 * @category options
 */
export const task = {
  name: "task",
  value: "TEXT",
  description: "What was asked, in place of the session's own prompt."
} as const satisfies OptionSpec

/**
 * @since 0.1.0
 * @category options
 */
export const profile = {
  name: "profile",
  value: "PROFILE",
  choices: ["balanced", "strict", "advisory"],
  description: "Which gates a task must pass."
} as const satisfies OptionSpec

/**
 * `record` is what JSON has one of for a session.
 *
 * @since 0.1.0
 * @category options
 */
export const format = (record: string) =>
  ({
    name: "format",
    value: "FORMAT",
    choices: ["text", "json", "jsonl"],
    description: `text to read (default), one JSON document, or one ${record} a line.`
  }) as const satisfies OptionSpec

/**
 * @since 0.1.0
 * @category options
 */
export const files: CommandSpec["notes"][number] = [
  "Files",
  [
    ["FILE", "The record of a session, gzip or not. Claude Code's subagents are read with their session."],
    ["-", "Standard input."],
    ["(none)", "The newest session of the current directory."]
  ]
]
