/** What is remembered of a session's todo lists, under a lock so that two processes never tell an agent the same twice. */
import { redactJson } from "@reflexion/core/Redaction"
import * as TodoGuardrails from "@reflexion/core/internal/judge/todos/TodoGuardrails"
import type { Todo } from "@reflexion/core/Transcript"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Checksum from "../places/Checksum.ts"
import * as SessionFile from "../session/SessionFile.ts"

/** `closedIn`: the run of the agent in which all of the list was done, null while some of it is open. */
export interface Saved {
  readonly guardrails: TodoGuardrails.State
  readonly todos: ReadonlyArray<Todo>
  readonly closedIn: string | null
}

const header = "reflexion-todos-2"

const parse = (text: string): Saved => {
  const [head, body = ""] = Checksum.unseal(text) ?? []
  return head === header ? JSON.parse(body) : { guardrails: TodoGuardrails.initial, todos: [], closedIn: null }
}

/** Null where another process is at it for longer than `patience`, in ms. Throws: who cannot save it must not tell it. */
export const attempt = <A>(
  key: Omit<SessionFile.Key, "build">,
  patience: number,
  change: (saved: Saved) => readonly [Saved, A]
): { readonly value: A } | null => {
  const file = SessionFile.fileOf(key, "todos")
  const work = () => {
    const saved = parse(PlainFiles.read(file) ?? "")
    const [next, value] = change(saved)
    if (next !== saved) PlainFiles.write(file, Checksum.seal(header, JSON.stringify(redactJson(next))))
    return { value }
  }
  return SessionFile.locked(key, patience, work, "todos")
}
