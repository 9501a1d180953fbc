import { describe } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync } from "node:fs"
import { join } from "node:path"
import { golden } from "./golden.ts"
import { type Home, loggedIn } from "./hooksHome.ts"
import { live } from "../../core/test/support/works.ts"

/** What differs from run to run. */
const settled = (home: Home, text: string): string =>
  text
    .replaceAll(home.home, "HOME")
    .replaceAll(home.root, "ROOT")
    .replaceAll(process.execPath, "NODE")
    .replaceAll(/\d+\.\d+\.\d+-[0-9a-f]{8}/gu, "VERSION")
    .replaceAll(/reflexion \d+\.\d+\.\d+\S*/gu, "reflexion VERSION")
    .replaceAll(/[\d.]+ (?:ms|s)\b/gu, "N ms")
    .replaceAll(/\d{4}-\d{2}-\d{2}/gu, "DAY")
    .replaceAll(/[ \t]+$/gmu, "")

/** A user of Claude Code, with a project that has a check and a configuration. */
const user = Effect.tap(loggedIn, (home) =>
  Effect.sync(() => {
    for (const [name, version] of [
      ["claude", "2.1.330 (Claude Code)"],
      ["codex", "codex-cli 0.169.0"]
    ] as const) {
      chmodSync(home.put(`bin/${name}`, `#!${process.execPath}\nconsole.log("${version}")`), 0o755)
    }
    home.put(
      "project/.reflection/config.json",
      JSON.stringify({
        maxAttempts: 3,
        checks: [{ name: "e2e", command: "true" }],
        gates: [{ name: "size", command: "npm run size" }]
      })
    )
  })
)

/** Each command as it is typed, the answers behind a question mark. */
const commands = [
  "",
  "install",
  "install claude-code --dry-run",
  "install claude-code ? y ? y",
  "install claude-code",
  "doctor claude-code",
  "allow",
  "allow workspace",
  "allow workspace ? y",
  "allow checks",
  "allow model codex ? n",
  "allow model codex --yes",
  "allow workspace --revoke",
  "allow checks --revoke",
  "uninstall"
]

describe("install, doctor and allow", () => {
  live("say what is in force, what they do and how to undo it", function* () {
    const home = yield* user
    const env = { PATH: `${join(home.home, "bin")}:/usr/bin:/bin`, REFLEXION_MAX_ATTEMPTS: "2" }
    const screens: Array<string> = []
    for (const command of commands) {
      const [words = "", ...answers] = command.split(" ? ")
      const { code, err, out } = yield* home.run(words, { env, ...(answers.length > 0 && { answers }) })
      const said = [out, ...(err === "" ? [] : [`(standard error) ${err}`])].filter((text) => text !== "").join("\n")
      screens.push(`$ reflexion ${command}\n${said}\n(exit status ${code})`)
    }
    const text = settled(home, screens.join("\n\n\n"))
    yield* golden("setup", text)
  })
})
