/**
 * What `hlr` returns: the words and the form of the services that have this operation, so that their clients read it.
 * A number whose operator is unknown has a network without a name, never a missing one.
 */
import { HLR_STATUSES } from '../../contract/operations/lookup-fields.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import { countryName, countryOf } from '../../domain/numbers/country.ts'
import type { NumberFacts } from '../../domain/numbers/number-facts.ts'
import { callingCodeOf, type Phone } from '../../domain/numbers/phone.ts'

/** The operators of the prefix table. */
type Operators = Pick<Directory, 'operatorOf' | 'operatorName' | 'operatorPrefix'>

export function describeHlr(directory: Operators, phone: Phone, facts: NumberFacts): object {
  const { operator, operatorName, ported, imsi } = facts
  const current = networkOf(directory, phone, operator, operatorName)
  const origin = ported === true ? networkOf(directory, phone, directory.operatorOf(phone), null) : current
  return {
    phone: Number(phone),
    status: HLR_STATUSES[facts.status],
    // A masked IMSI is no number.
    imsi: imsi !== null && /^\d+$/.test(imsi) ? Number(imsi) : null,
    mccmnc: operator === null ? null : Number(operator),
    ported,
    network: { origin, ported: ported === true ? current : null },
  }
}

function networkOf(directory: Operators, phone: Phone, operator: string | null, name: string | null): object {
  const callingCode = callingCodeOf(phone)
  const prefix = operator === null ? null : directory.operatorPrefix(operator, phone)
  const national = prefix?.startsWith(callingCode) === true ? prefix.slice(callingCode.length) : ''
  return {
    name: name ?? directory.operatorName(operator),
    prefix: national === '' ? null : Number(national),
    country: { name: countryName(countryOf(phone)), prefix: Number(callingCode) },
  }
}
