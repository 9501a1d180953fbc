/** The kind of a file decides which checks an edit of the file can affect. */
export type FileKind = "source" | "test" | "docs" | "config" | "script" | "outside"

const extensions: ReadonlyArray<readonly [kind: FileKind, names: string]> = [
  [
    "source",
    "ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi go rs java kt kts scala groovy clj cljs cs fs vb rb php ex exs erl hs " +
      "ml mli swift m mm c h cc cpp cxx hpp hh zig dart lua r jl pl pm sql proto graphql css scss sass less html htm erb hbs ipynb " +
      "sol nim cr elm purs v sv vhd f90"
  ],
  ["docs", "md mdx markdown rst txt adoc asciidoc org tex pdf png jpg jpeg gif svg drawio"],
  [
    "config",
    "json jsonc json5 yaml yml toml ini cfg conf env properties xml plist lock sum mod gradle tf tfvars nix editorconfig csv"
  ],
  ["script", "sh bash zsh fish ps1 bat cmd mk"]
]

const kindOf = new Map(extensions.flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const)))

export const hasKnownEnding = (path: string): boolean => kindOf.has(path.slice(path.lastIndexOf(".") + 1).toLowerCase())

const testFolder = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|integration[-_]tests?|fixtures|testdata)\//i
const testFile =
  /(?:[._-](?:test|spec|tests|specs)\.[a-z0-9]{1,8}$)|(?:^|\/)(?:test_[^/]{1,100}\.py|conftest\.py|[^/]{1,100}Tests?\.(?:java|kt|cs|swift|php))$/i
const temporary = /^(?:\/tmp\/|\/var\/(?:tmp|folders)\/|\/private\/(?:tmp|var)\/|\/dev\/|\$TMPDIR)/
const generated = /(?:^|\/)(?:\.reflection|node_modules|\.git)\/|\.log$/
/** Plans, memories and settings of agents in a home directory. */
const agentHome = /^(?:~|\/(?:Users|home)\/[^/]{1,100}|\/root)\/\.(?:claude|codex|opencode|kilo|config)\//

/** Temporary places and the agents' own folders count as outside the project. */
export const fileKind = (path: string, cwd: string | null = null): FileKind => {
  const isWithin = cwd !== null && cwd !== "" && path.startsWith(cwd.endsWith("/") ? cwd : `${cwd}/`)
  const inside = isWithin ? path.slice(cwd.length) : path.slice(-500).replaceAll("\\", "/")
  if ([temporary, generated, agentHome].some((pattern) => pattern.test(inside))) return "outside"
  const base = inside.slice(inside.lastIndexOf("/") + 1)
  const dot = base.lastIndexOf(".")
  const extension = dot > 0 ? base.slice(dot + 1).toLowerCase() : ""
  const kind = kindOf.get(extension)
  if (testFile.test(inside)) return "test"
  if (kind === "source") return testFolder.test(inside) ? "test" : "source"
  if (kind !== undefined) return kind
  if (/^(?:license|readme|changelog|notice|authors|codeowners)/i.test(base)) return "docs"
  if (/^(?:makefile|justfile|rakefile|taskfile|\.env(?:rc)?(?:\.|$))/i.test(base)) return "config"
  return dot <= 0 ? "config" : "source"
}

const commentLine =
  /^\s{0,200}(?:\/\/|#(?!include|define|undef|pragma|if|else|elif|endif|!?\[)|\*(?:\s|\/|$)|\/\*|<!--|--\s|;;|"""|''')/

const codeOf = (text: string): string =>
  text
    .slice(0, 50_000)
    .split("\n")
    .filter((line) => line.trim() !== "" && !commentLine.test(line.slice(0, 400)))
    .map((line) =>
      withoutStrings(
        line
          .slice(0, 2000)
          .trim()
          .replace(/\s{1,20}(?:\/\/|#)\s.{0,500}$/, "")
      )
    )
    .join("\n")

const query = /^.\s{0,20}(?:select|insert|update|delete|create|alter|drop|with|merge)\s/i

const placeholders = (text: string): string => (text.match(/\$?\{[^}]{0,200}\}/g) ?? []).join("")

/**
 * Removes strings that contain a space: they are text for people. Their placeholders and all other strings stay,
 * because code may depend on them.
 */
const withoutStrings = (line: string): string =>
  line.replaceAll(/"[^"]{0,1000}"|'[^']{0,1000}'|`[^`]{0,1000}`/g, (text) =>
    text.includes(" ") && !query.test(text) ? `"${placeholders(text)}"` : text
  )

const keywords = new Set(
  (
    "return import from export let var const await async yield else if elif unless when while for not class def fn func function pub " +
    "struct type enum interface extends raise throw use using package module case default break continue go defer print puts echo " +
    "sleep end do begin then select insert update delete drop create alter set where and or require include public private " +
    "protected static new val mut #"
  ).split(" ")
)

/** True for several words without code, for example a changed part of a message. */
const isWording = (text: string): boolean => {
  const start = text.slice(0, 2000)
  const phrase = /^\s{0,200}[A-Z][a-z]{1,30} [a-z]/.test(start) || start.trim().split(/\s+/).length > 3
  const first = /^\s{0,200}(#|\w+)/.exec(start)?.[1]?.toLowerCase() ?? ""
  return phrase && !keywords.has(first) && !/[{}[\];=<>|&]|\w\(|\w[._]\w|\s[-+*/%]\s/.test(text.slice(0, 5000))
}

/** Longer edits are not compared. They count as code changes, because few of them change only words. */
const maxCompared = 6000

/** True if the texts before and after an edit differ only in comments, blank lines and the wording of strings. */
export const onlyWording = (before: string | null, after: string | null): boolean =>
  before !== null &&
  after !== null &&
  before !== after &&
  before.length + after.length < maxCompared &&
  ((isWording(before) && (isWording(after) || after.length < before.length) && before.length < 2000) ||
    codeOf(before) === codeOf(after))

export const resolvesConflict = (before: string | null): boolean =>
  before !== null && (before.includes("<<<<<<<") || before.includes(">>>>>>>") || before.includes("\n=======\n"))
