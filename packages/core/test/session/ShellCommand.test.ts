import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import * as ShellCommand from "../../src/session/shell/ShellCommand.ts"
import { groups, list, pairs } from "../support/rows.ts"

const marks: Record<ShellCommand.Exit, string> = { implied: "", masked: "~", inverted: "!", background: "&" }

/** `test:vitest~ part dry echo`: classes, runner, exit, and what else holds. */
const label = (command: ShellCommand.SimpleCommand): string =>
  [
    `${command.classes.join("+")}${command.runner === null ? "" : `:${command.runner}`}${marks[command.exit]}`,
    ...(command.filtered ? ["part"] : []),
    ...(command.dryRun ? ["dry"] : []),
    ...(command.echo > 0 ? ["echo"] : []),
    ...command.promises.map((one) => `no ${one}`)
  ].join(" ")

const quiet = new Set<ShellCommand.CommandClass>(["other", "read", "search"])

const labels = (source: string, scripts?: RepoSignals.Scripts): string =>
  ShellCommand.analyze(source, scripts)
    .commands.filter(({ classes, promises }) => promises.length > 0 || !classes.every((one) => quiet.has(one)))
    .map(label)
    .join(", ")

/** Each row is a command, and labels for the parts that do more than look. Without labels, all parts only look. */
type Table = ReadonlyArray<readonly [command: string, labels?: string]>

const compared = (table: Table, scripts?: RepoSignals.Scripts) =>
  [
    table.map(([command]) => [command, labels(command, scripts)]),
    table.map(([command, wanted = ""]) => [command, wanted])
  ] as const

const repo = (files: Record<string, string>): RepoSignals.Scripts => RepoSignals.fromFiles(files).scripts
const packageJson = (scripts: Record<string, string>) => repo({ "package.json": JSON.stringify({ scripts }) })

const of = <A>(command: string, get: (one: ShellCommand.SimpleCommand) => A): ReadonlyArray<A> =>
  ShellCommand.analyze(command).commands.map(get)

const isUnknown = (command: string): boolean => ShellCommand.analyze(command).unknown

const suspects = (command: string): string =>
  ShellCommand.analyze(command)
    .commands.flatMap(({ soleSuspect, text }) => (soleSuspect ? [text] : []))
    .join()

const excess = (source: string, scripts?: RepoSignals.Scripts): ReadonlyArray<string> =>
  ShellCommand.analyze(source, scripts).commands.flatMap(({ classes, text }, index) =>
    index > 400 || text.length > 200 || classes.length === 0 ? [text] : []
  )

describe("the class of a command", () => {
  it("comes from its program, its subcommand and its options", () => {
    const [found, wanted] = compared(pairs`
    npm t :: test:npm ¦ npm run build && npm run lint :: build:npm, lint:npm ¦ npm test -- src/a.test.ts :: test:npm part ¦ npm test -- --run :: test:npm
    npm test -w web :: test:npm part ¦ npm ci :: install ¦ yarn :: install ¦ yarn workspace web test :: test:yarn part ¦ yarn jest -t login :: test:jest part
    pnpm -r test :: test:pnpm ¦ pnpm --filter web build :: build:pnpm part ¦ pnpm vitest run src/a.test.ts :: test:vitest part ¦ bun test :: test:bun test
    bun run test :: test:bun ¦ deno check main.ts :: typecheck:deno check ¦ deno task lint :: lint:deno ¦ node --test test/a.test.js :: test:node test part
    npx playwright install :: install ¦ npx -y -p typescript tsc --noEmit :: typecheck:tsc ¦ tsc -b :: typecheck+build:tsc
    npx @biomejs/biome check . :: lint+format:biome check ¦ prettier --check . && prettier --write . :: lint+format:prettier, format:prettier
    next dev && next build :: process, build:next build ¦ npx tsup src/index.ts :: build:tsup
    turbo run test lint --filter=web :: test:turbo part, lint:turbo part ¦ nx run-many -t test lint && nx test web :: test:nx, lint:nx, test:nx part
    pytest tests -n 4 --tb=short -q :: test:pytest ¦ pytest -klogin && pytest --lf :: test:pytest part, test:pytest part
    python3.11 -m unittest discover -s tests :: test:unittest ¦ uv run --with x python -m pytest tests/test_a.py::test_b :: test:pytest part
    poetry run pytest && hatch run mypy src :: test:pytest, typecheck:mypy ¦ tox -e lint && tox :: lint:tox, test:tox
    ./manage.py test app.tests :: test:django part ¦ ruff check . && ruff format :: lint:ruff check, format:ruff format ¦ pip install -e . :: install
    "$VENV/bin/pytest" tests/test_a.py :: test:pytest part ¦ go test -count=1 -timeout 60s ./... :: test:go test
    go test -run TestA ./pkg/a :: test:go test part ¦ go test -run '^$' ./... && go test -c ./a :: build:go test, build:go test
    go build ./... && go vet ./... :: build:go build, lint:go vet ¦ cargo +nightly test -- --nocapture :: test:cargo
    cargo test -p core --lib :: test:cargo part ¦ cargo test parses && cargo test --no-run :: test:cargo part, build:cargo
    cargo fmt --check && cargo clippy :: lint+format:cargo, lint:cargo ¦ mvn -B verify && mvn -DskipTests package :: build+test:maven, build:maven
    ./gradlew build -x test && ./gradlew :app:test :: build:gradle, test:gradle part
    dotnet test All.sln && dotnet test --filter Name=Foo :: test:dotnet test, test:dotnet test part
    bundle exec rspec && bin/rails test :: test:rspec, test:rails test ¦ rake && rake test TEST=a.rb && rake db:check :: test:rake, test:rake part
    composer test && php artisan test :: test:composer, test:phpunit ¦ mix credo && mix test --stale :: lint:mix credo, test:mix test part
    cmake -S . -B build && cmake --build build && ctest -R foo :: build:cmake, test:ctest part
    ninja -C build test && bazel test //... :: test:ninja, test:bazel ¦ swift build && xcodebuild test -scheme App :: build:swift build, test:xcodebuild
    zig build test :: test+build:zig build ¦ make && make check && make -j4 test lint :: build:make, test:make, test:make, lint:make
    make test ARGS="-k foo" && make clean :: test:make part ¦ just test && task build && mise run lint :: test:just, build:task, lint:mise
    docker build . && docker compose up -d && docker push x :: build:docker build, process, deploy
    kubectl apply -f x.yml && kubectl get pods && terraform apply :: deploy, deploy ¦ vercel deploy --prod && npm publish --dry-run :: deploy, deploy dry
    kill -9 12 && systemctl restart nginx :: process, process
  `)
    assert.deepStrictEqual(found, wanted)
    assert.deepStrictEqual(
      ["cargo test", "go build ./...", "golangci-lint run", "npm test"].map((command) =>
        of(command, ({ alsoProves }) => alsoProves.join(" ")).join()
      ),
      ["build typecheck", "typecheck", "typecheck", ""]
    )
  })

  it("comes from the name of a script, if the name is clear", () => {
    const [found, wanted] = compared(pairs`
    npm run test:unit && npm run test:web :: test:npm, test:npm part ¦ npm run check-types && npm run lint:fix :: typecheck:npm, lint:npm
    npm run ci && npm run check:all :: test+lint+build:npm, lint+typecheck:npm ¦ npm run lint-and-test && make test-all :: lint+test:npm, test:make
    ./scripts/run-tests.sh && bash scripts/lint.sh :: test:run-tests, lint:bash
    node scripts/build.js && python tests/test_a.py :: build:node, test:python part
    npm run check-env && npm run db:check && npm run test:seed && npm run test-email
    npm run build:index && npm run release-notes && make check-env && gradle verifyPluginXml
    ./scripts/check.sh && ./test-email.sh && node scripts/build-index.js && python /tmp/test_a.py
  `)
    assert.deepStrictEqual(found, wanted)
  })

  it("a command that only lists or dry-runs is marked as dry", () => {
    const [found, wanted] = compared(pairs`
    npm test --help && npm test -- --listTests :: test:npm dry, test:npm dry ¦ npx vitest list && pytest --co -q :: test:vitest dry, test:pytest dry
    go test -list=. ./... && cargo nextest list :: test:go test dry, test:cargo dry ¦ make -n test && kubectl apply --dry-run=client -f x :: test:make dry, deploy dry
  `)
    assert.deepStrictEqual(found, wanted)
  })

  it("version control, forge commands and pushes are recognised", () => {
    const [found, wanted] = compared(pairs`
    git commit -am 'run npm test' && git commit --dry-run :: vcs+commit, vcs dry ¦ gt create -am x && gt m -c && gt log :: vcs+commit, vcs+commit, vcs
    git record -m x && jj commit -m x && sl commit :: vcs+commit, vcs+commit, vcs+commit
    git status && git grep foo && git stash && git branch x :: vcs+read, vcs+search, vcs, vcs
    gh pr create --fill && gh pr create --dry-run :: pr+pr_create, pr dry
    gh pr view 3 && gh -R o/r pr checks 3 && gh pr merge :: pr+pr_view, pr+pr_checks+ci, pr+pr_merge
    gh run watch 12 && glab ci status && glab mr create :: ci, ci, pr+pr_create
    gh api repos/o/r/pulls -f title=x && gh api repos/o/r/pulls/3 :: pr+pr_create, pr+pr_view
  `)
    assert.deepStrictEqual(found, wanted)
    const none = { remote: null, branch: null, force: false, delete: false, tags: false }
    const pushes = pairs`
    git push :: {} ¦ git push -u origin feature :: {"remote":"origin","branch":"feature"} ¦ git push origin HEAD :: {"remote":"origin"}
    git -C sub -c a=b push origin HEAD:refs/heads/main :: {"remote":"origin","branch":"main"} ¦ git push origin a:b main :: {"remote":"origin","branch":"main"}
    git push --force-with-lease=main:abc origin main :: {"remote":"origin","branch":"main","force":true}
    git push -uf origin x :: {"remote":"origin","branch":"x","force":true} ¦ git push origin +main :: {"remote":"origin","branch":"main","force":true}
    git push origin :old :: {"remote":"origin","branch":"old","delete":true} ¦ git push origin v1.2.3 :: {"remote":"origin","tags":true}
    git push -n :: null ¦ git stash push :: null
  `
    for (const [command, wanted] of pushes) {
      const push: object | null = JSON.parse(wanted)
      assert.deepStrictEqual(
        of(command, (one) => one.push),
        [push === null ? null : { ...none, ...push }],
        command
      )
    }
  })
})

describe("the commands that a shell runs", () => {
  it("are found behind wrappers, in strings and in substitutions", () => {
    const [found, wanted] = compared(pairs`
    sudo -u me env -i CI=1 timeout -k 5 60 nice -n 5 npm test :: test:npm
    time -p npm test && xvfb-run -a npm test && exec npm test :: test:npm, test:npm, test:npm
    dotenv -- npm test && mise x node@20 -- npm test :: test:npm, test:npm ¦ nix develop -c cargo test && npx c8 --reporter=lcov mocha :: test:cargo, test:mocha
    docker compose -f ci.yml run --rm -e A=1 web pytest -x :: test:pytest ¦ docker run --rm -v "$PWD:/app" -w /app node:20 npm test :: test:npm
    kubectl exec -it pod -n ns -- pytest && su - bob -c 'npm test' :: test:pytest, test:npm ¦ bash -lc 'npm run build; npm test' :: build:npm~, test:npm
    sh -c "cd x && bash -c 'go test ./...'" :: test:go test ¦ eval 'npm test' && T=npm; $T test :: test:npm~, test:npm ¦ bash <<EOF\nnpm test\nEOF :: test:npm
    cat <<'EOF' | bash\npytest\nEOF :: test:pytest ¦ ls | xargs npx eslint :: lint:eslint ¦ ls | xargs -r -I{} sh -c 'npm test' :: test:npm~
    find . -name '*_test.go' -exec go test {} + :: test:go test~ part ¦ echo "$(npm test)" && x=$(npm run build) :: test:npm~, build:npm
    t() { npm test; }; t && git push :: test:npm~, vcs+push ¦ cmd.exe /d /c "npm run lint && npm test" :: lint:npm, test:npm
    pwsh -c 'dotnet test; exit $LASTEXITCODE' :: test:dotnet test ¦ powershell.exe -NoProfile -ExecutionPolicy Bypass -Command 'npx vitest run' :: test:vitest
  `)
    assert.deepStrictEqual(found, wanted)
    const command = "sudo timeout 5 npx vitest run \"$FILE\" 'a b'"
    assert.deepStrictEqual(
      of(command, ({ words }) => words),
      [["vitest", "run", null, "a b"]]
    )
  })

  it("a text that only mentions a command is not a command", () => {
    const [found, wanted] = compared([
      ['echo "npm test" # && npm test'],
      ["cat > run.sh <<'EOF'\nnpm test\nEOF", "write"],
      ["grep -rn 'npm test' . && command -v npm && alias t='npm test'"],
      ["t() { npm test; }; exit 0; npm test"]
    ])
    assert.deepStrictEqual(found, wanted)
  })

  it("are unknown if they come from variables, other programs or remote hosts", () => {
    const unknown = list`
    eval "$X" ¦ $CMD --flag ¦ $(which npm) test ¦ curl -s x.sh | sh ¦ bash -c "$SCRIPT" ¦ source ./tasks.sh ¦ ssh host npm test ¦ echo 'unterminated
    ls | xargs -n1 $TOOL ¦ cmd /c "npm test & echo done" ¦ cmd /c ¦ pwsh -c 'npm test | Out-Host' ¦ pwsh -EncodedCommand bnBt ¦ powershell "$CMD"
  `
    const known = ["npm test", "source .venv/bin/activate && pytest", ". ~/.nvm/nvm.sh; nvm use", "ls $DIR"]
    assert.deepStrictEqual([...unknown, ...known].filter(isUnknown), unknown)
  })

  it("a program that may not be what its name says has no class", () => {
    assert.deepStrictEqual(
      ...compared([
        ["PATH=./stubs:$PATH npm test && ./fake/npm test"],
        ["PATH=./node_modules/.bin:$PATH vitest", "test:vitest"]
      ])
    )
  })
})

describe("what an exit status says", () => {
  it("is followed through lists, pipelines and compounds", () => {
    const [found, wanted] = compared(pairs`
    npm run build && npm test :: build:npm, test:npm ¦ npm run build; npm test :: build:npm~, test:npm ¦ npm test | tail -5 :: test:npm~
    cat log | npm test :: test:npm ¦ npm test || true :: test:npm~ ¦ npm test && echo PASS || echo FAIL :: test:npm~
    npm test || { echo failed; exit 1; }; git push :: test:npm, vcs+push ¦ npm test || exit 0 :: test:npm~ ¦ ! npm test && git push :: test:npm!, vcs+push
    npm run build & npm test :: build:npm&, test:npm ¦ npm test; exit 0 :: test:npm~ ¦ npm test; rc=$?; tail log; exit $rc :: test:npm
    npm test | tee log; exit $\{PIPESTATUS[0]} :: test:npm, write~ ¦ (cd web && npm test) :: test:npm ¦ if npm test; then git push; fi :: test:npm~, vcs+push~
    if npm test; then echo ok; else echo red; fi :: test:npm~ ¦ if npm test; then echo ok; else exit 1; fi :: test:npm~
    if ! npm test; then echo bad; exit 1; fi; git push :: test:npm~, vcs+push ¦ for d in a b; do go test ./...; done :: test:go test~
    until npm test; do sleep 1; done; git push :: test:npm~, vcs+push ¦ case $x in a) npm test;; esac :: test:npm~
    [ -f skip ] && exit 0; npm test :: test:npm~ ¦ [ -d src ] || exit 1; npm test :: test:npm
    set -e; npm run build; npm test; echo done :: build:npm~, test:npm~ ¦ set -e; npm test || true; echo done :: test:npm~
    set -euo pipefail; npm test | tee log; echo done :: test:npm~, write~ ¦ test -f x && set -e; npm test; echo :: test:npm~ ¦ watch -n1 npm test :: test:npm~
  `)
    assert.deepStrictEqual(found, wanted)
  })

  it("is read from the `echo` that prints it", () => {
    const [found, wanted] = compared([
      ['npm test > log 2>&1; echo "exit: $?"; tail log', "test:npm~ echo"],
      ['npm test; code=$?; tail log; echo "exit code: $code"', "test:npm~ echo"],
      ["cd web && npm test | tail -5; echo ${PIPESTATUS[0]}", "test:npm~ echo"],
      ["npm test | tail -5; echo $?", "test:npm~"]
    ])
    assert.deepStrictEqual(found, wanted)
    const [build, , tests] = of("npm run build; echo $?; npm test; echo $?", (one) => `${one.echo} ${one.soleEchoed}`)
    assert.deepStrictEqual([build, tests], ["1 true", "2 true"])
  })

  it("names the only command that can have failed", () => {
    const table = pairs`
    cd x && export A=1 && npm test :: npm test ¦ npm run build && npm test :: ¦ npm test || exit 1; echo ok :: npm test
    set -o pipefail; npm run build | npm test :: ¦ set -e; npm run build; npm test :: ¦ npm test; rc=$?; tail log; exit $rc :: npm test ¦ ! npm test ::
    exit 3; npm test ::
  `
    assert.deepStrictEqual(
      table.map(([command]) => [command, suspects(command)]),
      table.map((row) => [...row])
    )
    const beside = of("sed -i s/a/b/ x.ts && npm test", ({ besideEdits, soleSuspect }) => [besideEdits, soleSuspect])
    assert.deepStrictEqual(beside[1], [true, false])
  })
})

it("what a command writes is read from redirections, from operands and from code", () => {
  const table: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = groups`
    echo x >> a.ts; cmd > out 2> err &> all.log :: a.ts ¦ out ¦ err ¦ all.log
    cat > src/a.ts <<'EOF'\nx\nEOF :: src/a.ts
    { echo a; echo b; } > c; echo x | tee -a a b :: c ¦ a ¦ b
    sed -i '' 's/a/b/' x.ts; sed -i.bak -e 's/a/b/' y.ts; sed -n 1,5p z.ts :: x.ts ¦ y.ts
    ls | xargs sed -i 's/a/b/'; perl -pi -e 's/a/b/' x.ts :: * ¦ x.ts
    cp a b; mv a c; rm -rf dist; touch d; dd if=a of=e :: b ¦ a ¦ c ¦ dist ¦ d ¦ e
    git apply x.patch; git checkout -- a.ts; git checkout main; git restore --staged b.ts :: * ¦ a.ts
    curl -o f.json https://example.com; sort -o g x; yq -i .x h.yml :: f.json ¦ g ¦ h.yml
    cat a > "$DIR/x.ts"; cat a > $OUT; D=src; cat a > $D/x.ts :: $DIR/x.ts ¦ * ¦ src/x.ts
    cd sub && echo x > a.ts; cd ..; echo y > b.ts; (cd c; echo x > d) :: sub/a.ts ¦ b.ts ¦ c/d
    python -c "open('a.py', 'w').write('x')"; python -c "print(open('b.py').read())" :: a.py
    python - <<'EOF'\np = Path('src/a.py')\np.write_text('x')\nEOF :: src/a.py
    node -e "fs.writeFileSync('a.js', 'x')" :: a.js
    cd web && apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: c.ts\n+x\n*** End Patch\nEOF :: web/c.ts
    patch -p1 <<'EOF'\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\nEOF :: x.ts
  `
  assert.deepStrictEqual(
    table.map(([command]) => [command, ...of(command, ({ writes }) => writes).flat()]),
    table.map((row) => [...row])
  )
  assert.deepStrictEqual(...compared([["npm test > log && jq . a > b && cat a > b", "test:npm, read+write, write"]]))
})

describe("a script of the project", () => {
  it("is read from its file", () => {
    const [found, wanted] = compared(
      pairs`
    npm test :: lint:eslint, test:vitest ¦ npm test -- -t login :: lint:eslint, test:vitest part ¦ pnpm ci:all :: typecheck:tsc, lint:eslint, test:vitest
    npm run masked && npm run custom :: test:jest~, test:npm part ¦ cd web && npm test && npm --prefix web test :: test:npm, test:npm
    npm run idle :: other:npm~ no test ¦ npm run loop && npm run constructor ¦ npm run build --if-present :: build:npm
  `.map(([command = "", wanted = ""]) => [command.replace("idle", "test:only"), wanted] as const),
      packageJson({
        pretest: "eslint .",
        test: "vitest run",
        "ci:all": "tsc --noEmit && npm run test",
        masked: "jest || true",
        custom: "npm run test:custom",
        "test:custom": "node ./scripts/all.js",
        "test:only": 'echo "Error: no test specified" && exit 1',
        loop: "npm run loop"
      })
    )
    assert.deepStrictEqual(found, wanted)
    const [one] = ShellCommand.analyze("npm test", packageJson({ test: "vitest run test/" })).commands
    assert.deepStrictEqual([one?.words, one?.via, one?.filtered], [["vitest", "run", "test/"], "npm test", false])
  })

  it("is followed through make, just, task, mise and Python's tasks", () => {
    const [found, wanted] = compared(
      pairs`
    make :: build:go build, test:go test~ ¦ make lint && make -C sub test :: lint:golangci-lint run, test:make ¦ just ci :: lint:cargo, test:cargo
    task all :: build:go build, typecheck:mypy ¦ mise run check :: lint:ruff check, test:pytest
    poe all && hatch run cov :: typecheck:mypy, test:pytest, test:pytest
  `,
      repo({
        Makefile:
          "GO ?= go\nall: test\nbuild:\n\t@$(GO) build ./...\ntest: build\n\t-$(GO) test $(FLAGS) ./...\nlint:\n\tgolangci-lint \\\n\t  run\n",
        justfile: "x := 'cargo'\nci: lint\n    @{{x}} test\n\nlint:\n    cargo clippy\n",
        "Taskfile.yml": "tasks:\n  all:\n    deps: [build]\n    cmds:\n      - mypy .\n  build: go build ./...\n",
        "mise.toml": "[tasks.check]\ndepends = ['lint']\nrun = 'pytest'\n[tasks.lint]\nrun = ['ruff check']\n",
        "pyproject.toml":
          "[tool.poe.tasks]\ntypes = 'mypy .'\nall = ['types', 'unit']\nunit = { cmd = 'pytest' }\n[tool.hatch.envs.default.scripts]\ncov = 'pytest --cov'\n"
      })
    )
    assert.deepStrictEqual(found, wanted)
  })

  it("is read with the given scripts, whatever was analysed before", () => {
    const [test, lint] = [packageJson({ all: "vitest run" }), packageJson({ all: "eslint ." })]
    for (let index = 0; index < 60; index++) {
      ShellCommand.analyze(`echo ${index}`, test)
      assert.deepStrictEqual([labels("npm run all", test), labels("npm run all", lint)], ["test:vitest", "lint:eslint"])
    }
  })
})

const isNight = process.env["REFLEXION_TESTS"] === "night"
const much = isNight ? 1_000_000 : 8000

describe("the bounds of the analysis", () => {
  it("hold for long, deep and circular input", () => {
    const long = ShellCommand.analyze(`npm test; ${"echo x; ".repeat(10_000)}`)
    assert.deepStrictEqual([long.unknown, long.commands[0]?.exit], [true, "masked"])
    const units =
      "(@{ @| @$(@`@((@9@<<A\n@if @x=$((@a && @! @f(){ @\\\n@'@\"$(@${x:-@xargs @sudo @env A=1 @find -exec @eval eval @npx npx @a=$(b) @rc=$?;@a || rc=1;@yarn ".split(
        "@"
      )
    for (const unit of units) assert.isEmpty(excess(unit.repeat(much / unit.length)), unit)
    assert.isEmpty(excess("a(){ b; b; }; b(){ c; c; }; c(){ a; a; npm test; }; a"))
    assert.isEmpty(excess(`${"bash -c '".repeat(50)}npm test`))
    assert.isEmpty(excess(`python - <<'EOF'\n${"open(".repeat(5_000)}\nEOF`))
    const names = Array.from({ length: 12 }, (_, index) => `s${index}`)
    const all = names.map((other) => `npm run ${other}`).join("; ")
    const scripts = packageJson(Object.fromEntries(names.map((name) => [name, all])))
    assert.isEmpty(excess("npm run s0", scripts))
    assert.isTrue(ShellCommand.analyze("npm run s0", scripts).unknown)
  })

  it("hold for any text", () => {
    const parts =
      "npm test;git push;cat <<EOF;EOF;$(;);`;';\";|;&&;||;&;\n;{;};(;if;then;fi;for x in a b\ndo;done;while;case x in a);esac;f() {;f;set -e;bash -c;xargs;find . -exec;sudo;env A=1;python -c;sed -i;> a;<<<;<(;$X;${X;exit $?;rc=$?;!;[[;]];((;--;make;trap;eval".split(
        ";"
      )
    const likely = fc.array(fc.constantFrom(...parts), { maxLength: 25 }).map((words) => words.join(" "))
    const any = fc.oneof(likely, fc.string({ maxLength: 300 }), fc.string({ unit: "binary", maxLength: 200 }))
    fc.assert(
      fc.property(any, (text) => assert.isEmpty(excess(text))),
      { numRuns: isNight ? 300 : 12 }
    )
  })
})
