/** Refuses a field whose value breaks a rule, and checks that many endpoints share. */
import { type Phone, readPhone, readRecipient } from '../../../domain/numbers/phone.ts'
import { hasHiddenCharacters } from '../../../domain/text/hidden-characters.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'

/** The admin API lists the field in `errors`; on the command line it is an option. */
export class FieldRefused extends ChangeRefused {
  override readonly name = 'FieldRefused'
  readonly field: string
  readonly rule: string

  constructor(field: string, rule: string, message = `${field}: ${rule}`) {
    super(message)
    this.field = field
    this.rule = rule
  }
}

/** Throws FieldRefused with the rule unless the value is good. */
export function checkField(field: string, isGood: boolean, rule: string): void {
  if (!isGood) throw new FieldRefused(field, rule)
}

/** Throws FieldRefused if only a new thing is wanted, and `before` exists. */
export function checkNew(onlyNew: boolean | undefined, before: unknown, field: string, what: string): void {
  checkField(field, onlyNew !== true || before === undefined || before === null, `${what} exists already`)
}

export const PHONE_RULE = 'must be a possible phone number with its country code, such as 37120000000'

const RECIPIENT_RULE = `${PHONE_RULE}, or a user id, such as US.13491208655302741918`

/** Throws FieldRefused if it is neither a phone nor a user id. */
export function readRecipientField(text: string): Phone {
  const phone = readRecipient(text)
  if (phone === null) throw new FieldRefused('phone', RECIPIENT_RULE)
  return phone
}

/** Throws FieldRefused. */
export function readPhoneField(text: string): Phone {
  const phone = readPhone(text)
  if (phone === null) throw new FieldRefused('phone', PHONE_RULE)
  return phone
}

const EXPIRY_RULE = 'must be a time in the future, such as 2027-12-31T23:59:59Z, or null for never'

/** Throws FieldRefused for a time, milliseconds, that is not in the future. Null never expires. */
export function checkExpiry(expiresAt: number | null, now: number): void {
  checkField('expires_at', expiresAt === null || expiresAt > now, EXPIRY_RULE)
}

/** Throws FieldRefused. */
export function checkNote(note: string, maxCharacters: number): void {
  const isGood = note.length <= maxCharacters && note.isWellFormed() && !hasHiddenCharacters(note)
  checkField('note', isGood, `must have at most ${maxCharacters} characters and no control or invisible characters`)
}
