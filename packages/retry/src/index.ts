/**
 * @since 0.1.0
 */
export * as Reflexion from "./Reflexion.ts"
export * as RetryHook from "./RetryHook.ts"
export * as RetrySettings from "./RetrySettings.ts"
