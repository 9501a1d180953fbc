import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import * as ShellCommand from "../../src/session/shell/ShellCommand.ts"

const marks: Record<ShellCommand.Exit, string> = { implied: "", masked: "~", inverted: "!", background: "&", none: "-" }

/** `test:vitest~ part dry echo`: classes, runner, exit, and what else holds. */
const label = (command: ShellCommand.SimpleCommand): string =>
  [
    `${command.classes.join("+")}${command.runner === null ? "" : `:${command.runner}`}${marks[command.exit]}`,
    ...(command.filtered ? ["part"] : []),
    ...(command.dryRun ? ["dry"] : []),
    ...(command.echoesStatus ? ["echo"] : [])
  ].join(" ")

const quiet = new Set<ShellCommand.CommandClass>(["other", "read", "search"])

const labels = (source: string, scripts?: RepoSignals.Scripts): ReadonlyArray<string> =>
  ShellCommand.analyze(source, scripts)
    .commands.filter((command) => !command.classes.every((one) => quiet.has(one)))
    .map(label)

type Table = ReadonlyArray<readonly [command: string, ...labels: ReadonlyArray<string>]>

/** What was found and what was wanted, row by row. */
const compared = (table: Table, scripts?: RepoSignals.Scripts) =>
  [table.map(([command]) => [command, ...labels(command, scripts)]), table.map((row) => [...row])] as const

const repo = (files: Record<string, string>): RepoSignals.Scripts => RepoSignals.fromFiles(files).scripts
const packageJson = (scripts: Record<string, string>) => repo({ "package.json": JSON.stringify({ scripts }) })

const proves = (command: string) => ShellCommand.analyze(command).commands[0]?.alsoProves

const words = (command: string) => ShellCommand.analyze(command).commands.map((one) => one.words)

const suspects = (command: string) =>
  ShellCommand.analyze(command)
    .commands.filter((one) => one.soleSuspect)
    .map((one) => one.text)

const push = (command: string) => ShellCommand.analyze(command).commands.find((one) => one.push !== null)?.push ?? null

const writes = (command: string) => ShellCommand.analyze(command).commands.flatMap((one) => one.writes)

/** Whatever goes over a bound; nothing should. */
const excess = (source: string, scripts?: RepoSignals.Scripts): ReadonlyArray<string> => {
  const { commands } = ShellCommand.analyze(source, scripts)
  return [
    ...(commands.length > 1_000 ? ["commands"] : []),
    ...(commands.some(({ text }) => text.length > 200) ? ["text"] : []),
    ...(commands.some(({ classes }) => classes.length === 0) ? ["classes"] : []),
    ...(commands.some(({ exit, soleSuspect }) => exit === "none" && soleSuspect) ? ["suspects"] : [])
  ]
}

describe("ShellCommand.analyze: runners", () => {
  it("knows JavaScript and TypeScript", () => {
    assert.deepStrictEqual(
      ...compared([
        ["npm test", "test:npm"],
        ["npm t", "test:npm"],
        ["npm run test:unit", "test:npm"],
        ["npm run build && npm run lint", "build:npm", "lint:npm"],
        ["npm run lint:fix", "lint:npm"],
        ["npm run check-types", "typecheck:npm"],
        ["npm run typecheck", "typecheck:npm"],
        ["npm run e2e", "test:npm"],
        ["npm run ci", "test+lint+build:npm"],
        ["npm test -- src/a.test.ts", "test:npm part"],
        ["npm test -- --run", "test:npm"],
        ["npm test -w web", "test:npm part"],
        ["npm test --help", "test:npm dry"],
        ["npm ci", "install"],
        ["npm install left-pad", "install"],
        ["pnpm test", "test:pnpm"],
        ["pnpm -r test", "test:pnpm"],
        ["pnpm --filter web build", "build:pnpm part"],
        ["pnpm exec vitest run", "test:vitest"],
        ["pnpm vitest run src/a.test.ts", "test:vitest part"],
        ["yarn", "install"],
        ["yarn build", "build:yarn"],
        ["yarn workspace web test", "test:yarn part"],
        ["yarn jest -t login", "test:jest part"],
        ["bun test", "test:bun test"],
        ["bun run test", "test:bun"],
        ["bun test a.test.ts", "test:bun test part"],
        ["bunx tsc --noEmit", "typecheck:tsc"],
        ["deno test -A", "test:deno test"],
        ["deno task lint", "lint:deno"],
        ["deno check main.ts", "typecheck:deno typecheck"],
        ["npx vitest run", "test:vitest"],
        ["npx vitest list", "test:vitest dry"],
        ["npx jest --listTests", "test:jest dry"],
        ["npx mocha -g login", "test:mocha part"],
        ["npx ava", "test:ava"],
        ["node --test", "test:node test"],
        ["node --test test/a.test.js", "test:node test part"],
        ["npx playwright test", "test:playwright"],
        ["npx playwright install", "install"],
        ["npx cypress run --spec a.cy.ts", "test:cypress part"],
        ["tsc --noEmit", "typecheck:tsc"],
        ["tsc -b", "typecheck+build:tsc"],
        ["npx -y -p typescript tsc --noEmit", "typecheck:tsc"],
        ["vue-tsc --noEmit && tsgo --noEmit", "typecheck:vue-tsc", "typecheck:tsgo"],
        ["eslint . --max-warnings 0", "lint:eslint"],
        ["npx @biomejs/biome check .", "lint+format:biome check"],
        ["oxlint", "lint:oxlint"],
        ["prettier --write .", "format:prettier"],
        ["prettier --check .", "lint+format:prettier"],
        ["npx next build", "build:next build"],
        ["next dev", "process"],
        ["vite build", "build:vite build"],
        ["npx tsup src/index.ts", "build:tsup"],
        ["esbuild a.ts --bundle", "build:esbuild"],
        ["npx turbo run test lint --filter=web", "test:turbo part", "lint:turbo part"],
        ["nx run-many -t test lint", "test:nx", "lint:nx"],
        ["nx test web", "test:nx part"],
        ["lerna run test", "test:lerna"]
      ])
    )
  })

  it("knows Python", () => {
    assert.deepStrictEqual(
      ...compared([
        ["pytest", "test:pytest"],
        ["pytest tests", "test:pytest"],
        ["pytest -n 4 --tb=short -q", "test:pytest"],
        ["pytest -k login", "test:pytest part"],
        ["pytest -klogin", "test:pytest part"],
        ["pytest tests/test_a.py::test_b", "test:pytest part"],
        ["pytest --lf", "test:pytest part"],
        ["pytest --collect-only", "test:pytest dry"],
        ["python -m pytest -x", "test:pytest"],
        ["python3.11 -m unittest discover -s tests", "test:unittest"],
        ["python -m unittest tests.test_a", "test:unittest part"],
        ["uv run pytest", "test:pytest"],
        ["uv run --with x python -m pytest -q", "test:pytest"],
        ["poetry run pytest", "test:pytest"],
        ["pipenv run python -m pytest", "test:pytest"],
        ["conda run -n env pytest", "test:pytest"],
        ["hatch run test", "test:hatch"],
        ["hatch run mypy src", "typecheck:mypy"],
        ["tox", "test:tox"],
        ["tox -e lint", "lint:tox"],
        ["nox -s tests", "test:nox"],
        ["python manage.py test", "test:django"],
        ["./manage.py test app.tests", "test:django part"],
        ["python setup.py bdist_wheel", "build:setup.py bdist_wheel"],
        ["python tests/test_a.py", "test:python part"],
        ["python run_tests.py", "test:python"],
        ["python /tmp/test_a.py"],
        ["ruff check .", "lint:ruff check"],
        ["ruff format", "format:ruff format"],
        ["flake8 && pylint src", "lint:flake8", "lint:pylint"],
        ["mypy . && pyright", "typecheck:mypy", "typecheck:pyright"],
        ["black .", "format:black"],
        ["black --check .", "lint+format:black"],
        ["uv build", "build:uv build"],
        ["python -m build", "build:build"],
        ["pip install -e .", "install"],
        ["uv sync", "install"],
        [".venv/bin/pytest -x", "test:pytest"],
        ['"$VENV/bin/pytest" tests/test_a.py', "test:pytest part"]
      ])
    )
  })

  it("knows Go, Rust, the JVM and .NET", () => {
    assert.deepStrictEqual(
      ...compared([
        ["go test ./...", "test:go test"],
        ["go test ./pkg/a", "test:go test part"],
        ["go test -run TestA ./...", "test:go test part"],
        ["go test -count=1 -race -timeout 60s ./...", "test:go test"],
        ["go test -run '^$' ./...", "build:go test"],
        ["go build ./... && go vet ./...", "build:go build", "lint:go vet"],
        ["golangci-lint run", "lint:golangci-lint run"],
        ["gofmt -w .", "format:gofmt"],
        ["gofmt -l .", "lint+format:gofmt"],
        ["gotestsum -- ./...", "test:go test"],
        ["cargo test", "test:cargo"],
        ["cargo +nightly test -- --nocapture", "test:cargo"],
        ["cargo test -p core --lib", "test:cargo part"],
        ["cargo test parses", "test:cargo part"],
        ["cargo test --no-run", "build:cargo"],
        ["cargo nextest run", "test:cargo"],
        ["cargo build --release", "build:cargo"],
        ["cargo check", "typecheck+build:cargo"],
        ["cargo clippy -- -D warnings", "lint:cargo"],
        ["cargo fmt", "format:cargo"],
        ["cargo fmt --check", "lint+format:cargo"],
        ["mvn -B verify", "build+test:maven"],
        ["mvn test -Dtest=FooTest", "test:maven part"],
        ["mvn -DskipTests package", "build:maven"],
        ["./mvnw -pl core -am test", "test:maven part"],
        ["./gradlew test", "test:gradle"],
        ["./gradlew build", "build+test:gradle"],
        ["./gradlew build -x test", "build:gradle"],
        ["./gradlew :app:test", "test:gradle part"],
        ["./gradlew testDebugUnitTest", "test:gradle"],
        ["./gradlew test --tests 'com.Foo'", "test:gradle part"],
        ["gradle check", "test+lint:gradle"],
        ["sbt test", "test:sbt"],
        ["dotnet test", "test:dotnet test"],
        ["dotnet test All.sln", "test:dotnet test"],
        ["dotnet test --filter Name=Foo", "test:dotnet test part"],
        ["dotnet build", "build:dotnet build"]
      ])
    )
  })

  it("knows the other languages", () => {
    assert.deepStrictEqual(
      ...compared([
        ["bundle exec rspec", "test:rspec"],
        ["bundle exec rspec spec/models", "test:rspec part"],
        ["bin/rails test", "test:rails test"],
        ["rake", "test:rake"],
        ["rake test TEST=a.rb", "test:rake part"],
        ["bundle exec rubocop", "lint:rubocop"],
        ["vendor/bin/phpunit", "test:phpunit"],
        ["vendor/bin/phpunit --filter testX", "test:phpunit part"],
        ["composer test", "test:composer"],
        ["composer install", "install"],
        ["php artisan test", "test:phpunit"],
        ["vendor/bin/phpstan analyse", "typecheck:phpstan"],
        ["mix test", "test:mix test"],
        ["mix test --stale", "test:mix test part"],
        ["mix compile --warnings-as-errors", "build:mix compile"],
        ["mix credo && mix dialyzer", "lint:mix credo", "typecheck:mix dialyzer"],
        ["ctest --test-dir build", "test:ctest"],
        ["ctest -R foo", "test:ctest part"],
        ["cmake --build build -j8", "build:cmake"],
        ["cmake -S . -B build"],
        ["ninja -C build", "build:ninja"],
        ["ninja -C build test", "test:ninja"],
        ["meson test -C build", "test:meson test"],
        ["bazel test //...", "test:bazel"],
        ["bazel test //foo:bar", "test:bazel part"],
        ["bazel build //...", "build:bazel build"],
        ["swift test --filter X", "test:swift test part"],
        ["swift build", "build:swift build"],
        ["xcodebuild test -scheme App", "test:xcodebuild"],
        ["xcodebuild -scheme App", "build:xcodebuild"],
        ["flutter test", "test:flutter test"],
        ["zig build test", "test+build:zig build"],
        ["stack test", "test:stack test"],
        ["lein test", "test:lein test"],
        ["shellcheck a.sh", "lint:shellcheck"],
        ["bats test", "test:bats"]
      ])
    )
  })

  it("knows task runners and scripts by their names", () => {
    assert.deepStrictEqual(
      ...compared([
        ["make", "build:make"],
        ["make test", "test:make"],
        ["make check", "test:make"],
        ["make -j4 test lint", "test:make", "lint:make"],
        ["make -C sub build", "build:make"],
        ["make -n test", "test:make dry"],
        ['make test ARGS="-k foo"', "test:make part"],
        ["make clean"],
        ["just test", "test:just"],
        ["just --list"],
        ["task build", "build:task"],
        ["mise run lint", "lint:mise"],
        ["mise run test:unit", "test:mise"],
        ["./scripts/run-tests.sh", "test:run-tests"],
        ["bash scripts/lint.sh", "lint:bash"],
        ["node scripts/build.js", "build:node"],
        ["bash -n deploy.sh", "lint:bash"],
        ["./scripts/test-checkout-e2e.sh", "test:test-checkout-e2e part"],
        ["sh backend-tests.sh && ./e2e.sh", "test:bash part", "test:e2e"],
        ["node src/a.test.js", "test:node part"],
        ["tests/run.sh && node test/index.js", "test:run", "test:node"],
        ["npm run check:all", "lint+typecheck:npm"],
        ["sbt core/test", "test:sbt"],
        ["npm run check", "lint+typecheck:npm"],
        ["npm run verify:types && npm run ci:test", "typecheck:npm", "test:npm"],
        ["npm run unit-tests", "test:npm"],
        ["npm run lint-and-test", "lint+test:npm"],
        ["make test-all build-prod", "test:make", "build:make"],
        ["start-server-and-test dev 3000 test", "test:npm"],
        ["npm-run-all lint test", "lint:npm-run-all", "test:npm-run-all"]
      ])
    )
  })

  it("takes no name for a gate that only has a gate's name in it", () => {
    assert.deepStrictEqual(
      ...compared([
        ["npm run check-env"],
        ["npm run check:env"],
        ["npm run db:check"],
        ["npm run stripe-check"],
        ["npm run test-data:seed"],
        ["npm run test:seed"],
        ["npm run test-email"],
        ["npm run build:index"],
        ["npm run release-notes"],
        ["npm run release:check"],
        ["npm run validate:yaml"],
        ["gradle verifyPluginXml"],
        ["rake db:check"],
        ["npm run verify-deps"],
        ["make check-env"],
        ["just verify-license"],
        ["./scripts/check.sh prod"],
        ["bash scripts/verify.sh deps"],
        ["./ci.sh && ./check_dupes.sh"],
        ["./test-email.sh"],
        ["./lint-and-test.sh"],
        ["node scripts/build-index.js"],
        ["node scripts/stripe-check.js"],
        ["python scripts/test_connection.py"],
        ["python verify_types.py"],
        ["python tests/seed.py"]
      ])
    )
  })

  it("takes no listing of tests for a run of them", () => {
    assert.deepStrictEqual(
      ...compared([
        ["npm test -- --listTests", "test:npm dry"],
        ["pnpm test --list", "test:pnpm dry"],
        ["make test -- --collect-only", "test:make dry"],
        ["npx vitest list", "test:vitest dry"],
        ["npx playwright test --list", "test:playwright dry"],
        ["pytest --collect-only -q", "test:pytest dry"],
        ["python -m pytest --co", "test:pytest dry"],
        ["cargo test -- --list", "test:cargo dry"],
        ["cargo nextest list", "test:cargo dry"],
        ["go test -list . ./...", "test:go test dry"],
        ["go test -list=. ./...", "test:go test dry"],
        ["dotnet test --list-tests", "test:dotnet test dry"],
        ["phpunit --list-tests", "test:phpunit dry"]
      ])
    )
    for (const test of ["jest", "node run.js"]) {
      const [command] = ShellCommand.analyze("npm test -- --listTests", packageJson({ test })).commands
      assert.isTrue(command?.dryRun, test)
    }
  })

  it("says what a success proves besides", () => {
    assert.deepStrictEqual(proves("cargo test"), ["build", "typecheck"])
    assert.deepStrictEqual(proves("go build ./..."), ["typecheck"])
    assert.deepStrictEqual(proves("npm test"), [])
  })
})

describe("ShellCommand.analyze: what a shell runs", () => {
  it("follows cmd and PowerShell where they are asked for plain calls", () => {
    assert.deepStrictEqual(
      ...compared([
        ['cmd.exe /c "npm test"', "test:npm"],
        ["cmd /c npm test", "test:npm"],
        ["cmd //C npm.cmd run build", "build:npm"],
        ['cmd /d /s /c "npm run lint && npm test"', "lint:npm", "test:npm"],
        ['powershell -Command "npm test"', "test:npm"],
        ["powershell.exe -NoProfile -ExecutionPolicy Bypass -Command 'npx vitest run'", "test:vitest"],
        ["pwsh -c 'dotnet test; exit $LASTEXITCODE'", "test:dotnet test"],
        ["pwsh -c '.\\node_modules\\.bin\\jest'", "test:jest"],
        ["pwsh -File scripts/run-tests.ps1", "test:bash"],
        ["pwsh run-tests.ps1", "test:bash"]
      ])
    )
    for (const command of [
      'cmd /c "npm test & echo done"',
      "cmd /c %RUN%",
      "cmd /c",
      'powershell -Command "npm test | Out-Host"',
      "pwsh -c 'if ($x) { npm test }'",
      "pwsh -EncodedCommand bnBt",
      'powershell "$CMD"',
      "echo 'npm test' | pwsh -Command -"
    ]) {
      const { commands, unknown } = ShellCommand.analyze(command)
      assert.isTrue(unknown, command)
      assert.deepStrictEqual(
        commands.flatMap(({ classes }) => classes).filter((one) => one === "test"),
        [],
        command
      )
    }
  })

  it("takes wrappers off", () => {
    assert.deepStrictEqual(
      ...compared([
        ["sudo -u me npm test", "test:npm"],
        ["env -i CI=1 PATH=$PATH npm test", "test:npm"],
        ["FOO=1 BAR=$X npm test", "test:npm"],
        ["timeout -k 5 60 pytest", "test:pytest"],
        ["time npm test", "test:npm"],
        ["nice -n 5 cargo test", "test:cargo"],
        ["xvfb-run -a npm test", "test:npm"],
        ["nohup npm test", "test:npm"],
        ["command npm test", "test:npm"],
        ["exec npm test", "test:npm"],
        ["cross-env CI=1 jest", "test:jest"],
        ["dotenv -- npm test", "test:npm"],
        ["mise exec -- go test ./...", "test:go test"],
        ["mise x node@20 -- npm test", "test:npm"],
        ["direnv exec . make test", "test:make"],
        ["nix develop -c cargo test", "test:cargo"],
        ['nix develop --command bash -c "cargo test && cargo clippy"', "test:cargo", "lint:cargo"],
        ["bundle exec rake test", "test:rake"],
        ["docker compose run web pytest", "test:pytest"],
        ["docker compose -f ci.yml run --rm -e A=1 web pytest -x", "test:pytest"],
        ["docker compose exec -T web python manage.py test app", "test:django part"],
        ['docker run --rm -v "$PWD:/app" -w /app node:20 npm test', "test:npm"],
        ["docker exec -it web pytest", "test:pytest"],
        ["kubectl exec -it pod -n ns -- pytest", "test:pytest"],
        ["npx c8 --reporter=lcov mocha", "test:mocha"],
        ["coverage run -m pytest", "test:pytest"],
        ["su - bob -c 'npm test'", "test:npm"],
        ["flock /tmp/lock npm test", "test:npm"],
        ["bash -lc 'npm test'", "test:npm"],
        ["bash -euo pipefail -c 'npm run build; npm test | tail'", "build:npm", "test:npm"],
        ["sh -c \"cd x && bash -c 'go test ./...'\"", "test:go test"],
        ["command -v npm"]
      ])
    )
  })

  it("follows what is handed to another program", () => {
    assert.deepStrictEqual(
      ...compared([
        ["eval 'npm test'", "test:npm"],
        ["T=npm; $T test", "test:npm"],
        ["bash <<EOF\nnpm test\nEOF", "test:npm"],
        ["cat <<'EOF' | bash\npytest\nEOF", "test:pytest"],
        ["echo 'make test' | sh", "test:make"],
        ["bash <<< 'make test'", "test:make"],
        ["ls | xargs npx eslint", "lint:eslint"],
        ["ls | xargs -I{} sh -c 'npm test'", "test:npm"],
        ["ls | xargs -n1 npm test", "test:npm part"],
        ["find . -name '*_test.go' -exec go test {} +", "test:go test~ part"],
        ["fd -e sh -x shellcheck", "lint:shellcheck~"],
        ['echo "$(npm test)"', "test:npm~"],
        ["x=$(npm test)", "test:npm"],
        ["export X=$(npm test)", "test:npm~"],
        ["diff <(npm test) want", "test:npm~"],
        ["cat > log <<EOF\n$(npm test)\nEOF", "test:npm~", "write"],
        ["t() { npm test; }; t && git push", "test:npm", "vcs+push"],
        ["t() { npm test; }; echo", "test:npm-"],
        ["trap 'npm test' EXIT; echo", "test:npm~"]
      ])
    )
  })

  it("sees no command in text", () => {
    assert.deepStrictEqual(
      ...compared([
        ['echo "npm test"'],
        ["# npm test"],
        ["echo hi # && npm test"],
        ["printf '%s\\n' 'npm test; git push'"],
        ["cat > run.sh <<'EOF'\nnpm test\ngit push\nEOF", "write"],
        ["grep -rn 'npm test' ."],
        ["git commit -m 'run npm test && git push'", "vcs+commit"],
        ["git log --grep 'git push'", "vcs+read"],
        ["alias t='npm test'"],
        ["which pytest"],
        ["man npm"]
      ])
    )
  })

  it("reports what cannot be known as unknown", () => {
    for (const command of [
      'eval "$X"',
      "$CMD",
      "$CMD --flag",
      "$(which npm) test",
      "curl -s https://example.com/install.sh | sh",
      'bash -c "$SCRIPT"',
      "source ./tasks.sh",
      "ssh host npm test",
      "echo 'unterminated",
      "ls | xargs -n1 $TOOL"
    ]) {
      assert.isTrue(ShellCommand.analyze(command).unknown, command)
    }
    for (const command of [
      "npm test",
      "source .venv/bin/activate && pytest",
      ". ~/.nvm/nvm.sh; nvm use",
      "echo $X",
      "ls $DIR"
    ]) {
      assert.isFalse(ShellCommand.analyze(command).unknown, command)
    }
    assert.deepStrictEqual(labels("$CMD && npm test"), ["unknown", "test:npm"])
  })

  it("keeps the words after unwrapping, null for those it cannot know", () => {
    assert.deepStrictEqual(words("sudo timeout 5 npx vitest run \"$FILE\" 'a b'"), [["vitest", "run", null, "a b"]])
  })
})

describe("ShellCommand.analyze: exit status", () => {
  it("follows lists, pipelines and operators", () => {
    assert.deepStrictEqual(
      ...compared([
        ["npm run build && npm test", "build:npm", "test:npm"],
        ["npm run build; npm test", "build:npm~", "test:npm"],
        ["npm run build\nnpm test", "build:npm~", "test:npm"],
        ["npm test | tail -5", "test:npm~"],
        ["npm test |& tail -5", "test:npm~"],
        ["cat log | npm test", "test:npm"],
        ["npm test || true", "test:npm~"],
        ["npm test; true", "test:npm~"],
        ["npm test; echo done", "test:npm~"],
        ["npm test && echo ok", "test:npm"],
        ["npm test && echo PASS || echo FAIL", "test:npm~"],
        ["npm test || exit 1", "test:npm"],
        ["npm test || exit 1; git push", "test:npm", "vcs+push"],
        ["npm test || { echo failed; exit 1; }; echo ok", "test:npm"],
        ["npm test || (echo failed; exit 1)", "test:npm"],
        ["npm test || exit 0", "test:npm~"],
        ["npm test || npm run test:retry", "test:npm~", "test:npm~"],
        ["! npm test", "test:npm!"],
        ["! { npm test; exit; }", "test:npm~"],
        ["! (npm test; exit)", "test:npm!"],
        ["! npm test && git push", "test:npm!", "vcs+push"],
        ["npm test &", "test:npm&"],
        ["npm run build & npm test", "build:npm&", "test:npm"],
        ["nohup npm run dev > dev.log 2>&1 &", "process&"],
        ["exit 0; npm test", "test:npm-"],
        ["npm test; exit", "test:npm"],
        ["npm test; exit 0", "test:npm~"],
        ["npm test; exit $?", "test:npm"],
        ["npm test; rc=$?; tail log; exit $rc", "test:npm"],
        ["npm test | tee log; exit ${PIPESTATUS[0]}", "test:npm", "write~"],
        ["npm test; rc=$?; [ $rc -eq 0 ]", "test:npm"],
        ["rc=0; npm run lint || rc=$?; npm test || rc=1; exit $rc", "lint:npm", "test:npm"]
      ])
    )
  })

  it("follows options and compound commands", () => {
    assert.deepStrictEqual(
      ...compared([
        ["set -e; npm run build; npm test; echo done", "build:npm", "test:npm"],
        ["set -e\nnpm run build && npm test\necho done", "build:npm~", "test:npm~"],
        ["set -e; npm test || true; echo done", "test:npm~"],
        ["set -e; set +e; npm test; echo", "test:npm~"],
        ["set -o pipefail; npm test | tail -3", "test:npm"],
        ["set -euo pipefail; npm test | tee log; echo done", "test:npm", "write"],
        ["(cd web && npm test)", "test:npm"],
        ["(set -e; npm test; echo); echo", "test:npm~"],
        ["{ npm run build; npm test; }", "build:npm~", "test:npm"],
        ["{ npm test; } | tee log", "test:npm~", "write"],
        ["if npm test; then git push; fi", "test:npm~", "vcs+push~"],
        ["if npm test; then echo ok; else exit 1; fi", "test:npm"],
        ["if ! npm test; then echo bad; exit 1; fi; git push", "test:npm", "vcs+push"],
        ["while npm test; do sleep 1; done", "test:npm~"],
        ["until npm test; do sleep 1; done; git push", "test:npm~", "vcs+push"],
        ["for d in a b; do go test ./...; done", "test:go test~"],
        ["case $x in a) npm test;; esac", "test:npm~"],
        ["[ -d node_modules ] || npm ci; npm test", "install~", "test:npm"],
        ["[[ -n $CI ]] && npm test", "test:npm"],
        ["watch -n1 npm test", "test:npm~"],
        ["[ -f skip ] && exit 0; npm test", "test:npm~"],
        ["if [ -f skip ]; then exit; fi; npm test", "test:npm~"],
        ["[ -d src ] || exit 1; npm test", "test:npm"],
        ["set -e; t() { npm test; echo; }; t && git push", "test:npm~", "vcs+push"],
        ["ls && set -e; npm test; echo", "test:npm~"]
      ])
    )
  })

  it("tells when a status is printed", () => {
    assert.deepStrictEqual(
      ...compared([
        ["npm test; echo $?", "test:npm~ echo"],
        ['npm test > log 2>&1; echo "exit: $?"; tail log', "test:npm~ echo"],
        ['npm test; code=$?; tail log; echo "exit code: $code"', "test:npm~ echo"],
        ["npm test | tail -5; echo ${PIPESTATUS[0]}", "test:npm~ echo"],
        ["npm test | tail -5; echo $?", "test:npm~"],
        ["npm run build && npm test; echo exit=$?", "build:npm~ echo", "test:npm~ echo"]
      ])
    )
  })

  it("names the only command that can have failed", () => {
    assert.deepStrictEqual(suspects("cd x && export A=1 && npm test"), ["npm test"])
    assert.deepStrictEqual(suspects("echo a; npm test"), ["npm test"])
    assert.deepStrictEqual(suspects("npm run build && npm test"), [])
    assert.deepStrictEqual(suspects("npm test || exit 1; echo ok"), ["npm test"])
    assert.deepStrictEqual(suspects("set -o pipefail; npm test | tail -5"), ["npm test"])
    assert.deepStrictEqual(suspects("set -o pipefail; npm test | head -5"), [])
    assert.deepStrictEqual(suspects("npm test | grep x"), ["grep x"])
    assert.deepStrictEqual(suspects("npm test; rc=$?; tail log; exit $rc"), ["npm test"])
    assert.deepStrictEqual(suspects("! npm test"), [])
    assert.deepStrictEqual(suspects("npm test &"), [])
    assert.deepStrictEqual(suspects("exit 3; npm test"), [])
    assert.deepStrictEqual(suspects("bash -c 'cd a; npm test'"), ["npm test"])
  })
})

describe("ShellCommand.analyze: version control, forges and deployment", () => {
  const plain = { remote: null, branch: null, force: false, delete: false, tags: false }

  it("reads where a push goes", () => {
    const table: ReadonlyArray<readonly [string, ShellCommand.Push | null]> = [
      ["git push", plain],
      ["git push -u origin feature", { ...plain, remote: "origin", branch: "feature" }],
      ["git push origin HEAD", { ...plain, remote: "origin" }],
      ["git push origin HEAD:main", { ...plain, remote: "origin", branch: "main" }],
      ["git push origin HEAD:refs/heads/main", { ...plain, remote: "origin", branch: "main" }],
      ["git push origin a:b main", { ...plain, remote: "origin", branch: "main" }],
      ['git push origin "$BRANCH"', { ...plain, remote: "origin" }],
      ["git push --force-with-lease origin main", { ...plain, remote: "origin", branch: "main", force: true }],
      ["git push --force-with-lease=main:abc origin main", { ...plain, remote: "origin", branch: "main", force: true }],
      ["git push -f", { ...plain, force: true }],
      ["git push -uf origin x", { ...plain, remote: "origin", branch: "x", force: true }],
      ["git push origin +main", { ...plain, remote: "origin", branch: "main", force: true }],
      ["git push origin :old", { ...plain, remote: "origin", branch: "old", delete: true }],
      ["git push --delete origin old", { ...plain, remote: "origin", branch: "old", delete: true }],
      ["git push --tags", { ...plain, tags: true }],
      ["git push origin v1.2.3", { ...plain, remote: "origin", tags: true }],
      ["git push origin refs/tags/x", { ...plain, remote: "origin", tags: true }],
      ["git -C sub -c a=b push origin main", { ...plain, remote: "origin", branch: "main" }],
      ["git push --dry-run origin main", null],
      ["git push -n", null],
      ["git push --help", null],
      ["git stash push", null],
      ["echo git push", null]
    ]
    assert.deepStrictEqual(
      table.map(([command]) => [command, push(command)]),
      table.map((row) => [...row])
    )
  })

  it("classifies the rest", () => {
    assert.deepStrictEqual(
      ...compared([
        ["git commit -am x", "vcs+commit"],
        ["git commit --dry-run", "vcs dry"],
        ["git push --dry-run", "vcs dry"],
        ["git status", "vcs+read"],
        ["git stash", "vcs"],
        ["git grep foo", "vcs+search"],
        ["gh pr create --fill", "pr+pr_create"],
        ["gh pr create --dry-run", "pr dry"],
        ["gh pr view 3 --json state", "pr+pr_view"],
        ["gh -R o/r pr checks 3", "pr+pr_checks+ci"],
        ["gh pr merge --squash", "pr+pr_merge"],
        ["gh pr ready", "pr"],
        ["gh run watch 12", "ci"],
        ["gh workflow run ci.yml", "ci"],
        ["gh api repos/o/r/pulls -f title=x", "pr+pr_create"],
        ["gh api repos/o/r/pulls/3", "pr+pr_view"],
        ["gh api repos/o/r/commits/abc/check-runs", "ci"],
        ["glab mr create", "pr+pr_create"],
        ["glab ci status", "ci"],
        ["kubectl apply -f x.yml", "deploy"],
        ["kubectl apply --dry-run=client -f x.yml", "deploy dry"],
        ["terraform apply", "deploy"],
        ["terraform plan"],
        ["vercel deploy --prod", "deploy"],
        ["npm publish", "deploy"],
        ["npm publish --dry-run", "deploy dry"],
        ["docker compose up -d", "process"],
        ["docker build .", "build:docker build"],
        ["kill -9 12 && pkill -f node", "process", "process"],
        ["systemctl restart nginx", "process"]
      ])
    )
  })
})

describe("ShellCommand.analyze: written files", () => {
  it("reads redirections and the programs that write", () => {
    const table: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
      ["echo x > a.ts", "a.ts"],
      ["echo x >> a.ts", "a.ts"],
      ["cmd &> all.log", "all.log"],
      ["cmd > out 2> err", "out", "err"],
      ["cmd > /dev/null 2>&1"],
      ["cd /repo && cmd 2>&1 >&2"],
      ["cat < in"],
      ["cat > src/a.ts <<'EOF'\nx\nEOF", "src/a.ts"],
      ["{ echo a; echo b; } > c", "c"],
      ["echo x | tee -a a b", "a", "b"],
      ["sed -i 's/a/b/' x.ts y.ts", "x.ts", "y.ts"],
      ["sed -i '' 's/a/b/' x.ts", "x.ts"],
      ["sed -i.bak -e 's/a/b/' x.ts", "x.ts"],
      ["sed -Ei 's/a/b/' x.ts", "x.ts"],
      ["sed -n 1,5p x.ts"],
      ["perl -pi -e 's/a/b/' x.ts", "x.ts"],
      ["ls | xargs sed -i 's/a/b/'", "*"],
      ["find . -name '*.ts' -exec sed -i 's/a/b/' {} +", "*"],
      ["cp a b", "b"],
      ["mv a b", "a", "b"],
      ["rm -rf dist", "dist"],
      ["touch a", "a"],
      ["git apply fix.patch", "*"],
      ["git apply --check fix.patch"],
      ["git checkout -- a.ts", "a.ts"],
      ["git checkout main"],
      ["git restore --staged a.ts"],
      ["git restore a.ts", "a.ts"],
      ["patch -p1 < x.patch", "*"],
      ["patch a.c x.patch", "a.c"],
      ["curl -o f.json https://example.com", "f.json"],
      ["dd if=a of=b", "b"],
      ['cat a > "$DIR/x.ts"', "$DIR/x.ts"],
      ["cat a > $OUT", "*"],
      ["D=src; cat a > $D/x.ts", "src/x.ts"],
      ["for f in a.ts b.ts; do sed -i 's/a/b/' \"$f\"; done", "a.ts", "b.ts"],
      ["for f in $(ls); do sed -i 's/a/b/' $f; done", "*"],
      ["for i in 1 2; do echo x > t$i.js; done", "t1.js", "t2.js"],
      ["echo x > /tmp/log-$(date +%s).txt", "/tmp/log-$_.txt"],
      ["cmd > >(tee log)", "log"],
      ["cd sub && echo x > a.ts; cd ..; echo y > b.ts", "sub/a.ts", "b.ts"],
      ["(cd sub; echo x > a); echo y > b", "sub/a", "b"],
      ["cd /repo; echo x > a", "/repo/a"],
      ["python -c \"open('a.py', 'w').write('x')\"", "a.py"],
      ["python -c \"print(open('a.py').read())\""],
      ["python - <<'EOF'\nfrom pathlib import Path\np = Path('src/a.py')\np.write_text('x')\nEOF", "src/a.py"],
      ["python3 <<EOF\nopen(name, 'w')\nEOF", "*"],
      ["node -e \"fs.writeFileSync('a.js', 'x')\"", "a.js"],
      ["ruby -e \"File.write('a.rb', 'x')\"", "a.rb"]
    ]
    assert.deepStrictEqual(
      table.map(([command]) => [command, ...writes(command)]),
      table.map((row) => [...row])
    )
  })

  it("leaves a test that logs a test", () => {
    assert.deepStrictEqual(
      ...compared([
        ["npm test > log", "test:npm"],
        ["jq . a.json > b.json", "read+write"],
        ["cat a > b", "write"],
        ["python -c \"open('a', 'w')\"", "write"]
      ])
    )
  })
})

describe("ShellCommand.analyze: scripts", () => {
  it("resolves package scripts", () => {
    assert.deepStrictEqual(
      ...compared(
        [
          ["npm test", "lint:eslint", "test:vitest"],
          ["npm test -- -t login", "lint:eslint", "test:vitest part"],
          ["pnpm ci:all", "typecheck:tsc", "lint:eslint", "test:vitest"],
          ["npm run masked", "test:jest~"],
          ["npm run piped", "test:jest~"],
          ["npm run custom", "test:npm part"],
          ["cd web && npm test", "test:npm"],
          ["npm --prefix web test", "test:npm"],
          ["npm run loop"],
          ["npm run build --if-present", "build:npm dry"]
        ],
        packageJson({
          pretest: "eslint .",
          test: "vitest run",
          "ci:all": "tsc --noEmit && npm run test",
          masked: "jest || true",
          piped: "jest | tail",
          custom: "npm run test:custom",
          "test:custom": "node ./scripts/all.js",
          loop: "npm run loop"
        })
      )
    )
  })

  it("takes no placeholder and no other work for a test", () => {
    assert.deepStrictEqual(
      ...compared([["npm test"]], packageJson({ test: 'echo "Error: no test specified" && exit 1' }))
    )
    assert.deepStrictEqual(...compared([["npm test", "lint:eslint"]], packageJson({ test: "eslint ." })))
    assert.deepStrictEqual(...compared([["npm test", "test:npm~"]], packageJson({ test: "node run.js; echo done" })))
  })

  it("says through what a command ran", () => {
    const [command] = ShellCommand.analyze("npm test", packageJson({ test: "vitest run" })).commands
    assert.deepStrictEqual([command?.words, command?.via], [["vitest", "run"], "npm test"])
  })

  it("resolves make, just, task, mise and Python tasks", () => {
    assert.deepStrictEqual(
      ...compared(
        [
          ["make", "build:go build", "test:go test~"],
          ["make test", "build:go build", "test:go test~"],
          ["make lint", "lint:golangci-lint run"],
          ["make -C sub test", "test:make"],
          ["just ci", "lint:cargo", "test:cargo"],
          ["task all", "build:go build", "typecheck:mypy"],
          ["mise run check", "lint:ruff check", "test:pytest"],
          ["poe all", "typecheck:mypy", "test:pytest"],
          ["hatch run cov", "test:pytest"]
        ],
        repo({
          Makefile:
            "GO ?= go\nall: test\n.PHONY: all test\nbuild:\n\t@$(GO) build ./...\ntest: build\n\t-$(GO) test $(FLAGS) ./...\nlint:\n\tgolangci-lint \\\n\t  run\n",
          justfile: "x := 'cargo'\nci: lint\n    @{{x}} test\n\nlint:\n    cargo clippy\n",
          "Taskfile.yml":
            "version: '3'\ntasks:\n  all:\n    deps: [build]\n    cmds:\n      - mypy .\n  build: go build ./...\n",
          "mise.toml": "[tasks.check]\ndepends = ['lint']\nrun = 'pytest'\n[tasks.lint]\nrun = ['ruff check']\n",
          "pyproject.toml":
            "[tool.poe.tasks]\ntypes = 'mypy .'\nall = ['types', 'unit']\nunit = { cmd = 'pytest' }\n[tool.hatch.envs.default.scripts]\ncov = 'pytest --cov'\n"
        })
      )
    )
  })

  it("takes no name of Object's for a script", () => {
    assert.deepStrictEqual(...compared([["npm run constructor"], ["make toString"]], packageJson({})))
  })
})

describe("ShellCommand.analyze: bounds", () => {
  it("reads the start of what is too long, and says so", () => {
    const analysis = ShellCommand.analyze(`npm test; ${"echo x; ".repeat(10_000)}`)
    assert.isTrue(analysis.truncated)
    assert.isTrue(analysis.unknown)
    assert.strictEqual(analysis.commands[0]?.exit, "masked")
    const written = ShellCommand.analyze(`cat > big.txt <<'EOF'\n${"npm test\n".repeat(20_000)}EOF\n`)
    assert.deepStrictEqual(written.commands.map(label), ["write~"])
  })

  it("bounds what adversarial input can cost", () => {
    const long = 1_000_000
    for (const unit of [
      "(",
      "{ ",
      "| ",
      "$(",
      "`",
      "((",
      "9",
      "<<A\n",
      "if ",
      "x=$((",
      "a && ",
      "! ",
      "f(){ ",
      "\\\n",
      "'",
      '"$(',
      "${x:-",
      "xargs ",
      "sudo ",
      "env A=1 ",
      "find -exec ",
      "eval eval ",
      "npx npx ",
      "a=$(b) ",
      "rc=$?;",
      "a || rc=1;"
    ]) {
      assert.isEmpty(excess(unit.repeat(long / unit.length)))
    }
    assert.isEmpty(excess("f(){ f; f; }; f"))
    assert.isEmpty(excess("a(){ b; b; }; b(){ c; c; }; c(){ d; d; }; d(){ a; a; npm test; }; a"))
    assert.isEmpty(excess(`${"bash -c '".repeat(50)}npm test`))
    assert.isEmpty(excess(`python - <<'EOF'\n${"open(".repeat(5_000)}\nEOF`))
  })

  it("bounds scripts that call one another", () => {
    const names = Array.from({ length: 30 }, (_, index) => `s${index}`)
    const scripts = packageJson(
      Object.fromEntries(names.map((name) => [name, names.map((other) => `npm run ${other}`).join("; ")]))
    )
    const analysis = ShellCommand.analyze("npm run s0", scripts)
    assert.isEmpty(excess("npm run s0", scripts))
    assert.isTrue(analysis.unknown)
  })

  const parts = [
    "npm test",
    "git push origin HEAD:main",
    "cat <<EOF",
    "EOF",
    "$(",
    ")",
    "`",
    "'",
    '"',
    "|",
    "&&",
    "||",
    ";",
    "&",
    "\n",
    "{",
    "}",
    "(",
    "if",
    "then",
    "fi",
    "for x in a b; do",
    "done",
    "while",
    "case x in a)",
    ";;",
    "esac",
    "f() {",
    "f",
    "set -e",
    "bash -c",
    "xargs",
    "find . -exec",
    "\\;",
    "sudo",
    "env A=1",
    "timeout 5",
    "docker compose run",
    "python -c",
    "sed -i",
    "> a",
    "2>&1",
    "<<<",
    "<(",
    "$X",
    "${X",
    "exit $?",
    "rc=$?",
    "echo $rc",
    "!",
    "[[",
    "]]",
    "((",
    "-",
    "--",
    "make",
    "trap",
    "eval"
  ]

  it("never throws on what looks like a command", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts), { maxLength: 40 }),
        fc.constantFrom(" ", "", "\n"),
        (words, separator) => {
          assert.isEmpty(excess(words.join(separator)))
        }
      ),
      { numRuns: 200 }
    )
  })

  it("never throws on any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: "binary", maxLength: 200 })), (text) => {
        assert.isEmpty(excess(text))
      }),
      { numRuns: 200 }
    )
  })

  it("masks whatever a later statement may hide", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("npm test", "(npm test)", "{ npm test; }", "npm test | cat", "true && npm test"), {
          minLength: 1,
          maxLength: 5
        }),
        (list) => {
          const source = `${list.join("; ")}; true`
          const tests = ShellCommand.analyze(source).commands.filter(({ classes }) => classes.includes("test"))
          assert.isTrue(tests.length > 0 && tests.every(({ exit }) => exit === "masked"), source)
        }
      )
    )
  })
})

describe("a command that was analysed before", () => {
  it("is analysed under the scripts in force, however many others came between", () => {
    const [tests, lint] = [packageJson({ check: "vitest run" }), packageJson({ check: "eslint ." })]
    for (let index = 0; index < 300; index++) {
      ShellCommand.analyze(`echo ${index}`, tests)
      assert.deepStrictEqual(labels("npm run check", tests), ["test:vitest"])
      assert.deepStrictEqual(labels("npm run check", lint), ["lint:eslint"])
    }
  })
})
