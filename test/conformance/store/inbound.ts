/** Inbound messages are kept: each once, long messages whole. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { INBOUND_KEYS_LINGER_MS, INBOUND_PARTS_KEPT_MS } from '../../../src/ports/carriers/carrier.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { wrote, wrotePart } from '../../support/inbound-arrival.ts'
import { type Install, StoreStory } from './store-story.ts'

export function describeInbound(install: Install): void {
  let story: StoreStory
  beforeEach(async () => {
    story = await StoreStory.begin(install)
  })
  afterEach(() => story.end())

  const texts = async (most = 10) => (await story.store.inboundMessages(most)).map(({ text }) => text)

  describe('an inbound message', () => {
    it('is kept on disk and read newest first', async () => {
      await story.store.recordInbound([wrote('one'), wrote('two')], [])
      await story.store.recordInbound([wrote('three', { at: BEGINNING - 1 })], [])
      await story.reopen()
      expect(await texts()).toEqual(['three', 'two', 'one'])
      expect(await texts(1)).toEqual(['three'])
    })

    it('keeps every word, but not what no database can hold', async () => {
      await story.store.recordInbound([wrote("Ünï 😀\r\n'; DROP TABLE"), wrote('a\0b\ud83d')], [])
      expect(await texts()).toEqual(['ab\ufffd', "Ünï 😀\r\n'; DROP TABLE"])
    })

    it('is truncated at the maximum length', async () => {
      const address = '9'.repeat(300)
      await story.store.recordInbound([wrote('x'.repeat(70_000), { sender: address, recipient: address })], [])
      await story.store.recordInbound(
        [1, 2, 3].map((number) => wrotePart(number, 'y'.repeat(60_000))),
        [],
      )
      const [joined, whole] = await story.store.inboundMessages(2)
      expect(joined?.text).toBe('y'.repeat(3 * 1_024))
      expect(whole).toMatchObject({ text: 'x'.repeat(65_536), sender: '9'.repeat(255), recipient: '9'.repeat(255) })
    })

    it('comes back as it was', async () => {
      const { carrierId, sender, recipient, text, at, ...arrival } = wrote('Hello')
      const message = { carrierId, sender, recipient, text, at }
      await story.store.recordInbound([{ ...message, ...arrival }], [])
      expect(await story.store.inboundMessages(1)).toEqual([message])
    })
  })

  describe('what a carrier brings again', () => {
    it('under the same key is kept once: in one batch, in the next, after a restart', async () => {
      const again = { key: 'same' }
      await story.store.recordInbound([wrote('Yes', again), wrote('Yes', again)], [])
      await story.store.recordInbound([wrote('Yes', again)], [])
      await story.reopen()
      await story.store.recordInbound([wrote('Yes', again)], [])
      expect(await texts()).toEqual(['Yes'])
    })

    it('after it was settled is new, as is what comes under the key of another carrier', async () => {
      const again = { key: 'same' }
      await story.store.recordInbound([wrote('Yes', again)], [])
      await story.store.recordInbound([wrote('Yes', { ...again, carrierId: 'carrier-2' })], [])
      await story.store.recordInbound([wrote('Yes', again)], [{ carrierId: 'carrier-1', key: 'same', at: BEGINNING }])
      await story.store.recordInbound([], [{ carrierId: 'carrier-1', key: 'never seen', at: BEGINNING }])
      expect(await texts()).toEqual(['Yes', 'Yes', 'Yes'])
    })

    it('and was read before it was settled is kept once, however late it is recorded', async () => {
      const again = (at: number) => ({ key: 'same', at })
      await story.store.recordInbound([wrote('Yes', again(BEGINNING + 5))], [])
      await story.store.recordInbound([], [{ carrierId: 'carrier-1', key: 'same', at: BEGINNING + 9 }])
      await story.sweep(BEGINNING + 10)
      await story.store.recordInbound([wrote('Yes', again(BEGINNING + 2))], [])
      expect(await texts()).toEqual(['Yes'])
      await story.store.recordInbound([wrote('Yes', again(BEGINNING + 9))], [])
      expect(await texts()).toEqual(['Yes', 'Yes'])
    })

    it('after its time is new, swept or not', async () => {
      const again = (at: number) => ({ key: 'same', at, keyUntil: at + 10 })
      await story.store.recordInbound([wrote('one', again(BEGINNING))], [])
      await story.store.recordInbound([wrote('late', again(BEGINNING + 9))], [])
      await story.store.recordInbound([wrote('two', again(BEGINNING + 10))], [])
      await story.sweep(BEGINNING + 19)
      await story.store.recordInbound([wrote('late', again(BEGINNING + 19))], [])
      await story.sweep(BEGINNING + 20 + INBOUND_KEYS_LINGER_MS)
      await story.store.recordInbound([wrote('three', again(BEGINNING + 5))], [])
      expect(await texts()).toEqual(['three', 'two', 'one'])
    })
  })

  describe('a long message', () => {
    it('waits on disk until all of its parts are there, in whatever order they come, and often', async () => {
      await story.store.recordInbound([wrotePart(3, 'three.'), wrotePart(1, 'one, ')], [])
      await story.reopen()
      await story.store.recordInbound([wrotePart(1, 'one, '), wrotePart(3, 'three.')], [])
      expect(await texts()).toEqual([])
      const at = BEGINNING + 5
      const whole = { carrierId: 'carrier-1', sender: '37120000000', recipient: '1234', text: 'one, two, three.', at }
      await story.store.recordInbound([wrotePart(2, 'two, ', { at })], [])
      expect(await story.store.inboundMessages(10)).toEqual([whole])
    })

    it('may be cut in the middle of a character', async () => {
      const parts = [wrotePart(1, 'a\ud83d'), wrotePart(2, '\ude00\0b'), wrotePart(3, '')]
      await story.store.recordInbound(parts, [])
      expect(await texts()).toEqual(['a😀b'])
    })

    it('is identified by its carrier, its sender and recipient, its reference and its number of parts', async () => {
      const others = [
        { carrierId: 'carrier-2' },
        { sender: '37120000001' },
        { recipient: '4321' },
        { part: { reference: 701, total: 3, number: 2 } },
        { part: { reference: 700, total: 4, number: 2 } },
      ]
      await story.store.recordInbound([wrotePart(1, 'a'), ...others.map((change) => wrotePart(2, 'x', change))], [])
      await story.store.recordInbound([wrotePart(3, 'c')], [])
      expect(await texts()).toEqual([])
      await story.store.recordInbound([wrotePart(2, 'b')], [])
      expect(await texts()).toEqual(['abc'])
    })

    it('under the reference of one that never became whole leaves that as far as it came', async () => {
      await story.store.recordInbound([wrotePart(1, 'old 1 '), wrotePart(2, 'old 2 ')], [])
      await story.store.recordInbound([wrotePart(1, 'new 1 ')], [])
      expect(await texts()).toEqual(['old 1 old 2 […]'])
      await story.store.recordInbound([wrotePart(2, 'new 2 '), wrotePart(3, 'new 3')], [])
      expect(await texts()).toEqual(['new 1 new 2 new 3', 'old 1 old 2 […]'])
    })

    it('that never becomes whole is kept as far as it came, a day after its first part', async () => {
      const later = BEGINNING + INBOUND_PARTS_KEPT_MS - 1
      await story.store.recordInbound([wrotePart(2, 'two '), wrotePart(3, 'three', { at: later })], [])
      for (let number = 0; number < 250; number += 1) {
        await story.store.recordInbound([wrotePart(1, 'one ', { sender: `3712${number}`, at: BEGINNING + 1 })], [])
      }
      await story.sweep(later)
      expect(await texts()).toEqual([])
      await story.sweep(later + 1)
      expect(await texts()).toEqual(['[…]two three'])
      await story.sweep(later + 2)
      expect((await texts(500)).filter((text) => text === 'one […][…]')).toHaveLength(250)
      expect(await story.store.inboundMessages(500)).toContainEqual(
        expect.objectContaining({ text: '[…]two three', at: later }),
      )
    })
  })
}
