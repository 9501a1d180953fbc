/** HTML that cannot be broken out of: whatever goes into the template is escaped, unless the template made it. */

/**
 * A piece of HTML that is safe as it is.
 *
 * @category models
 */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/**
 * What a template takes: texts are escaped; nothing stands for null.
 *
 * @category models
 */
export type Part = string | number | Html | null | ReadonlyArray<Part>

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;"
}

/**
 * A text as HTML has it, between tags as well as in an attribute's quotes.
 *
 * @category encoding
 */
export const escape = (text: string): string => text.replace(/[&<>"'`]/gu, (char) => entities[char] ?? "")

const part = (given: Part): string => {
  if (given === null) return ""
  if (given instanceof Html) return given.text
  if (typeof given === "string") return escape(given)
  return typeof given === "number" ? String(given) : given.map(part).join("")
}

export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(texts.map((text, index) => text + part(parts[index] ?? null)).join(""))

/**
 * JSON for the inside of a script element: it ends none and begins no comment.
 *
 * @category encoding
 */
export const json = (value: unknown): Html =>
  new Html(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/gu,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
    )
  )
