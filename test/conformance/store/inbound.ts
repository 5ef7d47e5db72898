/** What people write to our numbers is kept. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { InboundMessage } from '../../../src/ports/carrier.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { type Install, StoreStory } from './store-story.ts'

function wrote(text: string, at = BEGINNING): InboundMessage {
  return { carrierId: 'carrier-1', sender: '37120000000', recipient: '1234', text, at }
}

export function describeInbound(install: Install): void {
  let story: StoreStory
  beforeEach(async () => {
    story = await StoreStory.begin(install)
  })
  afterEach(() => story.end())

  describe('what people write', () => {
    it('is kept on disk and read newest first', async () => {
      await story.store.recordInbound([wrote('one'), wrote('two')])
      await story.store.recordInbound([wrote('three', BEGINNING - 1)])
      await story.reopen()
      const texts = async (most: number) => (await story.store.inboundMessages(most)).map(({ text }) => text)
      expect(await texts(10)).toEqual(['three', 'two', 'one'])
      expect(await texts(1)).toEqual(['three'])
    })

    it('keeps every word, but not what no database can hold', async () => {
      await story.store.recordInbound([wrote("Ünï 😀\r\n'; DROP TABLE"), wrote('a\0b\ud83d')])
      expect((await story.store.inboundMessages(2)).map(({ text }) => text)).toEqual([
        'ab\ufffd',
        "Ünï 😀\r\n'; DROP TABLE",
      ])
    })

    it('comes back as it was', async () => {
      await story.store.recordInbound([wrote('Hello')])
      expect(await story.store.inboundMessages(1)).toEqual([wrote('Hello')])
    })
  })
}
