/** Messages that a carrier has taken and of which it sent no receipt: operators have them sent again, or end them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
})
afterEach(() => world.stop())

/** Phones of which RCS sends no receipt. */
const SILENT = ['491701272104', '491701272204', '491701272304']
const sms = (phone: string) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Good morning' })
const timeNow = () => new Date(world.clock.now()).toISOString()
type Rows = readonly Readonly<Record<string, unknown>>[]
const rows = async (path: string): Promise<Rows> => {
  const { data } = (await world.askAdmin('GET', path)).body as { readonly data: Rows }
  return data
}
const list = (query = '') => rows(`/unsettled-messages${query}`)
const count = (query = '') => rows(`/unsettled-messages/count${query}`)
const settle = (body: object) =>
  world.askAdmin('POST', '/unsettled-messages/settle', { body: { confirm: true, ...body } })
const status = async (id: MessageId) => (await world.trace(id)).message.journey.status
const carrierOf = async (id: MessageId) => (await world.trace(id)).message.journey.steps.at(-1)?.carrierId
const arrived = (phone: string) => world.box.traffic.to(phone as never).length

/** Seconds: a carrier has taken a message by then, and sent no receipt yet. */
const SOON = 0.2

/** Messages that their carriers have just taken. */
async function taken(...items: readonly object[]): Promise<readonly MessageId[]> {
  const ids = await world.send(...items)
  await world.rest()
  await world.passInSilence(SOON)
  return ids
}

const rcsOf = (phone: string | undefined) => rcsItem(phone as never, { rcs_lifetime: 600 })
const smsOf = (phone: string | undefined) => ({ ...sms(String(phone)), sms_lifetime: 600 })

describe('messages without a receipt', () => {
  test('are listed and counted with their money, by carrier, account and the time at which they were taken', async () => {
    const [rcs, text] = await taken(rcsOf(SILENT[0]), smsOf(SILENT[1]))
    const carrier = await carrierOf(rcs as MessageId)
    expect((await list()).map(({ message }) => message)).toEqual([rcs, text])
    expect(await list(`?carrier=${carrier}`)).toMatchObject([{ message: rcs, carrier, charged: 0, account: 1 }])
    expect(await list('?account=1')).toHaveLength(2)
    expect((await world.askAdmin('GET', '/unsettled-messages?account=2')).status).toBe(404)
    expect(await list('?carrier=other')).toEqual([])
    expect(await list(`?from=${timeNow()}`)).toEqual([])
    const [sum] = await count()
    expect(sum).toMatchObject({ account: 1, messages: 2, currency: 'EUR' })
    const balances = await world.balances()
    expect(Math.round(Number(sum?.['held']) * 1_000_000)).toBe(balances.held)
  })

  test('are not those that were delivered, or that no carrier has', async () => {
    await world.box.rbm.goDown()
    await taken(rcsOf('491701272100'), sms('491701272200'))
    await world.pass(2)
    expect(await list()).toEqual([])
    expect((await settle({ account: 1, until: timeNow(), action: 'end' })).body).toMatchObject({ data: [], skipped: 0 })
  })

  test('are sent again within their lifetime, once, without another charge', async () => {
    const [text] = await taken(smsOf(SILENT[0]))
    const before = await world.balances()
    const until = timeNow()
    const again = () => settle({ account: 1, until, action: 'send again' })
    expect((await again()).body).toMatchObject({ data: [{ account: 1, messages: 1, held: 0 }], skipped: 0, next: null })
    await world.passInSilence(SOON)
    expect(arrived(String(SILENT[0]))).toBe(2)
    expect(await status(text as MessageId)).toBe('ACCEPTED')
    expect((await again()).body).toMatchObject({ data: [], next: null })
    await world.passInSilence(SOON)
    expect(arrived(String(SILENT[0]))).toBe(2)
    expect(await world.balances()).toEqual(before)
    await world.pass(2)
    expect(await status(text as MessageId)).toBe('DELIVERED')
    expect(await world.balances()).toEqual(before)
  })

  test('keep their hold while they are sent again, and end once their lifetime is over', async () => {
    const [rcs] = await taken(rcsOf(SILENT[0]))
    const before = await world.balances()
    await settle({ account: 1, until: timeNow(), action: 'send again' })
    await world.passInSilence(SOON)
    expect(await world.balances()).toEqual(before)
    await world.pass(620)
    expect(await status(rcs as MessageId)).toBe('EXPIRED')
    expect(await world.balances()).toMatchObject({ held: 0, available: before.available + before.held })
  })

  test('end as UNKNOWN, release what is on hold, and try no other channel; a restart changes nothing', async () => {
    const chain = { ...rcsOf(SILENT[0]), ...sms(String(SILENT[0])), type: 'rcs+sms' }
    const [rcs, other] = await taken(chain, rcsOf(SILENT[1]))
    const before = await world.balances()
    await world.stopGateway()
    await world.startGateway()
    await world.rest()
    const answer = await settle({ account: 1, until: timeNow(), action: 'end' })
    expect(answer.body).toMatchObject({ data: [{ messages: 2 }], skipped: 0, next: null })
    await world.pass(5)
    expect(await status(rcs as MessageId)).toBe('UNKNOWN')
    expect(await status(other as MessageId)).toBe('UNKNOWN')
    expect(arrived(String(SILENT[0]))).toBe(1)
    expect(await world.balances()).toEqual({ ...before, held: 0, available: before.available + before.held })
    expect((await settle({ account: 1, until: timeNow(), action: 'end' })).body).toMatchObject({ data: [] })
    const { body } = await world.askAdmin('GET', '/audit?most=5')
    expect(JSON.stringify(body)).toContain('messages without a receipt of account 1')
  })

  test('of a suspended account wait until it is active, and can be ended until then', async () => {
    const [text] = await taken(smsOf(SILENT[0]))
    await world.askAdmin('PATCH', '/accounts/1', { body: { state: 'suspended' } })
    await settle({ account: 1, until: timeNow(), action: 'send again' })
    await world.passInSilence(SOON)
    expect(arrived(String(SILENT[0]))).toBe(1)
    expect((await settle({ account: 1, until: timeNow(), action: 'end' })).body).toMatchObject({
      data: [{ account: 1, messages: 1 }],
    })
    await world.askAdmin('PATCH', '/accounts/1', { body: { state: 'active' } })
    await world.passInSilence(SOON)
    expect(arrived(String(SILENT[0]))).toBe(1)
    expect(await status(text as MessageId)).toBe('UNKNOWN')
  })
})

describe('one message without a receipt', () => {
  const settleOne = (id: MessageId | undefined, action: string) =>
    world.askAdmin('POST', `/messages/${id}/settle`, { body: { action, confirm: true } })

  test('is sent again, or ended', async () => {
    const [first, second] = await taken(smsOf(SILENT[0]), smsOf(SILENT[1]))
    expect((await settleOne(first, 'send again')).body).toEqual({ message: first, status: 'QUEUED' })
    expect((await settleOne(second, 'end')).body).toEqual({ message: second, status: 'UNKNOWN' })
    await world.passInSilence(SOON)
    expect(arrived(String(SILENT[0]))).toBe(2)
    expect((await settleOne(second, 'end')).status).toBe(422)
  })
})

describe('a request to settle', () => {
  test.each([
    ['confirms nothing', { account: 1, until: '2020-01-01', action: 'end', confirm: undefined }],
    ['names neither a carrier nor an account', { until: '2020-01-01', action: 'end' }],
    ['names no time', { account: 1, action: 'end' }],
    ['names a time to come', { account: 1, action: 'end', until: '2999-01-01' }],
    ['names another action', { account: 1, action: 'forget', until: '2020-01-01' }],
  ])('is refused and changes nothing if it %s', async (_, body) => {
    const [text] = await taken(smsOf(SILENT[0]))
    const { status: code } = await settle(body)
    expect([400, 409, 422]).toContain(code)
    expect(await status(text as MessageId)).toBe('ACCEPTED')
  })
})
