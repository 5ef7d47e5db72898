/**
 * What one message costs the embedded store, in counts that do not depend on how fast the machine is. A change that
 * lowers a count lowers its bound here; one that has to raise it says why. `node bench/cost.ts` prints all counts.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const COST = fileURLToPath(new URL('../../bench/cost.ts', import.meta.url))
const MESSAGES = 10

/**
 * Per message. Alone, a receipt may be read in the batch of the answer before it or in one of its own. A commit crosses
 * to the thread of the store and to that of the disk, and both answers back; a report to the thread that posts it.
 * Commands cross as one text with the names of members: more bytes than arrays, and 0.3 µs more work. On a slow machine
 * a batch of reports leaves before it is full. The statistics have a row for each of: asked, taken, delivered, fallen
 * back, report sent; messages of one batch share them. Near the ends of months a charge is in two totals. The HMAC of a
 * report is two hashes.
 */
const BOUNDS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'accepted only': {
    ...{ statements: 9, rows: 5, commits: 1, ciphers: 1, hashes: 1 },
    ...{ crossings: 4, 'bytes crossing': 750, 'objects crossing': 2 },
  },
  'SMS, receipt, report': {
    ...{ statements: 35, rows: 21, commits: 4, HMACs: 1, ciphers: 1, hashes: 3 },
    ...{ crossings: 20, 'objects crossing': 12 },
  },
  'the same, 100 a request': {
    ...{ statements: 16, rows: 13.2, commits: 0.3, crossings: 1.2 },
    ...{ 'bytes crossing': 2_700, 'objects crossing': 0.8 },
    ...{ HMACs: 1, ciphers: 1, hashes: 2.02 },
  },
  'the same, 100 reports a POST': { statements: 17, rows: 14.2, commits: 0.3, 'bytes crossing': 2_700, HMACs: 0.2 },
  'RCS, chat app, SMS, report': {
    statements: 49,
    rows: 29,
    commits: 6,
    crossings: 28,
    HMACs: 1,
    ciphers: 1,
    hashes: 3,
  },
}

interface Cost {
  readonly kind: string
  readonly counts: Readonly<Record<string, number>>
}

describe('one message', () => {
  let costs: readonly Cost[] = []

  beforeAll(async () => {
    const { stdout } = await run(process.execPath, [COST, String(MESSAGES), '--json', '--no-strace'])
    costs = JSON.parse(stdout) as readonly Cost[]
  }, 120_000)

  test.each(Object.entries(BOUNDS))('costs no more than it did: %s', (kind, bounds) => {
    const counts = costs.find((cost) => cost.kind === kind)?.counts ?? {}
    const above = Object.entries(bounds).filter(([name, bound]) => (counts[name] ?? Number.POSITIVE_INFINITY) > bound)
    expect(Object.fromEntries(above.map(([name]) => [name, counts[name]]))).toEqual({})
  })

  test('is committed before it is answered, and reported once with one signature', () => {
    const alone = costs.find(({ kind }) => kind === 'SMS, receipt, report')?.counts ?? {}
    expect(alone['commits']).toBeGreaterThanOrEqual(2)
    expect(alone['HMACs']).toBe(1)
    // What it says and the answer, for each commit, cross to the thread of the store.
    expect(alone['crossings']).toBeGreaterThanOrEqual(4)
  })
})
