/** How far what nobody here understands can have gone, by the words that it is shown by. */

/**
 * `server`: one of the project's, which shows nothing to anybody by itself; `printing`: code in the command that only computes
 * and prints; `local`: it may have run anything here, and says nothing of a forge or a release; `any`: it may have done that too.
 */
export type Reach = "any" | "local" | "server" | "printing"

const far: ReadonlyArray<Reach> = ["printing", "server", "local", "any"]

const server =
  /^`(?:cd \S{1,200} && )?(?:(?:npm|pnpm|yarn|bun)(?: run)? (?:dev|start|serve|preview|storybook)\b|(?:npx )?(?:vite|next dev|astro dev|nuxt dev|http-server|serve)\b|python3? -m http\.server|(?:python3? )?manage\.py runserver|(?:bin\/)?rails s|php (?:-S|artisan serve)|flask run|uvicorn|hugo server|mix phx\.server)/

const inline =
  /^(?:node|deno|bun|python\d?(?:\.\d{1,2})?|ruby|perl|php)(?: -\S{1,30}){0,3} (?:-e|-c|-p|-pe|-r|eval|--eval|--print)\b/

const acts =
  /write|append|exec|spawn|system|popen|unlink|rename|mkdir|copy|shutil|\bos\.|\bfs\b|\bFile\b|\bopen\(|\btests?\b|\bspecs?\b|runpy|\bmain\(/i

/** Words of a forge, a pipeline or a release, and of what runs whatever it is told. */
const beyond =
  /(?:^|[^a-z])(?:git\w{0,3}|gh|glab|hub|pr|pull|merge|ci|pipeline|jenkins|workflow|release|publish|deploy\w{0,4}|ship|land|submit|sync|ssh|push|commit|run|exec\w{0,3}|shell|bash|terminal|command|https?|fetch|curl|request\w?|subprocess|spawn|system|agent|subagent)(?:[^a-z]|$)/i

/** Code in a command that only prints has changed nothing, and run no check. */
export const isPrinting = (text: string): boolean => inline.test(text) && !acts.test(text) && text.length < 300

const bare = (what: string): string => /^`(.*)`$/.exec(what)?.[1] ?? what

/** `what` as a possible run shows it: a command between backticks, or words. */
export const reachOf = (what: string): Reach => {
  if (server.test(what)) return "server"
  const text = bare(what)
  if (text.endsWith("…") || beyond.test(text)) return "any"
  return isPrinting(text) ? "printing" : "local"
}

/** Of what one call ran, what went farthest, and the last of that. */
export const farthest = (all: ReadonlyArray<string>): string =>
  all.reduce((most, one) => (most === "" || far.indexOf(reachOf(one)) >= far.indexOf(reachOf(most)) ? one : most), "")
