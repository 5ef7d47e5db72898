/** The audit log finds the imports that may have changed a rate by the subject of the rate. */
import { expect, test } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import {
  costSubject,
  costsSubject,
  priceSubject,
  tariffSubject,
  withTable,
} from '../../src/operations/admin/rates/rate-subjects.ts'

const OWNERS = [
  { accountId: null, group: null },
  { accountId: toAccountId(12), group: null },
  { accountId: null, group: 'retail-in-EUR' },
]
const NUMBERS = [
  { prefix: '', operator: null },
  { prefix: '49', operator: null },
  { prefix: '', operator: '26201' },
  { prefix: '4915', operator: '26201' },
]

test.each(OWNERS)('prices of %o change with their tariff', (owner) => {
  for (const numbers of NUMBERS) {
    const subject = priceSubject({ channel: 'sms', currency: 'EUR', ...numbers, ...owner })
    expect(withTable(subject)).toEqual([subject, tariffSubject(owner, 'EUR')])
  }
})

test.each([null, 'utility'])('costs of the category %o change with those of their carrier', (category) => {
  for (const numbers of NUMBERS) {
    const subject = costSubject({ carrierId: 'acme-2', category, ...numbers })
    expect(withTable(subject)).toEqual([subject, costsSubject('acme-2')])
  }
})

test.each(['account 1', 'price of', 'costs of carrier acme', 'general tariff in EUR', ''])(
  '%o stands alone',
  (subject) => {
    expect(withTable(subject)).toEqual([subject])
  },
)
