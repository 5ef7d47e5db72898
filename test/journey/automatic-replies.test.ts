/** An inbound number answers by itself: once an hour to each phone, as an ordinary message, and never a machine. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRandom } from '../../src/app/system/system-random.ts'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { REPLY_PENDING } from '../../src/domain/inbound/automatic-reply.ts'
import { changeAccount, openAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { eventually } from '../support/eventually.ts'
import { wrote } from '../support/inbound-arrival.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const ANNA = '37120000100'
const HOURS = 3_600
const REPLY = 'We answer within a day.'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
  const settings = { defaultHook: world.sink.address }
  await world.operate(async (store) => {
    await changeAccount(store, { accountId: world.accountId, settings })
    await store.change({ kind: 'set sender', sender: approvedSender(world.accountId, 'sms', '1234') })
  })
})
afterEach(() => world.stop())

const give = (number: object) =>
  world.askAdmin('PUT', '/inbound-numbers', {
    body: { carrier: 'sandbox-sms', address: '1234', account: 1, reply: REPLY, ...number },
  })

/** A phone writes, and the reply has its time. Returns the states of all replies so far, the oldest first. */
async function writes(from: string, text: string): Promise<readonly (string | null)[]> {
  const { lastId } = await inbound()
  expect(await world.box.smsc.write({ from, to: '1234', text })).toMatchObject({
    kind: 'answered',
    answer: { status: 0 },
  })
  await replied()
  expect((await inbound()).lastId).not.toBe(lastId)
  return (await inbound()).replies
}

/** Passes the time that replies take to be sent and delivered. */
async function replied(): Promise<void> {
  const isDone = async () => !(await inbound()).replies.includes(REPLY_PENDING)
  await eventually('no reply to be pending', isDone, { clock: world.clock })
  await world.pass(2)
}

async function inbound() {
  const { body } = await world.askAdmin('GET', '/inbound-messages?most=100')
  const ids = (body['data'] as { inbound: number | null }[]).flatMap((each) => each.inbound ?? []).toReversed()
  const traces = await Promise.all(ids.map((id) => world.askAdmin('GET', `/inbound-messages/${id}`)))
  return { ids, lastId: ids.at(-1), replies: traces.map(({ body }) => body['reply'] as string | null) }
}

const got = (phone: string) => world.box.traffic.to(phone).map(({ sender, text }) => [sender, text])

test('a message is answered from its number, once an hour, for the price of a message', async () => {
  expect(await give({})).toMatchObject({ status: 200, body: { reply: REPLY, reply_sender: null } })
  const { available } = await world.balances()
  const [first] = await writes(ANNA, 'Are you open?')
  expect(got(ANNA)).toEqual([['1234', REPLY]])
  expect((await world.balances()).available).toBe(available - 50_000)
  const { lastId } = await inbound()
  expect(await world.story(Number(first) as MessageId)).toMatchObject({
    steps: ['sms DELIVERED'],
    reports: ['DELIVERED by sms for 0.05'],
  })
  expect(world.reports.map(({ body }) => body['id'])).toContain(`reply-${lastId}`)
  expect(await writes(ANNA, 'Hello?')).toEqual([first, 'phone: had an automatic reply within the hour'])
  expect(await writes('37120000200', 'And for me?')).toHaveLength(3)
  expect(got('37120000200')).toEqual([['1234', REPLY]])
  await world.passInSilence(1.1 * HOURS)
  await writes(ANNA, 'Still there?')
  expect(got(ANNA)).toHaveLength(2)
})

test('a keyword has a reply of its own, from the sender name that it names', async () => {
  await give({ reply: null })
  expect(await give({ keyword: 'win', reply: 'You take part.', reply_sender: 'Posthorn' })).toMatchObject({
    status: 200,
  })
  expect(await writes(ANNA, 'WIN!')).toEqual([expect.stringMatching(/^\d+$/)])
  expect(await writes('37120000200', 'no')).toEqual([expect.stringMatching(/^\d+$/), null])
  expect(got(ANNA)).toEqual([['Posthorn', 'You take part.']])
  expect(got('37120000200')).toEqual([])
})

test('nothing answers a stop, a recipient who has opted out, a number of the installation, or a name', async () => {
  await give({})
  await give({ address: '37120000300', reply: null })
  const optedOut = 'the recipient has opted out'
  expect(await writes(ANNA, 'STOP')).toEqual([optedOut])
  expect(await writes(ANNA, 'Really?')).toEqual([optedOut, optedOut])
  expect((await writes('37120000300', 'We answer too.')).at(-1)).toBe('the writer is a number of this installation')
  expect((await writes('Bank', 'Your code')).at(-1)).toBe(null)
  expect(world.box.traffic.arrivals).toEqual([])
})

test('a message is answered once, also if the gateway forgets that it did, and not an hour late', async () => {
  await give({})
  const [first] = await writes(ANNA, 'Are you open?')
  const { lastId } = await inbound()
  const forget = () => {
    const inbound = { id: lastId as MessageId, accountId: world.accountId }
    return world.operate((store) => store.settleReplies([{ inbound, reply: REPLY_PENDING }]))
  }
  await forget()
  await replied()
  expect(await inbound()).toMatchObject({ replies: [first] })
  expect(got(ANNA)).toHaveLength(1)
  await world.passInSilence(1.1 * HOURS)
  await forget()
  await replied()
  expect(await inbound()).toMatchObject({ replies: ['too late'] })
  expect(got(ANNA)).toHaveLength(1)
})

test('a reply waits for a gateway that stopped, and says why it was not sent', async () => {
  await give({})
  expect(await world.box.smsc.write({ from: ANNA, to: '1234', text: 'Hi' })).toMatchObject({ answer: { status: 0 } })
  await world.stopGateway()
  await world.startGateway()
  await replied()
  expect(got(ANNA)).toEqual([['1234', REPLY]])
  await world.askAdmin('POST', '/senders/reject', { body: { account: 1, channel: 'sms', name: '1234', reason: 'x' } })
  expect((await writes('37120000200', 'Hi')).at(-1)).toBe('Error in Alpha-name')
})

test('a flood of messages to one account does not delay the replies of another, and none waits for a next second', async () => {
  const quiet = await world.operate(async (store) => {
    const { accountId } = await openAccount(store, systemRandom, { name: 'Quiet', currency: 'EUR' })
    await store.change({ kind: 'set sender', sender: approvedSender(accountId, 'sms', '5678') })
    return accountId
  })
  await give({})
  expect(await give({ address: '5678', account: quiet })).toMatchObject({ status: 200 })
  const at = world.clock.now()
  const flood = Array.from({ length: 120 }, (_, index) => ({ sender: `3712000${1_000 + index}`, recipient: '1234' }))
  const arrivals = [...flood, { sender: ANNA, recipient: '5678' }].map((each) => {
    return wrote('Hello', { carrierId: 'sandbox-sms', at, ...each })
  })
  await world.gateway.store.recordInbound(arrivals, [])
  const pendingOf = async (accountId: AccountId) => {
    const query = { of: 'inbound', accountId: null, after: null, limit: 500 } as const
    const { rows } = await world.gateway.store.page(query)
    return rows.filter(({ owned, reply }) => owned?.accountId === accountId && reply === REPLY_PENDING).length
  }
  expect([await pendingOf(world.accountId), await pendingOf(quiet)]).toEqual([120, 1])
  world.clock.advance(1_000)
  await eventually('the quiet account to have replied', async () => (await pendingOf(quiet)) === 0)
  await eventually('the other to have replied', async () => {
    world.clock.advance(0)
    return (await pendingOf(world.accountId)) === 0
  })
  expect(world.clock.now()).toBe(at + 1_000)
})

test.each([
  [{ reply: ' ' }, 'reply: must not be empty'],
  [{ reply_sender: 'Shop' }, 'reply_sender: the account has no approved sender Shop for it'],
])('a reply is refused with %j', async (number, reason) => {
  const { status, body } = await give(number)
  expect(status).toBe(422)
  expect(JSON.stringify(body)).toContain(reason)
})
