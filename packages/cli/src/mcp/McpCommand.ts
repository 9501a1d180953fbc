/** The command `reflexion mcp`. */
import { lazily, program } from "../command/Parts.ts"

export const alone = program(
  {
    name: "reflexion mcp",
    usage: "reflexion mcp",
    summary:
      "Serves the tools judge, stuck, recall and reflect to an MCP client over standard input and output. Only reflect writes: it adds a lesson to the project's memory. The tools ask no model, need no key, use no network and run no check.",
    notes: [
      [
        "Client",
        [
          ["Claude Code", "claude mcp add reflexion -- npx -y @reflexion/cli mcp"],
          ["Codex", "codex mcp add reflexion -- npx -y @reflexion/cli mcp"],
          ["others", 'a server with the command "npx" and the arguments ["-y", "@reflexion/cli", "mcp"]']
        ]
      ],
      ["Exit status", [["0", "the client closed standard input"]]]
    ]
  },
  {},
  lazily(() => import("./McpServer.ts").then(({ serve }) => serve))
)

export const verbs = {}
