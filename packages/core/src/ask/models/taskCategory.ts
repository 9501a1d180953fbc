/** What a task is about, from its files and its words. */
import type { Edit } from "../../session/evidence/Evidence.ts"

type Category = "backend" | "architecture" | "frontend"

const frontendFile = /\.(?:tsx|jsx|vue|svelte|astro|css|scss|sass|less|html?|hbs)$/iu
const backendFile =
  /\.(?:py|go|rs|java|kts?|scala|groovy|cljs?|cs|fs|rb|php|exs?|erl|hs|mli?|sql|proto|c|cc|cpp|h|hpp|zig|lua|r|pl)$/iu
const structureFile =
  /(?:^|\/)(?:adrs?|architecture|rfcs?|design-docs?)(?:\/|\.[a-z]{2,4}$)|\.(?:tf|tfvars|puml|drawio)$|(?:^|\/)(?:docker-compose[^/]{0,40}\.ya?ml|helm\/|k8s\/|kubernetes\/)/iu

const frontendFolder =
  /(?:^|\/)(?:frontend|client|web|ui|components?|pages|views|layouts|styles|public|hooks|storybook)\//iu
const backendFolder =
  /(?:^|\/)(?:backend|servers?|api|db|database|migrations|models|controllers|services|handlers|workers|queues?|repositor(?:y|ies)|routes|middlewares?)\//iu

/** The file's own kind tells more than the folders that it is in. */
const ofPath = (path: string): Category | null => {
  const name = path.slice(-400).replaceAll("\\", "/")
  if (structureFile.test(name)) return "architecture"
  if (frontendFile.test(name)) return "frontend"
  if (backendFile.test(name)) return "backend"
  const [front, back] = [frontendFolder.test(name), backendFolder.test(name)]
  return front === back ? null : front ? "frontend" : "backend"
}

const counted = new Set<Edit["kind"]>(["source", "test", "config", "docs", "unknown"])

/** More than half of what tells anything has to tell the same. */
const most = (found: ReadonlyArray<Category>): Category | null => {
  const categories = ["architecture", "frontend", "backend"] as const
  return categories.find((category) => found.filter((one) => one === category).length * 2 > found.length) ?? null
}

/** By the files that were edited; a file counts once, however often. */
export const categoryOfPaths = (edits: ReadonlyArray<Pick<Edit, "path" | "kind">>): Category | null => {
  const paths = new Set(edits.flatMap(({ kind, path }) => (counted.has(kind) ? [path] : [])))
  return most([...paths].flatMap((path) => ofPath(path) ?? []))
}

const words: Readonly<Record<Category, ReadonlyArray<RegExp>>> = {
  architecture: [
    /(?<![\w./-])(?:architect(?:ure|ural)?|re-?architect\w{0,4}|system design|design doc(?:ument)?|adrs?|micro-?services|monolith|modulari[sz]\w{1,6}|domain model|decouple)(?![\w/-]|\.\w)/giu
  ],
  frontend: [
    /\b(?:front-?end|ui|ux|css|tailwind|styles|styling|stylesheets?|buttons?|modal|dialog|layout|responsive|dark mode)\b/giu,
    /\b(?:components?|react|vue|svelte|angular|next\.?js|page|screen|dropdown|navbar|sidebar|tooltip|animation|accessibility|a11y)\b/giu
  ],
  backend: [
    /\b(?:back-?end|server|api|endpoints?|database|db|sql|postgres\w{0,6}|mysql|sqlite|redis|migrations?|quer(?:y|ies)|orm)\b/giu,
    /\b(?:queue|cron|webhooks?|auth(?:entication|orization)?|jwt|grpc|graphql|middleware|cache|caching)\b/giu
  ]
}

const maxRead = 4000

/** By the words that ask for it: of each kind as many as there are different ones. */
export const categoryOfWords = (text: string): Category | null => {
  const read = text.slice(0, maxRead)
  const kinds = (category: Category) =>
    new Set(words[category].flatMap((pattern) => read.match(pattern)?.map((word) => word.toLowerCase()) ?? [])).size
  if (kinds("architecture") > 0) return "architecture"
  const [front, back] = [kinds("frontend"), kinds("backend")]
  return front === back ? null : front > back ? "frontend" : "backend"
}
