/** Finds phrases that are hard to read and vague names of types. Part of `npm run check`. */
import * as fs from "node:fs"
import * as path from "node:path"

const root = path.dirname(import.meta.dirname)
const words =
  "whoever|whomever|of which|by which|by whose|to whom|anew|be it|(?:is|are) none of|in (?:the )?place of|mend(?:s|ed|ing)?|" +
  "beside(?=[ \\n][*\\w])|thereof|wherein|hitherto"
/** A phrase may continue in the next line of a comment. */
const turns = new RegExp(`\\b(?:${words.replaceAll(" ", "(?:\\s|\\s\\*|//)+")})\\b`, "gi")
const vague =
  /^export (?:interface|type|class) (?:Found|Given|Said|Seen|Asked|Known|Told|Decided|Judged|Settled|Reviewed|Assessed|Answered|Ran|Held|Kept|Loaded|Ended|Own|Where|Before)\b/gm

/** Left out: the prompt was measured word by word, and a recorded session stays as it is. */
const unread = /\/model\/assessment\/instruction\.ts$|\/src\/scenarios\/|\/words\.mjs$|\/(?:node_modules|dist)\//

const below = (folder, ending) =>
  fs.existsSync(path.join(root, folder))
    ? fs
        .readdirSync(path.join(root, folder), { recursive: true })
        .filter((name) => ending.test(name))
        .map((name) => `${folder}/${name.replaceAll(path.sep, "/")}`)
    : []

const packages = [...fs.readdirSync(path.join(root, "packages")).map((name) => `packages/${name}`), "evals"]
const sources = [...packages.flatMap((name) => below(`${name}/src`, /\.ts$/)), ...below("scripts", /\.mjs$/)]
const tests = packages.flatMap((name) =>
  ["test", "test-hosts", "test-report"].flatMap((one) => below(`${name}/${one}`, /\.ts$/))
)
const pages = [
  ...below("docs", /\.md$/),
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...packages.map((name) => `${name}/README.md`)
].filter((name) => fs.existsSync(path.join(root, name)))

/** A session in a test may use any words, so only comments and titles of tests are read. */
const spoken = (text) => text.replaceAll(/^(?!\s*(?:\/?\*|\/\/|(?:it|describe|test)\b)).*$/gm, "")

const problems = [...sources, ...tests, ...pages]
  .filter((file) => !unread.test(file))
  .flatMap((file) => {
    const text = fs.readFileSync(path.join(root, file), "utf8")
    const found = [...(tests.includes(file) ? spoken(text) : text).matchAll(turns), ...text.matchAll(vague)]
    return found.map(({ 0: word, index }) => `${file}:${text.slice(0, index).split("\n").length}: "${word}"`)
  })

if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n${problems.length} words to replace: CONTRIBUTING.md, "Words"\n`)
  process.exitCode = 1
}
