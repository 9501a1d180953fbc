import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import * as Prompts from "../../src/model/assessment/Prompt.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { session } from "../support/sessions.ts"
import { deploys, german, turn, unchanged, unknownTests } from "../support/opinions.ts"

const telling = {
  nonce: "record-1",
  attempt: 2,
  maxAttempts: 3,
  guidance: "Look at the migrations.",
  instructions: "Use pnpm. Never push to main."
}

const changed = "edit /repo/src/cart.ts: const a = 1\\nreturn a ==> const a = 1\\nreturn a * 0.9"

const long = session(`> Add a cart with a total and tell me when it is there. / edit /repo/src/cart.ts / \
The cart is there. Shall I write the changelog entry? / > Yes. Then fix the discount and look into the slow page. / \
call Grep {"pattern":"discount"} => src/cart.ts:4 / call Read {"file_path":"/repo/src/cart.ts"} => export const total = 1 / \
${changed} / todo [x] Changelog entry; [x] The discount; [ ] The slow page / $ npm test => Tests: 8 passed, 8 total / \
$ git commit -am 'Fix the discount' => [main 1234567] Fix the discount / \
call! Edit {"file_path":"/repo/CHANGELOG.md"} => old_string not found / \
The discount is fixed and all tests pass. Next I will look into the slow page.`)

const sessions: Readonly<Record<string, ReadonlyArray<TranscriptEvent>>> = {
  unchanged,
  german,
  "unknown-tests": unknownTests,
  deploys,
  long
}

/** The prompts were measured as they are: another word in them is another prompt, whose version counts on. */
describe("the prompts", () => {
  it.each(Object.entries(sessions))("show %s word for word as the golden file has it", async (name, events) => {
    const asked = turn(events)
    const { prompt, system } = Prompts.selfAssessment(asked, telling)
    const again = Prompts.judge(asked, "It looks done to me.", telling)
    const text = [system, prompt, again.system, again.prompt].join("\n\n=====\n\n")
    await expect(`version ${Prompts.version}\n\n${text}\n`).toMatchFileSnapshot(`./golden/prompt-${name}.txt`)
  })
})
