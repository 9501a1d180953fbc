import type { Metafile, Plugin } from "esbuild"

export interface BundleOptions {
  /** An absolute path. Either this or `stdin` is given. */
  readonly entry?: string
  readonly stdin?: { readonly contents: string; readonly resolveDir: string }
  readonly outfile?: string
  readonly format?: "esm" | "cjs"
  readonly minify?: boolean
  /** Packages that stay imports. */
  readonly external?: ReadonlyArray<string>
  /** Expressions, by the names that they replace. */
  readonly define?: Readonly<Record<string, string>>
  readonly plugins?: ReadonlyArray<Plugin>
}

export interface Bundle {
  readonly metafile: Metafile
  /** The bundle's text, if no `outfile` was given. */
  readonly text: string | undefined
}

export const root: string

export const bundle: (options: BundleOptions) => Promise<Bundle>

export const licences: (metafile: Metafile) => string
