/**
 * Records that something went wrong with: values of a host's own shapes with parts lost or replaced, and lines that are
 * cut off or run into each other.
 */
import * as fc from "effect/FastCheck"

/** A value with one of its parts, at any depth, deleted or replaced by something else. */
const mutate = (value: unknown, path: ReadonlyArray<number>, replacement: unknown): unknown => {
  if (typeof value !== "object" || value === null) return replacement
  const keys = Object.keys(value)
  const [first, ...rest] = path
  const key = keys[(first ?? 0) % Math.max(1, keys.length)]
  if (key === undefined) return replacement
  const entries = Object.entries(value).flatMap(([name, part]) => {
    if (name !== key) return [[name, part] as const]
    if (rest.length > 0) return [[name, mutate(part, rest, replacement)] as const]
    return replacement === undefined ? [] : [[name, replacement] as const]
  })
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries)
}

/** A sample with a part deleted or replaced; `parts` are replacements that the host's records could hold. */
export const mutated = (samples: ReadonlyArray<object>, parts: ReadonlyArray<unknown> = []): fc.Arbitrary<unknown> => {
  const replacement = fc.oneof(
    fc.constant(undefined),
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>({}, [], "", null, -1, Number.MAX_SAFE_INTEGER, ...parts)
  )
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(fc.nat(12), { minLength: 1, maxLength: 6 }), replacement)
    .map(([sample, path, part]) => mutate(sample, path, part))
}

/** A sample, a mangled one, or any other JSON value. */
export const value = (samples: ReadonlyArray<object>, parts: ReadonlyArray<unknown> = []): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: mutated(samples, parts) },
    { weight: 3, arbitrary: fc.constantFrom<unknown>(...samples) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) }
  )

/** A line of a record with such a value, now and then cut off or followed by another without a line break. */
export const line = (samples: ReadonlyArray<object>, parts: ReadonlyArray<unknown> = []): fc.Arbitrary<string> => {
  const written = value(samples, parts).map((one) => JSON.stringify(one) ?? "")
  return fc.oneof(
    { weight: 8, arbitrary: written },
    { weight: 1, arbitrary: fc.tuple(written, fc.nat(400)).map(([text, cut]) => text.slice(0, cut)) },
    { weight: 1, arbitrary: fc.tuple(written, written).map((pair) => pair.join("")) }
  )
}
