/** The scripts of a project by name. */
import type { Scripts } from "./model.ts"

export const empty: Scripts = { npm: {}, make: {}, just: {}, mise: {}, task: {}, python: {}, composer: {}, deno: {} }

/** Ignores inherited properties, because a script may be called `constructor`. */
export const lookup = (scripts: Readonly<Record<string, string>>, name: string): string | null =>
  Object.hasOwn(scripts, name) ? (scripts[name] ?? null) : null
