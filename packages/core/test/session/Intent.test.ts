import { assert, it } from "@effect/vitest"
import {
  isContinuation,
  isHalt,
  isThanks,
  readIntent,
  wantsAsking,
  wantsFailure
} from "../../src/session/task/Intent.ts"
import { groups } from "../support/rows.ts"

const tables: Readonly<Record<string, (text: string) => unknown>> = {
  wants: (text) => readIntent(text).intent,
  about: (text) => readIntent(text).about,
  continues: isContinuation,
  halts: isHalt,
  thanks: isThanks,
  "wants a failing test": wantsFailure,
  "is to be asked": (text) => wantsAsking(text, false),
  "is still to be asked": (text) => wantsAsking(text, true)
}

/** What is asked of a message, the answer, and the messages. */
const rows = groups`
    wants act :: Fix the bug in the parser. ¦ Can you fix the bug? ¦ I want you to rename the module ¦ We need to support Windows paths
    wants act :: The app crashes on start. Fix it. ¦ Rework the cache and run the tests ¦ Find the cause and fix it ¦ Check out the branch
    wants act :: Don't change anything else, just fix the import ¦ Fix the bug without changing the public API ¦ let's add caching
    wants act :: Add a read-only flag to the API ¦ no, revert that ¦ Implement the following plan:\n\n# Plan\n\nShould we cache it?
    wants ask :: What does this function do? ¦ why is the build slow ¦ question: can you explain how this works? ¦ Review this PR
    wants ask :: Run the tests ¦ Run the tests and tell me what fails ¦ Should we use Redis or Memcached? ¦ I'm wondering if we could add a cache
    wants ask :: Make a plan for the migration ¦ Fix the login. Do not implement it yet. ¦ Don't write code yet, just outline the approach
    wants ask :: just research, no code ¦ What do you think about splitting the module? ¦ \`\`\`ts\nfix the bug\n\`\`\`\nWhat is this?
    wants unknown :: hello ¦ thanks ¦ The app crashes on start ¦ It should return null instead ¦ Please don't commit yet ¦ Mach die Tests grün
    wants unknown :: Fix the sum. Why was it wrong?
    about ops :: commit and push ¦ please rebase on main ¦ release 1.2.3 ¦ systemctl restart nginx
    about docs :: Update the README ¦ Fix typos in the docs
    about unknown :: Fix the bug in the parser ¦ Release notes are wrong ¦ hello
    continues true :: continue ¦ yes please ¦ ok ¦ y ¦ 👍 ¦ do it ¦ Sounds good, proceed ¦ yes, let’s do it
    continues false ::  ¦ no ¦ perfect, thanks! ¦ continue with the tests ¦ yes, but use tabs ¦ what next? ¦ weiter
    halts true :: stop ¦ STOP!! ¦ okay, stop please ¦ forget it ¦ hold on ¦ no wait ¦ wait a moment ¦ never mind
    halts false :: wait, also fix the footer ¦ wait for the server ¦ stop using lodash there ¦ don't stop ¦ thanks ¦ cancel button is missing
    halts false :: stop the loop after 3 tries
    thanks true :: thanks ¦ perfect, thanks! ¦ Thank you.
    thanks false :: thanks, now fix it ¦ no thanks to you
    wants a failing test true :: Write a failing test for this. ¦ Add a test that fails without the fix. ¦ Don't fix it, only add a test.
    wants a failing test false :: Fix the failing test. ¦ Steps to reproduce: open the page. Fix it.
    is to be asked true :: Ask me before each step. ¦ Check with me before every change. ¦ Wait for my approval.
    is to be asked false :: You don't need to ask me. ¦ Ask Kim which file it is.
    is still to be asked true :: yes, drop it ¦ Port the reader.
    is still to be asked false :: Stop asking, do the rest. ¦ Finish it without asking.
  `

it.each(rows.flatMap(([asked, ...texts]) => texts.map((text) => [asked, text] as const)))("%s: %j", (asked, text) => {
  const [, name = "", wanted] = /^(.*) (\w+)$/.exec(asked) ?? []
  assert.strictEqual(String(tables[name]?.(text)), wanted)
})

it("halts by a short message alone", () => assert.isFalse(isHalt(`stop\n${"a ".repeat(200)}`)))
