/**
 * Which module may import which: `npm run check`. No circle, between modules or between folders; one direction between
 * packages and between the layers of core; no import past a room's face. What only a type needs counts as well.
 *
 * A room is a folder in a package's `src`, in core a folder in a layer. Another room imports only its faces, whose names
 * begin with a capital, and its `model.ts`.
 */
import { layers, packages } from "./scripts/house.mjs"

const folderOf = (name) => (name === "evals" ? name : `packages/${name}`)
const names = Object.keys(packages)
const oneOf = (words) => `(?:${words.join("|")})`

const direction = [
  ...names.map((name) => ({
    name: `${name}-may-not-import-that-package`,
    from: { path: `^${folderOf(name)}/src/` },
    to: { path: `^${oneOf(names.filter((one) => one !== name && !packages[name].includes(one)).map(folderOf))}/src/` }
  })),
  ...layers.slice(0, -1).map((layer, at) => ({
    name: `${layer}-may-not-import-a-layer-above-it`,
    from: { path: `^packages/core/src/${layer}/` },
    to: { path: `^packages/core/src/${oneOf(layers.slice(at + 1))}/` }
  }))
]

/** A module with a small letter belongs to its room. */
const part = "^(?:packages/[^/]+|evals)/src/.+/(?!model\\.ts)[a-z][^/]*\\.[cm]?tsx?$"

/** The small packages are a room each, with its parts in `internal/`. */
const small = "(?:retry|claude-code|codex)"

const faces = [
  { from: "^(packages/core/src/[^/]+/[^/]+)/", not: "^$1/" },
  { from: `^(packages/${small}/src)/`, not: "^$1/" },
  { from: `^((?!packages/(?:core|${small})/)packages/[^/]+/src/[^/]+|evals/src/[^/]+)/`, not: "^$1/" },
  { from: `^((?!packages/${small}/)packages/[^/]+|evals)/src/[^/]+\\.ts$`, not: "^$1/src/[^/]+\\.ts$" }
].map(({ from, not }, at) => ({
  name: `past-a-face-${at + 1}`,
  from: { path: from },
  to: { path: part, pathNot: not }
}))

const rules = [
  { name: "no-circle", from: {}, to: { circular: true } },
  {
    name: "no-circle-between-folders",
    scope: "folder",
    from: { path: "^packages/core/src/(?:base|session)" },
    to: { circular: true }
  },
  ...direction,
  ...faces
]

export default {
  forbidden: rules.map((rule) => ({ severity: "error", ...rule })),
  options: {
    includeOnly: "^(?:packages/[^/]+|evals)/src/",
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@reflexion/source", "types", "import", "default"]
    }
  }
}
