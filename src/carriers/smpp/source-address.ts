/** The sender as an SMPP address: type and plan by its form, unless the settings define them. */
import { isGsmText } from '../../domain/gsm-alphabet.ts'
import type { Address } from '../../wire/smpp/pdu.ts'
import type { SourceSettings } from './read-message-settings.ts'

const TON = { international: 1, network: 3, alphanumeric: 5 } as const
const NPI = { none: 0, e164: 1 } as const
const MAX_NAME = 11
/** Numbers up to this length are short codes. */
const MAX_SHORT_CODE = 6

/** Returns null if the sender is neither a number nor a name that a phone can show. */
export function sourceAddress(sender: string, { sourceTon, sourceNpi }: SourceSettings): Address | null {
  const form = formOf(sender)
  return form === null ? null : { ton: sourceTon ?? form.ton, npi: sourceNpi ?? form.npi, digits: sender }
}

/** Digits are a number, long or short; anything else is a name in characters that GSM and Latin-1 share. */
function formOf(sender: string): Omit<Address, 'digits'> | null {
  if (/^\d{1,15}$/.test(sender)) {
    if (sender.length <= MAX_SHORT_CODE) return { ton: TON.network, npi: NPI.none }
    return { ton: TON.international, npi: NPI.e164 }
  }
  const isName = sender.length <= MAX_NAME && /^[ -~\u00a1-\u00ff]+$/.test(sender) && isGsmText(sender)
  return isName ? { ton: TON.alphanumeric, npi: NPI.none } : null
}
