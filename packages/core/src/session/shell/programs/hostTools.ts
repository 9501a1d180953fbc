import type { Table, Tool } from "../tool.ts"
import { anyOf } from "../tool.ts"
import { writingPrograms } from "../writes.ts"

const readers = anyOf(
  "cat bat batcat head tail less more nl od xxd hexdump strings wc stat file tac zcat gzcat bzcat xzcat zless",
  "ls ll la exa eza lsd tree du df pwd readlink realpath basename dirname jq yq xq dasel gron column cut paste",
  "tr sort uniq comm diff cmp colordiff delta md5sum sha256sum sha1sum shasum md5 cksum b2sum fold fmt expand",
  "rev seq date cal whoami id groups hostname uname arch nproc free uptime vmstat iostat lscpu lsblk mount env",
  "printenv locale tty who w last history man info tldr which whereis type hash command sw_vers lsb_release",
  "getconf otool nm objdump readelf ldd size identify ffprobe exiftool pdftotext pdfinfo glow mdcat tokei cloc",
  "scc sqlite3 psql mysql redis-cli mongosh duckdb base64 awk gawk mawk nawk sed gsed sleep test [ openssl dig",
  "nslookup host ping curl wget http https xh httpie nc netcat telnet traceroute ip ifconfig ss netstat jc look",
  "tput plutil iconv split csplit expr bc dc numfmt shuf factor getfacl getent pr join tsort ptx sum dos2unix",
  "mdls sips xsv mlr csvlook lsof ps pgrep top htop pidof pstree ulimit jobs qsv"
)

const searchers = anyOf(
  "grep egrep fgrep zgrep rg ag ack ack-grep find gfind fd fdfind locate mdfind ugrep ast-grep sg fzf git-grep",
  "pt sift ripgrep comby ctags cscope apropos"
)

const writers = anyOf(
  ...writingPrograms,
  "rmdir mkdir scp chmod chown chgrp unzip tar gunzip gzip zip bzip2 xz zstd 7z vim vi nvim nano emacs mktemp",
  "split mkfifo rename fastmod codemod jscodeshift"
)

const processes = anyOf(
  "kill pkill killall xkill fuser systemctl service launchctl supervisorctl pm2 forever nodemon tmux screen",
  "nohup disown fg bg wait crontab reboot shutdown renice minikube kind k3d colima podman-machine overmind",
  "foreman honcho hivemind uvicorn gunicorn hypercorn daphne celery flask streamlit jupyter http-server serve",
  "live-server json-server puma unicorn sidekiq caddy nginx apachectl redis-server postgres pg_ctl mongod",
  "mysqld ngrok cloudflared localtunnel tailscale ollama"
)

const deployers = anyOf(
  "vercel netlify wrangler firebase flyctl fly heroku railway render surge amplify sst serverless sls cdk",
  "pulumi ansible-playbook kamal nomad eb copilot gh-pages deployctl skaffold argocd flux dokku sam chalice",
  "zappa waypoint supabase convex appcenter ansible salt puppet"
)

const inertVerbs = anyOf(
  "diff preview status logs ls list whoami whois inspect env info get tail login logout link secret secrets",
  "config functions types gen check doctor completion plan validate graph open init pull"
)

const others = anyOf(
  "open xdg-open start pbcopy pbpaste xclip osascript say notify-send clear reset alias unalias bind stty code",
  "cursor zed subl login logout ssh-add ssh-keygen ssh-agent gpg sudo claude codex gemini aider opencode goose",
  "amp cline qwen crush"
)

const compose: Tool = {
  values: "-f --file -p --project-name --profile --env-file",
  subs: {
    "up|down|start|stop|restart|rm|kill|pause|unpause|watch|create|scale": "process",
    build: "build",
    "ps|logs|config|images|port|events|ls|version|top": "read",
    pull: "install",
    push: "deploy",
    deploy: "deploy"
  }
}

/** Everything that is no gate of its own: files, search, processes, version control, forges, deployment. */
export const hostTools: Table = {
  [readers]: "read",
  [searchers]: "search",
  [writers]: "write",
  [processes]: "process",
  "docker|podman|nerdctl": {
    values: "-H --host --context",
    subs: {
      "build|buildx|image": {
        is: "build",
        subs: { "ls|inspect|history|imagetools|du": "read", "rm|prune": "process" }
      },
      "compose|stack": compose,
      "run|exec|start|stop|restart|kill|rm|rmi|create|pause|attach|wait|system|volume|network|container": "process",
      "ps|logs|inspect|images|version|info|stats|port|diff|events|history|context": "read",
      pull: "install",
      push: "deploy",
      cp: "write"
    }
  },
  "docker-compose|podman-compose": compose,
  "kubectl|oc|k": {
    values: "-n --namespace --context --kubeconfig",
    subs: {
      "apply|create|delete|replace|patch|scale|rollout|set|edit|annotate|label|expose|autoscale|drain|cordon": {
        is: "deploy",
        dry: "--dry-run status history"
      },
      "get|describe|logs|explain|version|config|api-resources|diff|events|cluster-info": "read",
      "exec|port-forward|run|cp|attach|debug": "process"
    }
  },
  [deployers]: {
    subs: {
      "deploy|up|release|publish|rollback|promote|destroy|launch|sync|push|apply|redeploy|install|versions|db": {
        is: "deploy",
        dry: "--dry-run --dryrun --check --noop --diff"
      },
      "dev|serve|start|emulators:start|local|emulators": "process",
      "build|synth|package|bundle": "build",
      [inertVerbs]: "other"
    },
    is: "deploy"
  },
  aws: {
    values: "--profile --region --output",
    subs: {
      s3: { subs: { "cp|sync|mv|rm": { is: "deploy", dry: "--dryrun" }, ls: "read" } },
      cloudformation: { subs: { "deploy|create-stack|update-stack|delete-stack": "deploy" } },
      lambda: { subs: { "update-function-code|publish-version|create-function": "deploy" } },
      ecs: { subs: { "update-service|deploy": "deploy" } }
    }
  },
  "gcloud|az": { subs: { "app|functions|run|webapp": { subs: { "deploy|up|replace": "deploy" }, is: "other" } } },
  rake: {
    bare: "test",
    runner: "rake",
    whole: "*",
    targets: {
      default: "test",
      spec: "test",
      rubocop: "lint",
      "assets:precompile": "build",
      release: "deploy",
      "db:migrate": "process",
      "db:setup": "process"
    }
  },
  act: "ci",
  circleci: "ci",
  buildkite: "ci",
  [others]: "other"
}
