/** Tokens in the queries of hook addresses: the gateway posts to the whole address, the database does not show them. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { makeMessageId } from '../../../src/domain/ids/message-id.ts'
import { advance } from '../../../src/domain/journey/journey.ts'
import { beginJourney, type Message } from '../../../src/domain/message/message.ts'
import { beginVerification, MAX_WRONG_CODES } from '../../../src/domain/message/verification.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import { BEGINNING, buildAccount, buildStep } from '../../support/build-message.ts'
import { wrote } from '../../support/inbound-arrival.ts'
import { refused, taken } from '../../support/make-turn.ts'
import { OTHER_TEST_KEY } from '../../support/test-keys.ts'
import { type Install, StoreStory } from './store-story.ts'

const NOW = BEGINNING + 60_000
const TOKEN = 'S3CRET'
/** A place of hooks, with a token that JSON and PostgreSQL would escape. */
const hook = (name: string) => `https://client.example/${name}?token=${TOKEN}-${name}&a="\\'%27`
const NUMBER = { carrierId: 'smsc', address: '77', keyword: null, reply: null, replySender: null }

export function describeHookAddresses(install: Install): void {
  let story: StoreStory
  let client: AccountId
  let counter = 500_000
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(200_000, { defaultHook: hook('default'), lowBalanceMicros: toMicros(199_000) })
    const carrier = { id: 'smsc', channel: 'sms', kind: 'smpp', settings: {} } as const
    await story.store.change({ kind: 'set carrier', carrier })
  })
  afterEach(() => story.end())

  const addHook = (name: string) => {
    const change = { kind: 'create', address: hook(name), description: null, events: null, secret: 'whsec_1' } as const
    return story.store.change({ kind: 'change hook', accountId: client, change, at: NOW, key: 'ab12' })
  }
  const addNumber = () =>
    story.store.change({ kind: 'set inbound number', number: { ...NUMBER, accountId: client, hook: hook('number') } })
  const addBulk = async () => {
    const id = makeMessageId(1_000_000, client)
    const bulk = { id, accountId: client, test: false, clientId: null, message: '{}', hook: hook('bulk') }
    const facts = { currency: 'EUR', pace: 1, createdAt: BEGINNING }
    await story.store.bulk({ kind: 'create', accountId: client, bulk: { ...bulk, ...facts }, maxOpen: 9 })
    return id
  }
  /** Events of the account have the lower ids. */
  const accept = (name: string) => {
    counter += 1
    return story.accepted(client, { id: makeMessageId(counter, client), hook: hook(name) })
  }
  const posted = async () => {
    const { reports } = await story.store.claimReports({ now: NOW, limit: 99 })
    return [...new Set(reports.map(({ address }) => address))].toSorted()
  }

  it('are not in the database, in settings, messages and reports, and are whole for the gateway after a restart', async () => {
    await addHook('client')
    await addNumber()
    const bulk = await addBulk()
    const own = await accept('message')
    await story.after(refused(own), { reportsHeld: false })
    const planned = await accept('planned')
    await story.store.recordInbound([wrote('Hello', { carrierId: 'smsc', recipient: '77' })], [])
    expect(await story.dump()).not.toContain(TOKEN)
    expect(await story.dump()).toContain('https://client.example/message?')

    await story.reopen()
    expect((await story.store.loadDirectory()).accounts[0]?.settings.defaultHook).toBe(hook('default'))
    expect((await story.store.loadDirectory()).inboundNumbers[0]?.hook).toBe(hook('number'))
    expect((await story.store.loadHooks(0)).accounts[0]?.[1].hooks[0]?.address).toBe(hook('client'))
    expect((await story.store.findBulk(client, bulk))?.hook).toBe(hook('bulk'))
    expect((await story.store.loadMessages([planned.id]))[0]?.hook).toBe(hook('planned'))
    expect((await story.store.trace(own.id))?.message.hook).toBe(hook('message'))
    expect((await story.store.trace(own.id))?.reports[0]?.address).toBe(hook('message'))
    const listed = { of: 'messages', accountId: client, phone: null, status: null, after: null, limit: 9 } as const
    expect((await story.store.page(listed)).rows.map((row) => row.hook)).toEqual([hook('planned'), hook('message')])
    const byId = { messageId: planned.id, clientId: null, test: false }
    expect((await story.store.findMessages(client, [byId]))[0]?.hook).toBe(hook('planned'))
    expect(await posted()).toEqual([hook('client'), hook('default'), hook('message'), hook('number')].toSorted())
  })

  it('are not in the database with a verification, while its code is awaited, checked and wrong too often', async () => {
    const plan = [buildStep('sms', { content: { kind: 'text', text: 'Your code is 1234', code: '1234' } })]
    const start = async (name: string) => {
      const verification = beginVerification(NOW + 60_000)
      counter += 1
      const change = { plan, journey: beginJourney(plan, BEGINNING, { verification }), hook: hook(name) }
      const message = await story.accepted(client, { id: makeMessageId(counter, client), ...change })
      return story.after(taken(message, [name]))
    }
    await start('pending')
    const approved = await start('approved')
    let failed = await start('failed')
    const check = async (message: Message, code: string) => {
      const turn = advance(message, { kind: 'checked', at: NOW, code, checkId: 'c-1' })
      return turn === null ? message : story.after(turn, { reportsHeld: false })
    }
    await check(approved, '1234')
    for (let wrong = 0; wrong < MAX_WRONG_CODES; wrong += 1) failed = await check(failed, '4321')
    expect(await story.dump()).not.toContain(TOKEN)
    expect(await story.dump()).toContain('https://client.example/pending?')
    await story.reopen()
    expect(await posted()).toEqual(expect.arrayContaining([hook('approved'), hook('failed')]))
    expect((await story.store.trace(approved.id))?.message.hook).toBe(hook('approved'))
  })

  it('are not in stops of hooks, statistics, the audit log and reports of bulks either', async () => {
    await addHook('client')
    const bulk = await addBulk()
    await story.store.bulk({ kind: 'command', accountId: client, bulkId: bulk, command: { kind: 'stop', at: NOW } })
    const message = await accept('gone')
    await story.after(refused(message), { reportsHeld: true })
    const gone = { kind: 'gone', at: NOW, dueAt: null, held: false, detail: 'HTTP 410' } as const
    const counted = { tookMs: 5, hook: 'https://client.example/gone' }
    await story.store.settleReports([{ messageId: message.id, number: 0, ...gone, ...counted }])
    const settings = { ...buildAccount().settings, defaultHook: hook('changed') }
    await story.store.change({ kind: 'set account', accountId: client, settings })
    expect(await story.store.stoppedHooks({ accountId: client, since: 0 })).toMatchObject([{ stopped: true }])
    expect(await story.dump()).not.toContain(TOKEN)
    expect((await story.store.loadDirectory()).accounts[0]?.settings.defaultHook).toBe(hook('changed'))
  })

  it('get the new key with everything else, and what was stored before they were sealed is sealed too', async () => {
    await addHook('client')
    await addNumber()
    await addBulk()
    const message = await accept('message')
    await story.after(taken(message, ['r']))
    await story.store.change({ kind: 'seal with', keyId: OTHER_TEST_KEY })
    await story.store.sealAnew()
    expect((await story.store.countSeals()).map(({ keyId }) => keyId)).toEqual([OTHER_TEST_KEY])
    expect(await story.store.sealAnew()).toBe(0)
    expect((await story.store.loadMessages([message.id]))[0]?.hook).toBe(hook('message'))
    expect((await story.store.loadHooks(0)).accounts[0]?.[1].hooks[0]?.address).toBe(hook('client'))
  })
}
