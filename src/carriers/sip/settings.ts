/** The settings of a SIP carrier. */
import net from 'node:net'
import Type from 'typebox'
import { host, hostList, readHostAndPort } from '../shared/host-and-port.ts'
import { readSettings, WrongSetting } from '../shared/read-settings.ts'
import {
  COMMON_SETTINGS,
  certificates,
  choice,
  flag,
  group,
  item,
  listOf,
  millis,
  SECRET,
  seconds,
  standard,
  textOf,
  whole,
} from '../shared/setting-kinds.ts'

export type SipSettings = ReturnType<typeof readSipSettings>

/** What counts as ringing besides 180. */
export type RingPolicy = Pick<SipSettings, 'earlyMedia' | 'answerWithoutRinging'>

const NUMBER_FORMATS = ['plus', 'digits', 'national'] as const
const IP_ADDRESS = 'an IP address'
const DIGITS = { rule: 'text of digits, such as "0"', pattern: '^\\d{0,6}$' }

/** May be empty, for a country without such a prefix. */
function prefix(description: string, value: string) {
  return standard(Type.String({ ...DIGITS, minLength: 0, default: value, description }))
}

function credential(description: string, about = {}) {
  return Type.Optional(textOf(/^\P{Cc}{1,128}$/u, '1 to 128 characters', description, about))
}

export const SIP_SETTINGS = group(
  {
    host: host(
      'The peer, an SBC or a proxy; a name without a `port` is resolved by its SRV records first (RFC 3263), then by its addresses with port 5060 (TLS 5061).',
    ),
    port: Type.Optional(whole(1, 65_535, 'Port of the peer.')),
    backupHosts: hostList('Hosts such as `"192.0.2.7:5070"` that are tried in this order.'),
    dnsServers: listOf(
      item(IP_ADDRESS, readServer),
      8,
      'IP addresses',
      'Name servers; by default those of the system.',
    ),
    transport: choice(['udp', 'tcp', 'tls'], 'Transport to the peer, whose certificate must name it.', 'udp'),
    ca: Type.Optional(certificates('Certificate of a private authority, PEM, for `transport` `tls`.')),
    localHost: Type.Optional(item(IP_ADDRESS, readIp, 'Local address, for trunks that identify you by it.')),
    localPort: Type.Optional(whole(1, 65_535, 'Local port, for trunks that identify you by it.')),
    domain: Type.Optional(host('The part after the @ of every address; by default the `host`.')),
    username: credential('User name for digest authentication: MD5, SHA-256 and SHA-512-256.'),
    password: credential('Its password, for a proxy and for the peer behind it.', SECRET),
    registerSeconds: Type.Optional(
      seconds(60, 86_400, 'Registers `username` for this time; the carrier is down until that succeeds.'),
    ),
    window: whole(1, 1_000, 'Simultaneous calls, including those that still ring.', 10),
    ringMs: millis(100, 60_000, 'How long a phone rings; a route can override it.', 3_000),
    setupTimeoutMs: millis(500, 30_000, 'A call that does not ring within this time is given up.', 8_000),
    responseTimeoutMs: millis(500, 30_000, 'A peer that answers nothing within it is skipped.', 4_000),
    pingMs: millis(0, 600_000, 'Idle time after which OPTIONS checks the peer; `0` for never.', 30_000),
    callerFormat: choice(
      NUMBER_FORMATS,
      'How the calling number is written: `plus` (+4930123456), `digits` (4930123456), `national` (030123456; 0044… for other countries).',
      'plus',
    ),
    calledFormat: choice(NUMBER_FORMATS, 'How the called number is written.', 'plus'),
    countryCode: Type.Optional(
      Type.String({ ...DIGITS, minLength: 1, description: 'Country code of the trunk; required for `national`.' }),
    ),
    nationalPrefix: prefix('Prefix of `national` numbers.', '0'),
    internationalPrefix: prefix('Prefix of `national` numbers of other countries.', '00'),
    fromUser: choice(['caller', 'username'], 'The user in From; `username` if the trunk reads `identity`.', 'caller'),
    identity: choice(['asserted', 'preferred', 'none'], 'P-Asserted-Identity or P-Preferred-Identity.', 'asserted'),
    privacy: Type.Optional(choice(['none', 'id'], 'Privacy header: `none` shows the number, `id` hides it.')),
    prack: flag('Offers reliable ringing (100rel), which survives a lost packet.', true),
    earlyMedia: choice(
      ['ignore', 'ringing'],
      'What 183 means: nothing, because many networks announce wrong and switched-off numbers with it, or the same as 180.',
      'ignore',
    ),
    answerWithoutRinging: choice(['failed', 'delivered'], 'What a 200 without 180 before means.', 'failed'),
    publicHost: Type.Optional(host('Our host name in Via and Contact; by default the address of the socket.')),
    ...COMMON_SETTINGS,
  },
  'Flash calls over SIP.',
  'SIP',
)

/** @throws Error that names the invalid setting: `port: should be …`. */
export function readSipSettings(json: unknown) {
  const { backupHosts, username, password, ...settings } = readSettings(SIP_SETTINGS, json)
  const { registerSeconds = null, countryCode = null, ca = null, callerFormat, calledFormat } = settings
  if (ca !== null && settings.transport !== 'tls') throw new WrongSetting('ca', 'needs transport tls')
  if ((callerFormat === 'national' || calledFormat === 'national') && countryCode === null) {
    throw new WrongSetting('countryCode', 'is needed for national numbers')
  }
  const credentials = readCredentials(username, password)
  if (credentials === null && settings.fromUser === 'username') throw new WrongSetting('fromUser', 'needs a username')
  if (credentials === null && registerSeconds !== null) throw new WrongSetting('registerSeconds', 'needs a username')
  return {
    ...settings,
    ca,
    registerSeconds,
    countryCode,
    credentials,
    /** The peer, and its backups in their order. */
    hosts: [{ host: settings.host, port: settings.port ?? null }, ...backupHosts],
    localHost: settings.localHost ?? null,
    /** 0 for any. */
    localPort: settings.localPort ?? 0,
    domain: settings.domain ?? settings.host,
    privacy: settings.privacy ?? null,
    publicHost: settings.publicHost ?? null,
  }
}

/** Returns null if the peer trusts the IP address. */
function readCredentials(username?: string, password?: string) {
  if (username === undefined && password === undefined) return null
  if (username === undefined) throw new WrongSetting('username', 'should be text')
  if (password === undefined) throw new WrongSetting('password', 'should be text')
  return { username, password }
}

function readIp(text: string): string | null {
  return net.isIP(text) === 0 ? null : text
}

/** Reads an IP address with an optional port. */
function readServer(text: string): string | null {
  const place = readHostAndPort(text)
  return place !== null && net.isIP(place.host) !== 0 ? text : null
}
