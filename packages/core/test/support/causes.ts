import { readFileSync } from "node:fs"

const recorded = (name: string): string => readFileSync(new URL(`./causes/${name}.txt`, import.meta.url), "utf8")

/** What programs and runners of ours really printed as they failed; frames of their own code are left out but for the first. */
export const told = {
  nodeError: recorded("node-error"),
  nodeRejection: recorded("node-rejection"),
  nodeOwnName: recorded("node-own-name"),
  nodeFetch: recorded("node-fetch"),
  nodeCause: recorded("node-cause"),
  nodeFileCause: recorded("node-file-cause"),
  nodeJson: recorded("node-json"),
  nodeSyntax: recorded("node-syntax"),
  pythonChain: recorded("python-chain"),
  pythonSyntax: recorded("python-syntax"),
  mochaHook: recorded("mocha-hook"),
  mocha: recorded("mocha"),
  nodeTestHook: recorded("node-test-hook"),
  vitestHook: recorded("vitest-hook"),
  vitestSyntax: recorded("vitest-syntax"),
  nodeExport: recorded("node-export"),
  nodeReason: recorded("node-reason"),
  nodeValue: recorded("node-value"),
  goTest: recorded("go-test"),
  goVerbose: recorded("go-verbose"),
  goPanic: recorded("go-panic"),
  jestSyntax: recorded("jest-syntax"),
  jestHook: recorded("jest-hook"),
  jestDiff: recorded("jest-diff"),
  testify: recorded("testify")
}
