/** The most that an analysis says: characters, and actions. */
export const limits = { observations: 4000, actions: 10, change: 2000, target: 200, reason: 1000 } as const
