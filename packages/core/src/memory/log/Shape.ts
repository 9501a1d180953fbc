/** Checks the fields of a record without a schema, because a hook has no time to load schemas. */
import type * as Json from "../../base/json/Json.ts"

type Field = (value: unknown) => boolean

export type Shape<A> = { readonly [K in keyof A]-?: Field }

export const text: Field = (value) => typeof value === "string"

export const word: Field = (value) => text(value) && value !== ""

export const flag: Field = (value) => typeof value === "boolean"

export const amount: Field = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0

export const ordinal: Field = (value) => Number.isSafeInteger(value) && Number(value) > 0

export const oneOf =
  (values: ReadonlyArray<unknown>): Field =>
  (value) =>
    values.includes(value)

export const orNull =
  (is: Field): Field =>
  (value) =>
    value === null || is(value)

export const listOf =
  (is: Field): Field =>
  (value) =>
    Array.isArray(value) && value.every(is)

export const is = <A>(value: Json.Json, shape: Shape<A>): value is Json.Json & A => {
  for (const name in shape) if (!shape[name](value[name])) return false
  return true
}
