/** Generates damaged records: values with missing or replaced parts, and lines that are cut or joined. */
import * as fc from "effect/FastCheck"

/** Changes one part, at any depth. */
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

/** `parts` are realistic replacements. */
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

export const value = (samples: ReadonlyArray<object>, parts: ReadonlyArray<unknown> = []): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: mutated(samples, parts) },
    { weight: 3, arbitrary: fc.constantFrom<unknown>(...samples) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) }
  )

export const line = (samples: ReadonlyArray<object>, parts: ReadonlyArray<unknown> = []): fc.Arbitrary<string> => {
  const written = value(samples, parts).map((one) => JSON.stringify(one) ?? "")
  return fc.oneof(
    { weight: 8, arbitrary: written },
    { weight: 1, arbitrary: fc.tuple(written, fc.nat(400)).map(([text, cut]) => text.slice(0, cut)) },
    { weight: 1, arbitrary: fc.tuple(written, written).map((pair) => pair.join("")) }
  )
}
