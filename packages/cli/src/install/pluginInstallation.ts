/** Which files installing a host's plugin changes, and what they become. */
import * as Either from "effect/Either"
import type { Scope } from "../host/Hosts.ts"
import type { Plan } from "./installation.ts"
import * as Installation from "./installation.ts"
import type { Document, Request } from "./InstallFile.ts"
import * as InstallFile from "./InstallFile.ts"
import * as PluginList from "./PluginList.ts"
import * as PluginSpec from "./PluginSpec.ts"
import { tilde } from "../terminal/Terminal.ts"

const specsIn = ({ found }: Document): ReadonlyArray<string> =>
  found.text === null ? [] : Either.getOrElse(PluginList.specs(found.text), () => [])

const nameOf = ({ where }: Request, { found }: Document): string => tilde(where.env, found.file)

const other = (request: Request): Request => {
  const scope: Scope = request.scope === "global" ? "project" : "global"
  return { ...request, scope }
}

/** What cannot be read there is no reason not to install here. */
const elsewhere = (request: Request): ReadonlyArray<Document> =>
  Either.getOrElse(
    Either.try(() => Installation.documents(other(request))),
    (): ReadonlyArray<Document> => []
  )

/**
 * The file that loads the plugin as a package already, by its name: a copy beside it would do nothing, or the package would. Throws
 * where a file cannot be read.
 *
 * @category planning
 */
export const byName = (request: Request): string | null => {
  const all = [...Installation.documents(request), ...elsewhere(request)]
  const named = all.find((one) => specsIn(one).some((spec) => PluginSpec.isPackage(spec, request.host)))
  return named === undefined ? null : nameOf(request, named)
}

/** A host loads one file once, however many files name it, and of two versions both. */
const doubled = (request: Request, spec: string): ReadonlyArray<string> => {
  const found = elsewhere(request).find((one) => specsIn(one).some((found) => found !== spec && request.isOurs(found)))
  if (found === undefined) return []
  const words = `reflexion install ${request.host.name}${request.scope === "global" ? " --project" : ""}`
  return [
    `${nameOf(request, found)} loads another version as well, and ${PluginSpec.ofTwo}: \`${words}\` makes them one.`
  ]
}

const hasOurs =
  ({ isOurs }: Request) =>
  (one: Document): boolean =>
    InstallFile.orRefuse(one.found, PluginList.specs(one.found.text ?? "")).some(isOurs)

/**
 * What installing this copy changes: it goes where one of ours is, or else into the first of the files, and ours are
 * taken out of the others. Throws where a file must not or cannot be changed.
 *
 * @category planning
 */
export const install = (request: Request, spec: string): Plan => {
  const documents = Installation.documents(request)
  const [first, ...more] = documents.filter(hasOurs(request))
  const chosen = first ?? documents[0]
  if (chosen === undefined) return Installation.none
  const { isOurs } = request
  const schema = request.host.installation.plugin?.schema ?? ""
  const next = InstallFile.orRefuse(chosen.found, PluginList.install(chosen.found.text ?? "", { spec, isOurs, schema }))
  const changes = InstallFile.put(request, chosen, { next, commands: [spec] })
  const removed = more.flatMap(({ found, kind }) => Installation.takeOut(request, kind, found.file).changes)
  return { ...Installation.none, changes: [...changes, ...removed], notes: doubled(request, spec) }
}
