/** Checks that everything in these packages may be distributed, and that its licence is included. */
import * as fs from "node:fs"
import * as path from "node:path"
import { programsOf } from "./packed.mjs"
import { problem, say } from "./problems.mjs"

const allowed = new Set(
  "MIT MIT-0 ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD BlueOak-1.0.0 Unlicense CC0-1.0".split(" ")
)

/** An SPDX expression with nested brackets fails, so that a person reads it. */
const isAllowed = (expression) =>
  typeof expression === "string" &&
  expression
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((licence) => allowed.has(licence)))

/** Only an example uses this package, under its owner's terms. No published package depends on it or contains it. */
const ofExample = /^@anthropic-ai\/claude-agent-sdk /

export const checkInstalled = (consumers, packed) => {
  const seen = new Map()
  for (const consumer of consumers) {
    const { packages } = JSON.parse(fs.readFileSync(path.join(consumer, "node_modules", ".package-lock.json"), "utf8"))
    for (const [place, { dev, license, version }] of Object.entries(packages))
      if (dev !== true) seen.set(`${place.replace(/^.*node_modules\//, "")} ${version}`, license)
  }
  for (const [name, license] of seen)
    if (!isAllowed(license) && !ofExample.test(name))
      problem(`${name} comes under ${JSON.stringify(license) ?? "no licence"}, which is not on the list`)
  if (seen.size <= packed.length) problem("no dependency was found")
  say(`  ${seen.size - packed.length} packages are installed with these`)
}

const notices = (all) =>
  all.split(`\n${"-".repeat(80)}\n`).map((notice) => {
    const [, name = "a notice", licence = ""] = /^\s*(\S{1,200}) \S{1,100} \((.{1,100})\)\n/.exec(notice) ?? []
    return { name, licence, text: notice.slice(notice.indexOf("\n", 1)).trim() }
  })

/** In characters. A shorter text is not the text of a licence. */
const shortest = 300

/** The parts of the command line share one file of licences. */
const noticesOf = ({ files, folder }, program) => {
  const next = [program.replace(/(?:-[\w-]+)?\.c?js$/, ".licenses.txt"), "dist/bin.licenses.txt"]
  const file = next.find((name) => files.includes(name))
  return file === undefined ? null : fs.readFileSync(path.join(folder, file), "utf8")
}

export const checkNotices = (packed) => {
  const all = packed.flatMap((one) => programsOf(one).map((program) => ({ one, program })))
  for (const { one, program } of all) {
    const where = `${one.name}: ${program}`
    const text = noticesOf(one, program)
    const found = text ? notices(text) : []
    if (text === null) problem(`${where} comes without its licences`)
    for (const { licence, name, text: said } of found) {
      if (!isAllowed(licence)) problem(`${where}: ${name} comes under "${licence}", which is not on the list`)
      if (said.length < shortest) problem(`${where}: ${name} has no licence's text`)
    }
  }
  say(`  ${all.length} programs have the licences of what they contain with them`)
}
