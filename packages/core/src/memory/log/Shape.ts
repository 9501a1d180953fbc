/**
 * What the fields of a record have to be, without a schema: a hook that reads a log has no time to load one. The tests hold
 * it against the schemas.
 */
import type * as Json from "../../base/json/Json.ts"

/** `wanted` is said where a value is something else. */
export interface Field {
  readonly is: (value: unknown) => boolean
  readonly wanted: string
}

export type Shape<A> = { readonly [K in keyof A]-?: Field }

export const text: Field = { is: (value) => typeof value === "string", wanted: "a text is expected" }

export const word: Field = {
  is: (value) => text.is(value) && value !== "",
  wanted: "a text that is not empty is expected"
}

export const flag: Field = { is: (value) => typeof value === "boolean", wanted: "true or false is expected" }

export const amount: Field = {
  is: (value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
  wanted: "a number that is not negative is expected"
}

export const ordinal: Field = {
  is: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  wanted: "a whole number from 1 on is expected"
}

export const oneOf = (values: ReadonlyArray<unknown>): Field => ({
  is: (value) => values.includes(value),
  wanted: `one of ${values.join(", ")} is expected`
})

export const orNull = ({ is, wanted }: Field): Field => ({
  is: (value) => value === null || is(value),
  wanted: `${wanted}, or null`
})

export const orLeftOut = ({ is, wanted }: Field): Field => ({ is: (value) => value === undefined || is(value), wanted })

export const listOf = ({ is, wanted }: Field): Field => ({
  is: (value) => Array.isArray(value) && value.every(is),
  wanted: `a list is expected, and of each item: ${wanted}`
})

/** What is wrong with the first field that is; null where none is. */
export const problemIn = <A>(value: Json.Json, shape: Shape<A>): string | null => {
  for (const [name, { is, wanted }] of Object.entries<Field>(shape))
    if (!is(value[name])) return `${name}: ${value[name] === undefined ? "is missing" : wanted}`
  return null
}

export const is = <A>(value: Json.Json, shape: Shape<A>): value is Json.Json & A => {
  for (const name in shape) if (!shape[name].is(value[name])) return false
  return true
}
