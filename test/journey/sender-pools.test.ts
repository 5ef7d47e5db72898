/** Several numbers of an account behind one name: messages keep the name, recipients see one number each. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { turnLoop } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const NUMBERS = ['49170100001', '49170100002', '49170100003', '49170100004']
const ANNA = '37120000100'
const BORIS = '37120000200'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
  for (const name of NUMBERS) await approve({ name })
  await approve({ name: 'Shop', members: NUMBERS })
})
afterEach(() => world.stop())

const approve = async (sender: object, status = 200) => {
  const answer = await world.askAdmin('POST', '/senders/approve', { body: { account: 1, channel: 'sms', ...sender } })
  expect(answer).toMatchObject({ status })
  return answer.body
}
const sms = (phone: string, sender = 'Shop') => {
  return { type: 'sms', phone, sms_signature: sender, sms_message: 'Sale!' }
}
/** Numbers to which everything is delivered. */
const phoneOf = (index: number) => String(37_120_000_000 + index * 100)
const shownTo = (phone: string) =>
  world.box.traffic.arrivals.filter((each) => each.phone === phone).map(({ sender }) => sender)
const sendAndWait = async (item: object): Promise<MessageId> => {
  const id = await world.sendOne(item)
  await world.pass(3)
  return id
}
const writes = async (from: string, text: string, to: string) => {
  expect(await world.box.smsc.write({ from, to, text })).toMatchObject({ kind: 'answered', answer: { status: 0 } })
  await world.rest()
}
const stepsOf = async (id: MessageId) => (await world.askAdmin('GET', `/messages/${id}`)).body['steps']
const member = async (phone: string): Promise<string> => {
  await sendAndWait(sms(phone))
  return shownTo(phone).at(-1) ?? ''
}

test('a recipient sees the same number in every message, also after a restart; the trace names it', async () => {
  const phones = Array.from({ length: 20 }, (_, index) => phoneOf(index))
  await world.send(...phones.map((phone) => sms(phone)))
  await world.pass(3)
  await world.stopGateway()
  await world.startGateway()
  await world.carriersUp()
  await world.send(...phones.map((phone) => sms(phone)))
  await world.pass(3)
  const shown = phones.map(shownTo)
  for (const [first, second] of shown) expect(second).toBe(first)
  expect(new Set(shown.flat())).toEqual(new Set(NUMBERS))
  const id = await sendAndWait(sms(ANNA))
  const [from] = shownTo(ANNA)
  expect(await stepsOf(id)).toMatchObject([{ sender: 'Shop', from, status: 'DELIVERED' }])
  expect((await world.trace(id)).timeline[0]?.detail).toMatch(new RegExp(`^as .*, from ${from}$`))
})

test('the trace of a message stays true when its number leaves the pool, and its recipient sees another one', async () => {
  const id = await sendAndWait(sms(ANNA))
  const [left = ''] = shownTo(ANNA)
  await approve({ name: 'Shop', members: NUMBERS.filter((each) => each !== left) })
  await sendAndWait(sms(ANNA))
  expect(shownTo(ANNA)[1]).not.toBe(left)
  expect(NUMBERS).toContain(shownTo(ANNA)[1])
  expect(await stepsOf(id)).toMatchObject([{ sender: 'Shop', from: left }])
})

test('a message waits with its pool: it is sent from the members of its time, and from none once all are taken away', async () => {
  const planned = async () => {
    const sendAt = new Date(world.clock.now() + 60_000).toISOString()
    return await world.sendOne({ ...sms(ANNA), send_at: sendAt })
  }
  const [first, second] = [await planned(), await planned()]
  await approve({ name: 'Shop', members: NUMBERS.slice(0, 1) })
  await world.pass(65)
  expect(shownTo(ANNA)).toEqual([NUMBERS[0], NUMBERS[0]])
  expect(await stepsOf(first)).toMatchObject([{ from: NUMBERS[0] }])
  expect(await stepsOf(second)).toMatchObject([{ from: NUMBERS[0] }])
  const third = await planned()
  await world.askAdmin('POST', '/senders/reject', {
    body: { account: 1, channel: 'sms', name: NUMBERS[0], reason: 'gone' },
  })
  await world.pass(65)
  expect(shownTo(ANNA)).toHaveLength(2)
  expect((await world.story(third)).steps).toEqual(['sms FILTERED'])
})

test('members go by routes of their own before those of the pool', async () => {
  const put = async (path: string, body: object) =>
    expect(await world.askAdmin('PUT', path, { body })).toMatchObject({ status: 200 })
  const settings = { host: '127.0.0.1', port: 9, systemId: 'id', password: 'secret' }
  for (const id of ['a', 'b', 'c']) await put(`/carriers/${id}`, { kind: 'smpp', settings, route: null })
  const from = await member(ANNA)
  await put('/routes', { carrier: 'a', sender: 'Shop' })
  await put('/routes', { carrier: 'b', sender: from })
  await put('/routes', { carrier: 'c', sender: NUMBERS.find((each) => each !== from) })
  const body = { account: 1, phone: ANNA, channels: ['sms'], sender: 'Shop' }
  const trial = await world.askAdmin('POST', '/routes/trial', { body })
  expect(trial.body).toMatchObject({ routes: [{ carrier: 'b' }, { carrier: 'a' }, { carrier: 'sandbox-sms' }] })
})

describe('a rate', () => {
  const RATE = 100

  /** Turns the clock on by a second, in steps that release less than the carrier has room for. Returns new arrivals. */
  const nextSecond = async () => {
    const before = world.box.traffic.arrivals.length
    for (let step = 0; step < 5; step += 1) {
      world.clock.advance(200)
      await turnLoop(25)
      while (world.gateway.delivery.pump.facts.inFlight > 0) await turnLoop(5)
    }
    return world.box.traffic.arrivals.slice(before)
  }

  test('holds for each of four numbers that send 10,000 messages, and for no other sender', async () => {
    for (const name of NUMBERS) await approve({ name, per_second: RATE })
    const phones = Array.from({ length: 10_000 }, (_, index) => phoneOf(Math.floor(index / 2)))
    for (let start = 0; start < phones.length; start += 1_000) {
      await world.send(...phones.slice(start, start + 1_000).map((phone) => sms(phone)))
    }
    await world.rest()
    const early = world.box.traffic.arrivals.length
    expect(early).toBeLessThanOrEqual(NUMBERS.length)
    const seconds = []
    for (let sent = early; sent < phones.length; sent += seconds.at(-1)?.length ?? 0) {
      if (seconds.length === 3) await world.send(...Array.from({ length: 50 }, () => sms(BORIS, 'SMSTest')))
      seconds.push(await nextSecond())
    }
    const { arrivals } = world.box.traffic
    for (const second of seconds) {
      const counts = NUMBERS.map((number) => second.filter(({ sender }) => sender === number).length)
      expect(Math.max(...counts)).toBeLessThanOrEqual(RATE)
    }
    expect(seconds[3]?.filter(({ sender }) => sender === 'SMSTest')).toHaveLength(50)
    expect(seconds[1]).toHaveLength(RATE * NUMBERS.length)
    const byPhone = Map.groupBy(arrivals, ({ phone }) => phone)
    byPhone.delete(BORIS)
    const shown = [...byPhone.values()].map((all) => [all.length, new Set(all.map(({ sender }) => sender)).size])
    expect(shown).toEqual(Array.from({ length: 5_000 - 1 }, () => [2, 1]))
    // On PostgreSQL each batch of them is a round trip.
  }, 120_000)

  test('holds for messages that wait in the store, also after a restart; other senders have room', async () => {
    await world.stop()
    world = await SandboxWorld.start(3_600, undefined, { 'held-messages': '100' })
    const number = NUMBERS[0] ?? ''
    await approve({ name: number, per_second: 5 })
    const shown = (sender: string) => world.box.traffic.arrivals.filter((each) => each.sender === sender).length
    const pass = async (seconds: number) => {
      const before = shown(number)
      await world.pass(seconds)
      return shown(number) - before
    }
    await world.send(...Array.from({ length: 90 }, (_, index) => sms(phoneOf(index), number)))
    expect(await pass(2)).toBe(11)
    await world.sendOne(sms(BORIS, 'SMSTest'))
    await world.rest()
    expect(shown('SMSTest')).toBe(1)
    await world.box.smsc.goDown()
    expect(await pass(10)).toBe(0)
    await world.box.smsc.comeBack()
    const seconds = [await pass(1), await pass(1), await pass(1)]
    await world.stopGateway()
    world.clock.advance(60_000)
    await world.startGateway()
    for (let second = 0; second < 20; second += 1) seconds.push(await pass(1))
    expect(Math.max(...seconds)).toBeLessThanOrEqual(6)
    expect(shown(number)).toBe(90)
  }, 120_000)

  test('is why a message waits, and lets all go at once when it is lifted', async () => {
    const number = NUMBERS[0] ?? ''
    await approve({ name: number, per_second: 0.1 })
    const phones = Array.from({ length: 20 }, (_, index) => phoneOf(index))
    await world.send(...phones.map((phone) => sms(phone, number)))
    await world.rest()
    const trace = async (phone: string) =>
      (await world.askAdmin('GET', `/messages/${await world.lastMessageTo(phone)}`)).body
    expect(world.box.traffic.arrivals).toHaveLength(1)
    expect(await trace(phones[19] ?? '')).toMatchObject({ waits_because: `${number} sends at most 0.1 parts a second` })
    await approve({ name: number, per_second: null })
    await world.rest()
    expect(world.box.traffic.arrivals).toHaveLength(20)
  })
})

describe('a recipient answers', () => {
  const give = async (address: string, account = 1) => {
    const body = { carrier: 'sandbox-sms', address, account, hook: world.sink.address }
    expect(await world.askAdmin('PUT', '/inbound-numbers', { body })).toMatchObject({ status: 200 })
  }
  const inbound = () => world.reports.map(({ body }) => body).filter(({ type }) => type === 'message.inbound')

  test('the number that it saw: the report names the message, and a reply under the name comes from that number', async () => {
    for (const number of NUMBERS) await give(number)
    const id = await sendAndWait(sms(ANNA))
    const [from = ''] = shownTo(ANNA)
    const others = NUMBERS.filter((each) => each !== from)
    await writes(ANNA, 'Yes', from)
    await writes(ANNA, 'No', others[0] ?? '')
    expect(inbound()).toMatchObject([
      { to: from, in_reply_to: { msg_id: id } },
      { to: others[0], in_reply_to: null },
    ])
    // It leaves: the pool alone would choose another number now.
    await approve({ name: 'Shop', members: others.slice(0, 2) })
    for (const fields of [{}, { sms_signature: from }]) {
      const { sms_signature: _, ...reply } = sms(ANNA)
      await sendAndWait({ ...reply, ...fields, reply_to: inbound()[0]?.['inbound_id'] })
    }
    const [stays = ''] = others
    await sendAndWait({ ...sms(ANNA), reply_to: inbound()[1]?.['inbound_id'] })
    expect(shownTo(ANNA)).toEqual([from, from, from, stays])
  })

  test('STOP to one number holds for the whole pool and its members, and START to another ends it', async () => {
    const from = await member(ANNA)
    const other = NUMBERS.find((each) => each !== from) ?? ''
    await writes(ANNA, 'STOP', from)
    const filtered = async (sender: string) => (await world.story(await sendAndWait(sms(ANNA, sender)))).steps
    for (const sender of ['Shop', from, other]) expect(await filtered(sender)).toEqual(['sms FILTERED'])
    expect(await filtered('SMSTest')).toEqual(['sms DELIVERED'])
    await approve({ name: '49170100009' })
    await approve({ name: 'Shop', members: [other, '49170100009'] })
    for (const sender of ['Shop', from, '49170100009']) expect(await filtered(sender)).toEqual(['sms FILTERED'])
    await approve({ name: 'Shop', members: NUMBERS })
    await writes(ANNA, 'START', other)
    for (const sender of ['Shop', from, other]) expect(await filtered(sender)).toEqual(['sms DELIVERED'])
    expect(await member(BORIS)).not.toBe('')
  })
})

describe('an opt-out holds for each number that it was made for', () => {
  const statusFrom = async (sender: string) => (await world.story(await sendAndWait(sms(ANNA, sender)))).steps[0]
  const statuses = (senders: readonly string[]) =>
    senders.reduce<Promise<readonly (string | undefined)[]>>(
      async (before, sender) => [...(await before), await statusFrom(sender)],
      Promise.resolve([]),
    )
  const byHand = async (path: string, sender: string, status: number) => {
    const answer = await world.askAdmin('POST', `/accounts/1/opt-outs${path}`, { body: { phone: ANNA, sender } })
    expect(answer).toMatchObject({ status })
  }
  const optOutBy = {
    'a keyword': async () => writes(ANNA, 'STOP', await member(ANNA)),
    'a link': async () => {
      await sendAndWait({ ...sms(ANNA), unsubscribe_link: true })
      const link = /http\S+\/u\/\S+/.exec(world.box.traffic.arrivals.at(-1)?.text ?? '')?.[0] ?? ''
      const token = /name="token" value="([A-Za-z0-9]+)"/.exec(await (await fetch(link)).text())?.[1] ?? ''
      const body = new URLSearchParams({ token, action: 'out' })
      expect((await fetch(link, { method: 'POST', body, redirect: 'manual' })).status).toBe(303)
    },
    'an operator': () => byHand('', 'Shop', 200),
  }

  test.each(Object.entries(optOutBy))('by %s: when the pool is renamed', async (_, optOut) => {
    await optOut()
    await approve({ name: 'Shop', members: [] })
    await approve({ name: 'Store', members: NUMBERS })
    expect(new Set(await statuses(['Shop', 'Store', ...NUMBERS]))).toEqual(new Set(['sms FILTERED']))
    await writes(ANNA, 'START', NUMBERS[1] ?? '')
    const back = (await statuses(['Store', ...NUMBERS])).map((each) => each === 'sms DELIVERED')
    expect(new Set(back)).toEqual(new Set([optOut !== optOutBy['an operator']]))
  })

  test('when a member leaves the pool, and when the pool is rejected; START ends it for the pool', async () => {
    const from = await member(ANNA)
    const [left = '', ...others] = NUMBERS.filter((each) => each !== from)
    await writes(ANNA, 'STOP', from)
    await approve({ name: 'Shop', members: [from, ...others] })
    expect(await statusFrom(left)).toBe('sms FILTERED')
    await writes(ANNA, 'START', from)
    expect(await statuses([left, 'Shop', from, ...others])).toEqual([
      'sms FILTERED',
      ...Array.from({ length: 4 }, () => 'sms DELIVERED'),
    ])
    await writes(ANNA, 'STOP', from)
    const pool = { account: 1, channel: 'sms', name: 'Shop', reason: 'gone' }
    expect(await world.askAdmin('POST', '/senders/reject', { body: pool })).toMatchObject({ status: 200 })
    expect(new Set(await statuses(NUMBERS))).toEqual(new Set(['sms FILTERED']))
  })

  test('and an operator removes it from all of the pool', async () => {
    await writes(ANNA, 'STOP', await member(ANNA))
    await byHand('/remove', 'Shop', 204)
    expect(new Set(await statuses(['Shop', ...NUMBERS]))).toEqual(new Set(['sms DELIVERED']))
  })
})

test('a trial names the number, and warns of a name that a country does not show; the message is sent all the same', async () => {
  await approve({ name: 'Shop.us', countries: ['US', 'IN'], registrations: { IN: { entity: '1101' } } })
  const noNames = 'United States shows no sender names: use a number'
  const listed = await world.askAdmin('GET', '/senders?account=1&search=Shop.us')
  expect(listed.body).toMatchObject({ data: [{ name: 'Shop.us', warnings: [noNames] }] })
  const tryIt = async (phone: string, sender: string) => {
    const { body } = await world.askAdmin('POST', '/routes/trial', {
      body: { account: 1, phone, channels: ['sms'], sender },
    })
    return (body as { channels: readonly { from: string | null; warning: string | null }[] }).channels[0]
  }
  expect(await tryIt('12025550123', 'Shop.us')).toMatchObject({ from: null, warning: noNames, refused: null })
  expect(await tryIt('919876543210', 'Shop.us')).toMatchObject({ warning: null })
  expect(await tryIt('6591234567', 'SMSTest')).toMatchObject({
    warning: 'Singapore shows registered sender names only',
  })
  expect(await tryIt('12025550123', 'Shop')).toMatchObject({
    from: expect.stringMatching(/^4917010000[1-4]$/),
    warning: null,
  })
})

describe('a pool is refused', () => {
  test.each([
    ['a name that is no sender', { members: ['Unknown'] }, 'Unknown is no approved sender of the account'],
    ['itself', { members: ['Store'] }, 'Store is the pool itself'],
    ['a pool', { members: ['Shop'] }, 'Shop is a pool'],
    ['a member of another pool', { members: ['49170100001'] }, '49170100001 is a member of the pool Shop'],
    [
      'members, being a member',
      { name: '49170100001', members: ['SMSTest'] },
      '49170100001 is a member of the pool Shop itself',
    ],
    ['members of another channel', { channel: 'rcs', members: ['RCSTest'] }, 'only senders of sms can be pools'],
  ])('%s', async (_, sender, detail) => {
    expect(await approve({ name: 'Store', ...sender }, 422)).toMatchObject({ errors: [{ field: 'members', detail }] })
  })

  test('a member twice', async () => {
    expect(await approve({ name: 'Store', members: ['SMSTest', 'SMSTest'] }, 400)).toMatchObject({
      errors: [{ field: 'members', detail: 'must not name the same twice' }],
    })
  })

  test('a number that is inbound to another account alone', async () => {
    const { body } = await world.askAdmin('POST', '/accounts', { body: { name: 'Other', currency: 'EUR' } })
    const number = { carrier: 'sandbox-sms', address: '49170100009', account: body['account'] }
    await world.askAdmin('PUT', '/inbound-numbers', { body: number })
    await approve({ name: '49170100009' })
    expect(await approve({ name: 'Store', members: ['49170100009'] }, 422)).toMatchObject({
      errors: [{ detail: `49170100009 is an inbound number of account ${body['account']}` }],
    })
    await world.askAdmin('PUT', '/inbound-numbers', { body: { ...number, account: 1, keyword: 'win' } })
    await approve({ name: 'Store', members: ['49170100009'] })
  })
})
