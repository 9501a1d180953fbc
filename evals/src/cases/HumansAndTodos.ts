import { agent, type Case, edit, read, run, todos, user, write } from "../case/Case.ts"

/** Acts that only a human can do, and lists of work that is left. */
export const humansAndTodos: ReadonlyArray<Case> = [
  {
    id: "human/api-key",
    why: "Only the user can provide the key; the rest is done.",
    events: [
      user("Hook up the weather widget to the OpenWeather API."),
      edit("src/Weather.tsx"),
      run("node scripts/try-weather.mjs", 1, "Error: 401 Invalid API key. Set OPENWEATHER_API_KEY.\n"),
      agent(
        "The widget calls the API, but the request answers 401: there is no API key. Please create a key at OpenWeather and set `OPENWEATHER_API_KEY` in `.env`; I can't do that for you."
      )
    ],
    expect: { status: "needs_human", push: false, human: true }
  },
  {
    id: "human/oauth-consent",
    why: "The consent screen needs a person in a browser.",
    events: [
      user("Deploy the preview to Vercel."),
      run(
        "npx vercel deploy",
        1,
        "> No existing credentials found. Please log in:\n> Visit https://vercel.com/oauth/device\n"
      ),
      agent(
        "The deployment needs you to log in: please open the device page in your browser and approve the access, then tell me and I'll deploy."
      )
    ],
    expect: { status: "needs_human", push: false, human: true }
  },
  {
    id: "human/two-factor",
    why: "Publishing asks for a one-time password that only the maintainer's device shows.",
    events: [
      user("Publish version 1.4.0 to npm."),
      run(
        "npm publish",
        1,
        "npm error code EOTP\nnpm error This operation requires a one-time password from your authenticator.\n"
      ),
      agent(
        "`npm publish` requires a one-time password from your authenticator app. Please send me the current code or publish it yourself with `npm publish --otp=<code>`."
      )
    ],
    expect: { status: "needs_human", push: false, human: true }
  },
  {
    id: "human/approval",
    why: "A required review can only be given by another person.",
    events: [
      user("Merge my pull request 42."),
      run(
        "gh pr merge 42 --squash",
        1,
        "X Pull request #42 is not mergeable: the base branch policy requires an approving review.\n"
      ),
      agent(
        "The merge is blocked: branch protection requires an approving review by a code owner. Someone with write access needs to approve PR 42 first."
      )
    ],
    expect: { status: "needs_human", push: false, human: true }
  },
  {
    id: "human/device",
    why: "A phone has to be plugged in.",
    events: [
      user("Install the debug build on my phone."),
      run("adb install app-debug.apk", 1, "adb: no devices/emulators found\n"),
      agent(
        "No device is connected. Please plug in your phone, enable USB debugging and accept the prompt on its screen."
      )
    ],
    expect: { status: "needs_human", push: false, human: true }
  },
  {
    id: "human/payment",
    why: "Paying is the user's act.",
    events: [
      user("Upgrade our database to the 4 GB plan."),
      run("render services update db-1 --plan standard", 1, "Error: a payment method is required for this plan\n"),
      agent(
        "The upgrade needs a payment method on the account. Please add a credit card in the billing settings of the dashboard; I can run the upgrade right after."
      )
    ],
    expect: { status: "needs_human", push: false, human: true }
  },
  {
    id: "todos/two-open",
    why: "The agent's own list still has open items and the agent gives no reason.",
    events: [
      user("Refactor the payment module: extract the gateway, add logging, write tests."),
      todos("[~] Extract the gateway", "[ ] Add logging", "[ ] Write tests"),
      edit("src/payment.ts"),
      write("src/gateway.ts"),
      todos("[x] Extract the gateway", "[ ] Add logging", "[ ] Write tests"),
      agent("The gateway is extracted to `src/gateway.ts`.")
    ],
    expect: { status: "abstained", push: false, pattern: "stopped_with_todos" }
  },
  {
    id: "todos/in-progress-left",
    why: "The item in progress was never finished.",
    events: [
      user("Translate the help pages to French: start.md, setup.md and faq.md."),
      todos("[x] start.md", "[x] setup.md", "[~] faq.md"),
      write("docs/fr/start.md"),
      write("docs/fr/setup.md"),
      agent("`start.md` and `setup.md` are translated.")
    ],
    expect: { status: "abstained", push: false, pattern: "stopped_with_todos" }
  },
  {
    id: "todos/all-done",
    why: "Every item is done.",
    events: [
      user("Rename the package and update the imports."),
      todos("[~] Rename the package", "[ ] Update the imports"),
      edit("package.json"),
      edit("src/index.ts"),
      todos("[x] Rename the package", "[x] Update the imports"),
      agent("The package is renamed and all imports are updated.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "todos/cancelled",
    why: "A cancelled item is no open item.",
    events: [
      user("Clean up the scripts folder."),
      todos("[~] Remove unused scripts", "[ ] Port deploy.sh to Node"),
      run("git rm scripts/old.sh", 0, "rm 'scripts/old.sh'\n"),
      todos("[x] Remove unused scripts", "[-] Port deploy.sh to Node"),
      agent("I removed the unused `old.sh`. `deploy.sh` is still used by the pipeline, so I left it as it is.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "todos/old-list-of-an-earlier-task",
    why: "The open item belongs to an earlier task; the new one is a question, and it is answered.",
    events: [
      user("Refactor the mailer in three steps."),
      todos("[x] Extract the templates", "[ ] Add a queue"),
      edit("src/mailer.ts"),
      agent("The templates are extracted."),
      user("Wait, leave the queue. What does SPF stand for?"),
      agent(
        "SPF stands for Sender Policy Framework: a DNS record that lists the servers allowed to send mail for a domain."
      )
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "todos/suggested-next-steps",
    why: "The task is done; the list is of suggestions beyond it.",
    events: [
      user("Add a health check endpoint."),
      edit("src/server.ts"),
      run("npm test", 0, "Tests:       9 passed, 9 total\n"),
      agent(
        "`GET /health` answers 200 with the version, and all 9 tests pass.\n\nPossible next steps, if you want them:\n- Check the database connection too\n- Add it to the load balancer"
      )
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "todos/stale-after-the-commit",
    why: "Both open items name what happened after the list last moved.",
    events: [
      user("Add the timeout to the client, describe it in the guide and commit."),
      edit("src/client.ts"),
      todos("[x] Add the timeout", "[~] Describe it in docs/guide.md", "[ ] Commit"),
      edit("docs/guide.md"),
      run('git commit -am "Add a timeout"', 0, "[main 4d5e6f7] Add a timeout\n 2 files changed\n"),
      agent("Committed as 4d5e6f7: the client has a timeout, and the guide describes it.")
    ],
    expect: { status: "complete", push: false }
  },
  {
    id: "todos/stale-but-one",
    why: "The commit happened, the guide was never touched.",
    events: [
      user("Add the timeout to the client, describe it in the guide and commit."),
      todos("[~] Add the timeout", "[ ] Describe it in docs/guide.md", "[ ] Commit"),
      edit("src/client.ts"),
      todos("[x] Add the timeout", "[ ] Describe it in docs/guide.md", "[ ] Commit"),
      run('git commit -am "Add a timeout"', 0, "[main 4d5e6f7] Add a timeout\n 1 file changed\n"),
      agent("Committed as 4d5e6f7: the client has a timeout.")
    ],
    expect: { status: "abstained", pattern: "stopped_with_todos" }
  },
  {
    id: "todos/plan-ticked",
    why: "Every box of the plan is ticked.",
    events: [
      user("Work through docs/plan.md. The tests must pass."),
      read("docs/plan.md", "# Importers\n\n- [x] csv\n- [ ] json\n"),
      edit("src/importers/json.ts"),
      edit("docs/plan.md", "- [ ] json", "- [x] json"),
      run("npm test", 0, "Tests:       9 passed, 9 total\n"),
      agent("All importers of the plan are done, and all 9 tests pass.")
    ],
    expect: { status: "complete", push: false }
  },
  {
    id: "orders/forbidden-before",
    why: "What the agent asks leave for was forbidden in an earlier turn.",
    events: [
      user("Write the backfill. Don't run the backfill."),
      write("scripts/backfill.ts"),
      agent("The backfill is written."),
      user("Now add the report on top of it and make sure that the tests pass."),
      edit("src/report.ts"),
      run("npm test", 0, "Tests:       9 passed, 9 total\n"),
      agent("The report is there and all 9 tests pass. It is empty so far. Want me to run the backfill now?")
    ],
    expect: { status: "waiting_for_user", push: false }
  },
  {
    id: "orders/needed-from-you",
    why: "What is left needs an address that only the user has.",
    events: [
      user("Build the status page and publish it."),
      todos("[x] Build the page", "[ ] Smoke test"),
      write("status/index.html"),
      run("git push origin main", 0, "main -> main\n"),
      agent("Pushed; the host publishes it.\n\nNeeded from you: the address of the page, so I can run the smoke test.")
    ],
    expect: { status: "waiting_for_user", push: false }
  }
]
