/** Whether a JSON schema is one that providers hold a model to: every property required, and none besides. */
import * as Predicate from "effect/Predicate"

const unsupported = ["allOf", "oneOf", "not", "patternProperties", "if", "dependentSchemas"]

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const isStrictObject = (schema: object): boolean => {
  const properties = "properties" in schema && Predicate.isRecord(schema.properties) ? schema.properties : {}
  const required = "required" in schema && isList(schema.required) ? schema.required : []
  const closed = "additionalProperties" in schema && schema.additionalProperties === false
  return closed && Object.keys(properties).every((name) => required.includes(name))
}

const isObject = (schema: object): boolean => ("type" in schema && schema.type === "object") || "properties" in schema

/** Their keys are names, and no keywords. */
const named = new Set(["properties", "$defs", "definitions"])

const isStrictPart = (keyword: string, value: unknown): boolean => {
  if (keyword === "enum" || keyword === "const") return true
  return named.has(keyword) && Predicate.isRecord(value) ? Object.values(value).every(isStrict) : isStrict(value)
}

export const isStrict = (schema: unknown): boolean => {
  if (isList(schema)) return schema.every(isStrict)
  if (!Predicate.isRecord(schema)) return true
  if (unsupported.some((keyword) => keyword in schema)) return false
  if (isObject(schema) && !isStrictObject(schema)) return false
  return Object.entries(schema).every(([keyword, value]) => isStrictPart(keyword, value))
}
