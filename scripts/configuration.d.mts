import type { Section } from "@reflexion/core/internal/session/config/ConfigReference"

/** The tables of a page's blocks, by the paths of their sections. */
export const tables: (sections: ReadonlyArray<Section>) => ReadonlyMap<string, string>

/** The page with every block filled in anew. Throws for a section without a block, and for a block without a section. */
export const fill: (page: string, sections: ReadonlyArray<Section>) => string
