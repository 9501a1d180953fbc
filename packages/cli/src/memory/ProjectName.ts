/** The name that all machines give a project: the address of git's remote `origin`. */
import { redact } from "@reflexion/core/internal/base/redaction/Redaction"
import * as QuietGit from "@reflexion/core/internal/base/system/QuietGit"
import * as Effect from "effect/Effect"

/** `git@github.com:shop/cart.git` and `https://key@github.com/shop/cart` are `github.com/shop/cart`. */
const nameOf = (remote: string): string =>
  remote
    .trim()
    .replace(/^[a-z+]+:\/\//iu, "")
    .replace(/^[^/]*@/u, "")
    .replace(/^([^/:]+):(?:\d+\/)?/u, "$1/")
    .replace(/(?:\.git)?\/*$/u, "")

const longest = 200

/** Null if no name can be used. The remote is not contacted, and only its first address is read. */
export const of = Effect.fnUntraced(function* (directory: string, given: string | null = null) {
  const git = given === null ? yield* QuietGit.open(directory, []) : null
  const bytes =
    git === null ? null : yield* QuietGit.ask(git, ["config", "--get", "remote.origin.url"], { directory, limit: 4096 })
  const name = given ?? nameOf(bytes === null ? "" : QuietGit.text(bytes))
  return name !== "" && name.length <= longest && redact(name) === name ? name : null
})
