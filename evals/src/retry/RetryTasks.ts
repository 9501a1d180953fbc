/** All failing tasks, by language, and those with a long output apart. */
import { compilers } from "../cases/retry/Compilers.ts"
import { javaScript } from "../cases/retry/JavaScript.ts"
import { long } from "../cases/retry/Long.ts"
import { python } from "../cases/retry/Python.ts"
import type { RetryTask } from "./RetryTask.ts"

export const suites: Readonly<Record<string, ReadonlyArray<RetryTask>>> = {
  javascript: javaScript,
  compilers,
  python,
  long
}

export const all: ReadonlyArray<RetryTask> = Object.values(suites).flat()
