import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { findSecrets, redact, redactJson } from "../../src/base/redaction/Redaction.ts"
import { list } from "../support/rows.ts"
import { alnum, contexts, dashes, hex, kinds, pem, randomOf, tokens } from "../support/secretKinds.ts"

const isNight = process.env["REFLEXION_TESTS"] === "night"

const harmless: ReadonlyArray<string> = [
  `commit ${hex(40)}\nindex ${hex(7)}..${hex(7)} 100644\nsha256:${hex(64)}`,
  `![logo](data:image/png;base64,${alnum(400)})`,
  `"integrity": "sha512-${alnum(86)}=="`,
  `grep -n "PRIVATE KEY" . && if (text.startsWith("${dashes}BEGIN PRIVATE KEY${dashes}")) return`,
  "AKIAIOSFODNN7EXAMPLE",
  `ghp_${"x".repeat(36)}`,
  ...list`
    id: 3f2b8c1e-9a4d-4e6f-8b7a-1c2d3e4f5a6b ¦ interface Login { password: string; token: Token; secret?: Buffer }
    function login(password: string, token: string): Promise<void> {} ¦ const password = process.env.DB_PASSWORD ¦ const token = await getToken(config)
    token = os.environ['GITHUB_TOKEN'] ¦ secret := cfg.Auth.ClientSecret ¦ if (password === undefined) throw new Error('no password') ¦ password=$DB_PASSWORD
    API_KEY="\${API_KEY}" ¦ GITHUB_TOKEN=<your-token> ¦ TOKEN=your-token-here ¦ API_KEY=xxxxxxxxxxxxxxxx ¦ API_KEY=changeme ¦ export GH_TOKEN="github_pat_xxxx"
    password: ******** ¦ token: \${{ secrets.GITHUB_TOKEN }} ¦ Authorization: Bearer $TOKEN ¦ Authorization: Bearer <token> ¦ Authorization: Bearer YOUR_API_KEY
    curl -u user:password https://acme.dev ¦ curl -u $USER:$PASS https://acme.dev ¦ https://user:pass@acme.dev ¦ https://user:\${PASSWORD}@acme.dev
    postgres://postgres:postgres@localhost:5432/test ¦ http://localhost:8080/a@b ¦ see git@github.com:acme/shop.git and https://github.com/acme/shop
    max_tokens: 4096, token_count=1500, tokens: 12 ¦ nextPageToken: "CAUQAA1b2c3d4e5f" ¦ the token expired; pass the --token flag; use --password to set it
    secret: "my-app-secret" ¦ token: test-token-123 ¦ passwordHash(password, salt) ¦ Password is required. Password: must have 8 characters
    mysql -p -u root shop ¦ mysql -u root --port 3306 -P 3307 ¦ Cookie: a small text file ¦ api_key_file: /etc/shop/key ¦ author: Jane Doe ¦ key: value1234
    task-board-v2-prod-01 ask-42-questions-and-more-things ¦ fmt.Println("password="+expected1Token2) ¦ version: 12.4.18-beta.3
    connect(db_password=new_password, access_token=stored_token) ¦ SECRET_NAME=shop-database, TOKEN_FILE=/run/secrets/token ¦ PASSWORD_MIN_LENGTH=12
    run("mysql", "-u", "root", "-port2") ¦ mongo -p 27017 ¦ mysql -p3306 -h db ¦ openssl enc -K key.bin -in a
    aws secretsmanager create-secret --secret-string file://x.json ¦ net user guide chapter7a ¦ pass: "src/a1.ts" ¦ echo production | vercel env add NODE_ENV
    expect.send "hello2you\\r" ¦ modulation 16-APSK: 32-APSK ¦ opt -debug-pass=Executions x.ll ¦ the methods "md5", "password", "scram-sha-256" of pg_hba.conf
    <password>string</password> ¦ <password>\${db.password}</password> ¦ <label>Password</label><input name="password" value="">
    const token: string = "your-token-here" ¦ const apiKey: string = process.env.API_KEY ¦ function login(password: string, token = defaultToken): void {}
    define('DB_PASSWORD', 'changeme'); ¦ ALTER USER a WITH PASSWORD 'example' ¦ identified by "jamesh" in the changelog
    ["password", "username", "remember_me"] ¦ "tokens", "symbol2label" ¦ private_key: "_RSAPrivateKey", data: bytes
    type T = SyntaxKind.QuestionToken | LogicalOperatorOrHigher | AssignmentOperator ¦ :param Ed25519PrivateKey|Ed25519PublicKey|Ed448PrivateKey
    exports.AdminApiKey=exports.AddUploadPartRequest=exports.ActiveStatus=void 0 ¦ exports.ProjectServiceAccountApiKey=ProjectServiceAccountApiKey;
    e.token===67174411?(d|=1,e=f(e,2)):0 ¦ readonly STENCIL_BACK_PASS_DEPTH_PASS: 0x8803 ¦ --- PASS: TestLogin2FA (0.03s)
    first pass: 12 files, second pass: 3 files ¦ the password is required and the token is expired ¦ The token is base64-encoded, the secret is auto-generated
    curl -b cookies.txt https://x ¦ curl -u ada:test-user https://x ¦ https://abc:xyz@example.com ¦ postgres://shop:test-password@localhost/shop
    password | role\n-------+-----\nread | write ¦ name,token\nfirst,second\n ¦ expect(token).toEqual('session-token') ¦ basic authentication-scheme
    ?code=ERR_INVALID_ARGUMENT&line=3 ¦ new Password('options') ¦ at Object.<anonymous> (file.js:1034:shop:admin:function) ¦ 12:30:45:123:4567
    toolu_01A09q90qw90lq917835lq9Xk2 ¦ msg_01XFDUDYJgAACzvnptvVoYEL ¦ call_Zb8QkT0xWm4RvJ2sYp7NcL9d ¦ ses_5c1f0b7a92eexKq4VtR8mZn2Wd
    resp_68a9f1c2d4e5b6078192a3b4c5d6e7f8091a2b3c4d5e6f70 ¦ chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG
    rollout-2026-11-22T02-02-15-01a200fd-6346-76b2-9d8e-0b38bfb9f41a.jsonl ¦ job-3f8a2b1c-9d4e-4f5a-8b6c-7d8e9f0a1b2c ¦ user_01H455VB4PEX5VSKNK084SN02Q
    sha512-9uL2tVrKq8Zx0YbWm3EoN5sTgHc7DfJkAi1RpQvXyUlOeSzBwM4GhFnC6aIdKj2PqRtVuLxWyZsEoTbNmHcDgA==
    node-cache-Linux-x64-npm-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 ¦ feature/JIRA-1234-add-OAuth2-login-form-v2
    @babel/plugin-proposal-decorators-7.23.9 ¦ MuiButtonBase-root-MuiIconButton-sizeMedium-css1x2y3z ¦ x86_64-unknown-linux-gnu-rust-1.75.0
    web-7d9f8b6c5d-x2x9z ¦ PASS: TestLogin2FA (0.03s) ¦ pass: 3 of 4, fail: 1 ¦ net user guide 2.1 ¦ .token('next') ¦ LOGIN failed for 3 users
    INSERT INTO t (name, password) VALUES ('ada', ?)
  `
]

const redactedOf = (kind: string): string => `[redacted:${kind}]`

const survives = (text: string, value: string): boolean => {
  const half = Math.ceil(value.length / 2)
  return text.includes(value.slice(0, half)) || text.includes(value.slice(-half))
}

describe("Redaction.redact", () => {
  it.each(tokens)("redacts a %s by its shape: %#", (kind, secret) => {
    for (const [before, after] of [["before ", " after"] as const, ['"', '"'] as const, ["", ""] as const])
      assert.strictEqual(redact(before + secret + after), before + redactedOf(kind) + after)
  })

  it.each(contexts)("redacts a secret by its place: %j", (before, secret, after) => {
    const text = redact(`${before}${secret}${after}`)
    assert.match(text.slice(before.length), /^\[redacted:[a-z-]{3,20}\]/)
    assert.strictEqual(text.slice(0, before.length), before)
    assert.isTrue(text.endsWith(after), text)
    assert.notInclude(text, secret)
  })

  it.each(kinds)("redacts any value of the kind: $name", (kind) => {
    for (let seed = 1; seed <= (isNight ? 200 : 5); seed += 1) {
      const value = kind.value(randomOf(seed * 7919))
      const text = redact(`It failed: ${kind.text(value)}`)
      assert.isFalse(survives(text, value), `${value} in ${text}`)
      assert.strictEqual(redact(text), text)
    }
  })

  it("text that only looks like a secret, or stands where one would, stays", () => {
    for (const text of harmless) assert.strictEqual(redact(text), text)
  })

  it("redacts key blocks: one cut off, one in JSON, two in a row", () => {
    const [block, redacted] = [pem("RSA "), redactedOf("private-key")]
    assert.strictEqual(redact(`key:\n${block.slice(0, 150)}`), `key:\n${redacted}`)
    assert.strictEqual(redact(JSON.stringify({ note: block })), `{"note":"${redacted}"}`)
    assert.strictEqual(redact(`${block}\n${block}`), `${redacted}\n${redacted}`)
  })

  it("a token that is longer than expected is redacted completely", () => {
    assert.strictEqual(redact(`ghp_${alnum(3000)}`), redactedOf("github-token"))
    assert.notInclude(redact(`eyJ${alnum(30)}.eyJ${alnum(20_000)}.${alnum(9000)}`), alnum(30))
  })

  const piece = FastCheck.oneof(
    FastCheck.constantFrom(...tokens.map(([, secret]) => secret)),
    FastCheck.constantFrom(
      ...contexts.flatMap(([before, secret, after]) => [before, secret, after, before + secret + after])
    ),
    FastCheck.constantFrom(...harmless),
    FastCheck.constantFrom(" ", "\n", "'", '"', "=", ":", "\\", "[", "]", "@", "//", "password", "token="),
    FastCheck.string({ maxLength: 12 })
  )
  const around = FastCheck.array(piece, { maxLength: 4 }).map((parts) => parts.join(""))

  it("every token is redacted in any context, and no secret is found in redacted text", () => {
    FastCheck.assert(
      FastCheck.property(around, FastCheck.constantFrom(...tokens), around, (before, [, secret], after) => {
        const once = redact(`${before} ${secret} ${after}`)
        assert.notInclude(once, ` ${secret} `)
        assert.strictEqual(redact(once), once)
        assert.deepStrictEqual(findSecrets(once), [])
      }),
      { numRuns: isNight ? 500 : 60 }
    )
  })

  it("redaction ends, and replaces the whole text if the search costs too much", () => {
    for (const text of [
      `password: "A-A${"_A".repeat(30)}!"`,
      `pass = a${"_a-b".repeat(40)}!`,
      `token: "${"a_B.".repeat(60)}!"`
    ])
      assert.isString(redact(text))
    const [text, redacted] = ["password=a ".repeat(150_000), redactedOf("too-costly-to-search")]
    assert.strictEqual(redact(text), redacted)
    assert.deepStrictEqual(redactJson({ output: text, exitCode: 1 }), { output: redacted, exitCode: 1 })
  })
})

describe("Redaction.redactJson", () => {
  it("values under a secret's name are redacted completely, and the keys stay", () => {
    const kept = { user: "jane", token_count: 12, nextPageToken: "page-2", secret: null, apiKey: "", token: "$TOKEN" }
    const input = {
      ...kept,
      dbPassword: "plain words",
      headers: { "X-Api-Key": "abc", Authorization: ["Basic eHg="], Accept: "json" },
      credentials: { login: "jane", nested: [{ value: "v" }] },
      password: 12345,
      note: `use ${tokens[2]?.[1] ?? ""} now`
    }
    assert.deepStrictEqual(redactJson(input), {
      ...kept,
      dbPassword: redactedOf("password"),
      headers: { "X-Api-Key": redactedOf("key"), Authorization: [redactedOf("authorization")], Accept: "json" },
      credentials: { login: redactedOf("credentials"), nested: [{ value: redactedOf("credentials") }] },
      password: redactedOf("password"),
      note: "use [redacted:github-token] now"
    })
  })

  it("recognises names of keys and passwords by their parts", () => {
    const names = ["client-key-data", "ansible_become_pass", "smtpPass", "wifi.psk", "MNEMONIC", "passwort"]
    const kept = ["pass", "bypass", "key", "data", "keyCount", "tokens_left"]
    for (const name of names) assert.match(JSON.stringify(redactJson({ [name]: "ab" })), /redacted/, name)
    for (const name of kept) assert.deepStrictEqual(redactJson({ [name]: "ab" }), { [name]: "ab" })
  })

  it("limits cycles and depth, leaves values outside JSON, and lets no key reach the prototype", () => {
    const cycle: Record<string, unknown> = { name: "a" }
    cycle["self"] = cycle
    assert.deepStrictEqual(redactJson(cycle), { name: "a", self: "[redacted:cycle]" })
    let [deep, doubled]: [unknown, unknown] = ["end", { a: 1 }]
    for (let level = 0; level < 5000; level++) deep = [deep]
    assert.include(JSON.stringify(redactJson(deep)), "[redacted:depth]")
    for (let level = 0; level < 90; level++) doubled = [doubled, doubled]
    assert.isArray(redactJson(doubled))
    const date = new Date(0)
    assert.deepStrictEqual([redactJson(date), redactJson(undefined)], [date, undefined])
    const result = redactJson(JSON.parse('{"__proto__": {"polluted": true}, "b": 1}'))
    assert.isUndefined(Reflect.get({}, "polluted"))
    assert.deepStrictEqual(Object.keys(Object(result)), ["__proto__", "b"])
  })

  it("keeps the shape of any JSON and is idempotent", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue(), (value) => {
        const once = redactJson(value)
        assert.deepStrictEqual(redactJson(once), once)
        assert.strictEqual(Array.isArray(once), Array.isArray(value))
      })
    )
  })
})
