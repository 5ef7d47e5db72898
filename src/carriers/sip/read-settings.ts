/** The settings of a SIP carrier. */
import net from 'node:net'
import type { Credentials } from '../../wire/sip/digest.ts'
import type { SipHost } from '../../wire/sip/locate.ts'
import type { SipTransport } from '../../wire/sip/transport.ts'
import { HOST_LIST, readHostAndPort } from '../shared/host-and-port.ts'
import { SettingReader } from '../shared/setting-reader.ts'
import type { CallerSettings } from './write-invite.ts'

/** What counts as ringing besides 180. */
export interface RingPolicy {
  /** For 183: networks announce wrong and switched-off numbers with it, and some signal ringing with it. */
  readonly earlyMedia: 'ignore' | 'ringing'
  /** For a 200 without ringing before it: mostly a voice mailbox. */
  readonly answerWithoutRinging: 'failed' | 'delivered'
}

export interface SipSettings extends RingPolicy, CallerSettings {
  /** The peer, an SBC or a proxy, and its backups. Over TLS their certificates must name them. */
  readonly hosts: readonly SipHost[]
  /** Addresses of name servers; empty for those of the system. */
  readonly dnsServers: readonly string[]
  readonly transport: SipTransport
  /** Local address and port; null and 0 for any. */
  readonly localHost: string | null
  readonly localPort: number
  /** CA certificates of the peer, in PEM; null for those of the system. For TLS only. */
  readonly ca: string | null
  /** The part after the @ in every address; the host if absent. */
  readonly domain: string
  /** For digest authentication; null if the peer trusts the IP address. */
  readonly credentials: Credentials | null
  /** Lifetime of a registration; null for no registration. */
  readonly registerSeconds: number | null
  /** Concurrent calls, including those that still ring. */
  readonly window: number
  /** How long a phone rings before the gateway hangs up. */
  readonly ringMs: number
  /** A call that does not ring within this time is given up. */
  readonly setupTimeoutMs: number
  /** A peer that sends nothing within this time, not even 100, is unreachable: the next route is tried. */
  readonly responseTimeoutMs: number
  /** Silence after which the peer is pinged by OPTIONS; 0 for a peer that does not answer them. */
  readonly pingMs: number
  /** Host name in Via and Contact; null for the address of the socket. */
  readonly publicHost: string | null
}

/** @throws Error that names the invalid setting: `port: should be …`. */
export function readSipSettings(json: unknown): SipSettings {
  const settings = new SettingReader(json)
  const host = readHost(settings, 'host')
  const transport = settings.oneOf('transport', ['udp', 'tcp', 'tls'], 'udp')
  const read: SipSettings = {
    hosts: [
      { host, port: settings.has('port') ? settings.wholeNumber('port', 1, 65_535) : null },
      ...settings.texts('backupHosts', HOST_LIST, readHostAndPort),
    ],
    dnsServers: settings.texts('dnsServers', { items: 'IP addresses', rule: 'should be an IP address' }, readServer),
    transport,
    localHost: settings.has('localHost') ? readAddress(settings, 'localHost') : null,
    localPort: settings.has('localPort') ? settings.wholeNumber('localPort', 1, 65_535) : 0,
    ca: settings.has('ca') ? readCertificate(settings, transport) : null,
    domain: settings.has('domain') ? readHost(settings, 'domain') : host,
    credentials: settings.has('username') || settings.has('password') ? readCredentials(settings) : null,
    registerSeconds: settings.has('registerSeconds') ? settings.wholeNumber('registerSeconds', 60, 86_400) : null,
    window: settings.wholeNumber('window', 1, 1_000, 10),
    ringMs: settings.wholeNumber('ringMs', 100, 60_000, 3_000),
    setupTimeoutMs: settings.wholeNumber('setupTimeoutMs', 500, 30_000, 8_000),
    responseTimeoutMs: settings.wholeNumber('responseTimeoutMs', 500, 30_000, 4_000),
    pingMs: settings.wholeNumber('pingMs', 0, 600_000, 30_000),
    ...readCaller(settings),
    earlyMedia: settings.oneOf('earlyMedia', ['ignore', 'ringing'], 'ignore'),
    answerWithoutRinging: settings.oneOf('answerWithoutRinging', ['failed', 'delivered'], 'failed'),
    publicHost: settings.has('publicHost') ? readHost(settings, 'publicHost') : null,
  }
  settings.end()
  if (read.fromUser === 'username' && read.credentials === null) throw settings.wrong('fromUser', 'needs a username')
  if (read.registerSeconds !== null && read.credentials === null) {
    throw settings.wrong('registerSeconds', 'needs a username')
  }
  return read
}

function readCaller(settings: SettingReader): CallerSettings {
  const formats = ['plus', 'digits', 'national'] as const
  const caller: CallerSettings = {
    callerFormat: settings.oneOf('callerFormat', formats, 'plus'),
    calledFormat: settings.oneOf('calledFormat', formats, 'plus'),
    countryCode: settings.has('countryCode') ? readDigits(settings, 'countryCode') : null,
    nationalPrefix: readDigits(settings, 'nationalPrefix', '0'),
    internationalPrefix: readDigits(settings, 'internationalPrefix', '00'),
    fromUser: settings.oneOf('fromUser', ['caller', 'username'], 'caller'),
    identity: settings.oneOf('identity', ['asserted', 'preferred', 'none'], 'asserted'),
    privacy: settings.has('privacy') ? settings.oneOf('privacy', ['none', 'id']) : null,
    prack: settings.flag('prack', true),
  }
  const isNational = caller.callerFormat === 'national' || caller.calledFormat === 'national'
  if (isNational && caller.countryCode === null) throw settings.wrong('countryCode', 'is needed for national numbers')
  return caller
}

/** Reads digits; with `fallback` they may be empty, for a country without such a prefix. */
function readDigits(settings: SettingReader, name: string, fallback?: string): string {
  const value = settings.value(name) ?? fallback
  if (typeof value === 'string' && /^\d{0,6}$/.test(value) && (value !== '' || fallback !== undefined)) return value
  throw settings.wrong(name, 'should be text of digits, such as "0"')
}

function readHost(settings: SettingReader, name: string): string {
  return settings.matching(name, /^[A-Za-z0-9_.:-]{1,253}$/, 'should be a host name or an IP address')
}

function readAddress(settings: SettingReader, name: string): string {
  const text = settings.text(name)
  if (net.isIP(text) !== 0) return text
  throw settings.wrong(name, 'should be an IP address')
}

/** Reads an IP address with an optional port. */
function readServer(text: string): string | null {
  const place = readHostAndPort(text)
  return place !== null && net.isIP(place.host) !== 0 ? text : null
}

function readCertificate(settings: SettingReader, transport: SipTransport): string {
  if (transport !== 'tls') throw settings.wrong('ca', 'needs transport tls')
  return settings.certificates('ca')
}

function readCredentials(settings: SettingReader): Credentials {
  const read = (name: string) => settings.matching(name, /^\P{Cc}{1,128}$/u, 'should be 1 to 128 characters')
  return { username: read('username'), password: read('password') }
}
