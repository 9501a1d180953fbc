/**
 * Claude Code for reflexion.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 */
export * as ClaudeCodeTranscript from "./ClaudeCodeTranscript.ts"
