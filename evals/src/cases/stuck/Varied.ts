import { agent, edit, harness, notice, read, run, shell, todos, tool, typed, user } from "../../case/Case.ts"
import type { StuckCase, StuckExpectation } from "../../watch/StuckCase.ts"

const stuck: StuckExpectation = { reason: "genuinely_stuck", nudge: true }
const working: StuckExpectation = { reason: "working", nudge: false }
const waiting: StuckExpectation = { reason: "waiting_for_user", nudge: false }
const complete: StuckExpectation = { reason: "complete", nudge: false }
const doneOrUnsure: StuckExpectation = { reason: ["complete", "working"], nudge: false }

const longSession = Array.from({ length: 40 }, (_, index) => [
  read(`src/module-${index}.ts`, `export const value = ${index}`),
  edit(`src/module-${index}.ts`, `value = ${index}`, `value = ${index + 1}`)
]).flat()

/** Other hosts, other languages, odd tools, long and short sessions. */
export const variedSessions: ReadonlyArray<StuckCase> = [
  {
    id: "varied/codex-poll-running",
    why: "The test process still runs behind a session of the host's that is polled.",
    silence: 150,
    session: { host: "codex" },
    events: [
      user("Run the whole suite and fix what fails."),
      tool("exec_command", { cmd: "pytest -x", yield_time_ms: 1000 }, { id: "e", status: "running" })
    ],
    expect: working
  },
  {
    id: "varied/gradle-first-download",
    why: "The first run of the wrapper downloads half the internet.",
    silence: 840,
    session: { host: "opencode" },
    events: [
      user("Bump the Android Gradle plugin to 8.5."),
      edit("build.gradle.kts"),
      agent("Let me verify that it still builds:", { completed: null }),
      shell("./gradlew assembleDebug", { status: "running" })
    ],
    expect: working
  },
  {
    id: "varied/terraform-apply",
    why: "An apply takes a quarter of an hour, and nobody should interfere with it.",
    silence: 1100,
    events: [user("Apply the staging plan."), shell("terraform apply -auto-approve plan.out", { status: "running" })],
    expect: working
  },
  {
    id: "varied/browser-tool",
    why: "A browser is being driven; a page may take its time.",
    silence: 95,
    session: { host: "cline" },
    events: [
      user("Check that the checkout page works in the browser."),
      tool("browser_action", { action: "launch", url: "http://localhost:3000" }, { status: "running" })
    ],
    expect: working
  },
  {
    id: "varied/dev-server-and-done",
    why: "The server is meant to go on running; the agent is done, and whoever cannot tell says that something runs.",
    silence: 400,
    events: [
      user("Start the dev server and check that the start page loads."),
      shell("npm run dev", { background: true, status: "running" }),
      run("curl -sI http://localhost:5173", 0, "HTTP/1.1 200 OK"),
      agent("The dev server runs on http://localhost:5173, and the start page answers with 200.")
    ],
    expect: { reason: ["working", "complete"], nudge: false }
  },
  {
    id: "varied/weekly-limit",
    why: "The account's limit is used up until Thursday.",
    silence: 90_000,
    session: { host: "codex" },
    events: [
      user("Continue with the port."),
      edit("src/port.rs"),
      notice("rate_limited", "You've hit your usage limit. Try again on Thursday.")
    ],
    expect: working
  },
  {
    id: "varied/login-expired",
    why: "Only the user can log in again.",
    silence: 900,
    events: [
      user("Add a footer."),
      notice("api_error", "Please run /login · API Error: 401 authentication_error: invalid credentials")
    ],
    expect: waiting
  },
  {
    id: "varied/typed-meanwhile",
    why: "The user added something in the middle of the work, twenty seconds ago.",
    silence: 20,
    events: [user("Port the importer."), edit("src/import.ts"), typed("keep the old flag, please")],
    expect: working
  },
  {
    id: "varied/french-question",
    why: "A question in French.",
    silence: 500,
    events: [
      user("Ajoute l'authentification à l'API."),
      read("src/api.ts"),
      agent("Je peux utiliser des sessions ou des jetons JWT. Laquelle des deux options préférez-vous ?")
    ],
    expect: waiting
  },
  {
    id: "varied/korean-question",
    why: "A question in Korean.",
    silence: 500,
    events: [
      user("로그인 페이지를 추가해 주세요."),
      agent("어떤 인증 방식을 사용할까요? 세션과 JWT 중에서 선택해 주세요.")
    ],
    expect: { reason: ["waiting_for_user", "working"], nudge: false }
  },
  {
    id: "varied/russian-done",
    why: "Done by what it says, in a language that not everybody reads.",
    silence: 500,
    events: [
      user("Исправь парсер и запусти тесты."),
      edit("src/parser.ts"),
      run("npm test", 0, "Tests:       32 passed, 32 total\n"),
      agent("Парсер исправлен, все 32 теста проходят.")
    ],
    expect: doneOrUnsure
  },
  {
    id: "varied/portuguese-cut",
    why: "The host says that the message broke off.",
    events: [
      user("Migre o banco de dados para PostgreSQL."),
      read("src/db.ts"),
      agent("Vou começar pela conexão, que hoje usa o driver do MySQL e precisa", {
        completed: false,
        outputTokens: 22
      })
    ],
    expect: stuck
  },
  {
    id: "varied/two-questions-of-details",
    why: "Two facts are missing that only the user has.",
    silence: 800,
    events: [
      user("Send the weekly report by e-mail."),
      read("src/report.ts"),
      agent(
        "Before I can wire this up I need two things from you:\n\n1. Which SMTP server should be used?\n2. Who are the recipients?"
      )
    ],
    expect: waiting
  },
  {
    id: "varied/force-push-consent",
    why: "A push over somebody else's commits needs consent.",
    silence: 800,
    events: [
      user("Clean up the history of the branch."),
      run("git rebase -i origin/main", 0, "Successfully rebased"),
      agent(
        "The history is down to three commits. Publishing it needs a force-push, which overwrites Ben's two commits on the remote. OK to force-push?"
      )
    ],
    expect: waiting
  },
  {
    id: "varied/blocked-on-vpn",
    why: "The registry can only be reached by the user's VPN.",
    silence: 800,
    events: [
      user("Install the internal UI kit and use its button."),
      run(
        "npm install @acme/ui-kit",
        1,
        "npm ERR! network request to https://npm.acme.internal failed, reason: getaddrinfo ENOTFOUND"
      ),
      agent(
        "The internal registry cannot be reached from here. I need you to connect the VPN (or give me a tarball of the package); then I can go on."
      )
    ],
    expect: waiting
  },
  {
    id: "varied/long-and-done",
    why: "A long session that came to its end.",
    silence: 5000,
    events: [
      user("Bump the value in every module under src, then run npm test."),
      ...longSession,
      run("npm test", 0, "Tests:       212 passed, 212 total\n"),
      agent("All 40 modules are bumped, and the 212 tests pass.")
    ],
    expect: complete
  },
  {
    id: "varied/edit-failed-and-retry-announced",
    why: "The edit failed; the second look at the file was announced and not taken: that is for a model to read.",
    session: { host: "gemini" },
    events: [
      user("Add a --json flag to the list command."),
      tool(
        "replace",
        { file_path: "src/list.ts", old_string: "a", new_string: "b" },
        { status: "error", output: "0 occurrences found" }
      ),
      agent("The text has changed since I read it. I'll re-read the file and try again.")
    ],
    expect: working
  },
  {
    id: "varied/silent-after-failed-tests",
    why: "The tests failed a quarter of an hour ago, and not a word since.",
    silence: 900,
    session: { host: "goose" },
    events: [
      user("Make the tests green."),
      edit("lib/cart.rb"),
      tool(
        "developer__shell",
        { command: "bundle exec rspec" },
        { status: "error", exitCode: 1, output: "3 examples, 1 failure" }
      )
    ],
    expect: stuck
  },
  {
    id: "varied/truncated-by-token-limit",
    why: "The model hit its output limit in the middle of a file.",
    events: [
      user("Write a complete JSON parser in a single file."),
      agent(
        "```ts\nexport function parse(text: string): unknown {\n  let at = 0\n  const peek = () => text[at]\n  const fail =",
        {
          completed: false,
          outputTokens: 8192
        }
      )
    ],
    expect: stuck
  },
  {
    id: "varied/todo-left-in-progress",
    why: "The list says that the agent is in the middle of its third point: a model may read that.",
    silence: 200,
    events: [
      user("Do the release chores: changelog, version bump, tag."),
      todos("[x] changelog", "[x] version bump", "[~] tag"),
      edit("CHANGELOG.md"),
      edit("package.json"),
      agent("The changelog and the version are updated.")
    ],
    expect: working
  },
  {
    id: "varied/same-edit-fails",
    why: "The same edit failed three times in the same way.",
    silence: 120,
    events: [
      user("Rename the constant."),
      ...[1, 2, 3, 4].map(() =>
        tool(
          "Edit",
          { file_path: "src/c.ts", old_string: "MAX", new_string: "LIMIT" },
          { status: "error", output: "String to replace not found in file." }
        )
      ),
      agent("The edit does not apply.")
    ],
    expect: { reason: "genuinely_stuck", nudge: true }
  },
  {
    id: "varied/answer-with-next-steps-question",
    why: "Advice was asked for; the steps are the advice.",
    silence: 400,
    events: [
      user("What would be the next steps to make this service highly available?"),
      read("deploy/service.yaml"),
      agent("Next steps:\n1. Add a second replica\n2. Move the sessions to Redis\n3. Add a readiness probe")
    ],
    expect: doneOrUnsure
  },
  {
    id: "varied/review-with-recommendations",
    why: "A review names what the author should do; the reviewer is done.",
    silence: 400,
    events: [
      user("Review the diff of this branch. Don't change anything."),
      run("git diff main...HEAD", 0, "diff --git a/src/a.ts b/src/a.ts"),
      agent(
        "Two findings:\n\n- `load` swallows its error.\n- The cache has no bound.\n\nRecommended next steps:\n- Add an error type\n- Bound the cache"
      )
    ],
    expect: doneOrUnsure
  },
  {
    id: "varied/status-with-ideas",
    why: "Everything asked for is done; ideas for more are no debt.",
    silence: 400,
    events: [
      user("Add a search box to the user list and run the tests."),
      edit("src/UserList.tsx"),
      run("npm test", 0, "Tests:       18 passed, 18 total\n"),
      agent(
        "The user list has a search box, and all 18 tests pass.\n\nIdeas for later:\n- Debounce the input\n- Highlight the matches"
      )
    ],
    expect: complete
  },
  {
    id: "varied/colon-before-a-table",
    why: "The text ends in a table, which is a whole answer.",
    silence: 400,
    events: [
      user("How do the three queues compare?"),
      read("docs/queues.md"),
      agent(
        "Here is how they compare:\n\n| queue | ordered | durable |\n|---|---|---|\n| A | yes | no |\n| B | no | yes |",
        {
          completed: null
        }
      )
    ],
    expect: doneOrUnsure
  },
  {
    id: "varied/one-word",
    why: '"Done" is short, and an answer.',
    silence: 400,
    events: [user("Delete the file notes.txt."), run("rm notes.txt", 0), agent("Done", { completed: null })],
    expect: doneOrUnsure
  },
  {
    id: "varied/commit-hash-at-the-end",
    why: "A text that ends in a hash is whole.",
    silence: 400,
    session: { host: "codex" },
    events: [
      user("Commit the change."),
      run("git commit -am 'Round half up'", 0, "[main 4f2a9c1] Round half up"),
      agent("Committed the change to the current branch. The commit is 4f2a9c1", { completed: null })
    ],
    expect: doneOrUnsure
  },
  {
    id: "varied/poller-reports",
    why: "CI was watched until it was green; that is no loop and nothing is left.",
    silence: 400,
    events: [
      user("Push the branch and tell me when CI is green."),
      run("git push -u origin fix/total", 0, " * [new branch]      fix/total -> fix/total"),
      ...["pending", "pending", "pending", "pending"].map((state, index) =>
        run("gh pr checks 31", 8, `build\t${state}\t${index}m2s\thttps://github.com/acme/shop/actions/runs/1`)
      ),
      run("gh pr checks 31", 0, "build\tpass\t4m2s\thttps://github.com/acme/shop/actions/runs/1"),
      agent("CI is green: the build passed after 4 minutes.")
    ],
    expect: complete
  },
  {
    id: "varied/sleep-and-poll",
    why: "It waits for a deployment with sleeps in between, and the last look was half a minute ago.",
    silence: 35,
    events: [
      user("Deploy to staging and wait until it is healthy."),
      run("make deploy-staging", 0, "deployed"),
      ...[1, 2, 3].flatMap((count) => [
        run("sleep 20", 0),
        run("curl -s https://staging.acme.dev/health", 0, `{"status":"starting","for":"${count * 20}s"}`)
      ])
    ],
    expect: { reason: "working", nudge: false }
  },
  {
    id: "varied/aborted-with-todos",
    why: "Escape, in the middle of a list: nobody revives the agent.",
    silence: 4000,
    events: [
      user("Do the release chores."),
      todos("[x] changelog", "[~] version bump", "[ ] tag"),
      shell("npm version minor", { status: "interrupted" }),
      notice("aborted", "[Request interrupted by user for tool use]")
    ],
    expect: waiting
  },
  {
    id: "varied/denied",
    why: "The user said no to the command.",
    silence: 700,
    events: [user("Free some disk space."), shell("rm -rf ~/.cache", { status: "denied" })],
    expect: waiting
  },
  {
    id: "varied/compacted-just-now",
    why: "The context was compacted half a minute ago; the agent reads the summary.",
    silence: 35,
    events: [
      user("Port the templates to JSX."),
      edit("src/a.jsx"),
      notice("compacted", "auto"),
      harness("This session is being continued from a previous conversation that ran out of context.")
    ],
    expect: working
  },
  {
    id: "varied/local-command-after-done",
    why: "The user looked at the costs after the work was done; nobody owes a word to that.",
    silence: 5000,
    events: [
      user("Fix the rounding in src/tax.ts and run npm test."),
      edit("src/tax.ts"),
      run("npm test", 0, "Tests:       32 passed, 32 total\n"),
      agent("The rounding is fixed, and all 32 tests pass."),
      harness("<local-command-stdout>Total cost: $0.42</local-command-stdout>")
    ],
    expect: complete
  },
  {
    id: "varied/thinking-aloud-without-a-step",
    why: "It says what it wants to look at and does not look.",
    session: { host: "aider" },
    events: [
      user("The login redirects in a loop. Fix it."),
      read("src/middleware.ts"),
      agent(
        "I see: the middleware redirects every request without a session, including the login page itself. I need to exclude `/login` from the matcher."
      )
    ],
    expect: { reason: ["genuinely_stuck", "working"] }
  },
  {
    id: "varied/asks-inside-a-plan",
    why: "The plan has an open point that only the user can settle.",
    silence: 600,
    events: [
      user("Split the monolith's billing into a service."),
      read("src/billing.ts"),
      agent(
        "Plan:\n\n1. Extract the billing module\n2. Give it its own database\n3. Put a queue in between\n\nOne point is open: should the old endpoints keep working during the transition?"
      )
    ],
    expect: waiting
  }
]
