/**
 * Optional parameters outside of SMPP 3.4 that a carrier or a regulator requires, such as the entity id of India's DLT
 * in 0x1400. Text values may contain placeholders for fields of the submission.
 */
import type { Submission } from '../../ports/carriers/carrier.ts'
import type { Tlv } from '../../wire/smpp/tlv.ts'
import type { SettingReader } from '../shared/setting-reader.ts'

export interface VendorTlv {
  readonly tag: number
  /** Bytes, or a text whose placeholders `writeVendorTlvs` fills. */
  readonly value: Uint8Array | string
}

export const NO_VENDOR_TLVS: readonly VendorTlv[] = []

const MAX_TLVS = 16
const MAX_BYTES = 1_024

const FIELDS: Readonly<Record<string, (submission: Submission) => string>> = {
  sender: ({ sender }) => sender,
  phone: ({ phone }) => phone,
  messageId: ({ messageId }) => String(messageId),
}

const PLACEHOLDER = /\{(\w+)\}/g

/** Reads the list `tlvs`; empty if it is missing. */
export function readVendorTlvs(settings: SettingReader): readonly VendorTlv[] {
  const tlvs = settings.list('tlvs', readVendorTlv)
  if (tlvs.length <= MAX_TLVS) return tlvs
  throw settings.wrong('tlvs', `should be ${MAX_TLVS} at most`)
}

/** Reads `{ "tag": "0x1400", "value": "text" }` or `{ "tag": "0x1400", "hex": "31 32 00" }`. */
function readVendorTlv(fields: SettingReader): VendorTlv {
  const tag = readTag(fields)
  const value = fields.has('hex') ? readHex(fields) : readTemplate(fields)
  fields.end()
  return { tag, value }
}

/** Of several with the same tag, the last one is written. */
export function writeVendorTlvs(vendor: readonly VendorTlv[], submission: Submission): readonly Tlv[] {
  const byTag = new Map(vendor.map(({ tag, value }) => [tag, value]))
  return [...byTag].map(([tag, value]) => ({
    tag,
    value: typeof value === 'string' ? Buffer.from(fill(value, submission), 'latin1') : value,
  }))
}

function fill(template: string, submission: Submission): string {
  return template.replace(PLACEHOLDER, (whole, name: string) => FIELDS[name]?.(submission) ?? whole)
}

function readTag(fields: SettingReader): number {
  return Number(fields.matching('tag', /^0x[0-9a-f]{1,4}$/i, 'should be four hexadecimal digits such as "0x1400"'))
}

function readHex(fields: SettingReader): Uint8Array {
  const digits = fields.text('hex').replaceAll(' ', '')
  if (/^([0-9a-f]{2})+$/i.test(digits) && digits.length <= 2 * MAX_BYTES) return Buffer.from(digits, 'hex')
  throw fields.wrong('hex', `should be 1 to ${MAX_BYTES} bytes in hexadecimal digits`)
}

function readTemplate(fields: SettingReader): string {
  const text = fields.text('value')
  const unknown = [...text.matchAll(PLACEHOLDER)].find(([, name = '']) => !Object.hasOwn(FIELDS, name))
  if (unknown !== undefined) throw fields.wrong('value', `${unknown[0]} is none of ${Object.keys(FIELDS).join(', ')}`)
  if (text.length <= MAX_BYTES && /^[\0-\xff]+$/.test(text)) return text
  throw fields.wrong('value', `should be 1 to ${MAX_BYTES} characters of Latin-1`)
}
