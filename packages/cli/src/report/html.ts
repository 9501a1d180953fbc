/** Builds HTML safely: every value in a template is escaped, except HTML that a template made. */

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template. Texts are escaped. Null adds nothing. */
export type Part = string | number | Html | null | ReadonlyArray<Part>

const entities: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "#39",
  "`": "#96"
}

export const escape = (text: string): string => text.replace(/[&<>"'`]/gu, (char) => `&${entities[char]};`)

const part = (given: Part): string => {
  if (given === null) return ""
  if (given instanceof Html) return given.text
  return typeof given === "object" ? given.map(part).join("") : escape(String(given))
}

/** Makes HTML from a template. White space of the template is collapsed; white space of the values stays. */
export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(texts.map((text, index) => text.replaceAll(/\s+/gu, " ") + part(parts[index] ?? null)).join(""))

/** Makes HTML from a fixed text without escaping. Never use it for other people's texts. */
export const raw = (texts: ReadonlyArray<string>): Html => new Html(texts.join(""))
