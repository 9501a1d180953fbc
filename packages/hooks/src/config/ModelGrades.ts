/**
 * How the models that the user tried did on the written cases, and which threshold each earned: one file in the user's own
 * state, for a workspace is not trusted.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as PlainFiles from "@reflexion/node/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import type { UserDirectories } from "../places/UserDirectories.ts"

type Directories = Pick<UserDirectories, "state">

/**
 * `right` of `cases` were answered rightly at the threshold `from`, null where too few were at any: such a model tells, and
 * sends nobody on. `promptVersion` is that of the question; `at` is an ISO 8601 moment.
 *
 * @category models
 */
export interface Grade {
  readonly right: number
  readonly cases: number
  readonly from: number | null
  readonly promptVersion: number
  readonly at: string
}

export const fileOf = ({ state }: Directories): string => Path.join(state, "model-grades.json")

const maxBytes = 256 * 1024

const version = 1

const damaged = (file: string, what: string): Error =>
  new Error(`${file} is damaged (${what}): remove it, and try the model with \`reflexion allow model\` once more`)

const isGrade = (value: unknown): value is Grade => {
  const { at, cases, from, promptVersion, right } = Json.object(value)
  return (
    typeof at === "string" &&
    typeof cases === "number" &&
    typeof promptVersion === "number" &&
    typeof right === "number" &&
    (from === null || (typeof from === "number" && from > 0 && from < 1))
  )
}

/**
 * All grades by the models' names. Throws for a damaged file, a link, and what is too large or unreadable.
 *
 * @category reading
 */
export const read = (directories: Directories): ReadonlyMap<string, Grade> => {
  const file = fileOf(directories)
  const text = PlainFiles.read(file, { maxBytes })
  if (text === null) return new Map()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw damaged(file, "no JSON")
  }
  const given = Json.object(value)
  if (given["version"] !== version) throw damaged(file, `"version" has to be ${version}`)
  return new Map(
    Object.entries(Json.object(given["models"])).map(([name, grade]) => {
      if (!isGrade(grade)) throw damaged(file, `models.${name.slice(0, 100)} is no grade`)
      return [name, grade] as const
    })
  )
}

/**
 * The threshold that a model earned with the question as it is now: undefined where it was not tried with it, null where it
 * only tells. A file that cannot be read is as none.
 *
 * @category reading
 */
export const earned =
  (directories: Directories, promptVersion: number): ((model: string) => number | null | undefined) =>
  (model) => {
    try {
      const grade = read(directories).get(model)
      return grade?.promptVersion === promptVersion ? grade.from : undefined
    } catch {
      return undefined
    }
  }

const write = (directories: Directories, grades: ReadonlyMap<string, Grade>): void => {
  const models = Object.fromEntries([...grades].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  PlainFiles.write(fileOf(directories), `${JSON.stringify({ version, models }, null, 2)}\n`)
}

/**
 * Keeps a model's grade. Throws what `read` throws.
 *
 * @category writing
 */
export const keep = (directories: Directories, model: string, grade: Grade): void =>
  write(directories, new Map([...read(directories), [model, grade]]))

/**
 * Forgets a model's grade, and says whether there was one; the file goes with the last. Throws what `read` throws.
 *
 * @category writing
 */
export const forget = (directories: Directories, model: string): boolean => {
  const grades = new Map(read(directories))
  if (!grades.delete(model)) return false
  if (grades.size === 0) FS.rmSync(fileOf(directories), { force: true })
  else write(directories, grades)
  return true
}
