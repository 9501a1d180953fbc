/** Recognises the output of compilers, type checkers, linters, bundlers and task runners. A finding has a name. */
import { type Row, rowOf } from "./reading.ts"

export const checkTools: ReadonlyArray<Row> = [
  // tsc. GCC, Clang, javac, swiftc and Zig print similar lines.
  rowOf("compiler", ["build", "typecheck"], {
    total: [/^(?:\[.{1,30}\] )?Found \d+ errors?(?:\. Watching| in (?!\d+ files? \())/],
    failed: [
      /^(?<file>[^\s(:][^(:]{0,300})[(:](?<line>\d+)[,:]\d+(?:\):| -) error (?<name>TS\d+: .+)/,
      /^error (?<name>TS\d+: .+)/,
      /^(?<file>(?!error)[^\s:"'`]{1,300}\.(?:[cChmS]|cc|cpp|cxx|hh|hpp|mm|cu|swift|java|zig)):(?<line>\d+):(?:\d+:)? (?:fatal )?error: (?<name>.+)$/,
      /^(?:collect2: error: ld returned \d|(?:clang|gcc|g)[+]{0,2}(?:-\d+)?: (?:fatal )?error: |(?:\S{0,200}\/)?ld(?:\.\w+)?: .+: undefined reference)/,
      /^ninja: (?:build stopped: |error: )|^CMake Error\b/
    ]
  }),
  // Cargo, Go, .NET, Mix.
  rowOf("toolchain", ["build", "typecheck", "lint"], {
    passed: [/^ {4}Finished .+ target\(s\) in /, /^\s*Build succeeded(?:\.$| with \d| in \d)/],
    failed: [
      /^error\[E\d+\]: (?<name>.+)$|^Diff in .+:\d+:$/,
      /^error: (?:could not compile `|failed to (?:parse|load|run|select|get)\b|no such command: |could not find `Cargo|manifest path `|aborting due to )/,
      // golangci-lint prints the linter's name after a finding.
      /^(?:vet: )?(?<file>\.{0,2}\/?[\w.@/-]+\.go):(?<line>\d+):\d+: (?!.* \([a-z][\w-]+\)$)(?<name>.+)$/,
      /^go: (?:cannot find main module|updates to go\.mod needed|no such tool|cannot load |.+: (?:no matching versions|unknown revision|missing go\.sum entry))/,
      /^(?:.+: )?(?:no required module provides package |package \S+ is not in |build constraints exclude all Go files)/,
      /^\s*(?<file>[^\s(:][^(]{0,300}?)\((?<line>\d+)(?:,\d+){0,3}\): error (?<name>(?!TS)[A-Z]{2,6}\d+: .+)$/,
      /^\s*Build (?:FAILED\.|failed with \d)|^== Compilation error in file |^\*\* \((?:Compile|Syntax|TokenMissing)Error\) /
    ]
  }),
  // Maven, Vite, Rollup, webpack, Next.js, esbuild, Swift, Bazel, Docker.
  rowOf("builder", ["build"], {
    passed: [
      /^(?:✓ built in |Compiled successfully|Route \((?:app|pages)\)|⚡ Done in |Build complete!|INFO: Build completed successfully)/,
      /^(?:(?:\[INFO\] )?BUILD SUCCESS$|created \S.* in [\d.]+ ?m?s$|\*\* BUILD SUCCEEDED \*\*|#\d+ naming to \S+ .*done$)/,
      /^(?:[\w.-]+ \()?(?:[Ww]eb|[Rr]s)pack.{0,60} compiled (?:successfully|with \d+ warning)/
    ],
    failed: [
      /^\[ERROR\] (?<file>\/?[^\s:[]+\.\w{2,6}):\[(?<line>\d+),\d+\] (?<name>.+)$/,
      /^(?:\[(?:INFO|ERROR)\] )?(?:BUILD FAILURE|COMPILATION ERROR ?:|Failed to execute goal )/,
      /^(?:error during build:|\[!\] |Failed to compile|✘ \[ERROR\] |\*\* BUILD FAILED \*\*|ERROR: (?:failed to (?:solve|build)|Build did NOT))/,
      /^(?:> )?Build (?:error occurred$|failed because of )|^FAILED: Build did NOT complete|^error: emit-module command failed/,
      /^(?:[\w.-]+ \()?(?:[Ww]eb|[Rr]s)pack.{0,60} compiled with \d+ error/
    ]
  }),
  // mypy, Pyright, PHPStan, Dart.
  rowOf("checker", ["typecheck", "lint"], {
    total: [
      /^(?:Success: no issues found in \d|Found \d+ errors? in \d+ files? \()/,
      /^\d+ errors?, \d+ warnings?, \d+ (?:informations?|notes?) ?$/
    ],
    passed: [/^ {0,2}\[OK\] No errors|^No issues found!/],
    failed: [
      /^\s*(?<file>[^\s:]+\.pyi?):(?<line>\d+):(?:\d+(?::| -))? error: (?<name>.+)$/,
      /^ {0,2}\[ERROR\] Found (?<failed>\d+) errors?/,
      /^\s+error • (?<name>.+?) • (?<file>[^\s:]+):(?<line>\d+):\d+ /
    ]
  }),
  // ESLint, oxlint, Biome, Ruff, Flake8, golangci-lint, RuboCop, Prettier, Black, pre-commit.
  rowOf("linter", ["lint"], {
    total: [
      /^[✖×] \d+ problems? \(\d+ errors?, \d+ warnings?\)/,
      /^Found (?:0 warnings and \d+|\d+ warnings? and [1-9]\d*) errors?\.$/
    ],
    passed: [
      /^Checked [1-9]\d* files? in .+\. (?:No fixes applied|Fixed \d+ files?)\.$/,
      /^All checks passed!$|^Found \d+ errors? \(\d+ fixed(?:, 0 remaining)?\)\.$|^0 issues\.$/,
      /^\d+ files? inspected, (?:no offenses detected|(\d+) offenses? detected, \1 offenses? corrected)$/,
      /^(?:All matched files use |\d+ files? (?:would be left unchanged|left unchanged|already formatted))/,
      /^\S.{0,200}\.{3}Passed$/
    ],
    failed: [
      /^\s{2,8}(?<line>\d+):\d+\s+error\s+(?<name>\S.*?)(?:\s{2,200}[\w@/-]+)?$/,
      /^(?<file>[^\s:]+\.pyi?):(?<line>\d+):\d+: (?<name>[A-Z]{1,4}\d{2,4}:? .+)$/,
      /^(?<file>[^\s:]+\.go):(?<line>\d+):\d+: (?<name>.+ \([a-z][\w-]+\))$/,
      /^(?:ESLint (?:found too many warnings|couldn't find )|Oops! Something went wrong! :\(|Exceeded maximum number of warnings\.)/,
      /^.*Some errors were emitted while (?:running checks|applying fixes|formatting)\./,
      /^Found (?:\d+ errors? \(\d+ fixed, )?(?<failed>[1-9]\d*)(?: errors?\.| remaining\)\.)$/,
      /^(?<failed>[1-9]\d*) issues?:$|^(?:level=error msg=|ERRO )/,
      /^\d+ files? inspected, (\d+) offenses? detected(?!, \1 offenses? corrected)/,
      /^(?:\d+ files? would be reformatted|[Ww]ould reformat:? \S|(?:\[warn\] )?Code style issues )/,
      /^(?<name>\S.{0,200}?)\.{3,200}Failed$/
    ],
    none: [/^.*No files were processed in the specified paths\.$/]
  }),
  // Turborepo and Nx, if the tests' own totals are missing.
  rowOf("orchestrator", ["tests", "build", "typecheck", "lint"], {
    passed: [/^ {1,2}Tasks: {4}([1-9]\d*) successful, \1 total$/, /^\s*NX {3}Successfully ran target /],
    failed: [
      /^ {1,2}Failed: {4}\S+#\S|^\s*(?:NX {3}(?:Running|Ran) target .+ failed$|✖ +\d+\/\d+ (?:targets )?failed)/
    ],
    none: [
      /^(?: {1,2}Tasks: {4}0 successful, 0 total$|No tasks were executed as part of this run|\s*NX {3}No tasks were run)/
    ],
    unless: /^.{0,80}Tests(?::| {2})/m
  })
]
