/** The settings of a SIP carrier, read once and refused with one clear Error when a field is wrong. */
import type { Credentials } from '../../wire/sip/digest.ts'
import type { SipTransport } from '../../wire/sip/transport.ts'
import { SettingReader } from '../setting-reader.ts'
import type { CallerSettings } from './write-invite.ts'

/** What counts as a phone that rings, beside 180. */
export interface RingPolicy {
  /** Of 183: networks announce wrong and switched-off numbers with it, and some show ringing so. */
  readonly earlyMedia: 'ignore' | 'ringing'
  /** Of a 200 that no ringing came before: mostly a voice mailbox. */
  readonly answerWithoutRinging: 'failed' | 'delivered'
}

export interface SipSettings extends RingPolicy, CallerSettings {
  /** The peer: an SBC or a proxy, name or address. Over TLS its certificate must be made out to it. */
  readonly host: string
  readonly port: number
  readonly transport: SipTransport
  /** Who may have signed the peer's certificate, in PEM; null for those whom the system trusts. Of TLS alone. */
  readonly ca: string | null
  /** What stands behind the @ of every address; the host when absent. */
  readonly domain: string
  /** For digest authentication; null when the peer trusts our address. */
  readonly credentials: Credentials | null
  /** Calls at one time, those that still ring included. */
  readonly window: number
  /** How long a phone rings before we hang up. */
  readonly ringMs: number
  /** A call that does not ring within this is given up. */
  readonly setupTimeoutMs: number
  /** A peer that says nothing at all within this, not even 100, is not there: the next route is tried. */
  readonly responseTimeoutMs: number
  /** Silence after which the peer is asked by OPTIONS whether it is there; 0 for a peer that answers no such thing. */
  readonly pingMs: number
  /** Our name in Via and Contact; null for the address of the socket. */
  readonly publicHost: string | null
}

/** @throws Error that names the wrong field: `port: should be …`. */
export function readSipSettings(json: unknown): SipSettings {
  const settings = new SettingReader(json)
  const host = readHost(settings, 'host')
  const transport = settings.oneOf('transport', ['udp', 'tcp', 'tls'], 'udp')
  const read: SipSettings = {
    host,
    port: settings.wholeNumber('port', 1, 65_535, transport === 'tls' ? 5_061 : 5_060),
    transport,
    ca: settings.has('ca') ? readCertificate(settings, transport) : null,
    domain: settings.has('domain') ? readHost(settings, 'domain') : host,
    credentials: settings.has('username') || settings.has('password') ? readCredentials(settings) : null,
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

/** Digits, and none where a country has no such prefix. */
function readDigits(settings: SettingReader, name: string, otherwise?: string): string {
  const value = settings.value(name) ?? otherwise
  if (typeof value === 'string' && /^\d{0,6}$/.test(value) && (value !== '' || otherwise !== undefined)) return value
  throw settings.wrong(name, 'should be text of digits, such as "0"')
}

function readHost(settings: SettingReader, name: string): string {
  const text = settings.text(name)
  if (/^[A-Za-z0-9_.:-]{1,253}$/.test(text)) return text
  throw settings.wrong(name, 'should be a host name or an IP address')
}

function readCertificate(settings: SettingReader, transport: SipTransport): string {
  if (transport !== 'tls') throw settings.wrong('ca', 'needs transport tls')
  return settings.certificates('ca')
}

function readCredentials(settings: SettingReader): Credentials {
  return { username: readLine(settings, 'username'), password: readLine(settings, 'password') }
}

function readLine(settings: SettingReader, name: string): string {
  const text = settings.text(name)
  if (/^\P{Cc}{1,128}$/u.test(text)) return text
  throw settings.wrong(name, 'should be 1 to 128 characters')
}
