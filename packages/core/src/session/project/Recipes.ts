/** Reads the recipes of make, just and Task. Unreadable lines are left out. An unknown variable becomes `$_`. */

type Recipes = Record<string, string>

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/\\\r?\n[ \t]*/g, " ")
    .split("\n", 5_000)
    .map((line) => line.slice(0, 2_000).trimEnd())
    .filter((line) => !/^\s*#(?!!)/.test(line))

const add = (into: Recipes, name: string, lines: ReadonlyArray<string>): void => {
  if (name === "__proto__") return
  const before = Object.hasOwn(into, name) ? (into[name] ?? "") : ""
  into[name] = [...(before === "" ? [] : [before]), ...lines].join("\n").slice(0, 16_000)
}

const variable = /^(?:export )?([A-Za-z_]\w{0,80})[ \t]{0,8}[:?]{0,2}=[ \t]{0,8}(["']?)([^$"'\\\n]{0,500})\2$/gm

interface Syntax {
  readonly runner: string
  /** The groups are the names, the dependencies, and a command after a `;`. */
  readonly head: RegExp
  readonly body: RegExp
  readonly reference: RegExp
}

const make: Syntax = {
  runner: "make",
  head: /^([\w./][\w./ -]{0,300}?) ?::?(?![:=])([^=;]{0,1000})(?:;(.*))?$/,
  body: /^\t/,
  reference: /\$(?:\(([^()]{0,200})\)|\{([^{}]{0,200})\}|.)/g
}

const just: Syntax = {
  runner: "just",
  head: /^@?([A-Za-z_][\w-]{0,80})(?:\s[^:]{0,400})?:(?!=)([^#]{0,400})/,
  body: /^[ \t]/,
  reference: /\{\{ {0,8}([^{}]{0,200}?) {0,8}\}\}/g
}

const needs = (runner: string, text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\(([\w-]{1,80})[^)]{0,200}\)|([\w./-]{1,100})/g)].map(
    (match) => `${runner} ${match[1] ?? match[2] ?? ""}`
  )

const read = (text: string, { body, head, reference, runner }: Syntax): Recipes => {
  const values = new Map([...text.matchAll(variable)].map((match) => [match[1] ?? "", match[3] ?? ""]))
  const fill = (line: string): string =>
    line.trim().replaceAll(reference, (whole, name?: string, other?: string) => {
      const key = name ?? other ?? ""
      return whole === "$$" ? "$" : key === "MAKE" ? "make" : (values.get(key) ?? "$_")
    })
  const found: Recipes = {}
  let names: ReadonlyArray<string> = []
  for (const line of linesOf(text)) {
    if (line.trim() === "") continue
    const match = body.test(line) ? null : head.exec(line.replace(/ #.*/, ""))
    const lines = [...needs(runner, match?.[2] ?? ""), ...(match?.[3] === undefined ? [] : [fill(match[3])])]
    if (!body.test(line)) names = (match?.[1] ?? "").split(/\s+/).filter((name) => /^[^.]/.test(name))
    for (const name of names) add(found, name, body.test(line) ? [fill(line)] : lines)
  }
  return found
}

/** Adds the target that runs if no target is named. The key of this target is the empty name. */
const withFirst = (found: Recipes, runner: string, chosen?: string): Recipes => {
  const first = chosen !== undefined && Object.hasOwn(found, chosen) ? chosen : Object.keys(found)[0]
  if (first !== undefined) found[""] = `${runner} ${first}`
  return found
}

/** Returns the targets of a Makefile. A dependency counts only if it is a target and not a file. */
export const readMakefile = (text: string): Recipes => {
  const found = read(text, make)
  for (const [name, lines] of Object.entries(found))
    found[name] = lines
      .split("\n")
      .filter((line) => !/^make \S+$/.test(line) || Object.hasOwn(found, line.slice(5)))
      .join("\n")
  return withFirst(found, "make", /^\.DEFAULT_GOAL ?:?= ?(\S{1,100})/m.exec(text)?.[1])
}

export const readJustfile = (text: string): Recipes => {
  const found = withFirst(read(text, just), "just", "default")
  for (const match of text.matchAll(/^alias ([\w-]{1,80}) ?:= ?([\w-]{1,80})/gm))
    add(found, match[1] ?? "", [`just ${match[2] ?? ""}`])
  return found
}

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, "$2")

/** Reads a step such as `- go test`, `- cmd: go test` or `- task: lint`. Empty for a setting. */
const stepOf = (section: string, line: string): ReadonlyArray<string> => {
  const [, key, value = ""] = /^(?:- )?([a-z_]{1,30}):(?:\s+(.*))?$/.exec(line) ?? []
  const step = unquoted(key === undefined ? line.replace(/^- /, "") : value)
  const isStep = key === undefined || key === "cmd" || key === "task"
  if (!isStep || step === "" || /^[|>][+-]?$/.test(step)) return []
  return [key === "task" || section === "deps" ? `task ${step}` : step]
}

const indentOf = (line: string): number => line.length - line.trimStart().length

export const readTaskfile = (text: string): Recipes => {
  const found: Recipes = {}
  const lines = linesOf(text).filter((line) => line.trim() !== "")
  const start = lines.findIndex((line) => line.startsWith("tasks:")) + 1
  const rest = start === 0 ? [] : lines.slice(start)
  const end = rest.findIndex((line) => /^\S/.test(line))
  const base = indentOf(rest[0] ?? "")
  let name = ""
  let section = ""
  for (const full of end < 0 ? rest : rest.slice(0, end)) {
    const line = full.trim().replaceAll(/\{\{[^{}]{0,200}\}\}/g, "$_")
    const indent = indentOf(full)
    const [, key, value = ""] = /^["']?([\w:.*/-]{1,100}?)["']?:(?:\s+(.*))?$/.exec(line) ?? []
    if (indent <= base && key !== undefined) {
      name = key
      section = ""
      add(found, name, value === "" || value.startsWith("{") ? [] : [unquoted(value)])
    } else if (key !== undefined && indent <= base + 4 && !line.startsWith("-")) {
      section = key
      const listed = value.startsWith("[") ? value.slice(1, -1).split(/,\s*/) : key === "cmd" ? [value] : []
      if (key === "cmd" || key === "deps")
        add(
          found,
          name,
          listed.flatMap((one) => stepOf(key, one))
        )
    } else if (name !== "" && (section === "cmds" || section === "deps")) add(found, name, stepOf(section, line))
  }
  return found
}
