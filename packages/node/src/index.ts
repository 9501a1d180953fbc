/**
 * @since 0.1.0
 */
export * as GitTracked from "./GitTracked.ts"
export * as LogFiles from "./LogFiles.ts"
export * as NodeLogDisk from "./NodeLogDisk.ts"
export * as PidLock from "./PidLock.ts"
export * as PlainFiles from "./PlainFiles.ts"
export * as Programs from "./Programs.ts"
export * as QuietGit from "./QuietGit.ts"
