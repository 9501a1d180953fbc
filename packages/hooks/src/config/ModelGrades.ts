/** How the models that the user tried did on the written cases, and which threshold each earned. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as KeptByName from "./KeptByName.ts"

/** `from` is the threshold at which enough were right, null where none was: such a model tells, and sends nobody on. */
export interface Grade {
  readonly right: number
  readonly cases: number
  readonly from: number | null
  readonly promptVersion: number
  readonly at: string
}

const gradeOf = (value: unknown): Grade | null => {
  const { at, cases, from, promptVersion, right } = Json.object(value)
  const isGrade =
    typeof at === "string" &&
    typeof cases === "number" &&
    typeof promptVersion === "number" &&
    typeof right === "number" &&
    (from === null || (typeof from === "number" && from > 0 && from < 1))
  return isGrade ? { right, cases, from, promptVersion, at } : null
}

export const { fileOf, forget, keep, read } = KeptByName.make({
  file: "model-grades.json",
  key: "models",
  read: gradeOf,
  remedy: "try the model with `reflexion allow model` once more"
})

/** The threshold earned with this question: undefined where it was not tried with it, null where the model only tells. */
export const earned =
  (directories: KeptByName.Directories, promptVersion: number): ((model: string) => number | null | undefined) =>
  (model) => {
    try {
      const grade = read(directories).get(model)
      return grade?.promptVersion === promptVersion ? grade.from : undefined
    } catch {
      return undefined
    }
  }
