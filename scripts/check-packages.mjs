/**
 * Checks the packages before publishing. With REFLEXION_TESTS=night it also checks every module, and the lowest
 * versions of the peers. Needs a finished build, and a registry or an npm cache for the dependencies.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Consumers from "./packages/consumers.mjs"
import * as Licences from "./packages/licences.mjs"
import { checkPacked, packAll } from "./packages/packed.mjs"
import { part, problems, say } from "./packages/problems.mjs"
import { serve } from "./packages/registry.mjs"
import { checkShape } from "./packages/shape.mjs"

const isNight = process.env.REFLEXION_TESTS === "night"
const root = path.dirname(import.meta.dirname)
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "reflexion-packages-"))

const checkEnd = async (end, given) => {
  const consumer = await part(`${end} peers: install`, () => Consumers.install({ ...given, end }))
  if (consumer === undefined || !isNight) return consumer
  const project = { ...given, consumer, end }
  await part(`${end} peers: type check`, () => Consumers.checkTypes(project))
  await part(`${end} peers: every module`, () => Consumers.loadAll(project))
  return consumer
}

const checkInstalled = async (packed) => {
  const registry = await serve(packed)
  const given = { packed, registry, root, scratch }
  try {
    const consumers = await Promise.all(
      (isNight ? ["lowest", "pinned"] : ["pinned"]).map((end) => checkEnd(end, given))
    )
    if (isNight) await part("the pure entry, with Effect 4 and with none", () => Consumers.checkPure(given))
    await part("npx @reflexion/cli", () => Consumers.checkCommandLine(given))
    return consumers.filter((consumer) => consumer !== undefined)
  } finally {
    registry.close()
  }
}

try {
  const packed = await part("pack", () => packAll(root, scratch))
  if (packed !== undefined) {
    await part("contents and sizes", () => checkPacked(packed, root))
    await part("peers in the documentation", () => Consumers.checkDocumented(packed))
    await part("publint, are-the-types-wrong", () => checkShape(packed))
    const consumers = await checkInstalled(packed)
    await part("licences", async () => {
      Licences.checkInstalled(consumers, packed)
      Licences.checkNotices(packed)
    })
  }
} finally {
  fs.rmSync(scratch, { recursive: true, force: true })
}
say(problems() === 0 ? "packages: ok" : `packages: ${problems()} problem${problems() === 1 ? "" : "s"}`)
process.exitCode = problems() === 0 ? 0 : 1
