/** The batches of Sinch's SMS API, its recipient delivery reports and inbound messages. */
import {
  endOf,
  expectFields,
  json,
  jsonCall,
  type ProviderDouble,
  readJson,
  WEBHOOK_TOKEN,
  webhook,
} from './provider-bench.ts'

const PLAN = '0123456789abcdef0123456789abcdef'
const TOKEN = 'token-0123456789'

export function createSinch(): ProviderDouble {
  const taken: ProviderDouble['taken'] = []
  return {
    provider: 'sinch',
    answers: { region: 'eu', servicePlanId: PLAN, apiToken: TOKEN, webhookToken: WEBHOOK_TOKEN },
    ends: ['01', '03', '04'],
    taken,
    answer: (request) => {
      if (request.headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: '' }
      if (request.path !== `/xms/v1/${PLAN}/batches`) return { status: 404, body: '' }
      const body = readJson(request)
      expectFields(body, ['to', 'body'], ['from', 'delivery_report', 'expire_at', 'callback_url', 'client_reference'])
      const [to] = body['to'] as readonly string[]
      const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(body['expire_at']))
      if (body['delivery_report'] !== 'per_recipient' || !isTime) {
        return json(400, { code: 'syntax_constraint_violation', text: 'The value does not meet the constraint' })
      }
      switch (endOf(to)) {
        case '01':
          return json(400, { code: 'syntax_invalid_parameter_format', text: 'Expected MSISDN' })
        case '03':
          return { status: 403, body: '' }
        case '04':
          return { status: 429, body: '' }
      }
      const id = `01FC66621XXXXX119Z8PMV1Q${taken.length}`
      taken.push({ id, callback: String(body['callback_url']) })
      return json(201, { id, to: [to], from: body['from'], canceled: false, body: body['body'], type: 'mt_text' })
    },
    receipt: ({ id, callback }, outcome) =>
      jsonCall(callback, {
        ...{
          type: 'recipient_delivery_report_sms',
          batch_id: id,
          recipient: '380501234500',
          at: '2026-11-28T09:30:36Z',
        },
        ...(outcome === 'failed' ? { status: 'Failed', code: 402 } : { status: 'Delivered', code: 0 }),
      }),
    inbound: (text) =>
      jsonCall(webhook('/inbound', WEBHOOK_TOKEN), {
        ...{ type: 'mo_text', id: '01XXXXX21XXXXX119Z8P1XXXXX', from: '380501234599', to: '4915550001', body: text },
        received_at: '2026-11-28T09:30:36.000Z',
      }),
  }
}
