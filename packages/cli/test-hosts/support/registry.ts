import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { createHash } from "node:crypto"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** The range that pnpm writes when it packs. For a package of the workspace, it is the package's version. */
const published = (folder: string, name: string, range: string): string => {
  if (range === "workspace:*") return manifestOf(join(folder, "..", basename(name))).version
  if (range.includes(":")) throw new Error(`${name} is asked for as ${range}, which no registry knows`)
  return range
}

const pack = (folder: string, scratch: string) => {
  const staged = join(scratch, "package")
  cpSync(folder, staged, { recursive: true, filter: (path) => !path.startsWith(join(folder, "node_modules")) })
  const { devDependencies: _, peerDependencies = {}, ...rest } = manifestOf(folder)
  const peers = Object.entries<string>(peerDependencies).map(([name, range]) => [name, published(folder, name, range)])
  const manifest = { ...rest, peerDependencies: Object.fromEntries(peers) }
  writeFileSync(join(staged, "package.json"), JSON.stringify(manifest))
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--offline", "--ignore-scripts", "--pack-destination", scratch], {
      cwd: staged,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    })
  )
  return { manifest, bytes: readFileSync(join(scratch, String(packed.filename))) }
}

const listing = (one: { readonly name: string; readonly version: string }): string =>
  JSON.stringify({ name: one.name, "dist-tags": { latest: one.version }, versions: { [one.version]: one } })

/** What npm asks for: the versions of the package and of its peers, and the archive of the package. */
const answers = ({ bytes, manifest }: ReturnType<typeof pack>, url: string) => {
  const archive = `/${manifest.name}/-/package.tgz`
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`
  const version = { ...manifest, dist: { tarball: url + archive, integrity } }
  const peers = Object.entries<string>(manifest.peerDependencies).map(([name, range]) => {
    const tarball = `${url}/${name}/-/package.tgz`
    return { name, version: range.replace("^", ""), dist: { tarball } }
  })
  return new Map<string, string | Buffer>([
    ...[version, ...peers].map((one) => [`/${one.name}`, listing(one)] as const),
    [archive, bytes]
  ])
}

export interface Registry {
  readonly url: string
  /** The paths that were asked for. */
  readonly asked: ReadonlyArray<string>
}

/**
 * A registry that serves one package and lists its peers, and nothing else. It runs on a free loopback port until the
 * scope ends.
 */
export const serve = (folder: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly registry: Registry; readonly close: () => void }>((resume) => {
      const scratch = mkdtempSync(join(tmpdir(), "reflexion-registry-"))
      const packed = pack(folder, scratch)
      const asked: Array<string> = []
      let found = new Map<string, string | Buffer>()
      const server = createServer((request, response) => {
        const path = decodeURIComponent(request.url ?? "")
        const answer = found.get(path)
        asked.push(path)
        response.writeHead(answer === undefined ? 404 : 200, {
          "content-type": typeof answer === "string" ? "application/json" : "application/octet-stream"
        })
        response.end(answer ?? "")
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = address !== null && typeof address === "object" ? address.port : 0
        const url = `http://127.0.0.1:${port}`
        found = answers(packed, url)
        const close = () => {
          server.closeAllConnections()
          server.close()
          rmSync(scratch, { recursive: true, force: true })
        }
        resume(Effect.succeed({ registry: { url, asked }, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ registry }) => registry))
