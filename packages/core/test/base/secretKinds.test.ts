import { assert, describe, it } from "@effect/vitest"
import { redact } from "../../src/base/redaction/Redaction.ts"
import { kinds, randomOf } from "../support/secretKinds.ts"

/** Whether a half of the value is left. */
const survives = (text: string, value: string): boolean => {
  const half = Math.ceil(value.length / 2)
  return text.includes(value.slice(0, half)) || text.includes(value.slice(-half))
}

const rounds = process.env["REFLEXION_TESTS"] === "night" ? 200 : 5

describe("a secret of any value", () => {
  it.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
    for (let seed = 1; seed <= rounds; seed += 1) {
      const value = kind.value(randomOf(seed * 7919))
      const text = redact(`It failed: ${kind.text(value)}`)
      assert.isFalse(survives(text, value), `${value} in ${text}`)
      assert.strictEqual(redact(text), text)
    }
  })
})

const plain: ReadonlyArray<string> = [
  "<password>string</password>",
  "<password>${db.password}</password>",
  '<label>Password</label><input name="password" value="">',
  'const token: string = "your-token-here"',
  "const apiKey: string = process.env.API_KEY",
  "function login(password: string, token = defaultToken): void {}",
  "define('DB_PASSWORD', 'changeme');",
  "ALTER USER a WITH PASSWORD 'example'",
  'identified by "jamesh" in the changelog',
  '["password", "username", "remember_me"]',
  '"tokens", "symbol2label"',
  'private_key: "_RSAPrivateKey", data: bytes',
  "type T = SyntaxKind.QuestionToken | LogicalOperatorOrHigher | AssignmentOperator",
  ":param Ed25519PrivateKey|Ed25519PublicKey|Ed448PrivateKey",
  "exports.AdminApiKey=exports.AddUploadPartRequest=exports.ActiveStatus=void 0",
  "exports.ProjectServiceAccountApiKey=ProjectServiceAccountApiKey;",
  "e.token===67174411?(d|=1,e=f(e,2)):0",
  "readonly STENCIL_BACK_PASS_DEPTH_PASS: 0x8803",
  "--- PASS: TestLogin2FA (0.03s)",
  "first pass: 12 files, second pass: 3 files",
  "the password is required and the token is expired",
  "The token is base64-encoded, the secret is auto-generated",
  "curl -b cookies.txt https://x",
  "curl -u ada:test-user https://x",
  "https://abc:xyz@example.com",
  "postgres://shop:test-password@localhost/shop",
  "password | role\n-------+-----\nread | write",
  "name,token\nfirst,second\n",
  "expect(token).toEqual('session-token')",
  "basic authentication-scheme",
  "?code=ERR_INVALID_ARGUMENT&line=3",
  "new Password('options')",
  "at Object.<anonymous> (file.js:1034:shop:admin:function)",
  "12:30:45:123:4567",
  "toolu_01A09q90qw90lq917835lq9Xk2",
  "msg_01XFDUDYJgAACzvnptvVoYEL",
  "call_Zb8QkT0xWm4RvJ2sYp7NcL9d",
  "ses_5c1f0b7a92eexKq4VtR8mZn2Wd",
  "resp_68a9f1c2d4e5b6078192a3b4c5d6e7f8091a2b3c4d5e6f70",
  "chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG",
  "rollout-2026-11-22T02-02-15-01a200fd-6346-76b2-9d8e-0b38bfb9f41a.jsonl",
  "job-3f8a2b1c-9d4e-4f5a-8b6c-7d8e9f0a1b2c",
  "user_01H455VB4PEX5VSKNK084SN02Q",
  "sha512-9uL2tVrKq8Zx0YbWm3EoN5sTgHc7DfJkAi1RpQvXyUlOeSzBwM4GhFnC6aIdKj2PqRtVuLxWyZsEoTbNmHcDgA==",
  "node-cache-Linux-x64-npm-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "feature/JIRA-1234-add-OAuth2-login-form-v2",
  "@babel/plugin-proposal-decorators-7.23.9",
  "MuiButtonBase-root-MuiIconButton-sizeMedium-css1x2y3z",
  "x86_64-unknown-linux-gnu-rust-1.75.0",
  "web-7d9f8b6c5d-x2x9z",
  "PASS: TestLogin2FA (0.03s)",
  "pass: 3 of 4, fail: 1",
  "net user guide 2.1",
  ".token('next')",
  "LOGIN failed for 3 users",
  "INSERT INTO t (name, password) VALUES ('ada', ?)"
]

describe("what only stands where a secret would", () => {
  it.each(plain)("is left: %j", (text) => assert.strictEqual(redact(text), text))
})
