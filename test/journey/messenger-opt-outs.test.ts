/** Opt-outs by messengers: they follow a user to a new number, and one that cannot be applied raises an alarm. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { startWhatsAppDouble, type WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { chatappItem } from '../support/send-items.ts'

const OLD = '37120000100'
const NEW = '37120000200'

let world: SandboxWorld
let whatsapp: WhatsAppDouble

beforeEach(async () => {
  world = await SandboxWorld.start()
  const { clock, accountId } = world
  whatsapp = await startWhatsAppDouble({ clock, random: new SeededRandom(9), traffic: world.box.traffic })
  const { address: baseUrl, accessToken, appSecret, wabaId } = whatsapp
  const settings = { baseUrl, accessToken, appSecret, wabaId, verifyToken: 'v', senders: { ChatTest: '555' } }
  const route = { prefix: '4916', operators: null, priority: 100, poolId: null }
  await world.operate(async (store) => {
    await addCarrier(store, () => {}, { id: 'meta', kind: 'whatsapp', settings, route })
    await store.change({ kind: 'set sender', sender: approvedSender(accountId, 'sms', '1234') })
  })
  await world.carriersUp()
})
afterEach(async () => {
  await world.stop()
  await whatsapp.stop()
})

let calls = 0

/** Meta calls with a message or a notice. */
async function notify(message: object): Promise<void> {
  calls += 1
  const timestamp = String(Math.floor(world.clock.now() / 1_000))
  const value = {
    metadata: { display_phone_number: '1555555', phone_number_id: '555' },
    messages: [{ id: `wamid.${calls}`, timestamp, ...message }],
  }
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] })
  const signature = createHmac('sha256', whatsapp.appSecret).update(body).digest('hex')
  const headers = { 'x-hub-signature-256': `sha256=${signature}` }
  const response = await fetch(`${world.gateway.address}/carriers/meta`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
}

const changedNumber = (from: string, wa_id: string, more: object = {}) => {
  return { from, type: 'system', system: { type: 'user_changed_number', wa_id, body: 'A new number' }, ...more }
}

async function writes(from: string, text: string): Promise<void> {
  expect(await world.box.smsc.write({ from, to: '1234', text })).toMatchObject({ answer: { status: 0 } })
}

async function sms(phone: string): Promise<readonly string[]> {
  const id = await world.sendOne({ type: 'sms', phone, sms_signature: '1234', sms_message: 'Sale!' })
  await world.pass(5)
  return (await world.story(id)).steps
}

const optOutsOf = (phone: string) =>
  world.gateway.store.findOptOuts([{ accountId: world.accountId, phone: phone as Phone }])

describe('a WhatsApp user with a new number', () => {
  test('stays opted out, since the same time, and so does the former number', async () => {
    await writes(OLD, 'STOP')
    const before = await optOutsOf(OLD)
    await world.pass(60)
    await notify(changedNumber(OLD, NEW))
    expect(await optOutsOf(NEW)).toEqual(before.map((optOut) => ({ ...optOut, phone: NEW })))
    expect(before).toHaveLength(1)
    expect([await sms(NEW), await sms(OLD)]).toEqual([['sms FILTERED'], ['sms FILTERED']])
  })

  test('who writes START gets messages again, also after a repeat of the notice and a restart', async () => {
    await writes(OLD, 'STOP')
    const notice = changedNumber(OLD, NEW, { id: 'wamid.notice' })
    await notify(notice)
    await notify(notice)
    expect(await optOutsOf(NEW)).toHaveLength(1)
    await writes(NEW, 'START')
    await notify(notice)
    await world.stopGateway()
    await world.startGateway()
    await world.carriersUp()
    await notify(notice)
    expect(await sms(NEW)).toEqual(['sms DELIVERED'])
    expect(await sms(OLD)).toEqual(['sms FILTERED'])
  })

  test('stays opted out if the former number was erased', async () => {
    await writes(OLD, 'STOP')
    const line = new CommandLine()
    line.environment = { POSTHORN_SERVER: world.gateway.adminAddress, POSTHORN_TOKEN: world.adminToken }
    expect(await line.run(['forget', '-', '--yes'], `+${OLD}\n`)).toMatchObject({ exitCode: 0 })
    line.close()
    await notify(changedNumber(OLD, NEW))
    expect(await sms(NEW)).toEqual(['sms FILTERED'])
  })

  test('stays opted out in the notice of former versions, and under another form of the former number', async () => {
    await writes('541133334444', 'STOP')
    const system = { type: 'customer_changed_number', new_wa_id: NEW, customer: '5491133334444' }
    await notify({ from: '5491133334444', type: 'system', system })
    expect(await sms(NEW)).toEqual(['sms FILTERED'])
  })

  test('keeps what an operator has set, which no START lifts', async () => {
    const optOut = { accountId: world.accountId, sender: null, phone: OLD as Phone, by: 'hand', at: 5 } as const
    await world.operate((store) => store.change({ kind: 'change opt-outs', changes: [{ kind: 'add', optOut }] }))
    await notify(changedNumber(OLD, NEW))
    await writes(NEW, 'START')
    expect(await optOutsOf(NEW)).toEqual([{ ...optOut, phone: NEW }])
  })
})

describe('STOP from a WhatsApp user whose id has no known form', () => {
  test('opens an alarm that says how to opt the user out', async () => {
    await notify({ from_user_id: 'user:4711', type: 'text', text: { body: 'STOP' } })
    await world.pass(60)
    const { body } = await world.askAdmin('GET', '/alarms?state=open')
    const { data } = body as { readonly data: readonly { readonly kind: string; readonly detail: string }[] }
    expect(data.filter(({ kind }) => kind === 'keyword_lost')).toMatchObject([
      {
        subject: 'meta',
        // In a cluster, the name of the node is before it.
        detail: expect.stringMatching(
          /1 keyword without effect, .* no phone number or user id: find it with posthorn inbound list, .* posthorn opt-out add$/,
        ),
      },
    ])
  })
})

describe('STOP in Viber', () => {
  const send = async (phone: string) => {
    const id = await world.sendOne(chatappItem(phone))
    await world.pass(5)
    return (await world.story(id)).steps
  }

  test.each(['STOP', ' Stop. '])('%j refuses the next message, until START', async (text) => {
    expect(await send(OLD)).toEqual(['chatapp DELIVERED'])
    const to = world.box.traffic.to(OLD as never)[0]?.sender ?? ''
    await world.box.viber.write({ from: OLD, to, text })
    expect(await send(OLD)).toEqual(['chatapp FILTERED'])
    expect(await send(NEW)).toEqual(['chatapp DELIVERED'])
    expect(world.box.traffic.to(OLD as never)).toHaveLength(1)
    await world.box.viber.write({ from: OLD, to, text: 'START' })
    expect(await send(OLD)).toEqual(['chatapp DELIVERED'])
  })
})
