/** What this process is there for, as its command line says: the host tells its plugins nothing of it. */

/** By the host's own help, in 1.18. */
const commands = new Set(
  (
    "completion acp mcp attach run debug providers auth agent upgrade uninstall serve web models stats export import " +
    "github pr session plugin plug db"
  ).split(" ")
)

/** Options that take the word behind them, which may be that of a command. */
const valued = new Set(
  (
    "--log-level --port --hostname --mdns-domain --cors --model -m --session -s --prompt --agent --replay-limit " +
    "--command --format --file -f --title --attach --password -p --username -u --dir --variant"
  ).split(" ")
)

const interactive = new Set(["-i", "--interactive", "--interactive=true"])

/** Whether it answers one prompt and ends: `run` does, but where it asks for the next one. */
export const isSingleRun = (argv: ReadonlyArray<string>): boolean => {
  const given = argv.slice(2)
  const end = given.indexOf("--")
  const before = end === -1 ? given : given.slice(0, end)
  const words = before.filter((_, index) => !valued.has(before[index - 1] ?? ""))
  return words.find((word) => commands.has(word)) === "run" && !words.some((word) => interactive.has(word))
}
