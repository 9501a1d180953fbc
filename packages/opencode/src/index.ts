/**
 * @since 0.1.0
 */
export * as OpenCodeAgents from "./OpenCodeAgents.ts"
export * as OpenCodeSessions from "./OpenCodeSessions.ts"
export * as OpenCodeStorage from "./OpenCodeStorage.ts"
export * as OpenCodeTranscript from "./OpenCodeTranscript.ts"
