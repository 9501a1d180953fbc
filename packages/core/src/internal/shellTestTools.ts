import type { Tool } from "./shellTool.ts"

const jsValues =
  "-c --config --root --dir --reporter --reporters --outputFile --environment --pool --maxWorkers --minWorkers -w --testTimeout --seed --coverageDirectory --coverageReporters --retry --retries -j --jobs --workers --timeout --require -r --import --loader --extension --ui --shard --setupFilesAfterEnv --project -p --browser"
const jsNarrow =
  "-t --testNamePattern -g --grep --testPathPattern --testPathPatterns -f --fgrep -m --match --project -p --shard --changed --related --findRelatedTests -o --onlyChanged --onlyFailures --last-failed --last-run --spec -s --test-name-pattern --exclude --onlyTypeTests --changedSince -i --dir"
const jsTest: Tool = {
  is: "test",
  values: jsValues,
  narrow: jsNarrow,
  whole: ". ./ test tests spec src",
  dry: "--listTests --list-files --list --showConfig"
}

const pytest: Tool = {
  is: "test",
  values:
    "-c --config-file --rootdir -n --numprocesses --dist -p -o --override-ini --tb --maxfail --durations --timeout --cov --cov-report --cov-config --junitxml --junit-xml --log-level --log-cli-level --color -W --basetemp --import-mode --ds --settings -r --capture --asyncio-mode --reruns",
  narrow:
    "-k -m --lf --last-failed --ff --sw --stepwise --deselect --ignore --ignore-glob --nf --testmon --picked --pyargs",
  whole: ". ./ tests tests/ test test/ ./tests ./tests/ ./test src src/ testing testing/",
  dry: "--collect-only --co --fixtures --markers --setup-plan --fixtures-per-test"
}

const gradle: Tool = {
  also: "build",
  leads: ":",
  values:
    "-b --build-file -c -p --project-dir -x --exclude-task --tests -g --console --max-workers -I --init-script --include-build --warning-mode",
  narrow: "--tests",
  dry: "-m --dry-run tasks projects dependencies properties",
  whole: "*",
  targets: {
    check: "test lint",
    build: "build test",
    assemble: "build",
    classes: "build",
    testClasses: "build",
    jar: "build",
    bootJar: "build",
    installDist: "build",
    clean: "",
    detekt: "lint",
    ktlintCheck: "lint",
    ktlintFormat: "format",
    spotlessCheck: "lint",
    spotlessApply: "format",
    spotbugsMain: "lint",
    pmdMain: "lint",
    run: "process",
    bootRun: "process",
    publish: "deploy"
  }
}

const maven: Tool = {
  also: "build",
  values: "-f --file -pl --projects -s --settings -T --threads -P --activate-profiles -rf --resume-from -l --log-file",
  narrow: "-pl --projects -Dtest -Dit.test",
  whole: "*",
  targets: {
    test: "test",
    "integration-test": "test build",
    "surefire:test": "test",
    "failsafe:verify": "test",
    package: "build test",
    verify: "build test",
    install: "build test",
    deploy: "deploy build test",
    compile: "build",
    "test-compile": "build",
    "spotless:check": "lint",
    "spotless:apply": "format",
    "checkstyle:check": "lint",
    "dependency:resolve": "install",
    "spring-boot:run": "process",
    "spring-boot:build-image": "build",
    clean: "",
    validate: "",
    site: ""
  }
}

const cargoValues =
  "-p --package --features -F --target --target-dir --manifest-path -j --jobs --profile --test --bin --example --bench --color --message-format --exclude -Z --config -E --filterset --partition --retries --test-threads --skip"

const cargoTest: Tool = {
  is: "test",
  also: "build typecheck",
  values: cargoValues,
  narrow:
    "-p --package --test --bin --bins --lib --doc --example --examples --tests --exact --skip --ignored -E --filterset --partition --manifest-path",
  flags: { "--no-run": "build" },
  dry: "--list"
}

const cargo: Tool = {
  values: "--color --config -Z -C --manifest-path",
  subs: {
    "test|t": { ...cargoTest, runner: "cargo" },
    nextest: {
      subs: { "run|r": { ...cargoTest, runner: "cargo" }, list: { is: "test", lists: true, runner: "cargo" } }
    },
    "tarpaulin|llvm-cov|miri|insta|hack": { is: "test", runner: "cargo", values: cargoValues, whole: "*" },
    "build|b|rustc": { is: "build", also: "typecheck", runner: "cargo", values: cargoValues },
    "check|c": { is: "typecheck build", runner: "cargo", values: cargoValues },
    "clippy|deny|audit|machete|udeps": { is: "lint", also: "typecheck", runner: "cargo", values: cargoValues },
    fmt: { is: "format", runner: "cargo", flags: { "--check": "lint format" } },
    "run|r": { is: "other", also: "build" },
    "install|fetch|update|add": { is: "install" },
    "doc|package|wasm": { is: "build" },
    bench: { is: "other", also: "build" },
    publish: { is: "deploy", dry: "--dry-run -n" }
  }
}

const goTest: Tool = {
  is: "test",
  also: "build typecheck",
  values:
    "-C -run -bench -count -timeout -tags -coverprofile -covermode -coverpkg -cpu -parallel -p -o -exec -skip -fuzz -fuzztime -benchtime -mod -ldflags -gcflags -shuffle -json-file -vet -outputdir -cpuprofile -memprofile --format --junitfile --packages --rerun-fails",
  narrow: "-run -skip -fuzz --run",
  whole: "./... ... all .",
  flags: { "-c": "build" },
  dry: "-list -n"
}

const dotnet: Tool = {
  subs: {
    "test|vstest": {
      is: "test",
      also: "build",
      values:
        "-c --configuration -f --framework -l --logger -v --verbosity -r --results-directory -s --settings --collect -o",
      narrow: "--filter --project",
      whole: ". ./",
      dry: "-t --list-tests"
    },
    "build|msbuild|publish|pack": { is: "build" },
    format: { is: "format", flags: { "--verify-no-changes": "lint format" } },
    "restore|add|tool": { is: "install" },
    run: { also: "build" },
    nuget: { subs: { push: { is: "deploy" } } }
  }
}

const railsTest: Tool = { is: "test", values: "-e -n -s --seed -v", narrow: "-n --name -i", whole: "test spec" }

/** Test runners, build tools and the like of each language. */
export const testTools: Readonly<Record<string, Tool>> = {
  "vitest|vite-plus": {
    ...jsTest,
    runner: "vitest",
    subs: {
      "run|watch|dev": { ...jsTest, runner: "vitest" },
      "related|bench": { ...jsTest, runner: "vitest", narrow: `${jsNarrow} --run` },
      typecheck: { is: "typecheck" },
      list: { is: "test", lists: true, runner: "vitest" }
    }
  },
  jest: { ...jsTest, dry: `${jsTest.dry ?? ""} --clearCache --init` },
  "mocha|ava|tap|jasmine|uvu|tape|lab|qunit|karma|wtr|web-test-runner|borp|testem|vscode-test|japa|poku": jsTest,
  "react-scripts|craco|vue-cli-service|redwood|rw|aegir|tsdx|ember": {
    subs: {
      "test|test:unit|test:e2e": { ...jsTest, runner: "jest" },
      build: { is: "build" },
      lint: { is: "lint" },
      "start|serve": { is: "process" }
    }
  },
  playwright: {
    subs: {
      test: { ...jsTest, runner: "playwright", whole: ". ./ tests e2e" },
      "install|install-deps": { is: "install" }
    }
  },
  cypress: { subs: { run: { ...jsTest, runner: "cypress" }, install: { is: "install" }, open: { is: "process" } } },
  "test-storybook|backstop|nightwatch|wdio|detox|testcafe|newman|artillery|k6|maestro|stryker|codecept|cucumber-js|cucumber|percy":
    {
      ...jsTest,
      whole: "*"
    },
  "ng|nest": {
    subs: {
      "test|t": { is: "test", values: "--configuration -c", narrow: "--include", whole: "*", runner: "ng test" },
      "e2e|e": { is: "test" },
      "build|b": { is: "build", also: "typecheck" },
      lint: { is: "lint" },
      "serve|s|start": { is: "process" }
    }
  },
  "pytest|py.test|pytest-3": { ...pytest, runner: "pytest" },
  "unittest|trial|nose2|nosetests|stestr|testr|zope-testrunner|green|ward": {
    is: "test",
    values: "-s --start-directory -p --pattern -t --top-level-directory -k -c",
    narrow: "-k",
    whole: "discover . tests test",
    runner: "unittest"
  },
  tox: {
    is: "test",
    values: "-e -c --conf --workdir -p --parallel -f",
    sessions: "-e --env",
    dry: "-l --listenvs -a config list",
    whole: "*"
  },
  nox: {
    is: "test",
    values: "-s -e --session --sessions -f -p -k -t",
    sessions: "-s -e --session --sessions",
    dry: "-l --list",
    whole: "*"
  },
  "behave|robot|pabot|doctest|hypothesis|locust|mutmut|schemathesis": { is: "test", whole: "*" },
  "manage.py|django-admin|django": {
    subs: {
      test: {
        is: "test",
        runner: "django",
        values: "--settings -v --verbosity --parallel -k --tag --exclude-tag --pythonpath",
        narrow: "-k --tag --exclude-tag -p --pattern"
      },
      check: { is: "lint" },
      "makemigrations|startapp|collectstatic": { is: "write", dry: "--dry-run --check" },
      "runserver|shell": { is: "process" }
    }
  },
  go: {
    values: "-C",
    subs: {
      test: { ...goTest, runner: "go test" },
      "build|install": { is: "build", also: "typecheck", runner: "go build" },
      vet: { is: "lint", also: "typecheck", runner: "go vet" },
      fmt: { is: "format", runner: "gofmt" },
      "mod|get|work": { is: "install", subs: { verify: { is: "other" }, "why|graph|edit": { is: "read" } } },
      "list|doc|env|version": { is: "read" },
      generate: { is: "write" },
      run: { also: "build" }
    }
  },
  gotestsum: { ...goTest, runner: "go test" },
  "ginkgo|richgo|gotest|gow": { ...goTest, runner: "go test", subs: { "run|test": { ...goTest, runner: "go test" } } },
  cargo,
  cross: cargo,
  "bacon|trunk": { is: "process", subs: { build: { is: "build" } } },
  rustc: { is: "build" },
  "gradle|gradlew": { ...gradle, runner: "gradle" },
  "mvn|mvnw|mvnd": { ...maven, runner: "maven" },
  "ant|sbt|mill": {
    whole: "*",
    leads: "/",
    values: "-f -buildfile",
    targets: {
      testOnly: "test",
      compile: "build",
      "Test/compile": "build",
      assembly: "build",
      scalafmtCheck: "lint",
      scalafmt: "format"
    }
  },
  "lein|clj|clojure": {
    whole: "*",
    subs: {
      "test|kaocha|midje|eftest": { is: "test", narrow: ":only" },
      "compile|uberjar|jar": { is: "build" },
      deps: { is: "install" }
    }
  },
  dotnet,
  "nunit3-console|xunit.console|vstest.console": { is: "test", whole: "*" },
  msbuild: { is: "build" },
  rspec: {
    is: "test",
    values: "-f --format -o --out -r --require --seed --order -O -I -P --pattern",
    narrow: "-e --example -t --tag -E --only-failures --next-failure -P --pattern",
    whole: "spec spec/ .",
    dry: "--dry-run"
  },
  "minitest|m|testrb|parallel_test|parallel_rspec|turbo_tests|cutest": { ...railsTest, whole: "test spec test/ spec/" },
  rails: {
    subs: {
      "test|test:all|test:system|spec": { ...railsTest, runner: "rails test" },
      "assets:precompile|zeitwerk:check": { is: "build" },
      "server|s|console|c": { is: "process" },
      "generate|g|destroy": { is: "write" }
    }
  },
  "phpunit|pest|paratest|phpspec|behat": {
    is: "test",
    values:
      "-c --configuration --testsuite --bootstrap --filter --group --exclude-group --log-junit --coverage-html -d",
    narrow: "--filter --group --exclude-group --testsuite",
    whole: "tests tests/",
    dry: "--list-tests --list-suites --list-groups"
  },
  artisan: {
    subs: { test: { is: "test", runner: "phpunit", narrow: "--filter --group --testsuite" }, serve: { is: "process" } }
  },
  mix: {
    subs: {
      "test|coveralls": {
        is: "test",
        also: "build",
        runner: "mix test",
        values: "--seed --max-failures --only --exclude --include --timeout --formatter --partitions",
        narrow: "--only --include --stale --failed --exclude --partitions"
      },
      "compile|release|assets.build|assets.deploy": { is: "build" },
      "credo|sobelow|xref": { is: "lint" },
      dialyzer: { is: "typecheck" },
      format: { is: "format", flags: { "--check-formatted": "lint format" } },
      "deps.get|deps.update|deps.compile|setup": { is: "install" },
      "phx.server|run": { is: "process" }
    }
  },
  rebar3: { subs: { "eunit|ct|proper": { is: "test" }, compile: { is: "build" }, dialyzer: { is: "typecheck" } } },
  gleam: {
    subs: { test: { is: "test" }, build: { is: "build" }, check: { is: "typecheck" }, format: { is: "format" } }
  },
  ctest: {
    is: "test",
    values: "-C --build-config -j --parallel --test-dir -R -E -L -LE -I --output-junit --timeout --preset -T -D",
    narrow: "-R -E -L -LE -I --tests-regex --rerun-failed",
    dry: "-N --show-only"
  },
  cmake: {
    is: "other",
    flags: { "--build": "build", "--install": "install" },
    values: "-S -B -G -D --preset -t --target -j --config"
  },
  "ninja|samu": {
    is: "build",
    values: "-C -f -j -k -l",
    dry: "-n -t",
    whole: "*",
    targets: { all: "build", clean: "", install: "install" }
  },
  meson: {
    subs: {
      test: { is: "test", values: "-C --suite --no-suite -t --num-processes", narrow: "--suite", dry: "--list" },
      compile: { is: "build" },
      install: { is: "install" }
    }
  },
  "gcc|g++|clang|clang++|cc|c++|javac|kotlinc|scalac|ghc|nvcc|ldc2|dmd|nim|fpc|gfortran|rustdoc|wasm-pack|emcc|swiftc|crystal|protoc|buf|flatc|ocamlfind|dune":
    {
      is: "build",
      subs: {
        "runtest|test": { is: "test" },
        "lint|breaking": { is: "lint" },
        "format|fmt": { is: "format" },
        build: { is: "build" },
        spec: { is: "test" }
      }
    },
  "bazel|bazelisk|buck|buck2|pants|please|plz": {
    subs: {
      "test|coverage": {
        is: "test",
        also: "build",
        runner: "bazel",
        values: "-c --config --test_filter --test_output",
        narrow: "--test_filter --test_tag_filters",
        whole: "//... ... :: //...:all"
      },
      build: { is: "build" },
      run: { also: "build" },
      lint: { is: "lint" },
      check: { is: "typecheck" },
      fmt: { is: "format" },
      "query|cquery|info": { is: "read" }
    }
  },
  swift: {
    subs: {
      test: {
        is: "test",
        also: "build",
        values: "--filter --skip --package-path",
        narrow: "--filter --skip",
        dry: "-l --list-tests list"
      },
      build: { is: "build", also: "typecheck" },
      package: { is: "install" },
      format: { is: "format" }
    }
  },
  xcodebuild: {
    whole: "*",
    values: "-scheme -project -workspace -destination -configuration -sdk -derivedDataPath -resultBundlePath",
    narrow: "-only-testing -skip-testing",
    dry: "-list -showsdks -showBuildSettings -showdestinations",
    is: "build",
    targets: {
      "build-for-testing": "build",
      "test-without-building": "test",
      archive: "build",
      clean: "",
      analyze: "lint"
    }
  },
  "fastlane|xctest|xctool": { is: "test", whole: "*" },
  "flutter|dart|very_good|melos|patrol": {
    subs: {
      test: {
        is: "test",
        values: "--name -n --plain-name -N -t --tags -x -r --reporter -j --concurrency --coverage-path",
        narrow: "--name -n --plain-name -N -t --tags"
      },
      "build|compile|build_runner": { is: "build" },
      analyze: { is: "lint", also: "typecheck" },
      format: { is: "format" },
      pub: { is: "install" },
      run: { is: "process" }
    }
  },
  zig: {
    subs: {
      test: { is: "test", also: "build", whole: "*" },
      build: { is: "build", whole: "*", targets: { test: "test build", run: "process" } },
      "build-exe|build-lib|build-obj": { is: "build" },
      fmt: { is: "format" }
    }
  },
  "stack|cabal": {
    subs: {
      "test|v2-test|new-test": { is: "test", also: "build", narrow: "--ta --test-arguments" },
      "build|v2-build|install": { is: "build" },
      "update|setup": { is: "install" }
    }
  },
  "forge|hardhat|truffle|anchor|brownie|ape|scarb|snforge|aptos|sui": {
    subs: {
      "test|move": { is: "test", narrow: "--match-test --match-contract --match-path --mt --mc --mp --grep" },
      "build|compile": { is: "build" },
      fmt: { is: "format" },
      lint: { is: "lint" }
    }
  },
  "terraform|tofu|terragrunt": {
    values: "-chdir",
    subs: {
      test: { is: "test" },
      validate: { is: "lint" },
      fmt: { is: "format" },
      init: { is: "install" },
      plan: { is: "other" },
      "apply|destroy": { is: "deploy" }
    }
  },
  "helm|kustomize|kubeconform|kubeval": {
    subs: {
      "lint|template|kubeconform": { is: "lint" },
      "install|upgrade|rollback|uninstall": { is: "deploy", dry: "--dry-run" },
      test: { is: "test" }
    }
  },
  "bats|shunit2|shellspec|busted|vusted|prove|molecule|kitchen|goss|conftest|opa": {
    is: "test",
    values: "-j --jobs -f --filter -F --formatter",
    dry: "--count --list",
    narrow: "-f --filter --filter-tags",
    whole: "test tests test/ tests/ t t/ spec spec/"
  }
}
