/** IN: requests are executed whole, paid for, and once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { CallContent } from '../../../src/domain/message/message.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import type { AcceptItem, AcceptRequest } from '../../../src/ports/stores/intake-store.ts'
import { BEGINNING, buildPlan, buildStep } from '../../support/build-message.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

export function describeAccepting(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
  })
  afterEach(() => story.end())

  describe('accepting', () => {
    it('stores a message as it is and holds its dearest step', async () => {
      const dear = buildStep('rcs', { priceMicros: toMicros(80_000) })
      const plan = [dear, ...buildPlan('chatapp', 'sms')]
      const message = story.message(client, { plan, clientId: '"a-1"', reportSteps: true })
      const outcomes = await story.accept(client, [messageItem(message)])
      expect(outcomes).toEqual([{ kind: 'accepted', messageId: message.id, call: null }])
      expect(await story.store.loadMessages([message.id])).toEqual([message])
      expect(await story.store.balancesOf(client)).toEqual({
        paid: -1_000_000,
        available: 920_000,
        held: 80_000,
        earned: 0,
      })
    })

    it('keeps texts of any script letter for letter', async () => {
      const text = 'Paketen är här 📦 — "посылка" \u0000 \\ \ud800'
      const plan = [buildStep('sms', { content: { kind: 'text', text } })]
      const message = await story.accepted(client, { plan, clientId: '9223372036854775807', hook: null })
      expect(await story.store.loadMessages([message.id])).toEqual([message])
    })

    it('answers the items in their order and shows the balance as it is then', async () => {
      const outcomes = await story.accept(client, [
        { kind: 'balance' },
        messageItem(story.message(client)),
        { kind: 'balance' },
      ])
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(['balance', 'accepted', 'balance'])
      expect(outcomes[0]).toEqual({ kind: 'balance', availableMicros: 1_000_000 })
      expect(outcomes[2]).toEqual({ kind: 'balance', availableMicros: 950_000 })
    })

    it('leaves out, alone, what the account cannot pay', async () => {
      const poor = await story.account(100_000)
      const dear = [buildStep('sms', { priceMicros: toMicros(60_000) })]
      const items = [dear, dear, buildPlan('sms')].map((plan) => messageItem(story.message(poor, { plan })))
      const outcomes = await story.accept(poor, [...items.slice(0, 2), { kind: 'balance' }])
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(['accepted', 'unpaid', 'balance'])
      expect(await story.store.counts()).toMatchObject({ open: 1 })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('takes what costs nothing from an account without money', async () => {
      const poor = await story.account(0)
      const plan = [buildStep('sms', { priceMicros: toMicros(0) })]
      const message = await story.accepted(poor, { plan })
      expect((await story.store.trace(message.id))?.postings).toEqual([])
    })

    it('accepts exactly 700 of 1,000 at once when the money is for 700', async () => {
      const busy = await story.account(700 * 50_000)
      const requests = Array.from({ length: 1_000 }, () => story.accept(busy, [messageItem(story.message(busy))]))
      const kinds = (await Promise.all(requests)).map(([outcome]) => outcome?.kind)
      expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(700)
      expect(kinds.filter((kind) => kind === 'unpaid')).toHaveLength(300)
      expect(await story.store.balancesOf(busy)).toMatchObject({ available: 0, held: 35_000_000 })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('writes nothing of a request that cannot be written whole, and harms no other', async () => {
      const first = story.message(client)
      const failing = story.accept(client, [messageItem(first), messageItem(story.message(client)), messageItem(first)])
      const fine = story.accepted(client)
      await expect(failing).rejects.toMatchObject({ name: 'StoreError' })
      const { id } = await fine
      expect(await story.store.loadMessages([first.id, id])).toMatchObject([{ id }])
      expect(await story.store.balancesOf(client)).toMatchObject({ available: 950_000, held: 50_000 })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('survives a new opening with everything as it was', async () => {
      const message = await story.accepted(client, { clientId: '12' })
      await story.reopen()
      expect(await story.store.loadMessages([message.id])).toEqual([message])
      expect(await story.store.balancesOf(client)).toMatchObject({ available: 950_000, held: 50_000 })
    })

    it('refuses an account that it does not know', async () => {
      const unknown = 4_711 as AccountId
      await expect(story.accept(unknown, [messageItem(story.message(unknown))])).rejects.toMatchObject({
        name: 'StoreError',
      })
      expect(await story.store.counts()).toMatchObject({ open: 0 })
    })
  })

  describe('ids', () => {
    it('gives every counter out once, to any caller', async () => {
      const firsts = await Promise.all([10, 1, 100].map((count) => story.store.reserveIds(count)))
      await story.reopen()
      const after = await story.store.reserveIds(5)
      expect(firsts[0]).toBeGreaterThanOrEqual(1)
      expect(firsts[1]).toBeGreaterThanOrEqual((firsts[0] ?? 0) + 10)
      expect(firsts[2]).toBeGreaterThanOrEqual((firsts[1] ?? 0) + 1)
      expect(after).toBeGreaterThanOrEqual((firsts[2] ?? 0) + 100)
    })

    it('reserves nothing for a count that is none', async () => {
      for (const count of [0, -1, 1.5, Number.NaN, 2 ** 48]) {
        await expect(story.store.reserveIds(count)).rejects.toMatchObject({ name: 'StoreError' })
      }
    })
  })

  describe('unique ids', () => {
    it('answers a second use of a client id with the first message', async () => {
      const plan = [...buildPlan('rcs'), buildStep('sms', { parts: 3 })]
      const first = await story.accepted(client, { clientId: '"order-7"', plan }, { uniqueId: true })
      const again = messageItem(story.message(client, { clientId: '"order-7"' }), { uniqueId: true })
      expect(await story.accept(client, [again])).toEqual([{ kind: 'repeated', messageId: first.id, parts: 3 }])
      expect(await story.store.balancesOf(client)).toMatchObject({ held: 50_000 })
    })

    it('keeps clients apart, and lets ids repeat where they may', async () => {
      const other = await story.account()
      await story.accepted(client, { clientId: '7' }, { uniqueId: true })
      await story.accepted(other, { clientId: '7' }, { uniqueId: true })
      await story.accepted(client, { clientId: '7' })
      await story.accepted(client, { clientId: null }, { uniqueId: true })
      await story.accepted(client, { clientId: null }, { uniqueId: true })
      expect(await story.store.counts()).toMatchObject({ open: 5 })
    })

    it('keeps those of tests apart from live ones', async () => {
      const live = await story.accepted(client, { clientId: '7' }, { uniqueId: true })
      const test = await story.accepted(client, { clientId: '7', test: true }, { uniqueId: true })
      for (const first of [live, test]) {
        const again = messageItem(story.message(client, { clientId: '7', test: first.test }), { uniqueId: true })
        expect(await story.accept(client, [again])).toMatchObject([{ kind: 'repeated', messageId: first.id }])
      }
      expect(await story.store.loadMessages([live.id, test.id])).toEqual([live, test])
    })

    it('sees the first use within the same request', async () => {
      const items = [1, 2].map(() => messageItem(story.message(client, { clientId: '1' }), { uniqueId: true }))
      expect((await story.accept(client, items)).map((outcome) => outcome.kind)).toEqual(['accepted', 'repeated'])
    })
  })

  describe('idempotency', () => {
    const idempotency = { key: 'k-1', bodyHash: 'aa', draft: '{"answer":1}', keepUntil: BEGINNING + 1_000 }
    const request = (change: Partial<AcceptRequest> = {}): AcceptRequest => ({
      accountId: client,
      now: BEGINNING,
      idempotency,
      items: [messageItem(story.message(client))],
      ...change,
    })

    it('executes a request once and answers its repeat as before', async () => {
      const [first, second] = await Promise.all([story.store.accept(request()), story.store.accept(request())])
      expect(first).toMatchObject({ kind: 'executed' })
      expect(second).toEqual({ ...first, kind: 'replayed', draft: idempotency.draft })
      await story.reopen()
      expect(await story.store.accept(request())).toEqual(second)
      expect(await story.store.counts()).toMatchObject({ open: 1 })
    })

    it('gives back a long answer letter for letter', async () => {
      const draft = JSON.stringify(Array(10_000).fill({ kind: 'written', text: 'Invalid phone number “ü”' }))
      const long = request({ idempotency: { ...idempotency, draft } })
      await story.store.accept(long)
      await story.reopen()
      expect(await story.store.accept(long)).toMatchObject({ kind: 'replayed', draft })
    })

    it('calls the same key with another body a conflict and executes nothing', async () => {
      await story.store.accept(request())
      const other = request({ idempotency: { ...idempotency, bodyHash: 'bb' } })
      expect(await story.store.accept(other)).toEqual({ kind: 'conflict' })
      expect(await story.store.counts()).toMatchObject({ open: 1 })
    })

    it('forgets a key after its time, and keeps accounts apart', async () => {
      const other = await story.account()
      await story.store.accept(request())
      const theirs = { accountId: other, items: [messageItem(story.message(other))] }
      expect(await story.store.accept(request(theirs))).toMatchObject({ kind: 'executed' })
      const later = { now: idempotency.keepUntil, idempotency: { ...idempotency, bodyHash: 'bb', keepUntil: 2e12 } }
      expect(await story.store.accept(request(later))).toMatchObject({ kind: 'executed' })
      expect(await story.store.accept(request(later))).toMatchObject({ kind: 'replayed' })
    })
  })

  describe('calls', () => {
    const candidates: readonly CallContent[] = ['0001', '0002', '0003'].map((code) => {
      return { kind: 'call', from: `49301234${code}`, code }
    })
    const call = (change: Partial<Extract<AcceptItem, { kind: 'call' }>> = {}): AcceptItem => ({
      kind: 'call',
      message: story.message(client, { plan: buildPlan('call'), hook: null }),
      waits: false,
      candidates,
      codesSince: BEGINNING - 600_000,
      limit: { max: 5, since: BEGINNING - 3_600_000 },
      ...change,
    })

    it('takes the first number whose code the phone was not given lately', async () => {
      const outcomes = await story.accept(client, [call(), call(), call(), call()])
      expect(outcomes.slice(0, 3).map((outcome) => 'call' in outcome && outcome.call)).toEqual(candidates)
      expect(outcomes[3]).toEqual({ kind: 'no number free' })
      const ids = outcomes.flatMap((outcome) => (outcome.kind === 'accepted' ? [outcome.messageId] : []))
      const stored = await story.store.loadMessages(ids)
      expect(stored.map((message) => message.plan[0]?.content)).toEqual(candidates)
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('looks back as far as each account wants, also for requests at the same time', async () => {
      const later = BEGINNING + 7_200_000
      const limit = { max: 5, since: later - 3_600_000 }
      const other = await story.account()
      const theirs = () => story.message(other, { plan: buildPlan('call'), hook: null })
      await story.accept(other, [call({ message: theirs(), candidates: candidates.slice(1) })])
      const asked = { now: later, idempotency: null }
      const recent = call({ limit, codesSince: later - 600_000 })
      const long = call({ limit, codesSince: later - 80_000_000, message: theirs(), candidates: candidates.slice(1) })
      const outcomes = await Promise.all([
        story.store.accept({ ...asked, accountId: client, items: [recent] }),
        story.store.accept({ ...asked, accountId: other, items: [long] }),
      ])
      expect(outcomes).toMatchObject([
        { outcomes: [{ kind: 'accepted', call: candidates[0] }] },
        { outcomes: [{ kind: 'accepted', call: candidates[2] }] },
      ])
    })

    it('counts those of tests apart from live ones', async () => {
      const limit = { max: 1, since: BEGINNING - 3_600_000 }
      const tested = () => story.message(client, { plan: buildPlan('call'), hook: null, test: true })
      const outcomes = await story.accept(client, [call({ limit }), call({ limit, message: tested() })])
      expect(outcomes.map((outcome) => 'call' in outcome && outcome.call)).toEqual([candidates[0], candidates[0]])
      const kinds = (await story.accept(client, [call({ limit }), call({ limit, message: tested() })])).map(
        (outcome) => outcome.kind,
      )
      expect(kinds).toEqual(['too many calls', 'too many calls'])
    })

    it('gives a code again after its validity', async () => {
      await story.accept(client, [call()])
      const later = BEGINNING + 700_000
      const [outcome] = await story.accept(client, [call({ codesSince: later - 600_000 })], { now: later })
      expect(outcome).toMatchObject({ kind: 'accepted', call: candidates[0] })
    })

    it('limits the calls to one phone', async () => {
      const limit = { max: 1, since: BEGINNING - 3_600_000 }
      const other = call({ limit })
      const elsewhere = { ...other, message: { ...(other as { message: object }).message, phone: '33612345678' } }
      const outcomes = await story.accept(client, [call({ limit }), call({ limit }), elsewhere as AcceptItem])
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(['accepted', 'too many calls', 'accepted'])
    })

    it('places no call that the account cannot pay, and uses up no number', async () => {
      const poor = await story.account(0)
      const theirs = { message: story.message(poor, { plan: buildPlan('call') }) }
      expect(await story.accept(poor, [call(theirs)])).toEqual([{ kind: 'unpaid' }])
      expect(await story.accept(client, [call()])).toMatchObject([{ call: candidates[0] }])
    })
  })

  describe('a request that may have been executed', () => {
    const key = { key: 'k', bodyHash: 'h' }
    const keepUntil = BEGINNING + 1_000

    it('is recalled as its repeat would be answered, and only by its account, key and body', async () => {
      const other = await story.account()
      expect(await story.store.recall(client, key, BEGINNING)).toBeNull()
      const idempotency = { ...key, draft: 'draft', keepUntil }
      const items = [messageItem(story.message(client))]
      const executed = await story.store.accept({ accountId: client, now: BEGINNING, idempotency, items })
      const replayed = { ...executed, kind: 'replayed', draft: 'draft' }
      expect(await story.store.recall(client, key, BEGINNING)).toEqual(replayed)
      expect(await story.store.recall(client, { ...key, bodyHash: 'other' }, BEGINNING)).toEqual({ kind: 'conflict' })
      expect(await story.store.recall(client, { ...key, key: 'other' }, BEGINNING)).toBeNull()
      expect(await story.store.recall(other, key, BEGINNING)).toBeNull()
      expect(await story.store.recall(client, key, keepUntil)).toBeNull()
    })
  })
}
