/** Writes the keys in docs/configuration.md from `reflexion doctor --show configuration`. Part of `npm run docs`. */
const grouped = (text) => text.replace(/\d{4,}/gu, (digits) => digits.replace(/\B(?=(\d{3})+$)/gu, ","))

/** Shortens the schema's description of the allowed values. */
const short = (values) =>
  grouped(values)
    .replace(
      /^a (?:whole )?number(?: of (seconds|questions))? from (\S+) to ([\d,]+)/u,
      (_, what, from, to) => `${from} to ${to}${what === "seconds" ? " seconds" : ""}`
    )
    .replace(/^a whole number of tokens, at least 1$/u, "tokens")
    .replace(/^a name such as .*$/u, "`provider/model`")
    .replace(
      /^(?:a list of|a command of|1 to 40 letters|a gate's|the name of|an http or https|tokens|false, or) ?.*$/u,
      ""
    )
    .replaceAll(/"[^"]+"/gu, "`$&`")

const usual = ({ default: value, required }) => {
  if (required) return "required"
  if (value === undefined || JSON.stringify(value) === "[]" || JSON.stringify(value) === "{}") return ""
  return typeof value === "number" ? grouped(String(value)) : `\`${JSON.stringify(value)}\``
}

const said = ({ description, values }) => {
  const allowed = short(values)
  const isSaid =
    allowed === "" ||
    allowed
      .replaceAll('"', "")
      .split(/, | or /u)
      .every((one) => description.includes(one))
  return isSaid ? description : `${description} (${allowed})`
}

const line = (key) => {
  const value = usual(key)
  return `- \`${key.key}\`${value === "" ? "" : ` (${value})`}: ${said(key)}`
}

export const fill = (page, keys) =>
  page.replace(
    /<!-- keys -->[^]*<!-- end of keys -->/u,
    `<!-- keys -->\n\n${keys.map(line).join("\n")}\n\n<!-- end of keys -->`
  )
