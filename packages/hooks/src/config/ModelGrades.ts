/** The results of models that the user tried on the test cases, and the thresholds that the models earned. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as KeptByName from "./KeptByName.ts"

export interface Grade {
  readonly right: number
  readonly cases: number
  /** The threshold. Null if no threshold was good enough: then the model's findings only inform the user. */
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

/** Undefined if the model was not tried with this prompt version. Null if the model earned no threshold. */
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
