/**
 * Which module may import which: `npm run check`. No circles of files or of folders. Packages and the layers of core
 * import in one direction. Types count as well.
 *
 * A folder's public modules begin with a capital letter. Other folders import only those and its `model.ts`.
 */

/** The packages, each with those that it may import. Adapters do not know each other. */
const packages = {
  core: [],
  retry: ["core"],
  postgres: ["core"],
  "claude-code": ["core"],
  codex: ["core"],
  copilot: ["core"],
  gemini: ["core"],
  opencode: ["core"],
  hooks: ["core", "claude-code", "codex", "copilot", "gemini", "opencode"],
  cli: ["core", "claude-code", "codex", "copilot", "gemini", "opencode", "hooks", "postgres"],
  testing: ["core", "postgres"],
  evals: ["core", "claude-code", "codex", "copilot", "gemini", "opencode"]
}

/** The layers of core: each imports only those before it. */
const layers = ["base", "session", "judge", "model", "checks", "review", "memory"]

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

/** A module whose name begins with a small letter is private to its folder. */
const part = "^(?:packages/[^/]+|evals)/src/.+/(?!model\\.ts)[a-z][^/]*\\.[cm]?tsx?$"

/** The small packages count as one folder each; their private modules are in `internal/`. */
const small = "(?:retry|postgres|claude-code|codex|copilot|gemini)"

const privateModules = [
  { from: "^(packages/core/src/[^/]+/[^/]+)/", not: "^$1/" },
  { from: `^(packages/${small}/src)/`, not: "^$1/" },
  { from: `^((?!packages/(?:core|${small})/)packages/[^/]+/src/[^/]+|evals/src/[^/]+)/`, not: "^$1/" },
  { from: `^((?!packages/${small}/)packages/[^/]+|evals)/src/[^/]+\\.ts$`, not: "^$1/src/[^/]+\\.ts$" }
].map(({ from, not }, at) => ({
  name: `private-module-${at + 1}`,
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
  // The driver of the database is large, and most people do not use it.
  {
    name: "only-the-client-imports-the-database",
    from: { path: "^packages/cli/src/", pathNot: "^packages/cli/src/database/Client\\.ts$" },
    to: {
      path: "^packages/postgres/src/",
      pathNot: "^packages/postgres/src/Address\\.ts$",
      dependencyTypesNot: ["type-only"]
    }
  },
  {
    name: "the-client-is-loaded-on-demand",
    from: { path: "^packages/cli/src/" },
    to: { path: "^packages/cli/src/database/Client\\.ts$", dynamic: false, dependencyTypesNot: ["type-only"] }
  },
  ...direction,
  ...privateModules
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
