/** Finds the commands of a repository's own checks: scripts with usual names, else usual commands for its files. */
import { type CheckGate, classOf } from "../vocabulary/GateTable.ts"
import { denoFiles, type Files, first, justfiles, makefiles, miseFiles, pythonFiles, taskfiles } from "./Files.ts"
import * as Manifests from "./Manifests.ts"
import { lookup } from "../shell/Scripts.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import type { Scripts } from "../shell/model.ts"

export interface Commands {
  /** The repository's own test command, as a person types it. Null if unknown. */
  readonly testCommand: string | null
  readonly buildCommand: string | null
  readonly lintCommand: string | null
  readonly typecheckCommand: string | null
  /** The file that each of these commands comes from. */
  readonly commandFiles: Readonly<Partial<Record<CheckGate, string>>>
  /** The extensions of the source files that the test command covers. For example, `.ts`. */
  readonly covers: ReadonlyArray<string>
}

interface Row extends Partial<Record<CheckGate, string>> {
  /** At least one of these files must exist. A name that starts with `*` is a file extension. */
  readonly files: ReadonlyArray<string>
  readonly says?: string
  readonly with?: ReadonlyArray<string>
}

const python = "pyproject.toml"
const gradle = ["build.gradle", "build.gradle.kts"]

const rows: ReadonlyArray<Row> = [
  { files: denoFiles, tests: "deno test" },
  { files: ["go.mod"], tests: "go test ./...", build: "go build ./..." },
  { files: ["Cargo.toml"], tests: "cargo test", build: "cargo build", typecheck: "cargo check" },
  { files: ["pytest.ini", "conftest.py"], tests: "pytest" },
  { files: pythonFiles, says: "pytest", tests: "pytest" },
  { files: ["manage.py"], tests: "python manage.py test" },
  { files: pythonFiles, with: ["tests/", "test/"], tests: "pytest" },
  { files: gradle, tests: "gradle test", build: "gradle assemble" },
  { files: ["pom.xml"], tests: "mvn test", build: "mvn compile" },
  { files: ["*.sln", "*.slnx", "*.csproj", "*.fsproj"], tests: "dotnet test", build: "dotnet build" },
  { files: ["mix.exs"], tests: "mix test", build: "mix compile" },
  { files: [".rspec", "spec/"], with: ["Gemfile"], tests: "bundle exec rspec" },
  { files: ["bin/rails"], tests: "bin/rails test" },
  { files: ["phpunit.xml", "phpunit.xml.dist"], tests: "vendor/bin/phpunit" },
  { files: ["Package.swift"], tests: "swift test", build: "swift build" },
  { files: [".golangci.yml", ".golangci.yaml", ".golangci.toml"], lint: "golangci-lint run" },
  { files: ["ruff.toml", ".ruff.toml"], lint: "ruff check ." },
  { files: [python], says: "[tool.ruff", lint: "ruff check ." },
  { files: ["mypy.ini"], typecheck: "mypy ." },
  { files: [python], says: "[tool.mypy", typecheck: "mypy ." },
  { files: ["pyrightconfig.json"], typecheck: "pyright" },
  { files: ["tsconfig.json"], typecheck: "npx tsc --noEmit" },
  { files: [".rubocop.yml"], lint: "bundle exec rubocop" },
  { files: ["hk.pkl"], lint: "hk check --all" },
  { files: ["biome.json", "biome.jsonc"], lint: "npx biome check" },
  { files: [".oxlintrc.json"], lint: "npx oxlint" },
  { files: ["eslint.config.js", "eslint.config.mjs", "eslint.config.ts", ".eslintrc.json"], lint: "npx eslint ." },
  { files: ["tox.ini"], tests: "tox" },
  { files: ["noxfile.py"], tests: "nox" }
]

const scriptNames: Readonly<Record<CheckGate, string>> = {
  tests: "test tests test:all test:unit unit-test check",
  build: "build compile build:all",
  lint: "lint lint:check check:lint lint:all",
  typecheck: "typecheck type-check check-types check:types types tsc typecheck:all types:check check"
}

/** A lock file or a wrapper changes how a command is called. */
const calls: ReadonlyArray<readonly [file: string, command: RegExp, call: string]> = [
  ["uv.lock", /^(?=pytest|python|ruff|mypy|pyright)/, "uv run "],
  ["poetry.lock", /^(?=pytest|python|ruff|mypy|pyright)/, "poetry run "],
  ["pdm.lock", /^(?=pytest|python|ruff|mypy|pyright)/, "pdm run "],
  ["Pipfile.lock", /^(?=pytest|python|ruff|mypy|pyright)/, "pipenv run "],
  ["gradlew", /^gradle/, "./gradlew"],
  ["mvnw", /^mvn/, "./mvnw"]
]

const has = (files: Files, name: string): boolean => Object.hasOwn(files, name)

const called = (command: string, files: Files): string => {
  const call = calls.find(([file, pattern]) => has(files, file) && pattern.test(command))
  return call === undefined ? command : command.replace(call[1], call[2])
}

const npmRunner = (files: Files): string => {
  const declared = Manifests.at(Manifests.json(first(files, ["package.json"])), "packageManager")
  const name = typeof declared === "string" ? (declared.split("@")[0] ?? "") : ""
  if (["pnpm", "yarn", "bun", "npm"].includes(name)) return name
  if (has(files, "pnpm-lock.yaml")) return "pnpm"
  if (has(files, "yarn.lock")) return "yarn"
  return has(files, "bun.lock") || has(files, "bun.lockb") ? "bun" : "npm"
}

const npmCall = (runner: string, name: string): string =>
  (name === "test" && runner !== "bun") || runner === "pnpm" || runner === "yarn" ? runner : `${runner} run`

interface Found {
  readonly command: string
  readonly file: string
}

const ofScripts = (gate: CheckGate, files: Files, scripts: Scripts): Found | null => {
  const runner = npmRunner(files)
  const tables: ReadonlyArray<readonly [keyof Scripts, ReadonlyArray<string>, (name: string) => string]> = [
    ["npm", ["package.json"], (name) => npmCall(runner, name)],
    ["make", makefiles, () => "make"],
    ["just", justfiles, () => "just"],
    ["task", taskfiles, () => "task"],
    ["mise", miseFiles, () => "mise run"],
    ["deno", denoFiles, () => "deno task"],
    ["composer", ["composer.json"], () => "composer"],
    ["python", [python], () => Manifests.pythonCall(Manifests.toml(first(files, [python])))]
  ]
  for (const [kind, of, call] of tables)
    for (const name of scriptNames[gate].split(" ")) {
      if (lookup(scripts[kind], name) === null) continue
      const command = `${call(name)} ${name}`
      const proves = ShellCommand.analyze(command, scripts).commands.some(
        ({ classes, dryRun }) => classes.includes(classOf[gate]) && !dryRun
      )
      if (proves) return { command, file: of.find((file) => has(files, file)) ?? of[0] ?? "" }
    }
  return null
}

const ofFiles = (gate: CheckGate, files: Files): Found | null => {
  const paths = Object.keys(files)
  for (const row of rows) {
    const command = row[gate]
    if (command === undefined || row.with?.some((name) => has(files, name)) === false) continue
    const file = row.files
      .flatMap((name) => paths.filter((path) => (name.startsWith("*") ? path.endsWith(name.slice(1)) : path === name)))
      .find((path) => row.says === undefined || (files[path] ?? "").includes(row.says))
    if (file !== undefined) return { command: called(command, files), file }
  }
  return null
}

const js = ".ts .tsx .js .jsx .mjs .cjs .mts .cts .vue .svelte .astro"
const jvm = ".java .kt .kts .groovy .scala"

/** A language: the extensions of its files, the runners that run only its tests, and the manifests of its projects. */
const languages: ReadonlyArray<readonly [extensions: string, runners: string, manifests: string]> = [
  [
    js,
    "vitest jest mocha ava tap jasmine karma playwright cypress tsx ng react-scripts node deno bun",
    "package.json deno.json"
  ],
  [
    ".py .pyi .pyx",
    "pytest unittest nose2 django trial behave python tox nox hatch",
    "pyproject.toml setup.py requirements.txt"
  ],
  [".go", "go ginkgo gotestsum", "go.mod"],
  [".rs", "cargo", "Cargo.toml"],
  [jvm, "gradle maven mvn ant sbt kotlin", "pom.xml build.gradle build.gradle.kts"],
  [".rb .erb .rake", "rspec rails minitest ruby cucumber rake", "Gemfile"],
  [".php", "phpunit pest paratest php codecept composer", "composer.json"],
  [".ex .exs .eex .heex .leex", "mix", "mix.exs"],
  [".cs .fs .vb .razor", "dotnet vstest.console", ""],
  [".swift .m .mm", "swift xcodebuild", "Package.swift"],
  [".c .cc .cpp .cxx .h .hh .hpp .hxx", "ctest meson", "CMakeLists.txt meson.build"]
]

const extensionsOf = (runner: string): string | null =>
  languages.find(([, runners]) => runners.split(" ").includes(runner.split(" ")[0] ?? ""))?.[0] ?? null

/** Returns the language whose tests a runner runs. Null if the project defines what the runner runs. */
export const languageOf = (runner: string): string | null =>
  /^(?:bun|node|deno|rake|composer|hatch|tox|nox)\b/.test(runner) ? null : extensionsOf(runner)

const coversOf = (command: string | null, files: Files, scripts: Scripts): ReadonlyArray<string> => {
  if (command === null) return []
  const byRunner = ShellCommand.analyze(command, scripts).commands.flatMap(({ classes, runner }) =>
    classes.includes("test") && runner !== null ? (extensionsOf(runner) ?? []) : []
  )
  const known =
    byRunner.length > 0
      ? byRunner
      : languages.flatMap(([extensions, , manifests]) =>
          manifests.split(" ").some((name) => has(files, name)) ? extensions : []
        )
  return [...new Set(known.flatMap((extensions) => extensions.split(" ")))]
}

export const commands = (files: Files, scripts: Scripts): Commands => {
  const find = (gate: CheckGate): Found | null => ofScripts(gate, files, scripts) ?? ofFiles(gate, files)
  const found = { tests: find("tests"), build: find("build"), typecheck: find("typecheck"), lint: find("lint") }
  const testCommand = found.tests?.command ?? null
  return {
    testCommand,
    buildCommand: found.build?.command ?? null,
    lintCommand: found.lint?.command ?? null,
    typecheckCommand: found.typecheck?.command ?? null,
    commandFiles: Object.fromEntries(
      Object.entries(found).flatMap(([gate, one]) => (one === null ? [] : [[gate, one.file]]))
    ),
    covers: coversOf(testCommand, files, scripts)
  }
}
