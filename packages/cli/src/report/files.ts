/**
 * The records of reviews and the proposals as a project keeps them. A workspace is not trusted: no link is followed, and all
 * is bounded.
 */
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Mutator from "@reflexion/core/Mutator"
import * as Option from "effect/Option"
import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Proposal } from "./cycle.ts"
import type { Stop } from "./model.ts"
import * as ReportRecord from "./record.ts"

/** More than reflexion keeps: what is beyond was put there by others. */
const maxRecords = 500

const maxNames = 20_000

/**
 * `damaged` are records that could not be read; `leftOut` those beyond the newest 500.
 *
 * @category models
 */
export interface Records {
  readonly stops: ReadonlyArray<Stop>
  readonly damaged: number
  readonly leftOut: number
}

const timeIn = /_(\d{13,15})\.json$/u

const timeOf = (name: string): number => Number(timeIn.exec(name)?.[1] ?? 0)

/** Signals say less than the record beside them. */
const isRecord = (name: string): boolean => timeIn.test(name) && !/^verdict_/iu.test(name)

const read = (file: string): Option.Option<Stop> =>
  Option.flatten(
    Option.liftThrowable(() =>
      Option.flatMap(
        Option.fromNullable(PlainFiles.read(file, { maxBytes: ArtifactFiles.maxBytes, ofWorkspace: true })),
        ReportRecord.stopOf
      )
    )()
  )

/** The names in a folder below a project; none where it is not there. Throws for a symbolic link in its place. */
const namesIn = (folder: string): ReadonlyArray<string> => {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) throw new Error(`${folder} is no folder, or a symbolic link, which is not followed here`)
  return readdirSync(folder).slice(0, maxNames)
}

const maxProposals = 500

const proposalBytes = 65_536

const proposalIn = (root: string, reference: string): Option.Option<Proposal> =>
  Option.flatten(
    Option.liftThrowable(() => {
      const file = join(root, reference)
      const text = PlainFiles.read(file, { maxBytes: proposalBytes, ofWorkspace: true })
      return Option.map(Option.fromNullable(text), (text) => ({ reference, at: lstatSync(file).mtimeMs, text }))
    })()
  )

/**
 * The proposals of a project, and how many files there are none that can be read. Throws as `records` does.
 *
 * @category reading
 */
export const proposals = (root: string) => {
  namesIn(join(root, ArtifactFiles.directory))
  const folder = join(ArtifactFiles.directory, Mutator.proposals)
  const names = namesIn(join(root, folder)).filter((name) => name.endsWith(".md"))
  const found = names.slice(0, maxProposals).map((name) => proposalIn(root, join(folder, name)))
  const proposals = found.flatMap(Option.toArray)
  return { proposals, damaged: found.length - proposals.length }
}

/**
 * The newest records of a project. Throws what the file system throws, and for a symbolic link in the folder's place.
 *
 * @category reading
 */
export const records = (root: string): Records => {
  const folder = join(root, ArtifactFiles.directory)
  const names = namesIn(folder)
    .filter(isRecord)
    .toSorted((one, other) => timeOf(other) - timeOf(one))
  const stops = names.slice(0, maxRecords).map((name) => read(join(folder, name)))
  const known = stops.flatMap(Option.toArray)
  return { stops: known, damaged: stops.length - known.length, leftOut: Math.max(0, names.length - maxRecords) }
}
