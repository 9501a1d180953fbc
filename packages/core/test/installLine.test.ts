import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")

const pinned = (name: string) => new RegExp(`"?${name}"?: (\\d+)\\.(\\d+)`).exec(read("pnpm-workspace.yaml"))

describe("the documented line for npm", () => {
  it.each(["README.md", "docs/library.md", "packages/core/README.md"])(
    "in %s names the versions that are tried here",
    (page) => {
      const [line = ""] = read(page).match(/^ {4}npm install @reflexion\/core .*$/m) ?? []
      const [, major = "none"] = pinned("effect") ?? []
      const [, zero = "none", minor = "none"] = pinned("@effect/platform-node") ?? []
      assert.include(line, ` effect@${major} `)
      assert.match(line, new RegExp(` @effect/platform-node@${zero}\\.${minor}$`))
    }
  )
})
