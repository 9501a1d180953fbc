/** Whether a run was made in another project than the edits: what it showed says nothing of them. */
import type { Evidence, Run } from "../evidence/Evidence.ts"

const resolved = (path: string, cwd: string): string => {
  const parts: Array<string> = []
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).replace(/^\/private\//, "/").split("/"))
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  return parts.join("/")
}

const holds = (folder: string, path: string): boolean => folder === "" || `${path}/`.startsWith(`${folder}/`)

/** In these a folder is that of a container or another machine, where the project may be mounted anywhere. */
const inContainer =
  /\b(?:docker|podman|nerdctl|kubectl|devcontainer|lando|ddev|vagrant|ssh|wsl|chroot|nsenter|distrobox)\b/

/**
 * Neither below the folder in which the session works nor around what was edited, as far as that is known: a path of
 * another system, behind a variable or in a container may be any.
 */
export const ranElsewhere = ({ command, folder }: Run, { edits }: Evidence, cwd: string | null): boolean => {
  if (folder === undefined || cwd === null || !cwd.startsWith("/") || inContainer.test(command.slice(0, 300)))
    return false
  const changed = edits.filter(({ kind }) => kind !== "docs").map(({ path }) => path)
  if (changed.length === 0 || changed.includes("*")) return false
  if (folder.startsWith("~")) {
    const rest = folder.replace(/^~[^/]{0,60}/, "")
    return rest !== "" && ![cwd, ...changed].some((path) => `${path}/`.includes(`${rest}/`))
  }
  if (/^[$%]|^\w:|\\/.test(folder.slice(0, 400))) return false
  const own = resolved(folder, cwd)
  const here = resolved(".", cwd)
  if (holds(here, own)) return false
  return !changed.some((path) => holds(own, resolved(path, cwd)))
}
