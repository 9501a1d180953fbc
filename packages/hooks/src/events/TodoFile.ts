/**
 * What is remembered of a session's todo lists between processes: a small file of its own beside the session's, under a
 * checksum, and a lock so that two processes never tell an agent the same twice.
 */
import { redactJson } from "@reflexion/core/Redaction"
import * as TodoGuardrails from "@reflexion/core/internal/judge/todos/TodoGuardrails"
import type { Todo } from "@reflexion/core/Transcript"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Checksum from "../places/Checksum.ts"
import * as SessionFile from "../session/SessionFile.ts"

/**
 * `todos`: the list so far, of a host that changes it todo by todo; `closedIn`: the run of the agent in which all of it was
 * done, null while some of it is open.
 */
export interface Saved {
  readonly guardrails: TodoGuardrails.State
  readonly todos: ReadonlyArray<Todo>
  readonly closedIn: string | null
}

export const initial: Saved = { guardrails: TodoGuardrails.initial, todos: [], closedIn: null }

const header = "reflexion-todos-2"

/** The checksum vouches for the shape: only `attempt` writes it. What was damaged is begun anew. */
const parse = (text: string | null): Saved => {
  if (text === null) return initial
  const end = text.indexOf("\n")
  const body = text.slice(end + 1)
  return text.slice(0, end) === `${header} ${Checksum.ofText(body)}` ? JSON.parse(body) : initial
}

/** Which session's file. */
export type Key = Omit<SessionFile.Key, "build">

/**
 * Changes what is saved, and answers what the change does. Null where another process is at it for longer than `patience`, in
 * ms. Throws what the file system throws: who cannot save it must not tell it.
 */
export const attempt = <A>(
  key: Key,
  { now, patience }: { readonly now: () => number; readonly patience: number },
  change: (saved: Saved) => readonly [Saved, A]
): { readonly value: A } | null => {
  const release = SessionFile.lockWithin(key, patience, now, "todos")
  if (release === null) return null
  try {
    const file = SessionFile.fileOf(key, "todos")
    PlainFiles.moveFolder(file)
    const saved = parse(PlainFiles.read(file))
    const [next, value] = change(saved)
    if (next !== saved) {
      const body = JSON.stringify(redactJson(next))
      PlainFiles.write(file, `${header} ${Checksum.ofText(body)}\n${body}`)
    }
    return { value }
  } finally {
    release()
  }
}
