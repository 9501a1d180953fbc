import { assert, describe, it } from "@effect/vitest"
import * as OpenCode from "@reflexion/opencode/OpenCode"
import { FastCheck as fc } from "effect"
import { join } from "node:path"
import * as PluginSpec from "../src/install/PluginSpec.ts"

const folder = "/home/ann lee/{data}/ü#%/hooks/opencode"

const file = join(folder, "0.1.0-1a2b3c4d", "server.js")

describe("PluginSpec", () => {
  it("knows its own copies, by URL and by path", () => {
    assert.strictEqual(PluginSpec.parse(PluginSpec.render(file), folder), file)
    assert.strictEqual(PluginSpec.parse(file, folder), file)
  })

  it.each([
    "",
    "./server.js",
    "opencode-plugin",
    "@reflexion/opencode",
    "file:",
    "file://%",
    "file://host/server.js",
    `file://${join(folder, "server.js")}`,
    join(folder, "1", "other.js"),
    join(folder, "1", "deep", "server.js"),
    join(folder, "-1", "server.js"),
    `${folder}/../opencode/1/server.js`,
    `${folder}/1/../../../../evil/server.js`,
    `${folder}-more/1/server.js`,
    ` ${file}`,
    `${file}?x`
  ])("takes %j for somebody else's", (spec) => {
    assert.isNull(PluginSpec.parse(spec, folder))
  })

  it("knows its package, of any version", () => {
    assert.isTrue(
      ["@reflexion/opencode", "@reflexion/opencode@0.1.0", "@reflexion/opencode@next"].every((spec) =>
        PluginSpec.isPackage(spec, OpenCode.host)
      )
    )
    assert.isFalse(
      ["@reflexion/opencode-more", "reflexion", "x@reflexion/opencode"].some((spec) =>
        PluginSpec.isPackage(spec, OpenCode.host)
      )
    )
  })

  it("property: no other text is a copy of ours", () => {
    const pieces = fc.constantFrom("/", "..", ".", "file://", folder, "1.0.0", "server.js", "%2e", "\\", "\n", "a")
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const found = PluginSpec.parse(parts.join(""), folder)
        assert.isTrue(found === null || /^\/[^/]+\/server\.js$/.test(found.slice(folder.length)))
      })
    )
  })
})
