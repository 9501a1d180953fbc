import { Effect } from "effect"
import * as Fs from "node:fs"
import { dirname, join } from "node:path"
import { folder, runCli, type Surroundings } from "./runCli.ts"

/** A hook that does what a hook must: reads its input, says nothing. */
export const quietHook = `
let text = ""
process.stdin.on("data", (bytes) => { text += bytes })
process.stdin.on("end", () => { JSON.parse(text) })
`

/** A plugin that does what a plugin must: starts, and prints nothing. */
export const quietPlugin = `export default { id: "reflexion", server: async () => ({ event }) }
const event = async () => {}
`

export interface Home {
  readonly root: string
  readonly home: string
  readonly project: string
  readonly put: (name: string, content: string | Uint8Array) => string
  readonly read: (name: string) => string | null
  /** The files and folders in the home directory, but for what is reflexion's own. */
  readonly names: () => ReadonlyArray<string>
  readonly run: (words: string, given?: Surroundings) => ReturnType<typeof runCli>
  /** Like `run`, for words that may have spaces in them. */
  readonly runWords: (words: ReadonlyArray<string>, given?: Surroundings) => ReturnType<typeof runCli>
}

const below = (path: string): ReadonlyArray<string> =>
  Fs.readdirSync(path, { withFileTypes: true }).flatMap((entry) => [
    join(path, entry.name),
    ...(entry.isDirectory() ? below(join(path, entry.name)) : [])
  ])

/** A home directory, a project with git in it, and hooks to install, in a scratch folder. */
export const hooksHome = Effect.map(
  folder({
    "hooks/claude-code/hook.cjs": quietHook,
    "hooks/claude-code/hook.licenses.txt": "MIT",
    "hooks/codex/hook.cjs": quietHook,
    "hooks/copilot/hook.cjs": quietHook,
    "hooks/gemini/hook.cjs": quietHook,
    "hooks/opencode/server.js": quietPlugin,
    "hooks/opencode/server.licenses.txt": "MIT",
    "home/.keep": "",
    "home/project/.git/HEAD": "",
    "home/project/src/a.js": ""
  }),
  (made): Home => {
    const root = Fs.realpathSync(made)
    const home = join(root, "home")
    const runWords: Home["runWords"] = (words, given) =>
      runCli(words, {
        cwd: join(home, "project", "src"),
        hooks: join(root, "hooks"),
        ...given,
        env: { HOME: home, PATH: process.env["PATH"] ?? "", ...given?.env }
      })
    return {
      root,
      home,
      project: join(home, "project"),
      put: (name, content) => {
        Fs.mkdirSync(dirname(join(home, name)), { recursive: true })
        Fs.writeFileSync(join(home, name), content)
        return join(home, name)
      },
      read: (name) => (Fs.existsSync(join(home, name)) ? Fs.readFileSync(join(home, name), "utf8") : null),
      names: () =>
        below(home)
          .map((path) => path.slice(home.length + 1))
          .filter((name) => !name.startsWith(".local") && !name.startsWith("project/.git"))
          .toSorted(),
      run: (words, given) => runWords(words.split(" ").filter(Boolean), given),
      runWords
    }
  }
)

/** `hooksHome` with Claude Code and OpenCode in `bin`. They only print their version. */
export const withHosts = Effect.tap(hooksHome, (home) =>
  Effect.sync(() => {
    for (const [name, version] of [
      ["claude", "2.1.330 (Claude Code)"],
      ["opencode", "1.18.33"]
    ] as const)
      Fs.chmodSync(home.put(`bin/${name}`, `#!/bin/sh\necho "${version}"\n`), 0o755)
  })
)

/** `hooksHome` of a user whose logins pay for questions to a model. */
export const loggedIn = Effect.tap(hooksHome, (home) =>
  Effect.sync(() => {
    home.put(".codex/auth.json", '{ "auth_mode": "chatgpt", "tokens": {} }')
    home.put(".claude/.credentials.json", '{ "claudeAiOauth": {} }')
  })
)

/** Another version of the hooks. */
export const anotherVersion = ({ root }: Home, text: string): string => {
  const hooks = join(root, `hooks-${text}`)
  Fs.cpSync(join(root, "hooks"), hooks, { recursive: true })
  Fs.writeFileSync(join(hooks, "claude-code", "hook.cjs"), `${quietHook}// ${text}`)
  Fs.writeFileSync(join(hooks, "opencode", "server.js"), `${quietPlugin}// ${text}`)
  return hooks
}
