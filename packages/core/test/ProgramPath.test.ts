import { assert, describe, it } from "@effect/vitest"
import { ProgramPath } from "@reflexion/core"
import { FastCheck as fc } from "effect"
import * as Path from "node:path"

/** Programs by their paths, each with where it really lies. */
type Disk = Readonly<Record<string, string>>

const looking =
  (disk: Disk, others: Readonly<Record<string, "folder" | "other">> = {}, fold = (path: string) => path) =>
  (path: string): ProgramPath.Seen | null => {
    const program = disk[fold(path)]
    if (program !== undefined) return { is: "program", real: program }
    const is = others[fold(path)]
    return is === undefined ? null : { is, real: path }
  }

const shop = "/home/u/work/shop"

const where = (path: string, more: Partial<ProgramPath.Where> = {}): ProgramPath.Where => ({
  paths: Path.posix,
  directories: [`${shop}/src`, "/home/u/work/shop/src"],
  env: { PATH: path, HOME: "/home/u" },
  ...more
})

const workingCopy = { [`${shop}/.git`]: "folder", [`${shop}/.git/HEAD`]: "other" } as const

const find = (path: string, disk: Disk, more: Partial<ProgramPath.Where> = {}) =>
  ProgramPath.make(where(path, more), looking(disk, workingCopy)).find("git")

const as = (...files: ReadonlyArray<string>): Disk => Object.fromEntries(files.map((file) => [file, file]))

const real = "/usr/bin/git"

describe("a program's name", () => {
  const inside = [
    `${shop}/node_modules/.bin`,
    `${shop}/bin`,
    `${shop}/src/bin`,
    `/usr/bin/../..${shop}/bin`,
    `${shop.toUpperCase()}/bin`,
    "/home/u/work/node_modules/.bin"
  ]

  for (const entry of inside)
    it(`is none of the workspace's: ${entry}`, () => {
      const file = Path.posix.join(entry, "git")
      assert.deepStrictEqual(find(`${entry}:/usr/bin`, as(file, real)), { own: [real], passedOver: [file] })
      assert.deepStrictEqual(find(entry, as(file)), { own: [], passedOver: [file] })
    })

  for (const entry of ["", ".", "node_modules/.bin", "../../bin", "~/bin"])
    it(`is none of a folder that PATH names relatively: ${JSON.stringify(entry)}`, () => {
      const file = Path.posix.join(shop, "src", entry, "git")
      assert.deepStrictEqual(find(`${entry}:/usr/bin`, as(file, real)), { own: [real], passedOver: [file] })
    })

  it("is no link that leads into the workspace, be it a file or a folder", () => {
    const disk = { "/opt/bin/git": `${shop}/tools/git`, [real]: real }
    assert.deepStrictEqual(find("/opt/bin:/usr/bin", disk), { own: [real], passedOver: ["/opt/bin/git"] })
  })

  it("is no link of the workspace's that leads out of it", () => {
    const disk = { [`${shop}/bin/git`]: real }
    assert.deepStrictEqual(find(`${shop}/bin`, disk), { own: [], passedOver: [`${shop}/bin/git`] })
  })

  it("is the user's own where the project is the home directory, but for the packages there", () => {
    const home = { directories: ["/home/u"] }
    const [own, packages] = ["/home/u/bin/git", "/home/u/node_modules/.bin/git"]
    const found = find("/home/u/node_modules/.bin:/home/u/bin", as(own, packages), home)
    assert.deepStrictEqual(found, { own: [own], passedOver: [packages] })
  })

  it("is none of what lies beside the session in its repository, nor in one around that", () => {
    const disk = as("/home/u/work/shop/tools/git", "/home/u/work/tools/git", real)
    const around = { ...workingCopy, "/home/u/work/.git": "other" } as const
    const path = "/home/u/work/tools:/home/u/work/shop/tools:/usr/bin"
    assert.deepStrictEqual(ProgramPath.make(where(path), looking(disk, around)).find("git").own, [real])
    assert.lengthOf(ProgramPath.make(where(path), looking(disk, workingCopy)).find("git").own, 2)
  })

  it("is none of the project that the host or npm was started in", () => {
    for (const name of ["CLAUDE_PROJECT_DIR", "INIT_CWD"]) {
      const env = { PATH: "/srv/app/bin:/usr/bin", HOME: "/home/u", [name]: "/srv/app" }
      assert.deepStrictEqual(find("", as("/srv/app/bin/git", real), { env }).own, [real])
    }
  })

  it("may be a path, which is the user's own or not as it is", () => {
    const programs = ProgramPath.make(where(""), looking(as(real, `${shop}/git`), workingCopy))
    assert.deepStrictEqual(programs.find(real), { own: [real], passedOver: [] })
    assert.deepStrictEqual(programs.find("../git"), { own: [], passedOver: [`${shop}/git`] })
  })

  it("is looked for in the system's folders where there is no PATH at all", () => {
    assert.deepStrictEqual(find("", as(real), { env: {} }).own, [real])
    assert.deepStrictEqual(find("", as(real)).own, [])
  })

  it("has an ending on Windows, and PATH may be written in another way there", () => {
    const disk = as("c:\\work\\shop\\bin\\git.exe", "c:\\work\\shop\\git.com", "c:\\program files\\git\\git.exe")
    const win = (path: string, more = {}): ProgramPath.Found =>
      ProgramPath.make(
        {
          paths: Path.win32,
          directories: ["C:\\Work\\shop"],
          env: { Path: path, PATHEXT: ".COM;.EXE;.JS", USERPROFILE: "C:\\Users\\u", ...more }
        },
        looking(disk, {}, (file) => file.toLowerCase())
      ).find("git")
    const path = 'c:\\work\\SHOP\\bin;.;"C:\\Program Files\\Git"'
    assert.deepStrictEqual(win(path), {
      own: ["C:\\Program Files\\Git\\git.exe"],
      passedOver: ["c:\\work\\SHOP\\bin\\git.exe", "C:\\Work\\shop\\git.com"]
    })
    assert.deepStrictEqual(win(path, { PATHEXT: ".COM" }).own, [])
  })
})

const pathOf = (path: string, disk: Disk = {}) => ProgramPath.make(where(path), looking(disk, workingCopy)).path()

describe("the PATH of what is started", () => {
  it("has what leads out of the workspace, in its order", () => {
    assert.strictEqual(pathOf(`${shop}/bin:/usr/bin::.:bin:/bin:/nowhere`), "/usr/bin:/bin:/nowhere")
  })

  it("has no folder in which a shell, Node or git is a link into the workspace", () => {
    const disk = {
      "/opt/x/node": `${shop}/bin/node`,
      "/opt/y/other": `${shop}/bin/other`,
      "/opt/y/node": "/opt/y/node"
    }
    assert.strictEqual(pathOf("/opt/x:/opt/y", disk), "/opt/y")
  })

  it("is never empty, which would be the folder that a program is started in", () => {
    assert.strictEqual(pathOf(`${shop}/bin::.`), "/dev/null")
    assert.strictEqual(pathOf(""), "/dev/null")
  })
})

describe("whatever PATH and the disk are", () => {
  const folders = [
    "/usr/bin",
    "/home/u/bin",
    "/opt/x",
    shop,
    `${shop}/bin`,
    `${shop}/node_modules/.bin`,
    "/home/u/work/b"
  ]
  const entry = fc.oneof(
    fc.constantFrom(...folders, "", ".", "..", "bin", "./bin", "~", "/", "/usr/bin/"),
    fc.string({ maxLength: 6 })
  )
  const program = fc.tuple(fc.constantFrom(...folders), fc.constantFrom(...folders))

  it("what is found is absolute, there, and by no name the workspace's, and the first of PATH that is so", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), fc.array(program, { maxLength: 6 }), (entries, programs) => {
        const disk = Object.fromEntries(programs.map(([at, to]) => [`${at}/git`, `${to}/git`]))
        const { find, path } = ProgramPath.make(where(entries.join(":")), looking(disk, workingCopy))
        const { own, passedOver } = find("git")
        const isOwn = (file: string): boolean =>
          ![file, disk[file] ?? ""].some((one) => one.startsWith(`${shop}/`)) && disk[file] !== undefined
        for (const file of own) assert.isTrue(isOwn(file), file)
        const wanted = entries
          .flatMap((one) => one.split(":"))
          .filter((one) => one.startsWith("/"))
          .map((one) => Path.posix.join(one, "git"))
          .find(isOwn)
        assert.strictEqual(own[0], wanted)
        assert.isTrue(passedOver.every((file) => disk[file] !== undefined))
        for (const one of path().split(":")) {
          assert.isTrue(one.startsWith("/"), path())
          assert.isFalse(Path.posix.join(one, "x").startsWith(`${shop}/`), path())
        }
      }),
      { numRuns: 2000 }
    )
  })
})
