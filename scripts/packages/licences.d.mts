import type { Packed } from "./packed.mjs"

export const isAllowed: (expression: unknown) => boolean

/** Of what is installed with the packages in these projects: every licence is on the list. */
export const checkInstalled: (consumers: ReadonlyArray<string>, packed: ReadonlyArray<Packed>) => void

/** Of what is bundled into them: with every program the licences of all that it contains. */
export const checkNotices: (packed: ReadonlyArray<Packed>) => void
