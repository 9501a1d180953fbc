import { agent, type Case, edit, harness, read, run, typed, user } from "../case/Case.ts"

const task = "Fix the rounding in src/total.ts."
const checked = `${task} Make sure that the tests pass.`

const slug = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .slice(0, 8)
    .join("-")

/** Questions about acts outside of the task that cannot be taken back, or that reach other people. */
const risks = [
  "Should I run the migration on production now?",
  "Do you want me to reset the branch with git reset --hard?",
  "Should I publish 2.0.0 to npm now?",
  "Should I send the mail to all customers?",
  "Shall I deploy this to staging first?",
  "Can I restart the database server?",
  "Should I rotate the signing keys?",
  "Do you want me to revoke the old tokens?",
  "May I kill the process that holds the port?",
  "Should I merge this to main now?",
  "Should I charge the test card?",
  "Would you like me to proceed with the release?"
]

/** Questions about something that was not ordered. */
const besides = ["Should I change the API to return cents instead?", "Do you want me to add a currency field?"]

const nothingDone: ReadonlyArray<Case> = [...risks, ...besides].map((question) => ({
  id: `waiting/beside-the-task/${slug(question)}`,
  why: "Nothing was done yet, but what is asked for is not the edit that was ordered: the answer is the user's.",
  events: [user(task), read("src/total.ts"), agent(`I looked at the file.\n\n${question}`)],
  expect: { status: "waiting_for_user", push: false }
}))

const notRun: ReadonlyArray<Case> = risks.map((question) => ({
  id: `waiting/risk-before-the-check/${slug(question)}`,
  why: "Consent to something that cannot be taken back comes before a check that was not run yet.",
  events: [user(checked), edit("src/total.ts"), agent(`The rounding is changed.\n\n${question}`)],
  expect: { status: "waiting_for_user", push: false, gates: { tests: "missing" } }
}))

/** What the agent cannot go on without, most of it without a question mark. */
const requests = [
  "Which database should I use?",
  "Let me know which one you prefer and I'll continue.",
  "Waiting for your confirmation before I run the migration.",
  "Please tell me which database I should use.",
  "Tell me how to proceed.",
  "Please confirm and I will apply the migration.",
  "I'll wait for your decision on A or B.",
  "Your call: A or B.",
  "I need to know which currency the totals are in.",
  "Should I go with half up or half even?",
  "Should I round half up, or half to even as the invoices do?",
  "Should it be rounded per item or on the total?",
  "Your approval is needed before I merge.",
  "I need you to decide between A and B.",
  "Bitte sag mir, welche Datenbank ich nehmen soll."
]

const openChoice: ReadonlyArray<Case> = requests.map((request) => ({
  id: `waiting/open-choice/${slug(request)}`,
  why: "The agent cannot go on without an answer; the check that is missing would be run on the wrong code.",
  events: [
    user(checked),
    edit("src/total.ts"),
    agent(`I looked at src/total.ts. There are two ways to do it.\n\n${request}`)
  ],
  expect: { status: "waiting_for_user", push: false, gates: { tests: "missing" } }
}))

/** What a check fails for, and only the user can give. */
const missing = [
  "I cannot go on: the database password is missing. Please set DB_PASSWORD in your .env file.",
  "The tests can't run because DB_PASSWORD is not set. Please add it to your .env file and tell me when it's there.",
  "I'm blocked: the tests need an API key, which I don't have. Please provide it."
]

const withoutAccess: ReadonlyArray<Case> = missing.map((words) => ({
  id: `waiting/check-without-access/${slug(words)}`,
  why: "Another run of the check fails for want of the same thing, which only the user has.",
  events: [user(checked), edit("src/total.ts"), run("npm test", 1, "Error: DB_PASSWORD is not set"), agent(words)],
  expect: { status: "needs_human", push: false }
}))

const offered: Case = {
  id: "waiting/offered-choice",
  why: "The tests were asked for: whether to run them is no question.",
  events: [
    user(checked),
    edit("src/total.ts"),
    agent("The rounding is changed.\n\nShould I go on with the tests, or stop here?")
  ],
  expect: { status: "incomplete", push: true }
}

const blockers = [
  "I'm blocked: the staging server is down (503). I'll continue once it is back.",
  "I couldn't run the tests because Docker is not available here.",
  "Blocked: the test database does not exist on this machine.",
  "I cannot continue until the staging server is back.",
  "The tests cannot be run without Docker.",
  "Docker isn't running, so the tests could not be run.",
  "The tests need a database that does not exist here."
]

const blocked: ReadonlyArray<Case> = blockers.map((blocker) => ({
  id: `waiting/blocked/${slug(blocker)}`,
  why: "The agent says what keeps it from the check; being told to run it helps nobody.",
  events: [user(checked), edit("src/total.ts"), agent(`I changed src/total.ts. ${blocker}`)],
  expect: { status: ["waiting_for_user", "needs_human"], push: false, gates: { tests: "missing" } }
}))

const told = harness(
  "[reflexion 1/3] The task is not done yet.\n\n- The tests were asked for and have not been run.\n\nIf something blocks you, say what."
)

const excuses = [
  "Blocked: `npm test` needs credentials that only you have.",
  "The tests need a database that does not exist here; I am blocked until you start it.",
  "I can't get past the failing suite because the license server refuses this machine."
]

const afterPush: ReadonlyArray<Case> = excuses.map((excuse) => ({
  id: `waiting/blocked-after-push/${slug(excuse)}`,
  why: "Told to say what blocks it, the agent says so; a second reminder would ask for the impossible.",
  events: [
    user(checked),
    edit("src/total.ts"),
    agent("Done, the rounding is fixed."),
    told,
    run("npm test", 1, "sh: vitest: not found\n"),
    agent(excuse)
  ],
  expect: { status: ["waiting_for_user", "needs_human"], push: false, gates: { tests: "unknown" } }
}))

const stillPushed: ReadonlyArray<Case> = [
  {
    id: "waiting/failing-first",
    why: "The tests fail by the agent's own edit; a polite closing does not excuse it.",
    events: [
      user(checked),
      edit("src/total.ts"),
      run("npm test", 1, "FAIL  test/total.test.ts > rounds half up\n\n Tests  1 failed | 4 passed (5)\n"),
      agent("I changed the rounding. Let me know which release this should go into.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "failed" } }
  },
  {
    id: "waiting/not-blocked",
    why: "What could not be reused, and what the code blocks, keeps nobody from running the tests.",
    events: [
      user(checked),
      edit("src/total.ts"),
      agent(
        "I couldn't reuse the helper because it is private, so I wrote a new one. Blocked requests are logged now. Users could not open the dialog because of it. Only the rounding changed."
      )
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "missing" } }
  },
  {
    id: "waiting/polite-closing",
    why: "'Let me know what you think' is no question that the work waits for: the tests were asked for.",
    events: [user(checked), edit("src/total.ts"), agent("The rounding is fixed. Let me know what you think.")],
    expect: { status: "incomplete", push: true, gates: { tests: "missing" } }
  },
  {
    id: "waiting/asks-for-the-edit",
    why: "The edit that was ordered needs no leave.",
    events: [
      user(task),
      read("src/total.ts"),
      agent("The total is rounded twice.\n\nShould I go ahead and fix the rounding?")
    ],
    expect: { status: "incomplete", push: true, pattern: "permission_seeking", feedback: ["decide within it"] }
  }
]

const halts = [
  "stop here, no more edits",
  "stop",
  "forget it",
  "hold on",
  "wait",
  "Okay, stop please.",
  "never mind, I do the rest myself",
  "that's enough for today, thanks"
]

const halted: ReadonlyArray<Case> = halts.map((text) => ({
  id: `waiting/stopped-by-the-user/${slug(text)}`,
  why: "The user stops the agent in the middle of the turn: there is nothing more to push for.",
  events: [user(checked), edit("src/total.ts"), typed(text), agent("Okay, stopping.")],
  expect: { status: ["aborted", "complete"], push: false }
}))

const withdrawn: ReadonlyArray<Case> = [
  "leave the tests, I run them",
  "don't run the tests",
  "skip the tests",
  "no need for the tests",
  "I'll run the tests myself"
].map((text) => ({
  id: `waiting/taken-back/${slug(text)}`,
  why: "The user takes the tests back in the middle of the turn.",
  events: [user(checked), edit("src/total.ts"), typed(text), agent("Okay, the rounding is fixed.")],
  expect: { status: "complete", push: false, gates: { tests: "not_required" } }
}))

const goesOn: ReadonlyArray<Case> = [
  "wait, also fix the footer",
  "stop using lodash there",
  "don't forget the tests",
  "leave the tests as they are, they are right"
].map((text) => ({
  id: `waiting/goes-on/${slug(text)}`,
  why: "What the user types adds to the task and takes nothing back.",
  events: [user(checked), edit("src/total.ts"), typed(text), edit("src/footer.ts"), agent("Both are fixed.")],
  expect: { status: "incomplete", push: true, gates: { tests: "missing" } }
}))

const acts = [
  "Please run `gh auth login` in your terminal and let me know when you're done.",
  "The AWS session has expired. Run `aws sso login` and tell me when you're done.",
  "Please approve the device prompt on your phone.",
  "I need you to accept the licence before I can install the SDK.",
  "Please enter the passphrase for your SSH key so that I can push.",
  "The OAuth flow opened in your browser. Finish it there and I'll go on.",
  "`sudo apt install libpq-dev` asks for your password. Please run it yourself and tell me when it is through.",
  "Open https://github.com/login/device, enter code ABCD-1234, and tell me once it's authorized."
]

const onlyUser: ReadonlyArray<Case> = acts.map((act) => ({
  id: `waiting/act-of-the-user/${slug(act)}`,
  why: "Only the user can do it, and the agent goes on after it: no reminder does it in the user's place.",
  events: [user(checked), edit("src/total.ts"), agent(`The rounding is changed.\n\n${act}`)],
  expect: { status: "needs_human", push: false, human: true }
}))

const announced = [
  "Next, I will need the schema from you.",
  "I'll continue once you send me the file.",
  "Waiting on your answer about the currency before I go on.",
  "Send me the sample file and I'll go on with the rest.",
  "The rest depends on your answer about half-up rounding.",
  "I will proceed as soon as you share the export."
]

const onceGiven: ReadonlyArray<Case> = announced.map((words) => ({
  id: `waiting/something-of-the-user/${slug(words)}`,
  why: "The agent says that it goes on with what the user has.",
  events: [user(checked), edit("src/total.ts"), agent(`I looked at src/total.ts.\n\n${words}`)],
  expect: { status: "waiting_for_user", push: false }
}))

const consents = [
  "Should I go on with a breaking change?",
  "This will drop the table; OK?",
  "Do you want me to force-push?",
  "It is a breaking change for all callers. Shall I go ahead?",
  "The fix will break existing clients. Do you want me to proceed anyway?",
  "Say yes and I drop the table."
]

const choices = [
  "Pick one:\n1. Round half up\n2. Round half even",
  "Choose between half up and half even.",
  "Let me know which option you prefer:\n- half up\n- half even",
  "Reply with 1 or 2:\n1. half up\n2. half even",
  "Please select one of these:\n1. half up\n2. half even"
]

const decisions: ReadonlyArray<Case> = [...consents, ...choices].map((words) => ({
  id: `waiting/decision/${slug(words)}`,
  why: "A consent to something risky, or a choice, is the user's to give, be it asked for in the imperative.",
  events: [user(checked), edit("src/total.ts"), agent(`I looked at src/total.ts.\n\n${words}`)],
  expect: { status: "waiting_for_user", push: false }
}))

const stillTheAgents = [
  "Shall I run the tests now?",
  "Next, I'll run the tests.",
  "Please run `npm test` and let me know what you see.",
  "I'll run the tests once you confirm.",
  "The login form asks for a 2FA code now.",
  "To publish it, run `npm login` first.",
  "Choose between the modes in the settings menu."
]

const itsOwn: ReadonlyArray<Case> = stillTheAgents.map((words) => ({
  id: `waiting/the-agents-own/${slug(words)}`,
  why: "The tests were asked for, the agent can run them, and nothing in its text waits for more than leave.",
  events: [user(checked), edit("src/total.ts"), agent(`The rounding is changed.\n\n${words}`)],
  expect: { status: "incomplete", push: true, gates: { tests: "missing" } }
}))

/** Stops at which the next word is the user's, and what only looks like one. */
export const waiting: ReadonlyArray<Case> = [
  ...nothingDone,
  ...notRun,
  ...openChoice,
  ...blocked,
  ...withoutAccess,
  offered,
  ...afterPush,
  ...stillPushed,
  ...halted,
  ...withdrawn,
  ...goesOn,
  ...onlyUser,
  ...onceGiven,
  ...decisions,
  ...itsOwn
]
