/** Returns commands as the agent wrote them, without the login shell that the host adds. */
import * as Json from "@reflexion/core/internal/base/json/Json"

const maxCommand = 64 * 1024

/** A list of words if the command does not run in a shell. */
export const commandOf = (command: unknown): string | ReadonlyArray<unknown> => {
  if (typeof command === "string") return Json.clip(unwrapped(command), maxCommand)
  const words = Json.list(command).slice(0, 1000)
  const script = Json.string(words[2])
  const isScript = script !== null && words.length === 3 && isShell(words[0]) && isCommandFlag(words[1])
  return isScript
    ? Json.clip(script, maxCommand)
    : words.map((word) => (typeof word === "string" ? Json.clip(word, 2048) : null))
}

const isShell = (word: unknown): boolean =>
  typeof word === "string" && /^(?:\/[\w./-]{1,200}\/)?(?:ba|z|da|k|fi)?sh$/.test(word.slice(0, 220))

const isCommandFlag = (word: unknown): boolean => typeof word === "string" && /^-[a-z]{0,4}c$/.test(word.slice(0, 8))

const wrapper = /^((?:\/[\w./-]{1,200}\/)?(?:ba|z|da|k|fi)?sh) (-[a-z]{0,4}c) /

/** Takes the script out of `bash -lc '…'`. Any other command does not change. */
const unwrapped = (command: string): string => {
  const found = wrapper.exec(command.slice(0, 300))
  return found === null ? command : (unquoted(command.slice(found[0].length)) ?? command)
}

/** Null if there are several words or an expansion. */
const unquoted = (word: string): string | null => {
  let out = ""
  let quote = ""
  for (let at = 0; at < word.length; at++) {
    const char = word.charAt(at)
    if (quote === "'") {
      if (char === "'") quote = ""
      else out += char
    } else if (char === "\\" && (quote === "" || '"\\$`'.includes(word.charAt(at + 1)))) {
      out += word.charAt(++at)
    } else if (quote === '"') {
      if (char === '"') quote = ""
      else if (char === "$" || char === "`") return null
      else out += char
    } else if (char === "'" || char === '"') quote = char
    else if (/[\s$`;&|<>()]/.test(char)) return null
    else out += char
  }
  return quote === "" ? out : null
}

/** Newer versions write the directory as a URL. */
export const directory = (value: unknown): string | null => {
  const path = Json.string(value)
  return path === null ? null : path.startsWith("file://") ? path.slice("file://".length) : path
}
