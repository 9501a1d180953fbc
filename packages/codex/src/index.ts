/**
 * @since 0.1.0
 */
export * as AgentRollouts from "./AgentRollouts.ts"
export * as CodexAgents from "./CodexAgents.ts"
export * as CodexModel from "./CodexModel.ts"
export * as CodexMutator from "./CodexMutator.ts"
export * as CodexSessions from "./CodexSessions.ts"
export * as CodexTranscript from "./CodexTranscript.ts"
