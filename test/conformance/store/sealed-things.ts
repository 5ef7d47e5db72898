/** What a store keeps sealed, one of each, for stories about keys. */
import { toAccountId } from '../../../src/domain/ids/account-id.ts'
import { type MessageId, makeMessageId } from '../../../src/domain/ids/message-id.ts'
import type { Phone } from '../../../src/domain/numbers/phone.ts'
import type { Store } from '../../../src/ports/stores/store.ts'
import { BEGINNING, buildAccount, buildLogin, buildStep } from '../../support/build-message.ts'
import { wrote, wrotePart } from '../../support/inbound-arrival.ts'
import { clicked, taken } from '../../support/make-turn.ts'
import { messageItem, type StoreStory } from './store-story.ts'

/** One of everything that is sealed, and more messages than a slice holds. Answers with their ids. */
export async function fill(story: StoreStory): Promise<readonly MessageId[]> {
  const { store } = story
  const client = await story.account(1e9)
  const link = { code: 'abc', url: 'https://x.example', expiresAt: BEGINNING + 1_000 }
  // Stores may keep short and long texts apart.
  const messages = Array.from({ length: 450 }, (_, n) => {
    const content = { kind: 'text', text: n < 3 ? 'Hello '.repeat(200) : 'Hello' } as const
    return story.message(client, { plan: [buildStep('sms', { content })], hook: 'https://client.example/sent?key=1' })
  })
  const [first] = messages
  if (first === undefined) throw new Error('there is no message')
  const items = messages.map((message) =>
    messageItem(message, message === first ? { links: [{ ...link, messageId: first.id }] } : {}),
  )
  const idempotency = { key: 'k', bodyHash: 'h', draft: 'a draft', keepUntil: BEGINNING + 9 }
  const template = { id: 1, accountId: client, name: 'greeting', template: 'Hello %w' }
  await story.accept(client, [...items, { kind: 'template', template, max: { count: 9, bytes: 9_000 } }], {
    idempotency,
  })
  const after = await story.after(taken(first, ['r']))
  await story.record(clicked(after, link.url, link.code), { clickedCode: link.code, reportsHeld: false })
  await store.countClicks([{ code: link.code, humans: 1, robots: 0, at: BEGINNING }])
  await store.recordInbound([wrote('A reply'), wrotePart(1, 'a part')], [])
  await store.rememberUsers([{ carrierId: 'meta', userId: 'DE.1', phone: '4915112345678' as Phone }], BEGINNING)
  const totp = {
    name: 'anna',
    role: 'owner',
    accountId: null,
    state: 'active',
    passwordHash: null,
    totpSecret: 'JBSWY3DP',
    subject: null,
  } as const
  await store.change({ kind: 'set admin user', user: totp })
  const chat = { id: 7, accountId: client, template: 'Hi', signature: 'Shop', status: 'approved' } as const
  await store.change({ kind: 'set chat template', template: chat })
  const { revision } = await store.loadDirectory()
  const request = { actor: 'anna', key: 'k-1', bodyHash: 'h', keepUntil: BEGINNING + 9 }
  const carrierSettings = { host: '127.0.0.1', password: 'hunter22' }
  await store.change(
    { kind: 'set carrier', carrier: { id: 'acme', channel: 'sms', kind: 'smpp', settings: carrierSettings } },
    { revision, entries: [], request },
  )
  await store.keepAnswer('anna', 'k-1', 'an answer')
  const number = {
    carrierId: 'acme',
    address: '1234',
    keyword: null,
    accountId: client,
    hook: null,
    reply: null,
    replySender: null,
  }
  await store.change({ kind: 'set client login', login: buildLogin({ name: 'shop', accountId: client }) })
  const part = { accountId: client, login: 'shop', joinedBy: 'm', once: null, number: 1 }
  const partId = makeMessageId(2_000_000, client)
  await store.keepPart({ ...part, partId, text: 'the first part', facts: '{"to":"4915112345678"}', at: BEGINNING })
  await store.change({ kind: 'set inbound number', number })
  const content = { kind: 'location', latitude: 52.52, longitude: 13.405 } as const
  await store.recordInbound([wrote('geo:52.52,13.405', { carrierId: 'acme', content })], [])
  await store.change({
    kind: 'set inbound number',
    number: { ...number, hook: 'https://client.example/inbound?key=1' },
  })
  const settings = { ...buildAccount().settings, defaultHook: 'https://client.example/default?key=1' }
  await store.change({ kind: 'set account', accountId: client, settings })
  const bulk = {
    id: BULK,
    accountId: client,
    test: false,
    clientId: null,
    message: '{"type":"sms"}',
    hook: 'https://client.example/bulk?key=1',
  }
  await store.bulk({
    kind: 'create',
    accountId: client,
    bulk: { ...bulk, currency: 'EUR', pace: 1, createdAt: BEGINNING },
    maxOpen: 9,
  })
  const line = { line: 1, phone: '491701234500', id: null, values: { name: 'Ann' } }
  const block = { first: 1, last: 1, lines: [line], errors: [], prices: [0] }
  await store.bulk({ kind: 'add lines', accountId: client, bulkId: BULK, block })
  const hook = { address: 'https://client.example/hook?key=1', description: null, events: null, secret: 'whsec_1' }
  const creation = { kind: 'create', ...hook } as const
  const target = { name: 'pager', kind: 'hook', address: 'https://ops.example/hook', recipients: [] } as const
  const wanted = { minSeverity: 'warning', kinds: null, repeatMinutes: null, enabled: true, timeZone: 'UTC' } as const
  await store.change({ kind: 'set notification target', target: { ...target, ...wanted, secret: 'whsec_2' } })
  await store.change({ kind: 'change hook', accountId: client, change: creation, at: BEGINNING, key: 'ab12' })
  return messages.map(({ id }) => id)
}

/** Beyond the messages. */
const BULK = makeMessageId(1_000_000, toAccountId(1))
const ANY_CLICKS = { accountId: null, bulkId: null, from: 0, through: 99_999 } as const
const OLDEST = { after: null, limit: 9, maxBytes: 9_000 } as const

/** All readable text in it. */
export async function readAll(store: Store, [first]: readonly MessageId[]) {
  const { revision: _, carriers, ...directory } = await store.loadDirectory()
  const listed = { of: 'messages', accountId: null, phone: null, status: null, after: null, limit: 999 } as const
  return {
    directory,
    // Their versions are of the seals.
    carriers: carriers.map(({ settingsVersion: __, ...carrier }) => carrier),
    messages: (await store.page(listed)).rows,
    traced: await store.trace(first as MessageId),
    replies: await store.inboundMessages(9),
    inbound: await store.inboundOf({ ...OLDEST, accountId: directory.accounts[0]?.id ?? toAccountId(1) }),
    hooks: (await store.loadHooks(0)).accounts,
    clicks: await store.linkTotals({ ...ANY_CLICKS, after: null, limit: 9 }),
    answer: await store.findRequest('anna', 'k-1'),
    bulk: await store.findBulk(directory.accounts[0]?.id ?? toAccountId(1), BULK),
    lines: await store.readBulkLines(BULK, 1),
    parts: await store.oldParts(BEGINNING),
  }
}
