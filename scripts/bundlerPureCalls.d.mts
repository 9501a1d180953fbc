import type { Plugin } from "esbuild"

/** The text of a module with a mark at each call that has no effect while it loads. */
export const markedText: (text: string, file?: string) => string

/** The text of a module with the examples of its rows left empty. */
export const withoutExamples: (text: string, file?: string) => string

export const pureCalls: Plugin
