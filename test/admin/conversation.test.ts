/** What an account and a recipient have written to each other. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const PHONE = '491701800100'
const OTHER_PHONE = '491701800101'

const ask = (body: object, token?: string) =>
  world.askAdmin('POST', '/accounts/1/conversation', token === undefined ? { body } : { body, token })

async function write(text: string, from: string): Promise<void> {
  expect(await world.box.smsc.write({ from, to: 'SMSTest', text })).toMatchObject({ kind: 'answered' })
  await world.pass(1)
}

async function send(text: string, phone: string): Promise<number> {
  const id = await world.sendOne({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: text })
  await world.pass(5)
  return id
}

async function converse(phone: string) {
  const question = await send('Shall we come at 10?', phone)
  await write('Yes', phone)
  return { question, thanks: await send('Thanks', phone) }
}

test('sent and inbound messages are one list, the newest first, without those of other phones', async () => {
  await send('To another', OTHER_PHONE)
  await write('From another', OTHER_PHONE)
  const { question, thanks } = await converse(PHONE)
  const { status, body } = await ask({ phone: '+49 170 1800100' })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      data: [
        { direction: 'sent', message: thanks, sender: 'SMSTest', channel: 'sms', status: 'DELIVERED', text: null },
        { direction: 'received', sender: 'SMSTest', text: 'Yes', status: null, in_reply_to: question },
        { direction: 'sent', message: question, price: 0.05 },
      ],
      next: null,
    },
  })
})

test('pages follow each other and miss nothing', async () => {
  const phone = '491701800102'
  await converse(phone)
  const whole = (await ask({ phone })).body['data'] as readonly object[]
  expect(whole).toHaveLength(3)
  const read: object[] = []
  for (let after: unknown = null; ; ) {
    const { body } = await ask({ phone, most: 1, ...(after === null ? {} : { after }) })
    read.push(...(body['data'] as readonly object[]))
    after = body['next']
    if (after === null) break
  }
  const inAnyOrder = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).toSorted()
  expect(inAnyOrder(read)).toEqual(inAnyOrder(whole))
})

test('texts are hidden from roles that may not read them', async () => {
  await world.askAdmin('POST', '/users', { body: { user: 'sue', role: 'support' } })
  const { body } = await world.askAdmin('POST', '/users/sue/tokens', { body: { label: 'test' } })
  const phone = '491701800103'
  await converse(phone)
  const seen = (await ask({ phone }, String(body['token']))).body['data'] as readonly {
    readonly text: unknown
  }[]
  expect(seen.map(({ text }) => text)).toEqual([null, null, null])
})

test('a wrong phone and an unknown account are refused', async () => {
  expect(await ask({ phone: '12' })).toMatchObject({ status: 422, body: { errors: [{ field: 'phone' }] } })
  const unknown = await world.askAdmin('POST', '/accounts/77/conversation', { body: { phone: PHONE } })
  expect(unknown).toMatchObject({ status: 404 })
})
