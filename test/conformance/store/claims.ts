/** OUT: every open message is in one pair of hands or waits for its time, and a vanished node loses none. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/account.ts'
import type { Channel } from '../../../src/domain/channel.ts'
import type { Message } from '../../../src/domain/message.ts'
import type { MessageId } from '../../../src/domain/message-id.ts'
import { HANDED_OVER_MS } from '../../../src/ports/due-claim.ts'
import { BEGINNING, buildPlan } from '../../support/build-message.ts'
import { receipt, refused, taken, unclear } from '../../support/make-turn.ts'
import { type Install, StoreStory } from './store-story.ts'

export function describeClaims(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
  })
  afterEach(() => story.end())

  const claim = (now: number, channels: readonly Channel[] = ['sms'], limit = 100) =>
    story.store.claimDue({ now, channels, limit })
  const claimed = async (now: number, channels?: readonly Channel[], limit?: number): Promise<MessageId[]> =>
    (await claim(now, channels, limit)).messages.map((message) => message.id)

  describe('claiming', () => {
    it('leaves alone what this node holds', async () => {
      await story.accepted(client)
      expect(await claim(BEGINNING + 1e9)).toEqual({ messages: [], handedOver: [], overtakers: [], nextDueAt: null })
    })

    it('gives a waiting message out once, as it is stored', async () => {
      const message = await story.accepted(client, {}, { waits: true })
      expect((await claim(BEGINNING)).messages).toEqual([message])
      expect(await claimed(BEGINNING + 1e9)).toEqual([])
    })

    it('gives nothing out before its time, and says when that is', async () => {
      const message = await story.accepted(client)
      const later = await story.after(unclear(message), { held: false })
      const dueAt = later.journey.dueAt ?? 0
      expect(await claim(dueAt - 1)).toEqual({ messages: [], handedOver: [], overtakers: [], nextDueAt: dueAt })
      expect(await claim(dueAt)).toEqual({ messages: [later], handedOver: [], overtakers: [], nextDueAt: null })
    })

    it('keeps to the channels of the steps under way', async () => {
      const sms = await story.accepted(client, {}, { waits: true })
      const rcs = await story.accepted(client, { plan: buildPlan('rcs', 'chatapp') }, { waits: true })
      const moved = await story.accepted(client, { plan: buildPlan('rcs', 'chatapp') })
      await story.after(refused(moved), { held: false })
      const now = BEGINNING + 10_000
      expect(await claimed(now, ['call'])).toEqual([])
      expect(await claimed(now, ['chatapp'])).toEqual([moved.id])
      expect((await claimed(now, ['rcs', 'sms'])).sort()).toEqual([sms.id, rcs.id].sort())
    })

    it('takes no more than it is asked for, the longest due first', async () => {
      const late = await story.accepted(client, {}, { waits: true })
      const early = [1, 2].map((n) => story.message(client, { createdAt: BEGINNING - n * 1_000 }))
      for (const message of early) {
        const journey = { ...message.journey, dueAt: message.createdAt }
        await story.accept(client, [
          { kind: 'message', message: { ...message, journey }, waits: true, links: [], uniqueId: false },
        ])
      }
      expect(await claimed(BEGINNING, ['sms'], 2)).toEqual([early[1]?.id, early[0]?.id])
      expect((await claim(BEGINNING - 1)).nextDueAt).toBe(BEGINNING)
      expect(await claimed(BEGINNING)).toEqual([late.id])
    })

    it('has done with a message that ended', async () => {
      const message = await story.accepted(client)
      await story.after(refused(message))
      await story.reopen()
      expect(await claimed(BEGINNING + 1e9)).toEqual([])
    })

    it('gives back what was let go, for its own time', async () => {
      const message = await story.accepted(client)
      const carried = await story.after(taken(message, ['ref-1']), { held: true })
      await story.store.letGo([carried.id])
      const dueAt = carried.journey.dueAt ?? 0
      expect((await claim(dueAt - 1)).nextDueAt).toBe(dueAt)
      expect((await claim(dueAt)).messages).toEqual([carried])
    })

    it('lets go only what is held', async () => {
      const message = await story.accepted(client)
      await story.after(refused(message))
      await story.store.letGo([message.id])
      expect(await claimed(BEGINNING + 1e9)).toEqual([])
    })
  })

  describe('handing over', () => {
    const smsc = { id: 'smsc', channel: 'sms' } as const
    const claimFor = async (...carriers: readonly { readonly id: string; readonly channel: 'sms' }[]) => {
      const { handedOver } = await story.store.claimDue({
        now: BEGINNING,
        channels: ['sms'],
        carriers,
        limit: 9,
      })
      return handedOver
    }
    const handOver = (message: Message, version = message.journey.version) =>
      story.store.handOver([{ messageId: message.id, version, carrierId: 'smsc' }], BEGINNING)

    it('gives a message to those alone who have the carrier', async () => {
      const message = await story.accepted(client)
      expect(await handOver(message)).toEqual([])
      expect(await claimFor()).toEqual([])
      expect(await claimFor({ id: 'smsc2', channel: 'sms' })).toEqual([])
      expect(await claimFor(smsc)).toEqual([message.id])
      expect(await claimFor(smsc)).toEqual([])
    })

    it('passes over what has gone on since, has ended, or is not held', async () => {
      const gone = await story.accepted(client)
      await story.after(taken(gone, ['ref-1']), { held: true })
      const ended = await story.accepted(client)
      await story.after(refused(ended))
      const waiting = await story.accepted(client, {}, { waits: true })
      for (const message of [gone, ended, waiting]) expect(await handOver(message)).toEqual([message.id])
      expect(await claimFor(smsc)).toEqual([])
    })

    it('opens to all what nobody has taken for long', async () => {
      const message = await story.accepted(client)
      await handOver(message)
      await story.sweep(BEGINNING + HANDED_OVER_MS - 1)
      expect(await claimed(BEGINNING)).toEqual([])
      await story.sweep(BEGINNING + HANDED_OVER_MS)
      expect(await claimed(BEGINNING)).toEqual([message.id])
    })

    it('remembers the channel of a message that goes on', async () => {
      const message = await story.accepted(client, { plan: buildPlan('sms', 'rcs') })
      await handOver(message)
      await claimFor(smsc)
      const second = await story.after(refused(message), { held: true })
      await story.reopen()
      expect(await claimed(BEGINNING, ['rcs'])).toEqual([second.id])
    })
  })

  describe('when a node vanishes', () => {
    it('gives what it held to the next at once, whatever was due when', async () => {
      const fresh = await story.accepted(client)
      const carried = await story.accepted(client)
      await story.after(taken(carried, ['ref-1']), { held: true })
      const waiting = await story.accepted(client)
      await story.after(taken(waiting, ['ref-2']), { held: false })
      await story.reopen()
      expect((await claimed(BEGINNING)).sort()).toEqual([fresh.id, carried.id].sort())
      expect(await claimed(BEGINNING)).toEqual([])
    })

    it('remembers the channel of the step that was under way', async () => {
      const message = await story.accepted(client, { plan: buildPlan('rcs', 'sms') })
      const second = await story.after(refused(message), { held: true })
      await story.reopen()
      expect(await claimed(BEGINNING, ['rcs'])).toEqual([])
      expect((await claim(BEGINNING, ['sms'])).messages).toEqual([second])
    })

    it('lets the next node go on where it stopped, and lets go for the time of the journey', async () => {
      const message = await story.accepted(client)
      const carried = await story.after(taken(message, ['ref-1']), { held: true })
      await story.reopen()
      await claim(BEGINNING)
      await story.store.letGo([message.id])
      expect((await claim(BEGINNING)).nextDueAt).toBe(carried.journey.dueAt)
      await story.after(receipt(carried, 'delivered'))
      expect(await story.store.verifyLedger()).toEqual([])
    })
  })
}
