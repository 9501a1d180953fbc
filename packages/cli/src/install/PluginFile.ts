/** Edits the list of plugins in a host's file. Each item is a spec, or a pair of a spec and the plugin's options. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { fileURLToPath } from "node:url"
import type { Host } from "../host/Hosts.ts"
import * as HookBundle from "./HookBundle.ts"
import * as JsonText from "./JsonText.ts"
import type { IsOurs, Ours, Parsed, Result } from "./JsonText.ts"

const key = "plugin"

const pathOf = Option.liftThrowable((url: string) => fileURLToPath(url))

/** The file that a spec loads if it is one of our copies in `folder`. Null for any other spec. */
export const parse = (spec: string, folder: string): string | null => {
  const file = spec.startsWith("file:") ? Option.getOrNull(pathOf(spec)) : spec
  return file !== null && HookBundle.isEntry(file, folder, "plugin") ? file : null
}

export const isPackage = (spec: string, { installation: { plugin } }: Host): boolean =>
  plugin !== null && (spec === plugin.packageName || spec.startsWith(`${plugin.packageName}@`))

const valueOf = ({ value }: Parsed): unknown => (Predicate.isReadonlyRecord(value) ? value[key] : undefined)

const read = (text: string): Result<Parsed> =>
  Either.flatMap(JsonText.parse(text), (parsed) =>
    valueOf(parsed) === undefined || Array.isArray(valueOf(parsed))
      ? Either.right(parsed)
      : Either.left(JsonText.wrongAt(parsed, [key], `${key} should be a list`))
  )

export interface Plugin {
  readonly spec: string
  readonly options: unknown
  readonly at: number
  readonly isPair: boolean
}

const pluginsIn = (parsed: Parsed): ReadonlyArray<Plugin> => {
  const found = valueOf(parsed)
  return (Array.isArray(found) ? found : []).flatMap((item: unknown, at): ReadonlyArray<Plugin> => {
    const [spec, options]: ReadonlyArray<unknown> = Array.isArray(item) ? item : [item]
    return typeof spec === "string" ? [{ spec, options, at, isPair: Array.isArray(item) }] : []
  })
}

export const plugins = (text: string): Result<ReadonlyArray<Plugin>> => Either.map(read(text), pluginsIn)

export const containers = (text: string): ReadonlyArray<string> =>
  Either.match(read(text), { onLeft: () => [], onRight: (parsed) => (valueOf(parsed) === undefined ? [] : [key]) })

/** A new file also gets the schema that the host would add anyway. */
export const install = (
  text: string,
  { isOurs, schema, spec }: { readonly spec: string; readonly isOurs: IsOurs; readonly schema: string }
): Result<string> =>
  JsonText.repeat(text.trim() === "" ? `{\n  "$schema": "${schema}"\n}\n` : text, read, (parsed) => {
    const [first, second] = pluginsIn(parsed).filter((one) => one.spec === spec || isOurs(one.spec))
    if (first === undefined) return JsonText.append(parsed.text, [key], spec)
    if (second !== undefined) return JsonText.remove(parsed, [key, second.at])
    return first.spec === spec ? null : JsonText.set(parsed.text, [key, first.at, ...(first.isPair ? [0] : [])], spec)
  })

/** An empty list is also removed if it did not exist before our specs. */
export const remove = (text: string, { before, isOurs }: Ours): Result<string> =>
  JsonText.repeat(text, read, (parsed) => {
    const ours = pluginsIn(parsed).find(({ spec }) => isOurs(spec))
    if (ours !== undefined) return JsonText.remove(parsed, [key, ours.at])
    const found = valueOf(parsed)
    return Array.isArray(found) && found.length === 0 && !before.includes(key) ? JsonText.remove(parsed, [key]) : null
  })

/** True if a text contains only what every new file contains. */
export const isBlank = (text: string): boolean =>
  JsonText.isPlain(text) &&
  Either.match(read(text), {
    onLeft: () => false,
    onRight: ({ value }) => Predicate.isReadonlyRecord(value) && Object.keys(value).every((one) => one === "$schema")
  })
