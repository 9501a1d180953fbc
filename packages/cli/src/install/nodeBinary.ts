/** Chooses the Node binary for a hook's command. It should still exist next month. */
import { real } from "@reflexion/hooks/places/ProjectRoot"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import * as Spawn from "../process/Spawn.ts"

export interface NodeBinary {
  readonly path: string
  /** False if every binary found is in a folder that may disappear. */
  readonly lasting: boolean
}

/** True for a path that disappears soon, for example a path of npx or of one fnm shell. */
const fleeting = (path: string): boolean =>
  ["_npx", "fnm_multishells", "node_modules"].some((name) => path.split(sep).includes(name)) ||
  path.startsWith(real(tmpdir()) + sep)

/** Package managers keep a link in these folders. It stays when a version's own folder is removed. */
const kept = ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/home/linuxbrew/.linuxbrew/bin", "/opt/local/bin"]

const isRecent = (program: string, where: Programs.WorkingPlace): Effect.Effect<boolean> => {
  const env = Programs.environment(where)
  const ran = Spawn.run({ program, words: ["--version"], cwd: "/", env, stdin: "", timeout: 5000 })
  return Effect.map(ran, ({ out }) => {
    const [, major, minor] = /^v(\d{1,4})\.(\d{1,4})\./u.exec(out) ?? []
    return Number(major) > 20 || (Number(major) === 20 && Number(minor) >= 19)
  })
}

/** The running binary by its most stable path. If it has none, a recent binary that has a stable path. */
export const find = Effect.fnUntraced(function* (running: string, where: Programs.WorkingPlace) {
  const own = real(running)
  const programs = Programs.make(where)
  const usual = kept.map((folder) => join(folder, "node")).filter(Programs.isProgram)
  if (!fleeting(own) && programs.isOwn(own))
    return { path: usual.find((path) => real(path) === own) ?? own, lasting: true } satisfies NodeBinary
  const others = [...programs.find("node").own, ...usual.filter(programs.isOwn)]
  const candidates = others.filter((path) => !fleeting(path) && !fleeting(real(path)))
  const found = yield* Effect.findFirst(candidates, (path) => isRecent(path, where))
  return { path: Option.getOrElse(found, () => own), lasting: Option.isSome(found) } satisfies NodeBinary
})
