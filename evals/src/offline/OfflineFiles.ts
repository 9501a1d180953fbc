/** The prompts and the answers on the disk: a file each, under ids that tell nothing. */
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import type { Answers, Asked } from "./model.ts"

/** The same for the same question at any time, and in no order that would tell of it. */
export const idOf = (...parts: ReadonlyArray<string>): string =>
  Crypto.createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12)

/** Where the form of an answer is not told in the prompt itself, a provider's call tells it. */
const forms: Readonly<Record<Asked["suite"], string>> = {
  judge: "one JSON object as the system part says",
  stuck: "one JSON object as the system part says"
}

/** Another judge's prompt has no system part, and tells its form itself. */
const form = ({ id, suite, system }: Asked): string =>
  `<!-- Answer from this file alone. Write ${system === "" ? "what it asks for" : forms[suite]} to ${suite}/${id}.json -->`

const text = (asked: Asked): string =>
  asked.system === ""
    ? `${form(asked)}\n\n${asked.prompt}\n`
    : `${form(asked)}\n\n# System\n\n${asked.system}\n\n# User\n\n${asked.prompt}\n`

/** Gives how many were written. */
export const write = (folder: string, asked: ReadonlyArray<Asked>): number => {
  for (const one of asked) {
    const place = Path.join(folder, one.suite)
    Fs.mkdirSync(place, { recursive: true })
    Fs.writeFileSync(Path.join(place, `${one.id}.md`), text(one))
  }
  return asked.length
}

/** The answers to these questions that are there. */
export const read = (folder: string, asked: ReadonlyArray<Pick<Asked, "id" | "suite">>): Answers =>
  new Map(
    asked.flatMap(({ id, suite }) => {
      const places = [Path.join(folder, suite, `${id}.json`), Path.join(folder, `${id}.json`)]
      const found = places.find((place) => Fs.existsSync(place))
      return found === undefined ? [] : [[id, Fs.readFileSync(found, "utf8")] as const]
    })
  )
