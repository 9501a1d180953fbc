/** Which clone a work tree belongs to, for real clones of git's and for workspaces that pretend. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import * as MemoryPlace from "../src/memory/MemoryPlace.ts"
import * as Worktree from "../src/places/Worktree.ts"
import * as Clones from "./support/clones.ts"

const inFolder = (title: string, work: (folder: string) => void) =>
  it.scoped(title, () => Effect.map(Clones.place, work))

describe("a linked work tree", () => {
  inFolder("belongs to the clone next to its main work tree, also by a relative link", (folder) => {
    const main = Clones.clone(folder)
    const feat = Clones.worktree(main, join(folder, "feat"))
    const inside = Clones.worktree(main, join(main, ".claude", "worktrees", "fix"), "fix")
    const clone = { common: join(main, ".git"), main }
    assert.deepStrictEqual([feat, inside, main, folder].map(Worktree.cloneOf), [clone, clone, null, null])
    for (const one of [feat, inside, main]) assert.strictEqual(MemoryPlace.of(one).root, main, "one memory for all")
    writeFileSync(join(feat, ".git"), "gitdir: ../shop/.git/worktrees/feat\n")
    writeFileSync(join(main, ".git", "worktrees", "feat", "gitdir"), "../../../../feat/.git\n")
    assert.strictEqual(Clones.git(feat, "rev-parse", "--show-toplevel").trim(), feat)
    assert.deepStrictEqual(Worktree.cloneOf(feat), clone)
  })

  inFolder("of a bare clone belongs to that clone, or to the folder that names it", (folder) => {
    const from = Clones.clone(folder)
    const [bare, around] = [join(folder, "shop.git"), join(folder, "around")]
    Clones.git(folder, "clone", "--quiet", "--bare", from, "shop.git")
    const own = { common: bare, main: null }
    assert.deepStrictEqual(Worktree.cloneOf(Clones.worktree(bare, join(folder, "a"), "a")), own)
    assert.deepStrictEqual(Worktree.cloneOf(bare), own)
    mkdirSync(around)
    Clones.git(around, "clone", "--quiet", "--bare", from, ".bare")
    writeFileSync(join(around, ".git"), "gitdir: ./.bare\n")
    const named = { common: join(around, ".bare"), main: around }
    assert.deepStrictEqual(Worktree.cloneOf(Clones.worktree(around, join(around, "b"), "b")), named)
    assert.isNull(Worktree.cloneOf(around))
  })

  inFolder("of a submodule belongs to git's own folder of the submodule", (folder) => {
    const [outer, from] = [Clones.clone(folder, "outer"), Clones.clone(folder)]
    Clones.git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", from, "shop")
    const main = join(outer, "shop")
    const common = join(outer, ".git", "modules", "shop")
    assert.deepStrictEqual(Worktree.cloneOf(Clones.worktree(main, join(folder, "feat"))), { common, main: null })
    assert.isNull(Worktree.cloneOf(main))
  })
})

/** A linked work tree, and the clone's own folder for it. */
const both = (folder: string): readonly [feat: string, admin: string] => {
  const feat = Clones.worktree(Clones.clone(folder), join(folder, "feat"))
  return [feat, join(folder, "shop", ".git", "worktrees", "feat")]
}

describe("a `.git` file that a workspace brings", () => {
  inFolder("is not followed to a surrounding folder that is not a clone of git's", (folder) => {
    const worktrees = join(folder, "around", "worktrees")
    const [inside, above] = [join(worktrees, "brought"), join(folder, "shop", "worktrees")]
    for (const [root, admin] of [
      [inside, inside],
      [above, join(above, "admin")]
    ] as const) {
      mkdirSync(admin, { recursive: true })
      writeFileSync(join(root, ".git"), `gitdir: ${admin}\n`)
      writeFileSync(join(admin, "commondir"), "../..\n")
      writeFileSync(join(admin, "gitdir"), `${join(root, ".git")}\n`)
      assert.isNull(Worktree.cloneOf(root))
    }
  })

  inFolder("is not followed if the clone names another work tree, or through links", (folder) => {
    const [feat, admin] = both(folder)
    const [other, linked] = [join(folder, "other"), join(folder, "linked")]
    for (const one of [other, linked]) mkdirSync(one)
    cpSync(join(feat, ".git"), join(other, ".git"))
    symlinkSync(join(feat, ".git"), join(linked, ".git"))
    assert.deepStrictEqual([other, linked].map(Worktree.cloneOf), [null, null])
    symlinkSync(dirname(admin), join(other, "worktrees"))
    writeFileSync(join(other, ".git"), `gitdir: worktrees/${basename(admin)}\n`)
    assert.isNull(Worktree.cloneOf(other))
    assert.isNotNull(Worktree.cloneOf(feat))
  })

  inFolder("is not followed if the workspace also brings the folder that names it", (folder) => {
    const [, admin] = both(folder)
    const other = join(folder, "other")
    const brought = join(other, "git", "worktrees", "feat")
    mkdirSync(dirname(brought), { recursive: true })
    cpSync(admin, brought, { recursive: true })
    writeFileSync(join(other, ".git"), `gitdir: ${brought}\n`)
    writeFileSync(join(brought, "gitdir"), `${join(other, ".git")}\n`)
    // Names the user's clone, which does not know the work tree.
    writeFileSync(join(brought, "commondir"), `${dirname(dirname(admin))}\n`)
    assert.isNull(Worktree.cloneOf(other))
  })

  inFolder("does not name a main work tree that does not know the clone", (folder) => {
    const home = Clones.clone(folder, "home")
    Clones.git(folder, "clone", "--quiet", "--bare", home, "shop.git")
    const bare = join(folder, "shop.git")
    const feat = Clones.worktree(bare, join(folder, "feat"))
    writeFileSync(join(bare, "config"), `[core]\n\tbare = false\n\tworktree = ${home}\n`)
    assert.deepStrictEqual(Worktree.cloneOf(feat), { common: bare, main: null })
  })

  inFolder("that is damaged, or leads to nothing or to itself, names no clone", (folder) => {
    const [feat, admin] = both(folder)
    const kept = readFileSync(join(feat, ".git"))
    for (const text of ["", "gitdir: ", "gitdir: /nothing/here\n", "gitdir: .git\n", "\0"]) {
      writeFileSync(join(feat, ".git"), text)
      assert.isNull(Worktree.cloneOf(feat))
    }
    writeFileSync(join(feat, ".git"), kept)
    renameSync(join(admin, "gitdir"), join(admin, "gone"))
    assert.isNull(Worktree.cloneOf(feat))
    const loop = join(folder, "loop")
    mkdirSync(loop)
    symlinkSync(".git", join(loop, ".git"))
    assert.isNull(Worktree.cloneOf(loop))
  })
})
