/**
 * @since 0.1.0
 */
export * as ClaudeCodeModel from "./ClaudeCodeModel.ts"
export * as ClaudeCodeMutator from "./ClaudeCodeMutator.ts"
export * as ClaudeCodeSessions from "./ClaudeCodeSessions.ts"
export * as ClaudeCodeSidechains from "./ClaudeCodeSidechains.ts"
export * as ClaudeCodeTodos from "./ClaudeCodeTodos.ts"
export * as ClaudeCodeTranscript from "./ClaudeCodeTranscript.ts"
export * as SidechainCalls from "./SidechainCalls.ts"
