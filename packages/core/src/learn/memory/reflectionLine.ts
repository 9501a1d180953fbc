/** Category and source of a reflection in a byte, as its row keeps them. */
import { Category, Source } from "../lessons/Reflection.ts"

const categories = new Map<string, number>(Category.literals.map((name, index) => [name, index + 1]))
const sources = new Map<string, number>(Source.literals.map((name, index) => [name, index + 1]))

export const markOf = (category: string, source: string | null): number =>
  (categories.get(category) ?? 0) * 8 + (source === null ? 0 : (sources.get(source) ?? 0))

/** What a mark stands for. */
export const categoryOf = (mark: number): Category | null => Category.literals[(mark >> 3) - 1] ?? null
export const sourceOf = (mark: number): Source | null => Source.literals[(mark & 7) - 1] ?? null
