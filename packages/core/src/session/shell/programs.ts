/** One table with the purposes of programs, and rules for what their options change. */
import { lazy } from "../../base/text/Lazy.ts"
import type { CommandClass, Facts } from "./model.ts"
import { checks, isGate, ofName } from "./names.ts"
import { type Args, has, isOption, rowsOf, stem } from "./words.ts"

export const other: Facts = {
  classes: ["other"],
  alsoProves: [],
  runner: null,
  filtered: false,
  dryRun: false,
  promises: [],
  push: null,
  writes: []
}

/**
 * Each row lists classes and then programs, as `program`, `program/subcommand` or `program/--option`.
 * - `+class`: success proves this class too.
 * - `=name`: the runner's name, if it differs from the program and its subcommand.
 * - `~`: the verb decides, see `verbs`. Without a known verb, the class of the row applies.
 * - `dry`: the program only lists.
 */
const table = `
test: vitest jest mocha ava tap jasmine uvu tape qunit karma wtr borp japa poku nightwatch wdio detox testcafe newman k6
  test-storybook stryker codecept cucumber-js cucumber bats busted shellspec behave robot doctest mutmut prove phpunit pest
  paratest phpspec behat rspec minitest parallel_test parallel_rspec turbo_tests cutest ctest xcodebuild/test-without-building
test dry =vitest: vitest/list
test dry =cargo: cargo/nextest/list
test =vitest: vitest/run vitest/watch vitest/related vitest/bench
test =playwright: playwright/test
test =cypress: cypress/run
test =jest: react-scripts/test craco/test vue-cli-service/test:unit
test =ng test: ng/test ng/t ng/e2e nest/test
test =pytest: pytest
test =unittest: unittest trial nose2 nosetests stestr green ward
test =django: manage.py/test
test =phpunit: artisan/test
test =rake: rake/default
test =maven: mvn/test
test +build: dotnet/test dotnet/vstest swift/test stack/test cabal/test
test +build =bazel: bazel/test bazel/coverage
test +build =mix test: mix/test
test +build +typecheck =go test: go/test gotestsum ginkgo richgo gotest
test +build +typecheck =cargo: cargo/test cargo/t cargo/nextest
test =cargo: cargo/tarpaulin cargo/llvm-cov cargo/miri
test lint: gradle/check
test build =zig build: zig/build/test
test: tox/default nox/default
build: ninja/default xcodebuild/default
build test: gradle/build mvn/package mvn/verify mvn/install mvn/integration-test
deploy build test: mvn/deploy
build: zig/build setup.py/bdist_wheel setup.py/sdist setup.py/build_ext gradle/assemble gradle/classes gradle/testClasses
  gradle/jar mvn/test-compile dotnet/build dotnet/publish dotnet/pack ninja/all xcodebuild/archive docker/buildx
  xcodebuild/build-for-testing rails/assets:precompile npm/rebuild npm/pack gcc g++ clang clang++ cc c++ javac kotlinc scalac
  ghc rustc nvcc protoc wasm-pack emcc swiftc msbuild cmake/--build
build =cargo: cargo/test/--no-run
build +typecheck: ng/build ng/b nest/build swift/build
build +typecheck =go test: go/test/-c
build +typecheck =go build: go/build go/install
build +typecheck =cargo: cargo/build cargo/b
typecheck build =cargo: cargo/check cargo/c
typecheck build: tsc
typecheck: tsc/--noEmit vitest/typecheck svelte-check attw tsd flow mypy dmypy pyright basedpyright pyre pytype ty pyrefly
  psalm phpstan phan srb deno/check mix/dialyzer
lint: manage.py/check gradle/detekt gradle/ktlintCheck gradle/spotlessCheck mvn/spotless:check mvn/checkstyle:check mix/credo
  terraform/validate helm/lint helm/template composer/audit composer/validate bundle/audit ruff ruff/check eslint oxlint
  standard xo stylelint jshint tslint markdownlint markdownlint-cli2 commitlint knip depcheck publint flake8 pylint
  pycodestyle pydocstyle bandit vulture pyflakes yamllint sqlfluff depcruise solhint cspell madge pre-commit lefthook prek
  hk/check
  codespell typos semgrep gitleaks trivy hadolint actionlint shellcheck checkov tflint rubocop standardrb reek brakeman
  erblint ktlint detekt checkstyle pmd spotbugs swiftlint cppcheck clang-tidy cpplint hlint luacheck selene scalafix
  perlcritic jsonlint xmllint
lint +typecheck =go vet: go/vet
lint +typecheck =cargo: cargo/clippy cargo/deny cargo/audit cargo/machete
lint +typecheck: flutter/analyze dart/analyze golangci-lint golangci-lint/run staticcheck golint revive errcheck govulncheck
lint format: phpcs php-cs-fixer pint phpmd rector phpcbf ecs biome/check biome/ci prettier/--check prettier/-c black/--check
  prettier/--list-different prettier/-l oxfmt/--check gofmt/-l gofumpt/-l goimports/-l rustfmt/--check isort/--check-only
  isort/--check black/--diff shfmt/-l
lint format =cargo: cargo/fmt/--check
lint format =ruff format: ruff/format/--check ruff/format/--diff
lint format =mix format: mix/format/--check-formatted
lint format =dotnet format: dotnet/format/--verify-no-changes
format: ruff/format golangci-lint/fmt gradle/ktlintFormat gradle/spotlessApply mvn/spotless:apply prettier oxfmt dprint gofmt
  gofumpt goimports gci golines rustfmt clang-format stylua shfmt scalafmt nixfmt treefmt black isort autopep8 yapf autoflake
  pyupgrade ormolu fourmolu swiftformat google-java-format
format =gofmt: go/fmt
format =cargo: cargo/fmt
other +build: go/run cargo/run cargo/r cargo/bench dotnet/run
other: go/tool deno/task cmake npm/run npm/test npm/exec pnpm/run yarn/run composer/run uv/run mvn/validate mvn/clean
install: go/mod go/get go/work mix/deps.get mix/deps.update flutter/pub dart/pub swift/package npm/ci npm/dedupe uv/pip uv/tool
  uv/python pip/download pre-commit/install lefthook/install cmake/--install
~ install: yarn
~ build: webpack rollup esbuild tsup tsdown parcel swc babel rolldown rspack ncc unbuild sass postcss tailwindcss typedoc
  ng-packagr hugo jekyll mkdocs sphinx-build mdbook latexmk pyinstaller maturin build py_compile
~ process: next vite nuxt nuxi astro remix gatsby svelte-kit rsbuild react-router wxt docker-compose docker/compose
~ deploy: vercel netlify wrangler firebase flyctl fly heroku railway serverless sls cdk pulumi kamal sam
~ other: npm pnpm bun deno composer bundle pip pipx uv poetry pdm hatch rye pipenv pixi conda mamba gem brew apt apt-get yum
  dnf apk pacman nvm pyenv rbenv rustup docker kubectl terraform helm go cargo dotnet meson gleam flutter dart zig swift
  stack cabal dune buck2 plz pants rebar3 bazel lein clj forge hardhat truffle anchor mix rails biome ng nest react-scripts
  craco vue-cli-service ember playwright cypress manage.py setup.py artisan changeset goreleaser semantic-release expo twine
deploy: ansible-playbook helm/install helm/upgrade helm/uninstall kubectl/create kubectl/delete kubectl/replace kubectl/patch
  kubectl/scale kubectl/rollout kubectl/set kubectl/edit
ci: act circleci buildkite
unknown: ssh mosh vagrant autossh expect
process: gradle/run gradle/bootRun docker/rm docker/rmi docker/create docker/image docker/volume docker/network docker/kill
  docker/container docker/system kill pkill killall xkill fuser systemctl service launchctl supervisorctl pm2 forever tmux
  screen disown fg bg wait crontab minikube kind uvicorn gunicorn celery flask streamlit jupyter http-server serve
  live-server json-server puma nginx caddy redis-server postgres pg_ctl mongod ngrok cloudflared ollama nodemon
write: go/generate manage.py/makemigrations rails/generate rails/g npm/version npm/init npm/create docker/cp tee rm touch
  truncate shred unlink trash sponge dos2unix unix2dos mv cp install rsync ln ditto patch apply_patch applypatch dd ed ex sd
  rmdir mkdir scp chmod chown chgrp unzip tar gunzip gzip zip bzip2 xz zstd vim vi nano mktemp split jscodeshift
search: grep egrep fgrep zgrep rg ag ack find gfind fd fdfind locate mdfind ugrep ast-grep sg fzf comby
read: golangci-lint/config go/mod/why go/mod/graph kubectl/rollout/status bazel/query golangci-lint/version golangci-lint/linters composer/config
  bundle/config bundle/check cat bat head tail less more nl od xxd hexdump strings wc stat file tac zcat ls ll la eza tree du
  df pwd readlink realpath basename dirname jq yq column cut paste tr sort uniq comm diff cmp md5sum sha256sum sha1sum shasum
  cksum fold fmt rev seq date whoami id hostname uname nproc free uptime printenv env locale who history man which whereis
  type hash command otool nm objdump sqlite3 psql mysql redis-cli duckdb base64 awk gawk sed gsed test [ openssl dig nslookup
  host ping curl wget http https xh nc netstat ip ifconfig ss expr bc tput iconv lsof ps pgrep top htop pstree jobs sleep
  cloc tokei ffprobe identify plutil sw_vers getconf sum xq groups arch tldr
`

const verbs = rowsOf(`
install: install i add remove rm update upgrade uninstall sync lock restore fetch pull link venv tap
read: list ls show info view search logs ps version status describe config images inspect outdated why help env whoami doc
  explain which root bin freeze diff get events stats port
process: run exec up down stop restart open preview shell console watch develop
deploy: apply destroy upload push rollback unpublish
build: package assemble
other: login logout init plan doctor completion
`)

/** The rows of the table. The key is the program with its subcommands, separated by spaces. */
const rows = lazy(
  () => new Map(rowsOf(table).flatMap(([is, names]) => names.map((name) => [name.replaceAll("/", " "), is] as const)))
)

const isClass = (word: string): word is CommandClass => /^[a-z]/.test(word) && word !== "dry"

/** True if the table has this name, and the name probably means a program and not a script. */
export const isKnown = (name: string): boolean =>
  rows().has(name) && !has("test build serve host type split install link top date stat history standard", name)

/** Options with a value in the next word. The value could look like a subcommand or a target. */
const valued =
  "-C -c -p -f -x -n -e -s -pl -m -o --color --config --prefix --dir --cwd --directory --project --project-dir --filter --workspace --manifest-path --file --exclude-task --context --namespace --host -H --profile --region --package -scheme -project -workspace -destination -configuration -sdk -chdir --env-file --projects --settings"

/** Options that limit a run to a part, for any runner. */
const narrowing =
  "-k -t -g -run -skip -fuzz --testNamePattern --testPathPattern --testPathPatterns --test-name-pattern --grep --fgrep --match --filter --filterset --tests --test --spec --only --name --plain-name --tag --tags --example --project --projects --package --lib --bin --bins --doc --shard --changed --related --findRelatedTests --onlyChanged --onlyFailures --last-failed --only-failures --lf --ff --sw --nf --stepwise --deselect --ignore --exclude --include --stale --failed --group --exclude-group --testsuite --suite --exact --skip --ignored --match-test --match-contract --match-path --mt --mc --mp -only-testing -skip-testing -pl -Dtest -Dit.test --test_filter --tests-regex --rerun-failed --testmon --picked --partition --run-tests --scope --manifest-path"

/** Options that limit a run to a part, but only for one runner. For other runners, the option has another meaning. */
const narrowingOf =
  "cargo/-p cargo/-E jest/-o jest/-i jest/-f pytest/-m rspec/-e rspec/-E rspec/-P ctest/-R ctest/-E ctest/-L ctest/-I ava/-m mocha/-f"

/** Words that mean everything, so they do not limit a run. */
const whole =
  ". ./ ./... ... all discover run test tests testing spec specs src t e2e __tests__ //... :: //...:all parallel serial start"

/** Options whose value is a path that does not limit the run. */
const pathValued =
  "-c --config --rootdir --root -p -o -C --outputFile --junitxml --junit-xml --cov --cov-report --cov-config -coverprofile -coverpkg --reporter --reporters --coverageDirectory --setupFilesAfterEnv -r --require --import --loader --target-dir --test-dir --settings -s --start-directory --top-level-directory -f --file --project-dir --configuration --log-junit --bootstrap -derivedDataPath -project -workspace -outputdir --junitfile --basetemp -W --ds -I -d --logger -l --results-directory --collect"

const variable =
  /^(?:TESTS?|TEST_?(?:FILES?|ARGS|PATH|NAME|FILTER|FLAGS|CASE)|T|FILES?|PKGS?|PACKAGES?|RUN|FILTER|ARGS|K|ONLY|SPEC|SUITE|PYTEST_ADDOPTS|(?:[A-Z]{1,12}_?)?(?:FLAGS|OPTS|ARGS))[:+?]?=/i

/** True for a variable that limits a run. For example, `make test TESTS=a.rb`. */
export const narrowsByVariable = (word: string): boolean => variable.test(word)

/** True if the word means all tests: their folder in any spelling, or a glob for everything in that folder. */
const isWhole = (word: string): boolean => {
  const folder = word.replace(/^\.\//, "").replace(/\/(?:\*\*|(?:\*\*\/)?\*(?:\.[\w{},]{1,30}){0,3})?$/, "")
  return has(whole, word) || has(whole, folder) || /^\d{1,9}$|\.slnx?$/.test(word)
}

export const narrows = (args: Args, runner = ""): boolean =>
  args.some(({ value }, index) => {
    if (value === null) return true
    if (value === "" || value === "--") return false
    if (isOption(value))
      return has(narrowing, stem(value)) || has(narrowingOf, `${runner}/${value}`) || /^-k\w/.test(value)
    if (variable.test(value)) return true
    const before = args[index - 1]?.value ?? ""
    if (isWhole(value) || has(pathValued, before)) return false
    return /[/.:]/.test(value) ? !/^\d[\d.]*m?s$/.test(value) : !isOption(before)
  })

const idle =
  "--help --version -h --dry-run --dryrun --dry --list --listTests --list-tests --list-files --list-suites --list-groups --collect-only --co --fixtures --markers -list --showConfig --init --listenvs --show-only --count --graph --clearCache -showBuildSettings --noop --listFilesOnly"

export const listsOnly = (args: Args): boolean =>
  args.some(({ value }, index) => value !== null && has(idle, stem(value)) && !(value === "-h" && index > 3))

/** True for `-DskipTests`, `-x test`, or a Go pattern that matches no test. */
const runsNoTest = (words: ReadonlyArray<string>): boolean =>
  words.some((word, index) => {
    if (/^-D(?:skipTests|maven\.test\.skip|skipITs)(?:=true)?$/.test(word)) return true
    const before = words[index - 1] ?? ""
    if (word === "test" && /^(?:-x|--exclude-task)$/.test(before)) return true
    const pattern = /^--?run$/.test(before) ? word : /^--?run=(.{0,40})$/.exec(word)?.[1]
    return pattern !== undefined && /^(?:\^\$|XXX|NONE|\^#)$/i.test(pattern)
  })

interface Row {
  readonly is: string
  readonly path: string
  readonly rest: Args
}

const descend = (path: string, args: Args): Row | null => {
  const own = rows().get(path)
  const at = args.findIndex(
    ({ value }, index) => !isOption(value) && value?.startsWith("+") !== true && !has(valued, args[index - 1]?.value)
  )
  const word = args[at]?.value ?? null
  const rest = args.slice(at + 1)
  if (word !== null && rows().has(`${path} ${word}`)) return descend(`${path} ${word}`, rest)
  if (own === undefined) return null
  if (own.startsWith("~") && word !== null) {
    const verb = verbs.find(([, words]) => words.includes(word))?.[0]
    const is = verb ?? (has(checks, word) ? "" : ofName(word).classes.join(" "))
    if (is !== "") return { is, path: `${path} ${word}`, rest }
  }
  const option = args.find(({ value }) => value !== null && isOption(value) && rows().has(`${path} ${stem(value)}`))
  return { is: (rows().get(`${path} ${stem(option?.value ?? "")}`) ?? own).replace(/^~ /, ""), path, rest: args }
}

export const factsOf = (name: string, args: Args): Facts | null => {
  const row = descend(name, args.slice(1))
  if (row === null) return null
  const { is, path, rest } = row
  const runner = /=(.*)$/.exec(is)?.[1] ?? path
  const words = is.replace(/ ?=.*/, "").split(" ")
  const also = words.flatMap((word) => (word.startsWith("+") ? [word.slice(1)] : [])).filter(isClass)
  const given = words.filter(isClass)
  const isIdle = given.includes("test") && runsNoTest(args.map(({ value }) => value ?? ""))
  const left = isIdle ? [...given.filter((one) => one !== "test"), ...also].slice(0, 1) : given
  const classes = left.length > 0 ? left : other.classes
  const gate = classes.some(isGate)
  return {
    ...other,
    classes,
    alsoProves: also.filter((one) => !classes.includes(one)),
    runner: gate ? runner : null,
    filtered: classes.includes("test") && narrows(rest, runner),
    dryRun: (gate || classes.includes("deploy")) && (words.includes("dry") || listsOnly(rest))
  }
}
