import type { Table } from "../tool.ts"
import { anyOf } from "../tool.ts"

/** Type checkers, linters, formatters, bundlers and package managers. */
export const checkTools: Table = {
  "tsc|vue-tsc|tsgo|ttsc|glint|ngc": {
    is: "typecheck build",
    values: "-p --project --outDir --target --module --moduleResolution -t -m --lib --jsx",
    flags: { "--noEmit": "typecheck", "--noemit": "typecheck", "--emitDeclarationOnly": "typecheck build" },
    dry: "--showConfig --init --all --listFilesOnly"
  },
  "svelte-check|astro-check|attw|tsd|expect-type|flow|mypy|dmypy|pyright|basedpyright|pyre|pytype|ty|pyrefly|psalm|phpstan|phan|steep|sorbet|srb|tapioca|typeprof":
    { is: "typecheck", whole: "*" },
  [anyOf(
    "eslint oxlint standard xo stylelint jshint tslint htmlhint markdownlint markdownlint-cli2 commitlint",
    "knip depcheck publint solhint spectral redocly alex textlint cspell ls-lint syncpack madge",
    "dependency-cruiser depcruise size-limit sherif"
  )]: "lint",
  [anyOf(
    "flake8 pylint pycodestyle pydocstyle bandit vulture pyflakes interrogate djlint sqlfluff yamllint",
    "pre-commit lefthook prek reuse codespell typos vale semgrep gitleaks trufflehog trivy hadolint",
    "actionlint shellcheck checkov tflint tfsec ansible-lint zizmor dotenv-linter taplo detect-secrets safety",
    "pip-audit xenon radon"
  )]: {
    is: "lint",
    subs: { "install|autoupdate|init-templatedir|uninstall": "install" }
  },
  "golangci-lint|staticcheck|golint|revive|errcheck|govulncheck|gosec|nilaway|deadcode|gocyclo|go-critic|gocritic": {
    is: "lint",
    also: "typecheck",
    subs: {
      "run|check": { is: "lint", also: "typecheck" },
      fmt: "format",
      "version|linters|cache|config|custom|completion": "read"
    }
  },
  "rubocop|standardrb|reek|brakeman|erblint|haml-lint|fasterer|bundler-audit|i18n-tasks": {
    is: "lint",
    flags: { "-a": "lint format", "-A": "lint format", "--autocorrect": "lint format" }
  },
  "phpcs|php-cs-fixer|pint|phpmd|parallel-lint|rector|deptrac|phpcbf|ecs": "lint format",
  [anyOf(
    "ktlint detekt checkstyle pmd spotbugs swiftlint swiftformat cppcheck clang-tidy cpplint buildifier",
    "buildozer lizard hlint stan luacheck selene scalafix credo sobelow dialyzer perlcritic jsonlint xmllint",
    "ameba slither"
  )]: "lint",
  ruff: {
    subs: {
      check: "lint",
      "format|fmt": { is: "format", flags: { "--check": "lint format", "--diff": "lint format" } },
      "rule|linter|config": "read"
    },
    is: "lint"
  },
  biome: {
    subs: {
      "check|ci": "lint format",
      lint: "lint",
      format: "format"
    }
  },
  [anyOf(
    "prettier oxfmt dprint prettierd gofmt gofumpt goimports gci golines rustfmt clang-format stylua shfmt",
    "ormolu fourmolu scalafmt google-java-format ktfmt nixfmt alejandra treefmt swift-format sqlfmt zprint",
    "cljfmt elm-format csharpier air styler leptosfmt topiary ocamlformat"
  )]: {
    is: "format",
    flags: { "--check": "lint format", "-c": "lint format", "-l": "lint format", "--list-different": "lint format" }
  },
  "black|isort|autopep8|yapf|blue|usort|docformatter|autoflake|pyupgrade": {
    is: "format",
    flags: { "--check": "lint format", "--check-only": "lint format", "--diff": "lint format" }
  },
  composer: {
    subs: {
      "install|i|update|u|upgrade|require|remove|dump-autoload|create-project|reinstall": {
        is: "install",
        dry: "--dry-run"
      },
      "validate|audit|outdated": "lint",
      "show|info|search|licenses|status|why": "read"
    }
  },
  "npm|pnpm|yarn|cnpm": {
    values: "-C --prefix --dir --cwd -w --workspace --filter -F",
    bare: "install",
    subs: {
      "install|i|ci|add|update|up|upgrade|remove|rm|uninstall|un|link|dedupe|prune|rebuild|fetch|import|setup": {
        is: "install",
        dry: "--dry-run"
      },
      "publish|unpublish|deploy|dist-tag": { is: "deploy", dry: "--dry-run" },
      pack: "build",
      version: "write",
      "view|info|show|list|ls|ll|la|why|outdated|explain|search|root|bin|prefix|whoami|help|query|config|get": "read",
      init: "write",
      create: "write"
    }
  },
  [anyOf(
    "webpack rollup esbuild tsup tsdown parcel swc babel rolldown rspack ncc microbundle unbuild bunchee",
    "pkgroll sass postcss tailwindcss browserify snowpack metro vsce api-extractor typedoc electron-builder",
    "electron-forge tauri capacitor cap ionic expo eas ng-packagr hugo jekyll mkdocs sphinx-build mdbook",
    "asciidoctor pdflatex latexmk pandoc docusaurus vitepress eleventy gitbook storybook"
  )]: {
    is: "build",
    subs: {
      "serve|dev|start|watch|preview|server|new|init": "process",
      "publish|gh-deploy|deploy|submit|update": "deploy",
      "lint|typecheck|doctor|prebuild|install": "other",
      test: "test",
      "build|bundle|export": "build"
    }
  },
  "next|vite|nuxt|nuxi|astro|remix|gatsby|svelte-kit|vinxi|solid-start|quasar|umi|rsbuild|rslib|modern|father|waku|react-router|wxt|plasmo|redwoodjs|blitz|qwik":
    {
      subs: {
        "build|generate|bundle|export": "build",
        "lint|eslint": "lint",
        "check|typecheck|typegen|sync": "typecheck",
        "dev|start|preview|serve|develop": "process",
        test: "test"
      },
      is: "process"
    },
  "hatchling|flit|pyinstaller|cython|maturin|nuitka|briefcase|cibuildwheel|build|py_compile|compileall|shiv|pex": {
    is: "build",
    subs: { "build|develop": "build", publish: "deploy" }
  },
  twine: { subs: { upload: "deploy", check: "lint" } },
  uv: {
    values: "--directory --project",
    subs: {
      build: "build",
      "sync|add|remove|lock|venv|python|init": "install",
      tool: "install",
      pip: {
        subs: { "install|sync|uninstall|compile": "install", "list|show|freeze|tree|check": "read" }
      },
      publish: "deploy"
    }
  },
  "pip|pipx|easy_install": {
    subs: {
      "install|uninstall|download|wheel|inject|upgrade": "install",
      "list|show|freeze|check|index|config|cache|inspect": "read"
    }
  },
  "poetry|pdm|hatch|rye|pipenv|pixi|conda|mamba|micromamba": {
    subs: {
      build: "build",
      "install|add|update|lock|sync|remove|create|env|self|activate|upgrade": "install",
      publish: "deploy",
      "show|info|version|list": "read",
      "test|tests": "test",
      fmt: "format",
      "lint|check": "lint"
    }
  },
  "setup.py": {
    subs: {
      "test|pytest": "test",
      "build|build_ext|bdist_wheel|sdist|bdist|build_py": "build",
      "install|develop": "install",
      upload: "deploy"
    }
  },
  [anyOf(
    "apt apt-get brew yum dnf apk pacman choco scoop winget snap port zypper emerge nix-env asdf nvm fnm",
    "volta rustup sdk pyenv rbenv gem cpan cpanm luarocks opam ghcup juliaup sdkmanager corepack n vcpkg",
    "conan carthage pod tlmgr bower jspm ncu npm-check-updates"
  )]: {
    subs: {
      "install|add|update|upgrade|reinstall|remove|uninstall|-S|-Sy|-Syu|use|global|local|enable|prepare|toolchain|component|target|default|bootstrap|tap|purge|autoremove":
        "install",
      "list|search|show|info|which|current|ls|policy|outdated|deps|doctor|config|env|versions|version": "read",
      push: "deploy",
      build: "build"
    }
  },
  bundle: {
    subs: {
      "install|update|add|lock|config": "install",
      "show|info|list|outdated|check": "read",
      audit: "lint"
    }
  },
  "changeset|semantic-release|release-it|goreleaser|np|standard-version|bumpversion|bump2version|commitizen|cz": {
    subs: {
      "publish|release": { is: "deploy", dry: "--snapshot --skip-publish" },
      "version|add|bump": "write",
      "status|check": "other",
      build: "build"
    }
  }
}
