/** The settings of an SMPP carrier. */
import { createSecureContext } from 'node:tls'
import { SettingReader } from '../setting-reader.ts'
import { type MessageSettings, readMessageSettings } from './read-message-settings.ts'
import { type ReceiptSettings, readReceiptSettings } from './read-receipt-settings.ts'
import { type OwnMeanings, readStatusMeanings } from './status-meanings.ts'

export interface SmppSettings {
  /** Tried in this order; at least one. */
  readonly hosts: readonly Host[]
  /** Null for a connection without TLS. */
  readonly tls: TlsSettings | null
  readonly systemId: string
  readonly password: string
  /** Empty unless the carrier requires one. */
  readonly systemType: string
  /** Empty unless the carrier requires one. */
  readonly addressRange: string
  /** As in the bind: 0x33, 0x34 or 0x50. */
  readonly interfaceVersion: number
  /** One connection for both directions, or a pair of them. */
  readonly bindAs: 'transceiver' | 'transmitter and receiver'
  /** Connections, or pairs of them, held at the same time. */
  readonly binds: number
  /** Unanswered submits on each connection. */
  readonly window: number
  /** Submits a second on all connections together; 0 sends nothing, null is no limit. */
  readonly throughput: number | null
  readonly responseTimeoutMs: number
  readonly enquireLinkMs: number
  readonly message: MessageSettings
  /** Meanings of the carrier's statuses that differ from the standard table. */
  readonly statuses: OwnMeanings
  readonly receipts: ReceiptSettings
}

interface Host {
  readonly host: string
  readonly port: number
}

/** The carrier's certificate is always verified. */
interface TlsSettings {
  /** CA certificates in PEM; null for those of the system. */
  readonly ca: string | null
  /** The name in the carrier's certificate, if it is not `host`. */
  readonly servername: string | null
  /** The client certificate, in PEM; null if the carrier requires none. */
  readonly own: { readonly cert: string; readonly key: string } | null
}

/** SMPP allows 8 characters; carriers use longer ones, and a PDU holds them. */
const MAX_PASSWORD = 64
const MAX_BACKUP_HOSTS = 8

const INTERFACE_VERSIONS = { '3.3': 0x33, '3.4': 0x34, '5.0': 0x50 } as const

/**
 * The maximum lengths are those of SMPP 3.4, 4.1.1, without the terminating zero, except for the password.
 * @throws Error that names the invalid setting: `port: should be …`.
 */
export function readSmppSettings(json: unknown): SmppSettings {
  const settings = new SettingReader(json)
  const read: SmppSettings = {
    hosts: readHosts(settings),
    tls: settings.has('tls') ? readTls(settings.group('tls')) : null,
    systemId: readAscii(settings, 'systemId', 15),
    password: readAscii(settings, 'password', MAX_PASSWORD),
    systemType: settings.has('systemType') ? readAscii(settings, 'systemType', 12) : '',
    addressRange: settings.has('addressRange') ? readAscii(settings, 'addressRange', 40) : '',
    interfaceVersion: INTERFACE_VERSIONS[settings.oneOf('interfaceVersion', ['3.3', '3.4', '5.0'], '3.4')],
    bindAs: settings.oneOf('bindAs', ['transceiver', 'transmitter and receiver'], 'transceiver'),
    binds: settings.wholeNumber('binds', 1, 100, 1),
    window: settings.wholeNumber('window', 1, 10_000, 10),
    throughput: settings.has('throughput') ? settings.wholeNumber('throughput', 0, 100_000) : null,
    responseTimeoutMs: settings.wholeNumber('responseTimeoutMs', 100, 600_000, 30_000),
    enquireLinkMs: settings.wholeNumber('enquireLinkMs', 1_000, 3_600_000, 30_000),
    message: readMessageSettings(settings),
    statuses: readStatusMeanings(settings),
    receipts: readReceiptSettings(settings),
  }
  settings.end()
  return read
}

function readHosts(settings: SettingReader): readonly Host[] {
  const host = readAscii(settings, 'host', 253)
  const port = settings.wholeNumber('port', 1, 65_535)
  const backups = settings.value('backupHosts') ?? []
  if (!Array.isArray(backups) || backups.length > MAX_BACKUP_HOSTS) {
    throw settings.wrong('backupHosts', `should be a list of at most ${MAX_BACKUP_HOSTS} hosts`)
  }
  const others = backups.map((backup: unknown, index) => {
    const [, name, own] = /^([!-~]{1,253}?)(?::([0-9]{1,5}))?$/.exec(typeof backup === 'string' ? backup : '') ?? []
    const ownPort = own === undefined ? port : Number(own)
    if (name === undefined || ownPort < 1 || ownPort > 65_535) {
      throw settings.wrong(`backupHosts.${index}`, 'should be a host, or a host and its port: smpp2.example.net:2776')
    }
    return { host: name.replace(/^\[(.*)\]$/, '$1'), port: ownPort }
  })
  return [{ host, port }, ...others]
}

function readOwnCertificate(fields: SettingReader): TlsSettings['own'] {
  if (!fields.has('certificate') && !fields.has('key')) return null
  const own = { cert: fields.certificates('certificate'), key: fields.text('key') }
  try {
    createSecureContext(own)
    return own
  } catch {
    throw fields.wrong('key', 'should be the private key of the certificate, in PEM')
  }
}

function readTls(fields: SettingReader): TlsSettings {
  const read = {
    own: readOwnCertificate(fields),
    ca: fields.has('ca') ? fields.certificates('ca') : null,
    servername: fields.has('servername') ? readAscii(fields, 'servername', 253) : null,
  }
  fields.end()
  return read
}

function readAscii(settings: SettingReader, name: string, max: number): string {
  const text = settings.text(name)
  if (text.length <= max && /^[ -~]+$/.test(text)) return text
  throw settings.wrong(name, `should be 1 to ${max} ASCII characters`)
}
