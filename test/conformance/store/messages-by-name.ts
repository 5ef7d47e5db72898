/** IN: messages are found by what a client calls them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { type Message, REDACTED } from '../../../src/domain/message/message.ts'
import { taken } from '../../support/make-turn.ts'
import { type Install, StoreStory } from './store-story.ts'

export function describeMessagesByName(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
  })
  afterEach(() => story.end())

  const bare = (message: Message): Message => {
    return { ...message, plan: message.plan.map((step) => ({ ...step, content: REDACTED })) }
  }
  const find = (messageId: Message['id'] | null, clientId: string | null, accountId = client, test = false) =>
    story.store.findMessages(accountId, [{ messageId, clientId, test }])

  describe('a message by its name', () => {
    it('is found by our id, by the client’s or by both, without what it carries', async () => {
      const message = await story.accepted(client, { clientId: '"a-1"' })
      expect(await find(message.id, null)).toEqual([bare(message)])
      expect(await find(null, '"a-1"')).toEqual([bare(message)])
      expect(await find(message.id, '"a-1"')).toEqual([bare(message)])
    })

    it('is found by digits alone, as a number and as text, and by the exact form where both are there', async () => {
      const number = await story.accepted(client, { clientId: '12' })
      const text = await story.accepted(client, { clientId: '"34"' })
      expect(await find(null, '"12"')).toEqual([bare(number)])
      expect(await find(number.id, '"12"')).toEqual([bare(number)])
      expect(await find(null, '34')).toEqual([bare(text)])
      const later = await story.accepted(client, { clientId: '"12"' })
      expect(await find(null, '12')).toEqual([bare(number)])
      expect(await find(null, '"12"')).toEqual([bare(later)])
    })

    it('is not found by the wrong one of two, in another spelling, or by another account', async () => {
      const message = await story.accepted(client, { clientId: '12' })
      const nameless = await story.accepted(client)
      const other = await story.account()
      expect(await find(message.id, '13')).toEqual([null])
      expect(await find(nameless.id, '12')).toEqual([null])
      expect(await find(null, '012')).toEqual([null])
      expect(await find(null, '12.5')).toEqual([null])
      expect(await find(null, '12', other)).toEqual([null])
      expect(await find(message.id, null, other)).toEqual([null])
      expect(await find((message.id + 6_400) as Message['id'], null)).toEqual([null])
    })

    it('is found by a number with zeros in front, and the reverse', async () => {
      const plain = await story.accepted(client, { clientId: '12' })
      const padded = await story.accepted(client, { clientId: '"0042282033"' })
      expect(await find(null, '"0012"')).toEqual([bare(plain)])
      expect(await find(null, '12.0')).toEqual([bare(plain)])
      expect(await find(null, '42282033')).toEqual([bare(padded)])
      expect(await find(null, '"42282033"')).toEqual([bare(padded)])
    })

    it('is the newest of those with the same id', async () => {
      await story.accepted(client, { clientId: '12' })
      const newest = await story.accepted(client, { clientId: '12' })
      expect(await find(null, '12')).toEqual([bare(newest)])
    })

    it('is apart from those of tests, which have ids of their own', async () => {
      const live = await story.accepted(client, { clientId: '12' })
      const test = await story.accepted(client, { clientId: '12', test: true })
      expect(await find(null, '12')).toEqual([bare(live)])
      expect(await find(null, '12', client, true)).toEqual([bare(test)])
      expect(await find(live.id, null, client, true)).toEqual([null])
      expect(await find(test.id, null)).toEqual([null])
    })

    it('is as it was recorded last, whichever node holds it', async () => {
      const message = await story.accepted(client, { clientId: '12' })
      const carried = await story.after(taken(message, ['ref-1']), { held: true })
      expect(await find(null, '12')).toEqual([bare(carried)])
    })

    it('keeps what the client calls its channels, with and without its texts', async () => {
      const [step] = (await story.accepted(client)).plan
      if (step === undefined) throw new RangeError('a plan has at least one step')
      const named = await story.accepted(client, { plan: [{ ...step, channel: 'chatapp', channelName: 'viber' }] })
      expect((await find(named.id, null)).map((message) => message?.plan[0]?.channelName)).toEqual(['viber'])
      expect(await story.store.loadMessages([named.id])).toEqual([named])
    })

    it('comes in the order in which it was asked for, as often as it was', async () => {
      const [one, two] = [
        await story.accepted(client, { clientId: '1' }),
        await story.accepted(client, { clientId: '2' }),
      ]
      const names = [
        { messageId: two.id, clientId: null, test: false },
        ...['1', '3', '1'].map((clientId) => ({ messageId: null, clientId, test: false })),
      ]
      expect(await story.store.findMessages(client, names)).toEqual([bare(two), bare(one), null, bare(one)])
      expect(await story.store.findMessages(client, [])).toEqual([])
    })
  })
}
