/** A session that is over, and the host's own small model, which the user's yes is for at the stops of live sessions. */
import { assert, describe, it } from "@effect/vitest"
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import { Effect } from "effect"
import { chmodSync } from "node:fs"
import { join } from "node:path"
import { loggedIn } from "./hooksHome.ts"
import { claudeCode, text, type Turn } from "./sessions.ts"

/** Evidence leaves it open: a model that may be asked would be. */
const unchanged: Turn = {
  ask: "Add a retry to the fetch helper in src/http.ts.",
  runs: [{ command: "cat src/http.ts", exitCode: 0, output: "export const get = retry(3, fetch)" }],
  answer: "The helper in src/http.ts already retries three times, so there is nothing to add."
}

/** A host that leaves word that it was asked, and answers nothing of use. */
const asking = Effect.map(loggedIn, (home) => {
  const asked = join(home.home, "asked")
  for (const name of ["claude", "codex"]) {
    const note = `require("node:fs").appendFileSync(${JSON.stringify(asked)}, process.argv.slice(2).join(" ") + "\\n")`
    chmodSync(home.put(`bin/${name}`, `#!${process.execPath}\n${note}\n`), 0o755)
  }
  home.put("project/src/open.jsonl", text(claudeCode([unchanged])))
  const run = (words: string) => home.run(words, { env: { PATH: join(home.home, "bin") } })
  return { home, run, asked: () => home.read("asked") }
})

describe("the host's own small model", () => {
  it.scopedLive("is asked by no command about a session that is over, though the user agreed", () =>
    Effect.gen(function* () {
      const { asked, home, run } = yield* asking
      const state = { state: join(home.home, ".local/state/reflexion") }
      for (const host of ["claude-code", "codex"])
        OwnModels.keep(state, host, { asked: true, at: new Date().toISOString() })
      for (const words of [
        "judge open.jsonl",
        "judge open.jsonl --model off",
        "judge open.jsonl --model auto",
        "judge open.jsonl --checks",
        "judge open.jsonl --model auto --host claude-code",
        "judge open.jsonl --show score",
        "judge open.jsonl --show stuck",
        "judge open.jsonl --show compaction",
        "cycle --analyse"
      ]) {
        yield* run(words)
        assert.isNull(asked(), words)
      }
    })
  )

  it.scopedLive("is asked where --model names it, also without consent: naming it is the user's word", () =>
    Effect.gen(function* () {
      const { asked, run } = yield* asking
      yield* run("judge open.jsonl --model claude-code/small")
      assert.match(asked() ?? "", /^-p .*--model /)
    })
  )
})
