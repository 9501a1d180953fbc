/** HTML that cannot be broken out of: whatever goes into the template is escaped, unless the template made it. */

/** A piece of HTML that is safe as it is. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What a template takes: texts are escaped; nothing stands for null. */
export type Part = string | number | Html | null | ReadonlyArray<Part>

const entities: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "#39",
  "`": "#96"
}

/** A text as HTML has it, between tags as well as in an attribute's quotes. */
export const escape = (text: string): string => text.replace(/[&<>"'`]/gu, (char) => `&${entities[char]};`)

const part = (given: Part): string => {
  if (given === null) return ""
  if (given instanceof Html) return given.text
  return typeof given === "object" ? given.map(part).join("") : escape(String(given))
}

/** The template's own white space is for its reader; that of what goes in stays. */
export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(texts.map((text, index) => text.replaceAll(/\s+/gu, " ") + part(parts[index] ?? null)).join(""))

/** What is no text of anybody's: it stands as it is. */
export const raw = (texts: ReadonlyArray<string>): Html => new Html(texts.join(""))
