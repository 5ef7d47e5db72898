/**
 * Texts that a regulator has registered for a sender, such as India's DLT, each with the optional parameters that its
 * messages must carry. The template of a message is found by its text.
 */
import type { TextPattern } from '../shared/match-text.ts'
import { bySpecificity, findRegistered, MAX_REGISTERED, readRegisteredText } from '../shared/registered-text.ts'
import { choice, group, listOf, parsed, text } from '../shared/setting-kinds.ts'
import { NO_VENDOR_TLVS, type VendorTlv, vendorTlvs } from './vendor-tlv.ts'

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

/** Settings of a sender, such as `{ "templates": [{ "text": "{#var#} is your code.", "tlvs": […] }] }`. */
export function registeredTemplates() {
  const template = group(
    {
      text: text('The registered text, with `{#var#}` for what differs.'),
      tlvs: vendorTlvs('Optional parameters of messages with this text.'),
    },
    'One registered text.',
  )
  return {
    templates: parsed(
      listOf(template, MAX_REGISTERED, 'templates', 'Texts that a regulator has registered, with their parameters.'),
      (templates): readonly SenderTemplate[] =>
        bySpecificity(templates.map((each) => ({ pattern: readRegisteredText(each.text), tlvs: each.tlvs }))),
    ),
    unmatched: choice(['refuse', 'send'], 'What to do with a text that fits none of the `templates`.', 'refuse'),
  }
}

/** Returns the parameters of the template that the text fits; null if the text may not be sent. */
export function tlvsByText({ templates, unmatched }: SenderTemplates, text: string): readonly VendorTlv[] | null {
  const fitting = findRegistered(templates, text)
  if (fitting !== null) return fitting.found.tlvs
  return templates.length === 0 || unmatched === 'send' ? NO_VENDOR_TLVS : null
}
