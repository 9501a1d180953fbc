/** Limits the size of a tool's input. */
import * as Json from "@reflexion/core/internal/base/json/Json"

const maxCommand = 64 * 1024
const maxField = 8 * 1024

export const clip = (input: unknown): unknown => {
  if (!Json.isObject(input)) return input ?? null
  let out: Record<string, unknown> | undefined
  for (const key of Object.keys(input)) {
    const value = input[key]
    const limit = key === "command" ? maxCommand : maxField
    if (typeof value !== "string" || value.length <= 2 * limit) continue
    out ??= { ...input }
    out[key] = Json.clip(value, limit)
  }
  return out ?? input
}
