import { describe, it } from "@effect/vitest"
import { agent, edit, judged, row, run, type Stop, tool, user } from "./judged.ts"

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
          row(`exit-${index}`, undone, [order, deploy(), agent(text)]),
          row(`status-${index}`, undone, [order, deploy({ status: "error" }), agent(text)])
        ]
      ),
      row("script", undone, [
        user("Run the migration."),
        run("python migrate.py", 1, "Traceback"),
        agent("The migration is through.")
      ]),
      row("service", undone, [
        user("Restart nginx."),
        run("systemctl restart nginx", 1, "Failed to restart"),
        agent("Restarted.")
      ]),
      row("deploy-after-work", undone, [
        order,
        run("npm install", 0, "added 3"),
        edit("src/a.ts"),
        deploy(),
        agent("Deployed.")
      ]),
      {
        name: "worked-at-last",
        events: [order, deploy(), run("vercel deploy", 0, "https://x.vercel.app"), agent("Deployed.")],
        wanted: { status: "complete", nudge: false }
      },
      row("other-way", { status: "complete", nudge: false }, [
        user("Run the migration."),
        run("python migrate.py", 1, "no module"),
        run("python3 -m migrate", 0, "ok"),
        agent("The migration is through.")
      ]),
      row("a-look", { status: "complete", nudge: false }, [
        user("Rename the total."),
        edit("src/total.ts"),
        run("grep -rn old src", 1),
        agent("Renamed; nothing else uses the old name.")
      ])
    ])
  )

  it.effect(
    "is a loop from three times on that are three calls of five, with looks between",
    judged([
      row("three-of-three", { status: "stuck", nudge: true }, [
        order,
        deploy(),
        deploy(),
        deploy(),
        agent("Deploying now.")
      ]),
      row("three-of-four", { status: "stuck", nudge: true }, [
        order,
        deploy(),
        read("a"),
        deploy(),
        deploy(),
        agent("Deploying now.")
      ]),
      row("three-of-five", { status: "stuck", nudge: true }, [
        order,
        deploy(),
        read("a"),
        deploy(),
        read("b"),
        deploy(),
        agent("Deploying now.")
      ]),
      row("three-of-six", { ...undone, spares: ["loops/repeat"] }, [
        order,
        deploy(),
        read("a"),
        deploy(),
        read("b"),
        read("c"),
        deploy(),
        agent("Deploying now.")
      ]),
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
      row("reads", { status: ["abstained", "stuck"] }, [
        user("Implement a discount in the cart module."),
        ...reads,
        agent("I understand the code now.")
      ]),
      ...looks.map((command, index): Stop =>
        row(`look-${index}`, { status: ["abstained", "stuck"] }, [
          user("Implement a discount in the cart module."),
          ...reads,
          run(command, 0, "clean"),
          agent("I understand the code now.")
        ])
      )
    ])
  )
})

describe("what only a person can do", () => {
  const human = { status: ["needs_human", "waiting_for_user"], nudge: false } as const
  const pay = user("Add the payment integration.")
  const says = (name: string, text: string): Stop => row(name, human, [pay, edit("src/pay.ts"), agent(text)])
  it.effect(
    "is the user's, whether the host tells the failure by a status or by an exit status",
    judged([
      ...[{}, { status: "error" }, { status: "completed" }].flatMap((over, index): ReadonlyArray<Stop> =>
        ["You need to log in: run `vercel login`.", "You are not authenticated. You have to log in to Vercel."].map(
          (text, at) => row(`login-${index}-${at}`, human, [order, deploy(over, "Error: not logged in"), agent(text)])
        )
      ),
      says("key", "You have to set OPENAI_API_KEY in .env."),
      says("consent", "You need to complete the OAuth consent."),
      says(
        "consent-and-code",
        "The code is in place. You need to complete the OAuth consent in your browser and enter the 2FA code."
      ),
      says("code", "You'll get a 2FA code; enter it in the terminal."),
      row("upload", human, [
        user("Publish the app."),
        run("npm run build", 0, "built"),
        agent("The archive has to be uploaded by hand in App Store Connect.")
      ]),
      row("proved-with-a-hint", { status: "complete", nudge: false }, [
        user("Add the payment integration and make sure the tests pass."),
        edit("src/pay.ts"),
        run("npm test", 0, "Tests  4 passed (4)"),
        agent("The integration is in place and the tests pass. You need to set STRIPE_API_KEY in production.")
      ]),
      row("an-occasion", { status: "complete", nudge: false }, [
        pay,
        edit("src/pay.ts"),
        agent("The integration is in place. To try it you need to set STRIPE_API_KEY.")
      ])
    ])
  )
})

describe("a rule that is off", () => {
  it.effect(
    "accuses nobody, and a failing check is a fact without it",
    judged([
      row("failing-unordered", { status: "incomplete", nudge: false }, [
        user("Fix the total."),
        edit("src/total.ts"),
        run("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
        agent("The total is right now.")
      ]),
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
