/** Which todos of a list were done, judged by what happened after the list changed. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Evidence from "../../src/session/evidence/Evidence.ts"
import * as TodosDone from "../../src/session/evidence/TodosDone.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { session, table } from "../support/sessions.ts"

const words = {
  commit: String.raw`$ git commit -am "Round totals" => [main 1a2b3c4] Round totals\n 2 files changed`,
  push: "$ git push origin totals => totals -> totals",
  docs: "edit /repo/docs/rounding.md",
  readme: "edit /repo/README.md",
  spec: "edit /repo/test/total.test.ts",
  source: "edit /repo/src/total.ts",
  green: "$ npm test => Tests:  5 passed, 5 total",
  red: "$1 npm test => Tests:  1 failed, 4 passed, 5 total"
}

const context: Evidence.EvidenceContext = { repo: RepoSignals.empty, gates: [], cwd: "/repo" }

const undone = (todos: ReadonlyArray<string>, line: string): ReadonlyArray<string> => {
  const begun = Evidence.beginTurn(Evidence.initial, 0)
  const self = session(line, words).reduce((state, event) => Evidence.step(state, event, context), begun)
  return TodosDone.undone(todos, self)
}

const rows = String.raw`
  Commit the rounding :: commit :: done ¦ Update the changelog and commit :: edit /repo/CHANGELOG.md / commit :: done ¦ git push :: push :: done
  Commit and push :: commit / push :: done ¦ Describe it in docs/rounding.md :: docs :: done ¦ rounding.md :: docs :: done
  Document the rounding :: docs :: done ¦ Update the README :: readme :: done ¦ Explain rounding in the docs :: readme :: done
  Write tests for negative totals :: spec :: done ¦ Extend the specs :: spec :: done ¦ Change src/total.ts :: source :: done
  Move the limit into \`settings.toml\` :: edit /repo/settings.toml :: done ¦ Clean up src/ :: source :: done ¦ Run the tests :: green :: done
  Verify with the test suite :: red / green :: done ¦ Commit the rounding :: docs :: open ¦ Commit and push :: commit :: open
  Update the changelog and commit :: commit :: open ¦ Describe it in docs/rounding.md :: readme :: open ¦ Update the README :: source :: open
  Write tests for negative totals :: source / green :: open ¦ Run the tests :: red :: open ¦ Run the tests :: red / edit /repo/docs/a.md :: open
  Change src/total.ts :: edit /repo/src/subtotal.ts :: open ¦ Round half to even :: source / spec / docs / commit :: open ¦ Add the push API :: push :: open
  Explain the commit hook :: commit :: open ¦ Deploy :: commit / push :: open
`

describe("a todo", () => {
  it.each(table(rows))("%s, after %s, is %s", (todo = "", line, state) => {
    const text = todo.replaceAll("\\`", "`")
    assert.deepStrictEqual(undone([text], `todo [ ] ${todo} / ${line}`), state === "done" ? [] : [text])
  })

  it("is open where it happened before, unless the list was only shown again", () => {
    const both = ["Update the README", "Commit"]
    const line = "todo [ ] Update the README / readme / commit / todo [ ] Update the README; [ ] Commit"
    assert.deepStrictEqual(undone(both, line), both)
    assert.deepStrictEqual(
      undone(["Update the README"], "todo [ ] Update the README / readme / todo [ ] Update the README"),
      []
    )
  })
})

it("a state from before the list was watched decodes", () => {
  const { list: _list, ...old } = Schema.encodeSync(Evidence.Evidence)(Evidence.initial)
  assert.deepStrictEqual(Schema.decodeUnknownSync(Evidence.Evidence)(old), Evidence.initial)
})
