import type { Packed } from "./packed.mjs"

/** What publint and are-the-types-wrong have to say of the tarballs. */
export const checkShape: (packed: ReadonlyArray<Packed>) => Promise<void>
