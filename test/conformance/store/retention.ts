/** Keeping and letting go: what was kept long enough goes, of ended messages alone, and the book stays right. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountSettings } from '../../../src/domain/accounts/account.ts'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../../src/domain/accounts/account.ts'
import { DAY_MS } from '../../../src/domain/accounts/retention.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import type { ReportResult } from '../../../src/ports/records/pending-report.ts'
import type { ShortLink } from '../../../src/ports/records/short-link.ts'
import { BEGINNING, buildStep } from '../../support/build-message.ts'
import { wrote } from '../../support/inbound-arrival.ts'
import { clicked, receipt, refused, TEST_CARRIER, taken } from '../../support/make-turn.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

const DAY = BEGINNING + DAY_MS

export function describeRetention(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000, { textsKeptDays: 1, recordsKeptDays: 3 })
  })
  afterEach(async () => {
    expect(await story.store.verifyLedger()).toEqual([])
    await story.end()
  })

  const sent = (messageId: Message['id'], number = 0): ReportResult => {
    return { messageId, number, kind: 'sent', at: BEGINNING, dueAt: null, held: false, detail: '200' }
  }
  /** Delivered, with its report sent. */
  const ended = async (change: Partial<Message> = {}): Promise<Message> => {
    const message = await story.accepted(client, change)
    const after = await story.after(receipt(await story.after(taken(message, [`ref-${message.id}`])), 'delivered'))
    if (after.hook !== null) await story.store.settleReports([sent(message.id)])
    return after
  }
  const traceOf = async (message: Message) => {
    const trace = await story.store.trace(message.id)
    if (trace === null) throw new Error('the message is gone')
    return trace
  }
  const textOf = async (message: Message): Promise<string> => {
    const [content] = (await traceOf(message)).message.plan.map((step) => step.content)
    return content?.kind === 'text' ? content.text : ''
  }
  const settings = (change: Partial<AccountSettings>): AccountSettings => ({ ...DEFAULT_ACCOUNT_SETTINGS, ...change })

  describe('keeping', () => {
    it('lets texts and the words of carriers go when their days are over, and nothing else', async () => {
      const message = await ended({ clientId: '"a-1"' })
      await story.sweep(DAY - 1)
      expect(await textOf(message)).toBe('Your parcel is here.')
      expect(JSON.parse((await traceOf(message)).reports[0]?.body ?? '')).toMatchObject({ status: 'DELIVERED' })
      await story.sweep(DAY)
      const trace = await traceOf(message)
      expect(trace.message.plan).toEqual([buildStep('sms', { content: { kind: 'text', text: '' } })])
      expect(trace.timeline.map(({ kind, detail }) => [kind, detail])).toEqual([
        ['taken', ''],
        ['delivered', ''],
      ])
      expect(trace.reports).toMatchObject([{ state: 'sent', body: '', detail: '' }])
      expect(trace.message).toMatchObject({ phone: message.phone, clientId: '"a-1"', journey: { status: 'DELIVERED' } })
      expect(trace.postings).toHaveLength(2)
    })

    it('lets long texts go as well as short ones', async () => {
      const contents = ['Your parcel is here.', 'Your parcel is here. '.repeat(100)].map(
        (text) => ({ kind: 'text', text }) as const,
      )
      const messages: Message[] = []
      for (const content of contents) messages.push(await ended({ plan: [buildStep('sms', { content })] }))
      const texts = () => Promise.all(messages.map(textOf))
      expect(await texts()).toEqual(contents.map(({ text }) => text))
      await story.sweep(DAY)
      expect(await texts()).toEqual(['', ''])
      expect(await story.store.countSeals()).toEqual([expect.objectContaining({ seals: 2 })])
    })

    it('lets everything go when the days of records are over, but the postings', async () => {
      const message = await ended()
      const before = await story.store.balancesOf(client)
      await story.sweep(BEGINNING + 3 * DAY_MS - 1)
      await traceOf(message)
      await story.sweep(BEGINNING + 3 * DAY_MS)
      expect(await story.store.trace(message.id)).toBeNull()
      expect(await story.store.loadMessages([message.id])).toEqual([])
      expect(await story.store.balancesOf(client)).toEqual(before)
      const { rows } = await story.store.page({ of: 'postings', accountId: client, after: null, limit: 9 })
      expect(rows.map(({ kind, messageId }) => [kind, messageId])).toEqual([
        ['charge', message.id],
        ['hold', message.id],
        ['top-up', null],
      ])
      const late = { carrierId: TEST_CARRIER, ref: `ref-${message.id}`, outcome: 'read', detail: '' } as const
      expect(await story.store.matchReceipts([late], DAY)).toEqual([null])
      expect(await story.record(receipt(message, 'read'))).toMatchObject({ stale: [message.id] })
    })

    it('keeps what is open, and lets it go when it has ended later', async () => {
      const open = await story.accepted(client, { hook: null })
      await story.sweep(BEGINNING + 9 * DAY_MS)
      expect(await textOf(open)).toBe('Your parcel is here.')
      await story.after(refused(open))
      await story.sweep(BEGINNING + 9 * DAY_MS)
      expect(await story.store.trace(open.id)).toBeNull()
    })

    it('keeps messages with a pending report', async () => {
      const message = await story.accepted(client)
      await story.after(refused(message))
      await story.sweep(BEGINNING + 9 * DAY_MS)
      expect((await traceOf(message)).reports).toMatchObject([{ body: expect.stringContaining('UNDELIVERABLE') }])
      await story.store.settleReports([sent(message.id)])
      await story.sweep(BEGINNING + 9 * DAY_MS)
      expect(await story.store.trace(message.id)).toBeNull()
    })

    it('keeps messages whose hook is stopped no longer than others', async () => {
      const messages = [await story.accepted(client), await story.accepted(client)]
      for (const message of messages) await story.after(refused(message))
      await story.sweep(BEGINNING + 9 * DAY_MS)
      const [gone, unsent] = messages.map(({ id }) => sent(id))
      if (gone !== undefined) await story.store.settleReports([{ ...gone, kind: 'gone', detail: '410' }])
      if (unsent !== undefined) await story.store.settleReports([{ ...unsent, kind: 'unsent', detail: 'not sent' }])
      await story.sweep(BEGINNING + 9 * DAY_MS)
      expect(await Promise.all(messages.map(({ id }) => story.store.trace(id)))).toEqual([null, null])
    })

    it('is each account’s own affair', async () => {
      const others = [
        await story.account(1_000_000, { textsKeptDays: null, recordsKeptDays: null }),
        await story.account(1_000_000, { textsKeptDays: 2, recordsKeptDays: 2 }),
      ]
      const messages: Message[] = []
      for (const each of [client, ...others]) {
        client = each
        messages.push(await ended())
      }
      const found = () => Promise.all(messages.map(async ({ id }) => (await story.store.trace(id)) !== null))
      await story.sweep(BEGINNING + 2 * DAY_MS)
      expect(await found()).toEqual([true, true, false])
      await story.sweep(BEGINNING + 1_000 * DAY_MS)
      expect(await found()).toEqual([false, true, false])
      expect(await textOf(messages[1] as Message)).toBe('Your parcel is here.')
    })

    it('applies to messages that were accepted before it was shortened', async () => {
      const patient = await story.account(1_000_000, { textsKeptDays: 50, recordsKeptDays: 50 })
      const quick = await ended()
      client = patient
      const message = await ended()
      await story.sweep(BEGINNING + 4 * DAY_MS)
      expect(await story.store.trace(quick.id)).toBeNull()
      expect(await textOf(message)).toBe('Your parcel is here.')
      const change = { kind: 'set account', accountId: patient } as const
      await story.store.change({ ...change, settings: settings({ textsKeptDays: 1, recordsKeptDays: 50 }) })
      await story.sweep(BEGINNING + 4 * DAY_MS)
      expect(await textOf(message)).toBe('')
      await story.store.change({ ...change, settings: settings({ textsKeptDays: 1, recordsKeptDays: 3 }) })
      await story.sweep(BEGINNING + 4 * DAY_MS)
      expect(await story.store.trace(message.id)).toBeNull()
    })

    it('goes through any number of messages, whatever is open among them', async () => {
      client = await story.account(1e9, { textsKeptDays: 1, recordsKeptDays: 3 })
      const messages = await Promise.all(Array.from({ length: 450 }, () => story.accepted(client, { hook: null })))
      const some = messages.filter((_, index) => index % 3 > 0)
      await Promise.all(some.map((message) => story.after(refused(message))))
      await story.sweep(BEGINNING + 3 * DAY_MS)
      expect(await story.store.loadMessages(messages.map(({ id }) => id))).toHaveLength(150)
      const rest = messages.filter((_, index) => index % 3 === 0)
      await Promise.all(rest.map((message) => story.after(refused(message))))
      await story.reopen()
      await story.sweep(BEGINNING + 3 * DAY_MS)
      expect(await story.store.loadMessages(messages.map(({ id }) => id))).toEqual([])
    })

    it('passes over nothing that is younger than what follows it', async () => {
      const young = await ended({ createdAt: BEGINNING + 2 * DAY_MS })
      const old = await ended()
      for (const days of [3, 5]) await story.sweep(BEGINNING + days * DAY_MS)
      expect(await story.store.loadMessages([young.id, old.id])).toEqual([])
    })

    it.each([false, true])('frees a client id that must not repeat (of a test message: %s)', async (test) => {
      const message = story.message(client, { clientId: '7', hook: null, test })
      await story.accept(client, [messageItem(message, { uniqueId: true })])
      await story.after(refused(message))
      const again = () =>
        story.accept(client, [messageItem(story.message(client, { clientId: '7', test }), { uniqueId: true })])
      expect(await again()).toMatchObject([{ kind: 'repeated', messageId: message.id }])
      await story.sweep(BEGINNING + 3 * DAY_MS)
      expect(await again()).toMatchObject([{ kind: 'accepted' }])
    })

    it('lets what only served delivery go by the days of the installation', async () => {
      client = await story.account(1_000_000)
      const message = await ended()
      const open = await story.accepted(client)
      await story.after(taken(open, ['ref-open']))
      const refs = [`ref-${message.id}`, 'ref-open'].map((ref) => {
        return { carrierId: TEST_CARRIER, ref, outcome: 'delivered', detail: '' } as const
      })
      await story.sweep(BEGINNING + 2 * DAY_MS, { settledKeptDays: 3 })
      expect((await traceOf(message)).reports).toHaveLength(1)
      await story.sweep(BEGINNING + 3 * DAY_MS, { settledKeptDays: null })
      expect((await traceOf(message)).reports).toHaveLength(1)
      await story.sweep(BEGINNING + 3 * DAY_MS, { settledKeptDays: 3 })
      expect((await traceOf(message)).reports).toEqual([])
      expect(await story.store.matchReceipts(refs, DAY)).toMatchObject([null, { messageId: open.id }])
    })

    it('ends a link with its text, and forgets it once it has expired', async () => {
      const message = story.message(client, { hook: null })
      const links = [0, 9].map((days): ShortLink => {
        const url = `https://shop.example/${days}`
        return { code: `code-${days}`, messageId: message.id, url, expiresAt: BEGINNING + days * DAY_MS }
      })
      await story.accept(client, [messageItem(message, { links })])
      await story.after(refused(message))
      await story.sweep(DAY)
      expect(await story.store.findLinks(['code-0', 'code-9'])).toEqual([
        { code: 'code-9', messageId: message.id, url: '', expiresAt: DAY },
      ])
    })

    it('lets nothing in memory bring back what has gone', async () => {
      const plan = [buildStep('rcs'), buildStep('sms')]
      const first = await story.after(refused(await story.accepted(client, { plan })))
      const message = await story.after(receipt(await story.after(taken(first, ['r'])), 'delivered'))
      await story.store.settleReports([sent(message.id)])
      const turn = receipt(message, 'read')
      await story.sweep(DAY)
      expect(await story.record(turn)).toMatchObject({ stale: [message.id] })
      const [now] = await story.store.loadMessages([message.id])
      await story.after(receipt(now as Message, 'read'))
      const { status, steps } = (await traceOf(message)).message.journey
      expect([status, ...steps.map(({ detail }) => detail)]).toEqual(['READ', null, null])
      await story.store.settleReports([sent(message.id, 1)])
      await story.sweep(DAY)
      expect((await traceOf(message)).reports).toMatchObject([{ body: '' }, { body: '' }])
    })

    it('does not send a report again whose body has gone', async () => {
      const message = await story.accepted(client)
      await story.after(refused(message))
      await story.store.settleReports([{ ...sent(message.id), kind: 'failed', detail: 'timeout' }])
      await story.sweep(DAY)
      const filter = { messageId: message.id, accountId: null, address: null, since: null, at: DAY }
      expect(await story.store.change({ kind: 'resend reports', pending: false, ...filter })).toBe(0)
      expect(await story.store.counts()).toMatchObject({ pendingReports: 0, failedReports: 1 })
    })

    it('reports a click even after the texts were deleted', async () => {
      const message = story.message(client, { hook: null })
      await story.accept(client, [messageItem(message)])
      const carried = await story.after(taken(message, ['r']))
      await story.after(receipt(carried, 'delivered'))
      await story.sweep(DAY)
      const [now] = await story.store.loadMessages([message.id])
      await story.after(clicked(now as Message, 'https://shop.example', 'abc'), { clickedCode: 'abc' })
      expect((await traceOf(message)).timeline.at(-1)).toMatchObject({ kind: 'clicked', detail: 'abc' })
    })

    it('deletes inbound messages after the days of the installation', async () => {
      const arrivals = Array.from({ length: 1_500 }, (_, n) => wrote(`${n}`, { at: BEGINNING + (n < 1_499 ? 0 : 1) }))
      await story.store.recordInbound(arrivals, [])
      await story.sweep(BEGINNING + 5 * DAY_MS, { inboundKeptDays: null })
      expect(await story.store.inboundMessages(2_000)).toHaveLength(1_500)
      await story.sweep(BEGINNING + 5 * DAY_MS, { inboundKeptDays: 5 })
      expect(await story.store.inboundMessages(9)).toMatchObject([{ text: '1499' }])
    })
  })
}
