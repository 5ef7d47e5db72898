/** The REST API of MessageBird, its status reports and their signature, a JSON Web Token. */
import { createHash, createHmac } from 'node:crypto'
import { VirtualClock } from '../virtual-clock.ts'
import { endOf, expectFields, formCall, json, type ProviderDouble, readJson, webhook } from './provider-bench.ts'

const KEY = 'live_0123456789'
const SIGNING_KEY = 'signing-key-of-at-least-32-characters'
const NOW = Math.floor(new VirtualClock().now() / 1_000)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')

function sign(url: string, body: string): string {
  const claims = { iss: 'MessageBird', nbf: NOW - 1, exp: NOW + 60, jti: sha256(url + body), url_hash: sha256(url) }
  const payload = body === '' ? {} : { payload_hash: sha256(body) }
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ ...claims, ...payload })}`
  return `${text}.${createHmac('sha256', SIGNING_KEY).update(text).digest('base64url')}`
}

const refuse = (status: number, code: number, description: string) =>
  json(status, { errors: [{ code, description, parameter: null }] })

export function createMessageBird(): ProviderDouble {
  const taken: ProviderDouble['taken'] = []
  return {
    provider: 'messagebird',
    answers: { accessKey: KEY, signingKey: SIGNING_KEY },
    ends: ['01', '03', '04'],
    taken,
    answer: (request) => {
      if (request.headers.authorization !== `AccessKey ${KEY}`) {
        return refuse(401, 2, 'Request not allowed (incorrect access_key)')
      }
      if (request.path === '/balance') return json(200, { payment: 'prepaid', type: 'credits', amount: 12.5 })
      if (request.path !== '/messages') return refuse(404, 20, 'not found')
      const body = readJson(request)
      expectFields(body, ['recipients', 'originator', 'body'], ['reference', 'validity', 'datacoding', 'reportUrl'])
      const [to] = body['recipients'] as readonly string[]
      if (!/^\d{8,15}$/.test(String(to)) || typeof body['validity'] !== 'number') return refuse(422, 10, 'invalid')
      switch (endOf(to)) {
        case '01':
          return refuse(422, 10, 'recipients are invalid')
        case '03':
          return refuse(422, 25, 'Not enough balance')
        case '04':
          return refuse(429, 98, 'Too many requests')
      }
      taken.push({ id: String(body['reference']), callback: String(body['reportUrl']) })
      return json(201, { id: 'e8077d803532c0b5937c639b60216938', href: '', direction: 'mt', ...body })
    },
    receipt: ({ id, callback }, outcome) => {
      const failure: Readonly<Record<string, string>> =
        outcome === 'failed' ? { statusReason: 'unknown subscriber', statusErrorCode: '1' } : {}
      const status = outcome === 'failed' ? 'delivery_failed' : 'delivered'
      const query = new URLSearchParams({ id: 'e807', reference: id, recipient: '380501234500', status, ...failure })
      const url = `${callback}?${query}`
      return { method: 'GET', url, headers: { 'MessageBird-Signature-JWT': sign(url, '') } }
    },
    inbound: (text) => {
      const url = webhook('/inbound')
      const call = formCall(url, { id: 'f501', originator: '380501234599', recipient: '4915550001', body: text })
      return { ...call, headers: { ...call.headers, 'MessageBird-Signature-JWT': sign(url, call.body ?? '') } }
    },
  }
}
