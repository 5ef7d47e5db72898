/** Counts in the journal of a store: however they are written, merged and divided, each counts once. */
import { expect, it } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import {
  type CountRun,
  CountRuns,
  divideRuns,
  mergeRuns,
  writeRuns,
} from '../../src/stores/rows/statistics/count-runs.ts'
import type { CountRow } from '../../src/stores/rows/statistics/message-total.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const random = new SeededRandom(11)

function someRow(accounts: number, senders: number): CountRow {
  const kind = random.below(40)
  const sender = `${['', 'Shop', '7'][random.below(3)]}${random.below(senders)}`
  const account = toAccountId(1 + random.below(accounts))
  return [kind % 7, account, 'taken', 'sms', `c${kind}`, '', '', sender, 'EUR', '', 1 + (kind % 2), kind, 0]
}

/** How often each row counts, as sorted lines. */
function linesOf(counts: Iterable<readonly [row: CountRow, times: number]>): readonly string[] {
  const times = new Map<string, number>()
  for (const [row, more] of counts) times.set(row.join(), (times.get(row.join()) ?? 0) + more)
  return [...times].map(([row, count]) => `${row}: ${count}`).sort()
}

function countsOf(runs: readonly CountRun[]): readonly (readonly [row: CountRow, times: number])[] {
  return runs.flatMap(([count, shares]) =>
    shares.map(([account, sender, times]) => [count.with(1, account).with(7, sender) as CountRow, times] as const),
  )
}

it('counts each count once, for any account and sender', () => {
  for (let round = 0; round < 60; round += 1) {
    const [accounts, senders] = [1 + random.below(30), round % 5 === 0 ? 200 : 3]
    const counted: [CountRow, number][] = []
    const texts = Array.from({ length: 1 + random.below(5) }, () => {
      const runs = new CountRuns()
      for (let left = random.below(300); left >= 0; left -= 1) {
        const [row, times] = [someRow(accounts, senders), 1 + random.below(3)] as const
        runs.count([row], times)
        counted.push([row, times])
      }
      return runs.take() ?? ''
    })
    const merged = mergeRuns(texts)
    const size = 20 + random.below(200)
    const parts = divideRuns(merged, size)
    for (const runs of [merged, parts.flat(), mergeRuns(parts.map(writeRuns))]) {
      expect(linesOf(countsOf(runs))).toEqual(linesOf(counted))
    }
    expect(Math.max(...parts.map((part) => countsOf(part).length))).toBeLessThan(1.5 * size + 3)
  }
})
