/** What package managers and shells print when a command could not start, or when the script around it failed. */
import type { Kind, Recogniser } from "./row.ts"
import { failed, reads } from "./row.ts"

/** Runners and checkers, by the names that they are imported or started by. */
const checkers =
  "vitest|jest|mocha|ava|tape?|karma|jasmine|cypress|@?playwright(?:/test)?|typescript|tsx|ts-node|eslint|prettier|webpack|vite|esbuild|rollup|pytest\\w*|nose2?|tox|nox|coverage|mypy|ruff|flake8|pylint|behave"

const checker = new RegExp(`(?:^|[\\s'"\`/])(?:${checkers})(?:$|[\\s'"\`:,])`)

/** Whether a line names a known runner or checker. */
export const namesChecker = (line: string): boolean => checker.test(line)

const all: ReadonlyArray<Kind> = ["tests", "build", "typecheck", "lint"]

/** A script ended with a failure, and this alone does not say which of its commands. */
export const scriptFailures = (): ReadonlyArray<Recogniser> => [
  reads(
    "make",
    all,
    ["*** [", "*** No rule", "*** missing separator"],
    [
      failed(
        /^g?make(?:\[\d{1,3}\])?: \*\*\* \[.{1,300}\] (?:Error \d{1,3}|Segmentation fault|Killed)(?! \(ignored\))/
      ),
      failed(/^(?:g?make(?:\[\d{1,3}\])?: \*\*\* No rule to make target |\S{1,200}:\d{1,7}: \*\*\* )/)
    ]
  ),
  reads(
    "npm",
    all,
    ["npm ERR! ", "npm error "],
    [
      failed(/^npm (?:ERR!|error) (?:[Mm]issing script: |Test failed\.|Lifecycle script )/),
      failed(
        /^npm (?:ERR!|error) (?:code (?:ELIFECYCLE|\d{1,3}|E[A-Z]{3,20})|errno \d|command failed|could not determine executable)/
      )
    ]
  ),
  reads(
    "pnpm",
    all,
    ["ELIFECYCLE", "ERR_PNPM_"],
    [failed(/^.{0,120}\b(?:ELIFECYCLE\b.{0,20} (?:Test|Command) failed|ERR_PNPM_[A-Z_]{3,60}\b)/)]
  ),
  reads(
    "yarn",
    all,
    ["error Command ", "Usage Error: "],
    [
      failed(
        /^(?:error Command (?:failed with (?:exit code \d{1,3}|signal )|"\S{1,100}" not found)|Usage Error: Couldn't find a script named )/
      )
    ]
  ),
  reads(
    "bun",
    all,
    ["error: script ", "error: Script "],
    [failed(/^error: (?:script "\S{1,100}" exited with code [1-9]|Script not found )/)]
  ),
  reads(
    "just",
    all,
    ["error: Recipe ", "error: recipe ", "error: Justfile does not contain"],
    [failed(/^error: (?:[Rr]ecipe `\S{1,100}` failed |Justfile does not contain recipe)/)]
  ),
  reads(
    "task",
    all,
    ["task: Failed to run task", 'task: Task "'],
    [failed(/^task: (?:Failed to run task "\S{1,100}": |Task "\S{1,100}" does not exist)/)]
  ),
  reads("composer", all, ["returned with error code"], [failed(/^Script .{1,300} returned with error code [1-9]/)]),
  reads(
    "cargo",
    all,
    ["error: process didn't exit successfully"],
    [failed(/^error: process didn't exit successfully: /)]
  ),
  reads("lerna", all, ["lerna ERR! "], [failed(/^lerna ERR! /)]),
  reads("rake", all, ["rake aborted!", "bin/rails aborted!"], [failed(/^(?:rake|bin\/rails) aborted!$/)])
]

/** A command was never started, or died before it could do its work. */
export const setupFailures = (): ReadonlyArray<Recogniser> => [
  reads(
    "shell",
    all,
    ["not found", "No such file or directory", "Permission denied"],
    [
      failed(
        /^(?:\/\S{1,40}\/)?(?:ba|z|da|k|fi)?sh: (?:line )?(?:\d{1,6}: )?[^\s:]{1,200}: (?:command not found|not found|No such file or directory|Permission denied)$/
      ),
      failed(/^(?:\S{1,100}: )?(?:line \d{1,6}: )[^\s:]{1,200}: command not found$/),
      failed(/^\S{1,40}(?::\d{1,6})?: command not found: \S{1,200}$/),
      failed(/^env: [‘'"]?\S{1,200}?[’'"]?: No such file or directory$/),
      failed(/^bundler: command not found: \S/)
    ]
  ),
  reads(
    "node",
    all,
    ["Cannot find module", "Cannot find package", "SyntaxError: ", "ERR_", "Could not find '"],
    [failed(/^(?:Error: Cannot find module '|Could not find '\S{1,300}'$|(?:Type)?Error \[ERR_\w{3,60}\]: )/)]
  ),
  reads(
    "python",
    all,
    ["No module named", "can't open file", "Error: "],
    [
      failed(
        /^\S{0,200}python[\d.]{0,6}(?:\.exe)?: (?:No module named |can't open file |Error while finding module specification)/
      ),
      failed(
        /^(?:ModuleNotFoundError: No module named |ImportError: cannot import name |(?:Syntax|Indentation|Tab)Error: )/
      )
    ]
  ),
  reads(
    "java",
    all,
    ["Could not find or load main class", "Unable to locate a Java Runtime"],
    [failed(/Could not find or load main class |Unable to locate a Java Runtime/)]
  ),
  reads(
    "docker",
    all,
    ["Cannot connect to the Docker daemon", "no configuration file provided"],
    [failed(/^(?:.{0,40}: )?(?:Cannot connect to the Docker daemon|no configuration file provided: not found)/)]
  )
]

/**
 * What was to be run is not there: no such script, no such program, none of its own parts. Nothing was checked then, and
 * nothing failed.
 */
export const absences = (): ReadonlyArray<Recogniser> => [
  ...setupFailures().filter(({ runner }) => runner === "shell" || runner === "java" || runner === "docker"),
  reads(
    "shell",
    all,
    [
      "is not recognized",
      "Unknown command: ",
      "executable file not found",
      "file was not found",
      ": No such file or directory",
      ": no such file or directory: "
    ],
    [
      failed(/^['"‘]?[^'"‘’]{1,200}['"’]? is not recognized as an internal or external command\b/),
      failed(/^(?:\S{1,60}: )?The term ['"‘][^'"‘’]{1,200}['"’] is not recognized as (?:a|the) name of a cmdlet\b/),
      failed(/^(?:fish: )?Unknown command: \S/),
      failed(/\bexec: "\S{1,200}": (?:executable file not found in \$PATH|stat .{1,200}: no such file)/),
      failed(/^Could not execute because the specified command or file was not found\.$/),
      failed(/^(?:\/\S{1,40}\/)?env: [‘'"]?\S{1,200}?[’'"]?: No such file or directory$/),
      failed(/^\S{1,40}(?::\d{1,6})?: no such file or directory: \S{1,200}$/)
    ]
  ),
  reads(
    "python",
    all,
    ["No module named", "can't open file", "Failed to spawn", "ommand not found:", "No such file or directory: '"],
    [
      failed(/^\S{0,200}python[\d.]{0,6}(?:\.exe)?: (?:No module named |can't open file )/),
      failed(/^FileNotFoundError: \[Errno 2\] No such file or directory: '[\w.-]{1,60}'$/),
      failed(new RegExp(`^ModuleNotFoundError: No module named '(?:${checkers})'`)),
      failed(/^(?:error: )?Failed to spawn: ['"`]|^Command not found: \S/)
    ]
  ),
  reads(
    "node",
    all,
    ["Cannot find module", "Cannot find package", "Could not find '"],
    [
      failed(new RegExp(`^(?:.{0,80}Error.{0,40}: )?Cannot find (?:module|package) '(?:${checkers})'`)),
      failed(/^Error: Cannot find module '.{0,200}\bnode_modules\b.{0,200}'$|^Could not find '\S{1,300}'$/)
    ]
  ),
  reads(
    "scripts",
    all,
    [
      "issing script",
      "could not determine executable",
      "ERR_PNPM_",
      "not found",
      "Couldn't find a script named",
      "No rule to make target",
      "does not contain recipe",
      "does not exist",
      "Don't know how to build task",
      "no such command",
      "is not defined",
      "Could not open input file",
      "could not be found",
      "there is no POM in this directory",
      "MSB1003",
      "package.json",
      "npx canceled",
      "Unable to access jarfile"
    ],
    [
      failed(/^npm (?:ERR!|error) (?:enoent )?Could not read package\.json\b|^error Couldn't find a package\.json\b/),
      failed(/^npm (?:ERR!|error) npx canceled\b|^Error: Unable to access jarfile /),
      failed(
        /^npm (?:ERR!|error) (?:Missing script: |could not determine executable)|^npm (?:ERR!|error) missing script: /
      ),
      failed(
        /\bERR_PNPM_(?:NO_SCRIPT|RECURSIVE_RUN_NO_SCRIPT|NO_IMPORTER_MANIFEST_FOUND)\b|\bERR_PNPM_\w{3,60}\b.{0,20}Command "\S{1,100}" not found/
      ),
      failed(
        /^error (?:Command|Couldn't find.{0,20}) "\S{1,100}" not found|^Usage Error: Couldn't find a script named /
      ),
      failed(/^error: (?:Script not found |Justfile does not contain recipe|no such command: )/),
      failed(/^g?make(?:\[\d{1,3}\])?: \*\*\* No rule to make target [^,]{1,300}\. {1,2}Stop\.$/),
      failed(/^task: Task "\S{1,100}" does not exist|^(?:rake aborted!\s)?Don't know how to build task /),
      failed(/^\s{0,4}(?:Command "\S{1,100}" is not defined\.|Could not open input file: )/),
      failed(/^(?:Task '\S{1,100}' not found in |\*\* \(Mix\) The task "\S{1,100}" could not be found)/),
      failed(/there is no POM in this directory|^MSBUILD : error MSB1003/)
    ]
  )
]
