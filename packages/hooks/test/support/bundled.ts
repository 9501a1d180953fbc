import { cpSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { bundleHook } from "../../../../scripts/bundle-hooks.mjs"

type Host = Parameters<typeof bundleHook>[0]

const made = new Map<Host, ReturnType<typeof bundleHook>>()

/** Where a host's hook lies as it is built and published. */
export const built = (host: Host): string => fileURLToPath(new URL(`../../../cli/dist/hooks/${host}/`, import.meta.url))

/** Copies a host's hook into a folder. */
export const place = (host: Host, folder: string): void => cpSync(built(host), folder, { recursive: true })

/** A host's hook with what each file is made of, bundled once for all tests of a process: that takes seconds. */
export const bundled = (host: Host): ReturnType<typeof bundleHook> => {
  const files = made.get(host) ?? bundleHook(host)
  made.set(host, files)
  return files
}
