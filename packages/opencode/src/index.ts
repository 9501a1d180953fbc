/**
 * @since 0.1.0
 */
export * as OpenCodeTranscript from "./OpenCodeTranscript.ts"
