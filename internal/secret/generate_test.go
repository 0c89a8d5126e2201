package secret

import (
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
)

const (
	digits = "0123456789"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	hexa   = digits + "abcdef"
	alnum  = digits + upper + lower
	urlish = alnum + "-_"
	base   = alnum + "+/"
	strong = alnum + "!#%^*-_+="
)

// source makes random secrets. None is written out in the repository: services
// that host code reject pushes of what has the form of a secret.
type source struct{ *rand.Rand }

func (r source) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

func (r source) uuid() string {
	return strings.Join([]string{r.of(hexa, 8), r.of(hexa, 4), "4" + r.of(hexa, 3), "a" + r.of(hexa, 3), r.of(hexa, 12)}, "-")
}

// checked is 30 random characters and their CRC-32 in base 62, as GitHub and npm
// write their tokens.
func (r source) checked() string {
	body := r.of(alnum, 30)
	sum := crc32.ChecksumIEEE([]byte(body))
	var tail [6]byte
	for i := len(tail) - 1; i >= 0; i-- {
		tail[i] = alnum[sum%62]
		sum /= 62
	}
	return body + string(tail[:])
}

func (r source) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
	return b
}

func (r source) jwt() string {
	enc := base64.RawURLEncoding.EncodeToString
	claims := fmt.Sprintf(`{"sub":"%s","iat":%d}`, r.uuid(), 1700000000+r.IntN(1e7))
	return enc([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + enc([]byte(claims)) + "." + enc(r.bytes(32))
}

func (r source) pem(kind string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-----BEGIN %sPRIVATE KEY-----\n", kind)
	text := base64.StdEncoding.EncodeToString(r.bytes(300 + r.IntN(900)))
	for len(text) > 64 {
		b.WriteString(text[:64] + "\n")
		text = text[64:]
	}
	fmt.Fprintf(&b, "%s\n-----END %sPRIVATE KEY-----", text, kind)
	return b.String()
}

// kind is a sort of secret. Its name is the provider's variable as documentation
// writes it.
type kind struct {
	provider, name string
	make           func(r source) string
}

// token is a kind of fixed literals and random runs.
func token(provider, name string, parts ...any) kind {
	return kind{provider, name, func(r source) string {
		var b strings.Builder
		for i := 0; i < len(parts); i++ {
			alphabet := parts[i].(string)
			if i+1 < len(parts) {
				if n, ok := parts[i+1].(int); ok {
					b.WriteString(r.of(alphabet, n))
					i++
					continue
				}
			}
			b.WriteString(alphabet)
		}
		return b.String()
	}}
}

var kinds = []kind{
	token("age", "AGE_KEY", "AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
	token("algolia", "ALGOLIA_ADMIN_KEY", hexa, 32),
	token("anthropic", "ANTHROPIC_API_KEY", "sk-ant-api03-", urlish, 93, "AA"),
	token("aws", "AWS_ACCESS_KEY_ID", "AKIA", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16),
	token("aws", "AWS_SECRET_ACCESS_KEY", base, 40),
	token("azure", "AZURE_CLIENT_SECRET", alnum, 3, "8Q~", alnum+"_~.-", 34),
	{"azure", "AZURE_STORAGE", func(r source) string {
		return "DefaultEndpointsProtocol=https;AccountName=store;AccountKey=" + base64.StdEncoding.EncodeToString(r.bytes(64)) + ";EndpointSuffix=core.windows.net"
	}},
	token("cloudflare", "CLOUDFLARE_API_TOKEN", urlish, 40),
	token("databricks", "DATABRICKS_TOKEN", "dapi", hexa, 32),
	token("datadog", "DATADOG_API_KEY", hexa, 32),
	token("digitalocean", "DO_PAT", "dop_v1_", hexa, 64),
	token("discord", "DISCORD_BOT_TOKEN", "MT", alnum, 24, ".G", alnum, 5, ".", urlish, 38),
	token("docker", "DOCKER_PAT", "dckr_pat_", urlish, 27),
	token("facebook", "FACEBOOK_APP_SECRET", hexa, 32),
	token("fastly", "FASTLY_API_TOKEN", urlish, 32),
	token("gcp", "GOOGLE_API_KEY", "AIza", urlish, 35),
	token("gcp", "GOOGLE_CLIENT_SECRET", "GOCSPX-", urlish, 28),
	{"github", "GITHUB_TOKEN", func(r source) string { return "ghp_" + r.checked() }},
	{"github", "GH_APP_TOKEN", func(r source) string { return "ghs_" + r.checked() }},
	token("github", "GITHUB_PAT", "github_pat_", alnum, 22, "_", alnum, 59),
	token("gitlab", "GITLAB_TOKEN", "glpat-", urlish, 20),
	token("grafana", "GRAFANA_TOKEN", "glsa_", alnum, 32, "_", hexa, 8),
	{"heroku", "HEROKU_API_KEY", func(r source) string { return r.uuid() }},
	token("huggingface", "HF_TOKEN", "hf_", upper+lower, 34),
	{"jwt", "ACCESS_TOKEN", func(r source) string { return r.jwt() }},
	token("linear", "LINEAR_API_KEY", "lin_api_", alnum, 40),
	token("mailchimp", "MAILCHIMP_API_KEY", hexa, 32, "-us14"),
	token("mailgun", "MAILGUN_API_KEY", "key-", hexa, 32),
	token("newrelic", "NEW_RELIC_USER_KEY", "NRAK-", upper+digits, 27),
	{"npm", "NPM_TOKEN", func(r source) string { return "npm_" + r.checked() }},
	token("notion", "NOTION_TOKEN", "ntn_", alnum, 46),
	token("openai", "OPENAI_API_KEY", "sk-", alnum, 20, "T3BlbkFJ", alnum, 20),
	token("openai", "OPENAI_PROJECT_KEY", "sk-proj-", urlish, 74, "T3BlbkFJ", urlish, 74),
	token("postman", "POSTMAN_API_KEY", "PMAK-", hexa, 24, "-", hexa, 34),
	token("pypi", "TWINE_PASSWORD", "pypi-AgEIcHlwaS5vcmc", urlish, 150),
	token("rubygems", "GEM_HOST_API_KEY", "rubygems_", hexa, 48),
	token("sendgrid", "SENDGRID_API_KEY", "SG.", urlish, 22, ".", urlish, 43),
	token("sentry", "SENTRY_AUTH_TOKEN", "sntryu_", hexa, 64),
	token("shopify", "SHOPIFY_TOKEN", "shpat_", hexa, 32),
	token("slack", "SLACK_BOT_TOKEN", "xoxb-", digits, 12, "-", digits, 12, "-", alnum, 24),
	token("slack", "SLACK_HOOK", "https://hooks.slack.com/services/T", upper+digits, 8, "/B", upper+digits, 10, "/", alnum, 24),
	token("square", "SQUARE_TOKEN", "EAAA", urlish, 60),
	token("stripe", "STRIPE_SECRET_KEY", "sk_live_", alnum, 24),
	token("stripe", "STRIPE_WEBHOOK_SECRET", "whsec_", alnum, 32),
	token("telegram", "TELEGRAM_BOT", digits[1:], 10, ":AA", urlish, 33),
	token("terraform", "TF_TOKEN", alnum, 14, ".atlasv1.", urlish, 67),
	token("twilio", "TWILIO_API_KEY", "SK", hexa, 32),
	token("twilio", "TWILIO_AUTH_TOKEN", hexa, 32),
	token("vault", "VAULT_TOKEN", "hvs.", urlish, 90),
	// No provider, only a name that tells.
	token("password", "DB_PASSWORD", strong, 16),
	token("password", "ADMIN_PASSWORD", alnum, 12),
	token("password", "SMTP_PWD", alnum+"!@#$%^&*", 20),
	token("secret", "CLIENT_SECRET", urlish, 32),
	token("secret", "JWT_SECRET", hexa, 64),
	token("secret", "SESSION_SECRET", base, 44),
	token("secret", "SERVICE_API_KEY", alnum, 24),
}

// places are contexts that a secret is written in, with the name and the secret.
var places = []struct{ kind, text string }{
	{"env", "# settings\n%[1]s=%[2]s\nDEBUG=1\n"},
	{"env quoted", "export %[1]s=\"%[2]s\"\n"},
	{"yaml", "service:\n  port: 80\n  %[1]s: %[2]s\n  debug: true\n"},
	{"yaml quoted", "env:\n  - name: %[1]s\n    value: '%[2]s'\n"},
	{"json", "{\n  \"%[1]s\": \"%[2]s\",\n  \"port\": 80\n}\n"},
	{"json text", "body := \"{\\\"%[1]s\\\":\\\"%[2]s\\\"}\"\n"},
	{"toml", "[service]\n%[1]s = \"%[2]s\"\n"},
	{"go", "package main\n\nconst %[1]s = \"%[2]s\"\n\nfunc main() {}\n"},
	{"go typed", "var %[1]s string = `%[2]s`\n"},
	{"python", "import os\n\n%[1]s = '%[2]s'\nprint(os.name)\n"},
	{"python default", "x = os.environ.get(\"%[1]s\", \"%[2]s\")\n"},
	{"javascript", "module.exports = {\n  %[1]s: '%[2]s',\n};\n"},
	{"typescript", "const %[1]s: string = \"%[2]s\";\n"},
	{"shell", "%[1]s='%[2]s' ./deploy --now\n"},
	{"properties", "service.%[1]s = %[2]s\n"},
	{"php", "define('%[1]s', '%[2]s');\n"},
	{"docker", "ENV %[1]s=\"%[2]s\"\nRUN make\n"},
	{"xml", "<config><%[1]s>%[2]s</%[1]s></config>\n"},
	{"comment", "// %[1]s = \"%[2]s\" until the new one works\n"},
}

// styles are the ways that a name is written.
var styles = []func(string) string{
	func(s string) string { return s },
	strings.ToLower,
	func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "-") },
	camel,
}

func camel(s string) string {
	var b strings.Builder
	for i, w := range strings.Split(strings.ToLower(s), "_") {
		if i > 0 {
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		b.WriteString(w)
	}
	return b.String()
}

// structured are secrets with a context of their own: the text before, the
// secret, and the text after.
var structured = []struct {
	kind string
	make func(r source) (before, secret, after string)
}{
	{"url", func(r source) (string, string, string) {
		return "DATABASE_URL=postgres://app:", r.of(alnum, 16), "@db.internal:5432/app\n"
	}},
	{"url", func(r source) (string, string, string) {
		return "git clone https://bot:", r.of(urlish, 20), "@git.internal/x.git\n"
	}},
	{"url", func(r source) (string, string, string) {
		return "redis_url: \"redis://:", r.of(alnum, 24), "@cache:6379/0\"\n"
	}},
	{"header", func(r source) (string, string, string) {
		return "curl -H \"Authorization: Bearer ", r.of(urlish, 40), "\" https://api.internal\n"
	}},
	{"header", func(r source) (string, string, string) {
		return "headers = {'Authorization': 'Basic ", base64.StdEncoding.EncodeToString([]byte("admin:" + r.of(alnum, 14))), "'}\n"
	}},
	{"header", func(r source) (string, string, string) { return "X-Api-Key: ", r.of(alnum, 32), "\r\n" }},
	{"curl", func(r source) (string, string, string) {
		return "curl -s -u admin:", r.of(alnum, 14), " https://api.internal\n"
	}},
	{"netrc", func(r source) (string, string, string) {
		return "machine git.internal login bot password ", r.of(alnum, 16), "\n"
	}},
	{"npmrc", func(r source) (string, string, string) {
		return "//npm.internal/:_authToken=", r.of(alnum, 40), "\n"
	}},
	{"docker config", func(r source) (string, string, string) {
		return "{\"auths\":{\"hub\":{\"auth\":\"", base64.StdEncoding.EncodeToString([]byte("bot:" + r.of(alnum, 20))), "\"}}}\n"
	}},
	{"connection", func(r source) (string, string, string) {
		return "Server=db;Database=app;User Id=sa;Password=", r.of(alnum, 14), ";Encrypt=true\n"
	}},
	{"flag", func(r source) (string, string, string) {
		return "mysql --user=root --password=", r.of(alnum, 14), " app\n"
	}},
	{"flag", func(r source) (string, string, string) { return "./run --api-token ", r.of(alnum, 32), " --fast\n" }},
	{"call", func(r source) (string, string, string) { return "client.setPassword(\"", r.of(strong, 14), "\");\n" }},
	{"attribute", func(r source) (string, string, string) {
		return "<add key=\"ApiKey\" value=\"", r.of(alnum, 28), "\" />\n"
	}},
	{"query", func(r source) (string, string, string) {
		return "fetch(`https://api.internal/v1?access_token=", r.of(alnum, 32), "&page=2`)\n"
	}},
}
