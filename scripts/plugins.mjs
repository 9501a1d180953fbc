/** Writes a marketplace for Claude Code and Codex. Its plugins have the same hooks as `reflexion install`. */
import * as fs from "node:fs"
import * as path from "node:path"
import { root } from "./bundler.mjs"

const description =
  "Decides from evidence whether the agent's task is done, and sends it on when it is not: bounded, never in a loop."

const marketplace = "reflexion"

/** The folder of the marketplace after an installation with npm. */
const packed = '"$(npm root --global)/@reflexion/cli/dist/marketplace"'

const author = { name: "reflexion" }

const hook = (place, word, timeout) => ({
  hooks: [{ type: "command", command: `node "\${${place}}/hook.cjs" ${word}`, timeout }]
})

/** The slow part continues after the turn, as with `reflexion install`. */
const stops = (place) => {
  const later = hook(place, "StopLater", 660)
  const wakes = {
    asyncRewake: true,
    rewakeSummary: "reflexion looked again: there is more to do",
    rewakeMessage: "From reflexion:"
  }
  return { Stop: [hook(place, "StopNow", 660), { hooks: later.hooks.map((one) => ({ ...one, ...wakes })) }] }
}

const hooksFor = (place, events, more = {}) => ({
  hooks: {
    ...Object.fromEntries(Object.entries(events).map(([event, timeout]) => [event, [hook(place, event, timeout)]])),
    ...more
  }
})

/** These tools change a todo list. The argument tells the hook that it gets only these calls. */
const todos = (place) => ({
  PostToolUse: [{ matcher: "TodoWrite|TaskCreate|TaskUpdate", ...hook(place, "TodoList", 10) }]
})

/** The same time limits as with `reflexion install`. */
const common = { Stop: 660, UserPromptSubmit: 660, SessionStart: 10 }

/** Claude Code names a plugin's command after the plugin. The hook answers before the model sees the command. */
const command = `---
description: Stop, start or ask about reflexion in this session (stop | start | status)
argument-hint: stop | start | status | away | here | wrong | checks
---

This command is answered by reflexion's hook. If you can read this, the hook did not run: say so, and that
\`reflexion doctor\` finds out why.
`

const readme = (host, install) => `# reflexion for ${host}

${description}

\`\`\`sh
npm install --global @reflexion/cli
${install}
\`\`\`

After every turn the hook reads what the session's tool calls prove: exit codes, the order of edits and test runs, pull
requests, open todos. It asks the agent to go on only where the evidence shows that something is missing, at most three
times per message of yours, and tells you in one line. No model, no key, no network.${host === "Codex" ? "\n\nCodex runs a hook only after you approve it: open `/hooks` once and approve it." : ""}
`

const claudeCode = ({ version }) => ({
  ".claude-plugin/plugin.json": {
    name: "reflexion",
    version,
    description,
    author,
    license: "MIT",
    network: { hosts: [] }
  },
  "hooks/hooks.json": hooksFor("CLAUDE_PLUGIN_ROOT", common, {
    ...stops("CLAUDE_PLUGIN_ROOT"),
    ...todos("CLAUDE_PLUGIN_ROOT")
  }),
  "commands/reflection.md": command,
  "README.md": readme(
    "Claude Code",
    `claude plugin marketplace add ${packed}\nclaude plugin install reflexion@${marketplace}`
  )
})

const codex = ({ version }) => ({
  ".codex-plugin/plugin.json": { name: "reflexion", version, description, hooks: "./hooks/hooks.json" },
  "hooks/hooks.json": hooksFor("PLUGIN_ROOT", { ...common, Interrupt: 3 }),
  "README.md": readme("Codex", `codex plugin marketplace add ${packed}\ncodex plugin add reflexion@${marketplace}`)
})

const plugins = { "claude-code": claudeCode, codex }

const marketplaces = {
  ".claude-plugin/marketplace.json": {
    name: marketplace,
    description,
    owner: author,
    plugins: [{ name: "reflexion", source: "./plugins/claude-code", description }]
  },
  ".agents/plugins/marketplace.json": {
    name: marketplace,
    interface: { displayName: "reflexion" },
    plugins: [
      {
        name: "reflexion",
        source: { source: "local", path: "./plugins/codex" },
        policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
        category: "Productivity"
      }
    ]
  }
}

const write = (folder, files) => {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`)
  }
}

/** The hooks must have been bundled before. */
export const writePlugins = () => {
  const cli = path.join(root, "packages", "cli")
  const manifest = JSON.parse(fs.readFileSync(path.join(cli, "package.json"), "utf8"))
  const target = path.join(cli, "dist", "marketplace")
  fs.rmSync(target, { recursive: true, force: true })
  write(target, marketplaces)
  for (const [host, files] of Object.entries(plugins)) {
    const folder = path.join(target, "plugins", host)
    write(folder, files(manifest))
    fs.copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"))
    fs.cpSync(path.join(cli, "dist", "hooks", host), folder, { recursive: true })
  }
}
