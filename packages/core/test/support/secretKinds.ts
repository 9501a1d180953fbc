/** Kinds of secrets with random values: what holds for one value has to hold for every one. */
export interface Kind {
  readonly name: string
  readonly value: Value
  readonly text: (value: string) => string
}

/** Numbers from 0 to 1 of a row that its seed decides. */
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

type Alphabet = keyof typeof alphabets

const of =
  (alphabet: Alphabet, length: number): Value =>
  (random) =>
    Array.from({ length }, () => alphabets[alphabet].charAt(Math.floor(random() * alphabets[alphabet].length))).join("")

const joined =
  (...parts: ReadonlyArray<Value | string>): Value =>
  (random) =>
    parts.map((part) => (typeof part === "string" ? part : part(random))).join("")

const base64 =
  (value: Value): Value =>
  (random) =>
    btoa(value(random))

/** What a vendor's tokens begin with, and of what and how long the rest is: `prefix alphabet length`, as often as it goes on. */
const vendors: ReadonlyArray<string> = [
  "AKIA b32 16",
  "ghp_ an 36",
  "gho_ an 36",
  "github_pat_ an 22 _ an 59",
  "glpat- url 20",
  "glpat- an 27 . hex 2 . low 9",
  "glrt- url 20",
  "xoxb- an 12 - an 24",
  "xoxc- an 12 - an 24",
  "sk_live_ an 24",
  "rk_live_ an 40",
  "whsec_ an 32",
  "sk-ant-api03- url 95",
  "sk-proj- url 108",
  "sk-or-v1- hex 64",
  "AIza url 35",
  "ya29. url 100",
  "GOCSPX- url 28",
  "npm_ an 36",
  "pypi-AgEIcHlwaS5vcmc url 90",
  "SG. url 22 . url 43",
  "key- hex 32",
  "hf_ an 34",
  "dop_v1_ hex 64",
  "dp.pt. an 43",
  "lin_api_ an 40",
  "vcp_ an 40",
  "sbp_ hex 40",
  "sb_secret_ url 31",
  "dapi hex 32",
  "ATBB an 32",
  "hvs. url 90",
  "shpat_ hex 32",
  "glsa_ an 32 _ hex 8",
  "pscale_tkn_ url 43",
  "sntrys_ an 80",
  "ntn_ an 46",
  "figd_ url 40",
  "PMAK- hex 24 - hex 34",
  "rubygems_ hex 48",
  "dckr_pat_ url 27",
  "gsk_ an 52",
  "xai- an 80",
  "r8_ an 37",
  "pplx- an 48",
  "nfp_ an 36",
  "tskey-auth- an 14 - an 32",
  "pul- hex 40",
  "NRAK- up 27",
  "AGE-SECRET-KEY-1 up 58",
  "fm2_ b64 120",
  "phx_ an 43",
  "sq0atp- url 22",
  "EAAA url 60",
  "sl. url 135",
  "KEY an 32 _ an 22",
  "re_ an 8 _ an 24",
  "xkeysib- hex 64 - an 16",
  "sk_ hex 48",
  "lsv2_pt_ hex 32 _ hex 10",
  "fw_ an 24",
  "rnd_ an 32",
  "pa- url 43",
  "jina_ an 60",
  "pcsk_ an 6 _ an 60",
  "tvly- an 32",
  "fc- hex 32",
  "nvapi- url 64",
  "squ_ hex 40",
  "rdme_ low 70",
  "oy2 low 43",
  "napi_ low 64",
  // Of services that no list has.
  "acmekv_ an 32",
  "qz- an 40",
  "zlx-dev- an 24",
  "orb_live_ an 24",
  "m7_api_ an 36",
  "tn_v1_ an 43",
  "wk_ an 6 _ an 28",
  "NQX- an 26",
  "sk-shop- an 30",
  "BSA an 28"
]

const vendorKind = (row: string): Kind => {
  const [prefix = "", ...rest] = row.split(" ")
  const parts: Array<Value | string> = [prefix]
  for (let at = 0; at < rest.length; at += 3) {
    const alphabet = Object.keys(alphabets).find((name): name is Alphabet => name === rest[at])
    parts.push(of(alphabet ?? "an", Number(rest[at + 1])), rest[at + 2] ?? "")
  }
  return { name: row, value: joined(...parts), text: (value) => `GET /v1 was refused for ${value} (401)` }
}

/** How a name and its value are written; `‹›` is the value. Of names those are taken that fit. */
const written: ReadonlyArray<readonly [form: string, length: number]> = [
  ["DB_PASSWORD=‹›", 12],
  ['export API_TOKEN="‹›"', 20],
  ["set -x GITHUB_TOKEN ‹›", 20],
  ["set -gx API_KEY ‹›", 24],
  ["setenv API_SECRET ‹›", 24],
  ["set API_SECRET=‹›", 24],
  ['$env:API_TOKEN = "‹›"', 24],
  ['"clientSecret": "‹›"', 24],
  ['{\\"apiKey\\":\\"‹›\\"}', 24],
  ['"{\\\\\\"client_secret\\\\\\":\\\\\\"‹›\\\\\\"}"', 24],
  ["{'password': '‹›', 'user': 'ada'}", 14],
  [':password => "‹›"', 14],
  ['{:token=>"‹›"}', 24],
  ['const apiKey: string = "‹›"', 24],
  ['let auth_token: &str = "‹›";', 24],
  ['private static final String PASSWORD = "‹›";', 14],
  ['Config{User:"ada", Password:"‹›"}', 14],
  [' Password: (string) (len=14) "‹›",', 14],
  ["Settings(db_password=SecretStr('‹›'))", 14],
  ["password=b'‹›'", 14],
  ["define('DB_PASSWORD', '‹›');", 14],
  ['("token", "‹›")', 30],
  ["['X-Auth-Token', '‹›']", 30],
  ["<password>‹›</password>", 14],
  ["<server><username>ada</username><password>‹›</password></server>", 14],
  ['<add key="ApiSecret" value="‹›" />', 24],
  ['{"name": "DB_PASSWORD", "value": "‹›"}', 14],
  ["- name: DB_PASSWORD\n  value: ‹›", 14],
  ["password: ‹›", 14],
  ["password: >-\n    ‹›", 14],
  ["secret: |\n  ‹›\n", 24],
  ["+  password: ‹›", 14],
  ["[smtp]\npasswd = ‹›", 12],
  ["ansible_become_pass: ‹›", 14],
  ["auth: { user: 'ada', pass: '‹›' }", 14],
  ['psk="‹›"', 14],
  ["| password | ‹› |", 24],
  ["“password”: “‹›”", 14],
  ["passwort=‹›", 14],
  ["パスワード：‹›", 20],
  ["userPassword:: ‹›", 20],
  ["password::‹›", 20],
  ["./run --db-password=‹›", 14],
  ["deploy --token ‹› --env prod", 28],
  ["GET /v1?token=‹›&x=1", 24],
  ["jdbc:postgresql://db/shop?user=ada&password=‹›&ssl=true", 14],
  ["Server=db;User Id=sa;Password=‹›;", 14],
  ["level=info password=‹› msg=x", 20],
  ["\u001b[1mPASSWORD\u001b[0m=\u001b[32m‹›\u001b[0m", 20],
  ["pass\u001b[0mword=‹›", 20],
  ["password: \\u001b[33m‹›\\u001b[0m", 20],
  ["The password is ‹› now", 24],
  ["I used the token ‹› to log in", 24],
  ["Das Passwort lautet ‹›", 24],
  ["AssertionError: expected '‹›' to equal 'x' (field password)", 24],
  ["expected password to be '‹›'", 24],
  ["    client-key-data: ‹›", 60],
  ["https://x.example.com/cb?code=‹›&state=1", 30],
  ["signature=‹›", 30],
  ["_auth=‹›", 30],
  ['"auths": {"r.example.com": {"auth": "‹›"}}', 30],
  ["postgres://shop:‹›@db:5432/shop", 14],
  ["postgres://shop:prod-test-‹›@db:5432/shop", 14],
  ["root:‹›@tcp(127.0.0.1:3306)/shop", 14],
  ["curl -u ada:‹› https://x", 14],
  ["curl -u ada:test-‹› https://x", 14],
  ["curl -sSu ada:‹› https://x", 14],
  ["curl -b 'sid=‹›' https://x", 30],
  ["mysql -h db -u root -p‹› shop", 14],
  ["sshpass -p '‹›' ssh ada@host", 14],
  ["docker login -u ada -p ‹› r.corp", 16],
  ["redis-cli -h cache -a ‹› ping", 20],
  ["openssl rsa -in k.pem -passin pass:‹›", 14],
  ["ldapsearch -D cn=ada -w ‹› -b dc=x", 14],
  ["mongosh -u ada -p ‹› shop", 14],
  ["keytool -list -storepass ‹›", 14],
  ["vault login ‹›", 24],
  ["smbclient //h/s -U ada%‹›", 14],
  ["echo ‹› | docker login -u ada --password-stdin", 14],
  ["echo 'ada:‹›' | chpasswd", 14],
  ["machine x.example.com login bob password ‹›", 16],
  ["ALTER USER a WITH PASSWORD '‹›'", 14],
  ["CREATE USER 'a'@'%' IDENTIFIED BY '‹›';", 14],
  ["Authorization: Bearer ‹›", 24],
  ["Authorization: Token ‹›", 30],
  ['Authorization: Digest username="ada", realm="x", nonce="1", response="‹›"', 32],
  ["Authorization: AWS4-HMAC-SHA256 Credential=x/20260101, Signature=‹›", 40],
  ["Cookie: theme=dark; sessionid=‹›; lang=en", 40],
  ["Cookie: sessionid=‹›; mode=test; note=example", 40],
  ["Set-Cookie: sid=‹›; HttpOnly", 40],
  ['"cookie": "theme=dark; sid=‹›"', 40],
  ["basic ‹›", 40],
  ["https://api.telegram.org/bot1678008374:AA‹›/getMe", 33],
  ["bob:$apr1$‹›", 24],
  ["bob:$2b$12$‹›", 53],
  ["pass = ‹›", 24],
  ["user: ada\npass: ‹›", 24],
  ["PASS=‹›", 24],
  ["Password for ada: ‹›", 14],
  ["the password for user ada is ‹›", 24],
  ['Http.client().password("‹›")', 14],
  ['new Client().withApiKey("‹›").build()', 24],
  ['[Password("‹›")]', 14],
  ["password = <<EOT\n‹›\nEOT", 14],
  ["sqlplus -s ada/‹›@db", 24],
  ["mosquitto_sub -u ada -P ‹› -t x", 14],
  ["etcdctl --user root:‹› get x", 14],
  ["cqlsh -u ada -p ‹›", 14],
  ["ssh-keygen -t ed25519 -N '‹›' -f k", 14],
  ["useradd -m -p ‹› ada", 14],
  ["rabbitmqctl change_password ada ‹›", 14],
  ["echo -n ‹› | cryptsetup open /dev/x y -", 14],
  ["wrangler secret put KEY <<< '‹›'", 24],
  ["> USER ada\n< 331 go on\n> PASS ‹›", 14],
  ["a1 LOGIN ada ‹›", 24],
  ['["Authorization", "Bearer ‹›"]', 12],
  ["https://hooks.slack.com/services/T00000000/B00000000/‹›", 24]
]

const others: ReadonlyArray<Kind> = [
  {
    name: "npm's and docker's name and password",
    value: base64(joined("ada:", of("an", 14))),
    text: (value) => `{"auths":{"https://r/v1/":{"auth":"${value}"}}}`
  },
  {
    name: "base64 behind any key's name",
    value: joined(of("b64", 43), "="),
    text: (value) => `webhook_key: "${value}"`
  },
  { name: "basic", value: base64(joined("ada:", of("an", 14))), text: (value) => `> Authorization: Basic ${value}` },
  {
    name: "a password with spaces",
    value: joined(of("an", 6), " ", of("an", 6), "!", of("an", 4)),
    text: (value) => `./run --password "${value}"`
  },
  {
    name: "a password after a verb",
    value: joined(of("an", 10), "!", of("an", 3)),
    text: (value) => `The admin password is ${value} for now.`
  },
  {
    name: "words of a wallet",
    value: (random) =>
      Array.from({ length: 12 }, () => ["legal", "winner", "thank", "year", "wave"][Math.floor(random() * 5)]).join(
        " "
      ),
    text: (value) => `MNEMONIC="${value}"`
  },
  { name: "pgpass", value: of("an", 16), text: (value) => `db.internal:5432:shop:ada:${value}` },
  {
    name: "discord",
    value: of("url", 38),
    text: (value) => `the bot MTttOof9H2WjQ5TY4MyWuUFjs.UNPjc0.${value} is offline`
  },
  {
    name: "a token with a character that has no width",
    value: of("an", 36),
    text: (value) => `ghp_${value.slice(0, 9)}\u200b${value.slice(9)}`
  },
  { name: "a coloured prefix", value: of("an", 36), text: (value) => `\u001b[31mghp_\u001b[0m${value}` },
  {
    name: "a token broken at the end of a line",
    value: of("url", 38),
    text: (value) => `key: sk-ant-api03-${"aB3".repeat(19)}\n${value}`
  }
]

export const kinds: ReadonlyArray<Kind> = [
  ...vendors.map(vendorKind),
  ...written.map(([form, length]) => ({
    name: form,
    value: of("an", length),
    text: (value: string) => form.replace("‹›", () => value)
  })),
  ...others
]
