/** Tokens that show themselves by their vendor's prefix or shape. */
import { lazy } from "../text/Lazy.ts"
import type { SecretRule } from "./secretRule.ts"
import { isMasked, isTelling } from "./secretValues.ts"

const word = /[\w-]/

const isPlain = (value: string): boolean => isMasked(value) || !isTelling(value)

const escaped = (needle: string): string => needle.replace(/[.+]/g, "\\$&")

/** A token that starts with `needle` at the beginning of a word. */
const token = (kind: string, needle: string, body: string, more: RegExp = word, isNone = isMasked): SecretRule => {
  const on = lazy(() => new RegExp(`(?<![A-Za-z0-9_])${escaped(needle)}${body}`, "g"))
  return {
    kind,
    needles: [needle],
    begins: true,
    get on() {
      return on()
    },
    more,
    isNone
  }
}

/**
 * The tokens of rows like `aws-key AKIA|ASIA [A-Z2-7]{16}`: the kind, the needles, and what follows a needle. Behind a
 * "~" in front of the kind, names of programs begin so as well: what follows has to be what no word is.
 */
const tokens = (...rows: ReadonlyArray<string>): ReadonlyArray<SecretRule> =>
  rows.flatMap((row) => {
    const [kind = "", needles = "", body = ""] = row.replace(/^~/, "").split(" ")
    const isNone = row.startsWith("~") ? isPlain : isMasked
    return needles.split("|").map((needle) => token(kind, needle, body, word, isNone))
  })

export const vendorRules = (): ReadonlyArray<SecretRule> => [
  ...tokens(
    "aws-key AKIA|ASIA|ABIA|ACCA [A-Z2-7]{16}(?![A-Za-z0-9])",
    "aws-key ABSK [A-Za-z0-9+/]{100,200}={0,2}",
    "github-token ghp_|gho_|ghu_|ghs_|ghr_ [A-Za-z0-9]{30,255}",
    "github-token github_pat_ [A-Za-z0-9_]{22,255}",
    "gitlab-token glpat-|glptt-|gldt-|glrt-|glcbt-|glft-|glsoat-|glagent-|gloas-|glimt- [\\w-]{20,300}(?:\\.[\\w-]{1,30}){0,3}",
    "slack-token xoxb-|xoxp-|xoxa-|xoxr-|xoxs-|xoxo-|xoxc-|xoxd-|xoxe-|xapp- [\\w%-]{10,300}",
    "slack-token xoxe.xox [abp]-[\\w-]{10,300}",
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
    "huggingface-token hf_|api_org_ [A-Za-z0-9]{30,100}",
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
    "shopify-token shpat_|shpca_|shppa_|shpss_|shptka_ [a-fA-F0-9]{32}",
    "grafana-token glsa_|glc_ [\\w+/=]{30,300}",
    "planetscale-token pscale_tkn_|pscale_pw_|pscale_oauth_ [\\w.-]{30,80}",
    "sentry-token sntrys_|sntryu_ [\\w+/=-]{40,300}",
    "notion-token ntn_ [A-Za-z0-9]{40,60}",
    "notion-token secret_ [A-Za-z0-9]{43}(?![A-Za-z0-9])",
    "figma-token figd_|figo_ [\\w-]{30,60}",
    "postman-key PMAK- [a-f0-9]{24}-[a-f0-9]{34}",
    "rubygems-key rubygems_ [a-f0-9]{48}",
    "docker-token dckr_pat_|dckr_oat_ [\\w-]{20,60}",
    "groq-key gsk_ [A-Za-z0-9]{40,80}",
    "xai-key xai- [A-Za-z0-9]{60,100}",
    "replicate-token r8_ [A-Za-z0-9]{35,45}",
    "perplexity-key pplx- [a-zA-Z0-9]{40,60}",
    "netlify-token nfp_|nfc_|nfo_|nfb_|nfu_ [A-Za-z0-9]{36,60}",
    "tailscale-key tskey- [\\w-]{20,100}",
    "pulumi-token pul- [a-f0-9]{40}",
    "newrelic-key NRAK- [A-Z0-9]{27}",
    "heroku-key HRKU- [\\w-]{30,80}",
    "age-key AGE-SECRET-KEY-1 [A-Z0-9]{50,64}",
    "fly-token fm1_|fm1r_|fm2_|fo1_ [\\w+/=,-]{40,2000}",
    "posthog-key phx_ [A-Za-z0-9]{40,60}",
    "square-token sq0atp-|sq0csp- [\\w-]{22,60}",
    "~square-token EAAA [\\w-]{56,64}(?![\\w+/=-])",
    "~dropbox-token sl. [\\w.-]{100,1500}",
    "clickup-token pk_ \\d{5,12}_[A-Z0-9]{32}",
    "mapbox-token sk.eyJ|tk.eyJ [\\w-]{20,400}\\.[\\w-]{16,60}",
    "telnyx-key KEY [A-Za-z0-9]{28,36}_[A-Za-z0-9]{18,30}(?![\\w-])",
    "~resend-key re_ [A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![\\w-])",
    "brevo-key xkeysib-|xsmtpsib- [a-f0-9]{64}-[A-Za-z0-9]{16}",
    "elevenlabs-key sk_ [a-f0-9]{48}(?![\\w-])",
    "langsmith-key lsv2_pt_|lsv2_sk_ [a-f0-9]{32}_[a-f0-9]{10}",
    "~fireworks-key fw_ [A-Za-z0-9]{24}(?![\\w-])",
    "~render-key rnd_ [A-Za-z0-9]{28,40}(?![\\w-])",
    "~voyage-key pa- [\\w-]{40,50}(?![\\w-])",
    "~jina-key jina_ [\\w-]{50,80}",
    "~pinecone-key pcsk_ [\\w-]{50,80}",
    "tavily-key tvly- (?:dev-|prod-)?[A-Za-z0-9]{20,60}",
    "firecrawl-key fc- [a-f0-9]{32}(?![\\w-])",
    "nvidia-key nvapi- [\\w-]{50,80}",
    "sourcegraph-token sgp_ (?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}",
    "sonar-token squ_|sqp_|sqa_ [a-f0-9]{40}",
    "circleci-token CCIPAT_|CCIPRJ_ [\\w-]{40,120}",
    "buildkite-token bkua_ [a-f0-9]{40}",
    "contentful-token CFPAT- [\\w-]{40,60}",
    "dynatrace-token dt0c01.|dt0s16. [A-Z0-9]{24}\\.[A-Z0-9]{64}",
    "artifactory-key AKCp [A-Za-z0-9]{60,80}",
    "razorpay-key rzp_live_|rzp_test_ [A-Za-z0-9]{14,24}",
    "prefect-key pnu_ [A-Za-z0-9]{36}",
    "readme-key rdme_ [a-z0-9]{70}",
    "nuget-key oy2 [a-z0-9]{43}(?![\\w-])",
    "hubspot-token pat-na1-|pat-eu1- [a-f0-9]{8}-[a-f0-9-]{27}",
    "neon-key napi_ [a-z0-9]{60,70}",
    "~brave-key BSA [\\w-]{26,32}(?![\\w-])",
    "~facebook-token EAA [A-Z][A-Za-z0-9]{58,300}(?![\\w+/=-])",
    "e2b-key e2b_ [a-f0-9]{40}",
    "onepassword-token ops_eyJ [\\w-]{100,2000}"
  ),
  {
    kind: "webhook",
    needles: ["hooks.slack.com/", "/api/webhooks/", "webhook.office.com/"],
    on: /(https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:\w{1,10}\.)?discord(?:app)?\.com\/api\/webhooks|[\w-]{1,60}\.webhook\.office\.com\/webhookb2)\/)([\w/@-]{20,300})/g,
    // What stands before the last part names a team and a channel.
    isNone: (value) => isMasked(value.slice(value.lastIndexOf("/") + 1)),
    more: word
  },
  {
    kind: "terraform-token",
    needles: [".atlasv1."],
    on: /(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,100}/g,
    more: word
  },
  { kind: "azure-secret", needles: ["Q~"], on: /(?<![\w.~-])[\w.~-]{3}[78]Q~[\w.~-]{31,34}(?![\w.~-])/g },
  {
    kind: "telegram-token",
    needles: [":AA", "/bot"],
    on: /(?:(?<!\w)\d{8,10}:AA[\w-]{33}|(?<=\/bot)\d{6,12}:[\w-]{35})(?![\w-])/g
  },
  { kind: "airtable-token", needles: ["pat"], begins: true, on: /(?<!\w)pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/g },
  {
    kind: "jwt",
    needles: ["eyJ"],
    on: /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{4,4000}(?:\.[\w-]{0,4000})?/g,
    more: /[\w.-]/
  },
  {
    kind: "password-hash",
    needles: ["$apr1$", "$1$", "$5$", "$6$", "$y$", "$2a$", "$2b$", "$2y$", "$argon2"],
    on: /\$(?:apr1|[156y]|2[aby]|argon2(?:id|i|d))\$[\w./$=,+-]{20,300}/g
  },
  {
    kind: "discord-token",
    needles: [],
    // What stands before it is the bot's number.
    on: /(\.[\w-]{6}\.(?<=(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6}\.))([\w-]{27,45})(?![\w-])/g,
    isNone: isPlain
  },
  {
    kind: "ngrok-token",
    needles: [],
    // What stands before it is the token's number.
    on: /(_)([A-Za-z0-9]{20,24})(?![\w-])(?<=(?<![\w-])[12][A-Za-z0-9]{26}_[A-Za-z0-9]{20,24})/g,
    isNone: isPlain
  }
]
