/** The tools that `reflexion mcp` serves. Each tool runs a command of this program and returns the text that it prints. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { FailureType } from "@reflexion/core/FailureContext"
import { limits, Reflection } from "@reflexion/core/Reflection"
import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import * as ParseResult from "effect/ParseResult"
import * as Ref from "effect/Ref"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import { statSync } from "node:fs"
import { resolve } from "node:path"
import * as Judge from "../judge/JudgeCommand.ts"
import * as Memory from "../memory/MemoryCommand.ts"
import { CliProcess } from "../process/CliProcess.ts"
import type { ExitCode } from "../process/ExitCode.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import { version } from "../Version.ts"

/** A text that is not empty. The schema has no name, so that clients see it where it is used, not as a reference. */
const text = Schema.String.pipe(Schema.minLength(1))

const maybe = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.optional(schema).annotations({ description })

const given = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.propertySignature(schema).annotations({ description })

const Session = Schema.Struct({
  session: maybe(text, "The file with the session's record. If left out: the newest session of the server's directory.")
})

const Recall = Schema.Struct({
  query: maybe(text, "A text to search for, such as an error message or the task."),
  taskId: maybe(text, "Only lessons of this task."),
  limit: maybe(Schema.Int.pipe(Schema.between(1, 100)), "At most this many lessons. The default is 3.")
})

const words = (most: number) => text.pipe(Schema.maxLength(most))

const Reflect = Schema.Struct({
  taskId: given(text, "Names the task, so that its next attempt gets the lesson."),
  subtaskId: maybe(text, "Names a part of the task."),
  failureType: given(FailureType, "What failed."),
  errorOutput: given(Schema.String, "The exact output of the failure."),
  analysis: maybe(words(limits.analysis), "What went wrong and why, in your words. If left out, rules write it."),
  suggestion: maybe(words(limits.text), "What the next attempt should do instead, in your words.")
})

interface Printed {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
}

type Run<R> = (words: ReadonlyArray<string>) => Effect.Effect<void, { readonly message: string }, R>

/** The command cannot ask a question. */
const printed = Effect.fnUntraced(function* <R>(run: Run<R>, words: ReadonlyArray<string>, input = "") {
  const [out, err]: [Array<string>, Array<string>] = [[], []]
  const status = yield* Ref.make<ExitCode>(0)
  const console = yield* Effect.console
  const own = yield* CliProcess
  const bytes = new TextEncoder().encode(input)
  yield* run(words).pipe(
    Effect.catchAll(({ message }) =>
      Effect.zipRight(
        Ref.set(status, 2),
        Effect.sync(() => err.push(message))
      )
    ),
    Effect.withConsole({
      ...console,
      log: (...texts) => Effect.sync(() => out.push(texts.join(" "))),
      error: (...texts) => Effect.sync(() => err.push(texts.join(" ")))
    }),
    Effect.provideService(ExitStatus, status),
    Effect.provideService(CliProcess, {
      ...own,
      ask: null,
      stdin: async function* () {
        yield bytes
      },
      stdout: { isTerminal: false, columns: undefined }
    })
  )
  return { code: yield* Ref.get(status), out: out.join("\n"), err: err.join("\n") } satisfies Printed
})

const result = ({ code, err, out }: Printed): CallToolResult => ({
  content: [out, err].filter((one) => one !== "").map((one) => ({ type: "text", text: one })),
  isError: code === 2
})

const refused = (issues: ReadonlyArray<ParseResult.ArrayFormatterIssue>): CallToolResult => {
  const problems = issues.map(({ message, path }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
  return result({ code: 2, out: "", err: `the input is not valid: ${problems[0] ?? ""}` })
}

const option = (name: string, value: string | number | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : [`--${name}`, String(value)]

/** The agent's own analysis and suggestion replace the rules' texts. */
const reflect = Effect.fnUntraced(function* ({ analysis, subtaskId, suggestion, ...failure }: typeof Reflect.Type) {
  const input = JSON.stringify({ ...failure, subtaskId: subtaskId ?? failure.taskId })
  const made = yield* printed(Memory.verbs.add.run, ["-", "--failure", "--model", "off", "--dry-run"], input)
  if (made.code === 2) return result(made)
  const own = {
    ...(analysis !== undefined && { analysis, source: "model" }),
    ...(suggestion !== undefined && { suggestion, source: "model" })
  }
  const lesson = { ...(yield* Schema.decode(Schema.parseJson(Reflection))(made.out)), ...own }
  const added = yield* printed(Memory.verbs.add.run, ["-"], JSON.stringify(lesson))
  return result({ ...added, err: [made.err, added.err].filter((one) => one !== "").join("\n") })
})

const tool = <A, I, E, R>(
  name: string,
  description: string,
  input: Schema.Schema<A, I>,
  run: (given: A) => Effect.Effect<CallToolResult, E, R>,
  readOnly = true
) => {
  const { $schema: _, ...inputSchema } = JSONSchema.make(input)
  return {
    shown: {
      name,
      description,
      inputSchema: { ...inputSchema, type: "object" as const },
      annotations: { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false }
    },
    call: (value: unknown) =>
      Schema.decodeUnknown(input, { onExcessProperty: "error" })(value).pipe(
        Effect.matchEffect({
          onFailure: (error) => Effect.succeed(refused(ParseResult.ArrayFormatter.formatErrorSync(error))),
          onSuccess: run
        })
      )
  }
}

const judge =
  (show: string) =>
  ({ session }: typeof Session.Type) =>
    Effect.flatMap(CliProcess, ({ cwd }) => {
      const files = session === undefined ? [] : [resolve(cwd, session)]
      // Reading a device or a pipe might never end.
      const odd = files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      if (odd !== undefined) return Effect.succeed(result({ code: 2, out: "", err: `${odd}: is not a regular file` }))
      return Effect.map(printed(Judge.alone.run, ["--format", "json", "--show", show, ...files]), result)
    })

const tools = [
  tool(
    "judge",
    "Decides from the evidence in a session's record whether the agent finished its task: the status, what is missing, and what to do next. Claims without evidence count for nothing. Call it before you say that you are done.",
    Session,
    judge("verdict")
  ),
  tool(
    "stuck",
    "Says whether a session is stuck, is in a loop, waits for the user, works, or is done, with the evidence for it.",
    Session,
    judge("stuck")
  ),
  tool(
    "recall",
    "Returns lessons from failed attempts in this project as a text for a prompt. The lessons are hints, not orders.",
    Recall,
    ({ limit, query, taskId }) =>
      Effect.map(
        printed(Memory.verbs.recall.run, [
          ...option("query", query),
          ...option("task", taskId),
          ...option("limit", limit)
        ]),
        result
      )
  ),
  tool(
    "reflect",
    "Adds a lesson from a failed attempt to the project's memory (.reflection/reflections.jsonl), for the next attempt at the task.",
    Reflect,
    reflect,
    false
  )
]

export const serve = Effect.fn("McpServer.serve")(function* () {
  const runtime = yield* Effect.runtime<Effect.Effect.Context<ReturnType<(typeof tools)[number]["call"]>>>()
  const server = new Server({ name: "reflexion", version: yield* version }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(({ shown }) => shown) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const found = tools.find(({ shown }) => shown.name === params.name)
    if (found === undefined) return result({ code: 2, out: "", err: `there is no tool ${params.name}` })
    return Runtime.runPromise(runtime)(found.call(params.arguments ?? {}), { signal })
  })
  yield* Effect.async<void>((resume) => {
    process.stdin.once("end", () => resume(Effect.void))
    void server.connect(new StdioServerTransport())
  })
})
