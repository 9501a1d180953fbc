import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import type { Status } from "../../src/judge/verdict/Verdict.ts"
import { agent, call, edit, run, transcript, user } from "../support/events.ts"
import { utmostContext } from "../support/utmost.ts"

const begin = Date.parse("2026-03-02T09:00:00.000Z")

const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString()

interface Said {
  readonly status: Status
  readonly push: boolean
  readonly reason: string
  readonly nudge: boolean
}

/** What the judge says of the stop, and what the detector says of the same session a minute later. */
const both = (events: ReadonlyArray<TranscriptEvent>): Said => {
  const session = transcript(events.map((event, index) => ({ ...event, at: at(index) })))
  const { shouldContinue, status } = Judgment.judge(session, { context: utmostContext })
  const now = at(events.length + 60)
  const { reason, shouldNudge } = StuckAssessment.assessTranscript(session, { context: utmostContext, now }).assessment
  return { status, push: shouldContinue, reason, nudge: shouldNudge }
}

const pushed: Said = { status: "incomplete", push: true, reason: "genuinely_stuck", nudge: true }
const silent = { push: false, nudge: false }

/** Whether the agent would be sent on. */
const sent = (events: ReadonlyArray<TranscriptEvent>): Pick<Said, "push" | "nudge"> => {
  const { nudge, push } = both(events)
  return { push, nudge }
}

const waits: Said = { status: "waiting_for_user", push: false, reason: "waiting_for_user", nudge: false }

const green = run("npm test", 0, "Tests:       37 passed, 37 total")

describe("steps that an agent names at its end", () => {
  const port = [user("Port the script to Python 3"), edit("script.py")]
  const auth = [user("Implement user authentication for the API"), edit("src/user.ts")]

  it.each([
    "I converted the print statements. Next steps:\n1. Replace `urllib2` with `urllib.request`\n2. Fix the unicode handling\n3. Run the script",
    "I converted the print statements.\n\n**Next steps:**\n- Replace `urllib2`\n- Fix the unicode handling\n",
    "The print statements are converted.\n\n## Next steps\n\n1. Replace `urllib2` with `urllib.request`\n2. Fix the unicode handling",
    "Converted the print statements. Next steps: replace urllib2, fix the unicode handling, then run the script."
  ])("are the agent's own, and none was taken: %s", (text) =>
    assert.deepStrictEqual(both([...port, agent(text)]), pushed, text)
  )

  it("are pushed for as well where they are parts of what was asked for", () => {
    const text = "The table is there.\n\nNext steps:\n1. Add the login endpoint\n2. Write the authentication middleware"
    assert.deepStrictEqual(both([...auth, agent(text)]), pushed, text)
  })

  it.each([
    "The script runs on Python 3. Next steps for you:\n1. Run it against your data\n2. Add it to the cron job",
    "The script is ported.\n\nYou can now:\n1. Run the script\n2. Remove Python 2",
    "I ported the script to Python 3.\n\nNext steps:\n- Add tests\n- Run it in CI",
    "Ported.\n\nOptional next steps:\n1. Add type hints\n2. Replace `optparse`",
    "The script is ported. Next steps you may want to take:\n1. Add type hints\n2. Clean up the imports",
    "All of it is done.\n\nNext steps:\n1. Add type hints\n2. Clean up the imports",
    "The print statements are converted. Should I take the next steps?\n1. Replace `urllib2`\n2. Fix the unicode handling",
    "Next steps for the platform team:\n1. Update the image\n2. Remove Python 2",
    "The print statements are converted.\n\nNext steps:\n1. Run the script against your data\n2. Commit the change",
    "The print statements are converted.\n\nNext steps:\n- Run it under Python 3\n- Add a shim if the unicode handling differs",
    "The print statements are converted.\n\nNext steps: nothing.",
    "Ported script.py.\n\nNext steps:\n1. Add the missing tests\n2. Document the new version",
    "Everything works on Python 3.\n\n**Suggested next steps**\n1. Add a test for the CSV reader\n2. Update the docs"
  ])("are somebody else's, or beyond the task: %s", (text) =>
    assert.deepStrictEqual(sent([...port, agent(text)]), silent, text)
  )

  it("are beyond the task where its checks pass", () => {
    const text = "The endpoints are there.\n\nNext steps:\n1. Add rate limiting\n2. Write an integration test"
    assert.deepStrictEqual(sent([...auth, green, agent(text)]), silent, text)
  })

  it("are what was asked for in a discussion", () => {
    const text = "The parser is the hard part. Next steps:\n1. Extract the lexer\n2. Add tests\n3. Replace the parser"
    assert.deepStrictEqual(sent([user("What would it take to move off the old parser?"), agent(text)]), silent, text)
    assert.deepStrictEqual(
      sent([user("Make a plan for the new parser, don't write code yet."), agent(text)]),
      silent,
      text
    )
  })
})

describe("a text that the host calls whole and that breaks off", () => {
  const crash = [user("Fix the crash in the signup form"), edit("src/Signup.tsx")]

  it.each([
    "The reducer is where the state lives, which means that the",
    "I've updated the schema and the resolver, but the resolver still needs to",
    "Looking at the stack trace, the exception is thrown in `Foo.bar` because",
    "The form keeps its state in a reducer, so the cleanest approach is to add an `errors` slice and then",
    "I've changed the reducer so that it",
    "Changes made so far:\n- schema\n- resolver\n-",
    "The fix is in the reducer:\n\n```ts\nexport function add(a: number, b"
  ])("is cut off: %s", (text) => assert.deepStrictEqual(both([...crash, agent(text)]), pushed, text))

  it.each([
    "Fixed the crash in the signup form",
    "The crash was in the reducer, which is what the stack trace pointed to",
    "Fixed: the form no longer crashes. That is what the guard is for",
    "The signup form works again, as far as I can",
    "Fixed the crash. The guard is where the others are",
    "done",
    "Fixed the crash:\n\n```ts\nexport const add = (a: number) => a\n",
    "Fixed the crash. Run it with `npm start -- --port`",
    "Fixed the crash in the signup form. See `the`",
    "The crash is fixed — nothing else was changed —",
    "- Fixed the crash\n- Added a guard\n- Left the rest as it is"
  ])("is whole: %s", (text) => assert.deepStrictEqual(sent([...crash, agent(text)]), silent, text))

  it("is left as it is where the checks pass, or in a language that is not read", () => {
    assert.deepStrictEqual(
      sent([...crash, green, agent("The reducer is where the state lives, which means that the")]),
      silent,
      "proved"
    )
    assert.deepStrictEqual(
      sent([...crash, agent("Der Fehler im Formular ist behoben und der Test fängt an")]),
      silent,
      "German"
    )
  })
})

describe("work that goes on in the background", () => {
  const task = user("Build the image and report back")

  it.each([
    [run("nohup docker build . > b.log 2>&1 &", 0, "[1] 4242"), "I'll report back when it finishes."],
    [run("docker build . > b.log 2>&1 &\necho started", 0, "started"), "I'll check on it once it's done."],
    [run("(make image &)", 0), "The build is running in the background. I will report back once it completes."],
    [run("setsid make image > log", 0), "It is running in the background; I'll check back in a few minutes."],
    [
      run("tmux new-session -d -s build 'make image'", 0),
      "The build is running in tmux. I'll report back when it is done."
    ],
    [
      call("Bash", { command: "docker build .", run_in_background: true }, { output: "running: b1", background: true }),
      "Build started. I'll check on it once it's done."
    ],
    [
      call("ScheduleWakeup", { delaySeconds: 600 }, { output: "at 09:20" }),
      "Nothing new yet. I'll check again in 10 minutes."
    ]
  ] as const)("is awaited, not left undone: %#", (started, text) =>
    assert.deepStrictEqual(both([task, started, agent(text)]), {
      status: "working",
      push: false,
      reason: "working",
      nudge: false
    })
  )

  it("is none where nothing was started", () => {
    const text = "I'll run the build next and report back."
    assert.deepStrictEqual(both([task, run("docker images", 0, "none"), agent(text)]), pushed, text)
    assert.deepStrictEqual(
      both([task, run("git commit -am 'a & b' && git push", 0), agent("Now I'll build the image.")]),
      pushed,
      "announced"
    )
  })

  it("excuses no other step that is announced", () => {
    assert.deepStrictEqual(
      both([task, run("npm start &", 0), agent("The server is up. Now I'll build the image.")]),
      pushed,
      "another step"
    )
  })
})

describe("what is left for somebody else", () => {
  const bug = [user("Fix the bug in hook.ts and run the tests"), edit("src/hook.ts"), green]

  it.each([
    "37/37. TODO for someone else: the docs still mention the old header.",
    "Fixed, 37 tests pass.\n\nLeft for the backend team:\n- the endpoint is not implemented yet\n- the docs are still missing",
    "Fixed, 37 tests pass.\n\n**TODO (for the platform team)**\n- The image isn't updated yet",
    "Fixed, 37 tests pass.\n\nStill open, but not mine:\n- the retry logic hasn't been written yet",
    "The bug is fixed and the tests pass. The docs still need to be updated by the docs team."
  ])("is none of this agent's work: %s", (text) => assert.deepStrictEqual(sent([...bug, agent(text)]), silent, text))

  it("is its own where nobody else is named", () => {
    const task = [user("Add the limiter and document it"), edit("src/limit.ts")]
    for (const text of [
      "The limiter is there. TODO: the docs still have to be written.",
      "Left for later:\n- I haven't documented it yet"
    ])
      assert.deepStrictEqual(both([...task, agent(text)]), pushed, text)
  })
})

describe("an offer to do what was asked for", () => {
  const rewrite = [user("Rewrite the history to drop the big file. Run the tests first."), green]

  it.each([
    "Tests pass. Rewriting history needs a force-push that affects everyone. Say the word and I will do it.",
    "Tests pass. Just tell me and I'll rewrite the history.",
    "The tests pass. I'm happy to rewrite the history if you want.",
    "Tests pass. I can drop the big file from the history whenever you like.",
    "All 37 tests pass. Rewriting the history affects everyone. Shall I?",
    "Tests pass. If you want, I'll rewrite the history now."
  ])("waits for the user: %s", (text) => assert.deepStrictEqual(both([...rewrite, agent(text)]), waits, text))

  it.each([
    "Fixed, all tests pass. Say the word and I'll open a follow-up ticket for the docs.",
    "Fixed, 37 tests pass. Happy to add a changelog entry if you want.",
    "Fixed, 37 tests pass. Just tell me if you want the other handlers changed as well.",
    "The bug is fixed and 37 tests pass. I can also rename the hook if you like."
  ])("of an extra leaves the work done: %s", (text) => {
    const events = [user("Fix the bug in hook.ts and run the tests"), edit("src/hook.ts"), green, agent(text)]
    assert.deepStrictEqual(both(events), { status: "complete", push: false, reason: "complete", nudge: false })
  })
})
