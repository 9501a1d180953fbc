/** A project's scripts by name, looked up by its own properties only. */
import type { Scripts } from "./model.ts"

export const empty: Scripts = { npm: {}, make: {}, just: {}, mise: {}, task: {}, python: {}, composer: {}, deno: {} }

/** Own properties only: a script may be called `constructor`. */
export const lookup = (scripts: Readonly<Record<string, string>>, name: string): string | null =>
  Object.hasOwn(scripts, name) ? (scripts[name] ?? null) : null
