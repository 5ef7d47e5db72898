/**
 * Optional parameters outside of SMPP 3.4 that a carrier or a regulator requires, such as the entity id of India's DLT
 * in 0x1400. Text values may contain placeholders for fields of the submission.
 */
import Type from 'typebox'
import type { Submission } from '../../ports/carriers/carrier.ts'
import type { Tlv } from '../../wire/smpp/tlv.ts'
import { WrongSetting } from '../shared/read-settings.ts'
import { group, listOf, parsed, text, textOf } from '../shared/setting-kinds.ts'

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

const PLACEHOLDER = /\{([\w.]+)\}/g
/** A value that the sender is registered with in the country of the phone. */
const REGISTERED = /^registration\.(\w+)$/

/** `{ "tag": "0x1400", "value": "text" }` or `{ "tag": "0x1400", "hex": "31 32 00" }`. */
const VENDOR_TLV = parsed(
  group(
    {
      tag: textOf(/^0x[0-9a-fA-F]{1,4}$/, 'four hexadecimal digits such as "0x1400"', 'Tag of the parameter.'),
      value: Type.Optional(
        parsed(
          text(
            'Its text, with `{sender}`, `{phone}`, `{messageId}` and values such as `{registration.entity}` filled in; `\\u0000` ends a C-string.',
          ),
          checkTemplate,
        ),
      ),
      hex: Type.Optional(parsed(text('Its bytes in place of `value`: `"31 00"`.'), readHex)),
    },
    'One optional parameter.',
    'Parameter',
  ),
  ({ tag, value, hex }): VendorTlv => {
    if (value !== undefined && hex !== undefined) throw new WrongSetting('value', 'should not stand beside hex')
    const given = hex ?? value
    if (given === undefined) throw new WrongSetting('value', 'should be text')
    return { tag: Number(tag), value: given }
  },
)

export function vendorTlvs(description: string) {
  return listOf(VENDOR_TLV, MAX_TLVS, 'parameters', description)
}

/** Of several with the same tag, the last one is written; none with a value that the sender is not registered with. */
export function writeVendorTlvs(vendor: readonly VendorTlv[], submission: Submission): readonly Tlv[] {
  const byTag = new Map(vendor.map(({ tag, value }) => [tag, value]))
  return [...byTag].flatMap(([tag, value]) => {
    const filled = typeof value === 'string' ? fill(value, submission) : value
    return filled === null ? [] : { tag, value: typeof filled === 'string' ? Buffer.from(filled, 'latin1') : filled }
  })
}

/** Returns null if a value is missing. */
function fill(template: string, submission: Submission): string | null {
  const values = [...template.matchAll(PLACEHOLDER)].map(([whole, name = '']) => readValue(name, submission) ?? whole)
  if (values.includes(MISSING)) return null
  let next = 0
  return template.replace(PLACEHOLDER, () => values[next++] ?? '')
}

const MISSING = ''

function readValue(name: string, submission: Submission): string | undefined {
  const [, registered] = REGISTERED.exec(name) ?? []
  return registered === undefined ? FIELDS[name]?.(submission) : (submission.registration?.[registered] ?? MISSING)
}

function readHex(text: string): Uint8Array {
  const digits = text.replaceAll(' ', '')
  if (/^([0-9a-f]{2})+$/i.test(digits) && digits.length <= 2 * MAX_BYTES) return Buffer.from(digits, 'hex')
  throw new Error(`should be 1 to ${MAX_BYTES} bytes in hexadecimal digits`)
}

function checkTemplate(text: string): string {
  const isKnown = (name: string) => Object.hasOwn(FIELDS, name) || REGISTERED.test(name)
  const unknown = [...text.matchAll(PLACEHOLDER)].find(([, name = '']) => !isKnown(name))
  if (unknown !== undefined)
    throw new Error(`${unknown[0]} is none of ${Object.keys(FIELDS).join(', ')}, registration.…`)
  if (text.length <= MAX_BYTES && /^[\0-\xff]+$/.test(text)) return text
  throw new Error(`should be 1 to ${MAX_BYTES} characters of Latin-1`)
}
