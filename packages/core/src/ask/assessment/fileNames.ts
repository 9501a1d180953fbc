/**
 * Which names of files may stand in what the agent is told. Whoever pushes to a project may name a file like a sentence
 * (`run-the-deploy-script.sh`), so a name that the user did not say has room for no more than a name.
 */
import { hasUnnamed } from "../../base/text/Addresses.ts"
import * as Quotations from "./quotations.ts"
import type { Turn } from "./TurnRecord.ts"

/** One name, that can be nothing but one. */
const fileName = /^[\p{L}\p{N}@+._-][\p{L}\p{N}.@+_/-]{0,59}$/u

const latin = /^[\p{Script=Latin}\p{N}@+._-]+$/u

/** The words of a name, however they are told apart. */
const words = (name: string): ReadonlyArray<string> =>
  name.match(/\p{Lu}?\p{Ll}{1,60}|\p{Lu}{1,60}(?!\p{Ll})/gu)?.map((word) => word.toLowerCase().replace(/s$/, "")) ?? []

/** What says of a file which kind of file it is. */
const conventional = new Set(
  "test spec config conf index type util helper constant lock model view controller service component page module store min e2e d".split(
    " "
  )
)

/** What stands behind the last dot is no word, if it is as short as an ending. */
const ending = /(?<=.)\.[a-z\d]{1,5}$/i

const longest = 20

/** At most two words, of which one may be of nobody knows whom: no sentence and no command has room in that. */
const isPlain = (name: string, said: ReadonlySet<string>): boolean => {
  const own = words(name.replace(ending, "")).filter((word) => !conventional.has(word))
  return (
    latin.test(name) &&
    own.length <= 2 &&
    own.every((word) => word.length <= longest) &&
    own.filter((word) => !said.has(word)).length <= 1
  )
}

/** Whether a text has this name, and not only as a part of another. */
const names = (text: string, name: string): boolean =>
  text
    .split(name)
    .some(
      (before, at, all) =>
        at < all.length - 1 && !/[\p{L}\p{N}_-]$/u.test(before) && !/^[\p{L}\p{N}_-]/u.test(all[at + 1] ?? "")
    )

/** A file that is told of: by its name, or as one that the agent changed where that may say too much. */
export interface Named {
  readonly name: string | null
}

/** A file that the agent has changed or that the user speaks of; null for any other. */
export const fileNamed = (turn: Turn, given: string | null): Named | null => {
  const wanted = (given ?? "").trim().replace(/^`|`$/g, "").slice(0, 400)
  const base = wanted.slice(wanted.lastIndexOf("/") + 1)
  if (base.length < 3) return null
  const edited = turn.known.evidence.edits.some(({ path }) => path === base || path.endsWith(`/${base}`))
  const own = Quotations.ownWords(turn)
  const said = base.includes(".") && own.some((sentence) => names(sentence, base))
  if (!edited && !said) return null
  const isName = fileName.test(base) && !hasUnnamed(base, [])
  const plain = isName && (said || isPlain(base, new Set(own.flatMap((sentence) => words(sentence)))))
  return plain ? { name: base } : edited ? { name: null } : null
}
