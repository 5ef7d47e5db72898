/** An opt-out as a row of the table `opt_out`. */
import type { OptOut } from '../../../domain/consent/opt-out.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'

export const OPT_OUT_COLUMNS = 'account_id, phone, sender, set_by, at'

export type OptOutRow = [accountId: AccountId, phone: Phone, sender: string, by: OptOut['by'], at: number]

export function fromOptOutRow([accountId, phone, sender, by, at]: OptOutRow): OptOut {
  return { accountId, sender: sender === '' ? null : sender, phone, by, at }
}
