/** The settings of an SMPP carrier. */
import { createSecureContext } from 'node:tls'
import { HOST_LIST, readHostAndPort } from '../shared/host-and-port.ts'
import { readNationalCountry } from '../shared/national-country.ts'
import { SettingReader } from '../shared/setting-reader.ts'
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
  /** Of senders of inbound messages without a country code; null if the carrier writes one. */
  readonly nationalCountry: string | null
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
    systemId: settings.ascii('systemId', 15),
    password: settings.ascii('password', MAX_PASSWORD),
    systemType: settings.has('systemType') ? settings.ascii('systemType', 12) : '',
    addressRange: settings.has('addressRange') ? settings.ascii('addressRange', 40) : '',
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
    nationalCountry: readNationalCountry(settings),
  }
  settings.end()
  return read
}

function readHosts(settings: SettingReader): readonly Host[] {
  const host = settings.ascii('host', 253)
  const port = settings.wholeNumber('port', 1, 65_535)
  const backups = settings.texts('backupHosts', HOST_LIST, readHostAndPort)
  return [{ host, port }, ...backups.map((backup) => ({ host: backup.host, port: backup.port ?? port }))]
}

function readOwnCertificate(fields: SettingReader): TlsSettings['own'] {
  if (!fields.has('certificate') && !fields.has('key')) return null
  const own = { cert: fields.certificates('certificate'), key: fields.text('key') }
  fields.check('key', () => createSecureContext(own), 'should be the private key of the certificate, in PEM')
  return own
}

function readTls(fields: SettingReader): TlsSettings {
  const read = {
    own: readOwnCertificate(fields),
    ca: fields.has('ca') ? fields.certificates('ca') : null,
    servername: fields.has('servername') ? fields.ascii('servername', 253) : null,
  }
  fields.end()
  return read
}
