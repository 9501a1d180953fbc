/**
 * What makes a recorded Claude Code session: the project, what the user does, what the model says, and how the last
 * turn is to be judged.
 */
import * as Schema from "effect/Schema"
import type { Permissions, SessionOptions, Step } from "../hosts/ClaudeCodeHost.ts"
import type { Project } from "../sandbox/Sandbox.ts"
import type { Block, Script } from "../servers/ScriptedAnthropic.ts"

export { act, say } from "../servers/ModelScript.ts"

/**
 * How the last turn of a recording is to be judged; what is left out is not asserted.
 *
 * @category models
 */
export const ExpectedVerdict = Schema.Struct({
  status: Schema.String,
  shouldContinue: Schema.Boolean,
  contradicted: Schema.optional(Schema.Boolean),
  pattern: Schema.optional(Schema.NullOr(Schema.String)),
  gates: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String }))
})

export type ExpectedVerdict = typeof ExpectedVerdict.Type

export interface ClaudeCodeScenario {
  readonly name: string
  /** What a reader should look at, in one sentence. */
  readonly description: string
  readonly expected: ExpectedVerdict
  readonly project: Project
  readonly externalTools?: Readonly<Record<string, string>>
  readonly steps: ReadonlyArray<Step>
  readonly permissions?: Permissions
  readonly session?: Pick<SessionOptions, "abandon" | "env" | "permissionMode">
  /** The model's side, for a workspace at this path. */
  readonly script: (workspace: string) => Script
}

/**
 * The tools that the scripted sessions may call.
 *
 * @category constants
 */
export const tools =
  "Agent,AskUserQuestion,Bash,Edit,ExitPlanMode,Glob,Grep,Read,TaskCreate,TaskList,TaskUpdate,TodoWrite,Write".split(
    ","
  )

export const bash = (command: string, description: string, options?: { readonly background: boolean }): Block => ({
  tool: "Bash",
  input: { command, description, ...(options?.background === true ? { run_in_background: true } : {}) }
})

export const read = (file: string): Block => ({ tool: "Read", input: { file_path: file } })

export const edit = (file: string, before: string, after: string): Block => ({
  tool: "Edit",
  input: { file_path: file, old_string: before, new_string: after }
})

export const write = (file: string, content: string): Block => ({
  tool: "Write",
  input: { file_path: file, content }
})

/**
 * A new entry of the agent's task list.
 *
 * @category constructors
 */
export const task = (subject: string, doing: string): Block => ({
  tool: "TaskCreate",
  input: { subject, description: subject, activeForm: doing }
})

export const taskStatus = (taskId: string, status: "in_progress" | "completed"): Block => ({
  tool: "TaskUpdate",
  input: { taskId, status }
})

/**
 * The whole list, as the older todo tool takes it.
 *
 * @category constructors
 */
export const todoWrite = (todos: Readonly<Record<string, "pending" | "in_progress" | "completed">>): Block => ({
  tool: "TodoWrite",
  input: {
    todos: Object.entries(todos).map(([content, status]) => ({ content, status, activeForm: `Working: ${content}` }))
  }
})
