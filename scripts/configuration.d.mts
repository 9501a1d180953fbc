/** Returns the page with its list filled in. */
export const fill: (page: string, keys: ReadonlyArray<object>) => string
