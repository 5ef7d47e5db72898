/** The settings of a SIP carrier, read from what an operator wrote; one clear Error names the field that is wrong. */

export interface SipSettings {
  /** The peer: an SBC or a proxy, name or address. */
  readonly host: string
  readonly port: number
  readonly transport: 'udp' | 'tcp'
  /** What stands behind the @ of every address; the host when absent. */
  readonly domain: string
  /** For digest authentication; null when the peer trusts our address. */
  readonly credentials: { readonly username: string; readonly password: string } | null
  /** Calls at one time, those that still ring included. */
  readonly window: number
  /** How long a phone rings before we hang up. */
  readonly ringMs: number
  /** A call that does not ring within this is a route failure. */
  readonly setupTimeoutMs: number
  /** Silence after which the peer is asked by OPTIONS whether it is there; 0 for a peer that answers no such thing. */
  readonly pingMs: number
  /** Our name in Via and Contact; null for the address of the socket. */
  readonly publicHost: string | null
}

const FIELDS: ReadonlySet<string> = new Set([
  ...['host', 'port', 'transport', 'domain', 'username', 'password'],
  ...['window', 'ringMs', 'setupTimeoutMs', 'pingMs', 'publicHost'],
])

/** Throws Error. */
export function readSettings(settings: unknown): SipSettings {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new Error('settings must be an object')
  }
  const fields = new Map<string, unknown>(Object.entries(settings))
  for (const name of fields.keys()) if (!FIELDS.has(name)) throw new Error(`${name} is not a setting of a SIP carrier`)

  const host = readHost(fields, 'host')
  if (host === null) throw new Error('host is missing')
  return {
    host,
    port: readWhole(fields, 'port', 5_060, 1, 65_535),
    transport: readTransport(fields.get('transport')),
    domain: readHost(fields, 'domain') ?? host,
    credentials: readCredentials(fields),
    window: readWhole(fields, 'window', 10, 1, 1_000),
    ringMs: readWhole(fields, 'ringMs', 3_000, 100, 60_000),
    setupTimeoutMs: readWhole(fields, 'setupTimeoutMs', 8_000, 500, 30_000),
    pingMs: readWhole(fields, 'pingMs', 30_000, 0, 600_000),
    publicHost: readHost(fields, 'publicHost'),
  }
}

function readTransport(value: unknown): 'udp' | 'tcp' {
  if (value === undefined) return 'udp'
  if (value === 'udp' || value === 'tcp') return value
  throw new Error('transport must be udp or tcp')
}

function readHost(fields: ReadonlyMap<string, unknown>, name: string): string | null {
  const value = fields.get(name)
  if (value === undefined) return null
  if (typeof value === 'string' && /^[A-Za-z0-9_.:-]{1,253}$/.test(value)) return value
  throw new Error(`${name} must be a host name or an IP address`)
}

function readWhole(
  fields: ReadonlyMap<string, unknown>,
  name: string,
  preset: number,
  least: number,
  most: number,
): number {
  const value = fields.get(name) ?? preset
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(`${name} must be a whole number from ${least} to ${most}`)
}

function readCredentials(fields: ReadonlyMap<string, unknown>): SipSettings['credentials'] {
  const username = readLine(fields, 'username')
  const password = readLine(fields, 'password')
  if (username === null && password === null) return null
  if (username === null) throw new Error('username is missing')
  if (password === null) throw new Error('password is missing')
  return { username, password }
}

function readLine(fields: ReadonlyMap<string, unknown>, name: string): string | null {
  const value = fields.get(name)
  if (value === undefined) return null
  if (typeof value === 'string' && /^\P{Cc}{1,128}$/u.test(value)) return value
  throw new Error(`${name} must be a text of 1 to 128 characters`)
}
