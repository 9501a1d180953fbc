/** A recommended change as a file for a person, who makes it or leaves it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type { RecommendedAction } from "./RecommendedAction.ts"
import { safeName } from "../../base/system/FileNames.ts"
import { writeWhole } from "../../base/system/PlainFiles.ts"
import { plainFolder, reflectionFolder } from "../../turn/records/Artifacts.ts"
import { oneLine } from "../../base/text/Text.ts"

export const folder = "proposals"

/** More than anybody reads. */
const maxProposals = 500

const text = ({ change, id, reason, target }: RecommendedAction): string =>
  [
    `# A change${target === null ? "" : ` of ${oneLine(target, 200)}`}`,
    `Proposal ${id}, by a model that looked at how the runs of many tasks ended. Nothing was changed.`,
    `## What to change\n\n${change}`,
    ...(reason === "" ? [] : [`## Why\n\n${reason}`]),
    "Make the change, or delete this file.\n"
  ].join("\n\n")

export interface Proposed {
  readonly file: string
  readonly isNew: boolean
}

/** The file, as it is where the same was proposed before; null where there is no room for another. */
export const write = Effect.fnUntraced(function* (directory: string, action: RecommendedAction) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const into = path.join(yield* reflectionFolder(directory), folder)
  yield* plainFolder(into)
  const name = `${safeName(action.id)}.md`
  const file = path.join(into, name)
  const names = yield* fs.readDirectory(into)
  if (names.includes(name)) return { file, isNew: false } satisfies Proposed
  if (names.length >= maxProposals) return null
  yield* writeWhole(file, text(action))
  return { file, isNew: true } satisfies Proposed
})
