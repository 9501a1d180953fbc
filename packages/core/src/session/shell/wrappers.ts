/** Wrappers: programs that run the command in their arguments. */
import { lazy } from "../../base/text/Lazy.ts"
import { type Args, argOf, basename, has, isOption, rowsOf } from "./words.ts"

/**
 * Each kind of wrapper says which words are between the wrapper and its command:
 * - `plain`: only options and variable assignments.
 * - `word`: one word of the wrapper's own.
 * - `dashes`: everything up to `--` or `-c`.
 * - `hides`: like `plain`, but the wrapper's exit status says nothing about the command.
 */
const table = `
plain: sudo doas env nice ionice time gtime caffeinate xvfb-run command builtin nohup setsid unbuffer chronic stdbuf noglob
  arch exec strace valgrind perf/stat perf/record asdf/exec rbenv/exec pyenv/exec bundle/exec spring fnm/exec volta/run npx
  pnpx bunx npm/exec npm/x pnpm/exec pnpm/dlx yarn/exec yarn/dlx bun/x uv/run uvx uv/tool/run pipx/run poetry/run pipenv/run
  pdm/run rye/run hatch/run pixi/run conda/run mamba/run dotenv dotenvx/run cross-env env-cmd c8 nyc coverage/run xargs
  parallel
word: timeout gtimeout taskset flock direnv/exec nvm/exec docker/run docker/exec docker/compose/run docker/compose/exec
  docker-compose/run docker-compose/exec
dashes: su runuser nix/develop nix/shell nix-shell devbox/run mise/exec mise/x op/run doppler/run infisical/run kubectl/exec
hides: watch entr watchexec nodemon retry
`

const wrappers = lazy(
  () =>
    new Map(rowsOf(table).flatMap(([kind, names]) => names.map((name) => [name.replaceAll("/", " "), kind] as const)))
)

/** Options of wrappers with a value in the next word. `flags` lists the exceptions. */
const values =
  "-u -g -h -n -k -s -o -e -w -f -p -C -D -R -P -L -E -I -J -v -l -m -r --user --group --unset --chdir --kill-after --signal --adjustment --output --format --log-file --shell --package --workspace --prefix --environment --project --python --directory --with --extra --env-file --from --spec --name --cwd --env --volume --workdir --publish --network --entrypoint --platform --label --mount --memory --cpus --hostname --add-host --gpus --pull --namespace --container --context --reporter --include --exclude --source --omit --rcfile --max-args --max-procs --delimiter --jobs --interval --exts --times --names --warmup --runs --config"
const flags = rowsOf(`
-n -s -e: sudo
-p -s -v -k: time command
-f: timeout gtimeout
-v: env
-h -l: bunx npx
-e: xargs
-L -o: stdbuf
`)

/** Options whose value is a shell command line. */
const lines = rowsOf(`
-c --call: npx npm pnpm yarn
-c --command: su runuser flock
-S --split-string: env
--run: nix-shell
`)

/** Options of the program itself that may stand before its subcommand. */
const leading =
  "-f --file -p --project-name --profile --env-file -H --context -c --config -C --dir --filter -F --prefix -w --workspace --cwd -n --namespace --directory --project -P -e --env -E --cd"

const aliases = lazy(
  () =>
    new Map(
      rowsOf(`
npm: cnpm
node: nodejs
python: python3 pypy3 py
pytest: py.test pytest-3
make: gmake bmake mingw32-make
docker: podman nerdctl
docker-compose: podman-compose
gradle: gradlew
mvn: mvnw mvnd
bazel: bazelisk
cargo: cross
ninja: samu
biome: @biomejs/biome
playwright: @playwright/test
ng: @angular/cli
nest: @nestjs/cli
tsc: vue-tsc tsgo @typescript/native-preview
manage.py: django-admin
terraform: tofu terragrunt
kubectl: oc k
`).flatMap(([name, others]) => others.map((one) => [one, name] as const))
    )
)

/** Returns the name of the program without path, version and suffix. */
export const programName = (word: string): string => {
  const at = word.lastIndexOf("@")
  const plain = at > 0 && !word.includes("://") ? word.slice(0, at) : word
  const base = basename(plain).replace(/\.(?:exe|cmd|bat)$/, "")
  const known = aliases().get(plain) ?? aliases().get(base)
  if (known !== undefined) return known
  return /^(?:python|pip|go|node|ruby|php|clang-format|clang-tidy|gcc|g\+\+|clang)-?\d[\d.]{0,8}$/.test(base)
    ? base.replace(/-?[\d.]{1,9}$/, "")
    : base
}

const find = (name: string, args: Args): readonly [kind: string, next: number] | null => {
  let key = name
  let index = 1
  let found: readonly [string, number] | null = null
  for (let words = 0; words < 3; words += 1) {
    const kind = wrappers().get(key)
    if (kind !== undefined) found = [kind, index]
    if (found === null) while (isOption(args[index]?.value)) index += has(leading, args[index]?.value) ? 2 : 1
    key = `${key} ${args[index]?.value ?? ""}`
    index += 1
  }
  return found
}

const optionsOf = (table: ReturnType<typeof rowsOf>, name: string): string =>
  table.find(([, names]) => names.includes(name))?.[0] ?? ""

export const unwrap = (name: string, args: Args) => {
  const [kind, next] = find(name, args) ?? []
  if (kind === undefined || next === undefined) return null
  const [line, flag] = [optionsOf(lines, name), optionsOf(flags, name)]
  const isDashes = kind === "dashes"
  const of = (rest: Args, isLine = false) =>
    rest.length === 0 ? null : { args: rest, isLine, hides: kind.startsWith("hides") }
  let skip = kind === "word" ? 1 : 0
  const behind = args.findIndex(({ value }, index) => index >= next && value === "--")
  if (isDashes && behind >= 0) return of(args.slice(behind + 1))
  for (let index = next; index < args.length; index += 1) {
    const { text, value } = args[index] ?? argOf("")
    const rest = args.slice(index + 1)
    if (has(line, value)) return of(rest.slice(0, 1), true)
    if (isDashes && has("-c --command", value)) return of(rest)
    if (value === "--") return of(rest.slice(skip))
    if (isOption(value)) index += has(values, value) && !has(flag, value) ? 1 : 0
    else if (isDashes || /^[A-Za-z_][\w.]{0,100}=/.test(text)) continue
    else if (skip > 0) skip -= 1
    else return of(args.slice(index))
  }
  return null
}
