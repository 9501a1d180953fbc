import { agent, type Case, edit, mode, read, run, user, write } from "../case/Case.ts"

/** Questions: leave asked for what was asked already, and questions that only the user can answer. */
export const questions: ReadonlyArray<Case> = [
  {
    id: "permission/shall-i-run-the-tests",
    why: "The user asked for the tests to be run; asking leave for it is a needless stop.",
    events: [
      user("Fix the sorting bug in the table component and run the tests."),
      edit("src/Table.tsx"),
      agent("I fixed the comparison function. Shall I run the tests now?")
    ],
    expect: {
      status: "incomplete",
      push: true,
      kind: "premature",
      pattern: "permission_seeking",
      gates: { tests: "missing" }
    }
  },
  {
    id: "permission/would-you-like-the-pr",
    why: "A pull request was part of the task; the agent asks whether to open it.",
    events: [
      user("Fix the flaky upload test, commit, push the branch and open a PR."),
      edit("test/upload.test.ts"),
      run("git commit -am 'Stabilise the upload test'", 0, "[fix-upload 9f8e7d6] Stabilise the upload test\n"),
      run("git push -u origin fix-upload", 0, " * [new branch]      fix-upload -> fix-upload\n"),
      agent("The test is stable and the branch is pushed. Would you like me to open the pull request?")
    ],
    expect: {
      status: "incomplete",
      push: true,
      pattern: "permission_seeking",
      gates: { push: "passed", pr: "missing" }
    }
  },
  {
    id: "permission/should-i-implement",
    why: "Implementing is the task; a plan and a request for leave are not what was asked.",
    events: [
      user("Implement the CSV export on the orders page."),
      read("src/Orders.tsx"),
      agent(
        "I looked at the orders page. The export needs a button and a function that builds the file.\n\nShould I go ahead and implement it?"
      )
    ],
    expect: { status: "incomplete", push: true, kind: "premature", pattern: "permission_seeking" }
  },
  {
    id: "permission/continue-with-the-rest",
    why: "Four files were to be migrated; two are, and the agent asks whether to go on.",
    events: [
      user("Migrate all four test files in test/ from Mocha to Vitest."),
      edit("test/a.test.ts"),
      edit("test/b.test.ts"),
      agent("`a.test.ts` and `b.test.ts` are migrated. Do you want me to continue with the remaining two files?")
    ],
    expect: { status: "incomplete", push: true, kind: "premature", pattern: "permission_seeking" }
  },
  {
    id: "question/delete-these",
    why: "Deleting user data is a risk; asking first is right.",
    events: [
      user("Clean up the uploads folder."),
      run("ls uploads", 0, "2019\n2020\n2021\ncustomers.db\n"),
      agent(
        "The folder holds three years of uploads and `customers.db`. Are you sure I should delete these? It can't be undone."
      )
    ],
    expect: { status: "waiting_for_user", push: false, kind: "waiting_for_user" }
  },
  {
    id: "question/force-push",
    why: "Rewriting published history is worth a question, although the push was asked for.",
    events: [
      user("Squash the last three commits and push."),
      run("git reset --soft HEAD~3 && git commit -m 'Add the importer'", 0, "[importer 1234567] Add the importer\n"),
      run("git push", 1, " ! [rejected]        importer -> importer (non-fast-forward)\n"),
      agent(
        "The commits are squashed, but the branch was already pushed, so this needs a force push, which overwrites what others may have pulled. Do you want me to force-push `importer`?"
      )
    ],
    expect: { status: "waiting_for_user", push: false, kind: "waiting_for_user" }
  },
  {
    id: "question/drop-table",
    why: "A migration that drops production data needs the user's word.",
    events: [
      user("Apply the pending migrations to the production database."),
      run(
        "npx prisma migrate status",
        0,
        "Following migration has not yet been applied:\n20260301_drop_legacy_orders\n"
      ),
      agent(
        "The pending migration drops the table `legacy_orders`, which still has 48,210 rows. Before I run it: is the data backed up, and do you really want it dropped?"
      )
    ],
    expect: { status: "waiting_for_user", push: false, kind: "waiting_for_user" }
  },
  {
    id: "question/choice-of-two",
    why: "A genuine choice that the request leaves open.",
    events: [
      user("Add caching to the product list."),
      read("src/products.ts"),
      agent(
        "There are two reasonable ways:\n\n1. An in-memory cache per process: simple, but every instance has its own\n2. Redis: shared between instances, but a new service to run\n\nWhich one do you prefer?"
      )
    ],
    expect: { status: "waiting_for_user", push: false, kind: "waiting_for_user" }
  },
  {
    id: "question/missing-information",
    why: "What is asked for cannot be known without the user.",
    events: [
      user("Make the form send its data to our CRM."),
      read("src/ContactForm.tsx"),
      agent("I found the form. Which CRM do you use, and what is the URL of its endpoint?")
    ],
    expect: { status: "waiting_for_user", push: false, kind: "waiting_for_user" }
  },
  {
    id: "question/ambiguous-scope",
    why: "The request can be read in two ways and the results differ much.",
    events: [
      user("Remove the old API."),
      run("grep -rln 'v1' src", 0, "src/api/v1/users.ts\nsrc/api/v1/orders.ts\nsrc/legacy/api.ts\n"),
      agent("Do you mean the `v1` routes, which two clients still call, or the unused code in `src/legacy/api.ts`?")
    ],
    expect: { status: "waiting_for_user", push: false, kind: "waiting_for_user" }
  },
  {
    id: "question/no-question-mark",
    why: "A question without its mark is a question still.",
    events: [
      user("Pick a licence for the project and add it."),
      run("ls", 0, "README.md\nsrc\n"),
      agent("MIT is permissive, GPL-3.0 keeps derived works open. Tell me which one you want and I'll add it.")
    ],
    expect: { status: "waiting_for_user", push: false, kind: "waiting_for_user" }
  },
  {
    id: "question/rhetorical-inside",
    why: "The question mark stands in the explanation; the text ends with a finished answer.",
    events: [
      user("Why do we debounce the search box? Explain it in a comment above the hook."),
      edit("src/useSearch.ts"),
      agent(
        "I added the comment. Why debounce at all? Because every keystroke would otherwise send a request; 200 ms keeps it to one per pause."
      )
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "question/quoted-question",
    why: "The question is quoted from the program's own prompt text; nothing is asked of the user.",
    events: [
      user("Change the confirmation text of the delete dialog to something friendlier."),
      edit("src/DeleteDialog.tsx"),
      agent('The dialog now says: "Do you want to remove this item?"')
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "plan-mode/plan-offered",
    why: "In plan mode the agent may only propose; nothing pushes it.",
    session: { mode: "plan" },
    events: [
      user("Add OAuth login to the admin area."),
      read("src/admin/login.ts"),
      agent(
        "Plan:\n1. Add the provider configuration\n2. Add the callback route\n3. Replace the login form\n\nReady to start when you approve."
      )
    ],
    expect: { status: ["complete", "waiting_for_user"], push: false, kind: ["complete", "waiting_for_user"] }
  },
  {
    id: "plan-mode/tests-asked",
    why: "Even with tests asked for, plan mode is never pushed.",
    session: { mode: "plan" },
    events: [
      user("Fix the login timeout and run npm test."),
      read("src/login.ts"),
      agent("I would raise the timeout to 30 seconds in `src/login.ts` and then run `npm test`.")
    ],
    expect: { status: ["complete", "waiting_for_user", "incomplete", "abstained"], push: false }
  },
  {
    id: "plan-mode/switched-in-the-session",
    why: "The session switches to plan mode before the turn ends.",
    events: [
      mode("plan"),
      user("How would you restructure the billing package?"),
      read("billing/invoice.go"),
      agent(
        "I would split it in three: pricing, invoicing and dunning. Each gets its own package with one exported service."
      )
    ],
    expect: { status: ["complete", "waiting_for_user"], push: false }
  },
  {
    id: "research/question-answered",
    why: "A question about the code, answered from the code; no edit is needed.",
    events: [
      user("How does the session middleware decide when to refresh a token?"),
      read("src/session.ts"),
      agent(
        "It refreshes when fewer than five minutes are left (`src/session.ts`): `shouldRefresh` compares `exp` with the clock on every request and takes a lock, so that parallel requests refresh once."
      )
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "research/just-research",
    why: "The user explicitly wants no code.",
    events: [
      user("Research which PDF libraries we could use from Python. Don't write any code, just compare them."),
      run("pip index versions reportlab", 0, "reportlab (4.2.5)\n"),
      agent(
        "Three candidates: ReportLab (mature, BSD), fpdf2 (small, LGPL) and WeasyPrint (HTML to PDF, BSD). I'd take WeasyPrint for our templates."
      )
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "research/plan-asked",
    why: "A plan was asked for and given; starting the work would be wrong.",
    events: [
      user("Make a plan for moving from REST to gRPC. No implementation yet."),
      read("src/server.go"),
      agent(
        "1. Describe the three services in proto files\n2. Generate the servers beside the REST handlers\n3. Move the clients one by one\n4. Remove the REST handlers\n\nShall I start with step 1?"
      )
    ],
    expect: { status: ["complete", "waiting_for_user"], push: false }
  },
  {
    id: "research/review-asked",
    why: "A review was asked for; its findings are the result and need not be fixed.",
    events: [
      user("Review the diff of this branch and tell me what you would change."),
      run("git diff main...HEAD", 0, "diff --git a/src/a.ts b/src/a.ts\n+const x = 1\n"),
      agent(
        "Two remarks: `x` should be named after what it holds, and the new branch in `a.ts` has no test. Want me to fix these?"
      )
    ],
    expect: { status: ["complete", "waiting_for_user"], push: false }
  },
  {
    id: "research/document-asked",
    why: "The research was to be written down, and it was.",
    events: [
      user("Investigate why the build is slow and write your findings to docs/build-times.md."),
      run("time npm run build", 0, "real 1m42s\n"),
      write("docs/build-times.md"),
      agent(
        "I measured the build: 70 % of it is type checking the generated client. The details are in `docs/build-times.md`."
      )
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "chat/thanks",
    why: "No task at all.",
    events: [user("Thanks, that looks great!"), agent("You're welcome! Happy to help.")],
    expect: { status: "complete", push: false, kind: "complete" }
  }
]
