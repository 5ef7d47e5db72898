/** The ledger: postings by operators, credit limits, charges, and months that are summed up and closed. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../../src/domain/ids/message-id.ts'
import type { Turn } from '../../../src/domain/journey/turn.ts'
import { withCost } from '../../../src/domain/journey/turn-cost.ts'
import { PAYMENT_KINDS } from '../../../src/domain/money/ledger.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import { drawStatement } from '../../../src/domain/money/statement.ts'
import { beginningOf, type Month, monthAfter, monthOf } from '../../../src/domain/time/month.ts'
import { LAST_ZONE_MS, monthIn, zonedMonth } from '../../../src/domain/time/zoned-month.ts'
import { MONTH_STAYS_OPEN_MS } from '../../../src/ports/changes/money-change.ts'
import { BEGINNING, buildStep } from '../../support/build-message.ts'
import { receipt, refused, TEST_CARRIER, taken } from '../../support/make-turn.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

const JANUARY = monthOf(BEGINNING)
const FEBRUARY = monthAfter(JANUARY)
const MARCH = monthAfter(FEBRUARY)
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** On both sides of UTC, with half hours and quarters, with summer times, the first and the last to begin a month. */
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  ...['Pacific/Kiritimati', 'Etc/GMT+12'],
]

/** The carrier of tests takes a third of a cent for a part. */
const costed = (turn: Turn) => withCost(turn, BEGINNING, () => ({ micros: toMicros(3_333), currency: 'EUR' }))

export function describeBook(install: Install): void {
  let story: StoreStory
  let client: AccountId

  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(100_000)
  })
  afterEach(async () => {
    expect(await story.store.verifyLedger()).toEqual([])
    await story.end()
  })

  const available = async () => (await story.store.balancesOf(client))?.available
  const correct = (amount: number, at = BEGINNING) =>
    story.store.change({
      kind: 'correct',
      accountId: client,
      amountMicros: toMicros(amount),
      at,
      by: 'Ada',
      note: 'invoice 7 was paid twice',
    })
  const refusal = (says: RegExp) => ({ name: 'ChangeRefused', message: expect.stringMatching(says) })
  const setLimit = (limit: number) =>
    story.store.change({ kind: 'set credit limit', accountId: client, creditLimitMicros: toMicros(limit) })
  const statement = async (month: Month, zone = 'UTC') => {
    const zoned = zonedMonth(month, zone)
    return drawStatement(zoned, await story.store.accountMonth(client, zoned))
  }
  const chargeOf = async (id: Turn['message']['id']) =>
    (await story.store.trace(id))?.postings.find(({ kind }) => kind === 'charge')?.charge

  describe('a posting by an operator', () => {
    it('is remembered with who it was and why', async () => {
      const topUp = { kind: 'top up', accountId: client, amountMicros: toMicros(5), at: BEGINNING + 1 } as const
      await story.store.change({ ...topUp, by: 'Grace', note: 'transfer 4711' })
      await correct(-3, BEGINNING + 2)
      await correct(2, BEGINNING + 3)
      const { payments } = await story.store.accountMonth(client, zonedMonth(JANUARY, 'UTC'))
      const known = { messageId: null, by: 'Ada', note: 'invoice 7 was paid twice' }
      expect(payments).toEqual([
        { kind: 'top-up', amountMicros: 100_000, messageId: null, at: BEGINNING },
        { kind: 'top-up', amountMicros: 5, messageId: null, at: BEGINNING + 1, by: 'Grace', note: 'transfer 4711' },
        { kind: 'correction down', amountMicros: 3, at: BEGINNING + 2, ...known },
        { kind: 'correction up', amountMicros: 2, at: BEGINNING + 3, ...known },
      ])
      const page = await story.store.page({ of: 'postings', accountId: client, after: null, limit: 2 })
      expect(page.rows).toEqual(payments.slice(2).reverse())
      expect(await available()).toBe(100_004)
    })

    it('takes back a top-up as far as it was not spent', async () => {
      await story.accepted(client)
      await expect(correct(-50_001)).rejects.toMatchObject(refusal(/has less than that to spend/))
      await correct(-50_000)
      expect(await story.store.balancesOf(client)).toEqual({ paid: -50_000, available: 0, held: 50_000, earned: 0 })
    })

    it('is refused if it is 0, for an unknown account, or too large', async () => {
      await expect(correct(0)).rejects.toMatchObject(refusal(/must not be 0/))
      await expect(correct(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject(refusal(/cannot hold that much/))
      const change = { kind: 'correct', accountId: 99 as AccountId, amountMicros: toMicros(1), at: BEGINNING } as const
      await expect(story.store.change(change)).rejects.toMatchObject(refusal(/no account 99/))
      expect(await available()).toBe(100_000)
    })
  })

  describe('a credit limit', () => {
    it('lets an account go that far below nothing, to the last millionth', async () => {
      await setLimit(50_001)
      await story.accepted(client)
      await story.accepted(client)
      await story.accepted(client)
      const penny = story.message(client, { plan: [buildStep('sms', { priceMicros: toMicros(2) })] })
      const last = story.message(client, { plan: [buildStep('sms', { priceMicros: toMicros(1) })] })
      const free = story.message(client, { plan: [buildStep('sms', { priceMicros: toMicros(0) })] })
      const outcomes = await story.accept(
        client,
        [penny, last, free].map((message) => messageItem(message)),
      )
      expect(outcomes.map(({ kind }) => kind)).toEqual(['unpaid', 'accepted', 'accepted'])
      expect(await available()).toBe(-50_001)
      expect((await story.store.loadDirectory()).accounts[0]?.creditLimitMicros).toBe(50_001)
    })

    it('counts at once, and is not set below what the account owes', async () => {
      await setLimit(50_000)
      await Promise.all([1, 2, 3].map(() => story.accepted(client)))
      await expect(setLimit(49_999)).rejects.toMatchObject(refusal(/owes more than that/))
      await expect(setLimit(-1)).rejects.toMatchObject(refusal(/must be at least 0/))
      await expect(correct(-1)).rejects.toMatchObject(refusal(/less than that to spend/))
      await correct(50_000)
      await setLimit(0)
      expect(await available()).toBe(0)
    })
  })

  describe('a charge', () => {
    it('says what it was for, and what it cost', async () => {
      const plan = [buildStep('sms', { parts: 3, priceMicros: toMicros(60_000) })]
      const message = await story.accepted(client, { plan, operator: '26202' })
      await story.after(costed(taken(message, ['a', 'b', 'c'])))
      expect(await chargeOf(message.id)).toEqual({
        channel: 'sms',
        operator: '26202',
        parts: 3,
        carrierId: TEST_CARRIER,
        cost: { micros: 9_999, currency: 'EUR' },
      })
    })

    it('of a chain is a line of the channel that earned it', async () => {
      const plan = [buildStep('rcs', { priceMicros: toMicros(70_000) }), buildStep('sms')]
      const message = await story.accepted(client, { plan, operator: null })
      await story.after(costed(receipt(await story.after(taken(message, ['a'])), 'delivered')))
      const charge = { channel: 'rcs', operator: null, parts: 1, carrierId: TEST_CARRIER }
      expect(await chargeOf(message.id)).toMatchObject(charge)
      const { charges } = await statement(JANUARY)
      expect(charges).toEqual([{ channel: 'rcs', operator: null, messages: 1, parts: 1, amountMicros: 70_000 }])
    })
  })

  describe('a refund', () => {
    const refund = (messageId: MessageId, amount: number | null, at = BEGINNING + 9) => {
      const amountMicros = amount === null ? null : toMicros(amount)
      return story.store.change({
        kind: 'refund',
        accountId: client,
        messageId,
        amountMicros,
        at,
        by: 'Ada',
        note: 'late',
      })
    }
    const charged = async () => {
      const message = await story.accepted(client, { operator: '26202' })
      await story.after(costed(taken(message, ['a'])))
      return message.id
    }

    it('gives back the charge of a message, in parts or at once, and never more', async () => {
      const id = await charged()
      await refund(id, 20_000)
      await expect(refund(id, 30_001)).rejects.toMatchObject(
        refusal(/^amount: only 0.03 of the charge is left to refund$/),
      )
      await refund(id, null)
      await expect(refund(id, null)).rejects.toMatchObject(refusal(/is refunded already/))
      expect(await story.store.balancesOf(client)).toEqual({ paid: -100_000, available: 100_000, held: 0, earned: 0 })
      const postings = (await story.store.trace(id))?.postings.slice(-2)
      const about = {
        kind: 'refund',
        messageId: id,
        by: 'Ada',
        note: 'late',
        charge: { channel: 'sms', operator: '26202' },
      }
      expect(postings).toMatchObject([
        { ...about, amountMicros: 20_000 },
        { ...about, amountMicros: 30_000 },
      ])
    })

    it('is made once, of several that are asked for at one moment', async () => {
      const id = await charged()
      const answers = await Promise.allSettled([1, 2, 3].map(() => refund(id, 50_000)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
      expect(await available()).toBe(100_000)
    })

    it('is refused for a message that was not charged, of another account, and of nothing', async () => {
      const open = await story.accepted(client)
      const other = await story.account(100_000)
      const foreign = await story.accepted(other)
      await story.after(taken(foreign, ['b']))
      for (const id of [open.id, foreign.id])
        await expect(refund(id, null)).rejects.toMatchObject(refusal(/was not charged/))
      const id = await charged()
      for (const amount of [0, -5]) await expect(refund(id, amount)).rejects.toMatchObject(refusal(/greater than 0/))
      expect(await available()).toBe(0)
    })

    it('is a correction of its month, and takes from the revenue of its carrier, not from the cost', async () => {
      const id = await charged()
      await refund(id, 20_000)
      await refund(id, null, beginningOf(FEBRUARY))
      const [january, february] = [await statement(JANUARY), await statement(FEBRUARY)]
      expect(january).toMatchObject({ chargeMicros: 50_000, correctionMicros: 20_000, refundMicros: 20_000 })
      expect(february).toMatchObject({
        chargeMicros: 0,
        correctionMicros: 30_000,
        closingMicros: 100_000,
        payments: [],
      })
      const totals = await story.store.chargeTotals({ from: JANUARY, through: FEBRUARY, accounts: [client] })
      const cost = { micros: 3_333, currency: 'EUR' }
      expect(totals).toMatchObject([{ carrierId: TEST_CARRIER, messages: 1, parts: 1, amountMicros: 0, cost }])
    })
  })

  describe('a month', () => {
    it('is added up by channel and operator, and its closing balance opens the next', async () => {
      await setLimit(1_000_000)
      const spend = async (operator: string | null, parts: number, at: number) => {
        const plan = [buildStep('sms', { parts, priceMicros: toMicros(parts * 10_000) })]
        const message = await story.accepted(client, { plan, operator, createdAt: at })
        const refs = Array.from({ length: parts }, (_, part) => `${message.id}-${part}`)
        await story.after(costed(taken(message, refs, { at })))
      }
      await spend('26201', 1, BEGINNING)
      await spend('26201', 2, BEGINNING)
      await spend(null, 1, beginningOf(FEBRUARY) - 1)
      await spend('26202', 1, beginningOf(FEBRUARY))
      await correct(-7, beginningOf(FEBRUARY))
      expect(await statement(JANUARY)).toMatchObject({
        ...{ openingMicros: 0, topUpMicros: 100_000, correctionMicros: 0, chargeMicros: 40_000, closingMicros: 60_000 },
        charges: [
          { channel: 'sms', operator: null, messages: 1, parts: 1, amountMicros: 10_000 },
          { channel: 'sms', operator: '26201', messages: 2, parts: 3, amountMicros: 30_000 },
        ],
      })
      expect(await statement(FEBRUARY)).toMatchObject({
        ...{ openingMicros: 60_000, topUpMicros: 0, correctionMicros: -7, chargeMicros: 10_000, closingMicros: 49_993 },
        payments: [{ kind: 'correction down', amountMicros: 7 }],
      })
      expect(await statement(MARCH)).toMatchObject({ openingMicros: 49_993, closingMicros: 49_993, charges: [] })
      expect(await story.store.chargeTotals({ from: JANUARY, through: FEBRUARY, accounts: [client] })).toEqual([
        {
          ...{ accountId: client, channel: 'sms', carrierId: TEST_CARRIER, messages: 4, parts: 5 },
          ...{ amountMicros: 50_000, cost: { micros: 5 * 3_333, currency: 'EUR' } },
        },
      ])
    })

    it('is closed a day after its end; what comes late is booked in the next', async () => {
      const message = await story.accepted(client)
      const end = beginningOf(FEBRUARY)
      await story.sweep(end + MONTH_STAYS_OPEN_MS - 1)
      expect((await statement(JANUARY)).isClosed).toBe(false)
      await story.sweep(end + MONTH_STAYS_OPEN_MS)
      const closed = await statement(JANUARY)
      expect(closed).toMatchObject({ isClosed: true, chargeMicros: 0, closingMicros: 100_000 })
      await story.after(costed(taken(message, ['a'], { at: end - 1 })))
      await correct(-1, end - 1)
      expect(await statement(JANUARY)).toEqual(closed)
      expect(await statement(FEBRUARY)).toMatchObject({ chargeMicros: 50_000, correctionMicros: -1, isClosed: false })
      // Such a posting is of the next month in every zone, so that no zone has an open month for a month longer.
      expect((await story.store.trace(message.id))?.postings.at(-1)?.at).toBe(end + LAST_ZONE_MS)
      for (const zone of ZONES) expect(await statement(JANUARY, zone), zone).toMatchObject({ isClosed: true })
    })

    it('begins and ends when the zone does that is asked for', async () => {
      const end = beginningOf(FEBRUARY)
      await correct(-1, end - HOUR_MS - 1)
      await correct(-10, end - HOUR_MS)
      await correct(-100, end + 5 * HOUR_MS - 1)
      await correct(-1_000, end + 5 * HOUR_MS)
      expect(await statement(JANUARY)).toMatchObject({ zone: 'UTC', correctionMicros: -11, closingMicros: 99_989 })
      expect(await statement(JANUARY, 'Europe/Berlin')).toMatchObject({ zone: 'Europe/Berlin', correctionMicros: -1 })
      expect(await statement(FEBRUARY, 'Europe/Berlin')).toMatchObject({
        ...{ openingMicros: 99_999, correctionMicros: -1_110, closingMicros: 98_889 },
      })
      const inNewYork = await statement(JANUARY, 'America/New_York')
      expect(inNewYork).toMatchObject({ openingMicros: 100_000, correctionMicros: -111, closingMicros: 99_889 })
      expect(inNewYork.payments.map(({ amountMicros }) => amountMicros)).toEqual([1, 10, 100])
    })

    it('is known in other zones from a month on of which all edges were added up', async () => {
      expect((await statement(MARCH)).firstZonedMonth).toBe(JANUARY)
    })

    it('names the first month with postings, as far as itself', async () => {
      const months = [JANUARY, FEBRUARY, MARCH]
      const firstOf = async (account: AccountId) =>
        Promise.all(
          months.map(async (each) => (await story.store.accountMonth(account, zonedMonth(each, 'UTC'))).firstMonth),
        )
      expect(await firstOf(client)).toEqual([JANUARY, JANUARY, JANUARY])
      await correct(-1, beginningOf(MARCH))
      expect(await firstOf(client)).toEqual([JANUARY, JANUARY, JANUARY])
      expect(await firstOf(99_999 as AccountId)).toEqual(months)
    })

    it('is closed for every account, however many there are', async () => {
      for (let count = 0; count < 130; count += 1) await story.account(1)
      await story.sweep(beginningOf(MARCH))
      expect((await statement(JANUARY)).isClosed).toBe(true)
      await story.reopen()
      await story.sweep(beginningOf(MARCH) + MONTH_STAYS_OPEN_MS)
      expect((await statement(FEBRUARY)).isClosed).toBe(true)
    })

    it('equals the postings to the millionth, whatever happened in it', { timeout: 60_000 }, async () => {
      const day = fc.integer({ min: 0, max: 89 }).map((days) => BEGINNING + days * DAY_MS)
      const edge = fc
        .record({ month: fc.constantFrom(FEBRUARY, MARCH), quarter: fc.integer({ min: -60, max: 60 }), ms: fc.nat(1) })
        .map(({ month, quarter, ms }) => beginningOf(month) + quarter * 900_000 - ms)
      const at = fc.oneof(day, edge)
      const action = fc.oneof(
        fc.record({ kind: fc.constant('pay' as const), at, amount: fc.integer({ min: -60_000, max: 90_000 }) }),
        fc.record({
          kind: fc.constant('send' as const),
          at,
          channel: fc.constantFrom('rcs' as const, 'sms' as const),
          operator: fc.constantFrom(null, '26201', '26202'),
          parts: fc.integer({ min: 1, max: 3 }),
          price: fc.integer({ min: 0, max: 33_333 }),
          end: fc.constantFrom('open', 'refused', 'delivered'),
        }),
      )
      await fc.assert(
        fc.asyncProperty(
          fc.array(action, { maxLength: 25 }),
          fc.nat(200_000),
          fc.nat(40_000),
          async (actions, balance, limit) => {
            client = await story.account(balance)
            await setLimit(limit)
            // In the order of time: a month that is over takes nothing more.
            for (const each of actions.toSorted((a, b) => a.at - b.at)) {
              if (each.kind === 'pay') await correct(each.amount, each.at).catch(() => {})
              else await live(story, client, each, each.at)
            }
            for (const zone of ZONES) await holdAgainstPostings(story, client, zone)
          },
        ),
        { numRuns: 12 },
      )
    })
  })
}

interface Sending {
  readonly channel: 'rcs' | 'sms'
  readonly operator: string | null
  readonly parts: number
  readonly price: number
  readonly end: string
}

async function live(story: StoreStory, client: AccountId, sending: Sending, at: number): Promise<void> {
  const { channel, operator, parts, price, end } = sending
  const plan = [buildStep(channel, { parts, priceMicros: toMicros(price * parts) })]
  const message = story.message(client, { plan, operator, hook: null, createdAt: at })
  const [outcome] = await story.accept(client, [messageItem(message)], { now: at })
  if (outcome?.kind !== 'accepted' || end === 'open') return
  if (end === 'refused') {
    await story.after(costed(refused(message, 'no', { at })))
    return
  }
  const refs = Array.from({ length: parts }, (_, part) => `${message.id}-${part}`)
  let turn = costed(taken(message, refs, { at }))
  await story.after(turn)
  for (let part = 0; part < parts; part += 1) {
    turn = costed(receipt(turn.message, 'delivered', { at, part }))
    await story.after(turn)
  }
}

/** Adds up every posting of the account by hand, and looks whether its statements in a zone say the same. */
async function holdAgainstPostings(story: StoreStory, client: AccountId, zone: string): Promise<void> {
  const { rows } = await story.store.page({ of: 'postings', accountId: client, after: null, limit: 1_000 })
  let balance = 0
  for (const month of [monthOf(BEGINNING - 1), JANUARY, FEBRUARY, MARCH, monthAfter(MARCH)]) {
    const zoned = zonedMonth(month, zone)
    const drawn = drawStatement(zoned, await story.store.accountMonth(client, zoned))
    const mine = rows.filter(({ at }) => monthIn(zone, at) === month)
    const sum = (...kinds: readonly string[]) =>
      mine.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amountMicros }) => total + amountMicros, 0)
    expect(drawn.openingMicros).toBe(balance)
    balance += sum('top-up', 'correction up') - sum('correction down', 'charge')
    expect(drawn.closingMicros).toBe(balance)
    expect(drawn.chargeMicros).toBe(sum('charge'))
    expect(drawn.payments).toEqual(mine.filter(({ kind }) => PAYMENT_KINDS.some((each) => each === kind)).reverse())
    const lines = Map.groupBy(
      mine.filter(({ kind }) => kind === 'charge'),
      ({ charge }) => {
        return `${charge?.channel} ${charge?.operator}`
      },
    )
    expect(new Set(drawn.charges)).toEqual(
      new Set(
        [...lines.values()].map((charges) => ({
          channel: charges[0]?.charge?.channel,
          operator: charges[0]?.charge?.operator,
          messages: charges.length,
          parts: charges.reduce((total, { charge }) => total + (charge?.parts ?? 0), 0),
          amountMicros: charges.reduce((total, { amountMicros }) => total + amountMicros, 0),
        })),
      ),
    )
  }
  const balances = await story.store.balancesOf(client)
  expect((balances?.available ?? 0) + (balances?.held ?? 0)).toBe(balance)
}
