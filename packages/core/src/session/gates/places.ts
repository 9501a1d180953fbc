/** Compares the folder of a run with the folders of the edits. */
import type { Evidence, Run } from "../evidence/Evidence.ts"

const resolved = (path: string, cwd: string): string => {
  const parts: Array<string> = []
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).replace(/^\/private\//, "/").split("/"))
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  return parts.join("/")
}

const holds = (folder: string, path: string): boolean => folder === "" || `${path}/`.startsWith(`${folder}/`)

const edited = ({ edits }: Evidence, but: ReadonlyArray<string>): ReadonlyArray<string> =>
  edits.filter(({ kind }) => !but.includes(kind)).map(({ path }) => path)

/** With these programs, a folder is in a container or on another machine. The project may have any path there. */
const inContainer =
  /\b(?:docker|podman|nerdctl|kubectl|devcontainer|lando|ddev|vagrant|ssh|wsl|chroot|nsenter|distrobox)\b/

/** False if unsure. A path in a variable, in a container or of another system may be any folder. */
export const ranElsewhere = ({ command, folder }: Run, evidence: Evidence, cwd: string | null): boolean => {
  const changed = edited(evidence, ["docs"])
  if (folder === undefined || cwd?.startsWith("/") !== true || changed.length === 0 || changed.includes("*"))
    return false
  if (inContainer.test(command.slice(0, 300)) || /^[$%]|^\w:|\\/.test(folder.slice(0, 400))) return false
  const around = (own: string): boolean =>
    holds(resolved(cwd, cwd), own) || changed.some((path) => holds(own, resolved(path, cwd)))
  if (!folder.startsWith("~")) return !around(resolved(folder, cwd))
  const rest = folder.replace(/^~[^/]{0,60}/, "")
  return rest !== "" && ![cwd, ...changed].some((path) => `${path}/`.includes(`${rest}/`))
}

/** True if the run's folder contains edited code. If no edit or no folder is known, the session's folder counts. */
export const ranAtEdit = ({ folder }: Run, evidence: Evidence, cwd: string | null): boolean => {
  if (folder?.startsWith("~") === true) return false
  if (cwd === null && folder === undefined) return true
  const own = resolved(folder ?? ".", cwd ?? "")
  const changed = edited(evidence, ["docs", "outside"])
  if (changed.length === 0) return own === resolved(".", cwd ?? "")
  return changed.some((path) => path === "*" || holds(own, resolved(path, cwd ?? "")))
}
