/**
 * Texts that a regulator has registered for a sender, such as India's DLT, each with the optional parameters that its
 * messages must carry. The template of a message is found by its text.
 */
import { matchText, ownLength, readTextPattern, type TextPattern } from '../shared/match-text.ts'
import type { SettingReader } from '../shared/setting-reader.ts'
import { NO_VENDOR_TLVS, readVendorTlvs, type VendorTlv } from './vendor-tlv.ts'

export interface SenderTemplates {
  /** Templates with more text outside of placeholders come first: they are more specific. */
  readonly templates: readonly SenderTemplate[]
  /** What to do with a text that fits none of them. */
  readonly unmatched: 'refuse' | 'send'
}

interface SenderTemplate {
  readonly pattern: TextPattern
  readonly tlvs: readonly VendorTlv[]
}

const NO_TEMPLATES: SenderTemplates = { templates: [], unmatched: 'send' }

const MAX_TEMPLATES = 2_000
/** Placeholders of the registers: `{#var#}`, `{#url#}`. One name may stand for different values. */
const REGISTERED_PLACEHOLDER = /\{#\w{1,60}#\}/g

/** `{ "templates": [{ "text": "{#var#} is your code.", "tlvs": […] }], "unmatched": "refuse" }`; both are optional. */
export function readSenderTemplates(settings: SettingReader): SenderTemplates {
  const templates = settings.list('templates', readTemplate)
  if (templates.length > MAX_TEMPLATES) throw settings.wrong('templates', `should be ${MAX_TEMPLATES} at most`)
  const unmatched = settings.oneOf('unmatched', ['refuse', 'send'], 'refuse')
  if (templates.length === 0) return NO_TEMPLATES
  return { templates: templates.toSorted((a, b) => ownLength(b.pattern) - ownLength(a.pattern)), unmatched }
}

/** Returns the parameters of the template that the text fits; null if the text may not be sent. */
export function tlvsByText({ templates, unmatched }: SenderTemplates, text: string): readonly VendorTlv[] | null {
  const fitting = templates.find(({ pattern }) => matchText(pattern, text) !== null)
  if (fitting !== undefined) return fitting.tlvs
  return unmatched === 'send' ? NO_VENDOR_TLVS : null
}

function readTemplate(fields: SettingReader): SenderTemplate {
  let count = 0
  const text = fields.text('text').replace(REGISTERED_PLACEHOLDER, () => {
    count += 1
    return `{{_${count}}}`
  })
  const read = { pattern: readTextPattern(text), tlvs: readVendorTlvs(fields) }
  fields.end()
  return read
}
