import type { Packed } from "./packed.mjs"

export const isAllowed: (expression: unknown) => boolean

/** Of what is installed with the packages in these projects: every licence is on the list. */
export const checkInstalled: (consumers: ReadonlyArray<string>, packed: ReadonlyArray<Packed>) => void

/** The packages that each bundled program is made of, by its path in the repository. */
export type Bundled = Readonly<Record<string, ReadonlyArray<string>>>

export const readBundled: (root: string) => Bundled

/** Of what is bundled into them: with every program the licences of all that it contains. */
export const checkNotices: (packed: ReadonlyArray<Packed>, made: Bundled) => void
