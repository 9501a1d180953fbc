/** Sessions of any size in Claude Code's format, made up from a seed, for measuring speed and memory. */
import * as Fs from "node:fs"
import { generator } from "./Metrics.ts"

const words =
  "the parser reads every token and keeps a list of open brackets so that errors name both ends of the range".split(" ")

const text = (next: () => number, length: number): string => {
  let out = ""
  while (out.length < length) out += `${words[Math.floor(next() * words.length)] ?? ""} `
  return out
}

const start = Date.parse("2026-03-02T09:00:00.000Z")

const outputs = ["Tests:       12 passed, 12 total", "Tests:       1 failed, 11 passed, 12 total", "done"]

const commands = [
  "npm test",
  "npm run build 2>&1 | tail -n 20",
  "git status --short",
  "cat src/parser.ts",
  "rg -n token src"
]

/** One turn of the given number of calls, line by line. */
function* turn(next: () => number, index: number, calls: number, clock: { now: number }): Generator<string> {
  const line = (type: "user" | "assistant", content: unknown, rest: object = {}): string => {
    clock.now += 1000
    return JSON.stringify({
      parentUuid: null,
      isSidechain: false,
      userType: "external",
      cwd: "/repo",
      sessionId: "generated",
      version: "2.1.330",
      type,
      message: type === "user" ? { role: "user", content } : { role: "assistant", model: "generated", content },
      uuid: `${index}-${clock.now}`,
      timestamp: new Date(clock.now).toISOString(),
      ...rest
    })
  }
  yield line("user", `Change number ${index}: ${text(next, 200)}. Run npm test.`)
  for (let call = 0; call < calls; call++) {
    const id = `toolu_${index}_${call}`
    const isEdit = call % 3 === 0
    const input = isEdit
      ? { file_path: `/repo/src/file${call % 40}.ts`, old_string: text(next, 300), new_string: text(next, 300) }
      : { command: commands[Math.floor(next() * commands.length)] ?? "ls" }
    yield line("assistant", [{ type: "text", text: text(next, 200) }])
    yield line("assistant", [{ type: "tool_use", id, name: isEdit ? "Edit" : "Bash", input }])
    const output = `${text(next, 500 + Math.floor(next() * 8000))}\n${outputs[Math.floor(next() * outputs.length)] ?? ""}\n`
    yield line("user", [{ type: "tool_result", tool_use_id: id, content: output }])
  }
  yield line("assistant", [{ type: "text", text: `Change ${index} is done. ${text(next, 400)}` }])
}

/** Writes a session of at least `size` bytes whose turns have `callsPerTurn` calls each. */
export const writeSession = (
  file: string,
  options: { readonly size: number; readonly callsPerTurn: number; readonly seed: number }
): void => {
  const next = generator(options.seed)
  const clock = { now: start }
  const descriptor = Fs.openSync(file, "w")
  let written = 0
  for (let index = 0; written < options.size; index++) {
    for (const line of turn(next, index, options.callsPerTurn, clock)) {
      if (written < options.size) written += Fs.writeSync(descriptor, `${line}\n`)
    }
  }
  Fs.closeSync(descriptor)
}
