import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { execFileSync } from "node:child_process"
import { join, normalize } from "node:path"
import * as HookCommand from "../src/install/HookCommand.ts"
import * as HooksFile from "../src/install/HooksFile.ts"
import * as Hosts from "../src/host/Hosts.ts"
import * as ShellLine from "../src/install/ShellLine.ts"

/**
 * Splits a line into words as PowerShell's about_Quoting_Rules and about_Parsing say. Null if the line is an
 * expression, or if a character has a special meaning. Four characters are single quotes, three are double quotes.
 */
const powerShell = (line: string): ReadonlyArray<string> | null => {
  const called = line.startsWith("& ")
  const text = called ? line.slice(2) : line
  if (!called && /^['‘’‚‛"“”„\d$([{@,+-]/u.test(text)) return null
  const words: Array<string> = []
  let at = 0
  while (at < text.length) {
    const first = text.charAt(at)
    if (first === " ") {
      at++
      continue
    }
    let word = ""
    if (/['‘’‚‛]/u.test(first)) {
      for (at++; ; at++) {
        if (at >= text.length) return null
        if (/['‘’‚‛]/u.test(text.charAt(at)) && !/['‘’‚‛]/u.test(text.charAt(++at))) break
        word += text.charAt(at)
      }
    } else if (/["“”„]/u.test(first)) {
      for (at++; !/["“”„]/u.test(text.charAt(at)); at++) {
        if (at >= text.length || /[$`]/u.test(text.charAt(at))) return null
        word += text.charAt(at)
      }
      at++
      if (/["“”„]/u.test(text.charAt(at))) return null
    } else {
      for (; at < text.length && text.charAt(at) !== " "; at++) {
        if (/['‘’‚‛"“”„`$(){};,|&<>@#%]/u.test(text.charAt(at))) return null
        word += text.charAt(at)
      }
    }
    if (at < text.length && text.charAt(at) !== " ") return null
    words.push(word)
  }
  return words
}

/** How Windows PowerShell hands words to a program: it quotes those with a space, and no others. */
const handed = (words: ReadonlyArray<string>): string =>
  words.map((word) => (/\s/u.test(word) ? `"${word}"` : word)).join(" ")

/** The words that a program gets by cmd's help and CommandLineToArgvW; null if a character has a meaning for cmd. */
const cmd = (rest: string): ReadonlyArray<string> | null => {
  if (rest.startsWith('"') || /["%!^&|<>()\n]/u.test(rest.replace(/"[^"%!^]*"/gu, ""))) return null
  if (/\\"/u.test(rest)) return null
  return Array.from(rest.matchAll(/"([^"]*)"|([^ "]+)/gu), ([, quoted, bare]) => quoted ?? bare ?? "")
}

const behindCmd = (line: string): ReadonlyArray<string> | null => {
  const [program, d, c, call, ...words] = cmd(line) ?? []
  if (program !== "C:\\Windows\\System32\\cmd.exe" || d !== "/d" || c !== "/c" || call !== "call") return null
  return cmd(handed([call, ...words]))?.slice(1) ?? null
}

const odd = fc.string({
  minLength: 1,
  maxLength: 12,
  unit: fc.constantFrom(..."ab9é日 '‘’‚‛“”$`%^&(){}[];,=!#@~+-._".split(""))
})
const folder = fc.array(odd, { minLength: 1, maxLength: 4 }).map((names) => `C:\\${names.join("\\")}`)
const file = (name: string) => folder.map((path) => `${path}\\${name}`)

/** A path of characters that both shells mostly read alike. */
const tame = (name: string) =>
  fc
    .array(fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(..."ab9é日 ~+-._") }), {
      minLength: 1,
      maxLength: 3
    })
    .map((names) => `C:\\${names.join("\\")}\\${name}`)

const either = (name: string) => fc.oneof(file(name), tame(name))

describe("ShellLine", () => {
  it("PowerShell reads the line as the intended words, whatever the paths contain", () => {
    fc.assert(
      fc.property(file("node.exe"), file("hook.cjs"), (node, hook) => {
        assert.deepStrictEqual(powerShell(ShellLine.powerShell([node, hook], "Stop")), [node, hook, "Stop"])
      }),
      { numRuns: 200 }
    )
  })

  it("PowerShell and cmd read a shared line as the same words", () => {
    fc.assert(
      fc.property(either("node.exe"), either("hook.cjs"), (node, hook) => {
        const line = ShellLine.eitherOfWindows([node, hook], "Stop")
        if (line === null) return
        assert.deepStrictEqual(behindCmd(line), [node, hook, "Stop"])
        const words = powerShell(line)
        assert.isNotNull(words)
        assert.deepStrictEqual(behindCmd(handed(words ?? [])), [node, hook, "Stop"])
      }),
      { numRuns: 200 }
    )
  })

  it.each([
    ["C:\\Program Files\\nodejs\\node.exe", true],
    ["C:\\Users\\Jörg Müller\\AppData\\Local\\fnm\\node.exe", true],
    ["C:\\Users\\RUNNER~1\\node.exe", true],
    ["C:\\Program Files (x86)\\nodejs\\node.exe", false],
    ["C:\\Users\\O'Brien\\node.exe", false],
    ["C:\\100%\\node.exe", false],
    ["C:\\R&D\\node.exe", false]
  ])("one line serves both shells of Windows if possible: %s", (node, both) => {
    const line = ShellLine.render("windows", [node, "C:\\d\\hook.cjs"], "Stop")
    assert.strictEqual(line.startsWith("C:\\Windows\\System32\\cmd.exe /d /c call "), both)
    assert.strictEqual(line.startsWith("& '"), !both)
    if (both) assert.deepStrictEqual(behindCmd(line), [node, "C:\\d\\hook.cjs", "Stop"])
  })

  it.each([
    '"C:\\n\\node.exe" "C:\\d\\hook.cjs" Stop',
    "& 'C:\\n\\node.exe' 'C:\\d\\hook.cjs' Stop; say done",
    "x & 'C:\\n\\node.exe' 'C:\\d\\hook.cjs' Stop",
    'C:\\evil\\cmd.exe /d /c call "C:\\n\\node.exe" "C:\\d\\hook.cjs" Stop'
  ])("does not read other command lines as ours: %s", (line) => {
    assert.notStrictEqual(ShellLine.parse(line)?.shell, "windows")
  })
})

describe("HookCommand", () => {
  it("parses back what it rendered, with any path; an added character changes the command", () => {
    const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/[\0\n]/u.test(text))
    const odd = fc.string({ minLength: 1, maxLength: 4, unit: "binary" })
    fc.assert(
      fc.property(name, name, odd, fc.nat(1000), (one, other, more, at) => {
        const folder = normalize(`/home/${other}/hooks`)
        const given = { node: normalize(`/opt/${one}/node`), hook: join(folder, "codex/1/hook.cjs"), event: "Stop" }
        const ours = HookCommand.render(given)
        assert.deepStrictEqual(HookCommand.parse(ours, folder), given)
        assert.deepStrictEqual(HookCommand.parse(HookCommand.render(given, "zero"), folder), given)
        const command = ours.slice(0, at % ours.length) + more + ours.slice(at % ours.length)
        const parsed = HookCommand.parse(command, folder)
        assert.isTrue(parsed === null || HookCommand.render(parsed) === command)
      }),
      { numRuns: 200 }
    )
  })

  it("a shell reads the command as the intended words", () => {
    const hook = '/a "b" $HOME `c` \\d\'/hook.cjs'
    const command = HookCommand.render({ node: "printf", hook, event: "Stop" }).replace('"printf"', "printf '%s|'")
    assert.strictEqual(execFileSync("/bin/sh", ["-c", command], { encoding: "utf8" }), `${hook}|Stop|`)
  })

  /** N is Node, H the hook. */
  it.each([
    ["N H Stop", true],
    ['N "/d/hooks/claude-code/0.1.0-rc.1+b-116a2257/hook.cjs" SubagentStop', true],
    ["/n/node /d/hooks/codex/1/hook.cjs Stop", false],
    ["'/n/node' '/d/hooks/codex/1/hook.cjs' Stop", false],
    ["REFLEXION_DEBUG=1 N H Stop", false],
    ["nice N H Stop; notify-send", false],
    ["x # '/d/hooks/../a/hook.cjs'", false],
    ["N H Stop\n", false],
    ["N H Nothing", false],
    ["N H", false],
    ['"node" H Stop', false],
    ['"/n/../n/node" H Stop', false],
    ['"/n/$HOME/node" H Stop', false],
    ['N "/d/hooks/codex/../codex/1/hook.cjs" Stop', false],
    ['N "/d/hooks/../../a/hook.cjs" Stop', false],
    ['N "/d/hooks/codex/1/more/hook.cjs" Stop', false],
    ['N "/d/hooks/emacs/1/hook.cjs" Stop', false],
    ['N "/d/hooks-of-mine/codex/1/hook.cjs" Stop', false],
    ['N "/d/hooks/codex/1/other.cjs" Stop', false],
    ["", false]
  ])("%j is ours → %s", (form, expected) => {
    const command = form.replace(/\bN\b(?= )/, '"/n/node"').replace(/\bH\b/, '"/d/hooks/codex/1/hook.cjs"')
    assert.strictEqual(HookCommand.parse(command, "/d/hooks") !== null, expected)
  })
})

const entriesAt = (isWindows: boolean) =>
  Hosts.all.slice(0, 1).flatMap((host) =>
    HooksFile.entriesFor(host, {
      node: "/n/node",
      hook: "/d/hooks/claude-code/1/hook.cjs",
      loopWatch: false,
      isWindows
    })
  )

const isOurs = (command: string) => HookCommand.parse(command, "/d/hooks") !== null

describe("entries of hooks", () => {
  it("name the shell only on Windows, and there replace entries for another shell", () => {
    assert.deepStrictEqual([...new Set(entriesAt(true).map(({ shell }) => shell))], ["powershell"])
    assert.isTrue(entriesAt(true).every(({ command }) => HookCommand.isFor(command, "win32")))
    assert.isTrue(entriesAt(false).every(({ shell }) => shell === undefined))
    assert.isFalse(entriesAt(false).some(({ command }) => HookCommand.isFor(command, "win32")))
    const install = (text: string, isWindows: boolean) =>
      Either.getOrThrow(HooksFile.install(text, { entries: entriesAt(isWindows), isOurs, before: [] }))
    const fresh = install("{}\n", true)
    const changed = install(install("{}\n", false), true)
    assert.deepStrictEqual(JSON.parse(changed), JSON.parse(fresh))
    assert.strictEqual(install(changed, true), changed)
    assert.strictEqual(Either.getOrThrow(HooksFile.remove(changed, { isOurs, before: [] })), "{}\n")
  })

  it("keep the user's longer time limit, own message and other hooks", () => {
    const ours = entriesAt(false)
    const text = Either.getOrThrow(HooksFile.install("{}", { entries: ours, isOurs, before: [] }))
    const mine = text
      .replace('"timeout": 660', '"timeout": 900')
      .replace('"reflexion reviews the turn"', '"mine"')
      .replace('"hooks": [', '"hooks": [{ "type": "command", "command": "say" },')
    const again = Either.getOrThrow(HooksFile.install(mine, { entries: ours, isOurs, before: [] }))
    assert.strictEqual(again, mine)
    const short = text.replace('"timeout": 660', '"timeout": 5')
    assert.strictEqual(Either.getOrThrow(HooksFile.install(short, { entries: ours, isOurs, before: [] })), text)
    const bare = Either.getOrThrow(HooksFile.remove(mine, { isOurs, before: [] }))
    assert.deepStrictEqual(JSON.parse(bare), { hooks: { Stop: [{ hooks: [{ type: "command", command: "say" }] }] } })
  })

  it("are written only once, even if our own command is not recognised", () => {
    const options = { entries: entriesAt(false), isOurs: () => false, before: [] }
    const text = Either.getOrThrow(HooksFile.install("", options))
    assert.strictEqual(Either.getOrThrow(HooksFile.install(text, options)), text)
  })
})
