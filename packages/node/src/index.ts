export * as PlainFiles from "./PlainFiles.ts"
export * as Programs from "./Programs.ts"
export * as QuietGit from "./QuietGit.ts"
