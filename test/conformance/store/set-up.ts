/**
 * Set-up: operators change the directory, every reader learns of it, and a change that breaks a rule leaves nothing.
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../../src/domain/accounts/account.ts'
import { approvedSender } from '../../../src/domain/accounts/sender.ts'
import { type AccountId, toAccountId } from '../../../src/domain/ids/account-id.ts'
import { makeMessageId } from '../../../src/domain/ids/message-id.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import { UNLIMITED } from '../../../src/domain/money/rate.ts'
import type { CarrierCheck } from '../../../src/domain/routing/carrier-check.ts'
import { ChangeRefused } from '../../../src/ports/records/store-errors.ts'
import type { Change } from '../../../src/ports/stores/setup-store.ts'
import { BEGINNING, buildAccount, buildKey, NO_GUARDS } from '../../support/build-message.ts'
import { buildPrice } from '../../support/build-price.ts'
import { allOf, claimAll } from '../../support/take-from-queues.ts'
import { type Install, StoreStory } from './store-story.ts'

export function describeSetUp(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(0)
  })
  afterEach(() => story.end())

  const change = (...changes: readonly Change[]) => Promise.all(changes.map((each) => story.store.change(each)))
  const smsc = { id: 'smsc', channel: 'sms', kind: 'smpp', settings: { password: 'secret', binds: [1, null] } } as const
  const voice = { id: 'voice', channel: 'call', kind: 'sip', settings: {} } as const
  const pool = { id: 'berlin', numbers: ['49301230001', '49301230002'], codeDigits: 4 } as const
  const route = {
    channel: 'sms',
    prefix: '49',
    operators: ['26201'],
    carrierId: 'smsc',
    accountId: null,
    sender: null,
    weight: 1,
    priority: 1,
    poolId: null,
  } as const
  const callRoute = { ...route, channel: 'call', operators: null, carrierId: 'voice', poolId: 'berlin' } as const

  describe('the directory', () => {
    it('reads the DLT ids of senders of earlier versions as registrations', async () => {
      const ids = { dlt_entity_id: '1101', agent_id: 'a' } as never
      const { registrations: _, ...stored } = { ...approvedSender(client, 'sms', 'EXMPLE'), ids }
      await change({ kind: 'set sender', sender: stored as never })
      const { senders } = await story.store.loadDirectory()
      expect(senders).toMatchObject([{ ids: { agent_id: 'a' }, registrations: { IN: { entity: '1101' } } }])
      expect(senders[0]?.ids).not.toHaveProperty('dlt_entity_id')
    })

    it('shows everything that was set up, secrets opened', async () => {
      const key = buildKey({
        hash: 'ab'.repeat(32),
        accountId: client,
        name: 'first',
        scopes: ['otp'],
        expiresAt: 9_000,
      })
      const sender = {
        ...{ ...approvedSender(client, 'sms', 'Parcels'), countries: ['DE'], ids: { agent_id: 'a' } },
        ...{ members: ['1234'], perSecond: 0.5, registrations: { IN: { entity: '1101' } } },
      } as const
      const general = buildPrice()
      const own = { ...general, accountId: client, prefix: '49', priceMicros: toMicros(40_000) }
      const template = { id: 64, accountId: client, template: 'Hi', signature: 'P', status: 'approved' } as const
      const number = {
        carrierId: smsc.id,
        address: '491234',
        keyword: 'win',
        accountId: client,
        hook: null,
        reply: 'Hi',
        replySender: 'Shop',
      }
      await change(
        { kind: 'add key', key },
        { kind: 'set sender', sender },
        { kind: 'set price', price: general },
        { kind: 'set price', price: own },
        { kind: 'set carrier', carrier: smsc },
        { kind: 'set carrier', carrier: voice },
        { kind: 'set pool', pool },
        { kind: 'set route', route },
        { kind: 'set route', route: { ...callRoute, ringSeconds: 9 } },
        { kind: 'set route', route: { ...callRoute, ringSeconds: 2.5 } },
        { kind: 'set route', route: { ...callRoute, prefix: '43', ringSeconds: 9 } },
        { kind: 'set route', route: { ...callRoute, prefix: '43' } },
        { kind: 'set chat template', template },
        { kind: 'set inbound number', number },
      )
      await story.reopen()
      expect(await story.store.loadDirectory()).toEqual({
        revision: await story.store.directoryRevision(),
        accounts: [buildAccount({ id: client, name: 'Client 1' })],
        keys: [{ ...key, lastUsedAt: null }],
        logins: [],
        senders: [sender],
        prices: [general, own],
        priceGroups: [],
        groupMemberships: [],
        routes: [{ ...callRoute, prefix: '43' }, { ...callRoute, ringSeconds: 2.5 }, route],
        costs: [],
        carriers: [
          { ...smsc, draining: false, settingsVersion: expect.any(String) },
          { ...voice, draining: false, settingsVersion: expect.any(String) },
        ],
        carrierChecks: [],
        qualityRules: [],
        demotions: [],
        pools: [pool],
        inboundNumbers: [number],
        operators: '',
        chatTemplates: [template],
        adminUsers: [],
        adminTokens: [],
        passkeys: [],
        notificationTargets: [],
        alarmRules: [],
        ...NO_GUARDS,
      })
    })

    it('has one object of settings for all accounts with the same ones', async () => {
      const [own, other] = [await story.account(0), await story.account(0)]
      const settings = { ...DEFAULT_ACCOUNT_SETTINGS, reportSteps: true }
      await change({ kind: 'set account', accountId: own, settings })
      await story.reopen()
      const { accounts } = await story.store.loadDirectory()
      const settingsOf = (id: AccountId) => accounts.find((account) => account.id === id)?.settings
      expect(settingsOf(client)).toEqual(DEFAULT_ACCOUNT_SETTINGS)
      expect(settingsOf(other)).toBe(settingsOf(client))
      expect(settingsOf(own)).toEqual(settings)
    })

    it('keeps the last check of a carrier in each country, which one of several nodes makes, until it is removed', async () => {
      await change({ kind: 'set carrier', carrier: smsc })
      const waiting: CarrierCheck = {
        carrierId: smsc.id,
        country: 'DE',
        token: 'ph000000000001',
        messageId: makeMessageId(1, client),
        sentAt: BEGINNING,
        outcome: 'waiting',
        endedAt: null,
        detail: null,
      }
      const arrived = { ...waiting, outcome: 'arrived', endedAt: BEGINNING + 1 } as const
      const missing = { ...waiting, outcome: 'missing', endedAt: BEGINNING + 2, detail: 'EXPIRED' } as const
      const set = (check: CarrierCheck, before: CarrierCheck | null) =>
        story.store.change({ kind: 'set carrier check', check, before })
      const other = { ...waiting, country: 'LV', messageId: null, outcome: 'not sent', detail: 'no account' } as const
      await set(waiting, null)
      await set(other, null)
      await expect(set({ ...waiting, token: 'ph000000000002' }, null)).rejects.toBeInstanceOf(ChangeRefused)
      await set(arrived, waiting)
      await expect(set(missing, waiting)).rejects.toBeInstanceOf(ChangeRefused)
      await story.reopen()
      expect((await story.store.loadDirectory()).carrierChecks).toEqual([arrived, other])
      await change({ kind: 'remove carrier', carrierId: smsc.id })
      expect((await story.store.loadDirectory()).carrierChecks).toEqual([])
      await expect(set(waiting, null)).rejects.toBeInstanceOf(ChangeRefused)
    })

    it('gives the settings of a carrier another version whenever they are written, the same as before included', async () => {
      const versions: string[] = []
      for (let count = 0; count < 3; count += 1) {
        await change({ kind: 'set carrier', carrier: smsc })
        for (const _ of ['read', 'read again']) {
          versions.push(...(await story.store.loadDirectory()).carriers.map((carrier) => carrier.settingsVersion))
        }
      }
      expect(versions).toHaveLength(6)
      expect(new Set(versions).size).toBe(3)
    })

    it('replaces what has the same name', async () => {
      const sender = { ...approvedSender(client, 'sms', 'Parcels'), state: 'rejected', reason: 'no proof' } as const
      await change(
        { kind: 'set carrier', carrier: smsc },
        { kind: 'set carrier', carrier: { ...smsc, settings: { password: 'new' } } },
        { kind: 'set route', route },
        { kind: 'set route', route: { ...route, priority: 2, operators: null } },
        { kind: 'set sender', sender },
        { kind: 'set sender', sender: { ...sender, state: 'approved' } },
      )
      expect(await story.store.loadDirectory()).toMatchObject({
        carriers: [{ settings: { password: 'new' } }],
        routes: [{ priority: 2, operators: null }],
        senders: [{ state: 'approved' }],
      })
    })

    it('changes an account in place', async () => {
      const settings = {
        ...DEFAULT_ACCOUNT_SETTINGS,
        uniqueIds: true,
        reportSteps: true,
        stepLifetimeSeconds: 60,
        operationsPerSecond: 5,
        transliterateSms: true,
        allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'],
        requestOperations: 3,
        requestBytes: 70_000,
      }
      await change(
        { kind: 'set account', accountId: client, state: 'suspended' },
        { kind: 'set account', accountId: client, settings },
        { kind: 'set hook secrets', accountId: client, hookSecrets: ['whsec_new', 'whsec_old'] },
      )
      const [account] = (await story.store.loadDirectory()).accounts
      expect(account).toMatchObject({ state: 'suspended', settings, hookSecrets: ['whsec_new', 'whsec_old'] })
    })

    it('renames an account, unless another has the name, and leaves the rest of it', async () => {
      await story.account(0)
      const [before] = (await story.store.loadDirectory()).accounts
      await change({ kind: 'set account', accountId: client, name: 'Parcels' })
      await change({ kind: 'set account', accountId: client, name: 'Parcels', state: 'suspended' })
      const taken = story.store.change({ kind: 'set account', accountId: client, name: 'Client 2', state: 'active' })
      await expect(taken).rejects.toMatchObject({ name: 'ChangeRefused' })
      const after = { ...before, name: 'Parcels', state: 'suspended' }
      expect((await story.store.loadDirectory()).accounts[0]).toEqual(after)
    })

    it('closes an account for good: its keys go, and neither a state nor a key comes after', async () => {
      const key = buildKey({ hash: 'h', accountId: client })
      const other = buildKey({ hash: 'o', accountId: await story.account(0) })
      await change({ kind: 'add key', key }, { kind: 'add key', key: other })
      await change({ kind: 'set account', accountId: client, state: 'closed' })
      const closed = await story.store.loadDirectory()
      expect(closed.accounts[0]?.state).toBe('closed')
      expect(closed.keys.map(({ hash }) => hash)).toEqual(['o'])
      for (const each of [
        { kind: 'set account', accountId: client, state: 'active' },
        { kind: 'set account', accountId: client, state: 'closed' },
        { kind: 'add key', key },
      ] as const) {
        await expect(story.store.change(each)).rejects.toMatchObject({ name: 'ChangeRefused' })
      }
      expect(await story.store.loadDirectory()).toEqual(closed)
    })

    it('keeps the end of an old hook secret, until the secrets are set without one', async () => {
      const secrets = { kind: 'set hook secrets', accountId: client, hookSecrets: ['whsec_new', 'whsec_old'] } as const
      const until = async () => (await story.store.loadDirectory()).accounts[0]?.oldSecretsUntil
      await change({ ...secrets, oldUntil: 900 })
      expect(await until()).toBe(900)
      await change(secrets)
      expect(await until()).toBeUndefined()
    })

    it('grows its revision with every change, seen by every process', async () => {
      const tool = await story.openTool()
      const before = await story.store.directoryRevision()
      await tool.change({ kind: 'set pool', pool })
      const after = await story.store.directoryRevision()
      expect(after).toBeGreaterThan(before)
      expect((await story.store.loadDirectory()).revision).toBe(after)
      await story.store.change({ kind: 'set account', accountId: client, state: 'closed' })
      expect(await tool.directoryRevision()).toBeGreaterThan(after)
      expect((await tool.loadDirectory()).accounts[0]?.state).toBe('closed')
      await tool.close()
    })

    it('is read again only when its revision has changed, or when it is to be read anew', async () => {
      const tool = await story.openTool()
      const first = await story.store.loadDirectory()
      expect(await story.store.loadDirectory()).toBe(first)
      await tool.change({ kind: 'set pool', pool })
      const second = await story.store.loadDirectory()
      expect(second.pools).toEqual([pool])
      // The use of a key does not change the directory.
      await tool.change({ kind: 'add key', key: buildKey({ hash: 'h', accountId: client }) })
      await story.store.loadDirectory()
      await story.store.noteKeyUses([{ hash: 'h', at: BEGINNING }])
      expect((await story.store.loadDirectory('anew')).keys).toMatchObject([{ hash: 'h', lastUsedAt: BEGINNING }])
      await tool.close()
    })

    it('shows the gateway money that a tool has topped up', async () => {
      const tool = await story.openTool()
      await story.store.balancesOf(client)
      await tool.change({ kind: 'top up', accountId: client, amountMicros: toMicros(50_000), at: BEGINNING })
      await tool.close()
      await story.accepted(client)
      expect(await story.store.balancesOf(client)).toMatchObject({ available: 0, held: 50_000 })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('is not disturbed by a tool that opens and closes', async () => {
      await change({ kind: 'top up', accountId: client, amountMicros: toMicros(50_000), at: BEGINNING })
      await story.accepted(client)
      await (await story.openTool()).close()
      expect(allOf(await claimAll(story.store, { now: BEGINNING }))).toEqual([])
    })
  })

  describe('what leads messages to carriers', () => {
    const cost = {
      ...{ carrierId: 'smsc', category: null, prefix: '49', ...UNLIMITED, currency: null },
      priceMicros: toMicros(31_000),
    } as const
    const price = buildPrice()
    const operators = '4916\t26201\tTelekom\n'

    it('keeps routes apart by account and sender, and what a carrier costs when', async () => {
      const own = { ...route, accountId: client, sender: 'Shop', weight: 7 }
      await change(
        { kind: 'set carrier', carrier: smsc },
        { kind: 'set route', route },
        { kind: 'set route', route: own },
        { kind: 'set route', route: { ...own, sender: null } },
        { kind: 'set cost', cost: { ...cost, priceMicros: toMicros(1) } },
        { kind: 'set cost', cost },
        { kind: 'set cost', cost: { ...cost, category: 'utility', priceMicros: toMicros(2) } },
        { kind: 'set cost', cost: { ...cost, category: 'utility', until: BEGINNING } },
        { kind: 'set cost', cost: { ...cost, category: 'utility', from: BEGINNING } },
        { kind: 'set operators', operators: '1\t00101\tOld\n' },
        { kind: 'set operators', operators },
      )
      await story.reopen()
      const rows = await story.store.loadDirectory()
      expect(new Set(rows.routes)).toEqual(new Set([route, own, { ...own, sender: null }]))
      const utility = { ...cost, category: 'utility' }
      expect(new Set(rows.costs)).toEqual(
        new Set([cost, { ...utility, until: BEGINNING }, { ...utility, from: BEGINNING }]),
      )
      const always = story.store.change({ kind: 'set cost', cost: utility })
      await expect(always).rejects.toThrow('the cost of smsc utility 49… from')
      expect(rows.operators).toEqual(operators)
    })

    it('forgets what is removed, a carrier with its costs', async () => {
      const key = buildKey({ hash: 'h', accountId: client })
      const before = await story.store.loadDirectory()
      await change(
        { kind: 'set carrier', carrier: smsc },
        { kind: 'set carrier', carrier: voice },
        { kind: 'set pool', pool },
        { kind: 'set route', route },
        { kind: 'set route', route: callRoute },
        { kind: 'set cost', cost },
        { kind: 'set cost', cost: { ...cost, prefix: '' } },
        { kind: 'set cost', cost: { ...cost, category: 'utility' } },
        { kind: 'set price', price },
        { kind: 'add key', key },
        { kind: 'remove cost', cost: { ...cost, prefix: '' } },
        { kind: 'remove route', route },
        { kind: 'remove carrier', carrierId: 'smsc' },
        { kind: 'remove route', route: callRoute },
        { kind: 'remove pool', poolId: 'berlin' },
        { kind: 'remove carrier', carrierId: 'voice' },
        { kind: 'remove price', price },
        { kind: 'remove keys', accountId: client, hashes: ['h'] },
      )
      const { revision: _, ...after } = await story.store.loadDirectory()
      expect({ revision: before.revision, ...after }).toEqual(before)
    })

    it('lets a carrier drain, whatever its settings become, until it is resumed', async () => {
      const draining = async () => (await story.store.loadDirectory()).carriers.map((each) => each.draining)
      await change({ kind: 'set carrier', carrier: smsc })
      expect(await draining()).toEqual([false])
      await change(
        { kind: 'set draining', carrierId: 'smsc', draining: true },
        { kind: 'set carrier', carrier: { ...smsc, settings: {} } },
      )
      expect(await draining()).toEqual([true])
      await change({ kind: 'set draining', carrierId: 'smsc', draining: false })
      expect(await draining()).toEqual([false])
    })

    it('takes many changes together, or none of them', async () => {
      const { revision } = await story.store.loadDirectory()
      const good = [
        { kind: 'set carrier', carrier: smsc },
        { kind: 'set route', route },
      ] as const
      const bad = { kind: 'remove route', route: { ...route, prefix: '1' } } as const
      const refused = story.store.change({ kind: 'all', revision, changes: [...good, bad] })
      await expect(refused).rejects.toMatchObject({ name: 'ChangeRefused', message: 'there is no such route' })
      expect(await story.store.loadDirectory()).toMatchObject({ revision, carriers: [], routes: [] })
      await change({ kind: 'all', revision, changes: good })
      expect(await story.store.loadDirectory()).toMatchObject({
        carriers: [{ ...smsc, draining: false }],
        routes: [route],
      })
      const late = story.store.change({ kind: 'all', revision, changes: [] })
      await expect(late).rejects.toMatchObject({ name: 'ChangeConflict' })
    })
  })

  describe('changes that break a rule', () => {
    const unknown = toAccountId(4_711)
    const { id: _, ...account } = buildAccount({ name: 'Client 1' })
    const costKey = { carrierId: 'smsc', category: 'utility', prefix: '', ...UNLIMITED }
    const refused: readonly (readonly [string, Change])[] = [
      ['an account name that is taken', { kind: 'create account', account }],
      ['the state of no account', { kind: 'set account', accountId: unknown, state: 'closed' }],
      ['settings of no account', { kind: 'set account', accountId: unknown, settings: account.settings }],
      ['secrets of no account', { kind: 'set hook secrets', accountId: unknown, hookSecrets: [] }],
      ['a key of no account', { kind: 'add key', key: buildKey({ hash: 'h', accountId: unknown }) }],
      ['a sender of no account', { kind: 'set sender', sender: approvedSender(unknown, 'sms', 'A') }],
      [
        'a price of no account',
        {
          kind: 'set price',
          price: buildPrice({ accountId: unknown }),
        },
      ],
      ['money for no account', { kind: 'top up', accountId: unknown, amountMicros: toMicros(1), at: BEGINNING }],
      ['a top-up of nothing', { kind: 'top up', accountId: toAccountId(1), amountMicros: toMicros(0), at: BEGINNING }],
      ['a top-up that takes', { kind: 'top up', accountId: toAccountId(1), amountMicros: toMicros(-1), at: BEGINNING }],
      ['a route to no carrier', { kind: 'set route', route: { ...route, carrierId: 'unknown' } }],
      ['a route to a carrier of another channel', { kind: 'set route', route: { ...route, channel: 'rcs' } }],
      ['a route for calls without numbers', { kind: 'set route', route: { ...callRoute, poolId: null } }],
      ['a route for calls from no pool', { kind: 'set route', route: { ...callRoute, poolId: 'nowhere' } }],
      ['a route of no account', { kind: 'set route', route: { ...route, accountId: unknown } }],
      [
        'a cost of no carrier',
        {
          kind: 'set cost',
          cost: { ...costKey, carrierId: 'unknown', currency: null, priceMicros: toMicros(1) },
        },
      ],
      ['draining no carrier', { kind: 'set draining', carrierId: 'unknown', draining: true }],
      ['removing no route', { kind: 'remove route', route }],
      ['removing no carrier', { kind: 'remove carrier', carrierId: 'unknown' }],
      ['removing no cost', { kind: 'remove cost', cost: costKey }],
      ['removing no pool', { kind: 'remove pool', poolId: 'nowhere' }],
      ['removing no price', { kind: 'remove price', price: buildPrice() }],
      ['a ring time of messages', { kind: 'set route', route: { ...route, ringSeconds: 2 } }],
      ['removing no key', { kind: 'remove keys', accountId: toAccountId(1), hashes: ['none'] }],
      [
        'the scopes of no key',
        { kind: 'set keys', accountId: toAccountId(1), hashes: ['none'], rights: { scopes: ['send'] } },
      ],
      ['a route for messages from a pool', { kind: 'set route', route: { ...route, poolId: 'berlin' } }],
    ]

    it.each(refused)('refuses %s and changes nothing', async (_name, breaking) => {
      await change(
        { kind: 'set carrier', carrier: smsc },
        { kind: 'set carrier', carrier: voice },
        { kind: 'set pool', pool },
      )
      const before = await story.store.loadDirectory()
      const [refusal, neighbour] = await Promise.allSettled([
        story.store.change(breaking),
        story.store.balancesOf(client),
      ])
      expect(refusal).toMatchObject({ status: 'rejected', reason: { name: 'ChangeRefused' } })
      expect(neighbour).toMatchObject({ status: 'fulfilled', value: { available: 0 } })
      expect(await story.store.loadDirectory()).toEqual(before)
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('refuses to remove a carrier and a pool that a route names', async () => {
      await change(
        { kind: 'set carrier', carrier: voice },
        { kind: 'set pool', pool },
        { kind: 'set route', route: callRoute },
      )
      const before = await story.store.loadDirectory()
      for (const each of [
        { kind: 'remove carrier', carrierId: 'voice' },
        { kind: 'remove pool', poolId: 'berlin' },
      ] as const) {
        await expect(story.store.change(each)).rejects.toMatchObject({ name: 'ChangeRefused' })
      }
      expect(await story.store.loadDirectory()).toEqual(before)
    })

    it('refuses a key twice, and a carrier’s change of channel under its routes', async () => {
      const key = buildKey({ hash: 'h', accountId: client })
      await change({ kind: 'add key', key }, { kind: 'set carrier', carrier: smsc })
      await change({ kind: 'set route', route })
      const again = [
        { kind: 'add key', key: { ...key, name: 'other' } },
        { kind: 'set carrier', carrier: { ...smsc, channel: 'rcs' } },
      ] as const
      for (const each of again) await expect(story.store.change(each)).rejects.toMatchObject({ name: 'ChangeRefused' })
      expect(await story.store.loadDirectory()).toMatchObject({ keys: [key], carriers: [smsc] })
    })
  })
}
