import type { Plugin } from "esbuild"
import type { Bundle } from "./bundler.mjs"

/** The entries by the hosts' packages. */
export const hosts: Readonly<Record<string, string>>

/** The files of a host's hook by their names. */
export const bundleHook: (host: string) => Promise<Readonly<Record<string, Bundle>>>

export const bundleHooks: () => Promise<void>

/** Leaves the shell parser's reader of arithmetic out, for the file that `bundleArithmetic` makes. */
export const arithmeticApart: Plugin

export const bundleArithmetic: () => Promise<Bundle>
