/** Lists of the admin API end after so many rows and so many bytes, before the rest of them is written. */
import { expect, test } from 'vitest'
import { MAX_PAGE_BYTES } from '../../src/domain/structures/answer-size.ts'
import { isWrite } from '../../src/operations/admin/endpoint/endpoint.ts'
import { ENDPOINTS } from '../../src/operations/admin/endpoints.ts'
import { takePage } from '../../src/operations/admin/fields/take-page.ts'

const ROWS = Array.from({ length: 200_000 }, (_, index) => index)

test('a page shows its rows and no others, however long the list is', () => {
  const viewed: number[] = []
  const page = takePage(ROWS, { after: 150_000, most: 3 }, (row) => {
    viewed.push(row)
    return { row }
  })
  expect(page).toEqual({ data: [{ row: 150_000 }, { row: 150_001 }, { row: 150_002 }], next: 150_003 })
  expect(viewed).toEqual([150_000, 150_001, 150_002])
})

test('a page has 50 rows when the request names no number', () => {
  expect(takePage(ROWS, {}, (row) => row)).toMatchObject({ data: { length: 50 }, next: 50 })
})

test('the last page has no next one, and there is none beyond it', () => {
  expect(takePage(ROWS, { after: 199_990 }, (row) => row)).toMatchObject({ data: { length: 10 }, next: null })
  expect(takePage(ROWS, { after: 199_950 }, (row) => row)).toMatchObject({ data: { length: 50 }, next: null })
  expect(takePage(ROWS, { after: 300_000 }, (row) => row)).toEqual({ data: [], next: null })
})

test('a page of large rows ends early and the next one goes on from there', () => {
  let viewed = 0
  const large = (row: number) => {
    viewed += 1
    return `${row}${'ä'.repeat(MAX_PAGE_BYTES / 8)}`
  }
  const first = takePage(ROWS, { most: 1_000 }, large)
  expect(first).toMatchObject({ data: { length: 3 }, next: 3 })
  expect(viewed).toBe(4)
  expect(takePage(ROWS, { after: 3 }, large)).toMatchObject({ data: { length: 3 }, next: 6 })
})

test('a row that is larger than a page is a page', () => {
  expect(takePage(['x'.repeat(2 * MAX_PAGE_BYTES), 'y'], {}, (row) => row)).toMatchObject({
    data: { length: 1 },
    next: 1,
  })
})

/** Lists that something else bounds. */
const BOUNDED: Readonly<Record<string, string>> = {
  countBulkErrors: '20 different errors at most',
  readCarrierQueue: 'a line for each currency',
  countUnsettled: 'a short sum for each account',
  listCarrierKinds: 'the drivers of the gateway',
  listProviders: 'the files in providers/',
  listAlarmRules: 'the kinds of alarms',
  listQualityRules: 'the carriers',
  listNodes: 'the leases of a cluster',
  listPasskeys: 'MAX_PASSKEYS in domain/passkey.ts',
  listSmsTemplates: 'the page of the operation template/list',
  listUnsettled: 'OPEN_LOOKS in ports/stores/queued-store.ts',
  nameAccounts: 'the pattern of its query: 100 accounts',
  showCallStatistics: 'MAX_TOTALS in messages/read-totals.ts',
  showCarrierHistory: 'thirty days',
  showHolds: 'the currencies of ISO 4217',
  showHookStatistics: 'MAX_STATISTICS_LINES in read-statistics.ts',
  showVerificationStatistics: 'MAX_TOTALS in messages/read-totals.ts',
  showStatistics: 'MAX_STATISTICS_LINES in read-statistics.ts',
  verifyLedger: 'MAX_FINDINGS in stores/rows/ledger-check.ts',
}

test('every list of the admin API comes in pages', () => {
  const lists = ENDPOINTS.filter((each) => {
    const { properties = {} } = (each.result ?? {}) as { readonly properties?: object }
    return !isWrite(each) && 'data' in properties
  })
  const unpaged = lists.filter(({ query }) => !('after' in query.properties && 'most' in query.properties))
  expect(lists.length).toBeGreaterThan(15)
  expect(unpaged.map(({ name }) => name).sort()).toEqual(Object.keys(BOUNDED).sort())
})
