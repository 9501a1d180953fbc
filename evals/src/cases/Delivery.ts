import { agent, type Case, edit, run, user, write } from "../case/Case.ts"

/** Commits, pushes, pull requests and CI. */
export const delivery: ReadonlyArray<Case> = [
  {
    id: "policy/push-to-main-after-pr-asked",
    why: "A pull request was asked for and the agent pushed to main directly: broken policy.",
    repo: { branch: "main", defaultBranch: "main" },
    events: [
      user("Fix the broken link in the footer and open a PR for it."),
      edit("src/Footer.tsx"),
      run("git commit -am 'Fix the footer link'", 0, "[main aa11bb2] Fix the footer link\n"),
      run("git push origin main", 0, "To github.com:example/site.git\n   1a2b3c4..aa11bb2  main -> main\n"),
      agent("The link is fixed and pushed to main.")
    ],
    expect: { status: "incomplete", push: true, severity: "HIGH", gates: { pr: "missing" } }
  },
  {
    id: "policy/push-to-master-refspec",
    why: "`HEAD:master` is a direct push to the default branch, whatever the local branch is called.",
    repo: { branch: "work", defaultBranch: "master" },
    events: [
      user("Please submit this as a pull request: the timeout constant has to be 30."),
      edit("lib/constants.rb"),
      run(
        "git add -A && git commit -m 'Set the timeout to 30' && git push origin HEAD:master",
        0,
        "   77aa..88bb  HEAD -> master\n"
      ),
      agent("Done, the timeout is 30 and the change is on master.")
    ],
    expect: { status: "incomplete", push: true, severity: "HIGH", gates: { pr: "missing" } }
  },
  {
    id: "policy/push-to-main-unasked",
    why: "No pull request was required: the push to main is reported, and the agent is not pushed for it.",
    repo: { branch: "main", defaultBranch: "main" },
    events: [
      user("Commit the README change and push it."),
      run("git commit -am 'Update the README'", 0, "[main 0a0a0a0] Update the README\n"),
      run("git push", 0, "   1a2b3c4..0a0a0a0  main -> main\n"),
      agent("Committed and pushed the README change.")
    ],
    expect: { status: "complete", push: false, gates: { push: "passed" } }
  },
  {
    id: "pr/asked-and-opened",
    why: "Branch, push and pull request as asked.",
    events: [
      user("Fix the typo in the error page and open a pull request."),
      run("git switch -c fix-error-page", 0),
      edit("public/error.html"),
      run(
        "git commit -am 'Fix a typo on the error page'",
        0,
        "[fix-error-page 5e5e5e5] Fix a typo on the error page\n"
      ),
      run("git push -u origin fix-error-page", 0, " * [new branch]      fix-error-page -> fix-error-page\n"),
      run("gh pr create --fill", 0, "https://github.com/example/site/pull/17\n"),
      agent("I fixed the typo and opened https://github.com/example/site/pull/17.")
    ],
    expect: { status: "complete", push: false, gates: { pr: "passed" } }
  },
  {
    id: "pr/asked-and-missing",
    why: "A pull request was asked for; the work stops at the commit.",
    events: [
      user("Add a CODEOWNERS file and open a PR."),
      write(".github/CODEOWNERS"),
      run(
        "git switch -c codeowners && git add .github/CODEOWNERS && git commit -m 'Add CODEOWNERS'",
        0,
        "[codeowners 1b1b1b1] Add CODEOWNERS\n"
      ),
      agent("I added the CODEOWNERS file and committed it on the branch `codeowners`.")
    ],
    expect: { status: "incomplete", push: true, gates: { pr: "missing" } }
  },
  {
    id: "pr/creation-failed",
    why: "The command ran and failed: there is no pull request.",
    events: [
      user("Open a PR with this change: the port should be 8080."),
      edit("config/default.yml"),
      run(
        "git switch -c port && git commit -am 'Use port 8080' && git push -u origin port",
        0,
        " * [new branch]      port -> port\n"
      ),
      run(
        "gh pr create --fill",
        1,
        "pull request create failed: GraphQL: No commits between main and port (createPullRequest)\n"
      ),
      agent("The port is 8080 now and the branch is pushed.")
    ],
    expect: { status: "incomplete", push: true, gates: { pr: "failed" }, feedback: ["gh pr create"] }
  },
  {
    id: "push/asked-and-missing",
    why: "Pushing was asked for; only the commit was made.",
    events: [
      user("Bump the version to 2.0.1, commit and push."),
      edit("package.json"),
      run("git commit -am 'Version 2.0.1'", 0, "[main 2c2c2c2] Version 2.0.1\n"),
      agent("The version is 2.0.1 and committed.")
    ],
    expect: { status: "incomplete", push: true, gates: { push: "missing" }, feedback: ["push"] }
  },
  {
    id: "push/dry-run-only",
    why: "`--dry-run` pushes nothing; nothing was edited or committed, so that it may have been there: the user is told.",
    events: [
      user("Push the branch to origin."),
      run("git push --dry-run origin feature", 0, " * [new branch]      feature -> feature\n"),
      agent("The branch is ready on origin.")
    ],
    expect: { status: "incomplete", push: false, gates: { push: "missing" } }
  },
  {
    id: "ci/asked-and-red",
    why: "CI had to be green; the checks show a failure and the agent stops.",
    events: [
      user("Open a PR and make sure CI passes."),
      run("git push -u origin ci-fix && gh pr create --fill", 0, "https://github.com/example/app/pull/8\n"),
      run("gh pr checks 8", 1, "build\tpass\t1m2s\nunit\tfail\t45s\n"),
      agent("The PR is open: https://github.com/example/app/pull/8. The unit check fails.")
    ],
    expect: { status: "incomplete", push: true, severity: "HIGH", gates: { pr: "passed", ci: "failed" } }
  },
  {
    id: "ci/asked-and-unchecked",
    why: "CI had to be green and nobody looked.",
    events: [
      user("Open a PR with the fix and make sure CI is green."),
      edit("src/a.ts"),
      run("git commit -am 'Fix a' && git push -u origin fix-a", 0, " * [new branch]      fix-a -> fix-a\n"),
      run("gh pr create --fill", 0, "https://github.com/example/app/pull/9\n"),
      agent("The PR is open: https://github.com/example/app/pull/9.")
    ],
    expect: { status: "incomplete", push: true, severity: "MEDIUM", gates: { pr: "passed", ci: "missing" } }
  },
  {
    id: "ci/asked-and-green",
    why: "The checks were looked at and all pass.",
    events: [
      user("Open a PR with the fix and make sure CI is green."),
      edit("src/a.ts"),
      run("git commit -am 'Fix a' && git push -u origin fix-a", 0, " * [new branch]      fix-a -> fix-a\n"),
      run("gh pr create --fill", 0, "https://github.com/example/app/pull/9\n"),
      run("gh pr checks 9 --watch", 0, "build\tpass\t1m2s\nunit\tpass\t45s\n"),
      agent("The PR is open and all checks pass: https://github.com/example/app/pull/9.")
    ],
    expect: { status: "complete", push: false, gates: { pr: "passed", ci: "passed" } }
  },
  {
    id: "security/found-and-fixed",
    why: "The hole was found and closed.",
    events: [
      user("Add a `last login` column to the login handler and run the tests."),
      edit("src/login.php"),
      edit("src/login.php"),
      run("vendor/bin/phpunit", 0, "OK (12 tests, 30 assertions)\n"),
      agent(
        "I added the `last_login` column. I noticed a SQL injection in the login query on the way and fixed it with a prepared statement. All 12 tests pass."
      )
    ],
    expect: { status: "complete", push: false, severity: "NONE" }
  },
  {
    id: "security/review-asked",
    why: "A security review was the task; reporting what was found completes it.",
    events: [
      user("Do a security review of src/login.php and report what you find. Don't change anything."),
      run("grep -n 'query(' src/login.php", 0, "14: $db->query(\"SELECT * FROM users WHERE name='$name'\")\n"),
      agent(
        "Finding: line 14 concatenates the user name into the query, which is a SQL injection vulnerability. I changed nothing, as you asked."
      )
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  }
]
