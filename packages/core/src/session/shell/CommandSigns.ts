/** What a command could be beside a check, by its words or by what it prints: only that it could be, never that it is. */

type Sign = "audit" | "benchmark" | "browser" | "ci" | "commit" | "coverage" | "platform" | "search" | "served"

/** Commands that put something where others use it. */
export const deploys: ReadonlyArray<RegExp> = [
  /\b(?:deploy\w*|publish|apply|rollout|kubectl|helm|terraform|tofu|pulumi|cdk|vercel|netlify|fly(?:ctl)?|heroku|firebase|wrangler|kamal|dokku|ansible\S*|twine|gcloud|aws|az|eas|rsync|scp|ssh|sftp|(?<!--)release)\b/i,
  /\b(?:docker|podman) (?:\S+ )?(?:push|compose|up|stack|service)\b|\bgem push\b|\bgoreleaser\b/i
]

/** It only shows what is there. */
export const inspects =
  /\b(?:kubectl|oc) (?:\S+ )?(?:get|describe|logs|top|explain|diff|config|version|auth|api-\S+|cluster-info)\b|\bhelm (?:history|status|list|ls|get|show|search|repo|version|env)\b|\b(?:terraform|tofu) (?:show|output|state|providers|version|graph)\b|\bdocker (?:compose )?(?:ps|logs|images|inspect|config|stats|top)\b|\b(?:aws|gcloud|az|fly(?:ctl)?|heroku|vercel|netlify|wrangler|firebase|pulumi|kamal)\b[^|;&]{0,80}\b(?:ls|list\S*|describe\S*|get-\S+|logs?|status|show|info|inspect|whoami|tail|version|releases|config)\b/i

/** It only makes what could be put there. */
export const packs =
  /\b(?:vercel (?:build|dev|pull|env|link)|wrangler (?:dev|types|tail)|sam (?:build|validate|local)|serverless (?:package|print|info)|firebase (?:emulators|serve)|(?:docker|podman) (?:compose )?(?:build|config|pull)|npm (?:pack|version)|cargo package|twine check|poetry build|helm package|eb status|--release)\b/i

/** It only shows what it would do. */
export const rehearses =
  /--dry-?run|--check\b|--noop|--what-?if\b|-WhatIf\b|--diff-only|--no-execute-changeset|\b(?:terraform|tofu) (?:\S+ )?(?:plan|validate|init|fmt)\b|\bpulumi preview\b|\bcdk (?:diff|synth)\b|\bhelm (?:template|lint|diff)\b|\bserverless package\b/i

/** By the words of a command. */
export const byWords: ReadonlyArray<readonly [sign: Sign, pattern: RegExp]> = [
  [
    "ci",
    /\b(?:gh (?:run|workflow|api|checks|pr (?:checks|status|merge))|gh pr view(?! --json (?!\S*(?:status|check)))|glab (?:ci|pipeline|api|job|mr view)|circleci|buildkite|bk|jenkins\S*|travis|act|tea|az pipelines|woodpecker\S*|drone)\b/i
  ],
  [
    "benchmark",
    /bench|hyperfine|\bperf\b|profil|(?:^|[;&|]\s?)time\b|\btime (?:-|\.|[a-z])|timeit|\bk6\b|\bwrk\b|autocannon|\bab -|lighthouse|py-spy|pprof|criterion|\bjmh\b|vegeta|locust|\bsiege\b|load-?test|duration/i
  ],
  ["coverage", /cov|nyc|\bc8\b|tarpaulin|jacoco|kover|coverlet|gcov/i],
  [
    "browser",
    /\b(?:playwright|cypress|puppeteer|selenium|chrom\w*|firefox|webdriver\w*|wdio|webkit|safaridriver|testcafe|nightwatch|karma|open|xdg-open|screencapture|screenshot\w*|scrot|simctl|xcrun|adb|emulator|maestro|detox|expo|flutter|lynx|w3m|percy|chromatic|backstop\w*|e2e)\b/i
  ],
  ["served", /\b(?:start|serve|dev|preview|curl|wget|https?|xh|storybook|runserver|localhost)\b/i],
  [
    "platform",
    /\b(?:docker|podman|nvm|fnm|volta|pyenv|tox|nox|asdf|mise|wine|ssh|qemu\S*|vagrant|cross|cibuildwheel|rbenv|rvm|sdk|rustup|jenv|lima\w*|act|multipass|chroot|matrix|kubectl|playwright|cypress|wdio|karma|browserstack|saucelabs|simctl|adb)\b|GOOS|--target|--python|--browser|--project|\+(?:nightly|stable|\d)/i
  ],
  [
    "audit",
    /audit|snyk|trivy|semgrep|bandit|codeql|gosec|osv-scanner|\bsafety\b|govulncheck|brakeman|\bzap\b|grype|dependency-check|sonar|gitleaks|trufflehog|\baxe\b|pa11y|lighthouse/i
  ],
  ["search", /\b(?:rg|grep|egrep|ag|ack|find|fd|ast-grep|sg|comby|git log|Select-String|findstr|awk)\b/],
  [
    "commit",
    /\bgit (?:-\S{1,40} (?:[^\s-]\S{0,200} )?){0,4}(?:merge|rebase|cherry-pick|revert|am|pull|stash|subtree|commit-tree|ci|flow)\b|\b(?:jj|sl|hg|svn|fossil|npm version|bumpversion|changeset|semantic-release)\b/
  ]
]

/** By what was printed. */
export const byOutput: ReadonlyArray<readonly [sign: Sign, pattern: RegExp]> = [
  ["coverage", /% Stmts|\bcoverage\b|^TOTAL\b.{0,80}%|\bCover\b.{0,40}%/im],
  ["benchmark", /\bns\/op\b|\bops\/s|\breq(?:uests)?\/s|\bbenchmark|\bmean\b.{0,40}(?:ms|µs|ns|s)\b/i],
  ["served", /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b/],
  ["browser", /\[(?:chromium|firefox|webkit)\]|\b(?:HeadlessChrome|Chrome Headless|Firefox Headless)\b/],
  ["ci", /\b(?:github\.com\/\S{1,100}\/actions\/runs|workflow run)\b/]
]

/** Tests in the text of an edit, whatever the file is called. */
export const testMarks =
  /#\[(?:\w{1,20}::)?test|#\[cfg\(test\)|@Test\b|@pytest|\bdef test_|\bfunc (?:Test|Benchmark|Example|Fuzz|test)\w|\b(?:it|test|describe|context|specify|scenario)(?:\.\w{2,10})?\s?\(?\s?["'`]|\b(?:it|test) [a-z"'][^\n]{0,200}(?:\bdo|\{)$|\bTEST(?:_F|_P|_CASE)?\(|\[(?:Fact|Theory|Test\w{0,10})\b|\bSCENARIO\(|>>> |\bunittest\b|\bt\.Run\(|\bassert(?:_\w{2,20}!?|[A-Z]\w{2,20})\(|\bexpect\(/m

/** Lines of git's own in what a commit or a push prints. */
export const printedByGit =
  /^(?:\[|\s{0,3}\d{1,6} files? changed|\s{0,3}(?:create|delete|rename|copy|mode) |To |\s{0,4}[0-9a-f]{6,40}\.\.|\s{0,3}[*+!=]|remote:|branch |Everything up|Enumerating|Counting|Delta|Compressing|Writing|Total |Author:|\s{0,3}Date:|Switched|On branch|Your branch|hint:|warning:|Already|nothing|\(exit|https?:|\s{0,20}\(use|Changes |\s{1,8}(?:modified|new file|deleted):|Updating|Fast-forward|Resolving|Auto packing|From )/

const named: ReadonlyArray<readonly [family: string, pattern: RegExp]> = [
  ["shell", /\b(bash|dash|zsh|ksh|mksh|ash|fish|pwsh)\b/gi],
  ["node", /\bnode(?:\.?js)?(?:[ @:-]| lts )?v?(\d{2})(?:\.\d|\b)/gi],
  ["node", /(?:^|\s)v(\d{2})\.\d{1,2}\.\d/g],
  ["python", /\b(?:python|py|cpython|pypy)[ :@-]?(3\.?\d{1,2})(?!\d)/gi],
  ["ruby", /\bruby[ :@-]?(\d\.\d)/gi],
  ["java", /\b(?:java|jdk|openjdk|temurin|corretto)[ :@-]?(\d{1,2})\b/gi],
  ["go", /\bgo(?:lang)?[ :@-]?(1\.\d{2})/gi],
  ["php", /\bphp[ :@-]?(\d\.?\d)(?!\d)/gi],
  ["rust", /\brust(?:c|up run)?[ :@-]?(1\.\d{2})/gi],
  ["dotnet", /\b(?:\.net|net|dotnet)[ :-]?(\d{1,2})(?:\.0)?\b/gi],
  ["browser", /\b(chrom(?:e|ium)|firefox|safari|webkit|edge|msedge)\b/gi],
  ["system", /\b(windows|mac ?os|darwin|os ?x|linux|ubuntu|debian|alpine|fedora|freebsd|ios|android)\b/gi],
  ["database", /\b(postgres(?:ql)?|mysql|mariadb|sqlite|sql server|mssql|oracle|mongodb)\b/gi]
]

const sameAs: Readonly<Record<string, string>> = {
  chromium: "chrome",
  webkit: "safari",
  msedge: "edge",
  darwin: "macos",
  osx: "macos",
  postgresql: "postgres",
  sqlserver: "mssql"
}

const asOne = (family: string, name: string): string => {
  const low = name.toLowerCase().replaceAll(/[ .]/g, "")
  return `${family}:${sameAs[low] ?? low}`
}

/** What a text names that a program can run on, by family: `python:311`, `shell:dash`. */
export const platformsIn = (text: string): ReadonlyArray<string> => [
  ...new Set(
    named.flatMap(([family, pattern]) =>
      [...text.matchAll(pattern)].slice(0, 24).map((match) => asOne(family, match[1] ?? ""))
    )
  )
]

/** "Node 18, 20 and 22" with the name before each. */
export const inFull = (text: string): string =>
  text.replaceAll(
    /\b(node(?:\.js)?|python|ruby|java|jdk|go|php|rust) (v?\d{1,2}(?:\.\d{1,2})?)((?:(?:, | and |, and | through | to |\/| – |-)v?\d{1,2}(?:\.\d{1,2})?){1,6})/gi,
    (_all, name: string, first: string, others: string) =>
      [first, ...(others.match(/\d{1,2}(?:\.\d{1,2})?/g) ?? [])].map((version) => `${name} ${version}`).join(", ")
  )
