import * as ShellCommand from "../shell/ShellCommand.ts"
import * as manifests from "./manifests.ts"
import { pythonFiles, taskfiles } from "./repoFiles.ts"
import * as scriptTable from "../shell/Scripts.ts"
import type { RepoSignals } from "./model.ts"
import type { Scripts } from "../shell/model.ts"

type Files = Readonly<Record<string, string>>
type Gate = "test" | "build" | "lint" | "typecheck"

/** What a repository's files make a person type. `when` names files, any of which must be there. */
interface Candidate {
  readonly when: ReadonlyArray<string>
  readonly and?: (project: Project) => boolean
  readonly command: (project: Project) => string
}

interface Project {
  readonly has: (...names: ReadonlyArray<string>) => boolean
  readonly says: (name: string, text: string) => boolean
}

const constant = (command: string) => (): string => command

const python = (command: string) => (project: Project) =>
  project.has("uv.lock")
    ? `uv run ${command}`
    : project.has("poetry.lock")
      ? `poetry run ${command}`
      : project.has("pdm.lock")
        ? `pdm run ${command}`
        : project.has("Pipfile.lock")
          ? `pipenv run ${command}`
          : command

const wrapper = (file: string, plain: string, rest: string) => (project: Project) =>
  `${project.has(file) ? `./${file}` : plain} ${rest}`

const usesPytest = (project: Project): boolean =>
  project.has("pytest.ini", "conftest.py", "tests/conftest.py") ||
  ["pyproject.toml", ...pythonFiles].some((name) => project.says(name, "pytest"))

const gradle = ["build.gradle", "build.gradle.kts"]
const dotnet = [".sln", ".slnx", ".csproj", ".fsproj"]
const bazel = ["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"]

const native: Readonly<Record<Gate, ReadonlyArray<Candidate>>> = {
  test: [
    { when: ["deno.json", "deno.jsonc"], command: constant("deno test") },
    { when: ["go.mod"], command: constant("go test ./...") },
    { when: ["Cargo.toml"], command: constant("cargo test") },
    { when: ["manage.py"], and: (project) => !usesPytest(project), command: python("python manage.py test") },
    {
      when: ["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "requirements.txt", "conftest.py"],
      and: (project) => usesPytest(project) || project.has("tests/", "test/"),
      command: python("pytest")
    },
    { when: gradle, command: wrapper("gradlew", "gradle", "test") },
    { when: ["pom.xml"], command: wrapper("mvnw", "mvn", "test") },
    { when: dotnet, command: constant("dotnet test") },
    { when: ["mix.exs"], command: constant("mix test") },
    { when: [".rspec", "spec/"], and: (project) => project.has("Gemfile"), command: constant("bundle exec rspec") },
    { when: ["bin/rails", "config/application.rb"], command: constant("bin/rails test") },
    { when: ["Rakefile"], and: (project) => project.has("test/"), command: constant("bundle exec rake test") },
    { when: ["phpunit.xml", "phpunit.xml.dist"], command: constant("vendor/bin/phpunit") },
    { when: ["Package.swift"], command: constant("swift test") },
    {
      when: ["pubspec.yaml"],
      command: (project) => (project.says("pubspec.yaml", "flutter:") ? "flutter test" : "dart test")
    },
    {
      when: ["CMakeLists.txt"],
      and: (project) => project.says("CMakeLists.txt", "enable_testing"),
      command: constant("ctest")
    },
    { when: bazel, command: constant("bazel test //...") },
    { when: ["build.zig"], command: constant("zig build test") },
    { when: ["stack.yaml"], command: constant("stack test") },
    { when: ["cabal.project", ".cabal"], command: constant("cabal test") },
    { when: ["build.sbt"], command: constant("sbt test") },
    { when: ["project.clj"], command: constant("lein test") },
    { when: ["foundry.toml"], command: constant("forge test") }
  ],
  build: [
    { when: ["go.mod"], command: constant("go build ./...") },
    { when: ["Cargo.toml"], command: constant("cargo build") },
    { when: gradle, command: wrapper("gradlew", "gradle", "assemble") },
    { when: ["pom.xml"], command: wrapper("mvnw", "mvn", "compile") },
    { when: dotnet, command: constant("dotnet build") },
    { when: ["mix.exs"], command: constant("mix compile") },
    { when: ["Package.swift"], command: constant("swift build") },
    { when: bazel, command: constant("bazel build //...") },
    { when: ["build.zig"], command: constant("zig build") },
    { when: ["build.sbt"], command: constant("sbt compile") },
    { when: ["foundry.toml"], command: constant("forge build") }
  ],
  lint: [
    { when: [".golangci.yml", ".golangci.yaml", ".golangci.toml"], command: constant("golangci-lint run") },
    { when: ["ruff.toml", ".ruff.toml"], command: python("ruff check .") },
    {
      when: ["pyproject.toml"],
      and: (project) => project.says("pyproject.toml", "[tool.ruff"),
      command: python("ruff check .")
    },
    { when: ["clippy.toml", ".clippy.toml"], command: constant("cargo clippy") },
    { when: [".rubocop.yml"], command: constant("bundle exec rubocop") },
    { when: [".credo.exs"], command: constant("mix credo") },
    { when: [".pre-commit-config.yaml"], command: constant("pre-commit run --all-files") }
  ],
  typecheck: [
    { when: ["mypy.ini"], command: python("mypy .") },
    {
      when: ["pyproject.toml"],
      and: (project) => project.says("pyproject.toml", "[tool.mypy"),
      command: python("mypy .")
    },
    { when: ["pyrightconfig.json"], command: python("pyright") },
    { when: ["tsconfig.json"], command: constant("npx tsc --noEmit") },
    { when: ["Cargo.toml"], command: constant("cargo check") }
  ]
}

const names: Readonly<Record<Gate, ReadonlyArray<string>>> = {
  test: ["test", "tests", "test:all", "test:unit", "unit-test", "check"],
  build: ["build", "compile", "build:all"],
  lint: ["lint", "lint:check", "check:lint", "lint:all"],
  typecheck: [
    "typecheck",
    "type-check",
    "check-types",
    "check:types",
    "types",
    "tsc",
    "typecheck:all",
    "types:check",
    "check"
  ]
}

const npmRunner = (files: Files, project: Project): string => {
  const declared = manifests.at(manifests.json(files["package.json"] ?? ""), "packageManager")
  const name = typeof declared === "string" ? declared.split("@")[0] : undefined
  if (name === "pnpm" || name === "yarn" || name === "bun" || name === "npm") return name
  if (project.has("pnpm-lock.yaml")) return "pnpm"
  if (project.has("yarn.lock")) return "yarn"
  return project.has("bun.lock", "bun.lockb") ? "bun" : "npm"
}

const typed = (runner: string, name: string): string => {
  if (name === "test" && runner !== "bun") return `${runner} test`
  return runner === "pnpm" || runner === "yarn" ? `${runner} ${name}` : `${runner} run ${name}`
}

const pythonRunner = (files: Files): string => {
  const text = files["pyproject.toml"] ?? ""
  for (const [mark, call] of [
    ["[tool.poe", "poe"],
    ["[tool.hatch", "hatch run"],
    ["[tool.pixi", "pixi run"],
    ["[tool.rye", "rye run"]
  ] as const) {
    if (text.includes(mark)) return call
  }
  return "pdm run"
}

const recipes = (
  files: Files,
  scripts: Scripts,
  project: Project
): ReadonlyArray<readonly [Readonly<Record<string, string>>, (name: string) => string, of: ReadonlyArray<string>]> => {
  const runner = npmRunner(files, project)
  const call = pythonRunner(files)
  return [
    [scripts.npm, (name) => typed(runner, name), ["package.json"]],
    [scripts.make, (name) => `make ${name}`, ["GNUmakefile", "makefile", "Makefile"]],
    [scripts.just, (name) => `just ${name}`, ["justfile", "Justfile", ".justfile"]],
    [scripts.task, (name) => `task ${name}`, taskfiles],
    [
      scripts.mise,
      (name) => `mise run ${name}`,
      ["mise.toml", ".mise.toml", "mise/config.toml", ".config/mise.toml", ".config/mise/config.toml"]
    ],
    [scripts.deno, (name) => `deno task ${name}`, ["deno.json", "deno.jsonc"]],
    [scripts.composer, (name) => `composer ${name}`, ["composer.json"]],
    [scripts.python, (name) => `${call} ${name}`, ["pyproject.toml"]]
  ]
}

const proves = (command: string, gate: Gate, scripts: Scripts): boolean =>
  ShellCommand.analyze(command, scripts).commands.some((one) => one.classes.includes(gate) && !one.dryRun)

const projectOf = (files: Files): Project => {
  return {
    has: (...wanted) => wanted.some((name) => Object.hasOwn(files, name)),
    says: (name, text) => (Object.hasOwn(files, name) ? (files[name] ?? "").includes(text) : false)
  }
}

/** A command, and which file says so. */
interface Found {
  readonly command: string
  readonly file: string
}

const isEnding = (name: string): boolean => /^\.\w{3,8}$/.test(name)

/** Which of the files that a candidate goes by is there. */
const fileOf = ({ when }: Candidate, files: Files): string | undefined => {
  const paths = Object.keys(files)
  return when
    .map((name) =>
      Object.hasOwn(files, name) ? name : isEnding(name) ? paths.find((path) => path.endsWith(name)) : undefined
    )
    .find((file) => file !== undefined)
}

const find = (gate: Gate, files: Files, scripts: Scripts, project: Project): Found | null => {
  for (const [table, type, of] of recipes(files, scripts, project)) {
    for (const name of names[gate]) {
      if (scriptTable.lookup(table, name) !== null && proves(type(name), gate, scripts))
        return { command: type(name), file: of.find((file) => project.has(file)) ?? of[0] ?? "" }
    }
  }
  for (const candidate of native[gate]) {
    const file = fileOf(candidate, files)
    if (file !== undefined && (candidate.and?.(project) ?? true)) return { command: candidate.command(project), file }
  }
  return null
}

const js = ".ts .tsx .js .jsx .mjs .cjs .mts .cts .vue .svelte .astro"
const jvm = ".java .kt .kts .groovy .scala"
const c = ".c .cc .cpp .cxx .h .hh .hpp .hxx"

/** Runners, and the extensions of the files that their tests cover. */
const runnerCovers: ReadonlyArray<readonly [string, string]> = [
  [
    "vitest jest mocha ava tap jasmine uvu karma playwright cypress node bun deno tsx ng npm pnpm yarn nx turbo react-scripts wdio qunit",
    js
  ],
  ["pytest unittest tox nox django trial nose2 behave python hatch", ".py .pyi .pyx"],
  ["go ginkgo gotestsum", ".go"],
  ["cargo", ".rs"],
  ["gradle maven ant sbt mill kotlin", jvm],
  ["rspec rails minitest rake ruby cucumber", ".rb .erb .rake"],
  ["phpunit pest paratest composer php behat codecept", ".php"],
  ["mix", ".ex .exs .eex .heex .leex"],
  ["dotnet vstest.console", ".cs .fs .vb .razor"],
  ["swift xcodebuild", ".swift .m .mm"],
  ["ctest meson ninja", c],
  ["flutter dart", ".dart"],
  ["zig", ".zig"],
  ["stack cabal", ".hs"],
  ["lein clj", ".clj .cljs .cljc"],
  ["forge hardhat", ".sol"],
  ["bats shellspec", ".sh .bash"]
]

/** These run whatever a project has put behind them. */
const wraps = /^(?:npm|pnpm|yarn|bun|node|deno|nx|turbo|ninja|rake|composer|hatch|tox|nox)$/

/** The language whose tests a runner runs, null where it may be any. */
export const languageOf = (runner: string): string | null => {
  const name = runner.split(" ")[0] ?? ""
  return wraps.test(name) ? null : (runnerCovers.find(([runners]) => runners.split(" ").includes(name))?.[1] ?? null)
}

const manifestCovers: ReadonlyArray<readonly [string, string]> = [
  ["package.json", js],
  ["deno.json", js],
  ["go.mod", ".go"],
  ["Cargo.toml", ".rs"],
  ["pyproject.toml", ".py"],
  ["setup.py", ".py"],
  ["requirements.txt", ".py"],
  ["Gemfile", ".rb"],
  ["composer.json", ".php"],
  ["mix.exs", ".ex .exs"],
  ["pom.xml", jvm],
  ["build.gradle", jvm],
  ["build.gradle.kts", jvm],
  ["Package.swift", ".swift"],
  ["CMakeLists.txt", c],
  ["meson.build", c]
]

const coversOf = (command: string | null, scripts: Scripts, project: Project): ReadonlyArray<string> => {
  if (command === null) return []
  const found = new Set<string>()
  for (const one of ShellCommand.analyze(command, scripts).commands) {
    if (!one.classes.includes("test") || one.runner === null) continue
    const runner = one.runner.split(" ")[0] ?? ""
    for (const [runners, extensions] of runnerCovers) {
      if (runners.split(" ").includes(runner)) for (const extension of extensions.split(" ")) found.add(extension)
    }
  }
  if (found.size > 0) return [...found]
  return [...new Set(manifestCovers.flatMap(([name, extensions]) => (project.has(name) ? extensions.split(" ") : [])))]
}

type Commands = Pick<
  RepoSignals,
  "buildCommand" | "commandFiles" | "covers" | "lintCommand" | "testCommand" | "typecheckCommand"
>

/** The repository's own commands: a script of that name first, else what its files make a person type. */
export const commands = (files: Files, scripts: Scripts): Commands => {
  const project = projectOf(files)
  const [tests, build, lint, typecheck] = (["test", "build", "lint", "typecheck"] as const).map((gate) =>
    find(gate, files, scripts, project)
  )
  const found = Object.entries({ tests, build, lint, typecheck }).flatMap(([gate, one]) =>
    one == null ? [] : [[gate, one.file] as const]
  )
  const testCommand = tests?.command ?? null
  return {
    testCommand,
    buildCommand: build?.command ?? null,
    lintCommand: lint?.command ?? null,
    typecheckCommand: typecheck?.command ?? null,
    commandFiles: Object.fromEntries(found),
    covers: coversOf(testCommand, scripts, project)
  }
}
