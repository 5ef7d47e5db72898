/** The SMS API of Vonage, which answers every request with 200. */
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

const [KEY, SECRET] = ['abcd1234', 'Secret&1234=x']

const STATUSES: Readonly<Record<string, readonly [status: string, text: string]>> = {
  '01': ['7', 'Number barred'],
  '03': ['9', 'Quota Exceeded - rejected'],
  '04': ['1', 'Throughput Rate Exceeded'],
}

const refuse = (status: string, text: string) =>
  json(200, { 'message-count': '1', messages: [{ status, 'error-text': text }] })

export function createVonage(): ProviderDouble {
  const taken: ProviderDouble['taken'] = []
  return {
    provider: 'vonage',
    answers: { apiKey: KEY, apiSecret: SECRET, webhookToken: WEBHOOK_TOKEN },
    ends: ['01', '03', '04'],
    taken,
    answer: (request) => {
      const { path, query } = request
      if (path === '/account/get-balance') {
        const isKnown = query.get('api_key') === KEY && query.get('api_secret') === SECRET
        return isKnown ? json(200, { value: 12.5, autoReload: false }) : json(401, {})
      }
      if (path !== '/sms/json') return json(404, {})
      const fields = readForm(request)
      const optional = ['type', 'ttl', 'callback', 'client-ref', 'status-report-req']
      expectFields(fields, ['api_key', 'api_secret', 'from', 'to', 'text'], optional)
      const { api_key: key, api_secret: secret, to = '', text = '', type = 'text', ttl = '20000' } = fields
      if (key !== KEY || secret !== SECRET) return refuse('4', 'Bad Credentials')
      const hasType = /[^ -~]/.test(text) ? 'unicode' : 'text'
      if (!/^\d{8,15}$/.test(to) || type !== hasType || Number(ttl) < 20_000) return refuse('3', 'Invalid parameters')
      const [status, error] = STATUSES[endOf(to)] ?? ['0', '']
      if (status !== '0') return refuse(status, error)
      const rest = { 'remaining-balance': '3.14159265', 'message-price': '0.03330000', network: '12345' }
      const messages = Array.from({ length: text.length > 160 ? Math.ceil(text.length / 153) : 1 }, () => {
        const id = `0A00000000${taken.length}`
        taken.push({ id, callback: fields['callback'] ?? '' })
        return { to, 'message-id': id, status, ...rest }
      })
      return json(200, { 'message-count': String(messages.length), messages })
    },
    receipt: ({ id, callback }, outcome) =>
      formCall(callback, {
        ...{ msisdn: '380501234500', to: 'Shop', 'network-code': '25503', messageId: id, price: '0.0333' },
        ...{ status: outcome, scts: '2001011400', 'err-code': outcome === 'failed' ? '1' : '0' },
      }),
    inbound: (text) =>
      formCall(webhook('/inbound', WEBHOOK_TOKEN), {
        ...{ msisdn: '380501234599', to: '4915550001', messageId: '0B00000000', text, type: 'text' },
        'message-timestamp': '2026-11-28 12:08:24',
      }),
  }
}
