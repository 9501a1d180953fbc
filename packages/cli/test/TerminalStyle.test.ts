import { assert, describe, it } from "@effect/vitest"
import * as TerminalStyle from "../src/terminal/TerminalStyle.ts"

const style = (env: Record<string, string>, isTerminal: boolean, columns?: number): TerminalStyle.TerminalStyle =>
  TerminalStyle.detect({ env, isTerminal, columns })

describe("TerminalStyle", () => {
  it.each([
    ["a terminal", {}, true, true],
    ["a pipe", {}, false, false],
    ["NO_COLOR", { NO_COLOR: "1" }, true, false],
    ["an empty NO_COLOR", { NO_COLOR: "" }, true, true],
    ["FORCE_COLOR in a pipe", { FORCE_COLOR: "1" }, false, true],
    ["FORCE_COLOR over NO_COLOR", { FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
    ["FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
    ["a dumb terminal", { TERM: "dumb" }, true, false]
  ])("colour: %s", (_, env, isTerminal, expected) => {
    assert.strictEqual(style(env, isTerminal).color, expected)
  })

  it.each([
    ["no locale", {}, true],
    ["UTF-8", { LANG: "de_DE.UTF-8" }, true],
    ["utf8", { LC_ALL: "C.utf8" }, true],
    ["C", { LANG: "C" }, false],
    ["LC_ALL over LANG", { LANG: "en_US.UTF-8", LC_ALL: "POSIX" }, false],
    ["Latin-1", { LC_CTYPE: "de_DE.ISO-8859-1" }, false]
  ])("symbols: %s", (_, env, expected) => {
    assert.strictEqual(style(env, true).unicode, expected)
  })

  it.each([
    ["a terminal's", {}, true, 72, 72],
    ["COLUMNS in a pipe", { COLUMNS: "64" }, false, undefined, 64],
    ["nothing known", {}, false, undefined, 100],
    ["nonsense", { COLUMNS: "wide" }, false, undefined, 100],
    ["very wide", {}, true, 400, 120],
    ["very narrow", {}, true, 10, 40]
  ])("width: %s", (_, env, isTerminal, columns, expected) => {
    assert.strictEqual(style(env, isTerminal, columns).width, expected)
  })

  it("paints only where there are colours", () => {
    assert.strictEqual(TerminalStyle.paint(TerminalStyle.plain, ["red"], "x"), "x")
    assert.strictEqual(
      TerminalStyle.paint({ ...TerminalStyle.plain, color: true }, ["red"], "x"),
      "\u001b[31mx\u001b[0m"
    )
  })
})
