/** The page with its table filled in. */
export const fill: (page: string, keys: ReadonlyArray<object>) => string
