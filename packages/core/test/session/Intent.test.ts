import { assert, describe, it } from "@effect/vitest"
import {
  isContinuation,
  isHalt,
  isThanks,
  readIntent,
  wantsAsking,
  wantsFailure
} from "../../src/session/task/Intent.ts"
import { list } from "../support/rows.ts"

type Rows<A> = ReadonlyArray<readonly [wanted: A, ...texts: ReadonlyArray<string>]>

const intents: Rows<"act" | "ask" | "unknown"> = [
  [
    "act",
    ...list`
    Fix the bug in the parser. ¦ Can you fix the bug? ¦ I want you to rename the module
    We need to support Windows paths ¦ The app crashes on start. Fix it. ¦ Rework the cache and run the tests
    Find the cause and fix it ¦ Check out the branch ¦ let's add caching
    Don't change anything else, just fix the import ¦ Fix the bug without changing the public API
    Add a read-only flag to the API ¦ no, revert that ¦ Implement the following plan:\n\n# Plan\n\nShould we cache it?
  `
  ],
  [
    "ask",
    ...list`
    What does this function do? ¦ why is the build slow ¦ question: can you explain how this works?
    Review this PR ¦ Run the tests ¦ Run the tests and tell me what fails ¦ Should we use Redis or Memcached?
    I'm wondering if we could add a cache ¦ Make a plan for the migration ¦ Fix the login. Do not implement it yet.
    Don't write code yet, just outline the approach ¦ just research, no code
    What do you think about splitting the module? ¦ \`\`\`ts\nfix the bug\n\`\`\`\nWhat is this?
  `
  ],
  [
    "unknown",
    ...list`
    hello ¦ thanks ¦ The app crashes on start ¦ It should return null instead ¦ Please don't commit yet
    Mach die Tests grün ¦ Fix the sum. Why was it wrong?
  `
  ]
]

const subjects: Rows<"docs" | "ops" | "unknown"> = [
  ["ops", "commit and push", "please rebase on main", "release 1.2.3", "systemctl restart nginx"],
  ["docs", "Update the README", "Fix typos in the docs"],
  ["unknown", "Fix the bug in the parser", "Release notes are wrong", "hello"]
]

const table = <A>(name: string, rows: Rows<A>, read: (text: string) => A): void => {
  describe(`${name}:`, () => {
    for (const [wanted, ...texts] of rows)
      it.each(texts)(`${String(wanted)}: %j`, (text) => {
        assert.strictEqual(read(text), wanted)
      })
  })
}

table("what a message wants", intents, (text) => readIntent(text).intent)

table("what it is about", subjects, (text) => readIntent(text).about)

table(
  "whether it only goes on",
  [
    [true, "continue", "yes please", "ok", "y", "\u{1f44d}", "do it", "Sounds good, proceed", "yes, let\u2019s do it"],
    [false, "", "no", "perfect, thanks!", "continue with the tests", "yes, but use tabs", "what next?", "weiter"]
  ],
  isContinuation
)

table(
  "whether it stops the agent",
  [
    [true, "stop", "STOP!!", "okay, stop please", "forget it", "hold on", "no wait", "wait a moment", "never mind"],
    [false, "wait, also fix the footer", "wait for the server", "stop using lodash there", "don't stop", "thanks"],
    [false, "cancel button is missing", "stop the loop after 3 tries", `stop\n${"a ".repeat(200)}`]
  ],
  isHalt
)

table(
  "whether it only thanks",
  [
    [true, "thanks", "perfect, thanks!", "Thank you."],
    [false, "thanks, now fix it", "no thanks to you"]
  ],
  isThanks
)

table(
  "whether it wants a failing test",
  [
    [
      true,
      "Write a failing test for this.",
      "Add a test that fails without the fix.",
      "Don't fix it, only add a test."
    ],
    [false, "Fix the failing test.", "Steps to reproduce: open the page. Fix it."]
  ],
  wantsFailure
)

table(
  "whether the agent is to ask first",
  [
    [true, "Ask me before each step.", "Check with me before every change.", "Wait for my approval."],
    [false, "You don't need to ask me.", "Ask Kim which file it is."]
  ],
  (text) => wantsAsking(text, false)
)

table(
  "whether it is still to ask",
  [
    [true, "yes, drop it", "Port the reader."],
    [false, "Stop asking, do the rest.", "Finish it without asking."]
  ],
  (text) => wantsAsking(text, true)
)
