/** SMS templates of accounts: kept within their bounds, listed in pages of bounded size, removed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { MAX_LIST_BYTES } from '../../../src/domain/structures/answer-size.ts'
import type { AcceptItem, ItemOutcome } from '../../../src/ports/stores/intake-store.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { type Install, StoreStory } from './store-story.ts'

const TEXT = 'Your code is {code}'
const ROOM = { count: 1_000, bytes: 1_000_000 }

export function describeTemplates(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000)
  })
  afterEach(() => story.end())

  describe('templates', () => {
    const template = (id: number, name: string, accountId = client, most = ROOM): AcceptItem => {
      return { kind: 'template', template: { id, accountId, name, template: TEXT }, max: most }
    }

    it('takes a name once in an account', async () => {
      const other = await story.account()
      const outcomes = await story.accept(client, [template(101, 'code'), template(102, 'code'), template(103, 'Code')])
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(['template created', 'name taken', 'template created'])
      expect(await story.accept(other, [template(104, 'code', other)])).toEqual([{ kind: 'template created' }])
    })

    const list = (after: number | null = null, most = 10): AcceptItem => ({
      kind: 'template list',
      after,
      limit: most,
      maxBytes: MAX_LIST_BYTES,
    })
    const removal = (templateId: number | null, name: string | null): AcceptItem => {
      return { kind: 'template removal', templateId, name }
    }
    const kept = (id: number, name: string) => {
      return { id, accountId: client, name, template: TEXT }
    }

    it('lists those of the account by their ids, so many from behind one', async () => {
      const other = await story.account()
      await story.accept(other, [template(104, 'theirs', other)])
      await story.accept(client, [template(103, 'c'), template(101, 'b'), template(102, 'a')])
      const [all] = await story.accept(client, [list()])
      expect(all).toEqual({ kind: 'templates', templates: [kept(101, 'b'), kept(102, 'a'), kept(103, 'c')] })
      expect(await story.accept(client, [list(null, 2), list(102), list(103)])).toEqual([
        { kind: 'templates', templates: [kept(101, 'b'), kept(102, 'a')] },
        { kind: 'templates', templates: [kept(103, 'c')] },
        { kind: 'templates', templates: [] },
      ])
    })

    it('removes one by its id, its name or both, of this account only', async () => {
      const other = await story.account()
      await story.accept(client, [template(101, 'a'), template(102, 'b'), template(103, 'c')])
      for (const wrong of [removal(104, null), removal(null, 'A'), removal(101, 'b')]) {
        expect(await story.accept(client, [wrong])).toEqual([{ kind: 'no such template' }])
      }
      expect(await story.accept(other, [removal(101, null), removal(null, 'a')])).toEqual(
        Array(2).fill({ kind: 'no such template' }),
      )
      expect(await story.accept(client, [removal(101, null), removal(null, 'b'), removal(103, 'c'), list()])).toEqual([
        { kind: 'template removed', template: kept(101, 'a') },
        { kind: 'template removed', template: kept(102, 'b') },
        { kind: 'template removed', template: kept(103, 'c') },
        { kind: 'templates', templates: [] },
      ])
    })

    it('does in the order of the request, and remembers what it answered', async () => {
      const request = {
        accountId: client,
        now: BEGINNING,
        idempotency: { key: 'k', bodyHash: 'h', draft: 'd', keepUntil: BEGINNING + 1_000 },
        items: [template(101, 'a'), list(), removal(101, null), list(), template(102, 'a')],
      }
      const first = await story.store.accept(request)
      expect(first).toEqual({
        kind: 'executed',
        outcomes: [
          { kind: 'template created' },
          { kind: 'templates', templates: [kept(101, 'a')] },
          { kind: 'template removed', template: kept(101, 'a') },
          { kind: 'templates', templates: [] },
          { kind: 'template created' },
        ],
      })
      expect(await story.store.accept(request)).toEqual({ ...first, kind: 'replayed', draft: 'd' })
    })

    it('keeps as many as the account may have, whatever its other requests were', async () => {
      const other = await story.account()
      const few = (id: number, name: string, owner = client) => template(id, name, owner, { ...ROOM, count: 2 })
      const kinds = async (accountId: AccountId, items: readonly AcceptItem[]) =>
        (await story.accept(accountId, items)).map(({ kind }) => kind)
      expect(await kinds(client, [few(101, 'a')])).toEqual(['template created'])
      expect(await kinds(client, [few(102, 'b'), few(103, 'c')])).toEqual(['template created', 'too many templates'])
      expect(await kinds(client, [few(104, 'c'), removal(101, null), few(105, 'c'), few(106, 'd')])).toEqual([
        'too many templates',
        'template removed',
        'template created',
        'too many templates',
      ])
      expect(await kinds(other, [few(107, 'a', other)])).toEqual(['template created'])
      expect(await kinds(client, [removal(null, 'd'), removal(null, 'c'), few(108, 'e')])).toEqual([
        'no such template',
        'template removed',
        'template created',
      ])
    })

    it('keeps texts of so many bytes, as they are stored', async () => {
      const most = { count: 100, bytes: 10_000 }
      const long = (id: number, name: string): AcceptItem => {
        return { kind: 'template', template: { id, accountId: client, name, template: 'x'.repeat(3_000) }, max: most }
      }
      const kinds = (await story.accept(client, [long(101, 'a'), long(102, 'b'), long(103, 'c')])).map(
        ({ kind }) => kind,
      )
      expect(kinds).toEqual(['template created', 'template created', 'too many templates'])
      expect(await story.accept(client, [long(104, 'c')])).toEqual([{ kind: 'too many templates' }])
    })

    it('ends a list before its texts are too many bytes, and goes on behind it', async () => {
      const text = 'x'.repeat(3_000)
      const long = (id: number): AcceptItem => {
        return { kind: 'template', template: { id, accountId: client, name: `${id}`, template: text }, max: ROOM }
      }
      const bounded = (after: number | null): AcceptItem => ({
        kind: 'template list',
        after,
        limit: 10,
        maxBytes: 10_000,
      })
      const ids = (outcomes: readonly ItemOutcome[]) =>
        outcomes.flatMap((each) => (each.kind === 'templates' ? [each.templates.map(({ id }) => id)] : []))
      await story.accept(client, [101, 102, 103, 104, 105].map(long))
      const [first = []] = ids(await story.accept(client, [bounded(null)]))
      expect(first.length).toBeGreaterThan(0)
      expect(first.length).toBeLessThan(4)
      // What comes and goes in the same request leaves no gap in the list.
      const [start = []] = ids(await story.accept(client, [removal(101, null), long(106), bounded(null)]))
      expect(start).toEqual([102, 103, 104, 105, 106].slice(0, start.length))
      const seen = [...start]
      for (let after = seen.at(-1); after !== undefined; ) {
        const [page = []] = ids(await story.accept(client, [bounded(after)]))
        seen.push(...page)
        after = page.at(-1)
      }
      expect(seen).toEqual([102, 103, 104, 105, 106])
    })

    it('lists an overlong text alone, so that the next page can follow', async () => {
      await story.accept(client, [template(101, 'a'), template(102, 'b')])
      const tiny = (after: number | null): AcceptItem => ({ kind: 'template list', after, limit: 10, maxBytes: 1 })
      expect(await story.accept(client, [tiny(null), tiny(101), tiny(102)])).toEqual([
        { kind: 'templates', templates: [kept(101, 'a')] },
        { kind: 'templates', templates: [kept(102, 'b')] },
        { kind: 'templates', templates: [] },
      ])
    })
  })
}
