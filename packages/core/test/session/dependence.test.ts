import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as StopSignal from "../../src/session/stop/StopSignal.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, run, todos, transcript, user } from "../support/events.ts"
import { utmost, utmostContext } from "../support/utmost.ts"

const task = user("Fix the rounding in src/total.ts. Make sure that the tests pass.")

/** Open items of a list are only told of. */
const context = { ...utmostContext, config: { ...utmost, rules: { ...utmost.rules, "todos/open": "tell" as const } } }

const judged = (...events: ReadonlyArray<TranscriptEvent>) => {
  const timed = events.map((event, index) => ({ ...event, at: new Date(index * 1000).toISOString() }))
  const session = transcript(timed)
  const now = new Date(events.length * 1000 + 400_000).toISOString()
  const { reason, shouldNudge } = StuckAssessment.assessTranscript(session, { context, now }).assessment
  const { requiresHumanAction, shouldContinue, status } = Judgment.judge(session, { context })
  return { reason, requiresHumanAction, shouldContinue, shouldNudge, status }
}

const waits = { reason: "waiting_for_user", requiresHumanAction: false, shouldContinue: false, shouldNudge: false }

const contexts: ReadonlyArray<readonly [string, ReadonlyArray<TranscriptEvent>]> = [
  ["an edit", [task, edit("src/total.ts")]],
  ["open todos", [user("Fix the rounding."), todos(["Fix", "completed"], ["Docs", "pending"]), edit("src/total.ts")]],
  ["a failed call", [user("Add the bucket."), edit("main.tf"), run("terraform apply", 1, "Error: no credentials")]]
]

describe.each(contexts)("after %s", (_, before) => {
  it.each([
    "Could you run `gcloud auth login` for me? I'll continue after that.",
    "Please approve the device prompt, then I'll run the tests.",
    "I need you to enter the 2FA code.",
    "The push asks for the passphrase of your SSH key. Type it in and I'll continue.",
    "You'll have to log in first: run `npm login`, then let me know.",
    "Once you've signed in to Vercel I'll deploy.",
    "Over to you for the licence key, then the tests."
  ])("an act of the user's is waited for: %s", (text) => {
    assert.deepStrictEqual(judged(...before, agent(text)), {
      ...waits,
      requiresHumanAction: true,
      status: "needs_human"
    })
  })

  it.each([
    "I'll need the staging URL from you next.",
    "To continue, I'll need your database dump.",
    "After you upload the fixture I'll finish the tests.",
    "Holding until you tell me which currency to use.",
    "I now need your decision on the rounding mode.",
    "The form is built.\n\nWhat I need from you:\n- the address of the staging server",
    "Drop the address here when it is up and I'll try the form there.",
    "There are two suites, `fast` and `full`. I'm not sure which one you mean."
  ])("something of the user's is waited for: %s", (text) => {
    assert.deepStrictEqual(judged(...before, agent(text)), { ...waits, status: "waiting_for_user" })
  })

  it.each([
    "This changes the public API; should I continue?",
    "The migration deletes 4,000 rows. Shall I go ahead?",
    "I'll force-push once you confirm.",
    "Pick one: half up or half even.",
    "Please choose an option:\n\n1. half up\n2. half even",
    "Answer with A or B and I'll continue.",
    "Please answer with the number of the rounding that you want."
  ])("a decision of the user's is waited for: %s", (text) => {
    assert.deepStrictEqual(judged(...before, agent(text)), { ...waits, status: "waiting_for_user" })
  })
})

describe.each(contexts.slice(0, 2))("consent, after %s", (_, before) => {
  it.each([
    "I'll drop the index only with your explicit approval.",
    "I won't touch the bucket without a yes from you.",
    "I will delete the old accounts unless you object.",
    'This can\'t be undone. Reply "yes" to continue.',
    "What should the limit be? I was thinking of 5 a minute.",
    "I'd rather not run the suite without your approval, because it writes to the shared database."
  ])("outranks what was not run: %s", (text) => {
    assert.deepStrictEqual(judged(...before, agent(text)), { ...waits, status: "waiting_for_user" })
  })

  it.each([
    "Ich warte auf deine Zustimmung, bevor ich die Spalte entferne.",
    "Confirma antes de que yo borre la tabla de usuarios.",
    "Next, I'll drop the production table."
  ])("is not decided where it may be asked for: %s", (text) => {
    const { shouldContinue, shouldNudge } = judged(...before, agent(text))
    assert.deepStrictEqual([shouldContinue, shouldNudge], [false, false])
  })
})

describe("a failed check", () => {
  const failing = run("npm test", 1, "Tests:  1 failed, 4 passed, 5 total")

  it.each([
    "The tests need Redis, which isn't running here. Please start Redis and tell me when it's up.",
    "The tests fail for want of a database. Which database URL should I use?",
    "Should I update the snapshot or revert the markup?"
  ])("waits for what the user has: %s", (text) => {
    const { reason, shouldContinue, shouldNudge } = judged(task, edit("src/total.ts"), failing, agent(text))
    assert.deepStrictEqual([reason, shouldContinue, shouldNudge], ["waiting_for_user", false, false])
  })
})

describe("what the agent can do itself", () => {
  it.each([
    "Shall I run the tests now?",
    "Next, I'll run the tests.",
    "I'll run the tests once you confirm.",
    "Please run `npm test` and let me know what you see.",
    "Please log in and check the page.",
    "Users must enter the 2FA code.",
    "To publish it, run `npm login` first.",
    'The dialog now says "Pick one: A or B".',
    "Should I fix the breaking change?",
    "Once you deploy it, the totals will be right.",
    "The script waits for your password and then continues.",
    "I didn't run the tests without your approval.",
    "Needed from you: nothing. The totals are rounded.",
    "Please note that the totals are rounded now.",
    "The totals are rounded. If you can share a log, I can look at the footer as well."
  ])("is still pushed for: %s", (text) => {
    const { shouldContinue, shouldNudge, status } = judged(task, edit("src/total.ts"), agent(text))
    assert.deepStrictEqual([status, shouldContinue, shouldNudge], ["incomplete", true, true])
  })

  it("is pushed for where its own edit fails the tests, whatever the user is to do besides", () => {
    const failing = run("npm test", 1, "Tests:  1 failed, 4 passed, 5 total")
    const text = "The rounding is changed. Please run `gh auth login` and let me know when you're done."
    const { requiresHumanAction, shouldContinue, status } = judged(task, edit("src/total.ts"), failing, agent(text))
    assert.deepStrictEqual([status, shouldContinue, requiresHumanAction], ["incomplete", true, true])
  })

  it("is no login, which is nothing to run for the agent", () => {
    const text = "Now run `vercel login` and confirm the mail."
    const events = [user("Fix the rounding."), edit("src/total.ts"), agent(text)]
    assert.isFalse(judged(...events).shouldContinue)
    assert.isNull(StopSignal.read(events.reduce(StopSignal.step, StopSignal.initial)).handsOver)
  })
})

describe("a refused call", () => {
  const denied = run("git push", null, "", { status: "denied" })
  const before = [task, todos(["Fix", "completed"], ["Docs", "pending"]), edit("src/total.ts"), denied]

  it.each(["Alright, I won't push.", "I'll write the docs next.", "Two items are open."])(
    "leaves the next word to whoever refused: %s",
    (text) => {
      const { reason, shouldNudge } = judged(...before, agent(text))
      assert.deepStrictEqual([reason, shouldNudge], ["waiting_for_user", false])
    }
  )

  it("does so in silence, too", () => {
    const { reason, shouldNudge } = judged(...before)
    assert.deepStrictEqual([reason, shouldNudge], ["waiting_for_user", false])
  })

  it.each([run("npm run docs", 0), run("npm run docs", 1, "no such script")])(
    "is over once the agent went on working",
    (call) => {
      const { reason, shouldNudge } = judged(...before, agent("Alright."), call, agent("Two items are open."))
      assert.deepStrictEqual([reason, shouldNudge], ["working", false])
    }
  )
})

const bound = user("Split src/billing.ts into modules, but ask me before you touch any file.")

describe("a user who wants to be asked first is asked", () => {
  it.each<readonly [string, string]>([
    ["Split src/billing.ts into modules, but ask me before you touch any file.", "Shall I make the split?"],
    ["Port the CLI to Rust; consult me prior to editing anything.", "I'd begin with `args.rs`. Should I start?"],
    ["Move the config to TOML. Get my OK before changing code.", "One file changes, `load.py`. May I go ahead?"],
    ["Replace moment with dayjs, and run it by me before each edit.", "First `date.ts`. Shall I change it?"],
    ["Convert the tests to vitest. Wait for my approval at each step.", "Step 1 is the runner. Should I do it now?"],
    ["Before you edit anything, confirm with me. Rename the table.", "Three files are touched. Can I rename it?"],
    ["Tidy up utils.ts, asking for my permission for every change.", "I'd drop `noop()`. Say the word and I'll do it."]
  ])("%s %s", (order, question) => {
    assert.deepStrictEqual(judged(user(order), run("cat src/billing.ts", 0, "code"), agent(question)), {
      ...waits,
      status: "waiting_for_user"
    })
  })

  it("also between two of the steps", () => {
    const order = user("Convert the tests to vitest. Wait for my approval at each step. Run the tests in the end.")
    const step = agent("The runner is converted. Shall I go on with the mocks?")
    assert.deepStrictEqual(judged(order, edit("vitest.config.ts"), step), { ...waits, status: "waiting_for_user" })
  })

  it.each([
    "Split src/billing.ts into modules. No need to ask me before you touch any file.",
    "Split src/billing.ts into modules and don't ask me before changing things.",
    "Split src/billing.ts into modules."
  ])("and nobody else: %s", (order) => {
    const { status } = judged(user(order), run("cat src/billing.ts", 0, "code"), agent("Shall I make the split?"))
    assert.strictEqual(status, "incomplete")
  })

  it("not for the checks of what it did", () => {
    const { shouldContinue, status } = judged(
      bound,
      edit("src/billing.ts"),
      agent("It is split. Should I run the tests?")
    )
    assert.deepStrictEqual([status, shouldContinue], ["incomplete", true])
  })
})

describe("whoever comes back to what runs in the background works", () => {
  const order = user("Run the nightly suite and give me the numbers.")
  const flagged = run("make nightly", null, "", { background: true, status: "completed" })
  const ordered = call("Bash", { command: "make nightly", run_in_background: true }, { output: "started" })
  it.each([
    "I'll report once the suite is through.",
    "I'll post the numbers as soon as they're in.",
    "It takes a quarter of an hour. I'll give you the totals when it's done.",
    "Next, I'll read the log after it exits.",
    "I will tell you the outcome when the run ends."
  ])("%s", (text) => {
    for (const launch of [flagged, ordered])
      assert.deepStrictEqual(judged(order, launch, agent(text)), {
        reason: "working",
        requiresHumanAction: false,
        shouldContinue: false,
        shouldNudge: false,
        status: "working"
      })
  })

  it("nobody does whose work is known to have ended", () => {
    const begun = run("make nightly", null, "", { id: "n", background: true, status: "running" })
    const ended = run("make nightly", 0, "412 passed", { id: "n", background: true })
    const { status } = judged(order, begun, agent("I'll report once the suite is through."), ended)
    assert.notStrictEqual(status, "working")
  })

  it("nobody does who started nothing", () => {
    const { status } = judged(order, run("ls", 0, "a"), agent("I'll report once the suite is through."))
    assert.notStrictEqual(status, "working")
  })
})

describe("what the text leaves to somebody else", () => {
  const work = [user("Cap the retries in src/http.ts. Run npm test."), edit("src/http.ts"), run("npm test", 0, "ok")]
  it.each([
    "Capped at 5. Remaining work on your end: raise the gateway's limit.",
    "Capped at 5. Still open (for you): tell the partners.",
    "Capped at 5. Remaining work for you: announce it.",
    "Capped at 5. The limit still needs to be added by your platform team to the gateway.",
    "Capped at 5.\n\n## Todo\n- [ ] SRE: raise the gateway's limit\n- [ ] @kim: tell the partners",
    "Capped at 5.\n\nRemaining tasks:\n\n1. Marketing: announce it\n2. You: pick the date"
  ])("%s", (text) => {
    const { shouldContinue, shouldNudge } = judged(...work, agent(text))
    assert.deepStrictEqual({ shouldContinue, shouldNudge }, { shouldContinue: false, shouldNudge: false })
  })

  it("is not what it says is left of its own, which is quoted, and not the heading over it", () => {
    const text = "The cap is in.\n\n## Todo\n- [ ] QA: try it on Windows\n- [ ] Cap the uploads, too."
    const { feedback, missing, reason, shouldContinue } = Judgment.judge(transcript([...work, agent(text)]), {
      context: utmostContext
    })
    assert.isTrue(shouldContinue)
    assert.deepStrictEqual(missing, ["Cap the uploads, too."])
    assert.strictEqual(reason, "Not done: Cap the uploads, too.")
    assert.include(feedback, '"Cap the uploads, too."')
    assert.notInclude(feedback, "..")
  })
})
