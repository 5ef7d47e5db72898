/** Twilio's message resource, its status callbacks and its signature. */
import { createHmac } from 'node:crypto'
import {
  basicOf,
  endOf,
  expectFields,
  formCall,
  json,
  type ProviderDouble,
  readForm,
  webhook,
} from './provider-bench.ts'

const ACCOUNT = 'AC0123456789abcdef0123456789abcdef'
const TOKEN = '12345'
const PATH = `/2010-04-01/Accounts/${ACCOUNT}`

/** HMAC-SHA1 of the address and, by name, of each name and value. */
export function signTwilio(token: string, url: string, fields: Readonly<Record<string, string>>): string {
  const names = Object.keys(fields).sort()
  const text = names.reduce((before, name) => `${before}${name}${fields[name]}`, url)
  return createHmac('sha1', token).update(text, 'utf8').digest('base64')
}

const refusal = (status: number, code: number, message: string) =>
  json(status, { code, message, status, more_info: '' })

const REFUSALS: Readonly<Record<string, ReturnType<typeof json>>> = {
  '01': refusal(400, 21211, "The 'To' number is not a valid phone number."),
  '02': refusal(400, 21610, 'Attempt to send to unsubscribed recipient'),
  '03': refusal(401, 20005, 'Account not active'),
  '04': refusal(429, 20429, 'Too Many Requests'),
}

export function createTwilio(): ProviderDouble {
  const taken: ProviderDouble['taken'] = []
  const call = (url: string, fields: Readonly<Record<string, string>>) =>
    formCall(url, fields, { 'X-Twilio-Signature': signTwilio(TOKEN, url, fields) })
  return {
    provider: 'twilio',
    answers: { accountSid: ACCOUNT, authToken: TOKEN },
    ends: ['01', '02', '03', '04'],
    taken,
    answer: (request) => {
      if (basicOf(request) !== `${ACCOUNT}:${TOKEN}`) return refusal(401, 20003, 'Authenticate')
      if (request.path === `${PATH}/Balance.json`) return json(200, { balance: '12.50', currency: 'USD' })
      if (request.path !== `${PATH}/Messages.json` || request.method !== 'POST') return refusal(404, 20404, 'Not found')
      const fields = readForm(request)
      expectFields(fields, ['To', 'From', 'Body'], ['StatusCallback', 'ValidityPeriod'])
      const { To: to = '', Body: body = '', ValidityPeriod: validity = '14400' } = fields
      if (!/^\+\d{8,15}$/.test(to)) return refusal(400, 21211, 'The number is not valid')
      if (body.length > 1_600) return refusal(400, 21617, 'The body exceeds the 1600 character limit')
      if (Number(validity) > 36_000) return refusal(400, 21600, 'ValidityPeriod is out of range')
      const refused = REFUSALS[endOf(to)]
      if (refused !== undefined) return refused
      const id = `SM${String(taken.length).padStart(32, '0')}`
      taken.push({ id, callback: fields['StatusCallback'] ?? '' })
      return json(201, { sid: id, status: 'queued', error_code: null, error_message: null, to })
    },
    receipt: ({ id, callback }, outcome) => {
      const failure: Readonly<Record<string, string>> = outcome === 'failed' ? { ErrorCode: '30003' } : {}
      const status = outcome === 'failed' ? 'undelivered' : 'delivered'
      return call(callback, { MessageSid: id, MessageStatus: status, SmsSid: id, AccountSid: ACCOUNT, ...failure })
    },
    inbound: (text) =>
      call(webhook('/inbound'), {
        MessageSid: 'SM1',
        From: '+380501234599',
        To: '+4915550001',
        Body: text,
        NumMedia: '0',
      }),
  }
}
