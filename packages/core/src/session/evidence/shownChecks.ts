/** Checks that the project has, as far as what the agent read or listed shows: the working copy itself may be gone. */
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

/** What a manifest, a makefile or a listing looks like that has a check. */
const shown: ReadonlyArray<readonly [what: string, row: RegExp]> = [
  [
    "a script for its tests or checks",
    /"scripts"[^}]{0,1500}"(?:test|lint|type-?check|check|build)[\w:-]{0,20}"\s{0,3}:\s{0,3}"(?!echo )/
  ],
  ["a make target for its tests or checks", /^(?:\s{0,6}\d{1,5}[\t→:|]\s?)?(?:test|check|lint)[\w-]{0,20}:(?!=)/m],
  [
    "tests",
    /(?:^|[\s/])(?:tests?|spec|Tests|__tests__)\/?(?=$|\s)|[\w-](?:_test\.(?:go|exs|py)|\.(?:test|spec)\.[jt]sx?|Tests?\.(?:java|kt|cs|swift|php)|_spec\.rb)\b/m
  ],
  [
    "a runner for its tests",
    /\[tool\.pytest|\.testTarget\(|\bphpunit\/phpunit\b|\brspec(?:-rails)?\b|\bscalatest\b|\bjunit-jupiter\b/
  ]
]

/** A file that was read, or a folder that was listed. */
const isLook = (call: ToolCall): boolean => {
  const command = shellCommand(call)
  if (command !== null)
    return /\b(?:ls|tree|find|fd|cat|bat|head|sed -n|nl|less|git ls-files)\b/.test(command.slice(0, 400))
  return toolKind(call.tool) === "read" || /^(?:ls|list|glob|read)/i.test(call.tool)
}

/** What a call shows that the project has, null where it shows nothing of the kind. */
export const shownBy = (call: ToolCall): string | null => {
  if (call.output === null || call.output === "" || !isLook(call)) return null
  const text = call.output.slice(0, 16_000)
  return shown.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}
