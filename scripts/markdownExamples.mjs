/**
 * The blocks of `ts` in a text, each a program that imports the packages as a user does. A hidden comment above a block may
 * declare what the block takes from its surroundings:
 *
 *     <!-- ts
 *     declare const transcript: Transcript
 *     -->
 *
 * A block below `<!-- from examples/some.ts -->` is a part of that program.
 */
const block =
  /(?:^<!-- (?:from (?<from>\S+) -->|ts\n(?<prelude>(?:(?!-->)[^\n]*\n)*)-->)\n+)?^ *```ts\n(?<code>[\s\S]*?)^ *```$/dgmu

const blank = (text) => text.replaceAll(/[^\n]/gu, "")

/** `code` has everything on the line that it has in the text; with `from` it is the block alone. */
export const blocksOf = (text) =>
  [...text.matchAll(block)].map(({ groups, indices }) => {
    const [start, end] = indices.groups.code
    const line = text.slice(0, start).split("\n").length
    if (groups.from !== undefined) return { line, from: groups.from, code: groups.code }
    const [first, last] = indices.groups.prelude ?? [start, start]
    return {
      line,
      code: `${blank(text.slice(0, first))}${text.slice(first, last)}${blank(text.slice(last, start))}${text.slice(start, end)}`
    }
  })

const withoutSpace = (text) => text.replaceAll(/\s+/gu, "")

/** Whether a program has a block of code, however far each line is indented. */
export const isPartOf = (code, source) => withoutSpace(source).includes(withoutSpace(code))
