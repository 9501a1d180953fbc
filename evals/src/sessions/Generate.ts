/**
 * Sessions of any size in Claude Code's format, made up from a seed, for measuring speed and memory. Their make-up is
 * that of real ones: about 75 calls a megabyte, two fifths of the bytes in results that are kept twice.
 */
import * as Fs from "node:fs"
import { generator } from "../measure/Metrics.ts"

type Random = () => number

const words =
  "the parser reads every token — and keeps a list of open brackets so that errors name both ends of the range".split(
    " "
  )

const pick = <A>(next: Random, values: ReadonlyArray<A>, otherwise: A): A =>
  values[Math.floor(next() * values.length)] ?? otherwise

const prose = (next: Random, length: number): string => {
  let out = ""
  while (out.length < length) out += `${pick(next, words, "a")} `
  return out
}

const code = (next: Random, length: number): string => {
  let out = ""
  while (out.length < length) {
    out += `\tif ${pick(next, words, "a")} == "${pick(next, words, "b")}" {\n\t\treturn ${pick(next, words, "c")}("${prose(next, 24)}")\n\t}\n`
  }
  return out
}

const summaries = [
  "✓ keeps the order\nTests:       12 passed, 12 total",
  "Tests:       1 failed, 11 passed, 12 total",
  "done"
]

const commands = [
  "npm test",
  "npm run build 2>&1 | tail -n 20",
  "git status --short",
  "git diff HEAD~1 --stat",
  "rg -n token src"
]

interface Call {
  readonly name: string
  readonly input: object
  readonly output: string
  readonly result: object
}

const bash = (next: Random): Call => {
  const stdout = `${code(next, 200 + Math.floor(next() * 5000))}${pick(next, summaries, "")}\n`
  return {
    name: "Bash",
    input: { command: pick(next, commands, "ls"), description: prose(next, 30) },
    output: stdout,
    result: { stdout, stderr: "", interrupted: false, isImage: false }
  }
}

const read = (next: Random, file: string): Call => {
  const content = code(next, 2000 + Math.floor(next() * 8000))
  return {
    name: "Read",
    input: { file_path: file },
    output: content.replaceAll("\n", "\n     7→"),
    result: { type: "text", file: { filePath: file, content, numLines: 200, startLine: 1, totalLines: 200 } }
  }
}

const edit = (next: Random, file: string): Call => {
  const oldString = code(next, 400)
  const newString = code(next, 500)
  return {
    name: "Edit",
    input: { file_path: file, old_string: oldString, new_string: newString },
    output: `The file ${file} has been updated.\n${newString}`,
    result: { filePath: file, oldString, newString, originalFile: code(next, 9000), structuredPatch: [] }
  }
}

const makeCall = (next: Random, index: number): Call => {
  const file = `/repo/src/file${index % 40}.ts`
  const kind = next()
  return kind < 0.4 ? bash(next) : kind < 0.72 ? read(next, file) : edit(next, file)
}

const start = Date.parse("2026-03-02T09:00:00.000Z")

const usage = { input_tokens: 8, cache_creation_input_tokens: 1469, cache_read_input_tokens: 78_296, output_tokens: 67 }

/** One turn of the given number of calls, line by line. */
function* turn(next: Random, index: number, calls: number, clock: { now: number }): Generator<string> {
  const line = (type: string, rest: object): string => {
    clock.now += 1000
    return JSON.stringify({
      parentUuid: `${index}-${clock.now - 1000}`,
      isSidechain: false,
      userType: "external",
      cwd: "/repo",
      sessionId: "generated",
      version: "2.1.330",
      gitBranch: "main",
      type,
      ...rest,
      uuid: `${index}-${clock.now}`,
      timestamp: new Date(clock.now).toISOString()
    })
  }
  const assistant = (block: object): string =>
    line("assistant", { message: { role: "assistant", model: "generated", type: "message", content: [block], usage } })
  yield line("user", {
    message: { role: "user", content: `Change number ${index}: ${prose(next, 200)}. Run npm test.` }
  })
  for (let number = 0; number < calls; number++) {
    const id = `toolu_${index}_${number}`
    const { input, name, output, result } = makeCall(next, number)
    if (number % 3 === 0) yield assistant({ type: "thinking", thinking: prose(next, 900), signature: prose(next, 400) })
    if (number % 2 === 0) yield assistant({ type: "text", text: prose(next, 200) })
    yield assistant({ type: "tool_use", id, name, input })
    if (name === "Bash")
      yield line("progress", { data: { type: "bash_progress", output: code(next, 1200) }, toolUseID: id })
    yield line("user", {
      message: { role: "user", content: [{ tool_use_id: id, type: "tool_result", content: output }] },
      toolUseResult: result
    })
  }
  yield assistant({ type: "text", text: `Change ${index} is done. ${prose(next, 400)}` })
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
