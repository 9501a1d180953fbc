/**
 * @since 0.1.0
 */
export * as CodexTranscript from "./CodexTranscript.ts"
