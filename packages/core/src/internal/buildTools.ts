/**
 * What compilers, bundlers and type checkers print, one recogniser each.
 *
 * @since 0.1.0
 */
import type { Kind, Recogniser } from "./runnerRule.ts"
import { counted, failed, failingItem, groups, locatesLast, none, passed, weak } from "./runnerRule.ts"

const build: ReadonlyArray<Kind> = ["build"]
const compile: ReadonlyArray<Kind> = ["build", "typecheck"]
const check: ReadonlyArray<Kind> = ["build", "typecheck", "lint"]

const typescript = (): ReadonlyArray<Recogniser> => [
  {
    runner: "tsc",
    kinds: compile,
    needles: ["error TS", "Found "],
    unless: ["Found 0 warnings", " fixable "],
    rules: [
      failingItem(/^(?<file>[^\s(:][^(:]{0,300})\((?<line>\d{1,7}),\d{1,7}\): error (?<name>TS\d{1,6}: .{1,600})/),
      failingItem(/^(?<file>[^\s(:][^(:]{0,300}):(?<line>\d{1,7}):\d{1,7} - error (?<name>TS\d{1,6}: .{1,600})/),
      failingItem(/^error (?<name>TS\d{1,6}: .{1,600})/),
      groups(
        /^Found (?<failed>\d{1,9}) errors?(?: in (?:\d{1,9} files|(?:the same file, starting at: )?\S{1,300}:\d{1,7}))?\.(?: Watching for file changes\.)?$/
      ),
      groups(
        /^Found (?<failed>[1-9]\d{0,8}) errors? in (?:\d{1,9} files|(?:the same file, starting at: )?\S{1,300}:\d{1,7})$/
      ),
      passed(/^(?:\[.{1,30}\] )?Found 0 errors\. Watching for file changes\.$/)
    ]
  },
  {
    runner: "svelte-check",
    kinds: ["typecheck", "lint"],
    needles: ["svelte-check found"],
    whole: true,
    rules: [counted(/^(?:\d{10,16} COMPLETED .{1,60}|svelte-check found \d{1,9} errors?.{0,100})$/)]
  }
]

const pythonTypes = (): ReadonlyArray<Recogniser> => [
  {
    runner: "mypy",
    kinds: ["typecheck", "lint"],
    needles: ["no issues found in", ": error: ", "source file"],
    rules: [
      passed(/^Success: no issues found in \d{1,9} source files?$/),
      groups(/^Found (?<failed>\d{1,9}) errors? in \d{1,9} files? \((?:checked \d{1,9}|errors prevented).{1,80}\)$/),
      weak(/^(?<file>[^\s:]{1,300}\.pyi?):(?<line>\d{1,7}):(?:\d{1,7}:)? error: (?<name>.{1,600})$/)
    ]
  },
  {
    runner: "pyright",
    kinds: ["typecheck", "lint"],
    needles: [" errors, ", " error, "],
    whole: true,
    rules: [
      counted(/^\d{1,9} errors?, \d{1,9} warnings?, \d{1,9} (?:informations?|notes?) ?$/),
      groups(/^\s{0,4}(?<file>\S{1,300}\.pyi?):(?<line>\d{1,7}):\d{1,7} - error: (?<name>.{1,600})$/)
    ]
  },
  {
    runner: "ty",
    kinds: ["typecheck", "lint"],
    needles: [" diagnostic"],
    whole: true,
    rules: [groups(/^Found (?<failed>\d{1,9}) diagnostics?$/)]
  }
]

const compilers = (): ReadonlyArray<Recogniser> => [
  {
    runner: "cargo",
    kinds: check,
    needles: ["could not compile", "error[E", "    Finished ", "error: ", "Diff in "],
    rules: [
      passed(/^ {4}Finished (?:`[\w-]{1,60}` profile|\w{1,60}) \[.{1,60}\] target\(s\) in /),
      failed(/^error: could not compile `/),
      failingItem(/^error\[E\d{1,6}\]: (?<name>.{1,600})$/),
      failed(
        /^error: (?:failed to (?:parse manifest|load manifest|run custom build command|select a version|get `)|no such command: |package ID specification|could not find `Cargo\.toml`|manifest path `|aborting due to )/
      ),
      failed(/^Diff in .{1,300}:\d{1,7}:$/),
      locatesLast(/^\s{1,8}--> (?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}$/)
    ]
  },
  {
    runner: "go",
    kinds: check,
    needles: [".go:", "go: ", "no required module"],
    rules: [
      {
        on: /^(?:vet: )?(?<file>\.{0,2}\/?[\w.@/-]{1,300}\.go):(?<line>\d{1,7}):\d{1,7}: (?!.{0,400} \([a-z][\w-]{1,40}\)$)(?<name>.{1,600})$/,
        proves: "failed",
        weak: true
      },
      failed(
        /^go: (?:cannot find main module|updates to go\.mod needed|no such tool|cannot load |.{1,200}: (?:no matching versions|unknown revision|missing go\.sum entry))/
      ),
      failed(/^(?:.{1,200}: )?no required module provides package /),
      failed(/^(?:package \S{1,200}|.{1,200}: package \S{1,200}) is not in (?:std|GOROOT)/),
      failed(/^(?:build constraints exclude all Go files|pattern \S{1,100}: no matching files found)/)
    ]
  },
  {
    runner: "cc",
    kinds: compile,
    needles: ["error: ", "ld: ", "ld returned", "undefined reference"],
    rules: [
      failingItem(
        /^(?<file>(?!error)[^\s:"'`]{1,300}\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|m|mm|cu|swift|S|inc)):(?<line>\d{1,7}):(?:\d{1,7}:)? (?:fatal )?error: (?<name>.{1,600})$/
      ),
      failed(/^collect2: error: ld returned \d{1,3} exit status$/),
      failed(/^(?:clang|clang\+\+|gcc|g\+\+|cc)(?:-\d{1,3})?: (?:fatal )?error: /),
      failed(/^(?:\S{0,200}\/)?ld(?:\.\w{1,10})?: .{1,400}: undefined reference to /)
    ]
  },
  {
    runner: "cmake",
    kinds: compile,
    needles: ["ninja: build stopped", "CMake Error", "ninja: error"],
    rules: [
      failed(/^ninja: (?:build stopped: |error: )/),
      failingItem(/^CMake Error at (?<file>[^\s:]{1,300}):(?<line>\d{1,7}) \((?<name>.{1,200})\):$/),
      failed(/^CMake Error: /)
    ]
  },
  {
    runner: "javac",
    kinds: compile,
    needles: [": error: "],
    rules: [failingItem(/^(?<file>[^\s:]{1,300}\.java):(?<line>\d{1,7}): error: (?<name>.{1,600})$/)]
  },
  {
    runner: "maven",
    kinds: build,
    needles: ["BUILD SUCCESS", "BUILD FAILURE", "COMPILATION ERROR", "[ERROR] "],
    rules: [
      passed(/^(?:\[INFO\] )?BUILD SUCCESS$/),
      failed(/^(?:\[(?:INFO|ERROR)\] )?(?:BUILD FAILURE|COMPILATION ERROR ?:)/),
      failingItem(/^\[ERROR\] (?<file>\/?[^\s:[]{1,300}\.\w{2,6}):\[(?<line>\d{1,7}),\d{1,7}\] (?<name>.{1,600})$/),
      failed(/^\[ERROR\] Failed to execute goal /)
    ]
  },
  {
    runner: "dotnet build",
    kinds: check,
    needles: ["Build succeeded", "Build FAILED", "Build failed", ": error "],
    rules: [
      passed(/^\s{0,4}Build succeeded(?:\.| with \d{1,9} warning\(s\) in | in \d)/),
      failed(/^\s{0,4}Build (?:FAILED\.|failed with \d{1,9} error\(s\))/),
      failingItem(
        /^\s{0,6}(?<file>[^\s(:][^(]{0,300}?)\((?<line>\d{1,7})(?:,\d{1,7}){0,3}\): error (?<name>(?:CS|BC|FS|MSB|NETSDK|NU|CA|IDE|RZ|XA)\d{1,6}: .{1,600})$/
      ),
      groups(/^\s{1,8}(?<failed>\d{1,9}) Error\(s\)$/)
    ]
  },
  {
    runner: "swift build",
    kinds: build,
    needles: ["Build complete!", "Compiling for", "error: emit-module", "** BUILD"],
    rules: [
      passed(/^Build complete!/),
      failed(/^error: (?:emit-module command failed|fatalError$)/),
      passed(/^\*\* BUILD SUCCEEDED \*\*/),
      failed(/^\*\* BUILD FAILED \*\*/)
    ]
  },
  {
    runner: "bazel build",
    kinds: build,
    needles: ["Build completed successfully", "did NOT complete successfully"],
    rules: [
      passed(/^INFO: Build completed successfully, \d{1,9} total actions?/),
      failed(/^(?:FAILED|ERROR): Build did NOT complete successfully/)
    ]
  },
  {
    runner: "sbt",
    kinds: compile,
    needles: ["[success] Total time", "Compilation failed", "[error] "],
    rules: [
      passed(/^\[success\] Total time: /),
      failed(/^\[error\] \(.{1,200}\) (?:Compilation failed|.{0,100}Exception)/),
      failingItem(
        /^\[error\] (?:-- .{1,60} Error: )?(?<file>[^\s:]{1,300}\.scala):(?<line>\d{1,7}):\d{1,7}(?::)? ?(?<name>.{1,400})$/
      )
    ]
  },
  {
    runner: "mix compile",
    kinds: check,
    needles: ["Compilation error in file", "(CompileError)", "(Mix)"],
    rules: [
      failed(/^== Compilation error in file /),
      failed(/^\*\* \((?:CompileError|SyntaxError|TokenMissingError|Mix)\) /)
    ]
  },
  {
    runner: "zig build",
    kinds: build,
    needles: ["Build Summary:", "error: "],
    rules: [
      failingItem(/^(?<file>[^\s:]{1,300}\.zig):(?<line>\d{1,7}):\d{1,7}: error: (?<name>.{1,600})$/),
      passed(/^Build Summary: (\d{1,6})\/\1 steps succeeded$/)
    ]
  }
]

const bundlers = (): ReadonlyArray<Recogniser> => [
  {
    runner: "vite",
    kinds: build,
    needles: ["built in ", "error during build:"],
    rules: [passed(/^✓ built in [\d.]{1,12} ?m?s/), failed(/^error during build:/)]
  },
  {
    runner: "rollup",
    kinds: build,
    needles: ["created ", "[!] "],
    rules: [
      passed(/^created \S{1,300}(?:, \S{1,300}){0,10} in [\d.]{1,12} ?m?s$/),
      failed(/^\[!\] (?:\(|\w{0,30}Error)/)
    ]
  },
  {
    runner: "webpack",
    kinds: build,
    needles: [" compiled ", "Compiled ", "Failed to compile", "ERROR in "],
    rules: [
      passed(
        /^(?:webpack|rspack|[\w.-]{1,60} \(webpack|[\w.-]{1,60} \(rspack).{0,60} compiled (?:successfully|with \d{1,6} warnings?)/i
      ),
      failed(/^(?:webpack|rspack|[\w.-]{1,60} \(webpack|[\w.-]{1,60} \(rspack).{0,60} compiled with \d{1,6} errors?/i),
      passed(/^Compiled (?:successfully|with warnings)\.$/),
      failed(/^(?:Failed to compile\.?|Compiled with errors\.)$/),
      failingItem(
        /^ERROR in (?<file>\.{0,2}\/?[^\s:()]{1,300})(?::(?<line>\d{1,7}):\d{1,7}|\((?:\d{1,7},){1,3}\d{1,7}\))?(?: .{0,100})?$/
      )
    ]
  },
  {
    runner: "next build",
    kinds: build,
    needles: ["Route (", "Build error occurred", "Failed to compile", "Build failed because of"],
    rules: [
      passed(/^Route \((?:app|pages)\)/),
      failed(/^(?:> )?Build error occurred$/),
      failed(/^(?:> )?Build failed because of /),
      failed(/^(?:> )?Export encountered (?:an )?errors? /)
    ]
  },
  {
    runner: "esbuild",
    kinds: build,
    needles: ["[ERROR]", "Done in "],
    rules: [
      failingItem(/^✘ \[ERROR\] (?<name>.{1,600})$/),
      locatesLast(/^ {4}(?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}:$/),
      passed(/^⚡ Done in [\d.]{1,12}m?s$/)
    ]
  },
  {
    runner: "tsup",
    kinds: build,
    needles: ["Build success", "Build failed", "Build complete"],
    rules: [
      passed(/^(?:ESM|CJS|DTS|IIFE) ⚡️ Build success in /),
      failed(/^(?:(?:ESM|CJS|DTS|IIFE) )?(?:⚡️ )?Build failed$/),
      passed(/^✔ Build complete in /)
    ]
  },
  {
    runner: "angular",
    kinds: build,
    needles: ["Application bundle generation "],
    whole: true,
    rules: [
      passed(/^Application bundle generation complete\. \[/),
      failed(/^Application bundle generation failed\. \[/)
    ]
  },
  {
    runner: "docker build",
    kinds: build,
    needles: ["failed to solve", "naming to "],
    rules: [
      failed(/^ERROR: failed to (?:solve|build|receive status):? /),
      passed(/^#\d{1,4} naming to \S{1,300} (?:[\d.]{1,8}s )?done$/)
    ]
  },
  {
    runner: "sphinx",
    kinds: build,
    needles: ["build succeeded", "build finished with problems"],
    whole: true,
    rules: [passed(/^build succeeded(?:, \d{1,6} warnings?)?\.$/), failed(/^build finished with problems/)]
  },
  {
    runner: "python build",
    kinds: build,
    needles: ["Successfully built "],
    rules: [passed(/^Successfully built \S{1,200}\.(?:whl|tar\.gz)(?: and \S{1,200}\.(?:whl|tar\.gz))?$/)]
  }
]

const orchestrators = (): ReadonlyArray<Recogniser> => [
  {
    runner: "turbo",
    kinds: ["tests", "build", "typecheck", "lint"],
    needles: [" Tasks:", " Failed:", "No tasks were executed"],
    unless: ["Tests  ", "Tests:"],
    rules: [
      passed(/^ {1,2}Tasks: {4}([1-9]\d{0,5}) successful, \1 total$/),
      failed(/^ {1,2}Failed: {4}\S{1,200}#\S/),
      none(/^ {1,2}Tasks: {4}0 successful, 0 total$/),
      none(/^No tasks were executed as part of this run/)
    ]
  },
  {
    runner: "nx",
    kinds: ["tests", "build", "typecheck", "lint"],
    needles: ["NX   "],
    unless: ["Tests  ", "Tests:"],
    rules: [
      passed(/^\s{0,4}NX {3}Successfully ran target /),
      failed(/^\s{0,4}NX {3}(?:Running|Ran) target .{1,300} failed$/),
      failed(/^\s{0,4}✖ {1,4}[1-9]\d{0,5}\/\d{1,6} (?:targets )?failed/),
      none(/^\s{0,4}NX {3}No tasks were run/)
    ]
  }
]

export const buildTools = (): ReadonlyArray<Recogniser> => [
  ...typescript(),
  ...pythonTypes(),
  ...compilers(),
  ...bundlers(),
  ...orchestrators()
]
