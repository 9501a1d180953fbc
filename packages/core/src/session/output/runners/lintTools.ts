/** What linters and format checkers print, one recogniser each. */
import type { Kind, Recogniser } from "./row.ts"
import { counted, failed, failingItem, groups, locatesNext, none, passed, reads, weak } from "./row.ts"

const lint: ReadonlyArray<Kind> = ["lint"]

export const lintTools = (): ReadonlyArray<Recogniser> => [
  reads(
    "eslint",
    lint,
    [" problem", "Oops! Something went wrong", "too many warnings", "  error  "],
    [
      groups(/^(?:✖|×) \d{1,9} problems? \((?<failed>\d{1,9}) errors?, \d{1,9} warnings?\)/),
      failed(/^(?:ESLint (?:found too many warnings|couldn't find) |Oops! Something went wrong! :\()/),
      locatesNext(/^(?<file>(?:\/|[A-Za-z]:\\|\.)[^\s:][^:]{0,300}\.\w{1,8})$/),
      weak(/^\s{2,8}(?<line>\d{1,7}):\d{1,7}\s{2,12}error\s{2,12}(?<name>\S.{0,400}?)(?:\s{2,200}[\w@/-]{1,100})?$/)
    ]
  ),
  reads(
    "biome",
    lint,
    ["Checked ", "Formatted ", "No files were processed", "Some errors were emitted"],
    [
      passed(/^Checked [1-9]\d{0,8} files? in [\d.µ]{1,12} ?\w{0,3}s\. (?:No fixes applied|Fixed \d{1,9} files?)\.$/),
      groups(/^Found (?<failed>[1-9]\d{0,8}) errors?\.$/),
      failed(/Some errors were emitted while (?:running checks|applying fixes|formatting)\./),
      none(/No files were processed in the specified paths\.$/)
    ],
    { unless: ["Finished in"] }
  ),
  reads(
    "oxlint",
    lint,
    ["Found "],
    [
      passed(/^Found 0 warnings and (?<failed>\d{1,9}) errors?\.$/),
      groups(/^Found [1-9]\d{0,8} warnings? and (?<failed>[1-9]\d{0,8}) errors?\.$/),
      failed(/^Exceeded maximum number of warnings\./)
    ]
  ),
  reads(
    "ruff",
    lint,
    ["All checks passed!", "Found ", "reformatted"],
    [
      passed(/^All checks passed!$/),
      groups(/^Found \d{1,9} errors? \(\d{1,9} fixed, (?<failed>\d{1,9}) remaining\)\.$/),
      failed(/^Found [1-9]\d{0,8} errors?\.$/),
      passed(/^Found [1-9]\d{0,8} errors? \(\d{1,9} fixed\)\.$/)
    ],
    { unless: [" warnings and ", " warning and ", "error TS", " source file"] }
  ),
  reads(
    "black",
    lint,
    [" file would be ", " files would be ", " left unchanged.", " already formatted", "would reformat "],
    [
      failed(/^(?:\d{1,9} files? would be reformatted|would reformat \S|Would reformat: )/),
      passed(/^\d{1,9} files? (?:would be left unchanged\.|left unchanged\.?|already formatted)$/)
    ]
  ),
  reads(
    "flake8",
    lint,
    [".py:"],
    [failingItem(/^(?<file>[^\s:]{1,300}\.pyi?):(?<line>\d{1,7}):\d{1,7}: (?<name>[A-Z]{1,4}\d{2,4}:? .{1,400})$/)],
    { unless: [": error: "] }
  ),
  reads(
    "golangci-lint",
    lint,
    [" issues.", " issues:", " issue:", "level=error", ".go:"],
    [
      passed(/^0 issues\.$/),
      groups(/^(?<failed>[1-9]\d{0,8}) issues?:$/),
      failed(/^(?:level=error msg=|ERRO )/),
      weak(/^(?<file>[^\s:]{1,300}\.go):(?<line>\d{1,7}):\d{1,7}: (?<name>.{1,400} \([a-z][\w-]{1,40}\))$/)
    ]
  ),
  reads(
    "prettier",
    lint,
    ["Prettier code style", "Code style issues", "[error] "],
    [
      passed(/^All matched files use Prettier code style!$/),
      failed(
        /^(?:(?:\[warn\] )?Code style issues (?:were )?found in |\[error\] (?:No files matching|\S{1,200}: SyntaxError))/
      )
    ]
  ),
  reads(
    "rubocop",
    lint,
    [" inspected, "],
    [
      passed(
        /^\d{1,9} files? inspected, (?:no offenses detected|(\d{1,9}) offenses? detected, \1 offenses? corrected)$/
      ),
      failed(/^\d{1,9} files? inspected, (\d{1,9}) offenses? detected(?!, \1 offenses? corrected)/),
      groups(/^(?<file>[^\s:]{1,300}\.\w{1,8}):(?<line>\d{1,7}):\d{1,7}: [CWEF]: (?<name>.{1,400})$/)
    ],
    { whole: true }
  ),
  reads(
    "phpstan",
    ["lint", "typecheck"],
    ["[OK] No errors", "[ERROR] Found "],
    [passed(/^ {0,2}\[OK\] No errors/), groups(/^ {0,2}\[ERROR\] Found (?<failed>\d{1,9}) errors?/)],
    { whole: true }
  ),
  reads(
    "psalm",
    ["lint", "typecheck"],
    ["No errors found!", " errors found", "AFFECTING"],
    [
      passed(/^\s{0,8}No errors found!\s{0,8}$/),
      groups(/^(?<failed>[1-9]\d{0,8}) errors found$/),
      failed(/^FOUND \d{1,9} ERRORS? (?:AND \d{1,9} WARNINGS? )?AFFECTING /)
    ]
  ),
  reads(
    "shellcheck",
    lint,
    ["SC1", "SC2", "SC3"],
    [
      locatesNext(/^In (?<file>\S{1,300}) line (?<line>\d{1,7}):$/),
      failingItem(/^\s{0,400}\^[-^]{0,400} (?<name>SC\d{4} \((?:error|warning|info|style)\): .{1,400})$/)
    ]
  ),
  reads(
    "stylelint",
    lint,
    [" problem"],
    [groups(/^(?<failed>[1-9]\d{0,8}) problems? \(\d{1,9} errors?, \d{1,9} warnings?\)$/)]
  ),
  reads(
    "swiftlint",
    lint,
    ["Done linting!"],
    [groups(/^Done linting! Found \d{1,9} violations?, (?<failed>\d{1,9}) serious in \d{1,9} files?\.$/)],
    { whole: true }
  ),
  reads("credo", lint, ["found no issues"], [passed(/^\d{1,9} mods\/funs, found no issues\.$/)], { whole: true }),
  reads(
    "dart analyze",
    ["lint", "typecheck"],
    ["No issues found!", "error • "],
    [
      passed(/^No issues found!(?: \(ran in .{1,20}\))?$/),
      failingItem(/^\s{1,8}error • (?<name>.{1,300}?) • (?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7} /),
      failingItem(/^\s{1,8}error • (?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7} • (?<name>.{1,300}?) • /)
    ]
  ),
  reads("ktlint", lint, ["Summary error count"], [failed(/^Summary error count /)]),
  reads(
    "markdownlint",
    lint,
    ["Summary: ", " MD0"],
    [
      counted(/^Summary: \d{1,9} error\(s\)$/),
      failingItem(/^(?<file>[^\s:]{1,300}\.mdx?):(?<line>\d{1,7})(?::\d{1,7})? (?:error )?(?<name>MD\d{3}\/.{1,300})$/)
    ]
  ),
  reads(
    "pre-commit",
    lint,
    ["....."],
    [failingItem(/^(?<name>\S.{0,200}?)\.{3,200}Failed$/), passed(/^\S.{0,200}?\.{3,200}Passed$/)]
  )
]
