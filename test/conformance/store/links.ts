/** Short links: found by their code, clicks counted, the first human click reported once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/account.ts'
import type { Message } from '../../../src/domain/message.ts'
import type { ClickCount, ShortLink } from '../../../src/ports/short-link.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { clicked } from '../../support/make-turn.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

export function describeLinks(install: Install): void {
  let story: StoreStory
  let client: AccountId
  let message: Message
  let links: readonly ShortLink[]
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
    message = story.message(client)
    links = ['aaaa', 'bbbb'].map((code) => {
      return { code, messageId: message.id, url: `https://shop.example/${code}?q=ü`, expiresAt: BEGINNING + 1e9 }
    })
    await story.accept(client, [messageItem(message, { links })])
  })
  afterEach(() => story.end())

  const count = (...clicks: readonly ClickCount[]) => story.store.countClicks(clicks, BEGINNING)
  const human = (code: string): ClickCount => ({ code, humans: 1, robots: 0 })
  const robot = (code: string): ClickCount => ({ code, humans: 0, robots: 1 })

  describe('short links', () => {
    it('finds the links of known codes, letter for letter', async () => {
      expect(await story.store.findLinks(['bbbb', 'nope', 'AAAA', 'aaaa'])).toEqual([links[1], links[0]])
    })

    it('stores no link of a message that was not accepted', async () => {
      const poor = await story.account(0)
      const unpaid = story.message(poor)
      const link = { code: 'cccc', messageId: unpaid.id, url: 'https://shop.example', expiresAt: BEGINNING }
      await story.accept(poor, [messageItem(unpaid, { links: [link] })])
      expect(await story.store.findLinks(['cccc'])).toEqual([])
    })

    it('counts humans and robots apart', async () => {
      await count({ code: 'aaaa', humans: 2, robots: 3 }, human('aaaa'), robot('bbbb'), human('nope'))
      expect((await story.store.trace(message.id))?.links).toEqual([
        { ...links[0], humans: 3, robots: 3 },
        { ...links[1], humans: 0, robots: 1 },
      ])
    })

    it('returns the code of a human click until a turn has reported it', async () => {
      expect(await count(robot('aaaa'))).toEqual([])
      expect(await count(human('aaaa'), robot('bbbb'))).toEqual(['aaaa'])
      expect(await count(human('aaaa'), human('aaaa'))).toEqual(['aaaa'])
      const turn = clicked(message, links[0]?.url ?? '', 'aaaa')
      await story.after(turn, { clickedCode: 'aaaa' })
      expect(await count(human('aaaa'), human('bbbb'))).toEqual(['bbbb'])
      expect(await story.store.counts()).toMatchObject({ pendingReports: 1 })
    })

    it('does not count a stale turn as reported', async () => {
      const turn = clicked(message, links[0]?.url ?? '', 'aaaa')
      await story.after(clicked(message, links[1]?.url ?? '', 'bbbb'), { clickedCode: 'bbbb' })
      await story.record(turn, { clickedCode: 'aaaa' })
      expect(await count(human('aaaa'))).toEqual(['aaaa'])
    })
  })
}
