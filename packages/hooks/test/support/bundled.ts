import { bundleHook } from "../../../../scripts/bundle-hooks.mjs"

type Host = Parameters<typeof bundleHook>[0]

const made = new Map<Host, ReturnType<typeof bundleHook>>()

/** A host's hook as it is published, bundled once for all tests of a process: that takes seconds. */
export const bundled = (host: Host): ReturnType<typeof bundleHook> => {
  const files = made.get(host) ?? bundleHook(host)
  made.set(host, files)
  return files
}
