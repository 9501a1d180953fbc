/** What compilers, bundlers and type checkers print, one recogniser each. */
import type { Kind, Recogniser } from "./row.ts"
import { counted, failed, failingItem, groups, locatesLast, none, passed, reads, weak } from "./row.ts"

const build: ReadonlyArray<Kind> = ["build"]
const compile: ReadonlyArray<Kind> = ["build", "typecheck"]
const check: ReadonlyArray<Kind> = ["build", "typecheck", "lint"]

const typescript = (): ReadonlyArray<Recogniser> => [
  reads(
    "tsc",
    compile,
    ["error TS", "Found "],
    [
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
    ],
    { unless: ["Found 0 warnings", " fixable "] }
  ),
  reads(
    "svelte-check",
    ["typecheck", "lint"],
    ["svelte-check found"],
    [counted(/^(?:\d{10,16} COMPLETED .{1,60}|svelte-check found \d{1,9} errors?.{0,100})$/)],
    { whole: true }
  )
]

const pythonTypes = (): ReadonlyArray<Recogniser> => [
  reads(
    "mypy",
    ["typecheck", "lint"],
    ["no issues found in", ": error: ", "source file"],
    [
      passed(/^Success: no issues found in \d{1,9} source files?$/),
      groups(/^Found (?<failed>\d{1,9}) errors? in \d{1,9} files? \((?:checked \d{1,9}|errors prevented).{1,80}\)$/),
      weak(/^(?<file>[^\s:]{1,300}\.pyi?):(?<line>\d{1,7}):(?:\d{1,7}:)? error: (?<name>.{1,600})$/)
    ]
  ),
  reads(
    "pyright",
    ["typecheck", "lint"],
    [" errors, ", " error, "],
    [
      counted(/^\d{1,9} errors?, \d{1,9} warnings?, \d{1,9} (?:informations?|notes?) ?$/),
      groups(/^\s{0,4}(?<file>\S{1,300}\.pyi?):(?<line>\d{1,7}):\d{1,7} - error: (?<name>.{1,600})$/)
    ],
    { whole: true }
  ),
  reads("ty", ["typecheck", "lint"], [" diagnostic"], [groups(/^Found (?<failed>\d{1,9}) diagnostics?$/)], {
    whole: true
  })
]

const compilers = (): ReadonlyArray<Recogniser> => [
  reads(
    "cargo",
    check,
    ["could not compile", "error[E", "    Finished ", "error: ", "Diff in "],
    [
      passed(/^ {4}Finished (?:`[\w-]{1,60}` profile|\w{1,60}) \[.{1,60}\] target\(s\) in /),
      failed(/^error: could not compile `/),
      failingItem(/^error\[E\d{1,6}\]: (?<name>.{1,600})$/),
      failed(
        /^error: (?:failed to (?:parse manifest|load manifest|run custom build command|select a version|get `)|no such command: |package ID specification|could not find `Cargo\.toml`|manifest path `|aborting due to )/
      ),
      failed(/^Diff in .{1,300}:\d{1,7}:$/),
      locatesLast(/^\s{1,8}--> (?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}$/)
    ]
  ),
  reads(
    "go",
    check,
    [".go:", "go: ", "no required module"],
    [
      {
        on: /^(?:vet: )?(?<file>\.{0,2}\/?[\w.@/-]{1,300}\.go):(?<line>\d{1,7}):\d{1,7}: (?!.{0,400} \([a-z][\w-]{1,40}\)$)(?<name>.{1,600})$/,
        proves: "failed",
        weak: true
      },
      failed(
        /^go: (?:cannot find main module|updates to go\.mod needed|no such tool|cannot load |.{1,200}: (?:no matching versions|unknown revision|missing go\.sum entry))/
      ),
      failed(
        /^(?:(?:.{1,200}: )?(?:no required module provides package |package \S{1,200} is not in (?:std|GOROOT))|build constraints exclude all Go files|pattern \S{1,100}: no matching files found)/
      )
    ]
  ),
  reads(
    "cc",
    compile,
    ["error: ", "ld: ", "ld returned", "undefined reference"],
    [
      failingItem(
        /^(?<file>(?!error)[^\s:"'`]{1,300}\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|m|mm|cu|swift|S|inc)):(?<line>\d{1,7}):(?:\d{1,7}:)? (?:fatal )?error: (?<name>.{1,600})$/
      ),
      failed(
        /^(?:collect2: error: ld returned \d{1,3} exit status$|(?:clang(?:\+\+)?|gcc|g\+\+|cc)(?:-\d{1,3})?: (?:fatal )?error: |(?:\S{0,200}\/)?ld(?:\.\w{1,10})?: .{1,400}: undefined reference to )/
      )
    ]
  ),
  reads(
    "cmake",
    compile,
    ["ninja: build stopped", "CMake Error", "ninja: error"],
    [
      failed(/^ninja: (?:build stopped: |error: )/),
      failingItem(/^CMake Error at (?<file>[^\s:]{1,300}):(?<line>\d{1,7}) \((?<name>.{1,200})\):$/),
      failed(/^CMake Error: /)
    ]
  ),
  reads(
    "javac",
    compile,
    [": error: "],
    [failingItem(/^(?<file>[^\s:]{1,300}\.java):(?<line>\d{1,7}): error: (?<name>.{1,600})$/)]
  ),
  reads(
    "maven",
    build,
    ["BUILD SUCCESS", "BUILD FAILURE", "COMPILATION ERROR", "[ERROR] "],
    [
      passed(/^(?:\[INFO\] )?BUILD SUCCESS$/),
      failed(/^(?:\[(?:INFO|ERROR)\] )?(?:BUILD FAILURE|COMPILATION ERROR ?:)/),
      failingItem(/^\[ERROR\] (?<file>\/?[^\s:[]{1,300}\.\w{2,6}):\[(?<line>\d{1,7}),\d{1,7}\] (?<name>.{1,600})$/),
      failed(/^\[ERROR\] Failed to execute goal /)
    ]
  ),
  reads(
    "dotnet build",
    check,
    ["Build succeeded", "Build FAILED", "Build failed", ": error "],
    [
      passed(/^\s{0,4}Build succeeded(?:\.| with \d{1,9} warning\(s\) in | in \d)/),
      failed(/^\s{0,4}Build (?:FAILED\.|failed with \d{1,9} error\(s\))/),
      failingItem(
        /^\s{0,6}(?<file>[^\s(:][^(]{0,300}?)\((?<line>\d{1,7})(?:,\d{1,7}){0,3}\): error (?<name>(?:CS|BC|FS|MSB|NETSDK|NU|CA|IDE|RZ|XA)\d{1,6}: .{1,600})$/
      ),
      groups(/^\s{1,8}(?<failed>\d{1,9}) Error\(s\)$/)
    ]
  ),
  reads(
    "swift build",
    build,
    ["Build complete!", "Compiling for", "error: emit-module", "** BUILD"],
    [
      passed(/^Build complete!/),
      failed(/^error: (?:emit-module command failed|fatalError$)/),
      passed(/^\*\* BUILD SUCCEEDED \*\*/),
      failed(/^\*\* BUILD FAILED \*\*/)
    ]
  ),
  reads(
    "bazel build",
    build,
    ["Build completed successfully", "did NOT complete successfully"],
    [
      passed(/^INFO: Build completed successfully, \d{1,9} total actions?/),
      failed(/^(?:FAILED|ERROR): Build did NOT complete successfully/)
    ]
  ),
  reads(
    "sbt",
    compile,
    ["[success] Total time", "Compilation failed", "[error] "],
    [
      passed(/^\[success\] Total time: /),
      failed(/^\[error\] \(.{1,200}\) (?:Compilation failed|.{0,100}Exception)/),
      failingItem(
        /^\[error\] (?:-- .{1,60} Error: )?(?<file>[^\s:]{1,300}\.scala):(?<line>\d{1,7}):\d{1,7}(?::)? ?(?<name>.{1,400})$/
      )
    ]
  ),
  reads(
    "mix compile",
    check,
    ["Compilation error in file", "(CompileError)", "(Mix)"],
    [failed(/^== Compilation error in file /), failed(/^\*\* \((?:CompileError|SyntaxError|TokenMissingError|Mix)\) /)]
  ),
  reads(
    "zig build",
    build,
    ["Build Summary:", "error: "],
    [
      failingItem(/^(?<file>[^\s:]{1,300}\.zig):(?<line>\d{1,7}):\d{1,7}: error: (?<name>.{1,600})$/),
      passed(/^Build Summary: (\d{1,6})\/\1 steps succeeded$/)
    ]
  )
]

const bundlers = (): ReadonlyArray<Recogniser> => [
  reads(
    "vite",
    build,
    ["built in ", "error during build:"],
    [passed(/^✓ built in [\d.]{1,12} ?m?s/), failed(/^error during build:/)]
  ),
  reads(
    "rollup",
    build,
    ["created ", "[!] "],
    [passed(/^created \S{1,300}(?:, \S{1,300}){0,10} in [\d.]{1,12} ?m?s$/), failed(/^\[!\] (?:\(|\w{0,30}Error)/)]
  ),
  reads(
    "webpack",
    build,
    [" compiled ", "Compiled ", "Failed to compile", "ERROR in "],
    [
      passed(/^(?:[\w.-]{1,60} \()?(?:web|rs)pack.{0,60} compiled (?:successfully|with \d{1,6} warnings?)/i),
      failed(/^(?:[\w.-]{1,60} \()?(?:web|rs)pack.{0,60} compiled with \d{1,6} errors?/i),
      passed(/^Compiled (?:successfully|with warnings)\.$/),
      failed(/^(?:Failed to compile\.?|Compiled with errors\.)$/),
      failingItem(
        /^ERROR in (?<file>\.{0,2}\/?[^\s:()]{1,300})(?::(?<line>\d{1,7}):\d{1,7}|\((?:\d{1,7},){1,3}\d{1,7}\))?(?: .{0,100})?$/
      )
    ]
  ),
  reads(
    "next build",
    build,
    ["Route (", "Build error occurred", "Failed to compile", "Build failed because of"],
    [
      passed(/^Route \((?:app|pages)\)/),
      failed(/^(?:> )?(?:Build error occurred$|Build failed because of |Export encountered (?:an )?errors? )/)
    ]
  ),
  reads(
    "esbuild",
    build,
    ["[ERROR]", "Done in "],
    [
      failingItem(/^✘ \[ERROR\] (?<name>.{1,600})$/),
      locatesLast(/^ {4}(?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}:$/),
      passed(/^⚡ Done in [\d.]{1,12}m?s$/)
    ]
  ),
  reads(
    "tsup",
    build,
    ["Build success", "Build failed", "Build complete"],
    [
      passed(/^(?:ESM|CJS|DTS|IIFE) ⚡️ Build success in /),
      failed(/^(?:(?:ESM|CJS|DTS|IIFE) )?(?:⚡️ )?Build failed$/),
      passed(/^✔ Build complete in /)
    ]
  ),
  reads(
    "angular",
    build,
    ["Application bundle generation "],
    [passed(/^Application bundle generation complete\. \[/), failed(/^Application bundle generation failed\. \[/)],
    { whole: true }
  ),
  reads(
    "docker build",
    build,
    ["failed to solve", "naming to "],
    [
      failed(/^ERROR: failed to (?:solve|build|receive status):? /),
      passed(/^#\d{1,4} naming to \S{1,300} (?:[\d.]{1,8}s )?done$/)
    ]
  ),
  reads(
    "sphinx",
    build,
    ["build succeeded", "build finished with problems"],
    [passed(/^build succeeded(?:, \d{1,6} warnings?)?\.$/), failed(/^build finished with problems/)],
    { whole: true }
  ),
  reads(
    "python build",
    build,
    ["Successfully built "],
    [passed(/^Successfully built \S{1,200}\.(?:whl|tar\.gz)(?: and \S{1,200}\.(?:whl|tar\.gz))?$/)]
  )
]

const orchestrators = (): ReadonlyArray<Recogniser> => [
  reads(
    "turbo",
    ["tests", "build", "typecheck", "lint"],
    [" Tasks:", " Failed:", "No tasks were executed"],
    [
      passed(/^ {1,2}Tasks: {4}([1-9]\d{0,5}) successful, \1 total$/),
      failed(/^ {1,2}Failed: {4}\S{1,200}#\S/),
      none(/^ {1,2}Tasks: {4}0 successful, 0 total$/),
      none(/^No tasks were executed as part of this run/)
    ],
    { unless: ["Tests  ", "Tests:"] }
  ),
  reads(
    "nx",
    ["tests", "build", "typecheck", "lint"],
    ["NX   "],
    [
      passed(/^\s{0,4}NX {3}Successfully ran target /),
      failed(
        /^\s{0,4}(?:NX {3}(?:Running|Ran) target .{1,300} failed$|✖ {1,4}[1-9]\d{0,5}\/\d{1,6} (?:targets )?failed)/
      ),
      none(/^\s{0,4}NX {3}No tasks were run/)
    ],
    { unless: ["Tests  ", "Tests:"] }
  )
]

export const buildTools = (): ReadonlyArray<Recogniser> => [
  ...typescript(),
  ...pythonTypes(),
  ...compilers(),
  ...bundlers(),
  ...orchestrators()
]
