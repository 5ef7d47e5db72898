/** Infobip's SMS API, version 3, its delivery reports and inbound messages. */
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

const KEY = '0123456789abcdef-0123-4567-89ab-cdef01234567'

const STATUSES: Readonly<Record<string, readonly [groupId: number, groupName: string, id: number, name: string]>> = {
  '01': [5, 'REJECTED', 51, 'REJECTED_DESTINATION'],
  '03': [5, 'REJECTED', 12, 'REJECTED_NOT_ENOUGH_CREDITS'],
  '04': [5, 'REJECTED', 18, 'REJECTED_FLOODING_FILTER'],
}

const statusOf = ([groupId, groupName, id, name]: (typeof STATUSES)[string]) => ({
  ...{ groupId, groupName, id, name },
  description: `${name} in words`,
})

interface Sent {
  readonly messages: readonly [
    {
      readonly destinations: readonly [{ readonly to: string; readonly messageId: string }]
      readonly webhooks: { readonly delivery: { readonly url: string } }
    },
  ]
}

export function createInfobip(): ProviderDouble {
  const taken: ProviderDouble['taken'] = []
  return {
    provider: 'infobip',
    answers: { baseUrl: 'xyz123.api.infobip.com', apiKey: KEY, webhookToken: WEBHOOK_TOKEN },
    ends: ['01', '03', '04'],
    taken,
    answer: (request) => {
      if (request.headers.authorization !== `App ${KEY}`) {
        return json(401, {
          requestError: { serviceException: { messageId: 'UNAUTHORIZED', text: 'Invalid login details' } },
        })
      }
      if (request.path === '/account/1/balance') return json(200, { balance: 12.5, currency: 'EUR' })
      if (request.path !== '/sms/3/messages') return json(404, {})
      const body = readJson(request) as unknown as Sent
      const [message] = body.messages
      expectFields(message, ['sender', 'destinations', 'content'], ['options', 'webhooks'])
      const [{ to, messageId }] = message.destinations
      if (!/^\d{8,15}$/.test(to)) return json(400, { requestError: { serviceException: { text: 'Bad Request' } } })
      const refused = STATUSES[endOf(to)]
      const isRepeat = taken.some(({ id }) => id === messageId)
      const status = isRepeat
        ? statusOf([5, 'REJECTED', 20, 'REJECTED_DUPLICATE_MESSAGE_ID'])
        : statusOf(refused ?? [1, 'PENDING', 26, 'PENDING_ACCEPTED'])
      if (refused === undefined && !isRepeat) taken.push({ id: messageId, callback: message.webhooks.delivery.url })
      return json(200, { bulkId: '2034072219640523072', messages: [{ messageId, status, destination: to }] })
    },
    receipt: ({ id, callback }, outcome) => {
      const isDelivered = outcome === 'delivered'
      const status = isDelivered
        ? statusOf([3, 'DELIVERED', 5, 'DELIVERED_TO_HANDSET'])
        : statusOf([2, 'UNDELIVERABLE', 4, 'UNDELIVERABLE_NOT_DELIVERED'])
      const error = {
        groupId: 0,
        groupName: 'OK',
        id: 0,
        name: isDelivered ? 'NO_ERROR' : 'EC_ABSENT_SUBSCRIBER',
        permanent: false,
      }
      return jsonCall(callback, { results: [{ bulkId: '1', messageId: id, to: '38', smsCount: 1, status, error }] })
    },
    inbound: (text) =>
      jsonCall(webhook('/inbound', WEBHOOK_TOKEN), {
        results: [{ messageId: '817790313235066447', from: '380501234599', to: '4915550001', text, smsCount: 1 }],
        messageCount: 1,
        pendingMessageCount: 0,
      }),
  }
}
