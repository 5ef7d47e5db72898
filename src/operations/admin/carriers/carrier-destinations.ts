/** Finds the hosts, ports and addresses in carrier settings, and the settings that protect the connection to them. */
import { isRefusedAddress } from '../../../domain/network/refused-networks.ts'
import { FieldRefused } from '../fields/field-refused.ts'

/** Flattened settings: each value under its path. */
export type Leaves = ReadonlyMap<string, string | number | boolean | null>

const HOST_WORDS = new Set(['host', 'hosts', 'server', 'servers', 'proxy', 'registrar'])
const WAY_WORDS = new Set([
  ...HOST_WORDS,
  ...[
    'address',
    'addresses',
    'port',
    'ports',
    'url',
    'uri',
    'domain',
    'srv',
    'servername',
    'transport',
    'tls',
    'ca',
    'certificate',
  ],
])

export function leavesOf(settings: unknown): Leaves {
  const leaves = new Map<string, string | number | boolean | null>()
  collect(settings, '', leaves)
  return leaves
}

/** Settings of calls that a carrier makes: nothing is sent by them. */
const OF_CALLS = /^(receipt|inbound)\.auth\./

/** Returns the sorted paths of destinations that differ. */
export function changedDestinations(before: Leaves, after: Leaves): readonly string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  const leads = (path: string) =>
    !OF_CALLS.test(path) &&
    (hasWord(path, WAY_WORDS) || isUrl(before.get(path) ?? null) || isUrl(after.get(path) ?? null))
  return paths.filter((path) => before.get(path) !== after.get(path) && leads(path)).sort()
}

/** Throws FieldRefused if an address among the settings cannot be a carrier's. */
export function checkDestinations(carrierId: string, settings: unknown): void {
  for (const [path, value] of leavesOf(settings)) {
    const host = typeof value === 'string' ? hostIn(path, value) : null
    if (host === null || !isRefusedAddress(host)) continue
    const rule = `is ${host}, a link-local address or a cloud metadata service, which carriers cannot use`
    throw new FieldRefused(`settings.${path}`, rule, `carrier ${carrierId}: ${path} ${rule}`)
  }
}

export function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(value)
}

/** Returns an IP address in canonical form, whatever its spelling. */
function hostIn(path: string, value: string): string | null {
  if (!isUrl(value) && !hasWord(path, HOST_WORDS)) return null
  // In http addresses, numbers in any base become four decimals.
  const asHttp = isUrl(value)
    ? value.replace(/^[^:]+:/, 'http:')
    : `http://${isBareIpv6(value) ? `[${value}]` : value}`.replace(/%[^\]]*/, '')
  if (!URL.canParse(asHttp)) return null
  return new URL(asHttp).hostname.replace(/^\[|\]$/g, '')
}

/** A port may follow the brackets. */
function isBareIpv6(host: string): boolean {
  return /:.*:/.test(host) && !host.startsWith('[')
}

function hasWord(path: string, words: ReadonlySet<string>): boolean {
  return path.split(/[._-]|(?<=[a-z])(?=[A-Z])/).some((word) => words.has(word.toLowerCase()))
}

function collect(value: unknown, path: string, leaves: Map<string, string | number | boolean | null>): void {
  if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) collect(each, path === '' ? name : `${path}.${name}`, leaves)
  } else if (value !== undefined) {
    leaves.set(path, value as string | number | boolean | null)
  }
}
