import { lazy } from "../../../ground/text/Lazy.ts"
import { basename } from "../scope.ts"
import { has } from "../tool.ts"
import type { Arg } from "../model.ts"

/** A program that runs the command in its own arguments. */
interface Wrapper {
  /** Options whose value is the next word. */
  readonly values?: string
  /** Words of its own before the command. */
  readonly skip?: number
  /** `NAME=value` words before the command. */
  readonly assignments?: true
  /** The command stands only after `--`. */
  readonly dashes?: true
  /** Options whose value is a command line for a shell. */
  readonly line?: string
  /** Words that must not be taken for the command: then this is no wrapper. */
  readonly not?: string
  /** The command line is one word. */
  readonly joined?: true
  readonly exit?: "masked" | "background"
}

const container =
  "-e --env --env-file -v --volume -u --user -w --workdir -p --publish --name --network --entrypoint --platform -l --label --mount -m --memory --cpus -h --hostname --add-host --index --cidfile --gpus --shm-size --tmpfs --ulimit --device --pull --restart --net --ipc --pid --log-driver --log-opt --security-opt --cap-add --cap-drop"
const compose = "-f --file -p --project-name --profile --env-file --project-directory"
const npmExec = "-p --package -w --workspace --prefix"
const pythonRun =
  "-p --python --with --with-requirements --with-editable --extra --group --only-group --no-group --package --project --directory --env-file --index --refresh-package -C --config-setting --from"

const compile = (table: Record<string, Wrapper>): ReadonlyMap<string, Wrapper> => {
  const map = new Map<string, Wrapper>()
  for (const [keys, wrapper] of Object.entries(table)) for (const key of keys.split("|")) map.set(key, wrapper)
  return map
}

const wrappers = lazy(() =>
  compile({
    "sudo|doas": { values: "-u -g -h -p -C -T -r -t -D -R --user --group", assignments: true },
    env: { values: "-u --unset -C --chdir", assignments: true, line: "-S --split-string" },
    "timeout|gtimeout": { values: "-k -s --kill-after --signal", skip: 1 },
    "nice|ionice|chrt": { values: "-n -c -p --adjustment" },
    "time|gtime": { values: "-f -o --format --output" },
    "command|builtin|nohup|setsid|unbuffer|chronic|stdbuf|noglob|nocorrect|rlwrap|firejail": {
      values: "-i -o -e -t"
    },
    caffeinate: { values: "-t -w" },
    exec: { values: "-a" },
    "xvfb-run": { values: "-s -n -e -f -w --server-args --server-num --error-file --auth-file --wait" },
    "dbus-run-session|faketime": { values: "--config-file" },
    "strace|ltrace|valgrind": { values: "-o -e -p -s --log-file" },
    "perf stat|perf record": { values: "-e -o -F" },
    taskset: { values: "-c", skip: 1 },
    flock: { values: "-w -E --timeout", skip: 1, line: "-c --command" },
    "gosu|su-exec|setpriv": { skip: 1 },
    runuser: { values: "-u -g", line: "-c --command" },
    su: { values: "-s --shell", line: "-c --command", dashes: true },
    arch: {},
    watch: { values: "-n --interval -d", exit: "masked" },
    "entr|watchexec|nodemon": { values: "-e -w -i --exts --watch --ext --ignore", exit: "masked" },
    "retry|wait-for-it": { values: "-t -d -n --times --delay -h -p", exit: "masked" },
    "direnv exec": { skip: 1 },
    "nix develop|nix shell|nix run|nix-shell|flox activate|devbox run|devenv shell": {
      values: "-f --file -A -I -d --dir -c --config",
      line: "--run --command-string",
      dashes: true
    },
    "mise exec|mise x|rtx exec|rtx x": { values: "-C --cd -j --jobs", line: "-c --command", dashes: true },
    "asdf exec|rbenv exec|pyenv exec|nodenv exec|goenv exec|jenv exec": {},
    "nvm exec|nvm run": { skip: 1 },
    "fnm exec": { values: "--using" },
    "volta run": { values: "--node --npm --yarn --pnpm" },
    "npx|pnpx|bunx|npm exec|npm x|pnpm exec|pnpm dlx|yarn exec|yarn dlx|bun x": { values: npmExec, line: "-c --call" },
    "uv run": { values: pythonRun },
    "uvx|uv tool run|pipx run": { values: `${pythonRun} --spec` },
    "poetry run|pipenv run|pdm run|rye run|hatch run|hatch -e|pixi run|pixi exec": {
      values: "-e --environment --manifest-path -p --project -C --directory"
    },
    "conda run|mamba run|micromamba run": { values: "-n -p --name --prefix --cwd" },
    "bundle exec|spring|appraisal": {},
    "docker run|podman run|nerdctl run": { values: container, skip: 1 },
    "docker exec|podman exec|nerdctl exec|docker container exec|docker container run": { values: container, skip: 1 },
    "docker compose run|docker compose exec|docker-compose run|docker-compose exec|podman-compose run|podman-compose exec":
      { values: container, skip: 1 },
    "kubectl exec": { values: "-n -c --namespace --container --context", dashes: true },
    "lando|ddev exec": {},
    "dotenv|dotenvx run|dotenv-cli": { values: "-e -f -v -c -p", assignments: true },
    "cross-env": { assignments: true },
    "cross-env-shell": { assignments: true, joined: true },
    "env-cmd": { values: "-f -e -r" },
    "op run|doppler run|infisical run|chamber exec|aws-vault exec|teller run|envchain": {
      values: "-p -c --project --config --env --path --env-file",
      dashes: true
    },
    "c8|nyc|cmake -E": { values: "-r --reporter --reports-dir --temp-dir -o --include --exclude --check-coverage" },
    "coverage run|kernprof|python -m coverage run": {
      values: "--source --omit --include --rcfile --data-file --context --concurrency"
    },
    "sops exec-env|sops exec-file": { skip: 1, joined: true },
    "hyperfine|concurrently": { values: "-n -w -r -c --names --warmup --runs -k", joined: true, exit: "masked" }
  })
)

/** Words that options of the program itself may stand before: `docker compose -f x run`. */
const leading: ReadonlyMap<string, string> = new Map([
  ["docker compose", compose],
  ["docker-compose", compose],
  ["podman-compose", compose],
  ["docker", "-H --host --context -c --config -l --log-level"],
  ["uv", "--directory --project --config-file --cache-dir"],
  ["poetry", "-C --directory -P --project"],
  ["pnpm", "-C --dir --filter -F"],
  ["npm", "-C --prefix -w --workspace"],
  ["yarn", "--cwd"],
  ["nix", "--option"],
  ["kubectl", "-n --namespace --context --kubeconfig"],
  ["hatch", "-e --env -p --project"],
  ["mise", "-C --cd -E --env"],
  ["bundle", ""],
  ["bun", "--cwd"]
])

const isOption = (word: string): boolean => word.length > 1 && word.startsWith("-") && word !== "--"

const isAssignment = (word: string): boolean => /^[A-Za-z_][\w.]{0,100}=/.test(word)

const scopes: ReadonlyMap<string, string> = new Map([
  ["@biomejs/biome", "biome"],
  ["@playwright/test", "playwright"],
  ["@angular/cli", "ng"],
  ["@nestjs/cli", "nest"],
  ["@vscode/test-cli", "vscode-test"],
  ["@typescript/native-preview", "tsgo"],
  ["@redwoodjs/cli", "redwood"]
])

/** The program's own name: no path, version, or suffix. */
export const programName = (word: string): string => {
  const at = word.lastIndexOf("@")
  const plain = at > 0 && !word.includes("://") ? word.slice(0, at) : word
  const scoped = scopes.get(plain)
  if (scoped !== undefined) return scoped
  const base = basename(plain).replace(/\.(?:exe|cmd|bat)$/, "")
  if (/^python[\d.]{0,8}$/.test(base) || base === "pypy3" || base === "py") return "python"
  if (/^pip[\d.]{1,8}$/.test(base)) return "pip"
  if (/^(?:go|node|ruby|php|clang-format|clang-tidy|gcc|g\+\+|clang)-?\d[\d.]{0,8}$/.test(base)) {
    return base.replace(/-?[\d.]{1,9}$/, "")
  }
  return base
}

export type Unwrapped =
  | { readonly kind: "args"; readonly args: ReadonlyArray<Arg>; readonly exit: Wrapper["exit"] }
  | { readonly kind: "lines"; readonly lines: ReadonlyArray<Arg>; readonly exit: Wrapper["exit"] }

const valueAt = (args: ReadonlyArray<Arg>, index: number): string | null => args[index]?.value ?? null

const behindOptions = (args: ReadonlyArray<Arg>, from: number, values: string): number => {
  let index = from
  for (let word = valueAt(args, index); word !== null && isOption(word); word = valueAt(args, index)) {
    index += has(values, word) ? 2 : 1
  }
  return index
}

/** The wrapper at the head of the words, and the index behind its name. */
const find = (args: ReadonlyArray<Arg>): { readonly wrapper: Wrapper; readonly next: number } | null => {
  let key = programName(valueAt(args, 0) ?? "")
  let index = 1
  let found: { readonly wrapper: Wrapper; readonly next: number } | null = null
  for (let words = 0; words < 3; words += 1) {
    const wrapper = wrappers().get(key)
    if (wrapper !== undefined) found = { wrapper, next: index }
    const values = leading.get(key)
    if (values !== undefined) index = behindOptions(args, index, values)
    const next = valueAt(args, index)
    if (next === null) break
    key = `${key} ${next}`
    index += 1
  }
  return found
}

/** One layer off the words, or null when their head is no wrapper or wraps nothing. */
export const unwrap = (args: ReadonlyArray<Arg>): Unwrapped | null => {
  const head = find(args)
  if (head === null) return null
  const { wrapper } = head
  let index = head.next
  let skip = wrapper.skip ?? 0
  let dashed = false
  for (; index < args.length; index += 1) {
    const word = valueAt(args, index)
    if (word === "--") {
      dashed = true
      index += 1
      break
    }
    if (word === null) {
      if (wrapper.assignments === true && isAssignment(args[index]?.text ?? "")) continue
      if (skip === 0) break
      skip -= 1
    } else if (has(wrapper.line, word)) {
      const line = args[index + 1]
      const rest = args.slice(index + 1)
      if (line === undefined) return null
      return wrapper.dashes === true && word === "-c" && rest.length > 1 && line.value?.includes(" ") !== true
        ? { kind: "args", args: rest, exit: wrapper.exit }
        : { kind: "lines", lines: [line], exit: wrapper.exit }
    } else if ((word === "-c" || word === "--command") && wrapper.dashes === true) {
      return { kind: "args", args: args.slice(index + 1), exit: wrapper.exit }
    } else if (isOption(word)) {
      if (has(wrapper.values, word)) index += 1
    } else if (wrapper.assignments === true && isAssignment(word)) {
      continue
    } else if (wrapper.dashes === true) {
      continue
    } else if (skip > 0) {
      skip -= 1
    } else break
  }
  if (wrapper.dashes === true && !dashed) return null
  const rest = args.slice(dashed ? index + skip : index)
  if (rest.length === 0) return null
  return wrapper.joined === true
    ? { kind: "lines", lines: rest, exit: wrapper.exit }
    : { kind: "args", args: rest, exit: wrapper.exit }
}
