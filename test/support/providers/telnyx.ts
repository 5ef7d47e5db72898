/** Telnyx's messages, its webhooks and their Ed25519 signature. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { VirtualClock } from '../virtual-clock.ts'
import { endOf, expectFields, json, jsonCall, type ProviderDouble, readJson, webhook } from './provider-bench.ts'

const KEY = 'KEY0123456789'
const PROFILE = '16fd2706-8baf-433b-82eb-8c7fada847da'
/** Its clock stands at the start of the tests' clock. */
const NOW = Math.floor(new VirtualClock().now() / 1_000)

const refuse = (status: number, code: string, title: string) =>
  json(status, { errors: [{ code, title, detail: title }] })

const REFUSALS: Readonly<Record<string, ReturnType<typeof json>>> = {
  '01': refuse(400, '40310', "Invalid 'to' address"),
  '02': refuse(400, '40300', 'Blocked due to STOP message'),
  '03': refuse(402, '20100', 'Insufficient Funds'),
  '04': refuse(429, '10011', 'Too many requests'),
}

export function createTelnyx(): ProviderDouble {
  const taken: ProviderDouble['taken'] = []
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const call = (url: string, body: object) => {
    const signature = sign(null, Buffer.from(`${NOW}|${JSON.stringify(body)}`), privateKey).toString('base64')
    return jsonCall(url, body, { 'telnyx-signature-ed25519': signature, 'telnyx-timestamp': String(NOW) })
  }
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    provider: 'telnyx',
    answers: { apiKey: KEY, publicKey: raw.toString('base64'), profileId: PROFILE },
    ends: ['01', '02', '03', '04'],
    taken,
    answer: (request) => {
      if (request.headers.authorization !== `Bearer ${KEY}`) return refuse(401, '10009', 'Authentication failed')
      if (request.path === '/v2/balance') return json(200, { data: { balance: '12.50', currency: 'USD' } })
      if (request.path !== '/v2/messages') return refuse(404, '10005', 'Resource not found')
      const body = readJson(request)
      expectFields(body, ['from', 'to', 'text', 'messaging_profile_id'], ['webhook_url'])
      const to = String(body['to'])
      if (!/^\+\d{8,15}$/.test(to)) return refuse(400, '40310', "Invalid 'to' address")
      const refused = REFUSALS[endOf(to)]
      if (refused !== undefined) return refused
      const id = `40385f64-5717-4562-b3fc-2c963f66afa${taken.length}`
      taken.push({ id, callback: String(body['webhook_url']) })
      return json(200, { data: { record_type: 'message', id, to: [{ phone_number: to, status: 'queued' }] } })
    },
    receipt: ({ id, callback }, outcome) => {
      const isFailed = outcome === 'failed'
      const errors = isFailed ? [{ code: '40001', title: 'Not routable' }] : []
      const to = [{ phone_number: '+380501234500', status: isFailed ? 'delivery_failed' : 'delivered' }]
      const payload = { id, record_type: 'message', direction: 'outbound', to, errors }
      // The id of the event is not that of the message.
      return call(callback, {
        data: { event_type: 'message.finalized', id: 'b301ed3f', payload, record_type: 'event' },
      })
    },
    inbound: (text) => {
      const [from, to] = [{ phone_number: '+380501234599' }, [{ phone_number: '+4915550001' }]]
      const payload = { id: '84cca175', record_type: 'message', direction: 'inbound', from, to, text }
      return call(webhook('/inbound'), { data: { event_type: 'message.received', id: 'c401', payload } })
    },
  }
}
