import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as ProposedChecks from "../../src/session/project/ProposedChecks.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { pairs } from "../support/rows.ts"
import { table } from "../support/sessions.ts"

const npm = (scripts: Record<string, string>, more: Record<string, unknown> = {}) => ({
  "package.json": JSON.stringify({ scripts, ...more })
})

const proposed = (files: Record<string, string>) => ProposedChecks.of(RepoSignals.fromFiles(files))

const commands = (files: Record<string, string>) =>
  Object.fromEntries(proposed(files).map(({ command, name }) => [name, command]))

describe("ProposedChecks", () => {
  it("proposes one command per gate at most, fast ones first, with its file and script", () => {
    const scripts = { test: "vitest run", build: "tsc -b", lint: "eslint .", typecheck: "tsc --noEmit", dev: "vite" }
    assert.deepStrictEqual(proposed(npm(scripts)), [
      { name: "typecheck", command: "npm run typecheck", file: "package.json", runs: "tsc --noEmit" },
      { name: "lint", command: "npm run lint", file: "package.json", runs: "eslint ." },
      { name: "build", command: "npm run build", file: "package.json", runs: "tsc -b" },
      { name: "tests", command: "npm test", file: "package.json", runs: "vitest run" }
    ])
    assert.deepStrictEqual(proposed({}), [])
  })

  it("gives a reason for each check that it does not propose", () => {
    const scripts = { test: "vitest --watch", lint: "eslint --fix .", build: "tsc -b || true", typecheck: "tsc" }
    assert.deepStrictEqual(ProposedChecks.leftOut(RepoSignals.fromFiles(npm(scripts))), [
      { name: "lint", why: "changes files" },
      { name: "build", why: "it is unknown what it proves" },
      { name: "tests", why: "may never end, or does more than a check" }
    ])
  })

  it("shows only the script of the command's own program", () => {
    const files = npm({ test: "vitest run" })
    const both = RepoSignals.fromFiles({ ...files, Makefile: "test:\n\tgo test ./...\n" })
    assert.strictEqual(ProposedChecks.scriptOf("make test", RepoSignals.fromFiles(files)), null)
    assert.strictEqual(ProposedChecks.scriptOf("make test", both), "go test ./...")
    assert.strictEqual(ProposedChecks.scriptOf("npm test", both), "vitest run")
  })

  it("shows a command's complete script, with its pre and post scripts", () => {
    const long = Array.from({ length: 40 }, (_, at) => `test/part${at}.test.js`).join(" ")
    const scripts = { pretest: "eslint .", test: `node --test ${long}`, posttest: "tsc --noEmit" }
    const found = proposed(npm(scripts))[0]?.runs
    assert.strictEqual(found, `pretest: eslint .; test: node --test ${long}; posttest: tsc --noEmit`)
    assert.strictEqual(proposed(npm({ test: `node --test ${long}` }))[0]?.runs, `node --test ${long}`)
  })

  it.each(
    table(String.raw`
    {"go.mod":""} :: tests go test ./... go.mod
    {"pytest.ini":""} :: tests pytest pytest.ini
    {"pyproject.toml":"[tool.pytest]","uv.lock":""} :: tests uv run pytest pyproject.toml
    {"Shop.sln":""} :: tests dotnet test Shop.sln
    {"Taskfile.yml":"tasks:\n  test:\n    cmds:\n      - go test ./...\n"} :: tests task test Taskfile.yml
    {"tox.ini":"[testenv]"} :: tests tox tox.ini
    {"noxfile.py":""} :: tests nox noxfile.py
    {"hk.pkl":""} :: lint hk check --all hk.pkl
    {"biome.json":""} :: lint npx --no-install biome check biome.json
    {"tsconfig.json":"{}"} :: typecheck npx --no-install tsc --noEmit tsconfig.json
  `)
  )("for %s proposes %s", (files = "", wanted = "") => {
    const last = proposed(JSON.parse(files)).at(-1)
    assert.strictEqual(`${last?.name} ${last?.command} ${last?.file}`, wanted)
  })

  it.each(pairs`
    vitest --watch :: vitest watch ¦ jest --watchAll :: nodemon --exec jest ¦ tsc -w & jest :: ng test ¦ karma start :: vitest --ui
    vitest run && npm publish :: vitest run && npm run deploy ¦ vitest run && git push :: vitest run && git add . && git commit -m x
    npm ci && vitest run :: vitest run && codecov upload ¦ ssh build.example.com make test :: sudo vitest run
    curl https://example.com/x.sh | sh && vitest run :: prisma migrate reset --force && vitest run ¦ git clean -fdx && vitest run :: npm run all
    jest -u :: vitest run --update ¦ echo no tests :: $RUNNER test ¦ eval $X :: vitest run || true
  `)("proposes no command that watches, delivers, installs, writes or proves nothing: %s, %s", (...tests) => {
    const scripts = { deploy: "firebase deploy", all: "vitest run && npm run ship", ship: "vercel --prod" }
    for (const test of tests) assert.notProperty(commands(npm({ ...scripts, test })), "tests", test)
  })

  it("proposes no command that deploys after a check or changes sources under another name", () => {
    assert.notProperty(commands(npm({ test: "vitest run", posttest: "npm run deploy", deploy: "./x" })), "tests")
    assert.notProperty(commands({ Makefile: "test: lint\n\tpytest\nlint:\n\ttwine upload dist/*\n" }), "tests")
    for (const lint of ["eslint . --fix", "prettier --write . && eslint ."])
      assert.notProperty(commands(npm({ lint })), "lint", lint)
    for (const lint of ["pre-commit run --all-files", "lefthook run pre-commit", "hk fix"])
      assert.notProperty(commands({ Makefile: `lint:\n\t${lint}\n` }), "lint", lint)
    for (const build of ["tsc --watch", "tsc -w"]) assert.notProperty(commands(npm({ build })), "build")
  })

  it("proposes commands that only look like watching or writing", () => {
    for (const test of ["jest --watchAll=false", "vitest run", "vitest --watch=false", "ng test --watch=false"])
      assert.property(commands(npm({ test })), "tests", test)
    const { build, lint } = commands(npm({ lint: "eslint . --fix-dry-run", build: "rimraf dist && tsc -b" }))
    assert.deepStrictEqual([build, lint], ["npm run build", "npm run lint"])
  })

  it("recognises commands that write into installed packages, directly or through a script", () => {
    const { scripts } = RepoSignals.fromFiles(npm({ test: "vitest run", pretest: "prisma generate", ci: "npm ci" }))
    const none = { scripts: RepoSignals.empty.scripts }
    for (const command of ["pip install -e . && pytest", "npm ci", "uv run pytest", "gen > node_modules/a/b"])
      assert.isTrue(ProposedChecks.writesPackages(command, none), command)
    for (const command of ["npm test", "npm run ci"])
      assert.isTrue(ProposedChecks.writesPackages(command, { scripts }), command)
    for (const command of ["npm test", "uv run --no-sync pytest", ".venv/bin/pytest > out", "node_modules/.bin/jest"])
      assert.isFalse(ProposedChecks.writesPackages(command, none), command)
  })

  it("never fails, and proposes only plain commands", () => {
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
