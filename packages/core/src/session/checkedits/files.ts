/** What a path says of a file: what it checks, whether it has tests, and which of its lines run a check. */
import { fileKind } from "../../ground/system/Paths.ts"

export const basename = (path: string): string => path.split(/[/\\]/).pop() ?? path

/** By what a file is called that configures checks of one sort; what configures several of them has no sort. */
const sorts: Readonly<Record<string, RegExp>> = {
  tests:
    /^(?:pytest\.ini|conftest\.py|(?:jest|vitest|playwright|cypress|karma|ava|web-test-runner|wdio|wtr|testem|protractor|vitest\.workspace)(?:[.-][\w.-]{0,20})?\.[cm]?[jt]s(?:on)?|\.mocharc[\w.]{0,6}|nextest\.toml|phpunit[\w.]{0,8}\.xml(?:\.dist)?|infection\.json5?|behat\.ya?ml|codeception\.ya?ml|\.rspec|[\w.-]{1,60}\.(?:runsettings|xctestplan)|test_helper\.exs|CTest\w{0,20}\.cmake|dart_test\.yaml|bunfig\.toml|stryker[\w.-]{0,16}\.\w{2,5}|[\w.-]{1,40}\.supp)$/,
  coverage:
    /^(?:\.?coveragerc|\.?codecov\.ya?ml|\.nycrc[\w.]{0,6}|nyc\.config\.\w{2,3}|\.c8rc[\w.]{0,6}|\.simplecov|\.?lcovrc|\.?coveralls\.yml)$/,
  lint: /^(?:\.eslint[\w.]{0,12}|eslint\.config\.\w{2,4}|biome\.jsonc?|\.?oxlint\w{0,4}\.\w{2,5}|\.?ruff\.toml|\.flake8|\.?pylintrc|\.golangci\.\w{2,5}|\.?clippy\.toml|\.rubocop\w{0,12}\.yml|\.swiftlint\.yml|detekt[\w.-]{0,24}\.(?:ya?ml|xml)|\.credo\.exs|\.shellcheckrc|\.?hadolint\.ya?ml|\.yamllint[\w.]{0,6}|\.markdownlint[\w.-]{0,10}|\.?stylelint[\w.]{0,16}|\.prettierignore|(?:checkstyle|pmd|spotbugs|findbugs|suppressions?)[\w.-]{0,24}\.xml|\.tflint\.hcl|\.?checkov\.ya?ml|\.trivyignore(?:\.yaml)?|\.?gitleaks\.toml|\.semgrepignore|\.scalafix\.conf|phpcs[\w.]{0,8}\.xml(?:\.dist)?|\.php-cs-fixer[\w.]{0,10}\.php|phpmd\.xml|\.?cspell\.\w{2,5}|knip\.\w{2,5}|\.dependency-cruiser\.\w{2,4}|commitlint\.config\.\w{2,4}|\.commitlintrc[\w.]{0,6}|\.luacheckrc|\.clang-tidy|cppcheck[\w.-]{0,20}\.(?:txt|xml)|\.ansible-lint|\.vale\.ini|deny\.toml|audit-ci\.jsonc?|\.?lighthouserc[\w.]{0,6}|\.size-limit[\w.]{0,6}|bundlesize\.config\.json|budgets?\.json|\.codeclimate\.yml|\.deepsource\.toml|analysis_options\.yaml|buf\.yaml|\.sqlfluff|\.spectral\.ya?ml|\.pre-commit-config\.yaml|\.lintstagedrc[\w.]{0,6}|lefthook\.ya?ml)$/,
  types:
    /^(?:ts(?:config)?[\w.-]{0,30}\.json|\.?mypy\.ini|pyrightconfig\.json|phpstan[\w.-]{0,16}\.\w{1,8}(?:\.dist)?|psalm[\w.-]{0,12}\.xml(?:\.dist)?|\.flowconfig|\.dialyzer_ignore\.exs)$/
}

const ofAll =
  /^(?:package\.json|pyproject\.toml|setup\.(?:cfg|py)|tox\.ini|noxfile\.py|(?:vite|next|nuxt|svelte|webpack)\.conf(?:ig)?\.[\w.]{2,8}|Cargo\.toml|Rakefile|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|build\.sbt|[\w.-]{1,80}\.(?:cs|fs|vb)proj|Directory\.Build\.\w{1,8}|\.editorconfig|Package\.swift|mix\.exs|CMakeLists\.txt|CMakePresets\.json|meson\.build|BUILD(?:\.bazel)?|\.bazelrc|sonar-project\.properties|\.gitlab-ci\.ya?ml|Jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.yml|\.travis\.yml|\.drone\.ya?ml|\.?appveyor\.yml|cloudbuild\.ya?ml|\.woodpecker\.ya?ml|Earthfile|(?:GNU)?[Mm]akefile|[\w-]{1,40}\.mk|[Jj]ustfile|Taskfile\.ya?ml|mise\.toml|nx\.json|turbo\.json|project\.json|deno\.jsonc?|\.swcrc|composer\.json|(?:spec|rails|test)_helper\.rb|[\w.-]{1,40}\.cabal|package\.yaml)$/

const inFolder =
  /(?:^|\/)(?:\.github\/(?:workflows|actions)|\.circleci|\.husky|\.buildkite|\.gitlab|\.githooks|\.woodpecker|\.semaphore)\//

/** What CI runs, in steps and jobs. */
export const isPipeline = (path: string): boolean =>
  inFolder.test(path) ||
  /(?:^|[-_.])(?:ci|pipelines?|travis|drone|woodpecker|appveyor|cloudbuild|workflow)\.ya?ml$/i.test(basename(path))

/** A script whose name or folder says that it checks. */
const isScript = (path: string): boolean =>
  (/\.(?:sh|bash)$/.test(path) &&
    /(?:^|[/_-])(?:test|check|lint|ci|verify|valid|build|run|coverage)\w{0,12}[^/]{0,40}$/i.test(path)) ||
  /(?:^|\/)(?:scripts?|ci|tools|bin|hack|dev)\/[^/]{0,60}(?:test|check|lint|ci|verify|valid|budget|coverage)[^/]{0,30}$/i.test(
    path
  )

/** Folders that have scripts for the project itself. */
export const place =
  /(?:^|\/)(?:scripts?|tools?|ci|bin|hack|dev|build|build-aux|etc|\.github|utils?|checks?|infra|quality|make)\//i

/** What a check may run as its own script. */
export const mayBeScript = (path: string): boolean =>
  isCheckConfig(path) ||
  place.test(path) ||
  /check|test|lint|verif|valid|budget|size|ci|audit|repro|debug/i.test(basename(path))

/** Files that say what is checked and how. */
export const isCheckConfig = (path: string): boolean =>
  sortOf(path) !== null || ofAll.test(basename(path)) || inFolder.test(path) || isScript(path)

/** `tests`, `coverage`, `lint` or `types`; null for what configures anything. */
export const sortOf = (path: string): string | null => {
  const name = basename(path)
  return Object.keys(sorts).find((sort) => sorts[sort]?.test(name)) ?? null
}

const runners =
  /\b(?:jest|vitest|mocha|ava|playwright|cypress|karma|pytest|unittest|nose2?|go (?:test|vet)|gotestsum|staticcheck|govulncheck|cargo (?:nextest|test|clippy|check|audit|deny)|mvnw?|gradlew?|dotnet (?:test|build|format)|rspec|minitest|rake test|rails test|phpunit|pest|infection|swift (?:test|build)|swiftlint|xcodebuild|mix (?:test|credo|dialyzer)|ctest|bats|eslint|oxlint|biome|prettier --check|stylelint|ruff|flake8|pylint|mypy|pyright|tsc|golangci-lint|rubocop|brakeman|phpstan|psalm|phpcs|tox|nox|ktlint|detekt|checkstyle|shellcheck|hadolint|yamllint|actionlint|markdownlint|tflint|tfsec|checkov|trivy|semgrep|gitleaks|terraform (?:fmt|validate)|kubeconform|kubeval|kube-linter|helm (?:lint|unittest)|conftest test|opa test|buf (?:lint|breaking)|spectral|promtool|sqlfluff|clang-tidy|cppcheck|valgrind|dart (?:test|analyze)|flutter (?:test|analyze)|stack test|cabal test|sbt test|lighthouse|lhci|size-limit|bundlesize|knip|depcheck|madge|(?:npm|pnpm|yarn|bun)(?: run)? (?:test|lint|check|typecheck|type-check|build|ci|size|audit)|make (?:test|check|lint)|node --test|deno test|bun test|coverage (?:run|report)|ansible-lint|vale|codespell|zig (?:build )?test|luacheck|busted)\b/

/** What a line runs: of a manifest, where a program's name is a dependency's as well, what a script has. */
const commandIn = (path: string, line: string): string => {
  if (!path.endsWith(".json")) return line
  const value = /^\s{0,40}"[\w:.-]{1,60}"\s{0,4}:\s{0,4}"(.{0,2000})"/.exec(line)?.[1] ?? ""
  return /^[\^~>=<*\d]|^workspace:|^(?:npm|file|link|git):/.test(value) ? "" : value
}

export const hasRunner = (path: string, line: string): boolean => runners.test(commandIn(path, line))

/** Whether a text runs something that checks. */
export const runsCheck = (text: string): boolean => runners.test(text)

/** What tests compare with, as their runner wrote it. */
export const snapshot =
  /\.(?:snap|ambr|golden|approved(?:\.\w{1,8})?|verified\.\w{1,8}|received\.\w{1,8})$|(?:^|\/)(?:__snapshots__|snapshots|__image_snapshots__|goldens?)\//i

export const isTestPath = (path: string, cwd: string | null): boolean =>
  fileKind(path, cwd) === "test" ||
  /\.(?:bats|t)$/.test(path) ||
  /(?:^|\/)test_[^/]{1,100}\.(?:c|cc|cpp|rb|php|sh)$/.test(path)

/** Not a helper of tests, or what they are fed with. */
export const isTestName = (path: string): boolean =>
  /(?:^|[._-])(?:tests?|specs?|e2e|cy)(?:[._-]|$)|(?:Tests?|Spec|IT|TestCase)\.\w{1,6}$|\.(?:bats|t)$/.test(
    path.split(/[/\\]/).pop() ?? path
  )

/** Whether two paths name one file, one of them from further up. */
export const same = (one: string, other: string): boolean =>
  one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`)
