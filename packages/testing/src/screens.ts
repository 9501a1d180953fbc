/** Takes the pictures of `docs/opencode.md` anew, on OpenCode's own screen. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Url from "node:url"
import { HostFault } from "./contract/HostContract.ts"
import * as World from "./contract/HostContractWorld.ts"
import { host } from "./hosts/OpenCodeContract.ts"
import * as OpenCodeScreens from "./hosts/OpenCodeScreens.ts"

const page = Url.fileURLToPath(new URL("../../../docs/opencode.md", import.meta.url))

/** Without the place of the sandbox, and the empty lines around it all. */
const printed = (picture: string, workspace: string): string =>
  picture
    .replace(workspace, "/srv/shop".padEnd(workspace.length))
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "")

/** Puts a picture into the block below its name. */
const withPicture = (text: string, [name, picture]: readonly [string, string]) => {
  const block = new RegExp(`(<!-- screen: ${name} -->\\n+\`\`\`text\\n)[^]*?(\\n\`\`\`)`)
  return block.test(text)
    ? Effect.succeed(text.replace(block, (_, before: string, after: string) => `${before}${picture}${after}`))
    : new HostFault({ detail: `there is no block below <!-- screen: ${name} --> in ${page}` })
}

NodeRuntime.runMain(
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const world = yield* World.make(host)
    const { pictures } = yield* OpenCodeScreens.play(world)
    const all = Object.entries(pictures).map(
      ([name, picture]) => [name, printed(picture, world.sandbox.workspace)] as const
    )
    const text = yield* Effect.reduce(all, yield* fs.readFileString(page), withPicture)
    yield* fs.writeFileString(page, text)
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
)
