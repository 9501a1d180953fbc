import type { TranscriptEvent } from "@reflexion/core/Transcript"
import { agent, type Case, edit, type Expectation, run, todos, tool, user, write } from "../case/Case.ts"

const quiet: Expectation = { status: ["complete", "waiting_for_user", "abstained", "needs_human"], push: false }

const passed = run("go test ./sync -run TestFallback -count=1", 0, "ok  \texample.com/app/sync\t0.412s\n")

const patch = (body: string): TranscriptEvent =>
  tool(
    "apply_patch",
    { input: `*** Begin Patch\n*** Update File: sync/run.go\n@@\n${body}\n*** End Patch\n` },
    { output: "Success." }
  )

/** Stops that look unfinished to a hasty judge: a push here would cost the user's trust. */
export const restraint: ReadonlyArray<Case> = [
  {
    id: "restraint/split-into-commits",
    why: "The work was only to be split into two commits; the patches take a part out and put it back, and nothing new came in.",
    events: [
      user("Can you split the last two changes into separate commits?"),
      run("git diff --stat", 0, " sync/run.go | 40 ++++++\n"),
      patch("-preflight()"),
      run("git add sync/run.go && git commit -m 'Follow tags'", 0, "[main 1111111] Follow tags\n"),
      patch("+preflight()"),
      run("git add sync/run.go && git commit -m 'Add the preflight'", 0, "[main 2222222] Add the preflight\n"),
      run("git status --short", 0, ""),
      agent(
        "Split into two commits, and the working tree is clean:\n\n- `1111111` Follow tags\n- `2222222` Add the preflight"
      )
    ],
    expect: { status: "complete", push: false }
  },
  {
    id: "restraint/question-about-earlier-work",
    why: "A question about what an earlier turn made; `I added` speaks of that turn, and nothing is to be changed now.",
    events: [
      user("Write a demo script for the importer."),
      write("docs/demo.sh"),
      agent("The demo script is in `docs/demo.sh`."),
      user("do i need sample data or something to try this out"),
      agent(
        "No, you don't. I added a demo script that creates its own sample data:\n\n```bash\nbash docs/demo.sh\n```\n\nIt cleans up after itself."
      )
    ],
    expect: { status: "complete", push: false, contradicted: false }
  },
  {
    id: "restraint/question-after-a-lost-beginning",
    why: "The transcript begins in the middle of the work: what the agent says it added may well have been added before.",
    events: [
      user("can i use this with a private bucket too?"),
      agent(
        "Yes. I added support for credentials from the environment, so set `BUCKET_KEY` and `BUCKET_SECRET` and run the same command."
      )
    ],
    expect: { status: ["complete", "abstained"], push: false }
  },
  {
    id: "restraint/log-in-then-reply",
    why: "`I'll resume` depends on the user's login: it is no announced step of the agent's own.",
    events: [
      user("Review the release notes draft on our wiki, you can get it with the wiki CLI."),
      run("wiki show release-notes", 1, "Not logged in. Run 'wiki login' to authenticate.\n"),
      agent(
        "The wiki CLI is logged out, and I can't open a browser here. Please run:\n\n```sh\nwiki login\n```\n\nThen reply here. I'll resume directly with the review."
      )
    ],
    expect: { status: ["needs_human", "waiting_for_user"], push: false }
  },
  {
    id: "restraint/when-you-have-it-send-me",
    why: "What the agent will do next waits for something that the user has to send.",
    events: [
      user("remove the gifs from the readme please, i'll upload videos instead"),
      edit("README.md"),
      run("git rm docs/demo.gif && git commit -am 'Remove the gifs'", 0, "[readme 3333333] Remove the gifs\n"),
      agent(
        "The gifs are out. When you have the videos, send me:\n\n- the import video's URL\n- the export video's URL\n\nand I'll put them in the same two places."
      )
    ],
    expect: quiet
  },
  {
    id: "restraint/did-not-run-more-than-asked",
    why: "The agent tested what it changed and says honestly what it did not run; nobody asked for that.",
    events: [
      user("yes, let's do this"),
      patch("+fallback()"),
      passed,
      agent(
        "The fallback is in. Verified with:\n\n```bash\ngo test ./sync -run TestFallback -count=1\n```\n\nI did not run the whole suite or the live smoke test after this change."
      )
    ],
    expect: quiet
  },
  {
    id: "restraint/not-tried-against-production",
    why: "Trying it against the live system is the user's call; the agent reports that it did not.",
    events: [
      user("ok, continue"),
      patch("+token()"),
      passed,
      agent(
        "Stored tokens are used now; the focused tests pass. I did not run the real command against your live instance."
      )
    ],
    expect: quiet
  },
  {
    id: "restraint/map-it-out",
    why: "To map something out is to think it through, not to change code.",
    events: [
      user("yeah let's map out what replicate would look like"),
      run("sed -n 1,200p sync/run.go", 0, "package sync\n"),
      agent(
        "Replicate would reuse the planner and skip the fallback:\n\n1. a new mode in the options\n2. a relay without merge\n3. deletes in batches\n\nIf you want, the next step can be a concrete plan by file."
      )
    ],
    expect: quiet
  },
  {
    id: "restraint/push-in-a-pasted-text",
    why: "`push` and `fetch` stand in a text that is to be matched with pictures; nobody asks for a push.",
    events: [
      user(
        "the other thing is they need to match with one screenshot. i liked this but how would it match\n\nMost tools make you clone everything first, fetch it all, then push it again. Ours streams it. Then push to both sides and you're done."
      ),
      agent(
        "Use two pictures: the plan as JSON for the first post, and the terminal demo for the second. The third works without one."
      )
    ],
    expect: { status: ["complete", "abstained"], push: false, gates: { push: "not_required" } }
  },
  {
    id: "restraint/todo-not-ticked-off",
    why: "The list says that validation is open, but the tests ran and passed after the last edit: only the tick is missing.",
    events: [
      user("Read the task file and implement it."),
      todos("[~] Implement the ignore list", "[ ] Run validation tests"),
      edit("scan/ignore.go"),
      todos("[x] Implement the ignore list", "[ ] Run validation tests"),
      run("go test ./...", 0, "ok  \texample.com/app/scan\t0.300s\n"),
      agent("The ignore list is honoured. `go test ./...` passes.")
    ],
    expect: { status: ["complete", "abstained"], push: false, gates: { tests: "passed" } }
  },
  {
    id: "restraint/formula-without-tests",
    why: "A package recipe was changed, on which no test command runs; unasked, that is no reason to push.",
    events: [
      user("the repo is now called importer-cli but the binary is still importer"),
      edit("Formula/importer.rb"),
      agent(
        "The formula points at the new repository and still installs `importer`. Want me to add a line to the tap's README as well?"
      )
    ],
    expect: quiet
  },
  {
    id: "restraint/unasked-and-untested",
    why: "Nobody asked for tests, the project says nothing about them, and no test command is known: report at most.",
    events: [user("Make the sidebar a bit wider."), edit("src/Sidebar.tsx"), agent("The sidebar is 320 px wide now.")],
    expect: quiet
  },
  {
    id: "restraint/revert",
    why: "Taking back a change needs no new test run.",
    events: [
      user("undo that last change please"),
      run("git checkout -- src/cart.ts", 0),
      agent("`src/cart.ts` is back to how it was.")
    ],
    expect: quiet
  },
  {
    id: "restraint/user-goes-on-alone",
    why: "The user will go on alone; the agent's summary of open work is what was asked for.",
    events: [
      user("I have to leave. Sum up where we are and what is left, I'll finish it tomorrow."),
      agent(
        "Done: the parser and its tests.\n\nLeft:\n- [ ] error messages\n- [ ] the README\n\nThe branch is `parser`."
      )
    ],
    expect: quiet
  },
  {
    id: "restraint/stop-here",
    why: "The user ended the work; open todos stay open.",
    events: [
      user("Move the three services to the new client."),
      todos("[x] users", "[~] orders", "[ ] billing"),
      edit("src/users.ts"),
      agent("`users` is moved; I'm on `orders` now."),
      user("stop here for today"),
      agent("Stopping here. `users` is moved; `orders` and `billing` are still to do.")
    ],
    expect: quiet
  },
  {
    id: "restraint/advice-on-commands",
    why: "The user wants to know how to do it; commands are the answer.",
    events: [
      user("How do I squash the last three commits?"),
      agent(
        "Run:\n\n```sh\ngit rebase -i HEAD~3\n```\n\nThen change `pick` to `squash` in the second and third line and save."
      )
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "restraint/proposal-asked",
    why: "A proposal was asked for; code that is printed and not written is exactly that.",
    events: [
      user("Show me what the new handler could look like, I want to see it before you touch anything."),
      agent(
        "For example:\n\n```ts\nexport const handler = (request) => respond(request.id)\n```\n\nIt drops the callback and keeps the signature."
      )
    ],
    expect: quiet
  },
  {
    id: "restraint/red-tests-as-a-finding",
    why: "The failing run is the evidence that the user asked for.",
    events: [
      user("Does the suite pass on main right now?"),
      run("git stash && git checkout main && npm test", 1, "Tests:       2 failed, 40 passed, 42 total\n"),
      agent("No: 2 of 42 tests fail on main, both in `test/clock.test.ts`.")
    ],
    expect: quiet
  },
  {
    id: "restraint/tests-mentioned-in-a-report",
    why: "The message tells what the user did; it asks for nothing to be run.",
    events: [
      user("I ran the tests and they pass. Please update the changelog."),
      edit("CHANGELOG.md"),
      agent("The changelog has an entry for this release now.")
    ],
    expect: { status: "complete", push: false }
  },
  {
    id: "restraint/ci-mentioned",
    why: "CI is a place here, not a request.",
    events: [
      user("The CI cache key in .github/workflows/test.yml is wrong, it should contain the lock file's hash."),
      edit(".github/workflows/test.yml"),
      agent("The cache key contains the lock file's hash now.")
    ],
    expect: quiet
  }
]
