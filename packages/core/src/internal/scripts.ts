/** Scripts by name, as their files have them; a recipe's lines are separated by newlines and each must succeed. */
export interface Scripts {
  readonly npm: Readonly<Record<string, string>>
  readonly make: Readonly<Record<string, string>>
  readonly just: Readonly<Record<string, string>>
  readonly mise: Readonly<Record<string, string>>
  readonly task: Readonly<Record<string, string>>
  readonly python: Readonly<Record<string, string>>
  readonly composer: Readonly<Record<string, string>>
  readonly deno: Readonly<Record<string, string>>
}

export const empty: Scripts = { npm: {}, make: {}, just: {}, mise: {}, task: {}, python: {}, composer: {}, deno: {} }

/** Own properties only: a script may be called `constructor`. */
export const lookup = (scripts: Readonly<Record<string, string>>, name: string): string | null =>
  Object.hasOwn(scripts, name) ? (scripts[name] ?? null) : null
