/** Checks the packages as bundlers and compilers see them, with publint and are-the-types-wrong. */
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import * as fs from "node:fs"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { problem } from "./problems.mjs"

/** The packages are ES modules for Node 20.19 and newer, so the rules of Node 10 and of `require` do not apply. */
const ignored = new Set(["node10", "node16-cjs"])

const concerns = ({ resolutionKind }) => resolutionKind === undefined || !ignored.has(resolutionKind)

const lint = async ({ name, tarball }) => {
  const { buffer, byteLength, byteOffset } = fs.readFileSync(tarball)
  const pack = { tarball: buffer.slice(byteOffset, byteOffset + byteLength) }
  const { messages, pkg } = await publint({ pack, strict: true })
  for (const message of messages)
    problem(`${name}: publint: ${message.type}: ${formatMessage(message, pkg, { color: false })}`)
}

const checkTypes = async ({ files, name, tarball }) => {
  const result = await checkPackage(createPackageFromTarballData(fs.readFileSync(tarball)))
  // A package without declarations is a program. If a package has declarations, they must be found.
  if (result.types === false) {
    if (files.some((file) => file.endsWith(".d.ts"))) problem(`${name}: are-the-types-wrong: finds no types`)
    return
  }
  for (const { entrypoint = "", kind, resolutionKind = "", ...more } of result.problems.filter(concerns)) {
    const where = [entrypoint, resolutionKind, more.fileName].filter(Boolean).join(", ")
    problem(`${name}: are-the-types-wrong: ${kind} (${where})`)
  }
}

export const checkShape = async (packed) => {
  for (const one of packed) {
    await lint(one)
    await checkTypes(one)
  }
}
