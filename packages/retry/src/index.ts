export * as Reflexion from "./Reflexion.ts"
export * as RetryHook from "./RetryHook.ts"
export * as RetrySettings from "./RetrySettings.ts"
