import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { spawnSync } from "node:child_process"
import * as ShellCommand from "../../src/session/shell/ShellCommand.ts"
import { list } from "../support/rows.ts"

/** Generated scripts run `t0` to `t3`, each with a status that the test sets, and print which ran. */
const count = 4

const leaves = [
  "t0,t1,t2,t3,t0,t1,t2,t3,true,false,:,echo x,cat,exit,exit 0,exit 1,exit $?,rc=$?,rc=0,exit $rc,[ $rc -eq 0 ]",
  "set -e,set +e,set -o pipefail"
].flatMap((list) => list.split(","))

const { script } = fc.letrec<{ script: string }>((tie) => {
  const one = tie("script")
  const two = fc.tuple(one, one)
  return {
    script: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 6, arbitrary: fc.constantFrom(...leaves) },
      { weight: 3, arbitrary: two.map(([left, right]) => `${left} && ${right}`) },
      { weight: 3, arbitrary: two.map(([left, right]) => `${left} || ${right}`) },
      { weight: 3, arbitrary: two.map(([left, right]) => `${left}; ${right}`) },
      { weight: 2, arbitrary: two.map(([left, right]) => `{ ${left}; } | { ${right}; }`) },
      { weight: 1, arbitrary: one.map((inner) => `(${inner})`) },
      { weight: 1, arbitrary: one.map((inner) => `{ ${inner}; } & wait $!`) },
      { weight: 1, arbitrary: one.map((inner) => `{ ${inner}; } & wait`) },
      { weight: 1, arbitrary: one.map((inner) => `! { ${inner}; }`) },
      { weight: 2, arbitrary: two.map(([test, then]) => `if ${test}; then ${then}; fi`) },
      { weight: 1, arbitrary: two.map(([test, otherwise]) => `if ${test}; then :; else ${otherwise}; fi`) },
      { weight: 1, arbitrary: one.map((body) => `for i in a b; do ${body}; done`) },
      // A function that defines itself again in its body may call itself for ever.
      { weight: 1, arbitrary: one.map((body) => (body.includes("f()") ? body : `f() { ${body}; }; f`)) },
      // Without the blank, a subshell within would be read as arithmetic, whose errors are not modelled.
      { weight: 1, arbitrary: one.map((body) => `x=$( ${body})`) },
      { weight: 1, arbitrary: one.map((body) => `${body} || { echo; exit 1; }`) }
    )
  }
})

interface Outcome {
  readonly status: number
  /** The statuses that each command had when it ran. */
  readonly ran: ReadonlyMap<string, ReadonlyArray<string>>
}

const functions = Array.from(
  { length: count },
  (_, index) => `t${index}() { echo t${index}=$S${index} >&9; return $S${index}; }`
).join("\n")

/** Runs the script once for every combination of its commands' statuses. */
const outcomes = (source: string): ReadonlyArray<Outcome> => {
  const names = [...new Set(source.match(/(?<=t)\d/g))]
  const runs = Array.from({ length: 2 ** names.length }, (_, bits) => {
    const statuses = names.map((name, index) => `S${name}=${(bits >> index) % 2}`).join(" ")
    return `echo '#'; ${statuses} bash -c "$SCRIPT" 9>&1 >/dev/null 2>&1 </dev/null; echo "=$?"`
  })
  const env = { PATH: process.env["PATH"] ?? "", SCRIPT: `${functions}\n${source}` }
  // With a socket as its input, bash would first run the user's ~/.bashrc.
  const { stdout } = spawnSync("bash", ["-c", runs.join("\n")], { encoding: "utf8", env, stdio: ["ignore", "pipe", 2] })
  return stdout
    .split("#\n")
    .slice(1)
    .map((block) => {
      const lines = block.split("\n")
      const ran = new Map<string, ReadonlyArray<string>>()
      for (const line of lines) {
        const [name = "", status = ""] = line.split("=")
        if (name !== "") ran.set(name, [...(ran.get(name) ?? []), status])
      }
      return { status: Number(lines.find((line) => line.startsWith("="))?.slice(1)), ran }
    })
}

/** A claim of the analysis about a command that bash disproves; null for none. */
const disproved = (command: ShellCommand.SimpleCommand, { ran, status }: Outcome): string | null => {
  const statuses = ran.get(command.words[0] ?? "")
  const passed = statuses?.every((one) => one === "0") === true
  const failed = statuses?.some((one) => one !== "0") === true
  if (command.exit === "implied" && status === 0 && !passed) return "implied"
  if (command.exit === "inverted" && status === 0 && !failed) return "inverted"
  if (command.soleSuspect && status !== 0 && !failed) return "sole suspect"
  return null
}

const wrongClaims = (source: string): ReadonlyArray<string> => {
  const { commands } = ShellCommand.analyze(source)
  const claims = commands.filter((command) => /^t\d$/.test(command.words[0] ?? ""))
  return outcomes(source).flatMap((outcome) =>
    claims.flatMap((command) => {
      const claim = disproved(command, outcome)
      return claim === null ? [] : [`${command.words[0]}: ${claim}`]
    })
  )
}

const hasBash = spawnSync("bash", ["-c", "exit 0"]).status === 0

describe.skipIf(!hasBash)("ShellCommand.analyze against bash", () => {
  it("claims nothing that bash disproves", () => {
    fc.assert(
      fc.property(script, (source) => {
        // A command that is in the script twice would count as two commands of one name.
        fc.pre(/t\d/.test(source) && !/(t\d)\b.*\b\1\b/s.test(source))
        assert.deepStrictEqual([source, ...wrongClaims(source)], [source])
      })
    )
  })

  it.each(list`
    { t0; } & wait $! && t3 ¦ t0 & wait $! || t3 ¦ t0 & wait; t1 ¦ t0 & wait $!; t1 && t2 ¦ t0 && f() { t1; }; f
  `)("claims nothing of %j that bash disproves", (source) => assert.deepStrictEqual(wrongClaims(source), []))

  it("claims that the exit status of `t0 && t1` covers both commands", () => {
    const claims = ShellCommand.analyze("t0 && t1").commands.map(({ exit }) => exit)
    assert.deepStrictEqual(claims, ["implied", "implied"])
    assert.strictEqual(outcomes("t0 && t1").filter(({ status }) => status === 0).length, 1)
  })
})
