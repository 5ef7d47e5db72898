/** Failed reports of an account are sent again on the client's request. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { REPORT_LIFETIME_MS } from '../../../src/domain/reports/report-schedule.ts'
import type { ReportResult } from '../../../src/ports/records/pending-report.ts'
import type { ReplayRequest } from '../../../src/ports/stores/replay-store.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { receipt, refused, taken } from '../../support/make-turn.ts'
import { type Install, StoreStory } from './store-story.ts'

const NOW = BEGINNING + 60_000
const HOOK = 'https://client.example/hook'

export function describeReplays(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
  })
  afterEach(() => story.end())

  /** A message with a report that failed. */
  const failed = async (hook = HOOK, accountId = client): Promise<Message> => {
    const message = await story.after(refused(await story.accepted(accountId, { hook })))
    await settle(message, 0)
    return message
  }
  const settle = ({ id }: Message, number: number, change: Partial<ReportResult> = {}) =>
    story.store.settleReports([
      { messageId: id, number, kind: 'failed', at: NOW, dueAt: null, held: false, detail: 'HTTP 500', ...change },
    ])
  const replay = (change: Partial<ReplayRequest> = {}) =>
    story.store.replayReports({ accountId: client, hook: null, since: null, at: NOW, ...change })
  const claimed = async () => (await story.store.claimReports({ now: NOW, limit: 10 })).reports

  describe('a replay of failed reports', () => {
    it('sends those of the account again from the first try on, one after the other', async () => {
      const message = await story.after(taken(await story.accepted(client, { hook: HOOK }), ['ref-1']))
      await story.after(receipt(await story.after(receipt(message, 'delivered')), 'read'))
      for (const number of [0, 1]) await settle(message, number)
      const theirs = await failed(HOOK, await story.account())
      expect(await replay()).toBe(2)
      expect(await claimed()).toMatchObject([
        { messageId: message.id, number: 0, tries: 0, endsAt: NOW + REPORT_LIFETIME_MS },
      ])
      expect(await settle(message, 0, { kind: 'sent' })).toMatchObject([{ messageId: message.id, number: 1, tries: 0 }])
      expect((await story.store.trace(theirs.id))?.reports).toMatchObject([{ state: 'failed' }])
      expect(await replay()).toBe(0)
    })

    it('takes only reports of one hook, whatever their query, and only of events since a time', async () => {
      const [plain, query] = [await failed(), await failed(`${HOOK}?id=7`)]
      await failed(`${HOOK}/other`)
      expect(await replay({ since: NOW })).toBe(0)
      expect(await replay({ hook: HOOK, since: BEGINNING + 1_000 })).toBe(2)
      expect(new Set((await claimed()).map(({ messageId }) => messageId))).toEqual(new Set([plain.id, query.id]))
    })

    it('goes from hook to hook, past those whose reports are too old', async () => {
      for (let count = 0; count < 3; count += 1) await failed(`${HOOK}/${count}`)
      const later = { ...refused(await story.accepted(client, { hook: `${HOOK}/9` })) }
      const [entry] = later.timeline
      if (entry === undefined) throw new Error('the turn has no time')
      const message = await story.after({ ...later, timeline: [{ ...entry, at: NOW + 5_000 }] })
      await settle(message, 0, { at: NOW + 5_000 })
      expect(await replay({ since: NOW + 1, at: NOW + 6_000 })).toBe(1)
      expect(await replay({ at: NOW + 6_000 })).toBe(3)
    })

    it('leaves out those of a stopped hook, and those that were sent or still wait', async () => {
      const stopped = await story.after(refused(await story.accepted(client, { hook: `${HOOK}/gone` })))
      await settle(stopped, 0, { kind: 'gone' })
      const sent = await story.after(refused(await story.accepted(client, { hook: HOOK })))
      await settle(sent, 0, { kind: 'sent' })
      await story.after(refused(await story.accepted(client, { hook: HOOK })))
      expect(await replay()).toBe(0)
    })
  })
}
