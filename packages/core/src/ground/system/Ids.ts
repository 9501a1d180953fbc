/** Ids as a state keeps them: what a host calls an id may be of any length. */

const maxId = 100

/** Both ends of a long id, for either may be what tells it from others. */
export const clippedId = (id: string | null): string | null =>
  id === null || id.length <= maxId ? id : `${id.slice(0, maxId / 2)}${id.slice(-maxId / 2)}`

/** What a call is known by; calls without an id are one. */
export const callKey = (id: string | null): string => clippedId(id) ?? ""
