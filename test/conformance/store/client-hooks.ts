/** Hooks that clients manage: stored with sealed secrets, and reported to each on its own. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { advance } from '../../../src/domain/journey/journey.ts'
import type { Message } from '../../../src/domain/message/message.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import type { HookChange, Listeners } from '../../../src/domain/reports/client-hook.ts'
import type { ReportResult } from '../../../src/ports/records/pending-report.ts'
import { ChangeRefused } from '../../../src/ports/records/store-errors.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { taken } from '../../support/make-turn.ts'
import { type Install, StoreStory } from './store-story.ts'

const NOW = BEGINNING + 60_000
const [A, B] = ['https://a.example/hook', 'https://b.example/hook']

const creation = (address: string): HookChange => {
  return { kind: 'create', address, description: null, events: null, secret: `whsec_${address}` }
}

export function describeClientHooks(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1_000_000, { lowBalanceMicros: toMicros(500_000) })
  })
  afterEach(() => story.end())

  const change = (wanted: HookChange, accountId = client, key: string | null = 'ab12') =>
    story.store.change({ kind: 'change hook', accountId, change: wanted, at: NOW, key })
  const listeners = async (): Promise<Listeners> => {
    const { accounts } = await story.store.loadHooks(0)
    return { defaultHook: null, hooks: accounts.find(([id]) => id === client)?.[1].hooks ?? [] }
  }
  const settle = ({ id }: Message, number: number, kind: ReportResult['kind'] = 'sent') =>
    story.store.settleReports([{ messageId: id, number, kind, at: NOW, dueAt: null, held: false, detail: 'HTTP 200' }])
  const claimed = async () => {
    const { reports } = await story.store.claimReports({ now: NOW, limit: 20 })
    return reports.map(({ number, address }) => [number, address]).toSorted(([a], [b]) => Number(a) - Number(b))
  }

  describe('hooks that a client manages', () => {
    it('are loaded with their secrets, as far as they have changed, also by another gateway', async () => {
      const other = await story.account()
      expect(await story.store.loadHooks(0)).toEqual({ revision: 0, accounts: [], more: false })
      expect([await change(creation(A)), await change(creation(B)), await change(creation(A), other)]).toEqual([
        1, 2, 1,
      ])
      await story.reopen()
      const all = await story.store.loadHooks(0)
      expect(all.accounts.map(([id, { hooks }]) => [id, hooks.map(({ hookSecrets }) => hookSecrets)])).toEqual([
        [client, [[`whsec_${A}`], [`whsec_${B}`]]],
        [other, [[`whsec_${A}`]]],
      ])
      expect(await story.store.loadHooks(all.revision)).toMatchObject({ accounts: [] })
      await change({ kind: 'delete', id: 1 })
      const later = await story.store.loadHooks(all.revision)
      expect(later.accounts).toMatchObject([[client, { lastId: 2, hooks: [{ id: 2, address: B }] }]])
    })

    it('are changed without a new revision of the directory, and the audit log says by which key', async () => {
      const before = await story.store.directoryRevision()
      await change(creation(A))
      await change({ kind: 'rotate', id: 1, secret: 'whsec_new' })
      await expect(change({ kind: 'delete', id: 2 })).rejects.toThrow(ChangeRefused)
      expect(await story.store.directoryRevision()).toBe(before)
      const audit = { of: 'audit', actors: ['key ab12'], subjects: null, after: null, limit: 10 } as const
      const { rows } = await story.store.page(audit)
      expect(rows.map(({ via, action, subject }) => [via, action, subject])).toEqual([
        ['client API', 'hook/rotate', `hook 1 of account ${client}`],
        ['client API', 'hook/create', `hook 1 of account ${client}`],
      ])
      expect(JSON.stringify(rows)).not.toContain('whsec_')
    })

    it('are in the audit log without the user and the query of the address', async () => {
      await change(creation('http://anna:PASSWORD@[2001:db8::1]:8080/x?token=SECRET'))
      const audit = { of: 'audit', actors: ['key ab12'], subjects: null, after: null, limit: 10 } as const
      const { rows } = await story.store.page(audit)
      expect(rows).toMatchObject([{ after: { address: 'http://[2001:db8::1]:8080/x' } }])
      expect(JSON.stringify(rows)).not.toMatch(/PASSWORD|SECRET/)
    })

    it('get their reports of a message in order, each on its own', async () => {
      for (const address of [A, B]) await change(creation(address))
      const to = await listeners()
      const message = await story.after(taken(await story.accepted(client, { hook: null }), ['ref-1']))
      const receipt = (of: Message, outcome: 'delivered' | 'read', at: number) => {
        const event = { kind: 'receipt', at, step: 0, part: 0, carrierId: 'carrier-0', outcome, detail: '' } as const
        const turn = advance(of, event, to)
        if (turn === null) throw new Error('the receipt changed nothing')
        return story.after(turn, { reportsHeld: false })
      }
      await receipt(await receipt(message, 'delivered', NOW), 'read', NOW)
      const [one, two] = [65_536, 131_072]
      expect(await claimed()).toEqual([
        [one, A],
        [two, B],
      ])
      // The reports behind the first of one hook are free once that is settled, whatever the other does.
      expect(await settle(message, two)).toMatchObject([{ number: two + 1, address: B }])
      expect(await settle(message, two + 1)).toEqual([])
      expect(await settle(message, one, 'failed')).toMatchObject([{ number: one + 1, address: A }])
      await settle(message, one + 1, 'failed')
      expect(await story.store.replayReports({ accountId: client, hook: null, since: null, at: NOW })).toBe(2)
      expect(await claimed()).toEqual([[one, A]])
      await settle(message, one, 'failed')
      await settle(message, one + 1, 'failed')
      await settle(message, two, 'failed')
    })

    it('are each sent again from their first report on', async () => {
      for (const address of [A, B]) await change(creation(address))
      const message = await story.after(taken(await story.accepted(client, { hook: null }), ['ref-1']))
      const event = { kind: 'receipt', at: NOW, step: 0, part: 0, carrierId: 'carrier-0', detail: '' } as const
      const to = await listeners()
      const delivered = advance(message, { ...event, outcome: 'delivered' }, to)
      const read = delivered && advance(delivered.message, { ...event, outcome: 'read' }, to)
      for (const turn of [delivered, read]) if (turn) await story.after(turn, { reportsHeld: false })
      const numbers = [65_536, 65_537, 131_072, 131_073]
      for (const number of numbers) await settle(message, number, 'failed')
      const filter = { messageId: message.id, accountId: null, address: null, since: null, pending: false, at: NOW }
      expect(await story.store.change({ kind: 'resend reports', ...filter })).toBe(4)
      expect(await claimed()).toEqual([
        [65_536, A],
        [131_072, B],
      ])
    })

    it('are sent nothing again once they are deleted, and those reports are not counted', async () => {
      for (const address of [A, B]) await change(creation(address))
      const message = await story.after(taken(await story.accepted(client, { hook: null }), ['ref-1']))
      const event = { kind: 'receipt', at: NOW, step: 0, part: 0, carrierId: 'carrier-0', detail: '' } as const
      const delivered = advance(message, { ...event, outcome: 'delivered' }, await listeners())
      if (delivered) await story.after(delivered, { reportsHeld: false })
      for (const number of [65_536, 131_072]) await settle(message, number, 'failed')
      await change({ kind: 'delete', id: 1 })
      // Another hook at the same address is not the one that the report was for.
      await change(creation(A))
      const filter = { messageId: null, accountId: client, address: null, since: null, at: NOW }
      expect(await story.store.countReports(filter)).toMatchObject({ failed: 1 })
      expect(await story.store.replayReports({ accountId: client, hook: null, since: null, at: NOW })).toBe(1)
      expect(await claimed()).toEqual([[131_072, B]])
      await settle(message, 131_072, 'failed')
      expect(await story.store.change({ kind: 'resend reports', ...filter, pending: false })).toBe(1)
      await change({ kind: 'delete', id: 2 })
      await settle(message, 131_072, 'failed')
      expect(await story.store.replayReports({ accountId: client, hook: A, since: null, at: NOW })).toBe(0)
      expect(await story.store.countReports(filter)).toMatchObject({ failed: 0 })
    })

    it('get the report of a low balance, also without a default hook', async () => {
      await change(creation(A))
      await change({ ...creation(B), events: ['message.status'] } as HookChange)
      await story.store.change({
        ...{ kind: 'correct', accountId: client, amountMicros: toMicros(-600_000), at: NOW },
        ...{ note: 'a correction', by: 'Ada' },
      })
      expect(await claimed()).toEqual([[65_536, A]])
    })

    it('get a report of no message', async () => {
      await change(creation(A))
      const { id } = story.message(client)
      const report = { messageId: id, accountId: client, number: 65_536, address: A, body: '{"type":"hook.test"}' }
      await story.store.writeReport(report, NOW)
      const { reports } = await story.store.claimReports({ now: NOW, limit: 10 })
      expect(reports).toMatchObject([report])
    })
  })
}
