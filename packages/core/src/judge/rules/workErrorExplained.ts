/** The user hands over an error, and the agent changes nothing and tells the user how to mend it. */
import type { Facts } from "../../session/facts/Facts.ts"
import { matchesAny } from "../../ground/text/Text.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { finding, unchanged } from "./shared.ts"

/** What a compiler or a runner prints of an error, which nobody types. */
const printed: ReadonlyArray<RegExp> = [
  /\b(?:error|warning)s?:? ?\[?[A-Z]{1,4}\d{2,5}\b/i,
  /^\s{0,8}[\w.]{0,60}(?:Error|Exception): \S/m,
  /^\s{0,8}(?:--- FAIL|FAIL|FAILED)[: ]\s?\S/m
]

/** The user is told what to do. */
const tellsUser: ReadonlyArray<RegExp> = [
  /\byou (?:only |just |simply )?(?:have|need|ought) to (?!(?:know|be|worry|wait)\b)[a-z]+\b/i,
  /^(?:please |now |then |just )?(?:replace|change|update|add|run|rebuild)\b/i
]

/** An explanation was asked for. */
const wantsWords = ({ message }: Facts["task"]): boolean =>
  /\?|\b(?:explain|why|what does|meaning|understand|tell me)\b/i.test(message)

const check = (facts: Facts): ReadonlyArray<Finding> => {
  const { reading, task } = facts
  const isHanded = matchesAny(printed, task.message.slice(0, 4000))
  if (!isHanded || !unchanged(facts) || wantsWords(task) || !reading.english) return []
  if (reading.question !== null || !["finished", "hands_over"].includes(reading.closing)) return []
  const told =
    reading.instructs || reading.prose.closing.some((sentence) => matchesAny(tellsUser, sentence.slice(0, 400)))
  if (!told) return []
  return finding({
    fact: "You were given an error, changed nothing, and told the user how to mend it.",
    missing: "the error that the user reported: nothing was changed",
    action: "Mend the error yourself with your tools, then check it."
  })
}

export const workErrorExplained: Rule = { id: "work/error-explained", unattended: "push", waits: true, check }

export const page: Page = {
  what: "The user hands over what a compiler or a run printed, and the agent changes nothing and tells how it can be mended.",
  why: "Who reports an error of the work wants it gone.",
  fires: [
    example(
      "compiler errors",
      user("It does not compile:\nerror C2352: illegal call of a member function, cart.cpp 275"),
      agent("Line 275 has to call the member function. You only have to replace the file by my version and rebuild.")
    ),
    example(
      "a stack trace",
      user("Now it crashes.\nTypeError: total is not a function\n    at src/cart.ts:3:1"),
      agent("The name is imported twice. Change the import in `src/cart.ts` to a named one.")
    ),
    example(
      "a type error",
      user("I get src/cart.ts(3,1): error TS2304: Cannot find name 'total'."),
      agent("The import is missing. You need to import `total` from `./total.ts`.")
    )
  ],
  spares: [
    example(
      "it was mended",
      user("I get src/cart.ts(3,1): error TS2304: Cannot find name 'total'."),
      edited("src/cart.ts"),
      agent("The import was missing; it is there now. You need to restart the watcher.")
    ),
    example(
      "why was asked",
      user("Why do I get src/cart.ts(3,1): error TS2304: Cannot find name 'total'?"),
      agent("The import is missing. You need to import `total` from `./total.ts`.")
    ),
    example(
      "the agent only reports",
      user("I get src/cart.ts(3,1): error TS2304: Cannot find name 'total'."),
      ran("npx tsc --noEmit", 0),
      agent("I cannot see it here: the types are right with the current lock file.")
    )
  ]
}
