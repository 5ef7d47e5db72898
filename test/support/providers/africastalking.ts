/** The messaging API of Africa's Talking, its delivery reports and inbound messages. */
import {
  endOf,
  expectFields,
  formCall,
  json,
  type ProviderDouble,
  readForm,
  WEBHOOK_TOKEN,
  webhook,
} from './provider-bench.ts'

const KEY = 'atsk_0123456789abcdef'

const STATUSES: Readonly<Record<string, readonly [code: number, status: string]>> = {
  '00': [101, 'Success'],
  '01': [403, 'InvalidPhoneNumber'],
  '02': [406, 'UserInBlacklist'],
  '03': [405, 'InsufficientBalance'],
}

export function createAfricasTalking(): ProviderDouble {
  const taken: ProviderDouble['taken'] = []
  return {
    provider: 'africastalking',
    answers: { username: 'shopapp', apiKey: KEY, webhookToken: WEBHOOK_TOKEN },
    ends: ['01', '02', '03', '04'],
    taken,
    answer: (request) => {
      const { headers, path, query } = request
      if (headers['apikey'] !== KEY || headers.accept !== 'application/json') {
        return { status: 401, body: 'The supplied authentication is invalid' }
      }
      if (path === '/version1/user' && query.get('username') === 'shopapp') {
        return json(200, { UserData: { balance: 'KES 12.50' } })
      }
      if (path !== '/version1/messaging') return { status: 404, body: 'Not found' }
      const fields = readForm(request)
      expectFields(fields, ['username', 'to', 'message'], ['from', 'bulkSMSMode', 'enqueue'])
      const { username = '', to = '' } = fields
      if (username !== 'shopapp') return { status: 401, body: 'The supplied authentication is invalid' }
      const end = endOf(to)
      if (end === '04') return { status: 429, body: 'Too many requests' }
      if (!/^\+\d{8,15}$/.test(to)) return json(201, { SMSMessageData: { Message: 'Sent to 0/0', Recipients: [] } })
      const [statusCode, status] = STATUSES[end] ?? [500, 'InternalServerError']
      const messageId = statusCode === 101 ? `ATXid_${taken.length}` : 'None'
      if (statusCode === 101) taken.push({ id: messageId, callback: '' })
      const recipient = { statusCode, number: to, status, cost: 'KES 0.8000', messageId }
      return json(201, { SMSMessageData: { Message: 'Sent to 1/1 Total Cost: KES 0.8000', Recipients: [recipient] } })
    },
    receipt: ({ id }, outcome) => {
      const isFailed = outcome === 'failed'
      const failure: Readonly<Record<string, string>> = isFailed ? { failureReason: 'UserDoesNotExist' } : {}
      const status = isFailed ? 'Failed' : 'Success'
      const fields = { id, status, phoneNumber: '+380501234500', networkCode: '63902', retryCount: '0', ...failure }
      return formCall(webhook('', WEBHOOK_TOKEN), fields)
    },
    inbound: (text) =>
      formCall(webhook('/inbound', WEBHOOK_TOKEN), {
        ...{ id: '18f3', from: '+380501234599', to: '4915550001', text },
        ...{ date: '2026-11-28 10:00:00', linkId: 'SampleLinkId123' },
      }),
  }
}
