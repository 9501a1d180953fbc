/** The problems that a check finds, which are neither printed nor counted: for the tests of the checks themselves. */
export const problemsOf: (check: () => unknown) => Promise<ReadonlyArray<string>>
