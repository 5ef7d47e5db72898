/** The sender as an SMPP address: type and plan by its form, unless the settings define them. */
import { formOfSender } from '../../domain/numbers/sender-form.ts'
import { isGsmText } from '../../domain/text/gsm-alphabet.ts'
import type { Address } from '../../wire/smpp/pdu.ts'

/** Without them, the form of the sender decides. */
export interface SourceSettings {
  readonly sourceTon?: number
  readonly sourceNpi?: number
}

/** Types and plans of numbers (SMPP 3.4, 5.2.5 and 5.2.6). */
const INTERNATIONAL = { ton: 1, npi: 1 } as const
const SHORT_CODE = { ton: 3, npi: 0 } as const
const NAME = { ton: 5, npi: 0 } as const
const MAX_NAME = 11

/** Returns null if the sender is neither a number nor a name that a phone can show. */
export function sourceAddress(sender: string, { sourceTon, sourceNpi }: SourceSettings): Address | null {
  const form = formOf(sender)
  return form === null ? null : { ton: sourceTon ?? form.ton, npi: sourceNpi ?? form.npi, digits: sender }
}

/** Digits are a number, long or short; anything else is a name in characters that GSM and Latin-1 share. */
function formOf(sender: string): Omit<Address, 'digits'> | null {
  const form = formOfSender(sender)
  if (form === 'shortCode') return SHORT_CODE
  if (form === 'number') return INTERNATIONAL
  const isName = sender.length <= MAX_NAME && /^[ -~\u00a1-\u00ff]+$/.test(sender) && isGsmText(sender)
  return isName ? NAME : null
}
