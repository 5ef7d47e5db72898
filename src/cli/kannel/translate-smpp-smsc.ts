/** Translates the settings of an `smsc = smpp` group to those of an SMPP carrier. */
import type { GroupReader } from './group-reader.ts'
import type { PlannedCarrier } from './import-plan.ts'

const MAX_PORT = 65_535
/** As Kannel writes it in decimal digits. */
const VERSIONS: ReadonlyMap<string, string> = new Map([
  ['33', '3.3'],
  ['34', '3.4'],
  ['50', '5.0'],
])
/** Bits of msg-id-type: whether answers, and whether receipts, have hexadecimal ids. */
const HEX_ANSWERS = 1
const HEX_RECEIPTS = 2

const ALPHABETS: ReadonlyMap<string, string> = new Map([
  ['iso-8859-1', 'latin1'],
  ['iso_8859-1', 'latin1'],
  ['latin1', 'latin1'],
  ['windows-1252', 'latin1'],
  ['ascii', 'ascii'],
  ['us-ascii', 'ascii'],
  ['utf-8', 'utf8'],
  ['utf8', 'utf8'],
])

/** Returns null, with a note, if the group lacks what a carrier needs. `hasReceiver`: another group receives for it. */
export function translateSmpp(reader: GroupReader, hasReceiver: boolean): PlannedCarrier['settings'] | null {
  const host = reader.text('host')
  const port = reader.number('port', 1, MAX_PORT)
  const systemId = reader.text('smsc-username')
  const password = reader.text('smsc-password') ?? ''
  if (host === null || port === null || systemId === null) {
    reader.note(null, 'has no host, no port or no smsc-username')
    return null
  }
  return withoutNull({
    host,
    port,
    systemId,
    password,
    ...translateBind(reader, port, hasReceiver),
    ...translateSending(reader),
    ...translateAddresses(reader),
    ...translateIds(reader),
  })
}

function translateBind(reader: GroupReader, port: number, hasReceiver: boolean) {
  const receivePort = reader.number('receive-port', 0, MAX_PORT) ?? 0
  const isTransceiver = reader.flag('transceiver-mode') === true
  if (receivePort !== 0 && receivePort !== port)
    reader.note('receive-port', `Posthorn receives at port ${port} as well`)
  if (!isTransceiver && receivePort === 0 && !hasReceiver) {
    reader.note(null, 'Kannel only sends with it; Posthorn also binds a receiver, for receipts')
  }
  const version = reader.text('interface-version')
  const known = version === null ? undefined : VERSIONS.get(version)
  if (version !== null && known === undefined) reader.note('interface-version', 'is no version of SMPP: 3.4 is used')
  return {
    bindAs: isTransceiver ? null : 'transmitter and receiver',
    binds: reader.number('instances', 1, 100),
    systemType: reader.text('system-type'),
    addressRange: reader.text('address-range'),
    interfaceVersion: known ?? null,
    tls: reader.flag('use-ssl') === true ? {} : null,
  }
}

function translateSending(reader: GroupReader) {
  // 0 means no limit to Kannel, and nothing at all to Posthorn.
  const throughput = reader.number('throughput', 0, 100_000) ?? 0
  const alphabet = reader.text('alt-charset')?.toLowerCase() ?? null
  const known = alphabet === null ? undefined : ALPHABETS.get(alphabet)
  if (alphabet !== null && alphabet !== 'gsm' && known === undefined) {
    reader.note('alt-charset', 'is no alphabet of Posthorn: data_coding 0 is GSM')
  }
  return {
    window: reader.number('max-pending-submits', 1, 10_000),
    throughput: throughput === 0 ? null : Math.max(1, Math.floor(throughput)),
    enquireLinkMs: inMillis(reader.number('enquire-link-interval', 1, 3_600)),
    responseTimeoutMs: inMillis(reader.number('wait-ack', 1, 600)),
    serviceType: reader.text('service-type'),
    priority: reader.number('priority', 0, 3),
    defaultAlphabet: known ?? null,
  }
}

function translateAddresses(reader: GroupReader) {
  const [ton, npi] = [reader.number('source-addr-ton', 0, 255), reader.number('source-addr-npi', 0, 255)]
  // Kannel finds it out itself by default; the numbers then count for senders of digits only.
  const finds = reader.flag('source-addr-autodetect') !== false
  if (finds && ton !== null)
    reader.note('source-addr-ton', 'Posthorn chooses it by the form of each sender, as Kannel mostly does')
  return {
    sourceTon: finds ? null : ton,
    sourceNpi: finds ? null : npi,
    destinationTon: reader.number('dest-addr-ton', 0, 255),
    destinationNpi: reader.number('dest-addr-npi', 0, 255),
  }
}

function translateIds(reader: GroupReader) {
  const text = reader.text('msg-id-type')
  if (text === null) return {}
  const bits = /^(0x)?0*[0-3]$/i.test(text) ? Number(text) : null
  if (bits === null) {
    reader.note('msg-id-type', 'is not 0x00 to 0x03: ids are compared as they are')
    return {}
  }
  const form = (bit: number) => ((bits & bit) === 0 ? 'decimal' : 'hex')
  return { receiptIds: { answer: form(HEX_ANSWERS), receipt: form(HEX_RECEIPTS) } }
}

function inMillis(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000)
}

function withoutNull(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
}
