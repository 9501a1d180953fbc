/** A source's examples, each with the line of its file on which its code begins; null is one without code. */
export const examplesOf: (source: string) => ReadonlyArray<{ readonly line: number; readonly code: string | null }>

/** What an example is to print, line by line. */
export const printed: (code: string) => ReadonlyArray<string>

/** The modules that have an example, by their packages' folders. */
export const entries: Readonly<Record<string, ReadonlyArray<string>>>
