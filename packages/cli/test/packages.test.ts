/** The checks of what is published, which have to fail where something is wrong. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { basename, dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { budgets } from "../../../scripts/packages/budgets.mjs"
import * as Changelog from "../../../scripts/packages/changelog.mjs"
import * as Consumers from "../../../scripts/packages/consumers.mjs"
import * as Licences from "../../../scripts/packages/licences.mjs"
import { checkPacked, type Packed } from "../../../scripts/packages/packed.mjs"
import { problemsOf } from "../../../scripts/packages/problems.mjs"
import { checkShape } from "../../../scripts/packages/shape.mjs"
import { unpublished } from "../../../scripts/packages/unpublished.mjs"
import { folder } from "./runCli.ts"

const problems = (check: () => unknown) => Effect.promise(() => problemsOf(check))

type Files = Readonly<Record<string, string>>

const described = { description: "d", license: "MIT", engines: {}, files: ["dist"], version: "1.0.0" }

const manifestOf = (name: string, over: Readonly<Record<string, unknown>> = {}) => ({ name, ...described, ...over })

const told = { LICENSE: "MIT", "README.md": "# d", "CHANGELOG.md": "# d" }

/** A package that is unpacked, and where its tarball is said to be. */
const unpacked = Effect.fnUntraced(function* (
  files: Files,
  { name = "@reflexion/planted", ...over }: Readonly<Record<string, unknown>> & { readonly name?: string } = {}
) {
  const manifest = manifestOf(name, over)
  const all = { "package.json": JSON.stringify(manifest), ...told, ...files }
  const place = yield* folder(all)
  return {
    name,
    manifest,
    tarball: join(place, "package.json"),
    folder: place,
    files: Object.keys(all)
  } satisfies Packed
})

const line = "-".repeat(80)
const terms = "Permission is hereby granted to whoever has a copy of this. ".repeat(6)

const notice = (name: string, licence = "MIT", text = terms): string => `\n${name} 1.0.0 (${licence})\n\n${text}\n`

const minified = "var a=1;"

const made = { "packages/planted/dist/bin.js": ["left", "@scope/right"] }

describe("the check of notices", () => {
  it.scoped("fails where a bundled package has none", () =>
    Effect.gen(function* () {
      const one = yield* unpacked({ "dist/bin.js": minified, "dist/bin.licenses.txt": notice("left") })
      assert.deepStrictEqual(yield* problems(() => Licences.checkNotices([one], made)), [
        "@reflexion/planted: dist/bin.js contains @scope/right, which its licences do not name"
      ])
    })
  )

  it.scoped("fails where nobody knows what is in a program", () =>
    Effect.gen(function* () {
      const one = yield* unpacked({ "dist/bin.js": minified, "dist/bin.licenses.txt": notice("left") })
      assert.deepStrictEqual(yield* problems(() => Licences.checkNotices([one], {})), [
        "@reflexion/planted: dist/bin.js: nobody knows what is bundled into it: run `npm run build`"
      ])
    })
  )

  it.scoped("fails where a program comes without any, or with some that say nothing or too much", () =>
    Effect.gen(function* () {
      const bare = yield* unpacked({ "dist/bin.js": minified })
      assert.deepStrictEqual(yield* problems(() => Licences.checkNotices([bare], made)), [
        "@reflexion/planted: dist/bin.js comes without its licences"
      ])
      const notices = [notice("left", "GPL-3.0"), notice("right", "MIT", "none"), "\nno head\n"].join(`\n${line}\n`)
      const wrong = yield* unpacked({ "dist/hook.cjs": `/*!\n${notices}*/\n${minified}` })
      const contents = { "packages/planted/dist/hook.cjs": ["left", "right"] }
      assert.deepStrictEqual(yield* problems(() => Licences.checkNotices([wrong], contents)), [
        '@reflexion/planted: dist/hook.cjs: left comes under "GPL-3.0", which is not on the list',
        "@reflexion/planted: dist/hook.cjs: right has no licence's text",
        '@reflexion/planted: dist/hook.cjs: a notice comes under "", which is not on the list',
        "@reflexion/planted: dist/hook.cjs: a notice has no licence's text"
      ])
    })
  )

  it.scoped("passes where each is named, and of a library that bundles nothing", () =>
    Effect.gen(function* () {
      const text = [notice("left"), notice("@scope/right", "Apache-2.0")].join(`\n${line}\n`)
      const named = yield* unpacked({
        "dist/bin.js": minified,
        "dist/bin.licenses.txt": text,
        "dist/marketplace/plugins/codex/hook-main.cjs": minified,
        "dist/marketplace/plugins/codex/hook.licenses.txt": text
      })
      const library = yield* unpacked({ "src/A.ts": "", "dist/A.js": "export {}", "dist/A.d.ts": "export {}" })
      const hooks = { ...made, "packages/planted/dist/hooks/codex/hook-main.cjs": ["left"] }
      assert.deepStrictEqual(yield* problems(() => Licences.checkNotices([named, library], hooks)), [])
    })
  )
})

const installed = (at: string, manifest: unknown) => [`node_modules/${at}/package.json`, JSON.stringify(manifest)]

describe("the check of licences", () => {
  it.scoped("fails where a dependency's is not on the list, is not said, or it is not there", () =>
    Effect.gen(function* () {
      const one = yield* unpacked({})
      const dependencies = { left: "1", none: "1", gone: "1" }
      const consumer = yield* folder(
        Object.fromEntries([
          installed(one.name, { ...one.manifest, dependencies, optionalDependencies: { absent: "1" } }),
          installed("left", { name: "left", version: "1.0.0", license: "MIT", dependencies: { deep: "1" } }),
          installed("left/node_modules/deep", { name: "deep", version: "2.0.0", license: "AGPL-3.0 OR GPL-3.0" }),
          installed("none", { name: "none", version: "3.0.0" })
        ])
      )
      const [missing = "", ...rest] = yield* problems(() => Licences.checkInstalled([consumer], [one]))
      assert.match(missing, /gone, which .* needs, is not installed$/u)
      assert.deepStrictEqual(rest, [
        'deep 2.0.0 comes under "AGPL-3.0 OR GPL-3.0", which is not on the list',
        "none 3.0.0 comes under no licence, which is not on the list"
      ])
      assert.deepStrictEqual(yield* problems(() => Licences.checkInstalled([], [one])), ["no dependency was found"])
    })
  )

  it("reads what is meant by OR and AND", () => {
    for (const allowed of ["MIT", "(GPL-3.0 OR MIT)", "MIT AND ISC"])
      assert.isTrue(Licences.isAllowed(allowed), allowed)
    for (const no of ["GPL-3.0", "MIT AND GPL-3.0", "", undefined]) assert.isFalse(Licences.isAllowed(no), String(no))
  })
})

describe("the check of what is packed", () => {
  it.scoped("fails where a manifest names what only the workspace knows", () =>
    Effect.gen(function* () {
      const first = yield* unpacked({})
      const other = yield* unpacked(
        {},
        {
          name: "@reflexion/other",
          version: "1.0.1",
          dependencies: { a: "catalog:", "@reflexion/planted": "^0.9.0" },
          license: undefined
        }
      )
      assert.deepStrictEqual(yield* problems(() => checkPacked([first, other], "/nowhere")), [
        "@reflexion/other: dependencies name a as catalog:",
        "@reflexion/other: dependencies name @reflexion/planted ^0.9.0, which is not 1.0.0",
        "@reflexion/other: package.json has no license",
        "@reflexion/other: has version 1.0.1, others 1.0.0"
      ])
    })
  )

  it.scoped("fails of tests, of paths of this machine, and where something is missing", () =>
    Effect.gen(function* () {
      const one = yield* unpacked({
        "src/A.ts": 'import "./internal/b.ts"',
        "dist/A.js": 'import "node:fs"\nimport "left/deep"\nimport "@reflexion/planted/B"',
        "src/internal/b.ts": "",
        "dist/test/A.test.ts": `// /build/machine${sep}x`,
        "README.md": ""
      })
      const without = { ...one, files: one.files.filter((file) => file !== "README.md") }
      assert.deepStrictEqual(yield* problems(() => checkPacked([without], "/build/machine")), [
        "@reflexion/planted: contains dist/test/A.test.ts",
        "@reflexion/planted: has no README.md",
        "@reflexion/planted: dist/test/A.test.ts names a path of this machine",
        "@reflexion/planted: src/A.ts is packed without dist/A.d.ts: run `npm run build`",
        "@reflexion/planted: src/internal/b.ts is packed without dist/internal/b.js: run `npm run build`",
        "@reflexion/planted: src/internal/b.ts is packed without dist/internal/b.d.ts: run `npm run build`",
        "@reflexion/planted: dist/A.js imports left, which package.json does not name"
      ])
    })
  )

  it.scoped("fails of a program without a budget, over it, or that is not there", () =>
    Effect.gen(function* () {
      const one = yield* unpacked({ "dist/more.js": "1" })
      assert.deepStrictEqual(yield* problems(() => checkPacked([one], "/nowhere")), [
        "@reflexion/planted: dist/more.js has 1 bytes and no budget in scripts/packages/budgets.mjs"
      ])
      const most = budgets["@reflexion/opencode"]["server.js"] ?? 0
      const plugin = yield* unpacked({ "dist/server.js": " ".repeat(most + 1) }, { name: "@reflexion/opencode" })
      assert.deepStrictEqual(yield* problems(() => checkPacked([plugin], "/nowhere")), [
        `@reflexion/opencode: dist/server.js has ${most + 1} bytes, and ${most} at most`
      ])
      const none = yield* unpacked({}, { name: "@reflexion/opencode" })
      assert.deepStrictEqual(yield* problems(() => checkPacked([none], "/nowhere")), [
        "@reflexion/opencode: there is no server.js, though it has a budget"
      ])
    })
  )
})

describe("the check of changelogs", () => {
  const log = "# @reflexion/cli\n\n## 1.0.0\n\n### Minor Changes\n\n- 1234567: It judges.\n"

  const repository = (files: Files) =>
    folder({
      "packages/cli/package.json": JSON.stringify({ name: "@reflexion/cli", version: "1.0.0" }),
      "packages/cli/CHANGELOG.md": log,
      "packages/testing/package.json": JSON.stringify({ name: "@reflexion/testing", private: true }),
      "CHANGELOG.md": Changelog.assemble(new Map([["@reflexion/cli", log]])),
      ".changeset/README.md": "",
      ...files
    })

  it.scoped("passes where they say the same", () =>
    Effect.gen(function* () {
      const root = yield* repository({ ".changeset/new.md": '---\n"@reflexion/cli": patch\n---\n\nIt is quicker.\n' })
      assert.deepStrictEqual(yield* problems(() => Changelog.checkChangelog(root)), [])
    })
  )

  it.scoped("fails where one says nothing or another thing, or a change names what is not published", () =>
    Effect.gen(function* () {
      const root = yield* repository({
        "packages/cli/CHANGELOG.md": log.replace("1.0.0", "0.9.0"),
        "packages/new/package.json": JSON.stringify({ name: "@reflexion/new", version: "1.0.0" }),
        ".changeset/none.md": "It is quicker.\n",
        ".changeset/unknown.md": '---\n"@reflexion/testing": patch\n---\n\nIt is quicker.\n'
      })
      const found = yield* problems(() => Changelog.checkChangelog(root))
      assert.deepStrictEqual([...found].toSorted(), [
        ".changeset/none.md names no package",
        ".changeset/unknown.md names @reflexion/testing, which is not published: name the packages that carry the change to users",
        "@reflexion/cli: CHANGELOG.md has no entry for 1.0.0: run `npm run version-packages`",
        "@reflexion/new has no title in scripts/packages/changelog.mjs",
        "@reflexion/new: CHANGELOG.md has no entry for 1.0.0: run `npm run version-packages`",
        "CHANGELOG.md is not what the packages' changelogs say: run `npm run version-packages`"
      ])
    })
  )
})

describe("what a release publishes", () => {
  it.scoped("is what npm does not have in this version, and of the private packages nothing", () =>
    Effect.gen(function* () {
      const root = yield* folder({
        "packages/cli/package.json": JSON.stringify({ name: "@reflexion/cli", version: "1.0.1" }),
        "packages/core/package.json": JSON.stringify({ name: "@reflexion/core", version: "1.0.0" }),
        "packages/testing/package.json": JSON.stringify({ name: "@reflexion/testing", private: true })
      })
      const found = (has: boolean) =>
        Effect.promise(() => unpublished(root, async (_, version) => has || version === "1.0.0"))
      assert.strictEqual(yield* found(false), "unpublished=@reflexion/cli")
      assert.strictEqual(yield* found(true), "unpublished=")
    })
  )
})

describe("the check of an installed package", () => {
  it.scoped("fails of a peer whose range no README has", () =>
    Effect.gen(function* () {
      const peerDependencies = { effect: "^3.22.0", "@effect/ai": "^0.37.0", "@reflexion/core": "^1.0.0" }
      const one = yield* unpacked({ "README.md": "| `effect` | ^3.22.0 |" }, { peerDependencies })
      assert.deepStrictEqual(yield* problems(() => Consumers.checkDocumented([one])), [
        "no README says that @effect/ai has to be ^0.37.0"
      ])
    })
  )

  it.scoped("fails of a program that prints what it should not", () =>
    Effect.gen(function* () {
      const root = fileURLToPath(new URL("../../..", import.meta.url))
      const names = readdirSync(join(root, "scripts/packages/consumers")).map((name) => name.replace(/\.ts$/u, ".js"))
      const quiet = Object.fromEntries([...names, "every-module.js"].map((name) => [`out-nodenext/${name}`, ""]))
      const files = { "package.json": '{"type":"module"}', ...quiet }
      const good = yield* folder(files)
      assert.deepStrictEqual(yield* problems(() => Consumers.runPrograms({ consumer: good, root })), [])
      const noisy = yield* folder({ ...files, "out-nodenext/every-module.js": 'process.stdout.write("a warning, ")' })
      assert.deepStrictEqual(yield* problems(() => Consumers.runPrograms({ consumer: noisy, root })), [
        `the programs say "a warning, ran ${names.length}"`
      ])
    })
  )

  it("fails of what the compiler says of it, and of what installs it", () => {
    const errors = [
      "programs/core.ts(1,1): error TS2307: Cannot find module '@reflexion/core'.",
      "node_modules/@reflexion/core/dist/A.d.ts(1,1): error TS2307: Cannot find module 'effect'.",
      "error TS2688: Cannot find type definition file for 'node'."
    ]
    const others = ["node_modules/effect/dist/A.d.ts(1,1): error TS1: x", "  a line that goes on", ""]
    assert.deepStrictEqual(Consumers.errorsIn([...others, ...errors].join("\n")), errors)
  })
})

/** A package with a tarball. */
const packed = Effect.fnUntraced(function* (files: Files, exports: Readonly<Record<string, unknown>>) {
  const one = yield* unpacked(files, { type: "module", exports })
  const tarball = join(yield* folder({}), "planted.tgz")
  execFileSync("tar", ["-czf", basename(tarball), "-C", dirname(one.folder), basename(one.folder)], {
    cwd: dirname(tarball)
  })
  return { ...one, tarball }
})

describe("the check of a tarball", () => {
  const files = { "dist/index.js": "export const a = 1\n", "dist/index.d.ts": "export declare const a: 1\n" }
  const index = { types: "./dist/index.d.ts", default: "./dist/index.js" }

  it.scoped("passes where all that it exports is there with its types", () =>
    Effect.gen(function* () {
      const good = yield* packed(files, { ".": index })
      assert.deepStrictEqual(yield* problems(() => checkShape([good])), [])
    })
  )

  it.scoped("fails where a module is missing, or its types are not its own", () =>
    Effect.gen(function* () {
      const gone = yield* packed(files, { ".": index, "./b": "./b.js" })
      assert.deepStrictEqual(yield* problems(() => checkShape([gone])), [
        '@reflexion/planted: publint: error: pkg.exports["./b"] is ./b.js but the file does not exist.',
        "@reflexion/planted: are-the-types-wrong: NoResolution (./b, node16-esm)",
        "@reflexion/planted: are-the-types-wrong: NoResolution (./b, bundler)"
      ])
      const untyped = yield* packed({ ...files, "dist/c.js": "export {}" }, { ".": index, "./c": "./dist/c.js" })
      assert.deepStrictEqual(yield* problems(() => checkShape([untyped])), [
        "@reflexion/planted: are-the-types-wrong: UntypedResolution (./c, node16-esm)",
        "@reflexion/planted: are-the-types-wrong: UntypedResolution (./c, bundler)"
      ])
    })
  )
})
