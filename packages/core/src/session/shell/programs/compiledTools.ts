import type { Table, Tool } from "../tool.ts"

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
    "install|fetch|update|add": "install",
    "doc|package|wasm": "build",
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
    "build|msbuild|publish|pack": "build",
    format: { is: "format", flags: { "--verify-no-changes": "lint format" } },
    "restore|add|tool": "install",
    run: { also: "build" },
    nuget: { subs: { push: "deploy" } }
  }
}

/** Tools of compiled languages, which test and build with one program. */
export const compiledTools: Table = {
  go: {
    values: "-C",
    subs: {
      test: { ...goTest, runner: "go test" },
      "build|install": { is: "build", also: "typecheck", runner: "go build" },
      vet: { is: "lint", also: "typecheck", runner: "go vet" },
      fmt: { is: "format", runner: "gofmt" },
      "mod|get|work": { is: "install", subs: { verify: "other", "why|graph|edit": "read" } },
      "list|doc|env|version": "read",
      generate: "write",
      run: { also: "build" }
    }
  },
  gotestsum: { ...goTest, runner: "go test" },
  "ginkgo|richgo|gotest|gow": { ...goTest, runner: "go test", subs: { "run|test": { ...goTest, runner: "go test" } } },
  cargo,
  cross: cargo,
  "bacon|trunk": { is: "process", subs: { build: "build" } },
  rustc: "build",
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
      "compile|uberjar|jar": "build",
      deps: "install"
    }
  },
  dotnet,
  "nunit3-console|xunit.console|vstest.console": { is: "test", whole: "*" },
  msbuild: "build",
  rebar3: { subs: { "eunit|ct|proper": "test", compile: "build", dialyzer: "typecheck" } },
  gleam: {
    subs: { test: "test", build: "build", check: "typecheck", format: "format" }
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
      compile: "build",
      install: "install"
    }
  },
  "gcc|g++|clang|clang++|cc|c++|javac|kotlinc|scalac|ghc|nvcc|ldc2|dmd|nim|fpc|gfortran|rustdoc|wasm-pack|emcc|swiftc|crystal|protoc|buf|flatc|ocamlfind|dune":
    {
      is: "build",
      subs: {
        "runtest|test": "test",
        "lint|breaking": "lint",
        "format|fmt": "format",
        build: "build",
        spec: "test"
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
      build: "build",
      run: { also: "build" },
      lint: "lint",
      check: "typecheck",
      fmt: "format",
      "query|cquery|info": "read"
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
      package: "install",
      format: "format"
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
      "build|compile|build_runner": "build",
      analyze: { is: "lint", also: "typecheck" },
      format: "format",
      pub: "install",
      run: "process"
    }
  },
  zig: {
    subs: {
      test: { is: "test", also: "build", whole: "*" },
      build: { is: "build", whole: "*", targets: { test: "test build", run: "process" } },
      "build-exe|build-lib|build-obj": "build",
      fmt: "format"
    }
  },
  "stack|cabal": {
    subs: {
      "test|v2-test|new-test": { is: "test", also: "build", narrow: "--ta --test-arguments" },
      "build|v2-build|install": "build",
      "update|setup": "install"
    }
  },
  "forge|hardhat|truffle|anchor|brownie|ape|scarb|snforge|aptos|sui": {
    subs: {
      "test|move": { is: "test", narrow: "--match-test --match-contract --match-path --mt --mc --mp --grep" },
      "build|compile": "build",
      fmt: "format",
      lint: "lint"
    }
  }
}
