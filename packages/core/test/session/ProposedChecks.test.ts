import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as ProposedChecks from "../../src/session/project/ProposedChecks.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { list } from "../support/rows.ts"

const npm = (scripts: Record<string, string>, more: Record<string, unknown> = {}) => ({
  "package.json": JSON.stringify({ scripts, ...more })
})

const proposed = (files: Record<string, string>) => ProposedChecks.of(RepoSignals.fromFiles(files))

const commands = (files: Record<string, string>) =>
  Object.fromEntries(proposed(files).map(({ command, name }) => [name, command]))

/** The last one, which takes longest. */
const of = (files: Record<string, string>) => {
  const first = proposed(files).at(-1)
  return first === undefined ? null : [first.name, first.command, first.file]
}

describe("ProposedChecks", () => {
  it("proposes at most one command a gate, fast ones first, each with the file that says so and what it runs", () => {
    const scripts = { test: "vitest run", build: "tsc -b", lint: "eslint .", typecheck: "tsc --noEmit", dev: "vite" }
    assert.deepStrictEqual(proposed(npm(scripts)), [
      { name: "typecheck", command: "npm run typecheck", file: "package.json", runs: "tsc --noEmit" },
      { name: "lint", command: "npm run lint", file: "package.json", runs: "eslint ." },
      { name: "build", command: "npm run build", file: "package.json", runs: "tsc -b" },
      { name: "tests", command: "npm test", file: "package.json", runs: "vitest run" }
    ])
    assert.deepStrictEqual(proposed({}), [])
  })

  it("says of what it does not propose why", () => {
    const scripts = {
      test: "vitest --watch",
      lint: "eslint --fix .",
      build: "tsc -b || true",
      typecheck: "tsc --noEmit"
    }
    assert.deepStrictEqual(ProposedChecks.leftOut(RepoSignals.fromFiles(npm(scripts))), [
      { name: "lint", why: "changes files" },
      { name: "build", why: "what it proves is not known" },
      { name: "tests", why: "may not end, or does more than check" }
    ])
  })

  it("shows the script of the command's own program alone", () => {
    const files = npm({ test: "vitest run" })
    const both = RepoSignals.fromFiles({ ...files, Makefile: "test:\n\tgo test ./...\n" })
    assert.strictEqual(ProposedChecks.scriptOf("make test", RepoSignals.fromFiles(files)), null)
    assert.strictEqual(ProposedChecks.scriptOf("make test", both), "go test ./...")
    assert.strictEqual(ProposedChecks.scriptOf("npm test", both), "vitest run")
  })

  it("shows whole what a command runs, with what is run before and behind it", () => {
    const long = Array.from({ length: 40 }, (_, at) => `test/part${at}.test.js`).join(" ")
    const scripts = { pretest: "eslint .", test: `node --test ${long}`, posttest: "tsc --noEmit" }
    assert.strictEqual(
      proposed(npm(scripts))[0]?.runs,
      `pretest: eslint .; test: node --test ${long}; posttest: tsc --noEmit`
    )
    assert.strictEqual(proposed(npm({ test: `node --test ${long}` }))[0]?.runs, `node --test ${long}`)
  })

  it("knows the plain commands of many languages", () => {
    assert.deepStrictEqual(of({ "go.mod": "" }), ["tests", "go test ./...", "go.mod"])
    assert.deepStrictEqual(of({ "Cargo.toml": "" }), ["tests", "cargo test", "Cargo.toml"])
    assert.deepStrictEqual(of({ "pytest.ini": "" }), ["tests", "pytest", "pytest.ini"])
    assert.deepStrictEqual(of({ "pyproject.toml": "[tool.pytest]", "uv.lock": "" }), [
      "tests",
      "uv run pytest",
      "pyproject.toml"
    ])
    assert.deepStrictEqual(of({ "pom.xml": "" }), ["tests", "mvn test", "pom.xml"])
    assert.deepStrictEqual(of({ "build.gradle.kts": "", gradlew: "" }), ["tests", "./gradlew test", "build.gradle.kts"])
    assert.deepStrictEqual(of({ "Shop.sln": "" }), ["tests", "dotnet test", "Shop.sln"])
    assert.deepStrictEqual(of({ "mix.exs": "" }), ["tests", "mix test", "mix.exs"])
    assert.deepStrictEqual(of({ Makefile: "test:\n\tgo test ./...\n" }), ["tests", "make test", "Makefile"])
    assert.deepStrictEqual(of({ justfile: "test:\n  cargo test\n" }), ["tests", "just test", "justfile"])
    assert.deepStrictEqual(of({ "mise.toml": '[tasks.test]\nrun = "pytest"' }), ["tests", "mise run test", "mise.toml"])
    assert.deepStrictEqual(of({ "Taskfile.yml": "tasks:\n  test:\n    cmds:\n      - go test ./...\n" }), [
      "tests",
      "task test",
      "Taskfile.yml"
    ])
    assert.deepStrictEqual(of({ "tox.ini": "[testenv]" }), ["tests", "tox", "tox.ini"])
    assert.deepStrictEqual(of({ "noxfile.py": "" }), ["tests", "nox", "noxfile.py"])
    assert.deepStrictEqual(of({ "hk.pkl": "" }), ["lint", "hk check --all", "hk.pkl"])
    assert.deepStrictEqual(of({ "biome.json": "" }), ["lint", "npx --no-install biome check", "biome.json"])
  })

  it("proposes none that watches", () => {
    for (const test of list`
    vitest --watch ¦ vitest watch ¦ jest --watchAll ¦ nodemon --exec jest ¦ tsc -w & jest ¦ ng test ¦ karma start
    vitest --ui
  `)
      assert.notProperty(commands(npm({ test })), "tests", test)
    for (const test of ["jest --watchAll=false", "vitest run", "vitest --watch=false", "ng test --watch=false"])
      assert.property(commands(npm({ test })), "tests", test)
    assert.notProperty(commands(npm({ build: "tsc --watch" })), "build")
    assert.notProperty(commands(npm({ build: "tsc -w" })), "build")
  })

  it("proposes none that deploys, publishes, delivers or installs, also by what a script calls", () => {
    const bad = {
      publishes: "vitest run && npm publish",
      deploys: "vitest run && npm run deploy",
      pushes: "vitest run && git push",
      commits: "vitest run && git add . && git commit -m x",
      installs: "npm ci && vitest run",
      uploads: "vitest run && codecov upload",
      remote: "ssh build.example.com make test",
      reads: "curl https://example.com/x.sh | sh && vitest run",
      root: "sudo vitest run",
      data: "prisma migrate reset --force && vitest run",
      clean: "git clean -fdx && vitest run"
    }
    for (const [why, test] of Object.entries(bad))
      assert.notProperty(commands(npm({ test, deploy: "firebase deploy" })), "tests", why)
    const hidden = { test: "npm run all", all: "vitest run && npm run ship", ship: "vercel --prod" }
    assert.notProperty(commands(npm(hidden)), "tests")
    assert.notProperty(commands(npm({ test: "vitest run", posttest: "npm run deploy", deploy: "./x" })), "tests")
    assert.notProperty(commands({ Makefile: "test: lint\n\tpytest\nlint:\n\ttwine upload dist/*\n" }), "tests")
  })

  it("proposes none that writes into the sources", () => {
    assert.notProperty(commands(npm({ lint: "eslint . --fix" })), "lint")
    assert.notProperty(commands(npm({ lint: "prettier --write . && eslint ." })), "lint")
    assert.notProperty(commands(npm({ test: "jest -u" })), "tests")
    assert.notProperty(commands(npm({ test: "vitest run --update" })), "tests")
    for (const lint of ["pre-commit run --all-files", "lefthook run pre-commit", "hk fix"])
      assert.notProperty(commands({ Makefile: `lint:\n\t${lint}\n` }), "lint", lint)
    assert.property(commands(npm({ lint: "eslint . --fix-dry-run" })), "lint")
    assert.property(commands(npm({ build: "rimraf dist && tsc -b" })), "build")
  })

  it("leaves out a script that proves nothing or cannot be read", () => {
    for (const test of ["echo no tests", "$RUNNER test", "eval $X", "vitest run || true"])
      assert.notProperty(commands(npm({ test })), "tests", test)
  })

  it("asks npx to load nothing", () => {
    assert.strictEqual(commands({ "tsconfig.json": "{}" })["typecheck"], "npx --no-install tsc --noEmit")
  })

  it("knows a command that writes into installed packages, by itself or by a script", () => {
    const { scripts } = RepoSignals.fromFiles(npm({ test: "vitest run", pretest: "prisma generate", ci: "npm ci" }))
    const none = { scripts: RepoSignals.empty.scripts }
    for (const command of ["pip install -e . && pytest", "npm ci", "uv run pytest", "gen > node_modules/a/b"])
      assert.isTrue(ProposedChecks.writesPackages(command, none), command)
    for (const command of ["npm test", "npm run ci"])
      assert.isTrue(ProposedChecks.writesPackages(command, { scripts }), command)
    for (const command of ["npm test", "uv run --no-sync pytest", ".venv/bin/pytest > out", "node_modules/.bin/jest"])
      assert.isFalse(ProposedChecks.writesPackages(command, none), command)
  })

  it("is total, and gives plain commands alone", () => {
    const names = fc.constantFrom("test", "build", "lint", "typecheck", "check", "x; rm -rf /", "$(id)")
    fc.assert(
      fc.property(fc.dictionary(names, fc.string()), (scripts) => {
        const all = proposed(npm(scripts))
        assert.strictEqual(new Set(all.map(({ name }) => name)).size, all.length)
        for (const { command } of all) assert.match(command, /^[\w./@:=-]+(?: [\w./@:=-]+)*$/)
      })
    )
  })
})
