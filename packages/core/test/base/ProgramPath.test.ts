import { assert, describe, it } from "@effect/vitest"
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Path from "node:path"

type Disk = Readonly<Record<string, string>>

const looking = (
  disk: Disk,
  others: Readonly<Record<string, "folder" | "other">> = {},
  fold = (path: string) => path
): ProgramPath.Disk => ({
  look: (path) => {
    const program = disk[fold(path)]
    if (program !== undefined) return { is: "program", real: program }
    const isFolder = Object.keys(disk).some((file) => Path.posix.dirname(file) === fold(path))
    const is = others[fold(path)] ?? (isFolder ? "folder" : undefined)
    return is === undefined ? null : { is, real: path }
  },
  link: () => null
})

const shop = "/home/u/code/shop"

const where = (path: string, more: Partial<ProgramPath.SearchScope> = {}): ProgramPath.SearchScope => ({
  paths: Path.posix,
  directories: [`${shop}/src`, "/home/u/code/shop/src"],
  env: { PATH: path, HOME: "/home/u" },
  ...more
})

const workingCopy = { [`${shop}/.git`]: "folder", [`${shop}/.git/HEAD`]: "other" } as const

const find = (path: string, disk: Disk, more: Partial<ProgramPath.SearchScope> = {}) =>
  ProgramPath.make(where(path, more), looking(disk, workingCopy)).find("git")

const as = (...files: ReadonlyArray<string>): Disk => Object.fromEntries(files.map((file) => [file, file]))

const real = "/usr/bin/git"

const inside = (entry: string) => {
  const file = Path.posix.isAbsolute(entry) ? Path.posix.join(entry, "git") : Path.posix.join(shop, "src", entry, "git")
  return [JSON.stringify(entry), `${entry}:/usr/bin`, as(file, real), real, file] as const
}

/** Which git is found, row by row: what PATH names in order, where programs lie, which is run and which is passed over. */
const rows: ReadonlyArray<readonly [is: string, path: string, disk: Disk, own: string, over: string]> = [
  ...["/node_modules/.bin", "/bin", "/src/bin", "/../shop/bin"].map((at) => inside(`${shop}${at}`)),
  ...[`/usr/bin/../..${shop}/bin`, `${shop.toUpperCase()}/bin`, "/home/u/code/node_modules/.bin"].map(inside),
  ...["", ".", "node_modules/.bin", "../../bin", "~/bin"].map(inside),
  ["no link into it", "/opt/bin:/usr/bin", { "/opt/bin/git": `${shop}/a/git`, ...as(real) }, real, "/opt/bin/git"],
  ["no link out of it", `${shop}/bin`, { [`${shop}/bin/git`]: real }, "", `${shop}/bin/git`]
]

describe("finding a program", () => {
  it.each(rows)(
    "programs in the workspace or in a relative folder of PATH are passed over: %s",
    (_, path, disk, own, over) => {
      assert.deepStrictEqual(find(path, disk), { own: own === "" ? [] : [own], passedOver: [over] })
    }
  )

  it("if the project is the home directory, its programs are the user's, except in node_modules", () => {
    const [own, packages] = ["/home/u/bin/git", "/home/u/node_modules/.bin/git"]
    const found = find("/home/u/node_modules/.bin:/home/u/bin", as(own, packages), { directories: ["/home/u"] })
    assert.deepStrictEqual(found, { own: [own], passedOver: [packages] })
  })

  it("programs elsewhere in the session's repository, or in an enclosing one, are not the user's", () => {
    const disk = as("/home/u/code/shop/tools/git", "/home/u/code/tools/git", real)
    const around = { ...workingCopy, "/home/u/code/.git": "other" } as const
    const path = "/home/u/code/tools:/home/u/code/shop/tools:/usr/bin"
    assert.deepStrictEqual(ProgramPath.make(where(path), looking(disk, around)).find("git").own, [real])
    assert.lengthOf(ProgramPath.make(where(path), looking(disk, workingCopy)).find("git").own, 2)
  })

  it("programs in the project that the host or npm started in are not the user's", () => {
    for (const name of ["CLAUDE_PROJECT_DIR", "INIT_CWD"]) {
      const env = { PATH: "/srv/app/bin:/usr/bin", HOME: "/home/u", [name]: "/srv/app" }
      assert.deepStrictEqual(find("", as("/srv/app/bin/git", real), { env }).own, [real])
    }
  })

  it("a program given as a path: the user's own outside the project, passed over inside", () => {
    const programs = ProgramPath.make(where(""), looking(as(real, `${shop}/git`), workingCopy))
    assert.deepStrictEqual(programs.find(real), { own: [real], passedOver: [] })
    assert.deepStrictEqual(programs.find("../git"), { own: [], passedOver: [`${shop}/git`] })
  })

  it("on Windows: endings from PATHEXT, the variable `Path`, quoted folders, names in any case", () => {
    const disk = as("c:\\work\\shop\\bin\\git.exe", "c:\\work\\shop\\git.com", "c:\\program files\\git\\git.exe")
    const win = (PATHEXT: string) => {
      const env = { Path: 'c:\\work\\SHOP\\bin;.;"C:\\Program Files\\Git"', PATHEXT, USERPROFILE: "C:\\Users\\u" }
      const scope = { paths: Path.win32, directories: ["C:\\Work\\shop"], env }
      return ProgramPath.make(
        scope,
        looking(disk, {}, (file) => file.toLowerCase())
      ).find("git")
    }
    assert.deepStrictEqual(win(".COM;.EXE;.JS"), {
      own: ["C:\\Program Files\\Git\\git.exe"],
      passedOver: ["c:\\work\\SHOP\\bin\\git.exe", "C:\\Work\\shop\\git.com"]
    })
    assert.deepStrictEqual(win(".COM").own, [])
  })
})

/** A disk with these links, as they are written, and with programs at exactly these paths. */
const linked = (links: Readonly<Record<string, string>>, ...programs: ReadonlyArray<string>): ProgramPath.Disk => {
  const real = (path: string, left = 20): string | null => {
    if (path === "/") return path
    const folder = left === 0 ? null : real(Path.posix.dirname(path), left - 1)
    if (folder === null) return null
    const at = Path.posix.join(folder, Path.posix.basename(path))
    const to = links[at]
    return to === undefined ? at : real(Path.posix.resolve(folder, to), left - 1)
  }
  const folders = Object.fromEntries(Object.keys(links).map((link) => [Path.posix.dirname(link), "folder"] as const))
  const { look } = looking(as(...programs), { ...folders, ...workingCopy })
  return {
    look: (path) => look(real(path) ?? ""),
    link: (path) => (real(Path.posix.dirname(path)) === Path.posix.dirname(path) ? (links[path] ?? null) : null)
  }
}

describe("a program that is reached through links", () => {
  const own = (links: Readonly<Record<string, string>>, entry = "/opt/m") =>
    ProgramPath.make(where(entry), linked(links, real, "/usr/lib/git-core/git")).find("git").own

  it("the program is the user's own if none of the links is in the project", () => {
    assert.deepStrictEqual(own({ "/opt/m/git": "../alt/git", "/opt/alt/git": "/usr/bin/git" }), ["/opt/m/git"])
    assert.deepStrictEqual(own({ "/opt/m": "/usr/lib/git-core" }), ["/opt/m/git"])
  })

  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ["a link of the project's", { "/opt/m/git": `${shop}/mid`, [`${shop}/mid`]: real }],
    ["a folder that is one", { "/opt/m": `${shop}/mid`, [`${shop}/mid`]: "/usr/bin" }],
    [
      "one behind others",
      { "/opt/m/git": "../n/git", "/opt/n": `../..${shop}/tools`, [`${shop}/tools/git`]: "../../../../../usr/bin/git" }
    ],
    ["a folder of the project's that is left again", { "/opt/m/git": `${shop}/tools/../../../../../usr/bin/git` }],
    ["the project's own folder as a link", { "/opt/m/git": "/srv/s/mid", "/srv/s": shop, [`${shop}/mid`]: real }],
    ["what each process sees differently", { "/opt/m/git": "/proc/self/root/usr/bin/git", "/proc/self/root": "/" }]
  ])("the program is not the user's own if reached through %s", (_, links) => {
    assert.deepStrictEqual(own(links), [])
    const programs = ProgramPath.make(where("/opt/m:/usr/bin"), linked(links, real))
    assert.isFalse(programs.isOwn("/opt/m/git"))
    assert.deepStrictEqual(programs.find("git"), { own: [real], passedOver: ["/opt/m/git"] })
    assert.strictEqual(programs.path(), "/usr/bin")
  })

  it("links in a circle lead to no program", () => {
    const programs = ProgramPath.make(where("/opt/m"), linked({ "/opt/m": "/opt/n", "/opt/n": "/opt/m" }))
    assert.isFalse(programs.isOwn("/opt/m/git"))
    assert.strictEqual(programs.path(), "/dev/null")
  })
})

const linkedNode = { "/opt/x/node": `${shop}/bin/node`, "/opt/y/other": `${shop}/bin/other`, ...as("/opt/y/node") }

it.each<readonly [string, string, string, Disk]>([
  ["has what leads out, in order", `${shop}/bin:/usr/bin::.:bin:/bin:/nowhere:/bin`, "/usr/bin:/bin:/nowhere", {}],
  ["has no folder of a process's own", "/proc/self/cwd/bin:/dev/fd/3:/usr/bin:/process", "/usr/bin:/process", {}],
  ["has no folder in which a shell, Node or git is a link into the workspace", "/opt/x:/opt/y", "/opt/y", linkedNode],
  ["is never empty, which would be the folder that a program is started in", `${shop}/bin::.`, "/dev/null", {}],
  ["is never empty, though none was given", "", "/dev/null", {}]
])("the PATH of a started program %s", (_, given, path, disk) => {
  assert.strictEqual(ProgramPath.make(where(given), looking(disk, workingCopy)).path(), path)
})
