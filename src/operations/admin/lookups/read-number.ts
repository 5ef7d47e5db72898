/** Finds the phone numbers that a national number may be, so that a search finds what was written without a country. */
import Type from 'typebox'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import { countryOf } from '../../../domain/numbers/country.ts'
import { type Phone, readRecipient, withCountryCode } from '../../../domain/numbers/phone.ts'
import { DAY_HOURS, hourOf } from '../../../domain/statistics/message-statistics.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { ACCOUNT, listOf, nullable, READERS } from '../fields/shapes.ts'

/** Countries in which the number is looked for. */
const MAX_COUNTRIES = 10
/** Within which messages went to them. */
const RECENT_DAYS = 31
const MAX_TOTALS = 1_000

export const READ_NUMBER_ENDPOINTS = [
  endpoint({
    name: 'readNumber',
    method: 'POST',
    path: '/numbers/read',
    command: 'number read',
    summary: 'list the phone numbers that a number without country code may be',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    // In a body, because URLs are logged.
    body: {
      phone: Type.String({ minLength: 1, maxLength: 140, description: 'as it is written', examples: ['0170 1234500'] }),
      account: Type.Optional(ACCOUNT),
    },
    result: listOf(
      Type.Object({ phone: Type.String(), country: nullable(Type.String({ description: 'ISO 3166 code' })) }),
    ),
    run: async ({ store, clock }, { phone: text, account }) => {
      const whole = readRecipient(text)
      if (whole !== null) return { data: [{ phone: whole, country: countryOf(whole) }] }
      const accountId = account === undefined ? null : toAccountId(account)
      const { accounts } = await store.loadDirectory()
      const own = accounts.filter(({ id }) => accountId === null || id === accountId)
      const countries = new Set([
        ...own.flatMap(({ settings }) => settings.nationalCountry ?? []),
        ...(await recentCountries(store, accountId, clock.now())),
      ])
      const digits = text.replace(/\D/g, '')
      const found = [...countries].slice(0, MAX_COUNTRIES).map((country) => nationalNumber(digits, country))
      const phones = new Set(found.filter((phone) => phone !== null))
      return { data: [...phones].map((phone) => ({ phone, country: countryOf(phone) })) }
    },
  }),
]

function nationalNumber(digits: string, country: string): Phone | null {
  const phone = readRecipient(withCountryCode(digits, country, true))
  return phone !== null && countryOf(phone) === country ? phone : null
}

/** Returns those with most messages first. */
async function recentCountries(
  store: Pick<QueryStore, 'messageTotals'>,
  accountId: AccountId | null,
  now: number,
): Promise<readonly string[]> {
  const end = hourOf(now) - (hourOf(now) % DAY_HOURS) + DAY_HOURS
  const range = { from: end - RECENT_DAYS * DAY_HOURS, through: end - 1, source: 'days', slotHours: null } as const
  const query = { ...range, accountId, only: {}, by: ['country'], ranking: 'asked', limit: MAX_TOTALS } as const
  const totals = await store.messageTotals(query)
  return totals.toSorted((a, b) => b.messages - a.messages).flatMap(({ country }) => (country === '' ? [] : [country]))
}
