/** A local registry with only the packed packages. npm uses it only for this project's scope. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { createServer } from "node:http"

const scope = "@reflexion"

const listing = ({ manifest, name, tarball }, url) => {
  const integrity = `sha512-${createHash("sha512").update(fs.readFileSync(tarball)).digest("base64")}`
  const { version } = manifest
  const dist = { tarball: `${url}/${name}/-/${version}.tgz`, integrity }
  return JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } })
}

const answer = (packed, url, asked) => {
  const one = packed.find(({ name }) => asked === `/${name}` || asked.startsWith(`/${name}/-/`))
  if (one === undefined) return [404, "{}"]
  return [200, asked === `/${one.name}` ? listing(one, url) : fs.readFileSync(one.tarball)]
}

/** Serves the packages on a free loopback port. `npmrc` is the line of configuration for npm. */
export const serve = async (packed) => {
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}`
    const [status, body] = answer(packed, url, decodeURIComponent(request.url ?? ""))
    response.writeHead(status, {
      "content-type": typeof body === "string" ? "application/json" : "application/octet-stream"
    })
    response.end(body)
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { npmrc: `${scope}:registry=http://127.0.0.1:${server.address().port}/\n`, close }
}
