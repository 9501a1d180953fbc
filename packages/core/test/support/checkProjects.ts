import { Command, FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { type Options, type Request, Verification } from "../../src/checks/Verification.ts"
import { textOf } from "./processes.ts"
import { worksWith } from "./works.ts"

export { gone, pidsIn, textOf, whileTimeGoesBy } from "./processes.ts"

/** The folder of a test, its project below it and the user's state. */
export class Place extends Effect.Tag("test/Place")<
  Place,
  { readonly folder: string; readonly project: string; readonly state: string }
>() {}

const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "check-" }))
  yield* fs.makeDirectory(path.join(folder, "project"))
  return Place.of({ folder, project: path.join(folder, "project"), state: path.join(folder, "state") })
})

/** The real service in a folder of its own. These tests may themselves run as a check of reflexion. */
export const real = (options: Partial<Options> = {}, env: ReadonlyMap<string, string> = new Map()) =>
  Layer.unwrapEffect(Effect.map(Place, ({ state }) => Verification.Live({ directory: state, ...options }))).pipe(
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(env)))),
    Layer.provideMerge(Layer.scoped(Place, place)),
    Layer.provideMerge(NodeContext.layer)
  )

export const live = worksWith(real(), it.scopedLive)

export const write = Effect.fnUntraced(function* (name: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(yield* Place.project, name)
  yield* fs.makeDirectory(path.dirname(file), { recursive: true })
  yield* fs.writeFileString(file, text)
  return file
})

export const git = Effect.fnUntraced(function* (...words: ReadonlyArray<string>) {
  const settings = "user.name=A user.email=a@example.org commit.gpgsign=false maintenance.auto=false"
  const who = settings.split(" ").flatMap((setting) => ["-c", setting])
  const command = Command.make("git", ...who, ...words).pipe(Command.workingDirectory(yield* Place.project))
  return yield* Command.string(command)
})

export const repository = Effect.fnUntraced(function* () {
  yield* git("init", "--quiet")
  yield* write("src/sum.mjs", "export const sum = (a, b) => a + b\n")
  yield* write(".gitignore", "ignored\n")
  yield* git("add", ".")
  yield* git("commit", "--quiet", "-m", "Begin")
})

/** One check, whose run leaves a line in a file outside the project. */
export const counted = Effect.fnUntraced(function* (gate = "tests") {
  const folder = yield* Place.folder
  const runs = `${folder}/runs`
  const check = { name: gate, command: `echo ran >> '${runs}' && test -d src` }
  const count = Effect.map(textOf(runs), (text) => text.split("\n").length - 1)
  return { check, count }
})

export const verify = Effect.fnUntraced(function* (check: Request["checks"][number], directory?: string) {
  const { run } = yield* Verification
  const [result, ...more] = yield* run({ directory: directory ?? (yield* Place.project), checks: [check] })
  if (result === undefined || more.length > 0) return yield* Effect.dieMessage("one check has one result")
  return result
})
