/** What package managers and shells print when a script failed, or when what was to be run could not begin. */
import { type Row, rowOf } from "./reading.ts"

/** Runners and checkers, by the names that they are imported or started by. */
const checkers =
  "vitest|jest|mocha|ava|karma|cypress|@?playwright(?:/test)?|typescript|tsx|ts-node|eslint|prettier|webpack|vite|esbuild|rollup|pytest\\w*|nose2?|tox|nox|coverage|mypy|ruff|flake8|pylint|behave"

const checker = new RegExp(`(?:^|[\\s'"\`/])(?:${checkers})(?:$|[\\s'"\`:,])`)

/** Whether a line names a known runner or checker. */
export const namesChecker = (line: string): boolean => checker.test(line)

export const absences: ReadonlyArray<Row> = [
  // A script failed, and this alone does not say which of its commands: npm, pnpm, make, Yarn, Bun, just, Task and others.
  rowOf("script", ["script"], {
    failed: [
      /^npm (?:ERR!|error) (?:[Mm]issing script: |Test failed\.|Lifecycle script |errno \d|command failed|could not determine executable)/,
      /^npm (?:ERR!|error) code (?:ELIFECYCLE|\d|E[A-Z])/,
      /^(?:\S{1,80} ?)?\s{0,4}(?:ELIFECYCLE\b.{0,20} (?:Test|Command) failed|ERR_PNPM_[A-Z_]{3,60}\b)/,
      /^g?make(?:\[\d+\])?: \*\*\* (?:No rule to make target |\[.+\] (?:Error \d+|Segmentation fault|Killed)(?! \(ignored\)))/,
      /^error (?:Command (?:failed with (?:exit code \d|signal )|"\S+" not found))|^Usage Error: Couldn't find a script named /,
      /^error: (?:script "\S+" exited with code [1-9]|Script not found |[Rr]ecipe `\S+` failed |Justfile does not contain recipe)/,
      /^task: (?:Failed to run task "\S+": |Task "\S+" does not exist)|^Script .+ returned with error code [1-9]/,
      /^error: process didn't exit successfully: |^lerna ERR! |^(?:rake|bin\/rails) aborted!$/
    ]
  }),
  rowOf("code", ["broken"], {
    failed: [
      /^(?:Error: Cannot find module '|Could not find '\S+'$|(?:Type)?Error \[ERR_\w+\]: )/,
      /^\S*python[\d.]*(?:\.exe)?: (?:No module named |can't open file |Error while finding module specification)/,
      /^(?:ModuleNotFoundError: No module named |ImportError: cannot import name |(?:Syntax|Indentation|Tab)Error: )/
    ]
  }),
  rowOf("shell", ["broken", "absent"], {
    failed: [
      /^(?:\/\S+\/)?(?:ba|z|da|k|fi)?sh: (?:line )?(?:\d+: )?[^\s:]+: (?:command not found|not found|No such file or directory|Permission denied)$/,
      /^(?:\S+: )?line \d+: [^\s:]+: command not found$|^\S+?(?::\d+)?: command not found: \S+$/,
      /^(?:\/\S+\/)?env: \S+: No such file or directory$/
    ]
  }),
  rowOf("environment", ["broken", "absent"], {
    failed: [
      /^(?:Error: )?Could not find or load main class |^Unable to locate a Java Runtime/,
      /^(?:.{0,40}: )?(?:Cannot connect to the Docker daemon|no configuration file provided: not found)/
    ]
  }),
  rowOf("shell", ["absent"], {
    failed: [
      /^(?:\S{1,60}: )?(?:The term )?['"‘]?[^'"‘’]{1,200}['"’]? is not recognized as (?:an internal or external command|(?:a|the) name of a cmdlet)\b/,
      /^(?:.{1,300}: )?exec: "\S+": (?:executable file not found in \$PATH|stat .+: no such file)/,
      /^(?:fish: )?Unknown command: \S|^\S+?(?::\d+)?: no such file or directory: \S+$/,
      /^Could not execute because the specified command or file was not found\.$/
    ]
  }),
  rowOf("runner", ["absent"], {
    failed: [
      /^\S*python[\d.]*(?:\.exe)?: (?:No module named |can't open file )/,
      /^FileNotFoundError: \[Errno 2\] No such file or directory: '[\w.-]+'$/,
      /^(?:error: )?Failed to spawn: ['"`]|^Command not found: \S/,
      new RegExp(`^(?:.{0,80}Error.{0,40}: )?(?:Cannot find (?:module|package)|No module named) '(?:${checkers})'`),
      /^Error: Cannot find module '.*\bnode_modules\b.*'$|^Could not find '\S+'$/
    ]
  }),
  rowOf("script", ["absent"], {
    failed: [
      /^npm (?:ERR!|error) (?:enoent )?(?:Could not read package\.json\b|npx canceled\b|[Mm]issing script: |could not determine executable)/,
      /^(?:error Couldn't find a package\.json\b|Error: Unable to access jarfile |\[ERROR\] .{0,80}there is no POM in this|MSBUILD : error MSB1003)/,
      /^(?:\S{1,80} ?)?\s{0,4}ERR_PNPM_(?:(?:RECURSIVE_RUN_)?NO_SCRIPT|NO_IMPORTER_MANIFEST_FOUND|\w+\b.{0,20}Command "\S+" not found)/,
      /^error (?:Command|Couldn't find.{0,20}) "\S+" not found|^Usage Error: Couldn't find a script named /,
      /^error: (?:Script not found |Justfile does not contain recipe|no such command: )|^task: Task "\S+" does not exist/,
      /^g?make(?:\[\d+\])?: \*\*\* No rule to make target [^,]+\. {1,2}Stop\.$|^Don't know how to build task /,
      /^\s*(?:Command "\S+" is not defined\.|Could not open input file: |Task '\S+' not found in )|^\*\* \(Mix\) The task "\S+" could not be found/
    ]
  })
]
