/** Phone numbers in the form of a trunk: some carriers require the plus, some national numbers only. */

export interface NumberPlan {
  /** The calling code of the trunk's country: `49`. Required for national numbers. */
  readonly countryCode: string | null
  /** The prefix of a national number, and of one in another country. */
  readonly nationalPrefix: string
  readonly internationalPrefix: string
}

/** `plus`: +4930123456. `digits`: 4930123456. `national`: 030123456, and 004312345678 for another country. */
export type NumberFormat = 'plus' | 'digits' | 'national'

/** @param digits E.164 without the plus. */
export function writeNumber(digits: string, format: NumberFormat, plan: NumberPlan): string {
  if (format === 'plus') return `+${digits}`
  const { countryCode, nationalPrefix, internationalPrefix } = plan
  if (format === 'digits' || countryCode === null) return digits
  return digits.startsWith(countryCode)
    ? nationalPrefix + digits.slice(countryCode.length)
    : internationalPrefix + digits
}
