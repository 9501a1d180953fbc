import { assert, describe, it } from "@effect/vitest"
import { instructedGates } from "../../src/session/project/Instructions.ts"
import { empty } from "../../src/session/shell/Scripts.ts"
import { list, pairs } from "../support/rows.ts"

const gates = (text: string, npm: Record<string, string> = {}): string =>
  [...instructedGates(text, { ...empty, npm })].toSorted().join(" ")

describe("what instructions demand", () => {
  it.each(pairs`
    Run \`npm test\` before every pull request. :: tests ¦ Every commit must pass \`npm run lint\` and \`npm test\`. :: lint tests
    All changes must pass \`cargo test\`. :: tests ¦ \`go vet ./...\` must succeed. :: lint ¦ Pull requests only. :: pr
    Never push to \`main\` directly; open a pull request. :: pr ¦ Don't commit straight to master, open a PR instead. :: pr
    Every change goes in through a merge request. :: pr ¦ Don't tell me that it is done until \`mypy .\` passes. :: typecheck
    Make sure that \`npm test\`\npasses before you push. :: tests ¦ Definition of done:\n\n- [ ] \`cargo build\`\n- [ ] \`cargo test\` :: build tests
    Always open a pull request. :: pr ¦ > **Important:** before you finish, run\n> \`npm test\`. :: tests
    ## Before you commit\n\n- \`npm test\`\n- \`npm run lint\`\n\n## Commands\n\n- \`npm run build\` :: lint tests
    Before pushing\n--------------\n\n\`\`\`\n$ cargo test\n\`\`\` :: tests ¦ After any change to the code, run \`npm test\`. :: tests
    Before merging, do this:\n\n1. **Types**\n\n   \`\`\`sh\n   npx tsc --noEmit\n   \`\`\`\n\n2. **Tests**\n\n   \`\`\`sh\n   npm test\n   \`\`\` :: tests typecheck
    - Before pushing:\n  - \`npm test\`\n- Handy:\n  - \`npm run build\` :: tests
  `)("%j", (text, wanted) => {
    assert.strictEqual(gates(text), wanted)
  })

  it.each(list`
    CI runs the linter. ¦ \`npm test\` runs the unit tests. ¦ You can run \`make lint\` before you commit. ¦ A hook runs \`npm test\` before every commit.
    \`npm run lint\` is run by husky before each commit. ¦ GitHub Actions will run the tests before a merge.
    The tests are executed automatically before merging. ¦ Maintainers run the tests before they merge. ¦ I run the tests myself before merging.
    Always run tests with \`pnpm test\`, not with jest. ¦ Docker is required to run the tests. ¦ You must start the database before running the tests.
    You need to run \`npm install\` before \`npm test\`. ¦ Always write tests before you commit. ¦ Tests must not depend on each other.
    Make sure test files end in \`.test.ts\`. ¦ Keep the commit message short before you push. ¦ When tests fail, don't commit.
    For UI changes, run \`npm run e2e\` before committing. ¦ Before opening an issue, search the old ones. ¦ Only if asked: run \`npm test\` before committing.
    There is no need to run the tests before pushing. ¦ Don't run the end-to-end tests until the unit tests are stable.
    We used to run the tests before each commit. ¦ Don't commit unless I ask for it. ¦ Don't open a pull request; I do it when the work is done.
    Never push to main. ¦ After any change to the schema, run \`npm test\`.
    A pre-push hook runs \`npm run lint\`, so you need not run it. Commit and ensure the hooks pass. ¦ All questions are answered by PR authors.
    If you want to contribute, everything goes through a pull request. ¦ Make sure the CI config passes a look of yours.
    Once the build is done, the tests start. ¦ When the release is complete, tests run in the cloud.
    Nobody has to run the tests before committing; they are slow, so skip them. ¦ All pull requests are squashed.
    Every pull request template lists the checks. ¦ ## Commands\n\n- \`npm test\`: all tests\n- \`npm run build\`: the bundle
    ## Requirements\n\n- \`make\`\n- \`docker\` ¦ ## What you must know\n\n- \`npm test\` is slow ¦ Never do this before a commit:\n- run \`npm test\`
    ## Never\n\n- run \`npm test\` before committing ¦ <!-- Always run the tests before committing. --> ¦ <!--\nAlways run the tests before committing.\n-->
    An old guide said "always run the tests before committing". ¦ Si tu veux, lance \`npm test\` avant chaque commit.
    Wenn du willst, führe vor jedem Commit \`npm test\` aus. ¦ Always run the tests before finishing. ¦ CI must be green before merging.
  `)("nothing: %j", (text) => {
    assert.strictEqual(gates(text), "")
  })

  it("asks for what the project's own script does", () => {
    assert.strictEqual(
      gates("Run `npm run verify` before pushing.", { verify: "tsc --noEmit && jest" }),
      "tests typecheck"
    )
  })
})
