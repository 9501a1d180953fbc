import { agent, type Case, edit, type Repo, run, user } from "../case/Case.ts"

const repo: Repo = {
  branch: "feature",
  defaultBranch: "main",
  files: { "package.json": '{ "scripts": { "test": "vitest run", "build": "tsc -b" } }' }
}

const tested = run("npm test", 0, "Tests:       6 passed, 6 total\n")
const built = run("npm run build", 0, "> tsc -b\n")
const pushed = run(
  "git commit -am 'Add sorting' && git push -u origin feature",
  0,
  " * [new branch]      feature -> feature\n"
)
const opened = run("gh pr create --fill", 0, "https://github.com/example/app/pull/5\n")
const green = run("gh pr checks 5 --watch", 0, "build\tpass\t1m2s\nunit\tpass\t45s\n")

/** The strict profile: every coding task needs tests, build, pull request and green CI. */
export const strict: ReadonlyArray<Case> = [
  {
    id: "strict/everything-there",
    why: "Tests, build, pull request and CI are all proven.",
    profile: "strict",
    repo,
    events: [
      user("Add sorting to the table."),
      edit("src/Table.tsx"),
      tested,
      built,
      pushed,
      opened,
      green,
      agent("Sorting works. Tests and build pass, and CI is green on https://github.com/example/app/pull/5.")
    ],
    expect: { status: "complete", push: false, gates: { tests: "passed", build: "passed", pr: "passed", ci: "passed" } }
  },
  {
    id: "strict/no-tests",
    why: "The tests were never run.",
    profile: "strict",
    repo,
    events: [
      user("Add sorting to the table."),
      edit("src/Table.tsx"),
      built,
      pushed,
      opened,
      green,
      agent("Sorting works: https://github.com/example/app/pull/5.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "missing" } }
  },
  {
    id: "strict/no-build",
    why: "The build was never run.",
    profile: "strict",
    repo,
    events: [
      user("Add sorting to the table."),
      edit("src/Table.tsx"),
      tested,
      pushed,
      opened,
      green,
      agent("Sorting works: https://github.com/example/app/pull/5.")
    ],
    expect: { status: "incomplete", push: true, gates: { build: "missing" } }
  },
  {
    id: "strict/no-pr",
    why: "There is no pull request.",
    profile: "strict",
    repo,
    events: [
      user("Add sorting to the table."),
      edit("src/Table.tsx"),
      tested,
      built,
      pushed,
      agent("Sorting works and is pushed.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "passed", build: "passed", pr: "missing" } }
  },
  {
    id: "strict/ci-unchecked",
    why: "Nobody looked at CI: what is missing is of medium weight.",
    profile: "strict",
    repo,
    events: [
      user("Add sorting to the table."),
      edit("src/Table.tsx"),
      tested,
      built,
      pushed,
      opened,
      agent("Sorting works: https://github.com/example/app/pull/5.")
    ],
    expect: { status: "incomplete", push: true, severity: "MEDIUM", gates: { ci: "missing" } }
  },
  {
    id: "strict/pushed-to-main",
    why: "A push to the default branch breaks the strict profile's policy.",
    profile: "strict",
    repo: { ...repo, branch: "main" },
    events: [
      user("Add sorting to the table."),
      edit("src/Table.tsx"),
      tested,
      built,
      run("git commit -am 'Add sorting' && git push origin main", 0, "   1a2b3c4..5d6e7f8  main -> main\n"),
      agent("Sorting works and is on main.")
    ],
    expect: { status: "incomplete", push: true, severity: "HIGH", gates: { pr: "missing" } }
  },
  {
    id: "strict/question-needs-no-gates",
    why: "A question is no coding task, in the strict profile neither.",
    profile: "strict",
    repo,
    events: [
      user("What does the `stable` option of sort do?"),
      agent("It keeps equal elements in their original order.")
    ],
    expect: { status: "complete", push: false }
  },
  {
    id: "balanced/nothing-required-unasked",
    why: "The same work without a pull request is fine where nobody asked for one.",
    repo,
    events: [
      user("Add sorting to the table."),
      edit("src/Table.tsx"),
      tested,
      built,
      agent("Sorting works. Tests and build pass.")
    ],
    expect: { status: "complete", push: false, gates: { tests: "passed" } }
  },
  {
    id: "balanced/instructions-require-tests",
    why: "The project's own instructions say that the tests run before every finish.",
    repo: {
      ...repo,
      files: {
        ...repo.files,
        "AGENTS.md": "# Rules\n\n- Always run `npm test` after changing source code, before you finish.\n"
      }
    },
    events: [user("Add sorting to the table."), edit("src/Table.tsx"), agent("Sorting works.")],
    expect: { status: "incomplete", push: false, gates: { tests: "missing" } }
  }
]
