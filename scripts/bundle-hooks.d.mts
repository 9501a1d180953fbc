import type { Bundle } from "./bundler.mjs"

/** The entries by the hosts' packages. */
export const hosts: Readonly<Record<string, string>>

/** The files of a host's hook by their names. */
export const bundleHook: (host: string) => Promise<Readonly<Record<string, Bundle>>>

export const bundleHooks: () => Promise<void>
