import { describe, it } from "@effect/vitest"
import { agent, edit, judged, run, type Stop, tool, user } from "./judged.ts"

const order = user("Deploy the site to Vercel.")

const deploy = (over: Readonly<Record<string, unknown>> = {}, output = "Error: boom") =>
  run("vercel deploy", 1, output, over)

const read = (path: string) => tool("read", { file_path: path }, { output: "x" })

const undone = { status: ["incomplete", "stuck"], nudge: false } as const

describe("work that failed", () => {
  it.effect(
    "is not called done, whatever is said of it",
    judged([
      ...["Deployed.", "It did not work.", "The deploy failed: boom.", "All set!"].flatMap(
        (text, index): ReadonlyArray<Stop> => [
          { name: `exit-${index}`, events: [order, deploy(), agent(text)], wanted: undone },
          { name: `status-${index}`, events: [order, deploy({ status: "error" }), agent(text)], wanted: undone }
        ]
      ),
      {
        name: "script",
        events: [
          user("Run the migration."),
          run("python migrate.py", 1, "Traceback"),
          agent("The migration is through.")
        ],
        wanted: undone
      },
      {
        name: "service",
        events: [user("Restart nginx."), run("systemctl restart nginx", 1, "Failed to restart"), agent("Restarted.")],
        wanted: undone
      },
      {
        name: "deploy-after-work",
        events: [order, run("npm install", 0, "added 3"), edit("src/a.ts"), deploy(), agent("Deployed.")],
        wanted: undone
      },
      {
        name: "worked-at-last",
        events: [order, deploy(), run("vercel deploy", 0, "https://x.vercel.app"), agent("Deployed.")],
        wanted: { status: "complete", nudge: false }
      },
      {
        name: "other-way",
        events: [
          user("Run the migration."),
          run("python migrate.py", 1, "no module"),
          run("python3 -m migrate", 0, "ok"),
          agent("The migration is through.")
        ],
        wanted: { status: "complete", nudge: false }
      },
      {
        name: "a-look",
        events: [
          user("Rename the total."),
          edit("src/total.ts"),
          run("grep -rn old src", 1),
          agent("Renamed; nothing else uses the old name.")
        ],
        wanted: { status: "complete", nudge: false }
      }
    ])
  )

  it.effect(
    "is a loop from three times on that are three calls of five, with looks between",
    judged([
      {
        name: "three-of-three",
        events: [order, deploy(), deploy(), deploy(), agent("Deploying now.")],
        wanted: { status: "stuck", nudge: true }
      },
      {
        name: "three-of-four",
        events: [order, deploy(), read("a"), deploy(), deploy(), agent("Deploying now.")],
        wanted: { status: "stuck", nudge: true }
      },
      {
        name: "three-of-five",
        events: [order, deploy(), read("a"), deploy(), read("b"), deploy(), agent("Deploying now.")],
        wanted: { status: "stuck", nudge: true }
      },
      {
        name: "three-of-six",
        events: [order, deploy(), read("a"), deploy(), read("b"), read("c"), deploy(), agent("Deploying now.")],
        wanted: { ...undone, spares: ["loops/repeat"] }
      },
      {
        name: "three-that-work",
        events: [order, ...[1, 2, 3].map(() => run("vercel deploy", 0, "https://x.vercel.app")), agent("Deployed.")],
        wanted: { status: "complete", nudge: false }
      }
    ])
  )
})

describe("looks alone", () => {
  const reads = Array.from({ length: 12 }, (_, index) => read(`/repo/src/f${index}.js`))
  const looks = ["git status", "git log --oneline -5", "git diff", "gh pr view 7", "git branch -a"]

  it.effect(
    "are no work, with git among them",
    judged([
      {
        name: "reads",
        events: [user("Implement a discount in the cart module."), ...reads, agent("I understand the code now.")],
        wanted: { status: ["abstained", "stuck"] }
      },
      ...looks.map((command, index): Stop => ({
        name: `look-${index}`,
        events: [
          user("Implement a discount in the cart module."),
          ...reads,
          run(command, 0, "clean"),
          agent("I understand the code now.")
        ],
        wanted: { status: ["abstained", "stuck"] }
      }))
    ])
  )
})

describe("what only a person can do", () => {
  const human = { status: ["needs_human", "waiting_for_user"], nudge: false } as const
  const pay = user("Add the payment integration.")
  const says = (name: string, text: string): Stop => ({
    name,
    events: [pay, edit("src/pay.ts"), agent(text)],
    wanted: human
  })
  it.effect(
    "is the user's, whether the host tells the failure by a status or by an exit status",
    judged([
      ...[{}, { status: "error" }, { status: "completed" }].flatMap((over, index): ReadonlyArray<Stop> =>
        ["You need to log in: run `vercel login`.", "You are not authenticated. You have to log in to Vercel."].map(
          (text, at) => ({
            name: `login-${index}-${at}`,
            events: [order, deploy(over, "Error: not logged in"), agent(text)],
            wanted: human
          })
        )
      ),
      says("key", "You have to set OPENAI_API_KEY in .env."),
      says("consent", "You need to complete the OAuth consent."),
      says(
        "consent-and-code",
        "The code is in place. You need to complete the OAuth consent in your browser and enter the 2FA code."
      ),
      says("code", "You'll get a 2FA code; enter it in the terminal."),
      {
        name: "upload",
        events: [
          user("Publish the app."),
          run("npm run build", 0, "built"),
          agent("The archive has to be uploaded by hand in App Store Connect.")
        ],
        wanted: human
      },
      {
        name: "proved-with-a-hint",
        events: [
          user("Add the payment integration and make sure the tests pass."),
          edit("src/pay.ts"),
          run("npm test", 0, "Tests  4 passed (4)"),
          agent("The integration is in place and the tests pass. You need to set STRIPE_API_KEY in production.")
        ],
        wanted: { status: "complete", nudge: false }
      },
      {
        name: "an-occasion",
        events: [
          pay,
          edit("src/pay.ts"),
          agent("The integration is in place. To try it you need to set STRIPE_API_KEY.")
        ],
        wanted: { status: "complete", nudge: false }
      }
    ])
  )
})

describe("a rule that is off", () => {
  it.effect(
    "accuses nobody, and a failing check is a fact without it",
    judged([
      {
        name: "failing-unordered",
        events: [
          user("Fix the total."),
          edit("src/total.ts"),
          run("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
          agent("The total is right now.")
        ],
        wanted: { status: "incomplete", nudge: false }
      },
      {
        name: "announced",
        events: [
          user("Fix the total and add a test."),
          edit("src/total.ts"),
          agent("The total is fixed. Now I'll add the test.")
        ],
        attended: { nudge: false }
      }
    ])
  )
})
