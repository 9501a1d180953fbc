import { assert, describe, it } from "@effect/vitest"
import type { Mark } from "@reflexion/hooks/config/Marks"
import * as Marks from "@reflexion/hooks/config/Marks"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Home, hooksHome } from "./hooksHome.ts"

const bare = (text: string): string => text.replace(/\s+/gu, " ")

const rule = "gates/not-run"

const mark = (home: Home, over: Partial<Mark> = {}): void =>
  Marks.add({ state: join(home.home, ".local/state/reflexion") }, home.project, {
    at: "2026-11-27T10:00:00.000Z",
    host: "claude-code",
    attempt: 1,
    stop: "00000000000000aa",
    rules: [rule],
    ...over
  })

const twice = (home: Home): void => {
  mark(home)
  mark(home, { stop: "00000000000000bb", host: "codex", rules: [rule, "loops/planning"] })
}

describe("reflexion marks", () => {
  it.scopedLive("says where nothing is marked how to", () =>
    Effect.gen(function* () {
      const { code, out } = yield* (yield* hooksHome).run("marks")
      assert.strictEqual(code, 0)
      assert.include(bare(out), "No push is marked in this project. `/reflection wrong`")
      assert.strictEqual((yield* (yield* hooksHome).run("marks --format jsonl")).out, "")
    })
  )

  it.scopedLive("shows by rule what follows, and hands on nothing of a session", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      twice(home)
      const { out } = yield* home.run("marks")
      assert.include(bare(out), `${rule} 2 pushes marked: it only tells here; \`reflexion marks --clear ${rule}\``)
      assert.match(bare(out), /loops\/planning 1 push marked 2026-11-27 10:00 UTC claude-code push 1: /)
      const lines = (yield* home.run("marks --format jsonl")).out.trim().split("\n")
      assert.deepStrictEqual(
        lines.map((line) => JSON.parse(line)),
        [
          { rule, at: "2026-11-27T10:00:00.000Z", host: "claude-code", stop: "00000000000000aa" },
          { rule, at: "2026-11-27T10:00:00.000Z", host: "codex", stop: "00000000000000bb" },
          { rule: "loops/planning", at: "2026-11-27T10:00:00.000Z", host: "codex", stop: "00000000000000bb" }
        ]
      )
    })
  )

  it.scopedLive("are why a rule only tells, in this project, until they are taken back", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      mark(home)
      assert.notInclude((yield* home.run(`rules ${rule}`)).out, "marked")
      mark(home)
      assert.notInclude((yield* home.run(`rules ${rule}`)).out, "marked")
      mark(home, { stop: "00000000000000bb" })
      const one = bare((yield* home.run(`rules ${rule}`)).out)
      assert.include(one, "Level tell: you marked two of its pushes in this project as wrong.")
      assert.include(one, `\`reflexion marks --clear ${rule}\` takes them back`)
      assert.include(bare((yield* home.run("rules")).out), `Your marks keep ${rule} from going further than tell here`)
      assert.match(bare((yield* home.run("doctor")).out), /marks of yours keep gates\/not-run from pushing/)
      const other = join(home.root, "other")
      mkdirSync(other)
      assert.notInclude((yield* home.run(`rules ${rule}`, { cwd: other })).out, "marked")
      assert.include((yield* home.run(`marks --clear ${rule}`)).out, `3 marks on ${rule} taken back`)
      assert.notInclude((yield* home.run(`rules ${rule}`)).out, "marked")
      assert.include((yield* home.run(`marks --clear ${rule}`)).out, "nothing changes")
    })
  )

  it.scopedLive("are left out where a line is damaged, and named where the file cannot be read", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const file = Marks.fileOf({ state: join(home.home, ".local/state/reflexion") }, home.project)
      twice(home)
      writeFileSync(file, "torn\n", { flag: "a" })
      const { err, out } = yield* home.run("marks")
      assert.include(out, "2 pushes marked")
      assert.match(err, /1 line of .*\.jsonl is no mark/)
      assert.match(bare((yield* home.run("doctor")).out), /marks 1 of the lines are damaged/)
      writeFileSync(file, "x".repeat(5 * 1024 * 1024))
      const { code, err: problem } = yield* home.run("rules")
      assert.strictEqual(code, 2)
      assert.include(problem, ".jsonl is larger than")
      assert.match((yield* home.run("doctor")).out.replace(/\s+/gu, ""), /configuration.*\.jsonlislargerthan/)
    })
  )
})
