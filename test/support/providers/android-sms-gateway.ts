/** The API of SMS Gateway for Android, its webhooks and their signature. */
import { createHmac } from 'node:crypto'
import { VirtualClock } from '../virtual-clock.ts'
import {
  basicOf,
  endOf,
  expectFields,
  json,
  jsonCall,
  type ProviderDouble,
  readJson,
  webhook,
} from './provider-bench.ts'

const SIGNING_KEY = 'ckXfvJxP'
const NOW = String(Math.floor(new VirtualClock().now() / 1_000))

export function createAndroidSmsGateway(): ProviderDouble {
  const taken: ProviderDouble['taken'] = []
  const call = (url: string, event: string, payload: object) => {
    const body = { deviceId: 'ffffffffceb0b1db', event, id: 'Ey6ECgOkVVFjz3CL48B8C', payload, webhookId: 'LreFUt' }
    const signature = createHmac('sha256', SIGNING_KEY)
      .update(JSON.stringify(body) + NOW)
      .digest('hex')
    return jsonCall(url, body, { 'X-Signature': signature, 'X-Timestamp': NOW })
  }
  return {
    provider: 'android-sms-gateway',
    answers: { username: 'QW3RTY', password: 'pass&word', signingKey: SIGNING_KEY, number: '4915550001' },
    ends: ['01', '04'],
    taken,
    answer: (request) => {
      if (basicOf(request) !== 'QW3RTY:pass&word') return json(401, { message: 'Unauthorized' })
      const body = readJson(request)
      if (request.path === '/3rdparty/v1/webhooks') {
        expectFields(body, ['url', 'event'], ['id', 'deviceId'])
        return json(201, body)
      }
      if (request.path !== '/3rdparty/v1/messages') return json(404, {})
      expectFields(body, ['textMessage', 'phoneNumbers'], ['id', 'ttl', 'withDeliveryReport'])
      const [to] = body['phoneNumbers'] as readonly string[]
      const id = String(body['id'])
      if (!/^\+\d{8,15}$/.test(String(to)) || id.length > 36 || typeof body['ttl'] !== 'number') {
        return json(400, { message: 'failed to validate' })
      }
      if (taken.some((message) => message.id === id)) return json(409, { message: 'duplicate id' })
      if (endOf(to) === '01') return json(400, { message: 'invalid phone number' })
      if (endOf(to) === '04') return json(503, { message: 'queue limit exceeded' })
      taken.push({ id, callback: '' })
      return json(202, { id, state: 'Pending', recipients: [{ phoneNumber: to, state: 'Pending' }] })
    },
    receipt: ({ id }, outcome) =>
      outcome === 'failed'
        ? call(webhook(''), 'sms:failed', { messageId: id, phoneNumber: '+38', reason: 'RESULT_ERROR_NO_SERVICE' })
        : call(webhook(''), 'sms:delivered', {
            messageId: id,
            phoneNumber: '+38',
            deliveredAt: '2026-11-28T10:00:00Z',
          }),
    inbound: (text) =>
      call(webhook('/inbound'), 'sms:received', {
        ...{ messageId: 'abc123', message: text, sender: '+380501234599', recipient: null, simNumber: 1 },
      }),
  }
}
