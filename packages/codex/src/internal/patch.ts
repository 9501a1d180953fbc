/** Limits the size of patches. For a long patch, only the names of its files are kept. */
import * as Json from "@reflexion/core/internal/base/json/Json"

const maxPatch = 64 * 1024
const maxFiles = 200
const header = /^\*\*\* (?:Add File|Update File|Delete File|Move to): /

export const bounded = (patch: string): string =>
  patch.length <= maxPatch
    ? patch
    : patch
        .split("\n")
        .filter((line) => header.test(line.slice(0, 40)))
        .map((line) => line.slice(0, 500))
        .slice(0, maxFiles)
        .join("\n")

/** The keys of the changes are the paths. */
export const ofChanges = (changes: unknown): string =>
  bounded(
    Object.entries(Json.object(changes))
      .slice(0, maxFiles)
      .map(([path, change]) => ofChange(path, Json.object(change)))
      .join("\n")
  )

const ofChange = (path: string, change: Json.Json): string => {
  const content = Json.text(change["content"])
  switch (change["type"]) {
    case "add":
      return `*** Add File: ${path}\n${prefixed(content, "+")}`
    case "delete":
      return `*** Delete File: ${path}\n${prefixed(content, "-")}`
    default: {
      const moved = Json.string(change["move_path"])
      const to = moved === null ? "" : `\n*** Move to: ${moved}`
      return `*** Update File: ${path}${to}\n${Json.text(change["unified_diff"])}`
    }
  }
}

const prefixed = (content: string, mark: string): string =>
  content === ""
    ? ""
    : content
        .slice(0, maxPatch)
        .split("\n")
        .map((line) => mark + line)
        .join("\n")
