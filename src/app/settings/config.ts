/**
 * Settings of gateways and commands, and the only reader of the environment. Every setting is an environment variable
 * and, except for secrets, a command-line flag; a flag overrides the variable. `docs/operations/operating.md` has the
 * same table.
 */

import { API_NAMES, type ApiName } from '../../contract/operations/api-names.ts'
import { DEFAULT_CHATAPP_NAMES } from '../../contract/operations/default-chatapp-names.ts'
import { DEFAULT_LIMITS } from '../../contract/request/limits.ts'
import { OPERATOR_ROLES, type Role } from '../../domain/accounts/admin-user.ts'
import { LOWER_SHARE, MAX_LOWER_SHARE } from '../../domain/message/traffic-class.ts'
import { nearestName } from '../../domain/text/nearest-name.ts'
import { MCP_SENDING, type McpSending } from '../../operations/mcp/mcp-sending.ts'
import type { NodeRole } from '../../ports/records/cluster.ts'
import { readSecretFile } from './secret-file.ts'
import {
  choice,
  choices,
  currency,
  database,
  days,
  identityProvider,
  names,
  networks,
  optionalSetting,
  origin,
  pairs,
  type Setting,
  type SettingReader,
  secret,
  smtpAddress,
  text,
  token,
  webAddress,
  whole,
} from './setting-readers.ts'

export interface Config {
  readonly host: string
  readonly port: number
  readonly adminHost: string
  readonly adminPort: number
  readonly consoleOrigin: string | null
  readonly ssoIssuer: string | null
  readonly ssoClientId: string | null
  readonly ssoClientSecret: string | null
  readonly ssoName: string
  readonly ssoGroupsClaim: string
  readonly ssoRoles: readonly (readonly [group: string, role: Role])[]
  readonly dataDir: string
  /** May contain a password: never print it. */
  readonly database: string | null
  readonly role: NodeRole
  readonly publicUrl: string | null
  readonly sandboxKey: string | null
  readonly secretKeyFile: string | null
  readonly secretKey: string | null
  readonly costCurrency: string
  readonly lifetimeMinSeconds: number
  readonly templatesKept: number
  readonly templateBytesKept: number
  readonly idempotencyBytes: number
  readonly hookAllow: readonly string[]
  readonly chatappNames: readonly string[]
  readonly apis: readonly ApiName[]
  readonly smppHost: string
  readonly smppPort: number
  readonly smppTlsCert: string | null
  readonly smppTlsKey: string | null
  readonly smppTlsClientCa: string | null
  readonly trustedProxies: readonly string[]
  readonly logLevel: string
  readonly heldMessages: number
  readonly keptMessages: number
  readonly bulkShare: number
  readonly settledKeptDays: number | null
  readonly inboundKeptDays: number | null
  readonly stopNoticeSeconds: number
  readonly server: string | null
  readonly token: string | null
  readonly metricsToken: string | null
  /** May contain a password: never print it. */
  readonly smtpUrl: string | null
  readonly mailFrom: string
  readonly mcpSend: McpSending
}

const settings = {
  host: text('HOST', 'address', '127.0.0.1', 'listen address of the public port'),
  port: whole(
    'PORT',
    0,
    65_535,
    '8080',
    'public port: the API, carrier webhooks, short links, /healthz; 0 for any free port',
  ),
  adminHost: text(
    'ADMIN_HOST',
    'address',
    '127.0.0.1',
    'listen address of the admin port; another one than loopback only in a network that operators alone can reach',
  ),
  adminPort: whole(
    'ADMIN_PORT',
    0,
    65_535,
    '8081',
    'admin port: /console/, /admin/v1, /mcp, /metrics, /carriers, /readyz; 0 for any free port',
  ),
  consoleOrigin: origin(
    'CONSOLE_ORIGIN',
    'https://console.example.com',
    'address of the console in browsers, if it is reached by a public name; not needed for an IP address or localhost',
  ),
  ssoIssuer: identityProvider(
    'SSO_ISSUER',
    "the firm's identity provider (OpenID Connect), with which operators sign in to the console",
  ),
  ssoClientId: optionalSetting('SSO_CLIENT_ID', 'id', 'what the identity provider calls the console'),
  ssoClientSecret: secret(
    optionalSetting(
      'SSO_CLIENT_SECRET',
      'secret',
      'secret of the console at the identity provider; only from the environment or a file',
    ),
  ),
  ssoName: text('SSO_NAME', 'name', 'company account', 'what users call it, for the button of the console'),
  ssoGroupsClaim: text('SSO_GROUPS_CLAIM', 'claim', 'groups', "claim with a user's groups"),
  ssoRoles: pairs(
    'SSO_ROLES',
    OPERATOR_ROLES,
    'group=role pairs separated by commas, such as posthorn-admins=owner,staff=support: the first whose group the user has is the role, and * is everyone; who has none is refused',
  ),
  dataDir: text(
    'DATA_DIR',
    'folder',
    './data',
    'folder of the secret key and, unless POSTHORN_DATABASE is set, of the database',
  ),
  database: secret(
    database(
      'DATABASE',
      'PostgreSQL database, which several gateways can share, postgres://user@host:5432/name, with several hosts for standbys; a file in POSTHORN_DATA_DIR by default. Keep the password in the environment or in ~/.pgpass',
    ),
  ),
  role: choice(
    'ROLE',
    ['all', 'api', 'delivery'],
    'all',
    'role of this gateway among those on POSTHORN_DATABASE: take requests, deliver, or both',
  ),
  publicUrl: webAddress(
    'PUBLIC_URL',
    'https://messages.example.com',
    'public address of the public port, which providers with webhooks need; short links have by default that of POSTHORN_HOST and POSTHORN_PORT',
  ),
  sandboxKey: secret(optionalSetting('SANDBOX_KEY', 'key', 'API key of the sandbox account; random by default')),
  secretKeyFile: optionalSetting(
    'SECRET_KEY_FILE',
    'file',
    'file with the keys that encrypt texts and secrets in the database; secret.key in POSTHORN_DATA_DIR by default',
  ),
  costCurrency: currency('COST_CURRENCY', 'EUR', 'currency of carrier costs without one, ISO 4217'),
  lifetimeMinSeconds: whole(
    'LIFETIME_MIN_SECONDS',
    1,
    1_209_600,
    String(DEFAULT_LIMITS.lifetimeMinSeconds),
    'minimum lifetime in requests, seconds',
  ),
  templatesKept: whole(
    'TEMPLATES_KEPT',
    0,
    100_000,
    String(DEFAULT_LIMITS.templatesKept),
    'maximum SMS templates of one account',
  ),
  templateBytesKept: whole(
    'TEMPLATE_BYTES_KEPT',
    0,
    1_073_741_824,
    String(DEFAULT_LIMITS.templateBytesKept),
    'maximum bytes of the SMS templates of one account in the database',
  ),
  idempotencyBytes: whole(
    'IDEMPOTENCY_BYTES',
    0,
    68_719_476_736,
    String(DEFAULT_LIMITS.idempotencyBytes),
    'maximum bytes of the answers of one account in the database, which are kept for 24 hours for its Idempotency-Keys',
  ),
  hookAllow: networks('HOOK_ALLOW', 'non-public networks in which hooks are allowed, CIDR form, separated by commas'),
  chatappNames: names(
    'CHATAPP_NAMES',
    DEFAULT_CHATAPP_NAMES,
    'other names of the chat app in requests, such as viber for clients of another service; separated by commas, or none',
  ),
  apis: choices(
    'APIS',
    API_NAMES,
    'json,rest',
    'APIs for clients: json at /api/json.php and /v1/json, rest at /v1/, and those of other services, xml at /api/xml.php and query at /api/http.php, kannel at /cgi-bin/sendsms, jasmin at /send and /secure/, logins at /logins/ for login servers, and smpp on a port of its own; separated by commas, or none',
  ),
  smppHost: text('SMPP_HOST', 'address', '127.0.0.1', 'listen address of the SMPP server; needs smpp in POSTHORN_APIS'),
  smppPort: whole('SMPP_PORT', 0, 65_535, '2775', 'port of the SMPP server; 0 for any free port'),
  smppTlsCert: optionalSetting(
    'SMPP_TLS_CERT',
    'file',
    'file with the certificate of the SMPP server and those that issued it, PEM; then it speaks only TLS',
  ),
  smppTlsKey: optionalSetting('SMPP_TLS_KEY', 'file', 'file with the private key of that certificate, PEM'),
  smppTlsClientCa: optionalSetting(
    'SMPP_TLS_CLIENT_CA',
    'file',
    'file with the authorities whose certificates clients of the SMPP server must have, PEM; by default they need none',
  ),
  trustedProxies: networks(
    'TRUSTED_PROXIES',
    'networks of trusted proxies, whose X-Forwarded-For and Forwarded headers are used; CIDR form, separated by commas',
  ),
  logLevel: choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info', 'minimum level of log lines'),
  heldMessages: whole(
    'HELD_MESSAGES',
    100,
    1_000_000,
    '20000',
    'maximum messages held in memory per channel, at most half of them from one account; further ones wait in the database',
  ),
  keptMessages: whole('KEPT_MESSAGES', 0, 1_000_000, '20000', 'maximum messages cached in memory for their receipts'),
  bulkShare: whole(
    'BULK_SHARE',
    0,
    MAX_LOWER_SHARE,
    String(LOWER_SHARE),
    'of 100 messages to a carrier or from a sender with a rate, those that bulk keeps, and as many notices, while messages of a higher traffic class wait',
  ),
  settledKeptDays: days(
    'SETTLED_KEPT_DAYS',
    '30',
    "days to keep data that served only delivery: settled reports, carriers' message ids",
  ),
  inboundKeptDays: days('INBOUND_KEPT_DAYS', '90', 'days to keep inbound messages'),
  stopNoticeSeconds: whole(
    'STOP_NOTICE_SECONDS',
    0,
    30,
    '2',
    'seconds for which a stopping gateway still takes requests while not ready, so that load balancers and clients notice',
  ),
  mailFrom: text(
    'MAIL_FROM',
    'address',
    'posthorn@localhost',
    'sender address of the e-mails about alarms; needs POSTHORN_SMTP_URL',
  ),
  mcpSend: choice(
    'MCP_SEND',
    MCP_SENDING,
    'none',
    'what MCP clients may send: nothing, test messages to simulated phones, or also real messages',
  ),
  server: webAddress(
    'SERVER',
    'http://127.0.0.1:8081',
    'admin address of a running gateway for commands to use; by default they work on POSTHORN_DATA_DIR',
  ),
  token: secret(token('TOKEN', 'token of commands for POSTHORN_SERVER; only from the environment or a file')),
  metricsToken: secret(
    token('METRICS_TOKEN', 'token required by /metrics and /carriers; only from the environment or a file'),
  ),
  smtpUrl: secret(
    smtpAddress(
      'SMTP_URL',
      'SMTP server for e-mails about alarms, smtp://user:password@mail.example.com:587 or smtps:// for TLS from the start; only from the environment or a file',
    ),
  ),
  // Its file is the setting secretKeyFile, because `posthorn init` and `secret-key rotate` write that file.
  secretKey: optionalSetting(
    'SECRET_KEY',
    'keys',
    'the keys themselves instead of POSTHORN_SECRET_KEY_FILE, newest first; only from the environment',
  ),
} satisfies { readonly [K in keyof Config]: Setting & { readonly read: SettingReader<Config[K]> } }

/** Settings of a gateway, in the order of the documentation. */
export const SETTINGS: readonly Setting[] = Object.entries(settings).flatMap(([name, setting]) => {
  return ['server', 'token', 'metricsToken', 'smtpUrl', 'secretKey', 'ssoClientSecret'].includes(name) ? [] : [setting]
})

/** Settings that can be flags: other users of the machine could read a token or key on a command line. */
export const FLAGS: readonly Setting[] = [...SETTINGS, settings.server]

/** A setting is invalid; the text names the setting, the rule and its source. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

/** Secret settings, each of which can be in a file. */
const SECRETS = (Object.values(settings) as readonly Setting[]).filter(({ secret: is }) => is)

/** The variables that name files of secret settings. */
export const FILE_VARIABLES: readonly string[] = SECRETS.map(fileVariable)

/** Reads the configuration; `flags` are by flag name, without dashes. Throws ConfigError. */
export function readConfig(
  flags: Readonly<Record<string, string>> = {},
  environment: Environment = process.env,
): Config {
  const entries = Object.entries(settings).map(([name, setting]) => {
    const { source, read } = sourceOf(setting, flags, environment)
    try {
      return [name, setting.read(read() ?? setting.default ?? '')]
    } catch (error) {
      throw new ConfigError(`${source}: ${(error as Error).message}`)
    }
  })
  return Object.fromEntries(entries) as Config
}

function fileVariable({ env }: Setting): string {
  return `${env}_FILE`
}

/** Returns where the value of a setting comes from: its flag, its variable, or the file of a secret one. */
function sourceOf(setting: Setting, flags: Readonly<Record<string, string>>, environment: Environment) {
  const flag = flags[setting.flag]
  if (flag !== undefined) return { source: `--${setting.flag}`, read: () => flag }
  // An empty variable counts as unset.
  const value = environment[setting.env] || null
  const file = setting.secret ? environment[fileVariable(setting)] : ''
  if (!file) return { source: setting.env, read: () => value }
  if (value !== null) throw new ConfigError(`${setting.env} and ${fileVariable(setting)}: set only one of them`)
  return { source: fileVariable(setting), read: () => readSecretFile(file) }
}

/**
 * Whether npm or npx runs the program and waits for its end. A script of several commands may leave it running on
 * purpose, as `posthorn sandbox & sleep 3` does.
 */
export function isCommandOfNpm(environment: Environment = process.env): boolean {
  const script = environment['npm_lifecycle_script'] ?? ''
  return script.includes('posthorn') && !/[&;|\n]/.test(script)
}

/**
 * Returns variables of the environment that look like settings but are unknown, such as misspelt ones, with the nearest
 * setting.
 */
export function unknownVariables(
  environment: Environment = process.env,
): readonly { readonly variable: string; readonly nearest: string | null }[] {
  const known = [...Object.values(settings).map(({ env }) => env), ...FILE_VARIABLES]
  return Object.keys(environment)
    .filter((name) => name.startsWith('POSTHORN_') && !known.includes(name))
    .map((variable) => ({ variable, nearest: nearestName(variable, known) }))
}
