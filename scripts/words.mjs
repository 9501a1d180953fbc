/**
 * Finds phrases that are hard to read and names that only their authors understand. Reads comments and texts of the
 * sources, comments and titles of the tests, and the documents. Part of `npm run check`.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import ts from "typescript"

const root = path.dirname(import.meta.dirname)
const turns =
  /\b(?:whoever|whomever|of which|by which|by whose|to whom|anew|be it|(?:is|are) none of|in (?:the )?place of|mend(?:s|ed|ing)?|beside|thereof|wherein|hitherto)\b/i
const names = new Set(
  "Found Given Said Seen Asked Known Told Decided Judged Settled Reviewed Assessed Answered Ran Held Kept Loaded Ended Own Where Before Spares Shelf Wing Room Ground Deed".split(
    " "
  )
)
const problems = []

const say = (file, line, word, better = "") => problems.push(`${path.relative(root, file)}:${line}: "${word}"${better}`)

const below = (folder, wanted) =>
  !fs.existsSync(folder)
    ? []
    : fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const file = path.join(folder, entry.name)
        if (entry.isDirectory()) return ["node_modules", "dist"].includes(entry.name) ? [] : below(file, wanted)
        return wanted(entry.name) ? [file] : []
      })

/** A title is the first argument of a call such as `it("…"`. */
const isTitle = (node, source) =>
  ts.isCallExpression(node.parent) &&
  node.parent.arguments[0] === node &&
  /^(?:it|describe|test)\b/.test(node.parent.expression.getText(source))

/** Returns the comments and texts of a module with their offsets. For a test it returns comments and titles. */
const textsOf = (source, isTest) => {
  const found = []
  const take = (start, end) => found.push([start, source.text.slice(start, end)])
  const walk = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      if (!isTest || isTitle(node, source)) take(node.getStart(source), node.getEnd())
    }
    const children = node.getChildren(source)
    if (children.length === 0) {
      for (const ranges of [ts.getLeadingCommentRanges, ts.getTrailingCommentRanges])
        for (const { end, pos } of ranges(
          source.text,
          node.getFullStart() + (ranges === ts.getTrailingCommentRanges ? node.getFullWidth() : 0)
        ) ?? [])
          take(pos, end)
    }
    children.forEach(walk)
  }
  walk(source)
  return found
}

/** The prompt was measured word by word, so it changes only with a new measurement. */
const measured = "packages/core/src/model/assessment/instruction.ts"

const checkSource = (file, isTest) => {
  const source = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
  const lineOf = (offset) => source.getLineAndCharacterOfPosition(offset).line + 1
  const seen = new Set()
  for (const [start, text] of textsOf(source, isTest)) {
    const flat = text.replaceAll(/[\s*]+/g, " ")
    const [word] = turns.exec(flat) ?? []
    if (word === undefined || seen.has(start) || file.endsWith(measured)) continue
    seen.add(start)
    say(file, lineOf(start), word, ` in ${flat.slice(Math.max(0, flat.indexOf(word) - 40), flat.indexOf(word) + 50)}`)
  }
  for (const found of source.text.matchAll(/^export (?:interface|type|class) (\w+)/gm)) {
    if (names.has(found[1])) say(file, lineOf(found.index), found[1], ": a type is a noun that says what it is")
  }
}

const isSource = (name) => name.endsWith(".ts")
/** Texts in a recorded session stay as they were recorded. */
const isRecorded = (file) => file.includes("/src/scenarios/")

const packages = [...fs.readdirSync(path.join(root, "packages")).map((name) => `packages/${name}`), "evals"]
for (const folder of packages) {
  for (const file of below(path.join(root, folder, "src"), isSource)) checkSource(file, isRecorded(file))
  for (const tests of ["test", "test-hosts", "test-report"])
    for (const file of below(path.join(root, folder, tests), isSource)) checkSource(file, true)
}
for (const file of below(path.join(root, "scripts"), (name) => name.endsWith(".mjs") && name !== "words.mjs"))
  checkSource(file, false)

const pages = below(path.join(root, "docs"), (name) => name.endsWith(".md"))
const others = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].map((name) => path.join(root, name))
for (const folder of packages) others.push(path.join(root, folder, "README.md"))
for (const file of [...pages, ...others].filter((name) => fs.existsSync(name))) {
  fs.readFileSync(file, "utf8")
    .split("\n")
    .forEach((text, index) => {
      const [word] = turns.exec(text) ?? []
      if (word !== undefined) say(file, index + 1, word)
    })
}

if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n${problems.length} words to replace: CONTRIBUTING.md, "Words"\n`)
  process.exitCode = 1
}
