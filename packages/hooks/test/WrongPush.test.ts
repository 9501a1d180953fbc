import { assert, describe } from "@effect/vitest"
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Marks from "../src/config/Marks.ts"
import * as Hooks from "../src/session/Hook.ts"
import { begun, claim, decisions, handle, inScratch, type Scratch, type Session } from "./support/session.ts"
const rule = "gates/not-run"

const wrong = ({ hook }: Scratch, agent: Session): string => {
  const answer = handle(hook, agent.event({ kind: "prompt", name: "UserPromptSubmit", prompt: "/reflection wrong" }))
  return answer._tag === "reply" ? answer.text : `(${answer._tag})`
}

const limits = ({ hook, root }: Scratch, project = root) => Hooks.settingsOf(hook, project)

/** A session with a nudge that the user marks. */
const marked = (scratched: Scratch, id: string): string => {
  const agent = begun(scratched, id)
  assert.strictEqual(agent.stop(claim)._tag, "nudge")
  return wrong(scratched, agent)
}

describe("/reflection wrong", () => {
  inScratch("says where nobody was nudged, and keeps nothing then", (scratched) => {
    assert.strictEqual(begun(scratched, "other").stop(claim)._tag, "nudge")
    assert.match(wrong(scratched, begun(scratched)), /sent nobody on in this session/)
    assert.isFalse(existsSync(Marks.fileOf(scratched.hook.directories, scratched.root)))
  })

  inScratch("marks the last nudge once, by the rules that made it, and logs it", (scratched) => {
    const agent = begun(scratched)
    assert.strictEqual(agent.stop(claim)._tag, "nudge")
    const answer = wrong(scratched, agent)
    assert.include(answer, `nudge 1/3 of this session is marked as wrong. ${rule}: 1 mark in this project`)
    assert.match(wrong(scratched, agent), /marked as wrong already.*counts once/)
    const { marks } = Marks.read(scratched.hook.directories, scratched.root)
    assert.lengthOf(marks, 1)
    assert.deepInclude(marks[0], { rules: [rule], attempt: 1, host: "claude-code" })
    assert.match(marks[0]?.stop ?? "", /^[0-9a-f]{16}$/)
    const said = decisions(scratched).filter(({ decision }) => decision === "wrong")
    assert.lengthOf(said, 1)
    assert.include(said[0]?.reason, rule)
    assert.isFalse(existsSync(join(scratched.root, ".reflection", "marks")))
  })

  inScratch("lowers a rule at the second nudge that is marked, in this project alone", (scratched) => {
    marked(scratched, "s1")
    assert.deepStrictEqual(limits(scratched).config.ruleLimits, {})
    const answer = marked(scratched, "s2")
    assert.include(answer, `${rule}: 2 marks in this project; from your next message on`)
    assert.include(answer, `reflexion report --clear ${rule}`)
    assert.deepStrictEqual(limits(scratched).config.ruleLimits, { [rule]: "tell" })
    assert.deepStrictEqual(limits(scratched, `${scratched.home}/other`).config.ruleLimits, {})
    assert.strictEqual(begun(scratched, "s3").stop(claim)._tag, "notice")
    assert.strictEqual(Marks.clear(scratched.hook.directories, scratched.root, rule), 2)
    assert.strictEqual(begun(scratched, "s4").stop(claim)._tag, "nudge")
  })

  inScratch("lowers nothing further up that the configuration turns off, and whatever it turns up", (scratched) => {
    const file = join(scratched.hook.directories.config, "config.json")
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '{ "profile": "strict" }')
    marked(scratched, "s1")
    marked(scratched, "s2")
    assert.strictEqual(begun(scratched, "s3").stop(claim)._tag, "notice")
    scratched.put(".reflection/config.json", `{ "rules": { "${rule}": "off" } }`)
    assert.strictEqual(limits(scratched).config.ruleLimits[rule], "off")
  })

  inScratch("passes over lines that are damaged, and says of a file that cannot be read which it is", (scratched) => {
    marked(scratched, "s1")
    const file = Marks.fileOf(scratched.hook.directories, scratched.root)
    appendFileSync(file, 'torn {\n{"version":1}\n')
    assert.strictEqual(Marks.read(scratched.hook.directories, scratched.root).damaged, 2)
    marked(scratched, "s2")
    assert.deepStrictEqual(limits(scratched).config.ruleLimits, { [rule]: "tell" })
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.repeat(Math.ceil((4.1 * 1024 * 1024) / text.length)))
    assert.include(limits(scratched).problem, file)
  })

  inScratch("cannot tell the rules of a nudge that an older version logged", (scratched) => {
    const agent = begun(scratched)
    assert.strictEqual(agent.stop(claim)._tag, "nudge")
    const log = join(scratched.hook.directories.state, "log.jsonl")
    writeFileSync(log, readFileSync(log, "utf8").replaceAll(/,"rules":\[[^\]]*\]/g, ""))
    assert.match(wrong(scratched, agent), /the log does not say which rule/)
  })
})
