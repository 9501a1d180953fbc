/**
 * Secrets that show themselves: by a vendor's prefix, a scheme, or the command that takes them.
 *
 * @since 0.1.0
 */

import { lazy } from "./lazy.ts"

export interface SecretRule {
  readonly kind: string
  /** One of these stands in every text with such a secret. */
  readonly needles: ReadonlyArray<string>
  /** Group 1, where there is one, is what stays before the secret; group 2 is then the secret. */
  readonly on: RegExp
  /** The characters that go on belonging to the secret past the bound of `on`. */
  readonly more?: RegExp
  /** A value that a person typed: it may be a placeholder by its words. */
  readonly typed?: true
}

const word = /[\w-]/

/** A token that starts with `needle` at the beginning of a word. */
const token = (kind: string, needle: string, body: string, more: RegExp = word): SecretRule => {
  const on = lazy(() => new RegExp(`(?<![A-Za-z0-9_])${needle.replace(/[.+]/g, "\\$&")}${body}`, "g"))
  return {
    kind,
    needles: [needle],
    get on() {
      return on()
    },
    more
  }
}

/**
 * The tokens of rows like `aws-key AKIA|ASIA [A-Z2-7]{16}`: the kind, the needles, and what follows a needle.
 */
const tokens = (...rows: ReadonlyArray<string>): ReadonlyArray<SecretRule> =>
  rows.flatMap((row) => {
    const [kind = "", needles = "", body = ""] = row.split(" ")
    return needles.split("|").map((needle) => token(kind, needle, body))
  })

const vendors = (): ReadonlyArray<SecretRule> => [
  ...tokens(
    "aws-key AKIA|ASIA|ABIA|ACCA [A-Z2-7]{16}(?![A-Za-z0-9])",
    "github-token ghp_|gho_|ghu_|ghs_|ghr_ [A-Za-z0-9]{30,255}",
    "github-token github_pat_ [A-Za-z0-9_]{22,255}",
    "gitlab-token glpat-|glptt-|gldt-|glrt-|glcbt-|glft-|glsoat-|glagent-|gloas-|glimt- [\\w-]{20,300}"
  ),
  {
    kind: "slack-token",
    needles: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe", "xapp-"],
    on: /(?<![A-Za-z0-9_])(?:xoxe\.)?(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,300}/g,
    more: word
  },
  {
    kind: "webhook",
    needles: ["hooks.slack.com/", "/api/webhooks/", "webhook.office.com/"],
    on: /(https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:\w{1,10}\.)?discord(?:app)?\.com\/api\/webhooks|[\w-]{1,60}\.webhook\.office\.com\/webhookb2)\/)([\w/@-]{20,300})/g,
    more: word
  },
  ...tokens(
    "stripe-key sk_live_|rk_live_|sk_test_|rk_test_ [A-Za-z0-9]{16,250}",
    "stripe-key whsec_ [A-Za-z0-9+/=]{24,200}",
    "anthropic-key sk-ant- [\\w-]{20,250}",
    "openai-key sk-proj-|sk-svcacct-|sk-admin- [\\w-]{20,250}",
    "openrouter-key sk-or- [\\w-]{20,100}",
    "api-key sk- (?=[A-Za-z0-9]{0,60}\\d)(?=[A-Za-z0-9]{0,60}[A-Za-z])[A-Za-z0-9]{32,100}",
    "google-key AIza [\\w-]{35}"
  ),
  token("google-token", "ya29.", "[\\w-]{20,1000}", /[\w.-]/),
  ...tokens(
    "google-secret GOCSPX- [\\w-]{20,60}",
    "npm-token npm_ [A-Za-z0-9]{36}",
    "pypi-token pypi- [\\w-]{50,1000}",
    "sendgrid-key SG. [\\w-]{16,32}\\.[\\w-]{30,64}",
    "twilio-key SK [0-9a-f]{32}(?![A-Za-z0-9])",
    "mailgun-key key- [0-9a-f]{32}(?![A-Za-z0-9])",
    "huggingface-token hf_ [A-Za-z0-9]{30,100}",
    "digitalocean-token dop_v1_|doo_v1_|dor_v1_ [a-f0-9]{64}",
    "doppler-token dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.scim. [\\w.-]{30,120}",
    "linear-key lin_api_|lin_oauth_ [A-Za-z0-9]{32,100}",
    "vercel-token vcp_|vci_|vca_|vcr_|vck_ [A-Za-z0-9]{24,120}",
    "supabase-key sbp_ [a-f0-9]{40}",
    "supabase-key sb_secret_ [\\w-]{20,100}",
    "databricks-token dapi [a-f0-9]{32}(?:-\\d)?(?![A-Za-z0-9])",
    "atlassian-token ATATT3|ATCTT3 [\\w=-]{50,300}",
    "atlassian-token ATBB [A-Za-z0-9]{32}",
    "vault-token hvs.|hvb.|hvr. [\\w-]{20,300}",
    "shopify-token shpat_|shpca_|shppa_|shpss_ [a-fA-F0-9]{32}",
    "grafana-token glsa_|glc_ [\\w+/=]{30,300}",
    "planetscale-token pscale_tkn_|pscale_pw_|pscale_oauth_ [\\w.-]{30,80}",
    "sentry-token sntrys_|sntryu_ [\\w+/=-]{40,300}",
    "notion-token ntn_ [A-Za-z0-9]{40,60}",
    "figma-token figd_ [\\w-]{30,60}",
    "postman-key PMAK- [a-f0-9]{24}-[a-f0-9]{34}",
    "rubygems-key rubygems_ [a-f0-9]{48}",
    "docker-token dckr_pat_ [\\w-]{20,60}",
    "groq-key gsk_ [A-Za-z0-9]{40,80}",
    "xai-key xai- [A-Za-z0-9]{60,100}",
    "replicate-token r8_ [A-Za-z0-9]{35,45}",
    "perplexity-key pplx- [a-zA-Z0-9]{40,60}",
    "netlify-token nfp_ [A-Za-z0-9]{36,60}",
    "tailscale-key tskey- [\\w-]{20,100}",
    "pulumi-token pul- [a-f0-9]{40}",
    "newrelic-key NRAK- [A-Z0-9]{27}",
    "heroku-key HRKU- [\\w-]{30,80}",
    "age-key AGE-SECRET-KEY-1 [A-Z0-9]{50,64}"
  ),
  {
    kind: "terraform-token",
    needles: [".atlasv1."],
    on: /(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,100}/g,
    more: word
  },
  { kind: "azure-secret", needles: ["Q~"], on: /(?<![\w.~-])[\w.~-]{3}[78]Q~[\w.~-]{31,34}(?![\w.~-])/g },
  { kind: "telegram-token", needles: [":AA"], on: /(?<!\w)\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { kind: "airtable-token", needles: ["pat"], on: /(?<!\w)pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/g },
  {
    kind: "azure-key",
    needles: ["AccountKey=", "SharedAccessKey=", "accountkey="],
    on: /((?:AccountKey|SharedAccessKey|accountkey)=)([A-Za-z0-9+/]{20,120}={0,2})/g
  },
  {
    kind: "aws-secret",
    needles: ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "ecretAccessKey"],
    on: /((?:aws_secret_access_key|secretAccessKey)[\\"'\s:=]{1,8})([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/gi
  },
  { kind: "azure-sas", needles: ["sig="], on: /([?&]sig=)([A-Za-z0-9%/+_-]{30,150}(?:%3D|=){0,2})/g },
  {
    kind: "signed-url",
    needles: ["X-Amz-Signature=", "X-Goog-Signature=", "X-Amz-Security-Token="],
    on: /(X-(?:Amz-Signature|Goog-Signature|Amz-Security-Token)=)([\w%/+.-]{20,2000})/g,
    more: /[\w%/+.-]/
  },
  {
    kind: "jwt",
    needles: ["eyJ"],
    on: /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{4,4000}(?:\.[\w-]{0,4000})?/g,
    more: /[\w.-]/
  }
]

const schemes = (): ReadonlyArray<SecretRule> => [
  {
    kind: "authorization",
    needles: ["uthorization", "UTHORIZATION"],
    on: /(\b(?:proxy-)?authorization\\{0,3}["']{0,1}\s{0,3}[:=]\s{0,3}\\{0,3}["'`]?(?:(?:bearer|basic|token|digest|apikey|negotiate|bot)\s{1,3})?)([A-Za-z0-9][\w.~+/=:-]{7,4000})/gi,
    more: /[\w.~+/=-]/,
    typed: true
  },
  {
    kind: "bearer",
    needles: ["earer ", "EARER "],
    on: /(\bbearer {1,3})((?=[\w.~+/=-]{0,60}\d)[A-Za-z0-9][\w.~+/=-]{15,4000})/gi,
    more: /[\w.~+/=-]/,
    typed: true
  },
  {
    kind: "cookie",
    needles: ["ookie: ", "OOKIE: "],
    on: /(\b(?:set-)?cookie: {1,3}[\w.-]{1,80}=)([^\s"'`\\;[][^\r\n"'`\\]{3,4000})/gi,
    more: /[^\r\n"'`\\]/,
    typed: true
  },
  {
    kind: "url-password",
    needles: ["://"],
    on: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"`<>()[\]{}$]{0,100}:)([^\s@/'"`<>()[\]{}]{2,300})(?=@[\w[])/gi,
    typed: true
  },
  {
    kind: "url-token",
    needles: ["://"],
    on: /(\bhttps?:\/\/)((?=[\w-]{0,60}\d)[\w-]{20,300})(?=@[\w[])/gi
  },
  {
    kind: "password",
    needles: ["curl "],
    on: /(\bcurl [^\r\n|;&]{0,300}?(?:(?<= )-u ?|--user[= ])["']?[^\s:'"$<]{1,100}:)([^\s'"$<[]{3,200})/g,
    typed: true
  },
  {
    kind: "password",
    needles: ["mysql", "mariadb"],
    on: /(\b(?:mysql|mariadb)[\w-]{0,20} [^\r\n|;&]{0,300}?(?<= )-p["']?)([^\s'"$<[-][^\s'"]{2,200})/g,
    typed: true
  },
  {
    kind: "password",
    needles: ["sshpass ", "docker login ", "redis-cli ", "podman login "],
    on: /(\b(?:sshpass|(?:docker|podman) login [^\r\n|;&]{0,200}?(?=-p)|redis-cli [^\r\n|;&]{0,200}?(?=-a)) ?-[pa] ?["']?)([^\s'"$<[-][^\s'"]{2,200})/g,
    typed: true
  },
  {
    kind: "password",
    needles: ["machine "],
    on: /(\bmachine\s{1,9}\S{1,200}\s{1,9}(?:login\s{1,9}\S{1,200}\s{1,9})?password\s{1,9})([^\s$<[]{3,300})/g,
    typed: true
  }
]

export const secretRules: () => ReadonlyArray<SecretRule> = lazy(() => [...vendors(), ...schemes()])
