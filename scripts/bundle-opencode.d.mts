import type { Metafile } from "esbuild"

export declare const bundlePlugin: () => Promise<{ readonly metafile: Metafile; readonly text: string }>
export declare const bundleOpenCode: () => Promise<void>
