import type { TestProject } from "vitest/node"
import { start } from "./packages/testing/src/servers/PostgresServer.ts"

/** Starts one server for all tests of the project `database`. */
export default async ({ provide }: TestProject) => {
  const { stop, url } = await start()
  provide("database", url)
  return stop
}
