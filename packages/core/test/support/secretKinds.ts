/** Kinds of secrets with random values: what holds for one value has to hold for every one. */
import { groups, list } from "./rows.ts"

export interface Kind {
  readonly name: string
  readonly value: Value
  readonly text: (value: string) => string
}

/** Numbers from 0 to 1, in a sequence that its seed decides. */
type Random = () => number

type Value = (random: Random) => string

export const randomOf = (seed: number): Random => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const lower = upper.toLowerCase()
const digits = "0123456789"
const alphabets = {
  an: upper + lower + digits,
  hex: `${digits}abcdef`,
  up: upper + digits,
  low: lower + digits,
  b32: `${upper}234567`,
  url: `${upper + lower + digits}_-`,
  b64: `${upper + lower + digits}+/`
}

const of = (alphabet: string, length: number): Value => {
  const letters = new Map(Object.entries(alphabets)).get(alphabet) ?? ""
  return (random) => Array.from({ length }, () => letters.charAt(Math.floor(random() * letters.length))).join("")
}

const part = new RegExp(` ?\\b(${Object.keys(alphabets).join("|")}) (\\d+) ?`, "g")

/** Random parts, each written as `alphabet length`, and the text between them. */
const made =
  (parts: string): Value =>
  (random) =>
    parts.replaceAll(part, (_, alphabet: string, length: string) => of(alphabet, Number(length))(random))

const known = (parts: string): string => made(parts)(randomOf(1))

export const alnum = (length: number): string => known(`an ${length}`)
export const hex = (length: number): string => known(`hex ${length}`)

export const dashes = "-".repeat(5)

export const pem = (kind: string): string =>
  [
    `${dashes}BEGIN ${kind}PRIVATE KEY${dashes}`,
    ...[64, 64, 20].map(alnum),
    `${dashes}END ${kind}PRIVATE KEY${dashes}`
  ].join("\n")

/** Tokens of vendors by their labels, so that no file has a text that a scanner would take for a secret. */
const labelled = groups`
  aws-key :: AKIA b32 16 ¦ ASIA b32 16
  github-token :: ghp_ an 36 ¦ ghs_ an 36 ¦ gho_ an 36 ¦ github_pat_ an 22 _ an 59
  gitlab-token :: glpat- an 20 ¦ glpat- url 20 ¦ glpat- an 27 . hex 2 . low 9
  slack-token :: xoxb-123456789012- an 24 ¦ xoxb- an 12 - an 24 ¦ xoxc- an 12 - an 24 ¦ xapp-1-A1B2C3D4-98765432101- hex 40
  stripe-key :: sk_live_ an 24 ¦ rk_live_ an 24 ¦ rk_live_ an 40
  anthropic-key :: sk-ant-api03- an 60 - an 20 AA ¦ sk-ant-api03- url 95
  openai-key :: sk-proj- an 48 ¦ sk-proj- url 108
  api-key :: sk- an 48
  openrouter-key :: sk-or-v1- hex 64
  google-key :: AIza an 35 ¦ AIza url 35
  google-token :: ya29. an 80 ¦ ya29. url 100
  npm-token :: npm_ an 36
  pypi-token :: pypi-AgEIcHlwaS5vcmc an 80 ¦ pypi-AgEIcHlwaS5vcmc url 90
  sendgrid-key :: SG. an 22 . an 43 ¦ SG. url 22 . url 43
  twilio-key :: SK hex 32
  huggingface-token :: hf_ an 34
  digitalocean-token :: dop_v1_ hex 64
  doppler-token :: dp.pt. an 43
  linear-key :: lin_api_ an 40
  vercel-token :: vcp_ an 40
  supabase-key :: sbp_ hex 40
  databricks-token :: dapi hex 32
  atlassian-token :: ATATT3 an 180 = up 8
  vault-token :: hvs. an 90 ¦ hvs. url 90
  shopify-token :: shpat_ hex 32
  grafana-token :: glsa_ an 32 _ hex 8
  notion-token :: ntn_ an 46
  docker-token :: dckr_pat_ an 27 ¦ dckr_pat_ url 27
  telegram-token :: 123456789:AA an 33
  terraform-token :: an 14 .atlasv1. an 60
  azure-secret :: an 3 8Q~ an 34
  age-key :: AGE-SECRET-KEY-1 up 58
  jwt :: eyJ an 20 .eyJ an 40 . an 43
`.flatMap(([label, ...specs]) => specs.map((spec) => [label, spec] as const))

/** Tokens of other vendors, and at the end those of services that are in no list. */
const unlabelled = list`
  glrt- url 20 ¦ whsec_ an 32 ¦ GOCSPX- url 28 ¦ key- hex 32 ¦ sb_secret_ url 31 ¦ ATBB an 32 ¦ pscale_tkn_ url 43 ¦ sntrys_ an 80 ¦ figd_ url 40
  PMAK- hex 24 - hex 34 ¦ rubygems_ hex 48 ¦ gsk_ an 52 ¦ xai- an 80 ¦ r8_ an 37 ¦ pplx- an 48 ¦ nfp_ an 36 ¦ tskey-auth- an 14 - an 32 ¦ pul- hex 40
  NRAK- up 27 ¦ fm2_ b64 120 ¦ phx_ an 43 ¦ sq0atp- url 22 ¦ EAAA url 60 ¦ sl. url 135 ¦ KEY an 32 _ an 22 ¦ re_ an 8 _ an 24 ¦ xkeysib- hex 64 - an 16
  sk_ hex 48 ¦ lsv2_pt_ hex 32 _ hex 10 ¦ fw_ an 24 ¦ rnd_ an 32 ¦ pa- url 43 ¦ jina_ an 60 ¦ pcsk_ an 6 _ an 60 ¦ tvly- an 32 ¦ fc- hex 32
  nvapi- url 64 ¦ squ_ hex 40 ¦ rdme_ low 70 ¦ oy2 low 43 ¦ napi_ low 64
  acmekv_ an 32 ¦ qz- an 40 ¦ zlx-dev- an 24 ¦ orb_live_ an 24 ¦ m7_api_ an 36 ¦ tn_v1_ an 43 ¦ wk_ an 6 _ an 28 ¦ NQX- an 26 ¦ sk-shop- an 30 ¦ BSA an 28
`

export const tokens: ReadonlyArray<readonly [label: string, secret: string]> = [
  ...labelled.map(([label, spec]) => [label, known(spec)] as const),
  ...["", "RSA ", "OPENSSH "].map((kind) => ["private-key", pem(kind)] as const)
]

const words: Readonly<Record<string, string>> = { opaque: alnum(32), strong: ["Tr0ub4dor", "&", "3x!"].join("") }

/** Places of secrets: `‹ ›` encloses the secret: its name, its parts or its text. */
const places = list`
  Authorization: Bearer ‹opaque› ¦ authorization: Basic ‹dXNlcjpodW50ZXIyMjI=›\n ¦ -H 'Authorization: token ‹opaque›' https://api.acme.dev
  {"Authorization":"Bearer ‹opaque›"} ¦ the header was Bearer ‹opaque› and
  curl -u admin:‹strong› https://acme.dev ¦ curl -sS --user admin:‹hunter2› https://acme.dev ¦ mysql -h db -u root -p'‹strong›' shop
  mysqldump -uroot -p‹strong› shop ¦ sshpass -p ‹strong› ssh web ¦ docker login -u me -p ‹strong› registry.acme.dev
  machine acme.dev login me password ‹strong›\n ¦ machine acme.dev\n  login me\n  password ‹strong›\n ¦ https://me:‹strong›@acme.dev/repo.git
  postgres://shop:‹hunter2›@db:5432/shop ¦ redis://:‹opaque›@cache:6379 ¦ mongodb+srv://shop:‹strong›@cluster0.acme.dev/shop
  git clone https://‹opaque›@git.acme.dev/repo ¦ --password ‹strong› --verbose ¦ --password=‹hunter2› ¦ deploy --api-key ‹opaque›
  deploy --auth-token=‹opaque› ¦ DB_PASSWORD=‹swordfish›\n ¦ DB_PASSWORD=‹strong›\nNEXT=1 ¦ export API_KEY="‹opaque›"
  AWS_SECRET_ACCESS_KEY=‹an 20 / an 19› ¦ //registry.acme.dev/:_authToken=‹opaque› ¦ "password": "‹hunter2›", ¦ {\\"password\\": \\"‹hunter2›\\"}
  password: ‹strong›\n ¦ client_secret: '‹opaque›' ¦ const apiKey = '‹opaque›' ¦ secretKey => "‹hex 40›" ¦ config['secret_key_base'] = '‹hex 64›'
  Server=db;User Id=sa;Password=‹strong›;Encrypt=true ¦ DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=‹an 86 ==›;EndpointSuffix=core
  https://shop.blob.core.net/x?sv=2024&sig=‹an 43 %3D›&se=1 ¦ https://hooks.slack.com/services/‹T up 8 /B up 8 / an 24›
  https://discord.com/api/webhooks/‹918273645509182736/ an 68› ¦ JWT_SECRET=‹mysupersecretjwtkey›\n ¦ spring.datasource.password=‹swordfish›\n
  GET /v1/items?api_key=‹hex 24›&page=2 ¦ aws configure set aws_secret_access_key ‹an 20 / an 19› ¦ refresh_token: ‹1//0 an 40›
  PRIVATE-TOKEN: ‹an 20›' https ¦ PASSPHRASE=‹correct-horse-battery-staple›\n ¦ password: ‹correct-horse-battery-staple›\n
  public string ApiKey { get; set; } = "‹opaque›"; ¦ var password = @"‹strong›"; ¦ api_key = [[‹opaque›]] ¦ final val secretKey = """‹opaque›"""
  api_key = '''‹opaque›''' ¦ process.env["API_KEY"] ??= "‹opaque›" ¦ const apiKey = process.env.API_KEY || "‹opaque›"
  const apiKey = process.env['API_KEY'] ?? '‹opaque›' ¦ api_key = os.getenv("API_KEY") or "‹opaque›" ¦ DB_PASSWORD ?= ‹strong›\n
  DB_PASSWORD=\\\n‹strong›\n ¦ static const char api_key[] = "‹opaque›"; ¦ std::string api_key{"‹opaque›"}; ¦ NSString *apiKey = @"‹opaque›";
  Dim apiKey As String = "‹opaque›" ¦ wpa2-psk=‹opaque›\n ¦ mongo -p ‹hunter2› ¦ mysql -p‹hunter2› shop ¦ net user bob ‹strong› /add
  echo ‹strong› | vercel env add KEY ¦ db_password=$(cat <<EOF\n‹strong›\nEOF\n) ¦ password: !!str ‹strong›\n ¦ password: &db ‹strong›\n
  "apiKey":\n    "‹opaque›" ¦ "apiKeys": ["‹opaque›"] ¦ api_key: Some(\n    "‹opaque›",\n) ¦ <password><![CDATA[‹strong›]]></password>
  | \`api_key\` | \`‹opaque›\` | ¦ **Password:** ‹strong› ¦ password → ‹strong› ¦ user: shop pass: ‹strong› ¦ Incorrect API key provided: ‹opaque›. See
  next=api_key%3D‹opaque› ¦ CREATE LOGIN shop WITH PASSWORD = N'‹strong›' ¦ Driver={x};UID=shop;PWD={‹strong›};
  jdbc:oracle:thin:shop/‹strong›@//db:1521/x ¦ ds.setPassword('‹strong›') ¦ mail.setApiKey("‹opaque›") ¦ req.SetBasicAuth("shop", "‹strong›")
  requests.get(url, auth=("shop", "‹strong›")) ¦ new Client({ auth: "‹opaque›" }) ¦ .acme.dev\tTRUE\t/\tTRUE\t0\tsession_id\t‹opaque›\n
  document.cookie = "sid=‹opaque›" ¦ https://acme.dev/reset-password/‹opaque› ¦ ::add-mask::‹opaque›\n
  ##vso[task.setvariable variable=x;issecret=true]‹opaque›\n ¦ gh secret set API_KEY --body "‹opaque›"
  aws ssm put-parameter --name x --type SecureString --value ‹opaque› ¦ aws secretsmanager create-secret --name x --secret-string '‹strong›'
  az keyvault secret set --vault-name v --name x --value "‹opaque›" ¦ dotnet user-secrets set "Mail:Key" "‹opaque›"
  dotnet nuget push a.nupkg -k ‹opaque› ¦ redis-cli --pass ‹strong› ping ¦ requirepass ‹strong›\n ¦ AUTH ‹opaque›\n ¦ unrar x -p‹strong› a.rar
  xfreerdp /u:shop /p:‹strong› /v:h ¦ snmpwalk -v3 -A ‹strong› h ¦ ipmitool -H h -U shop -P ‹strong› power ¦ openssl enc -aes-256-cbc -K ‹hex 64› -iv 00
  lftp -u shop,‹strong› ftp.acme.dev ¦ net user shop ‹strong› /add ¦ netsh wlan set hostednetwork key=‹strong› ¦ cargo login ‹opaque›
  snyk auth ‹opaque› ¦ doctl auth init -t ‹opaque› ¦ composer config http-basic.acme.dev shop ‹opaque›
  composer config -g github-oauth.github.com ‹opaque› ¦ bundle config set gems.acme.dev shop:‹opaque› ¦ poetry config http-basic.acme shop ‹opaque›
  poetry config pypi-token.pypi ‹opaque› ¦ sudo -S id <<< '‹strong›' ¦ docker login -u me --password-stdin <<< "‹strong›"
  printf %s '‹opaque›' | gcloud secrets create x --data-file=- ¦ echo "‹opaque›" | vercel env add X production
  echo ‹opaque› | npx wrangler secret put X ¦ expect "Password:"\nsend "‹strong›\\r"
  ["mysql", "-uroot", "-p‹strong›"]
`

const placed = (form: string): readonly [before: string, secret: string, after: string] => {
  const [before = "", secret = "", after = ""] = form.split(/[‹›]/)
  return [before, words[secret] ?? known(secret), after]
}

export const contexts: ReadonlyArray<readonly [before: string, secret: string, after: string]> = [
  ...[...places, "password:\u00a0‹strong›"].map(placed),
  ["Cookie: session=", `${words["opaque"]}; csrf=${hex(20)}`, "\n"],
  ['echo -e "', `${words["opaque"]}\\n${words["opaque"]}`, '" | passwd shop']
]

/** How a name and its value are written. `‹ ›` has the value's length or parts. Only names that fit are used. */
const written = list`
  DB_PASSWORD=‹12› ¦ export API_TOKEN="‹20›" ¦ set -x GITHUB_TOKEN ‹20› ¦ set -gx API_KEY ‹24› ¦ setenv API_SECRET ‹24› ¦ set API_SECRET=‹24›
  $env:API_TOKEN = "‹24›" ¦ "clientSecret": "‹24›" ¦ {\\"apiKey\\":\\"‹24›\\"} ¦ "{\\\\\\"client_secret\\\\\\":\\\\\\"‹24›\\\\\\"}"
  {'password': '‹14›', 'user': 'ada'} ¦ :password => "‹14›" ¦ {:token=>"‹24›"} ¦ const apiKey: string = "‹24›" ¦ let auth_token: &str = "‹24›";
  private static final String PASSWORD = "‹14›"; ¦ Config{User:"ada", Password:"‹14›"} ¦ \ Password: (string) (len=14) "‹14›",
  Settings(db_password=SecretStr('‹14›')) ¦ password=b'‹14›' ¦ define('DB_PASSWORD', '‹14›'); ¦ ("token", "‹30›") ¦ ['X-Auth-Token', '‹30›']
  <password>‹14›</password> ¦ <server><username>ada</username><password>‹14›</password></server> ¦ <add key="ApiSecret" value="‹24›" />
  {"name": "DB_PASSWORD", "value": "‹14›"} ¦ - name: DB_PASSWORD\n  value: ‹14› ¦ password: ‹14› ¦ password: >-\n    ‹14› ¦ secret: |\n  ‹24›\n
  +  password: ‹14› ¦ [smtp]\npasswd = ‹12› ¦ ansible_become_pass: ‹14› ¦ auth: { user: 'ada', pass: '‹14›' } ¦ psk="‹14›" ¦ | password | ‹24› |
  “password”: “‹14›” ¦ passwort=‹14› ¦ パスワード：‹20› ¦ userPassword:: ‹20› ¦ password::‹20› ¦ ./run --db-password=‹14› ¦ deploy --token ‹28› --env prod
  GET /v1?token=‹24›&x=1 ¦ jdbc:postgresql://db/shop?user=ada&password=‹14›&ssl=true ¦ Server=db;User Id=sa;Password=‹14›;
  level=info password=‹20› msg=x ¦ \e[1mPASSWORD\e[0m=\e[32m‹20›\e[0m ¦ pass\e[0mword=‹20› ¦ password: \\u001b[33m‹20›\\u001b[0m
  The password is ‹24› now ¦ I used the token ‹24› to log in ¦ Das Passwort lautet ‹24› ¦ AssertionError: expected '‹24›' to equal 'x' (field password)
  expected password to be '‹24›' ¦ \    client-key-data: ‹60› ¦ https://x.example.com/cb?code=‹30›&state=1 ¦ signature=‹30› ¦ _auth=‹30›
  "auths": {"r.example.com": {"auth": "‹30›"}} ¦ postgres://shop:‹14›@db:5432/shop ¦ postgres://shop:prod-test-‹14›@db:5432/shop
  root:‹14›@tcp(127.0.0.1:3306)/shop ¦ curl -u ada:‹14› https://x ¦ curl -u ada:test-‹14› https://x ¦ curl -sSu ada:‹14› https://x
  curl -b 'sid=‹30›' https://x ¦ mysql -h db -u root -p‹14› shop ¦ sshpass -p '‹14›' ssh ada@host ¦ docker login -u ada -p ‹16› r.corp
  redis-cli -h cache -a ‹20› ping ¦ openssl rsa -in k.pem -passin pass:‹14› ¦ ldapsearch -D cn=ada -w ‹14› -b dc=x ¦ mongosh -u ada -p ‹14› shop
  keytool -list -storepass ‹14› ¦ vault login ‹24› ¦ smbclient //h/s -U ada%‹14› ¦ echo ‹14› | docker login -u ada --password-stdin
  echo 'ada:‹14›' | chpasswd ¦ machine x.example.com login bob password ‹16› ¦ ALTER USER a WITH PASSWORD '‹14›'
  CREATE USER 'a'@'%' IDENTIFIED BY '‹14›'; ¦ Authorization: Bearer ‹24› ¦ Authorization: Token ‹30›
  Authorization: Digest username="ada", realm="x", nonce="1", response="‹32›" ¦ Authorization: AWS4-HMAC-SHA256 Credential=x/20260101, Signature=‹40›
  Cookie: theme=dark; sessionid=‹40›; lang=en ¦ Cookie: sessionid=‹40›; mode=test; note=example ¦ Set-Cookie: sid=‹40›; HttpOnly
  "cookie": "theme=dark; sid=‹40›" ¦ basic ‹40› ¦ https://api.telegram.org/bot1678008374:AA‹33›/getMe ¦ bob:$apr1$‹24› ¦ bob:$2b$12$‹53› ¦ pass = ‹24›
  user: ada\npass: ‹24› ¦ PASS=‹24› ¦ Password for ada: ‹14› ¦ the password for user ada is ‹24› ¦ Http.client().password("‹14›")
  new Client().withApiKey("‹24›").build() ¦ [Password("‹14›")] ¦ password = <<EOT\n‹14›\nEOT ¦ sqlplus -s ada/‹24›@db
  mosquitto_sub -u ada -P ‹14› -t x ¦ etcdctl --user root:‹14› get x ¦ cqlsh -u ada -p ‹14› ¦ ssh-keygen -t ed25519 -N '‹14›' -f k
  useradd -m -p ‹14› ada ¦ rabbitmqctl change_password ada ‹14› ¦ echo -n ‹14› | cryptsetup open /dev/x y - ¦ wrangler secret put KEY <<< '‹24›'
  > USER ada\n< 331 go on\n> PASS ‹14› ¦ a1 LOGIN ada ‹24› ¦ ["Authorization", "Bearer ‹12›"]
  https://hooks.slack.com/services/T00000000/B00000000/‹24› ¦ webhook_key: "‹b64 43 =›" ¦ The admin password is ‹an 10 ! an 3› for now.
  db.internal:5432:shop:ada:‹16› ¦ the bot MTttOof9H2WjQ5TY4MyWuUFjs.UNPjc0.‹url 38› is offline ¦ \e[31mghp_\e[0m‹36›
`

const base64 =
  (value: Value): Value =>
  (random) =>
    btoa(value(random))

const others: ReadonlyArray<Kind> = [
  {
    name: "npm's and docker's name and password",
    value: base64(made("ada: an 14")),
    text: (value) => `{"auths":{"https://r/v1/":{"auth":"${value}"}}}`
  },
  { name: "basic", value: base64(made("ada: an 14")), text: (value) => `> Authorization: Basic ${value}` },
  {
    name: "a password with spaces",
    value: (random) => `${made("an 6")(random)} ${made("an 6 ! an 4")(random)}`,
    text: (value) => `./run --password "${value}"`
  },
  {
    name: "words of a wallet",
    value: (random) =>
      Array.from({ length: 12 }, () => ["legal", "wine", "thank", "year", "wave"][Math.floor(random() * 5)]).join(" "),
    text: (value) => `MNEMONIC="${value}"`
  },
  {
    name: "a token with a character that has no width",
    value: of("an", 36),
    text: (value) => `ghp_${value.slice(0, 9)}\u200b${value.slice(9)}`
  },
  {
    name: "a token broken at the end of a line",
    value: of("url", 38),
    text: (value) => `key: sk-ant-api03-${"aB3".repeat(19)}\n${value}`
  }
]

export const kinds: ReadonlyArray<Kind> = [
  ...[...labelled.map(([, spec]) => spec), ...unlabelled].map((spec) => ({
    name: spec,
    value: made(spec),
    text: (value: string) => `GET /v1 was refused for ${value} (401)`
  })),
  ...written.map((form) => ({
    name: form,
    value: made(/‹(.*)›/.exec(form)?.[1]?.replace(/^\d+$/, "an $&") ?? ""),
    text: (value: string) => form.replace(/‹.*›/, () => value)
  })),
  ...others
]
