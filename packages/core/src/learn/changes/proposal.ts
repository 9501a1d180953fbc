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

const named = "# A change of "

const unnamed = "# A change"

const what = "\n\n## What to change\n\n"

const why = "\n\n## Why\n\n"

const ending = "\n\nMake the change, or delete this file."

export const text = ({ change, id, reason, target }: RecommendedAction): string =>
  [
    `${target === null ? unnamed : `${named}${oneLine(target, 200)}`}\n\n`,
    `Proposal ${id}, by a model that looked at how the runs of many tasks ended. Nothing was changed.`,
    `${what}${change}`,
    ...(reason === "" ? [] : [`${why}${reason}`]),
    `${ending}\n`
  ].join("")

const origin = /^Proposal (\S{1,200}), by a model /mu

/** The change that a file proposes; null where it is no proposal. */
export const parse = (given: string): RecommendedAction | null => {
  const [head = "", ...others] = given.split(what)
  const [, id] = origin.exec(head) ?? []
  if (id === undefined || others.length === 0 || !head.startsWith(unnamed)) return null
  const [title = ""] = head.split("\n", 1)
  const body = others.join(what)
  const end = body.lastIndexOf(ending)
  const told = end < 0 ? body : body.slice(0, end)
  const reasoned = told.lastIndexOf(why)
  return {
    id,
    target: title.startsWith(named) ? title.slice(named.length) : null,
    change: (reasoned < 0 ? told : told.slice(0, reasoned)).trim(),
    reason: reasoned < 0 ? "" : told.slice(reasoned + why.length).trim()
  }
}

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
