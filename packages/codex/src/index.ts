/**
 * @since 0.1.0
 */
export * as CodexSessions from "./CodexSessions.ts"
export * as CodexTranscript from "./CodexTranscript.ts"
