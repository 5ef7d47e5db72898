import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Balances, MOVES, type Posting, type PostingKind, post } from '../../src/domain/money/ledger.ts'
import { NO_MONEY, toMicros } from '../../src/domain/money/money.ts'

const EMPTY: Balances = { paid: NO_MONEY, available: NO_MONEY, held: NO_MONEY, earned: NO_MONEY }

const posting = (kind: PostingKind, amount: number): Posting => ({
  kind,
  amountMicros: toMicros(amount),
  messageId: null,
})

const aPosting = fc
  .record({
    kind: fc.constantFrom(...(Object.keys(MOVES) as PostingKind[])),
    amount: fc.integer({ min: 1, max: 1_000_000_000 }),
  })
  .map(({ kind, amount }) => posting(kind, amount))

test('money that comes in, is promised and is partly earned lies where it should', () => {
  const book = [posting('top-up', 1_000), posting('hold', 70), posting('charge', 50), posting('release', 20)]
  expect(book.reduce(post, EMPTY)).toEqual({ paid: -1_000, available: 950, held: 0, earned: 50 })
})

test('no posting makes or loses money, or touches more than two balances', () => {
  fc.assert(
    fc.property(fc.array(aPosting), (postings) => {
      let balances = EMPTY
      for (const each of postings) {
        const before = Object.freeze(balances)
        balances = post(before, each)
        const { paid, available, held, earned } = balances
        expect(paid + available + held + earned).toBe(0)
        const changes = Object.entries(balances).filter(([name, amount]) => amount !== before[name as keyof Balances])
        expect(changes.map(([name]) => name).sort()).toEqual([...MOVES[each.kind]].sort())
      }
    }),
  )
})
