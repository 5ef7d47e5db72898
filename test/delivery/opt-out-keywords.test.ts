/** Who is opted out by an inbound message: by its words, by a button, by the messenger itself; and of which senders. */
import { expect, test } from 'vitest'
import { optOutChanges } from '../../src/delivery/consent/opt-out-keywords.ts'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import { Directory, type DirectoryRows } from '../../src/domain/directory/directory.ts'
import type { Route } from '../../src/domain/routing/route.ts'
import type { InboundMessage } from '../../src/ports/carriers/carrier.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { buildAccount } from '../support/build-message.ts'
import { TEST_KEYS } from '../support/test-keys.ts'

const PHONE = '491701234500'

async function directory(): Promise<Directory> {
  return new Directory(await rowsOf())
}

async function rowsOf(): Promise<DirectoryRows> {
  const store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true })
  const route = {
    channel: 'rcs',
    sender: null,
    prefix: '',
    operators: null,
    priority: 1,
    weight: 1,
    poolId: null,
  } as const
  const routes: readonly Route[] = [
    { ...route, accountId: null, carrierId: 'google' },
    { ...route, accountId: null, carrierId: 'other', prefix: '44' },
  ]
  const { id: _, ...account } = buildAccount()
  const accountId = (await store.change({ kind: 'create account', account })) as never
  for (const id of ['google', 'other']) {
    await store.change({ kind: 'set carrier', carrier: { id, channel: 'rcs', kind: 'rbm', settings: {} } } as never)
  }
  for (const each of routes) await store.change({ kind: 'set route', route: each })
  for (const name of ['Shop', 'News']) {
    await store.change({ kind: 'set sender', sender: approvedSender(accountId, 'rcs', name) })
  }
  const rows = await store.loadDirectory()
  await store.close()
  return rows
}

const message = (change: Partial<InboundMessage>): InboundMessage => {
  return { carrierId: 'google', sender: PHONE, recipient: 'agent', text: 'Hello', at: 5, ...change }
}

test.each([
  ['a word', { text: ' Stop. ' }, 'add'],
  ['a word behind a button whose caption is none', { text: 'Nicht mehr', payload: 'STOP' }, 'add'],
  ['what the messenger says', { text: 'UNSUBSCRIBE me', consent: 'stop' }, 'add'],
  ['the messenger against the word', { text: 'STOP', consent: 'start' }, 'remove'],
  ['a word of coming back', { text: 'START' }, 'remove'],
] as const)('%s counts', async (_, said, kind) => {
  const { changes } = optOutChanges([message({ senders: ['Shop'], ...said })], await directory())
  expect(changes).toMatchObject([{ kind, optOut: { phone: PHONE, by: 'word' } }])
})

test('a text that is neither keyword nor button changes nothing, nor does one from a name of another kind', async () => {
  const all = await directory()
  expect(optOutChanges([message({ senders: ['Shop'] })], all)).toEqual({ changes: [], lost: [] })
  expect(optOutChanges([message({ senders: ['Shop'], text: 'STOP', sender: 'user 4711' })], all)).toEqual({
    changes: [],
    lost: [{ carrierId: 'google', reason: 'its sender is no phone number or user id' }],
  })
})

test('a shared agent stands for every sender that is routed to its carrier, but for those with an agent of their own', async () => {
  const all = await directory()
  const senders = (carrierId: string, except: readonly string[]) =>
    optOutChanges([message({ carrierId, senders: { except }, text: 'STOP' })], all).changes.length
  expect(senders('google', ['Shop'])).toBe(1)
  expect(senders('google', ['Shop', 'News'])).toBe(0)
  // Nothing for this number goes there.
  expect(senders('other', [])).toBe(0)
})

test('a keyword to an inbound number opts out of all senders of its accounts, unless the number is a sender', async () => {
  const rows = await rowsOf()
  const number = { carrierId: 'smsc', keyword: null, hook: null, reply: null, replySender: null }
  const inboundNumbers = [
    { ...number, address: '491579234567', accountId: 1 },
    { ...number, address: '80008', accountId: 1, keyword: 'win' },
    { ...number, address: '80008', accountId: 2 },
    { ...number, address: '80009', accountId: 2 },
    { ...number, address: '00491579234568', accountId: 2 },
  ] as never
  const senders = [
    approvedSender(1 as never, 'sms', 'MuellerShop'),
    ...['80009', '498000912345'].map((name) => approvedSender(2 as never, 'sms', name)),
  ]
  const carriers = [{ id: 'smsc', channel: 'sms', kind: 'smpp', settings: {}, draining: false, settingsVersion: '' }]
  const scoped = (optOutScope: 'sender' | 'account') =>
    new Directory({
      ...{ ...rows, inboundNumbers, senders, carriers: carriers as never },
      guardSettings: { ...rows.guardSettings, optOutScope },
    })
  const read = (scope: 'sender' | 'account', recipient: string, text: string) => {
    const { changes } = optOutChanges([message({ carrierId: 'smsc', recipient, text })], scoped(scope))
    return changes.map(({ kind, optOut }) => [kind, optOut.accountId, optOut.sender])
  }
  for (const scope of ['sender', 'account'] as const) {
    expect(read(scope, '+49 1579 234567', 'STOP')).toEqual([['add', 1, null]])
    expect(read(scope, '491579234567', 'START')).toEqual([['remove', 1, null]])
    expect(read(scope, '00491579234567', 'STOP')).toEqual([['add', 1, null]])
    for (const written of ['491579234568', '+491579234568', '00491579234568'])
      expect(read(scope, written, 'STOP')).toEqual([['add', 2, null]])
    // A short code that begins with zeros is another one.
    expect(read(scope, '0080009', 'STOP')).toEqual([])
    // Shared: whichever account the recipient means.
    expect(read(scope, '80008', 'STOP')).toEqual([
      ['add', 1, null],
      ['add', 2, null],
    ])
  }
  expect(read('sender', '80009', 'STOP')).toEqual([['add', 2, '80009']])
  expect(read('account', '80009', 'STOP')).toEqual([['add', 2, null]])
  for (const written of ['498000912345', '+49 8000 912345', '00498000912345'])
    expect(read('sender', written, 'STOP')).toEqual([['add', 2, '498000912345']])
  expect(optOutChanges([message({ carrierId: 'smsc', recipient: '70000', text: 'STOP' })], scoped('sender'))).toEqual({
    changes: [],
    lost: [{ carrierId: 'smsc', reason: 'its recipient is no sender or number of an account' }],
  })
})
