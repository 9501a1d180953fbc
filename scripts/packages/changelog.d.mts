/** Every package of a repository says what is new in its version, and the repository's changelog says the same. */
export const checkChangelog: (root: string) => Promise<void>

/** The repository's changelog, of the packages' own by their names. */
export const assemble: (logs: ReadonlyMap<string, string>) => string
