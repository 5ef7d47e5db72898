/** A recipient answers: the account of the number gets a signed report, and can list what came. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import { HOOK_RULE } from '../../src/domain/reports/report-target.ts'
import { changeAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const ANNA = '37120000100'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
  const settings = { defaultHook: world.sink.address }
  await world.operate((store) => changeAccount(store, { accountId: world.accountId, settings }))
})
afterEach(() => world.stop())

/** A phone writes, and the gateway acknowledges it. */
async function writes(from: string, text: string, to = '1234'): Promise<void> {
  expect(await world.box.smsc.write({ from, to, text })).toMatchObject({ kind: 'answered', answer: { status: 0 } })
}

const give = (number: object) =>
  world.askAdmin('PUT', '/inbound-numbers', {
    body: { carrier: 'sandbox-sms', address: '1234', account: 1, ...number },
  })
const addAccount = async () => {
  return (await world.askAdmin('POST', '/accounts', { body: { name: 'Other', currency: 'EUR' } })).body['account']
}
const inbound = () => world.reports.map(({ body }) => body).filter(({ type }) => type === 'message.inbound')

test('an inbound message is reported at once, signed, and with every field', async () => {
  expect(await give({})).toMatchObject({ status: 200 })
  await writes(ANNA, 'Yes, at 10')
  await world.rest()
  expect(inbound()).toEqual([
    {
      type: 'message.inbound',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      inbound_id: expect.any(Number),
      phone: Number(ANNA),
      from: ANNA,
      to: '1234',
      channel: 'sms',
      text: 'Yes, at 10',
      keyword: null,
      content: null,
      in_reply_to: null,
    },
  ])
})

test('a number is given once, with or without the prefix of calls abroad, and brings messages of either form', async () => {
  await give({ address: '0037120009999' })
  expect(await give({ address: '37120009999' })).toMatchObject({
    status: 422,
    body: { detail: 'sandbox-sms 0037120009999 is the same number' },
  })
  expect(await give({ address: '+371 2000 9999', keyword: 'win' })).toMatchObject({ status: 200 })
  await writes(ANNA, 'Yes', '37120009999')
  await world.rest()
  expect(inbound()).toMatchObject([{ text: 'Yes', to: '37120009999' }])
})

test('the report of an inbound message outlives the gateway and a hook that is down', async () => {
  await give({})
  world.sink.answer = () => ({ status: 503 })
  await writes(ANNA, 'Yes')
  await world.rest()
  await world.stopGateway()
  world.sink.answer = () => ({ status: 204 })
  await world.startGateway()
  await world.pass(10)
  expect(new Set(inbound().map(({ text }) => text))).toEqual(new Set(['Yes']))
  expect(new Set(world.reports.map(({ id }) => id)).size).toBe(1)
})

describe('an inbound message names the message that it answers', () => {
  const send = async (fields: object) => {
    const id = await world.sendOne({ type: 'sms', phone: ANNA, sms_message: 'Yes or no?', ...fields })
    await world.pass(2)
    return id
  }

  test('the newest one from the number', async () => {
    await world.operate(async (store) => {
      for (const name of ['1234', '5678']) {
        await store.change({ kind: 'set sender', sender: approvedSender(world.accountId, 'sms', name) })
      }
    })
    await give({})
    await send({ id: 'first', sms_signature: '1234' })
    const second = await send({ id: 'second', sms_signature: '1234' })
    await send({ id: 'other number', sms_signature: '5678' })
    await send({ id: 'other phone', sms_signature: '1234', phone: '37120000200' })
    await writes(ANNA, 'Yes')
    await writes('37120000300', 'Who are you?')
    await world.rest()
    expect(inbound().map(({ text, in_reply_to: of }) => [text, of])).toEqual([
      ['Yes', { id: 'second', msg_id: second }],
      ['Who are you?', null],
    ])
  })
})

describe('replies of the recipient', () => {
  const ask = async () => {
    await world.operate((store) =>
      store.change({ kind: 'set sender', sender: approvedSender(world.accountId, 'sms', '1234') }),
    )
    await give({})
    const ids = [1, 2].map(async (id) => {
      const fields = { phone: ANNA.replace(/0$/, String(id)), sms_message: 'Yes or no?', sms_signature: '1234' }
      return await world.sendOne({ type: 'sms', id, ...fields })
    })
    const asked = await Promise.all(ids)
    await world.pass(2)
    return asked
  }
  const statusOf = async (id: unknown) => (await world.ask([{ type: 'status', msg_id: id }])).data?.[0]?.data
  const writer = (id: number) => ANNA.replace(/0$/, String(id))

  test('are in the status of the message that they answer, the oldest first, at most twenty', async () => {
    const [first, second] = await ask()
    expect(await statusOf(first)).not.toHaveProperty('replies')
    for (let each = 1; each <= 21; each += 1) await writes(writer(1), `reply ${each}`)
    await writes(writer(2), 'no')
    await world.rest()
    const found = (await statusOf(first)) as { replies: readonly { message: string }[] }
    expect(found.replies.map(({ message }) => message)).toEqual(
      Array.from({ length: 20 }, (_, index) => `reply ${index + 2}`),
    )
    expect(found.replies[0]).toEqual({
      inbound_id: expect.any(Number),
      datetime: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      message: 'reply 2',
    })
    await world.stopGateway()
    await world.startGateway()
    expect(await statusOf(second)).toMatchObject({ replies: [{ message: 'no' }] })
  })

  test('are posted in the form of another service to the hook of an account that has chosen it', async () => {
    await world.askAdmin('PATCH', '/accounts/1', { body: { inbound_report_form: 'viber/2way' } })
    const [first] = await ask()
    await writes(writer(1), 'Yes')
    await writes('37120000300', 'Who are you?')
    await world.rest()
    const posted = (phone: string, message: string) => ({
      type: 'message.inbound',
      action: 'viber/2way',
      sender: '1234',
      phone,
      message,
      datetime: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      inbound_id: expect.any(Number),
    })
    const bodies = world.sink.calls.map(({ body }) => JSON.parse(body)).filter(({ action }) => action !== undefined)
    expect(bodies).toEqual([
      { ...posted(writer(1), 'Yes'), id: 1, msg_id: first },
      posted('37120000300', 'Who are you?'),
    ])
  })

  test('keep the form of this API in the event feed, and an unknown form is refused', async () => {
    const change = (form: string) =>
      world.askAdmin('PATCH', '/accounts/1', { body: { inbound_report_form: form, default_hook: 'feed:' } })
    expect(await change('viber')).toMatchObject({ status: 400 })
    expect(await change('viber/2way')).toMatchObject({ status: 200 })
    await give({})
    await writes(ANNA, 'Yes')
    await world.rest()
    const { data } = await world.ask([{ type: 'event/list' }])
    expect(data?.[0]?.data).toMatchObject({ events: [{ type: 'message.inbound', text: 'Yes', phone: Number(ANNA) }] })
  })
})

test('an opt-out keyword is applied and reported', async () => {
  await give({})
  await writes(ANNA, 'STOP')
  await world.rest()
  expect(inbound()).toMatchObject([{ text: 'STOP', phone: Number(ANNA) }])
})

test('an inbound message is kept for reading if the hook of its number is the feed', async () => {
  await give({ hook: 'feed:' })
  await writes(ANNA, 'Yes')
  await world.rest()
  const { data } = await world.ask([{ type: 'event/list' }])
  expect(data?.[0]?.data).toMatchObject({ events: [{ type: 'message.inbound', cursor: '1', text: 'Yes' }], next: '1' })
  expect(inbound()).toEqual([])
})

describe('a number that two accounts share', () => {
  test('gives each the messages with its keyword, and no report to one without a hook', async () => {
    const account = await addAccount()
    await give({})
    await give({ keyword: 'WIN!', account })
    await writes(ANNA, 'win a car')
    await writes(ANNA, 'no')
    await world.rest()
    expect(inbound()).toMatchObject([{ text: 'no', keyword: null }])
    const { body } = await world.askAdmin('GET', `/inbound-numbers?account=${account}`)
    expect(body['data']).toEqual([
      {
        carrier: 'sandbox-sms',
        address: '1234',
        keyword: 'win',
        account,
        hook: null,
        reply: null,
        reply_sender: null,
      },
    ])
  })
})

describe('an inbound number that is set again', () => {
  const HOOK = 'http://127.0.0.1:8099/other'
  const listed = async () => (await world.askAdmin('GET', '/inbound-numbers?carrier=sandbox-sms&account=1')).body

  test('keeps the settings that are not named', async () => {
    await give({ hook: HOOK })
    expect(
      await world.askAdmin('PUT', '/inbound-numbers', { body: { carrier: 'sandbox-sms', address: '+12-34' } }),
    ).toMatchObject({ status: 200, body: { account: 1, hook: HOOK } })
    expect(await give({ hook: null })).toMatchObject({ status: 200, body: { hook: null } })
  })

  test('stays with its account unless it is taken over, and then has no settings of the other', async () => {
    const account = await addAccount()
    await give({ hook: HOOK })
    const refused = await give({ account })
    expect([refused.status, refused.body['detail']]).toEqual([
      422,
      'sandbox-sms 1234 belongs to account 1: to move it, set take_over (--take-over)',
    ])
    expect(JSON.stringify(await listed())).toContain(HOOK)
    expect(await give({ account, take_over: true })).toMatchObject({ status: 200, body: { account, hook: null } })
  })

  test('needs an account the first time', async () => {
    const { status, body } = await give({ account: undefined })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('required for a new inbound number')])
  })
})

describe('an operator follows an inbound message', () => {
  test('from the list to its timeline', async () => {
    await give({ keyword: 'yes' })
    await writes(ANNA, 'Yes')
    await writes(ANNA, 'No', '5678')
    await world.rest()
    const { body } = await world.askAdmin('GET', '/inbound-messages')
    const [no, yes] = body['data'] as Record<string, unknown>[]
    expect(no).toMatchObject({ inbound: null, account: null, keyword: null, report: null, text: 'No' })
    expect(yes).toMatchObject({ inbound: inbound()[0]?.['inbound_id'], account: 1, keyword: 'yes', report: 'sent' })
    const trace = await world.askAdmin('GET', `/inbound-messages/${yes?.['inbound']}`)
    expect(trace).toMatchObject({
      status: 200,
      body: {
        ...{ inbound: yes?.['inbound'], account: 1, carrier: 'sandbox-sms', channel: 'sms', sender: ANNA },
        ...{ recipient: '1234', keyword: 'yes', parts: 1, content: null, in_reply_to: null, report: 'sent' },
        hook: world.sink.address,
        timeline: [
          { component: 'carrier', event: 'received' },
          { component: 'report', event: 'written', detail: 'number 0' },
          { component: 'report', event: 'sent', detail: expect.stringMatching(/^number 0: /) },
        ],
      },
    })
    expect(JSON.stringify(trace.body)).not.toContain('Yes')
    expect((await world.askAdmin('GET', '/inbound-messages/6400')).status).toBe(404)
  })
})

describe('an inbound number is refused', () => {
  test.each([
    [{ carrier: 'missing' }, 'there is no carrier missing'],
    [{ carrier: 'sandbox-voice' }, 'carrier sandbox-voice is of the channel call, which brings no messages'],
    [{ account: 9 }, 'there is no account 9'],
    [{ keyword: '?!' }, 'keyword: must be one word of 1 to 40 letters and digits'],
    [{ keyword: 'win a car' }, 'keyword: must be one word'],
    [{ address: '' }, 'an address must have 1 to 100 characters'],
    [{ hook: 'ftp://client.example' }, `hook: ${HOOK_RULE}`],
    [{ hook: 'kannel:ftp://client.example' }, `hook: ${HOOK_RULE}`],
    [{ hook: 'http://10.0.0.1/hook' }, 'hook: must be '],
    [{ hook: 'kannel:http://10.0.0.1/hook?text=%a' }, 'hook: must be a public address'],
  ])('with %j', async (number, reason) => {
    const { status, body } = await give(number)
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain(reason)
  })
})

describe('the list of inbound messages', () => {
  const list = async (fields: object = {}) => {
    const { data } = await world.ask([{ type: 'inbound/list', ...fields }])
    return data?.[0]
  }

  test('has what the reports have, in pages', async () => {
    await give({})
    for (const text of ['one', 'two', 'three']) await writes(ANNA, text)
    await world.rest()
    const reported = inbound().map(({ type: _, ...fields }) => fields)
    const sorted = reported.toSorted((a, b) => Number(a['inbound_id']) - Number(b['inbound_id']))
    expect(await list()).toEqual({ success: true, data: sorted })
    for (const after of [0, '0']) expect(await list({ after })).toEqual({ success: true, data: sorted })
    expect(await list({ limit: 2 })).toEqual({ success: true, data: sorted.slice(0, 2) })
    expect(await list({ after: sorted[1]?.['inbound_id'] })).toEqual({ success: true, data: sorted.slice(2) })
    expect(await list({ after: sorted[2]?.['inbound_id'] })).toEqual({ success: true, data: [] })
  })

  test.each([
    [{ limit: 0 }, 'limit: must be a whole number from 1 to 200'],
    [{ limit: 201 }, 'limit: must be a whole number from 1 to 200'],
    [{ after: -1 }, 'after: must be a positive whole number'],
    [{ after: 'x' }, 'after: must be a positive whole number'],
  ])('is refused with %j', async (fields, error) => {
    expect(await list(fields)).toMatchObject({ success: false, error })
  })

  test('is not for test keys', async () => {
    const { body } = await world.askAdmin('POST', '/accounts/1/keys', { body: { name: 'test', test: true } })
    const answer = await world.post({ auth: body['key'], data: [{ type: 'inbound/list' }] })
    expect(answer.data).toMatchObject([{ success: false, error: 'type: not allowed with a test key' }])
  })
})
