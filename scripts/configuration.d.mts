import type * as Schema from "effect/Schema"

/** The tables of a schema's objects, by their paths, and the paths of the keys of which nothing is said. */
export const reference: (
  schema: Schema.Schema.AnyNoContext,
  defaults: object
) => { readonly tables: ReadonlyMap<string, string>; readonly silent: ReadonlyArray<string> }

/** The page with every block filled in. Throws for a table without a block, and for a block without a table. */
export const fill: (page: string, tables: ReadonlyMap<string, string>) => string
