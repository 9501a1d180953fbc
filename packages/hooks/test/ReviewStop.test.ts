import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { userInfo } from "node:os"
import { dirname, join } from "node:path"
import * as Trust from "../src/config/Trust.ts"
import * as UserDirectories from "../src/places/UserDirectories.ts"
import {
  begun,
  claim,
  handle,
  inScratch,
  lastDecision,
  scratch,
  type Scratch,
  session,
  stateFile,
  task,
  type
} from "./support/session.ts"

const artifacts = ({ root }: Scratch): ReadonlyArray<string> => readdirSync(join(root, ".reflection")).toSorted()

const isWork = (line: string) => line.includes("tool_use") || line.includes("tool_result")

const isTold = (line: string) => line.includes('"attachment"')

describe("a stop", () => {
  inScratch("is reviewed where `.git` is a link to itself, which is no repository", (scratched) => {
    rmSync(join(scratched.root, ".git"), { recursive: true })
    symlinkSync(".git", join(scratched.root, ".git"))
    const words = "I changed how the total is rounded."
    const agent = session(scratched, "s1").user("Fix the rounding and make sure that the tests pass.")
    const answer = agent.edits("src/total.ts").runs("npm test", "Tests  1 failed (1)", true).says(words).stop(words)
    assert.strictEqual(answer._tag, "nudge")
  })

  inScratch("is none while a teammate is at work, and is judged when it says that it is idle", (scratched) => {
    const agent = begun(scratched).calls("Agent", { name: "rev", team_name: "core", prompt: "Run it" }, "Spawned.")
    const lines = readFileSync(agent.file, "utf8").trimEnd().split("\n")
    const spawned = { ...JSON.parse(lines.at(-1) ?? ""), toolUseResult: { status: "teammate_spawned", name: "rev" } }
    writeFileSync(agent.file, `${[...lines.slice(0, -1), JSON.stringify(spawned)].join("\n")}\n`)
    const words = "The rounding is fixed; rev works on the rest."
    assert.strictEqual(agent.says(words).stop(words)._tag, "nothing")
    const idle = JSON.stringify({ type: "idle_notification", from: "rev" })
    agent.user(`<teammate-message teammate_id="rev">\n${idle}\n</teammate-message>`)
    agent.runs("npm test", "Tests  1 failed (3)", true).says(claim)
    const later = agent.stop(claim)
    assert.strictEqual(later._tag, "nudge", lastDecision(scratched))
  })

  inScratch("is logged though a folder stands in the log's place, which is moved aside", (scratched) => {
    const log = join(scratched.hook.directories.state, "log.jsonl")
    mkdirSync(log, { recursive: true })
    assert.strictEqual(begun(scratched).stop(claim)._tag, "nudge")
    assert.include(lastDecision(scratched), "nudge")
    assert.isTrue(readdirSync(dirname(log)).some((name) => name.startsWith("log.jsonl.folder-")))
  })

  inScratch("is the same for a hook that began before it was decided, though the record goes on", (scratched) => {
    const agent = begun(scratched)
    const beganAt = (offset: number) => ({ ...scratched.hook, begun: scratched.hook.now() + offset })
    const answer = agent.stop(claim)
    assert.strictEqual(answer._tag, "nudge")
    agent.told(answer)
    const again = agent.event({ message: claim })
    assert.strictEqual(handle(beganAt(-5), again)._tag, "nothing")
    assert.strictEqual(handle(beganAt(5), again)._tag, "notice")
  })

  inScratch(
    "is left alone in a turn that was interrupted before its message was recorded, and in no other",
    (scratched) => {
      const agent = begun(scratched)
      const late = readFileSync(agent.file, "utf8")
      for (const early of ["", `${JSON.stringify({ type: "summary", summary: "An older session" })}\n`]) {
        writeFileSync(agent.file, early)
        handle(scratched.hook, agent.event({ kind: "interrupt", name: "Interrupt", turnId: "turn-1" }))
        writeFileSync(agent.file, early + late)
        assert.strictEqual(agent.stop(claim, { turnId: "turn-1" })._tag, "nothing", lastDecision(scratched))
      }
      agent.user(task).edits("src/total.ts").says("Done.")
      assert.strictEqual(agent.stop("Done.", { turnId: "turn-2" })._tag, "nudge", lastDecision(scratched))
    }
  )

  inScratch("is judged although the clock was set back since the last one", (scratched) => {
    const agent = begun(scratched)
    agent.told(agent.stop(claim))
    const earlier = scratched.hook.now() - 86_400_000
    const hook = { ...scratched.hook, begun: earlier, now: () => earlier }
    assert.strictEqual(handle(hook, agent.event({ message: claim }))._tag, "notice")
  })

  inScratch(
    "is nudged no more often than may be where the turn is too long and the saved state is damaged each time",
    (scratched) => {
      const agent = begun(scratched)
      const tags: Array<string> = []
      for (let round = 0; round < 5; round++) {
        for (let at = 0; at < 24; at++) agent.runs("cat notes.txt", `${round} ${at} ${"word ".repeat(20_000)}`)
        const answer = agent.edits("src/total.ts").says(`Done (${round}).`).stop(`Done (${round}).`)
        if (answer._tag === "nudge") tags.push(answer.feedback.slice(0, 15))
        agent.told(answer)
        truncateSync(stateFile(scratched), 200)
      }
      assert.deepStrictEqual(tags, ["[reflexion 1/3]", "[reflexion 2/3]", "[reflexion 3/3]"])
    }
  )

  inScratch("is nudged no more often where the record is written again, and again for a new message", (scratched) => {
    const agent = begun(scratched)
    for (let round = 0; round < 3; round++) {
      const answer = agent.stop(`${claim} (${round})`)
      assert.strictEqual(answer._tag, "nudge", lastDecision(scratched))
      agent
        .told(answer)
        .edits("src/total.ts")
        .says(`${claim} (${round + 1})`)
    }
    const lines = readFileSync(agent.file, "utf8").trim().split("\n")
    const kept = lines.filter((line) => !line.includes('"attachment"'))
    const renamed = kept.map((line) => line.replaceAll('"uuid":"s1-', '"uuid":"other-'))
    const old = JSON.stringify({
      ...JSON.parse(lines[0] ?? ""),
      uuid: "old",
      timestamp: new Date(Date.now() - 7_200_000).toISOString(),
      message: { content: "What does src/total.ts do?" }
    })
    const rewritten = [kept, renamed, [old, ...renamed], [...renamed.slice(1), old], renamed.slice(1)]
    for (const [index, text] of rewritten.entries()) {
      writeFileSync(agent.file, `${text.join("\n")}\n`)
      agent.edits("src/total.ts").says(`Rewritten ${index}.`)
      assert.notStrictEqual(agent.stop(`Rewritten ${index}.`)._tag, "nudge", String(index))
    }
    agent.user(task).edits("src/total.ts").says("Done again.")
    const again = agent.stop("Done again.")
    assert.include(again._tag === "nudge" ? again.feedback : "", "[reflexion 1/3]")
  })

  it.scoped("is nudged once while nothing moves, also where the record loses what came before", () =>
    Effect.gen(function* () {
      for (const kept of ["all", "without the feedback", "without the work", "the task alone", "words alone"]) {
        const scratched = yield* scratch
        const agent = begun(scratched)
        agent.runs("git status", "clean").says(claim)
        const first = agent.stop(claim)
        assert.strictEqual(first._tag, "nudge", kept)
        agent.told(first)
        const lines = readFileSync(agent.file, "utf8").trim().split("\n")
        const left: Readonly<Record<string, ReadonlyArray<string>>> = {
          all: lines,
          "without the feedback": lines.filter((line) => !isTold(line)),
          "without the work": lines.filter((line) => !isWork(line)),
          "the task alone": lines.slice(0, 1),
          "words alone": lines.filter((line) => !isWork(line) && !isTold(line))
        }
        writeFileSync(agent.file, `${(left[kept] ?? []).join("\n")}\n`)
        agent.runs("git status", "clean").says(`${claim} Still.`)
        const second = agent.stop(`${claim} Still.`)
        assert.notStrictEqual(second._tag, "nudge", kept)
        agent.edits("src/total.ts").says(`${claim} At last.`)
        assert.strictEqual(agent.stop(`${claim} At last.`)._tag, "nudge", kept)
      }
    })
  )

  inScratch("is not nudged when its time is up before the record is read", (scratched) => {
    const agent = begun(scratched)
    scratched.put(".reflection/config.json", '{ "maxAttempts": 2 }')
    const { hook } = scratched
    let at = hook.now()
    const late: Scratch["hook"] = {
      ...hook,
      now: () => at,
      deadline: at + 10,
      settle: (sources) => {
        agent.says("More of the record.")
        at += 10
        return hook.settle(sources)
      }
    }
    assert.strictEqual(handle(late, agent.event({ message: claim }))._tag, "nothing")
    assert.include(lastDecision(scratched), "too long to read in time")
    assert.strictEqual(agent.stop(claim)._tag, "nudge")
  })

  inScratch("is left alone where the judge fails, which the log says, and the next one is judged", (scratched) => {
    const agent = begun(scratched)
    // The judge is told the time of its verdict, and no date is that late.
    const reasons = Array.from({ length: 6 }, (_, index) => {
      rmSync(stateFile(scratched), { force: true })
      let calls = 0
      const now = () => (calls++ === index ? 9e15 : scratched.hook.now())
      const { _tag } = handle({ ...scratched.hook, now }, agent.event({ message: claim }))
      return `${_tag}, ${lastDecision(scratched)}`
    })
    assert.include(reasons, "nothing, failure: abstained, the judge failed: Invalid time value")
    rmSync(stateFile(scratched), { force: true })
    assert.strictEqual(agent.stop(claim)._tag, "nudge")
  })

  inScratch("is not nudged where the state cannot be saved", (scratched) => {
    const agent = begun(scratched)
    mkdirSync(dirname(scratched.hook.directories.state), { recursive: true })
    writeFileSync(scratched.hook.directories.state, "in the way")
    assert.throws(() => agent.stop(claim))
  })

  inScratch("is nudged although the workspace cannot be written, and nothing follows a link there", (scratched) => {
    const elsewhere = join(scratched.home, "elsewhere")
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(scratched.root, ".reflection"))
    const agent = begun(scratched)
    const answer = agent.stop(claim)
    assert.deepStrictEqual(readdirSync(elsewhere), [])
    // A linked folder could bring a configuration along, too: nothing is nudged by it.
    assert.strictEqual(answer._tag, "notice")
    rmSync(join(scratched.root, ".reflection"))
    writeFileSync(join(scratched.root, ".reflection"), "a file")
    agent.user(task).edits("src/total.ts").says("Again.")
    assert.strictEqual(agent.stop("Again.")._tag, "nudge")
  })

  inScratch("leaves its signal and its record in the session's first project root", (scratched) => {
    const agent = begun(scratched, "0a1b2c3d-0000")
    agent.stop(claim, { cwd: scratched.home })
    assert.deepStrictEqual(
      artifacts(scratched).map((name) => name.replace(/_\d{13}/, "_TIME")),
      [".gitignore", "0a1b2c3d-0000_TIME.json", "outcomes.jsonl", "verdict_0a1b2c3d-0000.json", "verdict_0a1b2c3d.json"]
    )
    const signal: unknown = JSON.parse(
      readFileSync(join(scratched.root, ".reflection", "verdict_0a1b2c3d.json"), "utf8")
    )
    assert.deepInclude(signal, { sessionId: "0a1b2c3d-0000", status: "incomplete", complete: false })
    assert.isFalse(existsSync(join(scratched.home, ".reflection")))
  })

  it.scoped("leaves nothing in the home directory, which is no project, by whichever variable it is one", () =>
    Effect.gen(function* () {
      for (const env of [
        (home: string) => ({ HOME: home }),
        (home: string) => ({ USERPROFILE: home }),
        (home: string) => ({ HOME: "", USERPROFILE: home }),
        (home: string) => ({ HOME: "/c/Users/me", USERPROFILE: home })
      ]) {
        const scratched = yield* scratch
        const { home, hook } = scratched
        const agent = begun({ ...scratched, root: home, hook: { ...hook, env: env(home) } })
        assert.strictEqual(agent.stop(claim)._tag, "nudge")
        assert.isFalse(existsSync(join(home, ".reflection")), JSON.stringify(env(home)))
      }
    })
  )

  it("knows the system's home directory where no variable names one", () => {
    assert.deepStrictEqual(UserDirectories.homes({ HOME: "relative", USERPROFILE: "" }), [userInfo().homedir])
  })

  inScratch("keeps secrets of the tool output out of everything that is written", (scratched) => {
    const secret = "ghp_9fK2mQx7LpR4vT8wZc1NbY6sHd3JgA5eUoXi"
    const agent = begun(scratched)
      .runs(`curl -H 'Authorization: Bearer ${secret}' http://localhost`, `token ${secret}`)
      .says(`It works with ${secret}.`)
    const answer = agent.stop(`It works with ${secret}.`)
    const files = [scratched.hook.directories.state, join(scratched.root, ".reflection")].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    )
    assert.isAbove(files.length, 4)
    assert.isFalse([JSON.stringify(answer), ...files].some((text) => text.includes(secret)))
  })

  inScratch("is left alone while another hook of the session decides", (scratched) => {
    const agent = begun(scratched)
    const lock = `${stateFile(scratched)}.lock`
    mkdirSync(dirname(lock), { recursive: true })
    writeFileSync(lock, "")
    const { hook } = scratched
    assert.strictEqual(handle({ ...hook, now: () => Date.now() }, agent.event({ message: claim }))._tag, "nothing")
    assert.include(lastDecision(scratched), "another review")
  })
})

describe("the configuration of a stop", () => {
  inScratch("is shown in one clean line, whatever the workspace writes", (scratched) => {
    const keys = Array.from({ length: 300 }, (_, index) => `"k${index}\\u001b[31m\\nreflexion: all tests passed": 1`)
    scratched.put(".reflection/config.json", `{ ${keys.join(", ")} }`)
    const agent = begun(scratched)
    const first = agent.stop(claim)
    const text = first._tag === "notice" ? first.text : ""
    assert.match(text, /config\.json:1:3/)
    assert.isAtMost(text.length, 200)
    assert.notMatch(text, /\p{Cc}/u)
    const reply = type(scratched, agent, "/reflection status")
    assert.strictEqual(reply._tag === "reply" ? reply.text : "", text)
  })

  inScratch("is taken at its word again only while what was trusted is unchanged", (scratched) => {
    const { directories } = scratched.hook
    mkdirSync(directories.config, { recursive: true })
    writeFileSync(join(directories.config, "config.json"), '{ "maxAttempts": 1 }')
    scratched.put(".reflection/config.json", '{ "maxAttempts": 3 }')
    const attempts = (id: string): string | undefined => {
      const answer = begun(scratched, id).stop(claim)
      return answer._tag === "nudge" ? answer.feedback.slice(0, "[reflexion 1/1]".length) : undefined
    }
    assert.strictEqual(attempts("untrusted"), "[reflexion 1/1]")
    Trust.trust(directories, Trust.Workspace.at(directories, scratched.root))
    assert.strictEqual(attempts("trusted"), "[reflexion 1/3]")
    scratched.put(".reflection.md", "Be strict.")
    assert.strictEqual(attempts("changed"), "[reflexion 1/1]")
  })
})

describe("the loop watch", () => {
  inScratch("speaks once in a row of five identical calls", (scratched) => {
    const agent = session(scratched, "s1")
    const call = (command: string) =>
      handle(
        scratched.hook,
        agent.event({
          kind: "tool",
          name: "PostToolUse",
          tool: { name: "Bash", input: { command }, result: { stdout: "no" } }
        })
      )._tag
    const tags = ["a", "a", "a", "b", ...Array.from({ length: 7 }, () => "a")].map(call)
    assert.deepStrictEqual(
      tags.map((tag) => tag === "context"),
      tags.map((_, index) => index === 8)
    )
  })
})
