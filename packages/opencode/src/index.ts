export * as OpenCode from "./OpenCode.ts"
export * as OpenCodeAgents from "./decoder/OpenCodeAgents.ts"
export * as OpenCodeSessions from "./decoder/OpenCodeSessions.ts"
export * as OpenCodeTranscript from "./decoder/OpenCodeTranscript.ts"
