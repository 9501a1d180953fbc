export * as Copilot from "./Copilot.ts"
export * as CopilotSessions from "./CopilotSessions.ts"
export * as CopilotTranscript from "./CopilotTranscript.ts"
