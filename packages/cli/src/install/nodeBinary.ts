/** Chooses the Node binary for a hook's command. It should still exist next month. */
import { real } from "@reflexion/hooks/places/ProjectRoot"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import * as Spawn from "../process/Spawn.ts"

/** The chosen binary. */
export interface NodeBinary {
  readonly path: string
  /** False if the only binary found is in a folder that will disappear. */
  readonly lasting: boolean
}

/**
 * True for paths that disappear soon: of npx, of a version manager's shell session, of a project's dependencies, or in
 * the temporary folder.
 */
const fleeting = (path: string): boolean =>
  ["_npx", "fnm_multishells", "node_modules"].some((name) => path.split(sep).includes(name)) ||
  path.startsWith(real(tmpdir()) + sep)

/**
 * Folders in which package managers keep a link to the current version. The version's own folder disappears with the
 * next upgrade.
 */
const kept = ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/home/linuxbrew/.linuxbrew/bin", "/opt/local/bin"]

const isRecent = (path: string, where: Programs.WorkingPlace): Effect.Effect<boolean> =>
  Spawn.run({
    program: path,
    words: ["--version"],
    cwd: "/",
    env: Programs.environment(where),
    stdin: "",
    timeout: 5000
  }).pipe(
    Effect.map(({ out }) => {
      const [, major, minor] = /^v(\d{1,4})\.(\d{1,4})\./u.exec(out) ?? []
      return Number(major) > 20 || (Number(major) === 20 && Number(minor) >= 19)
    })
  )

/**
 * Returns the running binary under its most lasting name. If it has none or belongs to the project, returns another
 * recent enough one from the PATH.
 */
export const find = (running: string, where: Programs.WorkingPlace): Effect.Effect<NodeBinary> => {
  const own = real(running)
  const programs = Programs.make(where)
  const usual = kept.map((folder) => join(folder, "node")).filter(Programs.isProgram)
  if (!fleeting(own) && programs.isOwn(own)) {
    return Effect.succeed({ path: usual.find((path) => real(path) === own) ?? own, lasting: true })
  }
  const others = [...programs.find("node").own, ...usual.filter(programs.isOwn)]
  const candidates = others.filter((path) => !fleeting(path) && !fleeting(real(path)))
  return Effect.findFirst(candidates, (path) => isRecent(path, where)).pipe(
    Effect.map((found) =>
      Option.match(found, {
        onNone: () => ({ path: own, lasting: false }),
        onSome: (path) => ({ path, lasting: true })
      })
    )
  )
}
