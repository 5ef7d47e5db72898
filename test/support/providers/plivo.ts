/** Plivo's message resource, its callbacks and their signature, version 3. */
import { createHmac } from 'node:crypto'
import {
  basicOf,
  endOf,
  expectFields,
  formCall,
  json,
  type ProviderDouble,
  readJson,
  webhook,
} from './provider-bench.ts'

const ID = 'MAXXXXXXXXXXXXXXXXXX'
const TOKEN = 'plivo-token-0123456789'
const NONCE = '12345678901234567890'

/** HMAC-SHA256 of the address with a question mark, of names and values by name, and of the nonce. */
function sign(url: string, fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}${value}`)
  return createHmac('sha256', TOKEN)
    .update(`${url}?${pairs.sort().join('')}.${NONCE}`)
    .digest('base64')
}

export function createPlivo(): ProviderDouble {
  const taken: ProviderDouble['taken'] = []
  const call = (url: string, fields: Readonly<Record<string, string>>) =>
    // The header has the signature of each token of the account.
    formCall(url, fields, {
      'X-Plivo-Signature-V3': `${sign(`${url}x`, fields)},${sign(url, fields)}`,
      'X-Plivo-Signature-V3-Nonce': NONCE,
    })
  return {
    provider: 'plivo',
    answers: { authId: ID, authToken: TOKEN },
    ends: ['01', '03', '04'],
    taken,
    answer: (request) => {
      if (basicOf(request) !== `${ID}:${TOKEN}`) return { status: 401, body: 'Could not verify your access level' }
      if (request.path === `/v1/Account/${ID}/`)
        return json(200, { cash_credits: '12.50000', account_type: 'standard' })
      if (request.path !== `/v1/Account/${ID}/Message/`) return json(404, { error: 'not found' })
      const body = readJson(request)
      expectFields(body, ['src', 'dst', 'text'], ['url', 'method'])
      if (!/^\d{8,15}$/.test(String(body['dst'])) || body['method'] !== 'POST') return json(400, { error: 'invalid' })
      switch (endOf(body['dst'])) {
        case '01':
          return json(400, { api_id: '1', error: '380501234501 is not a valid phone number' })
        case '03':
          return json(402, { api_id: '1', error: 'insufficient credit' })
        case '04':
          return json(429, { api_id: '1', error: 'too many requests' })
      }
      const id = `db3ce55a-7f1d-11e1-8ea7-1231380bc19${taken.length}`
      taken.push({ id, callback: String(body['url']) })
      return json(202, { api_id: '1', message: 'message(s) queued', message_uuid: [id] })
    },
    receipt: ({ id, callback }, outcome) => {
      const status = outcome === 'failed' ? 'undelivered' : 'delivered'
      // A part has an id of its own, `parent/part`; the first one has that of the message.
      const [parent = '', part] = id.split('/')
      const own = part === undefined ? parent : `${parent.slice(0, -1)}${part}`
      const fields = { MessageUUID: own, ParentMessageUUID: parent, Status: status, From: 'Shop', To: '380501234500' }
      return call(callback, {
        ...fields,
        ErrorCode: outcome === 'failed' ? '80' : '000',
        PartInfo: `${part ?? 1} of 3`,
      })
    },
    inbound: (text) =>
      call(webhook('/inbound'), {
        ...{ MessageUUID: 'a7a8', From: '380501234599', To: '4915550001', Text: text, Type: 'sms', Units: '1' },
      }),
  }
}
