/**
 * @since 0.1.0
 */
export * as ClaudeCodeHost from "./ClaudeCodeHost.ts"
export * as ClaudeCodeScenario from "./ClaudeCodeScenario.ts"
export * as ClaudeCodeScenarios from "./ClaudeCodeScenarios.ts"
export * as CodexHost from "./CodexHost.ts"
export * as CodexScenario from "./CodexScenario.ts"
export * as CodexScenarios from "./CodexScenarios.ts"
export * as HostBinaries from "./HostBinaries.ts"
export * as ModelScript from "./ModelScript.ts"
export * as PlayedScenario from "./PlayedScenario.ts"
export * as Recordings from "./Recordings.ts"
export * as Sandbox from "./Sandbox.ts"
export * as ScriptedAnthropic from "./ScriptedAnthropic.ts"
export * as ScriptedResponses from "./ScriptedResponses.ts"
export * as ShopProject from "./ShopProject.ts"
