import { assert, describe, it } from "@effect/vitest"
import * as StopSignal from "../../src/session/stop/StopSignal.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, todos, user } from "../support/events.ts"
import { list, pairs } from "../support/rows.ts"
import { session, table } from "../support/sessions.ts"

const signal = (events: ReadonlyArray<TranscriptEvent>): StopSignal.StopSignal =>
  events.reduce(StopSignal.step, StopSignal.initial)

const reading = (events: ReadonlyArray<TranscriptEvent>): StopSignal.Reading => StopSignal.read(signal(events))

const said = (text: string, completed: boolean | null = true): StopSignal.Reading =>
  reading([user("Fix it."), agent(text, completed)])

describe("a text that finished, whatever it looks like", () => {
  it.each(list`
    The exporter is ported. It reports “Continuing.” after each file. Continuing. ¦ If the site isn't enabled yet, the step won't fail the workflow.
    When the cache isn't warmed yet, the first call takes longer. ¦ The template is filled in.\n\n- TODO(OWNER): maintainers to give the name of the owner
    The page is written.\n\nStill open: the legal team has to approve the wording. ¦ Done.\n\nNot done: the ops team will rotate the key.
    Done. The bug is fixed. ¦ Why did it fail? Because the cache was stale. I fixed the key. ¦ Why did it fail? The cache was stale. It now expires.
    The form now asks "Are you sure?" before deleting. ¦ I added the prompt \`Continue? [y/N]\` to the script. ¦ The dialog says “Delete this file?”
    The dialog shows: 'Delete this file?' ¦ > Should I continue?\n\nThat was the old prompt; it is gone now. ¦ I'll be here if you need anything.
    Let me know if you have any questions. ¦ Let me know if anything is unclear! ¦ I'll keep that in mind. ¦ Let me summarize: it's fixed.
    I'll leave that for you to decide. ¦ Let's go with that approach. It is implemented now. ¦ The fix is in \`a.ts\`:\n\n\`\`\`ts\nconst a = 1\n\`\`\`
    Run this:\n\n\`\`\`sh\nnpm test\n\`\`\` ¦ The tests are running in the background; I'll report back when they finish. ¦ ✅ Done! 🎉
    The TODO comments are gone. ¦ Nothing is left to do. ¦ No remaining work. ¦ Remaining issues: none. ¦ I didn't change the API, as you asked.
    However, I did not update the docs. ¦ I haven't added any new dependency. ¦ I did not run the migration because you asked me not to.
    You can run \`npm start\` to try it. ¦ To verify, run \`npm test\`. ¦ ## What was wrong?\n\nThe key was stale. It is fixed. ¦ Got it! ¦ Working on it…
    Implementation complete. Let me know when you want to deploy. ¦ Summary\n\nI'll describe the change: it adds a cache.
    The function will be called next. I'll note that it's deprecated. ¦ If the build fails, I'll look at it. ¦ Once you confirm, I'll merge it.
    I will not touch the vendor files. ¦ I'll never do that again. ¦ Let me explain: the cache is stale. ¦ Is it fixed? Yes.
  `)("%j", (text) => {
    assert.strictEqual(said(text).closing, "finished")
  })
})

describe("a text that is not English: undecided rather than wrong", () => {
  it.each(list`
    Fertig. Der Fehler ist behoben, und die Tests laufen durch. ¦ J'ai corrigé le bug dans le fichier et les tests passent.
    He corregido el error en el archivo y las pruebas pasan. ¦ バグを修正しました。テストも通りました。 ¦ 已经修复了这个错误，测试全部通过。
    Ich habe nicht alles geschafft, die Datei ist noch nicht fertig und das muss noch getan werden.
  `)("%j", (text) => {
    assert.strictEqual(said(text).closing, "undecided")
  })
})

describe("a question", () => {
  it.each(pairs`
    Done. Want me to also add a test for the edge case? :: extra ¦ Fixed. Would you like me to commit this? :: extra ¦ I fixed it. Should I open a PR? :: extra
    I found the cause. Should I implement the fix? :: offer ¦ Which database should I use, Postgres or MySQL? :: choice
    Two options:\n\n1. Redis\n2. Memcached\n\nWhich do you prefer? :: choice ¦ Two options:\n\n1. Redis\n2. Memcached\n\nWhich one? :: choice
    **Which option do you want?**\n\n1. Redis\n2. Memcached :: choice ¦ Does this plan look good? :: choice ¦ Could you share the error message? :: choice
    What is the name of the staging database? :: choice ¦ I need the path. Where is the config file? :: choice
    Are you sure you want me to delete these 40 files? :: risk ¦ Should I force-push to main? :: risk ¦ Done 🎉 Want me to push it? 🚀 :: extra
    Everything works. Anything else? :: extra ¦ Is there anything else you'd like me to do? :: extra ¦ Ready for the next one? :: extra
    Does that make sense? :: choice ¦ A few questions:\n\n1. Which file should it be?\n2. What format do you want? :: choice
    I have two questions before I start:\n- Should the cache be shared?\n- How long should entries live? :: choice
    I can also add a changelog entry if you'd like. :: extra ¦ Say the word and I'll push. :: extra
    I could not reproduce the crash. Do you have a stack trace? :: choice ¦ Do you want option A or option B? :: choice ¦ Should I use tabs or spaces? :: choice
  `)("%j: %s", (text, kind) => {
    const { closing, question } = said(text)
    assert.strictEqual(closing, "question")
    assert.strictEqual(question?.kind, kind)
  })

  it.each(list`
    Soll ich die Tests auch ausführen? ¦ Voulez-vous que je continue ? ¦ ¿Quieres que continúe? ¦ 続けますか？ ¦ Hope this helps?
  `)("%j, in whatever language", (text) => {
    assert.strictEqual(said(text).closing, "question")
  })

  it("is told in its own words", () => {
    assert.strictEqual(said("I found **two** ways.\n\nWhich one do you want?").question?.text, "Which one do you want?")
  })
})

/** What happens after "Fix it.", and the kind of stop that is read from it. */
const stops = String.raw`
  I fixed / notice aborted :: aborted ¦ notice api_error: 529 overloaded :: error ¦ API Error: 529 overloaded :: error ¦ notice rate_limited :: limited
  notice rate_limited / notice compacted :: limited ¦ You've hit your usage limit. Resets at 5pm. :: limited
  Deleting now. / notice permission_asked :: question ¦ call? AskUserQuestion :: question
  #q call? AskUserQuestion / #q call AskUserQuestion / All is fixed. :: finished ¦ #a $pending npm test :: open_call ¦ $denied rm -rf build :: aborted
  $denied rm -rf build / All is fixed. :: finished ¦ notice api_error / All is fixed. :: finished ¦ $ npm test :: silent
  Started. / notice background_running :: awaits ¦ … I fixed the parser :: cut_off ¦ … I am at it. Shall I drop the table? :: question
  … Shall I drop it? If so I would begin with the :: cut_off ¦ nothing :: silent
  // Work in the background is awaited only if the text says so, and until it has ended; a subagent's in any case.
  #b $background npm run dev / It runs in the background; I'll report back when it finishes. :: awaits
  #b $background npm run dev / The dev server is up. :: finished ¦ #b $background npm run dev / #b $ npm run dev / Done. :: finished
  #b $background npm run dev / > And? / Still waiting for the build to finish. :: awaits ¦ Done. / @a $pending npm test :: finished
  // Messages with no call between them are one, and those before a call are forgotten.
  Which one do you want? / $ ls / It is fixed. :: finished ¦ Done. / >> reminder :: finished
`

describe("a stop", () => {
  it.each(table(stops))("%s: %s", (line = "", closing) => {
    const events = line === "nothing" ? [] : session(line)
    assert.strictEqual(reading([user("Fix it."), ...events]).closing, closing)
  })

  it.each(["AskUserQuestion", "ExitPlanMode"])("after a refused dialogue is the user's: %s", (tool) => {
    assert.strictEqual(reading([user("Fix it."), call(tool, {}, { status: "denied" })]).closing, "aborted")
  })

  it("after a subagent was sent into the background waits", () => {
    const task = call("Task", {}, { id: "t", background: true, status: "running" })
    assert.strictEqual(reading([user("Go."), task, agent("Delegated.")]).closing, "awaits")
  })

  it("at a long text about errors is one at a text", () => {
    const about = `API Error: 529 is what the service answers when it is overloaded. ${"The client retries it. ".repeat(30)}`
    assert.strictEqual(said(about).closing, "finished")
  })
})

describe("a text cut off where the host does not say", () => {
  it.each(pairs`
    Here is the code:\n\n\`\`\`ts\nconst a = :: cut_off ¦ I have updated the parser and the :: cut_off ¦ I changed three files ( :: cut_off
    I changed three files, :: cut_off ¦ I changed three files :: finished ¦ \`\`\`ts\nconst a = 1\n\`\`\` :: finished ¦ That is what the flag is for :: cut_off
    The call is now: :: cut_off
  `)("%j: %s", (text, closing) => {
    assert.strictEqual(said(text, null).closing, closing)
  })
})

describe("the fold", () => {
  it("joins messages, keeps the last 6,000 characters and forgets them with the user's next message", () => {
    assert.match(signal(session("> Go. / First. / Second.")).text, /First\.[^]*Second\./)
    assert.strictEqual(signal(session("> Go. / Done. / > Next.")).text, "")
    const state = signal([user("Go."), agent(`Which one?\n\n${"It is fixed.\n".repeat(1000)}The end.`)])
    assert.isTrue(state.text.length <= 6000 && state.text.endsWith("The end."))
    assert.strictEqual(StopSignal.read(state).closing, "finished")
  })

  it("is bounded by what it quotes", () => {
    assert.isAtMost(said(`Should I ${"drop the table and ".repeat(100)}go on?`).question?.text.length ?? 0, 300)
  })
})

describe("openTodos", () => {
  it("are those that the agent touched in this turn and left open", () => {
    const list = todos(["a", "completed"], ["b", "in_progress"], ["c", "pending"], ["d", "cancelled"])
    assert.deepStrictEqual(StopSignal.openTodos(signal([user("Go."), list])), ["b", "c"])
    assert.deepStrictEqual(StopSignal.openTodos(signal([user("Go."), list, user("Something else.")])), [])
  })
})
