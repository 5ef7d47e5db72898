import { describe, expect, test } from 'vitest'
import { approvedSender, withSenderIds } from '../../src/domain/accounts/sender.ts'
import { Directory, type DirectoryRows } from '../../src/domain/directory/directory.ts'
import { type AccountId, toAccountId } from '../../src/domain/ids/account-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { UNLIMITED } from '../../src/domain/money/rate.ts'
import { writeOperators } from '../../src/domain/numbers/operator-table.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { ChatTemplate } from '../../src/domain/text/template.ts'
import { buildAccount, buildKey, NO_GUARDS } from '../support/build-message.ts'

const [one, two, three] = [1, 2, 3].map(toAccountId)
if (one === undefined || two === undefined || three === undefined) throw new Error('three accounts were made')

const template = (id: number, accountId = one): ChatTemplate => ({
  id,
  accountId,
  template: 'Hello',
  signature: 'ChatTest',
  status: 'approved',
})

const key = (hash: string, accountId: AccountId, expiresAt: number | null = null) => ({
  ...buildKey({ hash, accountId, expiresAt }),
  lastUsedAt: null,
})

const ROWS: DirectoryRows = {
  revision: 4,
  accounts: [buildAccount({ id: one }), buildAccount({ id: two, state: 'suspended' })],
  logins: [],
  keys: [key('aa', one), key('bb', one, 2_000), key('cc', two), key('dd', three)],
  senders: [
    { ...approvedSender(one, 'sms', 'SMSTest'), countries: ['DE'] },
    { ...approvedSender(one, 'rcs', 'Waiting'), state: 'requested' },
  ],
  prices: [],
  priceGroups: [],
  groupMemberships: [],
  routes: [],
  costs: [],
  operators: writeOperators([{ prefix: '4917', operator: '26202', name: 'Two' }]),
  carriers: [],
  inboundNumbers: [],
  carrierChecks: [],
  qualityRules: [],
  demotions: [],
  pools: [{ id: 'berlin', numbers: ['4930123456'], codeDigits: 4 }],
  chatTemplates: [template(64), template(65, two), template(128)],
  ...NO_GUARDS,
  adminUsers: [],
  adminTokens: [],
  passkeys: [],
  notificationTargets: [],
  alarmRules: [],
}

describe('the directory', () => {
  const directory = new Directory(ROWS)

  test('opens an active account with any of its keys, and nothing else with any', () => {
    const opens = (now: number) =>
      ['aa', 'bb', 'cc', 'dd', 'ee', ''].map((hash) => directory.accessBy(hash, now)?.account.id ?? null)
    expect(opens(1_999)).toEqual([one, one, null, null, null, null])
    expect(opens(2_000)).toEqual([one, null, null, null, null, null])
    expect(directory.account(two)?.state).toBe('suspended')
    expect(directory.account(three)).toBeNull()
  })

  test('approves a sender name for its account, channel and countries only, letter for letter', () => {
    const [german, austrian] = ['4917012345678', '4366412345678'] as const
    const approved = (account: AccountId, channel: 'sms' | 'rcs', name: string, phone: string) =>
      directory.isApproved(account, channel, name, phone as Phone)
    expect(approved(one, 'sms', 'SMSTest', german)).toBe(true)
    expect(approved(one, 'sms', 'SMSTest', austrian)).toBe(false)
    expect(approved(one, 'rcs', 'SMSTest', german)).toBe(false)
    expect(approved(two, 'sms', 'SMSTest', german)).toBe(false)
    expect(approved(one, 'sms', 'smstest', german)).toBe(false)
    expect(approved(one, 'rcs', 'Waiting', german)).toBe(false)
  })

  test('finds one of very many senders of an account', () => {
    const many = Array.from({ length: 100 }, (_, index) => approvedSender(one, index % 2 ? 'sms' : 'rcs', `S${index}`))
    const full = new Directory({ ...ROWS, senders: [...many, approvedSender(two, 'sms', 'Few')] })
    const approved = (account: AccountId, channel: 'sms' | 'rcs', name: string) =>
      full.isApproved(account, channel, name, '4917012345678' as Phone)
    expect(approved(one, 'sms', 'S99')).toBe(true)
    expect(approved(one, 'rcs', 'S99')).toBe(false)
    expect(approved(one, 'sms', 'Few')).toBe(false)
    expect(approved(two, 'sms', 'Few')).toBe(true)
    expect(approved(two, 'sms', 'S99')).toBe(false)
  })

  test('gives carriers the ids of approved senders that their own settings lack', () => {
    const sender = { ...approvedSender(one, 'rcs', 'Shop'), ids: { agent_id: 'shop-agent' } }
    const rcs = { kind: 'rbm', channel: 'rcs' as const, settings: { agents: { Own: 'own-agent' } } }
    expect(withSenderIds(rcs, [sender]).settings).toEqual({ agents: { Shop: 'shop-agent', Own: 'own-agent' } })
    expect(withSenderIds(rcs, [{ ...sender, name: 'Own' }]).settings).toEqual({ agents: { Own: 'own-agent' } })
    expect(withSenderIds(rcs, [{ ...sender, state: 'rejected' }])).toEqual(rcs)
    expect(withSenderIds({ ...rcs, kind: 'smpp' }, [sender]).settings).toEqual(rcs.settings)
  })

  test('keeps the templates of each account apart', () => {
    expect(directory.chatTemplatesOf(one).map((each) => each.id)).toEqual([64, 128])
    expect(directory.chatTemplatesOf(three)).toEqual([])
  })

  test('knows the operator of a number, and takes a table over that has not changed', () => {
    const later = new Directory({ ...ROWS, revision: 5 }, directory)
    for (const each of [directory, later]) {
      expect(each.operatorOf('491701' as Phone)).toBe('26202')
      expect(each.operatorOf('491' as Phone)).toBeNull()
    }
    expect(later.tableOf(ROWS.operators)).toBe(directory.tableOf(ROWS.operators))
    expect(new Directory({ ...ROWS, operators: '' }, later).operatorOf('491701' as Phone)).toBeNull()
  })

  test('takes over routes with their costs; other costs lead to the same carriers', () => {
    const cost = {
      ...UNLIMITED,
      carrierId: 'acme',
      category: null,
      prefix: '',
      currency: null,
      priceMicros: toMicros(1),
    }
    const { routes, routingTag } = directory
    expect(new Directory({ ...ROWS, revision: 5 }, directory).routes).toBe(routes)
    const dearer = new Directory({ ...ROWS, costs: [cost] }, directory)
    expect(
      dearer.routes.costs.find('acme', { phone: '4917' as Phone, operator: null }, { category: null, at: 0 }),
    ).toBe(cost)
    expect(dearer.routingTag).toBe(routingTag)
    const where = { channel: 'sms', accountId: null, sender: null, prefix: '', operators: null, poolId: null } as const
    const route = { ...where, carrierId: 'acme', priority: 1, weight: 1 }
    expect(new Directory({ ...ROWS, routes: [route] }, directory).routingTag).not.toBe(routingTag)
  })

  test('knows pools by name', () => {
    expect(directory.pool('berlin')?.codeDigits).toBe(4)
    expect(directory.pool('paris')).toBeNull()
  })
})
