/** Refuses a field whose value breaks a rule, and checks that many endpoints share. */
import { type Phone, readPhone, readRecipient } from '../../../domain/numbers/phone.ts'
import { hasHiddenCharacters } from '../../../domain/text/hidden-characters.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'

export interface FieldError {
  /** Name as sent: `name`, `numbers.0`. */
  readonly field: string
  /** The rule that the value breaks. */
  readonly detail: string
}

/** The admin API lists the fields in `errors`; on the command line they are options. */
export class FieldRefused extends ChangeRefused {
  override readonly name = 'FieldRefused'
  readonly errors: readonly FieldError[]

  constructor(field: string, rule: string, message = `${field}: ${rule}`) {
    super(message)
    this.errors = [{ field, detail: rule }]
  }

  /** Refuses several fields, at least one; the message is that of the first if absent. */
  static of([first = NO_FIELD, ...others]: readonly FieldError[], message?: string): FieldRefused {
    return Object.assign(new FieldRefused(first.field, first.detail, message), { errors: [first, ...others] })
  }
}

const NO_FIELD: FieldError = { field: 'body', detail: 'is refused' }

/**
 * Makes all checks, so that a form shows all that is wrong at once. Returns their results. Throws FieldRefused, whose
 * message is the first.
 */
export function checkAll<Results extends readonly unknown[]>(
  ...checks: { readonly [Place in keyof Results]: () => Results[Place] }
): Results {
  const refused: FieldRefused[] = []
  const results = checks.map((check) => {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof FieldRefused)) throw error
      refused.push(error)
      return undefined
    }
  })
  if (refused.length === 0) return results as unknown as Results
  throw FieldRefused.of(
    refused.flatMap(({ errors }) => errors),
    refused[0]?.message,
  )
}

/** Throws FieldRefused with the rule unless the value is good. */
export function checkField(field: string, isGood: boolean, rule: string): void {
  if (!isGood) throw new FieldRefused(field, rule)
}

/** Throws FieldRefused if only a new thing is wanted, and `before` exists. */
export function checkNew(onlyNew: boolean | undefined, before: unknown, field: string, what: string): void {
  checkField(field, onlyNew !== true || before === undefined || before === null, `${what} exists already`)
}

const PHONE_RULE = 'must be a possible phone number with its country code, such as 37120000000'

export const TIME_ZONE_RULE = 'must be an IANA name such as Europe/Berlin or UTC'
export const RECIPIENT_RULE = `${PHONE_RULE}, or a user id, such as US.13491208655302741918`

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
