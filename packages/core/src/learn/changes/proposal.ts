/** A recommended change as a file for a person, who makes it or leaves it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type { RecommendedAction } from "./RecommendedAction.ts"
import { safeName } from "../../ground/system/FileNames.ts"
import { writeWhole } from "../../ground/system/PlainFiles.ts"
import { plainFolder, reflectionFolder } from "../../turn/records/ReflectionFolder.ts"
import { oneLine } from "../../ground/text/Text.ts"

/** More than anybody reads. */
const maxProposals = 500

export const text = ({ change, id, reason, target }: RecommendedAction): string =>
  [
    `# ${target === null ? "A change" : `A change of ${oneLine(target, 200)}`}`,
    `Proposal ${id}, by a model that looked at how the runs of many tasks ended. Nothing was changed.`,
    `## What to change\n\n${change}`,
    ...(reason === "" ? [] : [`## Why\n\n${reason}`]),
    "Make the change, or delete this file."
  ].join("\n\n") + "\n"

export interface Proposed {
  readonly file: string
  readonly isNew: boolean
}

/** The file, as it is where the same was proposed before; null where there is no room for another. */
export const write = Effect.fnUntraced(function* (directory: string, action: RecommendedAction) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.join(yield* reflectionFolder(directory), "proposals")
  yield* plainFolder(folder)
  const name = `${safeName(action.id)}.md`
  const file = path.join(folder, name)
  const names = yield* fs.readDirectory(folder)
  if (names.includes(name)) return { file, isNew: false } satisfies Proposed
  if (names.length >= maxProposals) return null
  yield* writeWhole(file, text(action))
  return { file, isNew: true } satisfies Proposed
})
