/** How attempts that loaded a thing ended: by parts of the window, and whose they were that failed. */
import type { AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import { type Failing, limits, type Parts, type Skill } from "./RulesState.ts"

/** `repeats` are those of the failed that go on with a task's failures before. */
export interface Tally {
  readonly failed: number
  readonly completed: number
  readonly repeats: number
}

export const tally = (parts: Parts, from: number): Tally => {
  let [failed, completed, repeats] = [0, 0, 0]
  for (const [part, fails, passes, again = 0] of parts)
    if (part > from) {
      failed += fails
      completed += passes
      repeats += again
    }
  return { failed, completed, repeats }
}

/** Most outcomes are of the newest part. */
const partAt = (parts: Parts, part: number): Parts[number] => {
  let index = parts.length - 1
  while (index >= 0 && (parts[index]?.[0] ?? part) > part) index -= 1
  const known = parts[index]
  if (known?.[0] === part) return known
  const added: Parts[number] = [part, 0, 0]
  parts.splice(index + 1, 0, added)
  return added
}

/** The part in which an attempt ended, and the newest that is known. */
export interface When {
  readonly part: number
  readonly now: number
}

const isOfWindow = ({ now, part }: When): boolean => part > now - limits.parts

/** An attempt; `isRepeat` of one that failed as the same task's did before. */
export interface End {
  readonly failed: boolean
  readonly isRepeat: boolean
}

export const add = (parts: Parts, { failed, isRepeat }: End, when: When): void => {
  while (parts.length > 0 && (parts[0]?.[0] ?? when.now) <= when.now - limits.parts) parts.shift()
  if (!isOfWindow(when)) return
  const part = partAt(parts, when.part)
  part[failed ? 1 : 2] += 1
  if (isRepeat) part[3] = (part[3] ?? 0) + 1
}

/** Hashes of what tells whose an attempt is: of its task, and of its session where nobody gave the task an id. */
export type Who = readonly [task: number, session: number]

/** `key` is the task's, null where nothing tells it. */
export const whoOf = ({ sessionId, taskId }: AttemptOutcome, key: string | null): Who => {
  const session = KeyHash.ofText(`session ${sessionId}`)
  const task = key === null ? session : KeyHash.ofText(key)
  return [task, taskId === null ? session : task]
}

const indexOf = (failing: ReadonlyArray<Failing>, [task, session]: Who): number =>
  failing.findLastIndex((one) => one[0] === task || one[1] === session)

/** Whether the last that the one did with it failed as well. */
const failsAgain = ({ failing }: Skill, who: Who, { now, part }: When): boolean => {
  const at = indexOf(failing, who)
  const [known] = at < 0 ? [] : failing.splice(at, 1)
  const isRepeat = known !== undefined && known[3] === 1 && known[2] > now - limits.parts
  failing.push([...who, Math.max(part, known?.[2] ?? part), 1])
  if (failing.length > limits.failing) failing.shift()
  return isRepeat
}

const passes = ({ failing }: Skill, who: Who): void => {
  const known = failing[indexOf(failing, who)]
  if (known !== undefined) known[3] = 0
}

/** Counts an attempt that loaded the thing. */
export const count = (
  skill: Skill,
  failed: boolean,
  { when, who }: { readonly when: When; readonly who: Who }
): void => {
  const isCounted = isOfWindow(when)
  const isRepeat = isCounted && failed && failsAgain(skill, who, when)
  if (isCounted && !failed) passes(skill, who)
  add(skill.parts, { failed, isRepeat }, when)
}

/** Of how many tasks or sessions attempts failed with it; no more than are kept. */
export const subjects = ({ failing }: Skill, from: number): number => failing.filter(([, , part]) => part > from).length
