/**
 * Tables of short texts: ` ¦ ` or a line break separates items, and ` :: ` separates the fields of an item. `\n` is a
 * line break, and any other character behind `\` stands for itself.
 */
export const plain = (text: string): string =>
  text.replaceAll(/\\(.)/gs, (_, one: string) => ({ n: "\n", t: "\t", e: "\u001b", r: "\r" })[one] ?? one)

const items = ({ raw }: TemplateStringsArray): ReadonlyArray<string> =>
  raw
    .join("")
    .split(/ ¦ |\n/)
    .map((item) => item.trimStart().replace(/(?<!\\) +$/, ""))
    .filter((item) => item !== "")

const fields = (item: string): ReadonlyArray<string> => item.split(/ :: | ::$/).map((field) => plain(field.trimStart()))

export const list = (texts: TemplateStringsArray): ReadonlyArray<string> => items(texts).map(plain)

export const pairs = (texts: TemplateStringsArray): ReadonlyArray<readonly [string, string]> =>
  items(texts).map((item) => {
    const [first = "", second = ""] = fields(item)
    return [first, second]
  })

export const triples = (texts: TemplateStringsArray): ReadonlyArray<readonly [string, string, string]> =>
  items(texts).map((item) => {
    const [first = "", second = "", third = ""] = fields(item)
    return [first, second, third]
  })

/** Each line is a result, and the texts that have it. */
export const groups = ({ raw }: TemplateStringsArray): ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> =>
  raw
    .join("")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [label = "", texts = ""] = line.split(" :: ")
      return [plain(label.trim()), ...texts.split(" ¦ ").map((text) => plain(text.trim()))]
    })
