/**
 * A chat template from an operator's request to a message that goes out by it, over the admin API and the double of
 * Meta.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { keepChatTemplates } from '../../src/operations/admin/chat-templates/keep-chat-templates.ts'
import type { CloudTemplate } from '../../src/simulator/whatsapp/cloud-message.ts'
import { startWhatsAppDouble, type WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { chatappItem } from '../support/send-items.ts'

let world: SandboxWorld
let whatsapp: WhatsAppDouble

beforeAll(async () => {
  world = await SandboxWorld.start()
  whatsapp = await startWhatsAppDouble({
    clock: world.clock,
    random: new SeededRandom(5),
    traffic: world.box.traffic,
  })
  const { address: baseUrl, accessToken, appSecret, wabaId } = whatsapp
  const senders = { ChatTest: '555' }
  const settings = { baseUrl, accessToken, appSecret, wabaId, verifyToken: 'v', templateRefreshSeconds: 60, senders }
  const route = { operators: null, priority: 100, poolId: null, prefix: '4916' }
  await world.operate((store) => addCarrier(store, () => {}, { id: 'meta', kind: 'whatsapp', settings, route }))
  whatsapp.setWebhook(`${world.gateway.address}/carriers/meta`)
  await world.carriersUp()
})

afterAll(async () => {
  await world.stop()
  await whatsapp.stop()
})

const INPUT = {
  carrier: 'meta',
  signature: 'ChatTest',
  template: 'Your parcel {{1}} is here.',
  name: 'parcel_is_here',
  language: 'en',
  category: 'utility',
  examples: { 1: 'A-17' },
}

const submit = (change: object = {}, account: number = world.accountId) =>
  world.askAdmin('POST', `/accounts/${account}/chat-templates/submit`, { body: { ...INPUT, ...change } })

async function listed(template = INPUT.template) {
  const { body } = await world.askAdmin('GET', `/accounts/${world.accountId}/chat-templates`)
  return (body['data'] as { template: string }[]).filter((each) => each.template === template)
}

/** Meta decides about the template of `INPUT`, calls the webhook, and its list is read again. */
async function decide(change: Partial<CloudTemplate> | null) {
  const place = whatsapp.templates.findIndex(({ name }) => name === INPUT.name)
  const [before] = whatsapp.templates.splice(place, 1)
  if (change !== null) whatsapp.templates.unshift({ ...(before as CloudTemplate), ...change })
  await whatsapp.reportTemplateChange()
  await world.pass(10)
}

test('a template is submitted, rejected with a reason, submitted again, approved, used and removed', async () => {
  expect(await submit()).toMatchObject({ status: 200, body: { status: 'submitted', reason: null } })
  await world.pass(3)
  expect(await listed()).toMatchObject([{ status: 'submitted', carrier: 'meta' }])

  await decide({ status: 'REJECTED', rejected_reason: 'TAG_CONTENT_MISMATCH' })
  expect(await listed()).toMatchObject([{ status: 'rejected', reason: 'TAG_CONTENT_MISMATCH' }])

  expect(await submit({ category: 'marketing' })).toMatchObject({ status: 200, body: { status: 'resubmitted' } })
  await world.pass(70)
  expect(await listed()).toMatchObject([{ status: 'resubmitted', reason: null, carrier: 'meta' }])

  await decide({ status: 'APPROVED' })
  expect(await listed()).toMatchObject([{ status: 'approved', reason: null }])
  const message = { chatapp_message: 'Your parcel Z-9 is here.' }
  const id = await world.sendOne(chatappItem('491601234500', message))
  await world.pass(3)
  expect(await world.story(id)).toMatchObject({ timeline: ['chatapp taken', 'chatapp delivered'] })

  await decide(null)
  expect(await listed()).toMatchObject([{ status: 'removed' }])
})

test('submitted twice it is one, at Meta and here, and nothing is written the second time', async () => {
  const input = { template: 'Your parcel {{1}} waits.', name: 'parcel_waits' }
  const first = await submit(input)
  await world.pass(3)
  const revision = await world.gateway.store.directoryRevision()
  const second = await submit(input)
  expect(second.body).toMatchObject({ template_id: first.body['template_id'], status: 'submitted', carrier: 'meta' })
  expect(whatsapp.templates.filter(({ name }) => name === input.name)).toHaveLength(1)
  expect(await listed(input.template)).toHaveLength(1)
  expect(await world.gateway.store.directoryRevision()).toBe(revision)
})

test('is stored once if nodes and operators store it at the same time', async () => {
  const { store } = world.gateway
  const template = 'Noted and listed at once.'
  const list = { senders: ['ChatTest'], templates: [{ text: template, status: 'approved', reason: null } as const] }
  const body = { signature: 'ChatTest', template, status: 'approved' }
  await Promise.all([
    keepChatTemplates(store, 'other', list),
    keepChatTemplates(store, 'other', list),
    ...[1, 2].map(() => world.askAdmin('POST', `/accounts/${world.accountId}/chat-templates`, { body })),
  ])
  expect(await listed(template)).toHaveLength(1)
})

test('is in the audit log, by the name of who did it', async () => {
  await submit({ template: 'Your parcel {{1}} was seen.', name: 'parcel_was_seen' })
  const { body } = await world.askAdmin('GET', '/audit')
  expect((body['data'] as object[])[0]).toMatchObject({
    action: 'submitChatTemplate',
    after: { signature: 'ChatTest', status: 'submitted' },
  })
})

describe('nothing is submitted and nothing noted', () => {
  test.each([
    [{ template: 'Closes {{1}}' }, 422, 'Variables can’t be at the start or end of the template.'],
    [{ examples: {} }, 422, 'examples: wanted is one for {{1}}'],
    [{ button: 'Open' }, 422, 'link: a button needs both a caption and a link'],
    [{ link_example: 'https://a.example/' }, 422, 'link_example: allowed only with a link'],
    [{ signature: 'Unknown' }, 422, 'has no approved sender Unknown for chatapp'],
    [{ carrier: 'sandbox-sms' }, 422, 'sandbox-sms is a carrier of sms'],
    [{ carrier: 'sandbox-chat' }, 422, 'Viber approves templates for partners only'],
    [{ carrier: 'unknown' }, 404, 'there is no carrier unknown'],
    [{ name: 'Not good' }, 400, 'some fields are invalid'],
    [{ category: 'authentication' }, 400, 'some fields are invalid'],
  ])('with %j', async (change, status, words) => {
    const submissions = whatsapp.templates.length
    const template = 'We never submit {{1}} here.'
    const answer = await submit({ template, name: 'never', ...change })
    expect(answer).toMatchObject({ status, body: { detail: expect.stringContaining(words) } })
    expect(whatsapp.templates).toHaveLength(submissions)
    expect(await listed(template)).toEqual([])
  })

  test('for an account that is not there', async () => {
    expect(await submit({}, 77)).toMatchObject({ status: 404 })
  })

  test('without Meta, and it can be tried again', async () => {
    const input = { template: 'Your parcel {{1}} is late.', name: 'parcel_is_late' }
    await whatsapp.goDown()
    const answer = await submit(input)
    expect(answer).toMatchObject({ status: 503, body: { detail: expect.stringContaining('submit it again') } })
    expect(JSON.stringify(answer.body)).not.toContain(whatsapp.accessToken)
    await whatsapp.comeBack()
    expect(await submit(input)).toMatchObject({ status: 200, body: { status: 'submitted' } })
  })
})
