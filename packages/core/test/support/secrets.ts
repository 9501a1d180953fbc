/** Fixtures are put together here, so that no file holds what a scanner would take for a secret. */
const stretch = (alphabet: string, length: number): string =>
  Array.from(
    { length },
    (_, index) => alphabet[(index * 7 + Math.floor(index / alphabet.length) * 3 + 5) % alphabet.length]
  ).join("")
export const alnum = (length: number): string => stretch("aB3cD4eF5gH6jK7mN8pQ9rS2tU", length)
export const hex = (length: number): string => stretch("0a7b3c9d1e5f", length)
const upper = (length: number): string => stretch("QW2ER3TY4UP5AS6DF7", length)
export const join = (...parts: ReadonlyArray<string>): string => parts.join("")
export const dashes = "-".repeat(5)

const jwt = join("ey", "J", alnum(20), ".ey", "J", alnum(40), ".", alnum(43))
export const pem = (kind: string): string =>
  [
    join(dashes, "BEGIN ", kind, "PRIVATE ", "KEY", dashes),
    alnum(64),
    alnum(64),
    alnum(20),
    join(dashes, "END ", kind, "PRIVATE ", "KEY", dashes)
  ].join("\n")

export const tokens: ReadonlyArray<readonly [kind: string, secret: string]> = [
  ["aws-key", join("AK", "IA", upper(16))],
  ["aws-key", join("AS", "IA", upper(16))],
  ["github-token", join("gh", "p_", alnum(36))],
  ["github-token", join("gh", "s_", alnum(36))],
  ["github-token", join("github", "_pat_", alnum(22), "_", alnum(59))],
  ["gitlab-token", join("gl", "pat-", alnum(20))],
  ["slack-token", join("xo", "xb-", "123456789012-", alnum(24))],
  ["slack-token", join("xa", "pp-1-A1B2C3D4-", "98765432101-", hex(40))],
  ["stripe-key", join("sk", "_live_", alnum(24))],
  ["stripe-key", join("rk", "_live_", alnum(24))],
  ["anthropic-key", join("sk", "-ant-", "api03-", alnum(60), "-", alnum(20), "AA")],
  ["openai-key", join("sk", "-proj-", alnum(48))],
  ["api-key", join("sk", "-", alnum(48))],
  ["openrouter-key", join("sk", "-or-", "v1-", hex(64))],
  ["google-key", join("AI", "za", alnum(35))],
  ["google-token", join("ya", "29.", alnum(80))],
  ["npm-token", join("np", "m_", alnum(36))],
  ["pypi-token", join("py", "pi-", "AgEIcHlwaS5vcmc", alnum(80))],
  ["sendgrid-key", join("S", "G.", alnum(22), ".", alnum(43))],
  ["twilio-key", join("S", "K", hex(32))],
  ["huggingface-token", join("h", "f_", alnum(34))],
  ["digitalocean-token", join("do", "p_v1_", hex(64))],
  ["doppler-token", join("dp", ".pt.", alnum(43))],
  ["linear-key", join("lin", "_api_", alnum(40))],
  ["vercel-token", join("vc", "p_", alnum(40))],
  ["supabase-key", join("sb", "p_", hex(40))],
  ["databricks-token", join("da", "pi", hex(32))],
  ["atlassian-token", join("AT", "ATT3", alnum(180), "=", upper(8))],
  ["vault-token", join("hv", "s.", alnum(90))],
  ["shopify-token", join("shp", "at_", hex(32))],
  ["grafana-token", join("gl", "sa_", alnum(32), "_", hex(8))],
  ["notion-token", join("nt", "n_", alnum(46))],
  ["docker-token", join("dckr", "_pat_", alnum(27))],
  ["telegram-token", join("123456789", ":AA", alnum(33))],
  ["terraform-token", join(alnum(14), ".atlas", "v1.", alnum(60))],
  ["azure-secret", join(alnum(3), "8Q~", alnum(34))],
  ["age-key", join("AGE-", "SECRET-KEY-1", upper(58))],
  ["jwt", jwt],
  ["private-key", pem("")],
  ["private-key", pem("RSA ")],
  ["private-key", pem("OPENSSH ")]
]

const password = join("hun", "ter", "2")
const strong = join("Tr0ub4dor", "&", "3x!")
const opaque = alnum(32)

export const contexts: ReadonlyArray<readonly [before: string, secret: string, after: string]> = [
  ["Authorization: Bearer ", opaque, ""],
  ["authorization: Basic ", "dXNlcjpodW50ZXIyMjI=", "\n"],
  ["-H 'Authorization: token ", opaque, "' https://api.acme.dev"],
  ['{"Authorization":"Bearer ', opaque, '"}'],
  ["the header was Bearer ", opaque, " and"],
  ["Cookie: session=", `${opaque}; csrf=${hex(20)}`, "\n"],
  ["curl -u admin:", strong, " https://acme.dev"],
  ["curl -sS --user admin:", password, " https://acme.dev"],
  ["mysql -h db -u root -p'", strong, "' shop"],
  ["mysqldump -uroot -p", strong, " shop"],
  ["sshpass -p ", strong, " ssh web"],
  ["docker login -u me -p ", strong, " registry.acme.dev"],
  ["machine acme.dev login me password ", strong, "\n"],
  ["machine acme.dev\n  login me\n  password ", strong, "\n"],
  ["https://me:", strong, "@acme.dev/repo.git"],
  ["postgres://shop:", password, "@db:5432/shop"],
  ["redis://:", opaque, "@cache:6379"],
  ["mongodb+srv://shop:", strong, "@cluster0.acme.dev/shop"],
  ["git clone https://", opaque, "@git.acme.dev/repo"],
  ["--password ", strong, " --verbose"],
  ["--password=", password, ""],
  ["deploy --api-key ", opaque, ""],
  ["deploy --auth-token=", opaque, ""],
  ["DB_PASSWORD=", "swordfish", "\n"],
  ["DB_PASSWORD=", strong, "\nNEXT=1"],
  ['export API_KEY="', opaque, '"'],
  ["AWS_SECRET_ACCESS_KEY=", `${alnum(20)}/${alnum(19)}`, ""],
  ["//registry.acme.dev/:_authToken=", opaque, ""],
  ['"password": "', password, '",'],
  ['{\\"password\\": \\"', password, '\\"}'],
  ["password: ", strong, "\n"],
  ["client_secret: '", opaque, "'"],
  ["const apiKey = '", opaque, "'"],
  ['secretKey => "', hex(40), '"'],
  ["config['secret_key_base'] = '", hex(64), "'"],
  ["Server=db;User Id=sa;Password=", strong, ";Encrypt=true"],
  ["DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=", `${alnum(86)}==`, ";EndpointSuffix=core"],
  ["https://shop.blob.core.net/x?sv=2024&sig=", `${alnum(43)}%3D`, "&se=1"],
  ["https://hooks.slack.com/services/", `T${upper(8)}/B${upper(8)}/${alnum(24)}`, ""],
  ["https://discord.com/api/webhooks/", `918273645509182736/${alnum(68)}`, ""],
  ["JWT_SECRET=", "mysupersecretjwtkey", "\n"],
  ["spring.datasource.password=", "swordfish", "\n"],
  ["GET /v1/items?api_key=", hex(24), "&page=2"],
  ["aws configure set aws_secret_access_key ", `${alnum(20)}/${alnum(19)}`, ""],
  ["refresh_token: ", `1//0${alnum(40)}`, ""],
  ["PRIVATE-TOKEN: ", alnum(20), "' https"],
  ["PASSPHRASE=", "correct-horse-battery-staple", "\n"],
  ["password: ", "correct-horse-battery-staple", "\n"]
]
