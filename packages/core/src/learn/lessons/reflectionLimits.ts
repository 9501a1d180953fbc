/** The most that a reflection says, apart from its schema: a hook that only writes one loads none. */
export const limits = { text: 500, items: 5, item: 200 } as const
