/** Tolerant readers of recipe files: what they cannot read, they leave out. */

type Recipes = Record<string, string>

const maxLines = 5_000
const maxLine = 2_000
const maxRecipes = 500
const maxExpanded = 4_000

const linesOf = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n", maxLines).map((line) => line.slice(0, maxLine).replace(/\r$/, ""))
  const joined: Array<string> = []
  let open = ""
  for (const line of lines) {
    const whole = open === "" ? line : `${open}${line.trimStart()}`
    const continues = whole.endsWith("\\") && whole.length < maxLine
    if (continues) open = `${whole.slice(0, -1)} `
    else {
      joined.push(whole)
      open = ""
    }
  }
  if (open !== "") joined.push(open)
  return joined
}

const closing = (text: string, from: number): number => {
  let depth = 0
  for (let index = from; index < text.length; index += 1) {
    const char = text[index]
    if (char === "(" || char === "{") depth += 1
    else if (char === ")" || char === "}") {
      depth -= 1
      if (depth === 0) return index
    }
  }
  return -1
}

/** Make's variables as values where they are plain, as a shell variable that nothing sets where they are not. */
const expandMake = (text: string, variables: ReadonlyMap<string, string>, depth: number): string => {
  let out = ""
  for (let index = 0; index < text.length && out.length < maxExpanded; index += 1) {
    const char = text[index]
    const next = text[index + 1]
    if (char !== "$" || next === undefined) {
      out += char
    } else if (next === "$") {
      out += "$"
      index += 1
    } else if (next === "(" || next === "{") {
      const end = closing(text, index + 1)
      if (end < 0) return `${out}$_`
      const value = variables.get(text.slice(index + 2, end))
      out += value === undefined || depth > 4 ? "$_" : expandMake(value, variables, depth + 1)
      index = end
    } else {
      out += "$_"
      index += 1
    }
  }
  return out
}

interface MakeRule {
  readonly names: ReadonlyArray<string>
  readonly needs: ReadonlyArray<string>
  readonly lines: Array<string>
}

const makeVariable =
  /^(?:export\s{1,8}|override\s{1,8})?([A-Za-z_][\w.-]{0,80})\s{0,8}(?:::?:?|\?|\+|!)?=\s{0,8}(.{0,1500})$/
const makeRule = /^([^\t#=:][^#=:]{0,400}|[^\t#=:]):{1,2}(?!=)([^=]{0,1500})$/

const words = (text: string): ReadonlyArray<string> => text.split(/\s/).filter((word) => word !== "")

const stripComment = (line: string): string => {
  const at = line.indexOf(" #")
  return at < 0 ? line : line.slice(0, at)
}

const ruleOf = (line: string): MakeRule | null => {
  const match = makeRule.exec(stripComment(line))
  if (match?.[1] === undefined || match[2] === undefined) return null
  const [needs = "", inline] = match[2].split(";", 2)
  return {
    names: words(match[1]),
    needs: words(needs).filter((word) => word !== "|" && /^[\w./-]{1,100}$/.test(word)),
    lines: inline === undefined ? [] : [inline.trim()]
  }
}

/** Targets of a Makefile; the one that `make` alone builds is under the empty name. */
export const readMakefile = (text: string): Recipes => {
  const variables = new Map<string, string>([["MAKE", "make"]])
  const rules: Array<MakeRule> = []
  let current: MakeRule | null = null
  let goal: string | null = null
  for (const line of linesOf(text)) {
    if (line.startsWith("\t")) {
      if (current !== null && line.trim() !== "" && current.lines.length < 100) current.lines.push(line.trim())
      continue
    }
    const variable = makeVariable.exec(stripComment(line))
    if (variable?.[1] !== undefined) {
      if (variable[1] === ".DEFAULT_GOAL") goal = (variable[2] ?? "").trim()
      else if (!variables.has(variable[1]) || !line.includes("?="))
        variables.set(variable[1], (variable[2] ?? "").trim())
      current = null
      continue
    }
    if (line.startsWith(".DEFAULT_GOAL")) goal = line.slice(line.indexOf("=") + 1).trim()
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue
    const rule = ruleOf(line)
    if (rule !== null && rules.length < maxRecipes) rules.push(rule)
    current = rule
  }
  return fromRules(rules, variables, goal)
}

const isPlain = (name: string) => !name.startsWith(".") && !name.includes("%") && !name.includes("$")

const fromRules = (
  rules: ReadonlyArray<MakeRule>,
  variables: ReadonlyMap<string, string>,
  goal: string | null
): Recipes => {
  const names = new Set(rules.flatMap((rule) => rule.names.filter(isPlain)))
  const found: Recipes = {}
  for (const rule of rules) {
    const lines = [
      ...rule.needs.filter((need) => names.has(need)).map((need) => `make ${need}`),
      ...rule.lines.map((line) => expandMake(line, variables, 0))
    ]
    for (const name of rule.names.filter(isPlain)) set(found, name, lines)
  }
  const first = goal !== null && names.has(goal) ? goal : [...names][0]
  if (first !== undefined) set(found, "", [`make ${first}`])
  return found
}

const set = (into: Recipes, name: string, lines: ReadonlyArray<string>): void => {
  if (name === "__proto__") return
  const before = Object.hasOwn(into, name) ? into[name] : undefined
  into[name] = [...(before === undefined || before === "" ? [] : [before]), ...lines].join("\n")
}

const justRecipe = /^@?([A-Za-z_][\w-]{0,80})(\s[^:]{0,400})?:(?!=)(.{0,400})$/
const justVariable = /^(?:export\s{1,4})?([A-Za-z_][\w-]{0,80})\s{0,8}:=\s{0,8}(?:"([^"]{0,500})"|'([^']{0,500})')/
const justAlias = /^alias\s{1,8}([\w-]{1,80})\s{0,8}:=\s{0,8}([\w-]{1,80})/

const justNames = (part: string) =>
  [...part.slice(0, 400).matchAll(/\(([\w-]{1,80})[^)]{0,200}\)|([A-Za-z_][\w-]{0,80})/g)].map(
    (match) => `just ${match[1] ?? match[2] ?? ""}`
  )

const justNeeds = (text: string): readonly [ReadonlyArray<string>, ReadonlyArray<string>] => {
  const [before = "", after = ""] = stripComment(text).split("&&", 2)
  return [justNames(before), justNames(after)]
}

/** Recipes of a justfile; the one that `just` alone runs is under the empty name. */
export const readJustfile = (text: string): Recipes => {
  const found: Recipes = {}
  const variables = new Map<string, string>()
  const value = (name: string) => variables.get(name) ?? "$_"
  const fill = (line: string) =>
    line.replace(/\{\{\s{0,8}([^{}]{0,200}?)\s{0,8}\}\}/g, (_, name: string) => value(name))
  let body: Array<string> = []
  let close: (() => void) | null = null
  let first: string | null = null
  for (const line of linesOf(text)) {
    if (/^[ \t]/.test(line)) {
      if (line.trim() !== "" && body.length < 200) body.push(line.trim())
      continue
    }
    if (line.trim() === "" || line.startsWith("#") || line.startsWith("[")) continue
    close?.()
    close = null
    body = []
    const variable = justVariable.exec(line)
    const alias = justAlias.exec(line)
    if (variable?.[1] !== undefined) variables.set(variable[1], variable[2] ?? variable[3] ?? "")
    if (alias?.[1] !== undefined) set(found, alias[1], [`just ${alias[2] ?? ""}`])
    const recipe = justRecipe.exec(line)
    const name = recipe?.[1]
    if (name === undefined || variable !== null || alias !== null || name === "set") continue
    first ??= name
    const [before, after] = justNeeds(recipe?.[3] ?? "")
    const lines = body
    close = () => set(found, name, [...before, ...lines.map(fill), ...after])
  }
  close?.()
  if (first !== null) set(found, "", [`just ${Object.hasOwn(found, "default") ? "default" : first}`])
  return found
}

const indentOf = (line: string): number => line.length - line.trimStart().length

const unquote = (text: string): string => {
  const trimmed = text.trim()
  const quote = trimmed[0]
  return (quote === '"' || quote === "'") && trimmed.length > 1 && trimmed.endsWith(quote)
    ? trimmed.slice(1, -1)
    : trimmed
}

const taskKey = /^(?:-\s{1,4})?(["']?)([\w:.*/-]{1,100})\1:(?:\s{1,8}(.{0,1500}))?$/

const commandOf = (text: string): string | null => {
  const match = taskKey.exec(text)
  if (match?.[2] === "task") return `task ${unquote(match[3] ?? "")}`
  if (match?.[2] === "cmd") return unquote(match[3] ?? "")
  if (match !== null && text.startsWith("- ") && match[3] === undefined) return null
  return text.startsWith("- ") ? unquote(text.slice(2)) : null
}

/** Tasks of a Taskfile: its commands, dependencies and calls of other tasks. */
export const readTaskfile = (text: string): Recipes => {
  const found: Recipes = {}
  let inTasks = false
  let base = -1
  let name: string | null = null
  let section = ""
  let block = -1
  for (const line of text.split("\n", maxLines).map((one) => one.slice(0, maxLine).replace(/\r$/, ""))) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue
    const indent = indentOf(line)
    if (indent === 0) {
      inTasks = line.startsWith("tasks:")
      base = -1
      continue
    }
    if (!inTasks) continue
    if (base < 0) base = indent
    const rest = line.trim().replaceAll(/\{\{[^{}]{0,200}\}\}/g, "$_")
    const key = taskKey.exec(rest)
    if (indent === base) {
      name = key?.[2] ?? null
      section = ""
      block = -1
      const inline = key?.[3]
      if (name !== null)
        set(found, name, inline === undefined || inline === "" || inline.startsWith("{") ? [] : [unquote(inline)])
      continue
    }
    if (name === null) continue
    if (block >= 0 && indent > block) {
      set(found, name, [rest])
      continue
    }
    block = -1
    if (key?.[2] !== undefined && !rest.startsWith("-") && indent <= base + 4) {
      section = key[2]
      const inline = key[3] ?? ""
      if (section === "deps" && inline.startsWith("[")) {
        set(
          found,
          name,
          inline
            .slice(1)
            .split(/[\],]/)
            .flatMap((dep) => (dep.trim() === "" ? [] : [`task ${unquote(dep)}`]))
        )
      } else if (section === "cmd" && inline !== "") set(found, name, [unquote(inline)])
      continue
    }
    if (section === "deps" && rest.startsWith("- ")) {
      const dep = commandOf(rest)
      if (dep !== null) set(found, name, [dep.startsWith("task ") ? dep : `task ${dep}`])
    } else if (section === "cmds") {
      if (/^-\s{1,4}(?:cmd:\s{1,4})?[|>][+-]?$/.test(rest)) block = indent
      else {
        const command = commandOf(rest)
        if (command !== null) set(found, name, [command])
      }
    }
  }
  return found
}
