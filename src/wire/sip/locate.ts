/**
 * Locates a SIP peer (RFC 3263): an address is used as it is, a name with a port is resolved by its address records, a
 * name alone by its SRV records first. Uses DNS only, with a time limit: not the hosts file, and not the system's
 * lookup, which would block other lookups.
 */
import { Resolver } from 'node:dns/promises'
import net from 'node:net'
import { isRefusedAddress } from '../../domain/network/refused-networks.ts'
import type { SipAddress, SipTransport } from './transport.ts'

/** A host from the settings. */
export interface SipHost {
  readonly host: string
  /** Null for the port of the SRV record, or else the standard port. */
  readonly port: number | null
}

/** The address to connect to, and the name that its certificate must have. */
export interface SipTarget extends SipAddress {
  readonly name: string
}

/** Limit of addresses that are tried for one host. */
const MAX_TARGETS = 16
const SERVICE = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' } as const
/** DNS has no such record; any other error is a failure of DNS. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])
const LOCALHOST = ['127.0.0.1', '::1']

export class SipLocator {
  readonly #resolver: Resolver
  readonly #draw: () => number

  /**
   * @param servers addresses of name servers; empty for those of the system. @param draw returns a random number from 0
   * to below 1.
   */
  constructor(servers: readonly string[], draw: () => number) {
    this.#resolver = new Resolver({ timeout: 1_500, tries: 2 })
    if (servers.length > 0) this.#resolver.setServers(servers)
    this.#draw = draw
  }

  /** Returns at least one target, in order of preference. Rejects if there is none. */
  async locate({ host, port }: SipHost, transport: SipTransport): Promise<readonly SipTarget[]> {
    const standard = port ?? (transport === 'tls' ? 5_061 : 5_060)
    if (net.isIP(host) !== 0) return [{ host, port: standard, name: host }]
    const services = port === null ? await this.#services(`${SERVICE[transport]}.${host}`) : []
    const places = services.length === 0 ? [{ host, port: standard }] : services
    const found = await Promise.all(
      places.map(async (place) =>
        (await this.#addresses(place.host)).map((address) => ({ host: address, port: place.port, name: host })),
      ),
    )
    const targets = found.flat().slice(0, MAX_TARGETS)
    if (targets.length === 0) throw new Error(`${host} has no address in DNS`)
    const refused = targets.find((target) => isRefusedAddress(target.host))
    if (refused !== undefined) throw new Error(`${host} resolves to ${refused.host}, which is refused`)
    return targets
  }

  /** In the order of RFC 2782: the lowest priority first, within a priority by a weighted random draw. */
  async #services(name: string): Promise<readonly SipAddress[]> {
    const records = await orNone(this.#resolver.resolveSrv(name))
    const drawn = records
      .slice(0, MAX_TARGETS)
      .map((record) => ({ ...record, place: this.#draw() ** (1 / Math.max(record.weight, 0.01)) }))
    drawn.sort((a, b) => a.priority - b.priority || b.place - a.place)
    return drawn.map(({ name: host, port }) => ({ host, port }))
  }

  async #addresses(host: string): Promise<readonly string[]> {
    if (net.isIP(host) !== 0) return [host]
    if (/^(.+\.)?localhost\.?$/i.test(host)) return LOCALHOST
    const [four, six] = await Promise.all([
      orNone(this.#resolver.resolve4(host)),
      orNone(this.#resolver.resolve6(host)),
    ])
    return [...four, ...six]
  }
}

/** Returns no records if DNS says that there are none; rejects if DNS fails. */
async function orNone<T>(asked: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await asked
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return []
    throw error
  }
}
