import type { Bundle } from "./bundler.mjs"

/** The entry files by the hosts' packages. */
export const hosts: Readonly<Record<string, string>>

export const bundleHook: (host: string) => Promise<Readonly<Record<string, Bundle>>>

export const bundleHooks: () => Promise<void>
