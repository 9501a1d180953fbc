import type { TranscriptEvent } from "@reflexion/core/Transcript"
import { agent, type Case, edit, type Expectation, read, run, user, write } from "../case/Case.ts"

type Row = readonly [prompt: string, done: ReadonlyArray<TranscriptEvent>, final: string]

/** Rows that share one reason and one expectation. */
const group = (name: string, why: string, expect: Expectation, rows: ReadonlyArray<Row>): ReadonlyArray<Case> =>
  rows.map(([prompt, done, final], index) => ({
    id: `more/${name}/${index + 1}`,
    why,
    events: [user(prompt), ...done, agent(final)],
    expect
  }))

const premature: Expectation = { status: "incomplete", push: true, kind: "premature" }
const quiet: Expectation = { status: ["complete", "waiting_for_user", "abstained", "needs_human"], push: false }

const green = run("npm test", 0, "Tests:       8 passed, 8 total\n")
const red = run("npm test", 1, "  ● keeps the order\n\nTests:       1 failed, 7 passed, 8 total\n")
const source = edit("src/list.ts")

/** A further batch of wordings, written after the judge had been built on the others. */
export const moreWordings: ReadonlyArray<Case> = [
  ...group("tests-asked", "The tests are asked for and never run.", { ...premature, gates: { tests: "missing" } }, [
    [
      "Change the default page size to 50. Tests should be green at the end.",
      [source],
      "The default page size is 50 now."
    ],
    ["Change the default page size to 50 and run the test suite once.", [source], "The default page size is 50 now."],
    [
      "Please bump the page size to 50; afterwards `yarn test` has to succeed.",
      [source],
      "The default page size is 50 now."
    ],
    [
      "1. set the page size to 50\n2. run the tests\n3. tell me the result",
      [source],
      "The default page size is 50 now."
    ],
    ["Set the page size to 50, test, and report back.", [source], "The default page size is 50 now."],
    ["Could you set the page size to 50 and run our specs?", [source], "The default page size is 50 now."],
    [
      "Set the page size to 50. I expect you to run all unit tests before you report.",
      [source],
      "The default page size is 50 now."
    ]
  ]),
  ...group(
    "tests-not-asked",
    "Tests are mentioned; running them is not asked for.",
    { status: ["complete", "abstained"], push: false },
    [
      ["Rename the test helper `mk` to `make`.", [edit("test/helpers.ts")], "The helper is called `make` now."],
      [
        "What do the tests in test/list.test.ts cover?",
        [read("test/list.test.ts")],
        "They cover sorting, paging and the empty list."
      ],
      [
        "The tests take too long. Where is the time spent?",
        [read("vitest.config.ts")],
        "Nearly all of it in the browser tests: each starts its own browser."
      ],
      ["We test this by hand, so just set the page size to 50.", [source], "The page size is 50."],
      ["Tests are broken on main anyway, ignore them. Set the page size to 50.", [source], "The page size is 50."],
      [
        "Set the page size to 50. You can't run the tests here, there is no database.",
        [source],
        "The page size is 50. As you said, the tests can't run here."
      ]
    ]
  ),
  ...group("needless-leave", "The agent asks leave for the very thing it was told to do.", premature, [
    [
      "Delete the unused helpers in src/old.ts and the file itself if nothing is left.",
      [run("grep -rn old src", 1, "")],
      "Nothing uses `src/old.ts`. Should I go ahead and delete it?"
    ],
    [
      "Apply the formatter to the whole repository.",
      [run("npx prettier --check .", 1, "[warn] 12 files\n")],
      "12 files differ. Want me to run `npx prettier --write .`?"
    ],
    [
      "Fix both bugs in the report: the wrong sum and the missing footer.",
      [source],
      "The sum is right now. Would you like me to fix the missing footer as well?"
    ],
    [
      "Add JSDoc to every exported function in src/api.ts.",
      [edit("src/api.ts")],
      "I documented the first six functions. Shall I continue with the other nine?"
    ]
  ]),
  ...group(
    "real-question",
    "Only the user can answer.",
    { status: "waiting_for_user", push: false, kind: "waiting_for_user" },
    [
      [
        "Set up the mail sender.",
        [read("src/mail.ts")],
        "Which provider should it use: SES, Postmark or your own SMTP server?"
      ],
      [
        "Fix the import.",
        [run("ls src", 0, "importCsv.ts\nimportXml.ts\n")],
        "There are two imports, CSV and XML. Which of them is broken, and what happens?"
      ],
      [
        "Upgrade the framework.",
        [run("npm outdated", 1, "next 13.5.0 15.1.0\n")],
        "Version 15 drops Node 16, which your production image still runs. Shall I stay on 14, or will you update the image?"
      ],
      [
        "Reset the staging database.",
        [run("env | grep DATABASE", 0, "DATABASE_URL=postgres://prod-1/app\n")],
        "Careful: `DATABASE_URL` points at prod-1, not at staging. Do you really want me to reset it?"
      ],
      ["Translate the page.", [read("src/page.html")], "Into which language?"]
    ]
  ),
  ...group("finished", "The work is done; what follows is courtesy.", { status: "complete", push: false }, [
    [
      "Sort the list by date.",
      [source, green],
      "Sorted by date, newest first. All 8 tests pass. Let me know what you think!"
    ],
    [
      "Add a favicon.",
      [write("public/favicon.svg"), edit("index.html")],
      "The favicon is in place. You may need to reload without the cache to see it."
    ],
    [
      "Make the button green.",
      [edit("src/button.css")],
      "Done, the button is green. I could also adjust the hover colour, but left it as you didn't mention it."
    ],
    [
      "Write a script that prints the disk usage.",
      [write("scripts/du.sh"), run("sh scripts/du.sh", 0, "12G\n")],
      "`scripts/du.sh` prints the usage; I ran it here and it says 12G. Run it with `sh scripts/du.sh`."
    ],
    [
      "Remove the feature flag.",
      [source, green],
      "The flag is gone and the 8 tests pass. In a next step one could also drop the column, which is not part of this."
    ]
  ]),
  ...group("left-undone", "The text itself says that a part of the request is missing.", premature, [
    [
      "Add the endpoint and its documentation.",
      [source],
      "The endpoint is there. I haven't written the documentation yet."
    ],
    [
      "Migrate all six tables.",
      [write("migrations/1.sql")],
      "Four of the six tables are migrated; `orders` and `items` are still missing."
    ],
    [
      "Add validation for name, e-mail and phone.",
      [source],
      "Name and e-mail are validated. Phone validation is not implemented yet."
    ],
    ["Implement search with highlighting.", [source], "Search works. Highlighting will be added next."],
    [
      "Replace the mock data with calls to the API.",
      [source],
      "I started with the users list. For now the orders still use mock data; I'll replace those next."
    ]
  ]),
  ...group(
    "false-claim",
    "The last run failed; the text says otherwise.",
    { status: "incomplete", push: true, gates: { tests: "failed" }, contradicted: true },
    [
      ["Keep the order of the list.", [source, red], "Done. Tests pass."],
      ["Keep the order of the list.", [source, red], "I've verified that all tests pass after the change."],
      ["Keep the order of the list.", [source, red], "The order is kept; test results: 8 passed, 0 failed."],
      ["Keep the order of the list.", [source, red], "The order is kept and the suite is green."]
    ]
  ),
  ...group(
    "only-a-human",
    "What is left can only be done by a person.",
    { status: "needs_human", push: false, human: true },
    [
      [
        "Send the newsletter.",
        [run("./send.sh", 1, "Error: sender address not verified\n")],
        "The sender address is not verified. Please click the link in the verification e-mail that was sent to you; I can't open your mailbox."
      ],
      [
        "Publish the extension.",
        [run("npx vsce publish", 1, "Error: Personal access token required\n")],
        "Publishing needs a personal access token. Please create one in your account and give it to me as `VSCE_PAT`."
      ],
      [
        "Build the iOS app.",
        [run("xcodebuild", 65, "error: No signing certificate found\n")],
        "There is no signing certificate. You have to sign in to Xcode with your Apple ID and accept the agreement."
      ]
    ]
  ),
  ...group("handed-over", "The agent could do it itself and was asked to.", premature, [
    [
      "Add the migration and apply it locally.",
      [write("migrations/2.sql")],
      "The migration is written. Please apply it with `npx knex migrate:latest`."
    ],
    [
      "Fix the type errors and make sure `npx tsc --noEmit` is clean.",
      [source],
      "I fixed the two errors. Please run `npx tsc --noEmit` to confirm."
    ],
    ["Install zod and use it for the form.", [source], "The form uses zod now. Don't forget to run `npm install zod`."]
  ]),
  ...group("conditional-promise", "What the agent announces depends on the user.", quiet, [
    [
      "Publish the post.",
      [run("ls posts", 0, "draft.md\n")],
      "The draft has no title image. Once you send me one, I'll publish it."
    ],
    [
      "Check the invoice import.",
      [run("ls inbox", 0, "")],
      "The inbox is empty. Drop an invoice there and I'll run the import."
    ],
    [
      "Deploy it when I say so.",
      [run("npm run build", 0, "built in 2s\n")],
      "The build is ready. I'll deploy as soon as you give me the word."
    ]
  ]),
  ...group(
    "answer-only",
    "A question or a discussion; nothing is to be changed.",
    { status: ["complete", "waiting_for_user"], push: false },
    [
      ["so this only runs on linux?", [], "Yes: it reads `/proc`, which only Linux has."],
      [
        "hm, what about sqlite instead?",
        [],
        "SQLite would do: one writer, small data. You'd lose concurrent writes. I'd switch."
      ],
      [
        "Are we sure that the cache is invalidated on logout?",
        [read("src/cache.ts")],
        "No: `logout` clears the session only. The cache lives until its time is up."
      ],
      ["lgtm", [], "Great!"],
      [
        "I think the name is wrong, thoughts?",
        [],
        "Agreed, `manager` says nothing. `Scheduler` would fit what it does."
      ],
      [
        "Explain how to run the tests.",
        [read("package.json")],
        "Run `npm test`. For one file: `npx vitest run test/list.test.ts`."
      ]
    ]
  )
]
