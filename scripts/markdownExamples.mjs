/**
 * The blocks of `ts` in the documentation's pages, each a program that imports the packages as a user does. What a block
 * takes from its surroundings is declared in a comment right above it, which no reader of the page sees:
 *
 *     <!-- ts
 *     declare const transcript: Transcript
 *     -->
 *
 * A block below `<!-- from examples/some.ts -->` is a part of that program, which is type-checked as a whole; it has to
 * stand there, in whatever indentation.
 */
import * as fs from "node:fs"
import * as path from "node:path"

const fence = /^ *(?<marks>`{3,}|~{3,}) *(?<language>[\w-]*)(?<more>.*)$/u

/** The fenced blocks of a page, with the line, from 0, of the opening fence. */
const fenced = (lines) => {
  const blocks = []
  let open = null
  for (const [at, line] of lines.entries()) {
    const { language = "", marks = "", more = "" } = fence.exec(line)?.groups ?? {}
    if (open === null && marks !== "") open = { at, language, marks, more: more.trim(), lines: [] }
    else if (open !== null && marks.startsWith(open.marks) && language + more.trim() === "") {
      blocks.push(open)
      open = null
    } else if (open !== null) open.lines.push(line)
  }
  return open === null ? blocks : [...blocks, open]
}

const from = /^<!-- from (\S+) -->$/u

/** The comment that ends right above a line: the program that it names, or the code that it holds and where that begins. */
const above = (lines, at) => {
  let last = at - 1
  while (last >= 0 && lines[last] === "") last -= 1
  const [, program] = from.exec(lines[last] ?? "") ?? []
  if (program !== undefined) return { program }
  if (lines[last] !== "-->") return {}
  const first = lines.lastIndexOf("<!-- ts", last)
  const prelude = lines.slice(first + 1, last)
  return first === -1 || prelude.some((line) => line.includes("-->")) ? {} : { first: first + 1, prelude }
}

const blank = (count) => Array.from({ length: count }, () => "")

const program = (lines, block) => {
  const { first = 0, prelude = [] } = above(lines, block.at)
  const before = [...blank(first), ...prelude]
  return [...before, ...blank(block.at + 1 - before.length), ...block.lines, ""].join("\n")
}

/**
 * A page's blocks of TypeScript, each with the line on which its fence is. `code` has the block and what is declared for
 * it on the lines that they have in the page; with `from` it is the block alone, a part of that program. `problem` says
 * why it can be neither.
 */
export const blocksOf = (text) => {
  const lines = text.split("\n").map((line) => line.trimEnd())
  return fenced(lines)
    .filter(({ language }) => /^(?:[cm]?[jt]sx?|javascript|typescript)$/iu.test(language))
    .map((block) => {
      const line = block.at + 1
      if (block.language !== "ts" || block.more !== "")
        return { line, problem: "a block of code begins with ```ts alone" }
      const { program: source } = above(lines, block.at)
      return source === undefined
        ? { line, code: program(lines, block) }
        : { line, from: source, code: block.lines.join("\n") }
    })
}

const withoutSpace = (text) => text.replaceAll(/\s+/gu, "")

/** Whether a program has a block of code: every line of it one after the other, however far each is indented. */
export const isPartOf = (code, source) => withoutSpace(source).includes(withoutSpace(code))

const pagesOf = (root) => {
  const packages = fs.readdirSync(path.join(root, "packages")).map((name) => path.join("packages", name, "README.md"))
  const docs = fs.readdirSync(path.join(root, "docs")).map((name) => path.join("docs", name))
  return ["README.md", ...docs, ...packages].filter(
    (file) => file.endsWith(".md") && fs.existsSync(path.join(root, file))
  )
}

/** Makes the published packages, and no others, those that programs in a folder find by name. */
const link = (root, folder) => {
  for (const name of fs.readdirSync(path.join(root, "packages"))) {
    const target = path.join(root, "packages", name)
    const manifest = path.join(target, "package.json")
    if (!fs.existsSync(manifest)) continue
    const read = JSON.parse(fs.readFileSync(manifest, "utf8"))
    if (read.private === true) continue
    const place = path.join(folder, "node_modules", ...read.name.split("/"))
    fs.mkdirSync(path.dirname(place), { recursive: true })
    fs.symlinkSync(target, place, "junction")
  }
}

/** Writes every block of the pages that is a program into a folder; what cannot be one is a problem. */
export const collectPages = (root, folder, problem) => {
  link(root, folder)
  return pagesOf(root).flatMap((page) =>
    blocksOf(fs.readFileSync(path.join(root, page), "utf8")).flatMap((block, index) => {
      const shown = page.replaceAll("\\", "/")
      if (block.problem !== undefined) problem(`${shown}:${block.line}: ${block.problem}`)
      if (block.code === undefined) return []
      if (block.from !== undefined) {
        const source = path.join(root, block.from)
        if (!fs.existsSync(source) || !isPartOf(block.code, fs.readFileSync(source, "utf8")))
          problem(`${shown}:${block.line}: ${block.from} has no such part`)
        return []
      }
      const file = path.join(folder, `${page.replaceAll(/[\\/]/gu, "-").replace(/\.md$/u, "")}-${index + 1}.ts`)
      fs.writeFileSync(file, `${block.code}export {}\n`)
      return [{ file, line: 1, shown }]
    })
  )
}
