/**
 * Readings of a hook's payload: total, for a payload is the host's and may be anything.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 * @category models
 */
export type Payload = Readonly<Record<string, unknown>>

/**
 * @since 0.1.0
 * @category decoding
 */
export const make = (value: unknown): Payload | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null

/**
 * A text under the first of these keys that has one; an empty text is none.
 *
 * @since 0.1.0
 * @category decoding
 */
export const text = (payload: Payload, ...keys: ReadonlyArray<string>): string | null => {
  for (const key of keys) {
    const value = payload[key]
    if (typeof value === "string" && value !== "") return value
  }
  return null
}

/**
 * The objects of a list under a key.
 *
 * @since 0.1.0
 * @category decoding
 */
export const objects = (payload: Payload, key: string): ReadonlyArray<Payload> => {
  const value: unknown = payload[key]
  const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
  return items.map(make).filter((one) => one !== null)
}
