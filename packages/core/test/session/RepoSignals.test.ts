import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { FileAnswers } from "../../src/session/project/Load.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { answer, writeAll } from "../support/nodeFiles.ts"
import { table } from "../support/sessions.ts"
import { pairs, list } from "../support/rows.ts"
import { worksWith } from "../support/works.ts"
import { instructedGates } from "../../src/session/project/Instructions.ts"
import { empty } from "../../src/session/shell/Scripts.ts"

const json = (value: unknown): string => JSON.stringify(value)
const npm = (scripts: Record<string, string>, more: Record<string, unknown> = {}) => ({
  "package.json": json({ scripts, ...more })
})

const commands = (files: Record<string, string>) => {
  const { buildCommand, lintCommand, testCommand, typecheckCommand } = RepoSignals.fromFiles(files)
  return [testCommand, buildCommand, lintCommand, typecheckCommand].map((one) => one ?? "-").join(" ; ")
}

const gates = (text: string, files: Record<string, string> = {}) =>
  [...RepoSignals.fromFiles({ ...files, "CLAUDE.md": text }).instructedGates].toSorted()

/** Files, and the commands of tests, build, linter and type check. */
const own = String.raw`
  {"package.json":"{\"scripts\":{\"test\":\"vitest run\",\"build\":\"tsc -b\",\"lint\":\"eslint .\"}}"} :: npm test ; npm run build ; npm run lint ; -
  {"package.json":"{\"scripts\":{\"test\":\"jest\"}}","pnpm-lock.yaml":""} :: pnpm test ; - ; - ; -
  {"package.json":"{\"scripts\":{\"test\":\"jest\",\"check-types\":\"tsc --noEmit\"}}","yarn.lock":""} :: yarn test ; - ; - ; yarn check-types
  {"package.json":"{\"scripts\":{\"test\":\"jest\"},\"packageManager\":\"bun@1.2.0\"}"} :: bun run test ; - ; - ; -
  {"package.json":"{\"scripts\":{\"test\":\"echo no test specified && exit 1\"}}"} :: - ; - ; - ; -
  {"package.json":"{\"scripts\":{\"test\":\"eslint .\"}}"} :: - ; - ; - ; - ¦ {"go.mod":"module x"} :: go test ./... ; go build ./... ; - ; -
  {"go.mod":"module x","Makefile":"test:\n\tgo test -race ./...\n"} :: make test ; go build ./... ; - ; -
  {"Cargo.toml":"[package]"} :: cargo test ; cargo build ; - ; cargo check
  {"pyproject.toml":"[tool.pytest.ini_options]\n[tool.mypy]\n[tool.ruff]\n"} :: pytest ; - ; ruff check . ; mypy .
  {"pyproject.toml":"[dependency-groups]\ndev = ['pytest']\n","uv.lock":""} :: uv run pytest ; - ; - ; - ¦ {"pyproject.toml":"[project]\n"} :: - ; - ; - ; -
  {"manage.py":""} :: python manage.py test ; - ; - ; - ¦ {"build.gradle.kts":"","gradlew":""} :: ./gradlew test ; ./gradlew assemble ; - ; -
  {"pom.xml":""} :: mvn test ; mvn compile ; - ; - ¦ {"App.sln":""} :: dotnet test ; dotnet build ; - ; -
  {"Gemfile":"","spec/":""} :: bundle exec rspec ; - ; - ; - ¦ {"mix.exs":""} :: mix test ; mix compile ; - ; -
  {"justfile":"test:\n  cargo test\nlint:\n  cargo clippy\n"} :: just test ; - ; just lint ; -
  {"mise.toml":"[tasks.test]\nrun = 'go test ./...'\n"} :: mise run test ; - ; - ; -
  {"deno.json":"{\"tasks\":{\"test\":\"deno test -A\"}}"} :: deno task test ; - ; - ; -
  {"composer.json":"{\"scripts\":{\"test\":\"phpunit\"}}"} :: composer test ; - ; - ; - ¦ {"tsconfig.json":""} :: - ; - ; - ; npx tsc --noEmit
`

const covers = (files: Record<string, string>) => RepoSignals.fromFiles(files).covers

describe("RepoSignals.fromFiles", () => {
  it("no files and broken files give no signals", () => {
    assert.deepStrictEqual(RepoSignals.fromFiles({}), RepoSignals.empty)
    const broken = {
      "package.json": '{ "scripts": { "test": ',
      "composer.json": "[".repeat(100_000),
      "pyproject.toml": "[tool\nx = ",
      "mise.toml": "=",
      Makefile: "\t\t\n:::\n$(",
      justfile: "}}}{{",
      "Taskfile.yml": "tasks:\n\t- : [",
      "CLAUDE.md": "\u0000",
      ".git/HEAD": "0123456789abcdef"
    }
    assert.deepStrictEqual(RepoSignals.fromFiles(broken), RepoSignals.empty)
  })

  it("finds a repository's own commands", () => {
    for (const [files = "", wanted = ""] of table(own)) assert.strictEqual(commands(JSON.parse(files)), wanted, files)
  })

  it("knows which files the test command covers", () => {
    assert.include(covers(npm({ test: "vitest run" })), ".tsx")
    assert.notInclude(covers(npm({ test: "vitest run" })), ".go")
    assert.deepStrictEqual(covers({ "go.mod": "", Makefile: "test:\n\tgo test ./...\n" }), [".go"])
    assert.deepStrictEqual(covers({ "Cargo.toml": "" }), [".rs"])
    assert.deepStrictEqual(covers({ "go.mod": "", Makefile: "test:\n\t./ci/all.sh\n" }), [".go"])
    assert.deepStrictEqual(covers({ "README.md": "" }), [])
  })

  it.each(
    table(String.raw`
    make :: {"Makefile":"GO := go\nFLAGS ?= -race \\\n  -v\nifdef X\nendif\n.PHONY: all\nall: build test ## everything\nbuild:\n\t@$(GO) build $(shell ls)\ntest: missing build; @$(GO) test $(FLAGS) $$X $@\n%.o: %.c\n\tcc $<"} :: {"all":"make build\nmake test","build":"@go build $_","test":"make build\n@go test $_ $X $_","":"make all"}
    just :: {"justfile":"name := 'web'\n[private]\nbuild target='all': clean && lint\n  @make -C {{name}} {{target}}\nclean:\n  rm -rf dist\nlint:\nalias b := build\n"} :: {"build":"just clean\njust lint\n@make -C web $_","clean":"rm -rf dist","lint":"","b":"just build","":"just build"}
    task :: {"Taskfile.yml":"version: '3'\nvars:\n  X: 1\ntasks:\n  a:\n    desc: not a command\n    deps: [b, c]\n    cmds:\n      - go test {{.X}}\n      - task: c\n      - cmd: make\n      - |\n        echo one\n        echo two\n    sources:\n      - '**/*.go'\n  b: go vet ./...\n  c:\n    cmd: mypy .\nother:\n  d: 1\n"} :: {"a":"task b\ntask c\ngo test $_\ntask c\nmake\necho one\necho two","b":"go vet ./...","c":"mypy ."}
  `)
  )("reads recipes of %s with their dependencies and variables", (kind = "", files = "", recipes = "") => {
    const { scripts } = RepoSignals.fromFiles(JSON.parse(files))
    assert.deepStrictEqual(scripts[kind as keyof typeof scripts], JSON.parse(recipes))
  })

  it("finds test folders, a remote and a CI service", () => {
    const { testFolders } = RepoSignals.fromFiles({ "tests/": "", "src/": "", "src/__tests__/": "" })
    assert.deepStrictEqual(testFolders, ["tests", "src/__tests__"])
    const remotes = ['[core]\n[remote "origin"]\n\turl = x\n', "[core]\n"].map((text) => ({ ".git/config": text }))
    const found = [...remotes, npm({})].map((files) => RepoSignals.fromFiles(files).remote)
    assert.deepStrictEqual(found, [true, false, null])
    const ci = [".github/workflows/", ".gitlab-ci.yml", ".github"].map((name) => RepoSignals.fromFiles({ [name]: "" }))
    const ciFiles = ci.map(({ ciFiles }) => ciFiles)
    assert.deepStrictEqual(ciFiles, [true, true, false])
  })

  it.each<readonly [Record<string, string>, string | null]>([
    [{}, null],
    [{ ".git/refs/remotes/origin/HEAD": "ref: refs/remotes/origin/trunk\n" }, "trunk"],
    [{ ".git/config": '[branch "main"]\n\tremote = origin\n' }, "main"],
    [{ ".git/refs/heads/main": "a", ".git/refs/heads/master": "a" }, null]
  ])("reads the branch and the default branch of %j", (files, defaultBranch) => {
    const signals = RepoSignals.fromFiles({ ".git/HEAD": "ref: refs/heads/fix/a-1\n", ...files })
    assert.deepStrictEqual([signals.branch, signals.defaultBranch], ["fix/a-1", defaultBranch])
    assert.isNull(RepoSignals.fromFiles({ ...files, ".git/HEAD": "3f2a\n" }).branch)
  })
})

describe("RepoSignals.fromFiles: instructions", () => {
  it("gates are at most six, whatever the files hold", () => {
    for (const unit of ["always run ", "`", "must ", "(", "9", "before commit ", "- ", "```\n", ": ", "\n"])
      assert.isAtMost(gates(unit.repeat(40_000 / unit.length)).length, 6)
    const names = fc.constantFrom("package.json", "Makefile", "justfile", "Taskfile.yml", "pyproject.toml", "AGENTS.md")
    fc.assert(
      fc.property(fc.dictionary(names, fc.string({ unit: "binary", maxLength: 200 })), (files) => {
        assert.isObject(RepoSignals.fromFiles(files))
      })
    )
  })

  it("a command counts for the gate in its name, not for its whole script", () => {
    const files = npm({ pretest: "npm run build", test: "vitest run", build: "tsc -b", ci: "eslint . && vitest run" })
    assert.deepStrictEqual(gates("Always run `npm test` before committing.", files), ["tests"])
    assert.deepStrictEqual(gates("Always run `npm run ci` before committing.", files), ["lint", "tests"])
  })
})

const folderOf = Effect.fnUntraced(function* (files: Record<string, string>) {
  const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
  const folder = yield* fs.makeTempDirectoryScoped()
  writeAll(folder, files)
  return { folder, fs, path }
})

const works = worksWith(NodeContext.layer)

/** The ways to read a folder: through Effect's file system, at once in an effect, and at once without one. */
const loaders = {
  load: RepoSignals.load,
  "load, at once": (cwd: string) => Effect.provideService(RepoSignals.load(cwd), FileAnswers, answer),
  loadSync: (cwd: string) => Effect.sync(() => RepoSignals.loadSync(cwd, answer))
}

describe.each(Object.entries(loaders))("RepoSignals.%s", (_name, load) => {
  works("reads a folder, and the repository's root for what the folder lacks", function* () {
    const { folder, path } = yield* folderOf({
      ".git/HEAD": "ref: refs/heads/topic\n",
      ".git/refs/remotes/origin/HEAD": "ref: refs/remotes/origin/main\n",
      "CLAUDE.md": "Always run `npm test` before finishing.\n",
      "package.json": json({ scripts: { test: "vitest run", lint: "eslint ." } }),
      "web/package.json": json({ scripts: { test: "jest" } }),
      "web/AGENTS.md": "Run `npm run lint` before committing.\n",
      "web/tests/a.test.js": ""
    })
    const web = yield* load(path.join(folder, "web"))
    assert.deepStrictEqual([web.branch, web.defaultBranch, web.scripts.npm], ["topic", "main", { test: "jest" }])
    assert.deepStrictEqual([...web.instructedGates].toSorted(), ["lint", "tests"])
    assert.deepStrictEqual(web.testFolders, ["tests"])
    const top = yield* load(folder)
    assert.deepStrictEqual(top.instructedGates, ["tests"])
    assert.strictEqual(top.lintCommand, "npm run lint")
  })

  works("leaves out large files and links out of the folder", function* () {
    const { folder, fs, path } = yield* folderOf({
      "inside/.git/HEAD": "ref: refs/heads/a\n",
      "outside/package.json": json({ scripts: { test: "jest" } })
    })
    const inside = path.join(folder, "inside")
    yield* fs.symlink(path.join(folder, "outside/package.json"), path.join(inside, "package.json"))
    yield* fs.writeFileString(path.join(inside, "Makefile"), `test:\n\tpytest\n${"#".repeat(300_000)}`)
    const signals = yield* load(inside)
    assert.deepStrictEqual([signals.testCommand, signals.branch], [null, "a"])
  })

  works("finds test folders and workflows; a folder without a repository has no remote", function* () {
    const { folder, fs, path } = yield* folderOf({
      "plain/test/a.test.js": "",
      "cloned/.git/HEAD": "x",
      "cloned/.git/config": '[remote "origin"]\n'
    })
    const { remote, testCommand, testFolders } = yield* load(path.join(folder, "plain"))
    assert.deepStrictEqual([remote, testCommand, testFolders], [false, null, ["test"]])
    yield* fs.makeDirectory(path.join(folder, "cloned/.github/workflows"), { recursive: true })
    const cloned = yield* load(path.join(folder, "cloned"))
    assert.deepStrictEqual([cloned.remote, cloned.ciFiles], [true, true])
    for (const none of [path.join(folder, "gone"), ""]) assert.deepStrictEqual(yield* load(none), RepoSignals.empty)
  })

  works("reads a worktree's branch", function* () {
    const { folder, fs, path } = yield* folderOf({ "main/.git/worktrees/w/HEAD": "ref: refs/heads/w\n" })
    const tree = path.join(folder, "tree")
    yield* fs.makeDirectory(tree)
    for (const pointer of [path.join(folder, "main/.git/worktrees/w"), "../main/.git/worktrees/w"]) {
      yield* fs.writeFileString(path.join(tree, ".git"), `gitdir: ${pointer}\n`)
      assert.strictEqual((yield* load(tree)).branch, "w")
    }
  })
})

/** A file system of text files by path; `real` maps a path to its real path, if that differs. */
const inMemory =
  (files: Record<string, string>, real: Record<string, string> = {}) =>
  ({ path, want }: RepoSignals.FileRequest): RepoSignals.FileAnswer => {
    const text = files[path]
    const inside = Object.keys(files).filter((file) => file.startsWith(path.endsWith("/") ? path : `${path}/`))
    if (want === "realPath") return real[path] ?? (text === undefined && inside.length === 0 ? null : path)
    if (want === "read") return text ?? null
    if (want === "list")
      return [...new Set(inside.map((file) => file.slice(path.length).split("/").find(Boolean) ?? ""))]
    if (text !== undefined) return { kind: "file", size: text.length }
    return inside.length === 0 ? null : { kind: "folder", size: 0 }
  }

const repo = (root: string) => ({
  [`${root}.git/HEAD`]: "ref: refs/heads/topic\n",
  [`${root}AGENTS.md`]: "Always run `npm test` before finishing.\n",
  [`${root}web/package.json`]: json({ scripts: { test: "jest" } })
})

describe("RepoSignals.loadSync", () => {
  it("accepts the paths of every operating system", () => {
    const roots = pairs`
    /repo/web :: /repo/ ¦ /web :: / ¦ C:\\repo\\web :: C:/repo/ ¦ c:/web :: c:/ ¦ \\\\server\\share\\web :: //server/share/ ¦ /odd\\name/web :: /odd\\name/
  `
    for (const [cwd, root] of roots) {
      const { branch, instructedGates, testCommand } = RepoSignals.loadSync(cwd, inMemory(repo(root)))
      assert.deepStrictEqual([cwd, branch, testCommand, instructedGates], [cwd, "topic", "npm test", ["tests"]])
    }
  })

  it("a file whose real path lies outside is not read, in any path syntax", () => {
    const files = { ...repo("C:/repo/"), "C:/repo2/package.json": json({ scripts: { test: "vitest" } }) }
    const linked = (to: string) => inMemory(files, { "C:/repo/web/package.json": to })
    const testCommand = (to: string) => RepoSignals.loadSync("C:\\repo\\web", linked(to)).testCommand
    assert.strictEqual(testCommand("C:\\repo2\\package.json"), null)
    assert.strictEqual(testCommand("C:\\repo\\web\\package.json"), "npm test")
  })

  it("a relative path causes no request, and no answer causes a failure", () => {
    for (const path of ["repo", "C:repo"])
      assert.deepStrictEqual(RepoSignals.loadSync(path, () => assert.fail("asked")).scripts, RepoSignals.empty.scripts)
    const answers = fc.oneof(
      fc.constant(null),
      fc.string(),
      fc.array(fc.constantFrom("package.json", ".git", "mise", "tests", "x")),
      fc.record({ kind: fc.constantFrom("file" as const, "folder" as const), size: fc.nat() })
    )
    fc.assert(
      fc.property(fc.infiniteStream(answers), (stream) => {
        const next = () => stream.next().value ?? null
        assert.isObject(RepoSignals.loadSync("/repo", next))
      })
    )
  })
})

const demanded = (text: string, npm: Record<string, string> = {}): string =>
  [...instructedGates(text, { ...empty, npm })].toSorted().join(" ")

describe("what instructions demand", () => {
  it.each(pairs`
    Run \`npm test\` before every pull request. :: tests ¦ Every commit must pass \`npm run lint\` and \`npm test\`. :: lint tests
    All changes must pass \`cargo test\`. :: tests ¦ \`go vet ./...\` must succeed. :: lint ¦ Pull requests only. :: pr
    Never push to \`main\` directly; open a pull request. :: pr ¦ Don't commit straight to master, open a PR instead. :: pr
    Every change goes in through a merge request. :: pr ¦ Don't tell me that it is done until \`mypy .\` passes. :: typecheck
    Make sure that \`npm test\`\npasses before you push. :: tests ¦ Definition of done:\n\n- [ ] \`cargo build\`\n- [ ] \`cargo test\` :: build tests
    Always open a pull request. :: pr ¦ > **Important:** before you finish, run\n> \`npm test\`. :: tests
    ## Before you commit\n\n- \`npm test\`\n- \`npm run lint\`\n\n## Commands\n\n- \`npm run build\` :: lint tests
    Before pushing\n--------------\n\n\`\`\`\n$ cargo test\n\`\`\` :: tests ¦ After any change to the code, run \`npm test\`. :: tests
    Before merging, do this:\n\n1. **Types**\n\n   \`\`\`sh\n   npx tsc --noEmit\n   \`\`\`\n\n2. **Tests**\n\n   \`\`\`sh\n   npm test\n   \`\`\` :: tests typecheck
    - Before pushing:\n  - \`npm test\`\n- Handy:\n  - \`npm run build\` :: tests
  `)("%j", (text, wanted) => assert.strictEqual(demanded(text), wanted))

  it.each(list`
    CI runs the linter. ¦ \`npm test\` runs the unit tests. ¦ You can run \`make lint\` before you commit. ¦ A hook runs \`npm test\` before every commit.
    \`npm run lint\` is run by husky before each commit. ¦ GitHub Actions will run the tests before a merge.
    The tests are executed automatically before merging. ¦ Maintainers run the tests before they merge. ¦ I run the tests myself before merging.
    Always run tests with \`pnpm test\`, not with jest. ¦ Docker is required to run the tests. ¦ You must start the database before running the tests.
    You need to run \`npm install\` before \`npm test\`. ¦ Always write tests before you commit. ¦ Tests must not depend on each other.
    Make sure test files end in \`.test.ts\`. ¦ Keep the commit message short before you push. ¦ When tests fail, don't commit.
    For UI changes, run \`npm run e2e\` before committing. ¦ Before opening an issue, search the old ones. ¦ Only if asked: run \`npm test\` before committing.
    There is no need to run the tests before pushing. ¦ Don't run the end-to-end tests until the unit tests are stable.
    We used to run the tests before each commit. ¦ Don't commit unless I ask for it. ¦ Don't open a pull request; I do it when the work is done.
    Never push to main. ¦ After any change to the schema, run \`npm test\`.
    A pre-push hook runs \`npm run lint\`, so you need not run it. Commit and ensure the hooks pass. ¦ All questions are answered by PR authors.
    If you want to contribute, everything goes through a pull request. ¦ Make sure the CI config passes a look of yours.
    Once the build is done, the tests start. ¦ When the release is complete, tests run in the cloud.
    Nobody has to run the tests before committing; they are slow, so skip them. ¦ All pull requests are squashed.
    Every pull request template lists the checks. ¦ ## Commands\n\n- \`npm test\`: all tests\n- \`npm run build\`: the bundle
    ## Requirements\n\n- \`make\`\n- \`docker\` ¦ ## What you must know\n\n- \`npm test\` is slow ¦ Never do this before a commit:\n- run \`npm test\`
    ## Never\n\n- run \`npm test\` before committing ¦ <!-- Always run the tests before committing. --> ¦ <!--\nAlways run the tests before committing.\n-->
    An old guide said "always run the tests before committing". ¦ Si tu veux, lance \`npm test\` avant chaque commit.
    Wenn du willst, führe vor jedem Commit \`npm test\` aus. ¦ Always run the tests before finishing. ¦ CI must be green before merging.
  `)("no demand: %j", (text) => assert.strictEqual(demanded(text), ""))

  it("a project's own script demands the gates of its commands", () => {
    const found = demanded("Run `npm run verify` before pushing.", { verify: "tsc --noEmit && jest" })
    assert.strictEqual(found, "tests typecheck")
  })
})
