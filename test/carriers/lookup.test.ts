/** The carrier kind `lookup`: asks any HTTP service about a number, by settings alone. */
import { afterEach, expect, test } from 'vitest'
import { createLookupCarrier } from '../../src/carriers/lookup/lookup-carrier.ts'
import { readLookupSettings } from '../../src/carriers/lookup/settings.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Carrier } from '../../src/ports/carriers/carrier.ts'
import { type DoubleAnswer, type DoubleRequest, HttpDouble } from '../../src/simulator/server/http-double.ts'
import { settled } from '../support/eventually.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const clock = new VirtualClock()
const PHONE = '491701234500' as Phone
const ANSWER = {
  mccmnc: { path: 'data.mccmnc' },
  network: { path: 'data.name' },
  country: { path: 'data.country' },
  ported: { path: 'data.ported' },
  imsi: { path: 'data.imsi' },
  status: { path: 'data.state', meanings: { Live: 'reachable', Absent: 'absent', DEAD: 'invalid' } },
}

let double: HttpDouble | undefined
let carrier: Carrier | undefined
const requests: DoubleRequest[] = []
afterEach(async () => {
  if (carrier !== undefined) await settled('the carrier to stop', carrier.stop(), clock)
  await double?.goDown()
  requests.length = 0
})

async function start(answer: DoubleAnswer | 'hold', settings: object = {}, request: object = {}): Promise<Carrier> {
  double = await HttpDouble.listen((each) => {
    if (each.method === 'HEAD') return { status: 200, body: '' }
    requests.push(each)
    return answer
  })
  const address = `${double.address}/hlr/{{phone}}`
  const given = { request: { address, method: 'GET', ...request }, answer: ANSWER, ...settings }
  carrier = createLookupCarrier(
    { id: 'numbers', settings: given },
    { clock, random: new SeededRandom(), log: new SilentLog() },
  )
  carrier.start(undefined as never)
  return carrier
}

const ask = async (answer: DoubleAnswer, settings: object = {}) => (await start(answer, settings)).lookUp?.(PHONE)
const json = (body: unknown, status = 200): DoubleAnswer => ({ status, body: JSON.stringify(body) })

test('the facts come from where the settings say, the IMSI masked', async () => {
  const data = { mccmnc: 26203, name: 'O2', country: 'de', ported: 'Yes', imsi: '262031234567890', state: 'LIVE' }
  expect(await ask(json({ data }))).toEqual({
    kind: 'answered',
    facts: {
      operator: '26203',
      operatorName: 'O2',
      country: 'DE',
      ported: true,
      status: 'reachable',
      imsi: '26203**********',
    },
  })
  expect(requests.map(({ method, path }) => [method, path])).toEqual([['GET', '/hlr/491701234500']])
})

test('the whole IMSI is shown only if the settings allow it', async () => {
  const verdict = await ask(json({ data: { imsi: '262031234567890' } }), { showImsi: true })
  expect(verdict).toMatchObject({ facts: { imsi: '262031234567890' } })
})

test('a field that is missing or of another type is unknown', async () => {
  const data = { mccmnc: 'T-Mobile', name: 'O2', country: 'Germany', ported: 'maybe', imsi: 'secret', state: 'new' }
  expect(await ask(json({ data }))).toEqual({
    kind: 'answered',
    facts: { operator: null, operatorName: 'O2', country: null, ported: null, status: 'unknown', imsi: null },
  })
})

test.each([{}, { data: { country: 'DE', state: 'new' } }, { error: 'unknown subscriber' }])(
  'an answer without a fact about the number is none, and the service works: %o',
  async (body) => {
    expect(await ask(json(body))).toEqual({ kind: 'unclear', reason: 'HTTP 200: no facts', aboutMessage: true })
  },
)

test.each([
  ['Acme\u0000\u202e Mobile\u2028', 'Acme   Mobile'],
  [`${'x'.repeat(99)}\u{1f4f1}`, 'x'.repeat(99)],
  ['\ud83d O2', 'O2'],
])('the name of an operator is a line of whole characters: %j', async (name, operatorName) => {
  expect(await ask(json({ data: { name } }))).toMatchObject({ kind: 'answered', facts: { operatorName } })
})

test.each([
  [{ mcc: '262', mnc: '03' }, '26203'],
  [{ mcc: 262, mnc: 3 }, '26203'],
  [{ mcc: 310, mnc: 410 }, '310410'],
  [{ mcc: '262' }, null],
  [{}, null],
])('MCC and MNC may be apart: %o is %s', async (data, operator) => {
  const answer = { mcc: { path: 'mcc' }, mnc: { path: 'mnc' }, ported: { path: 'ported' } }
  expect(await ask(json({ ...data, ported: false }), { answer })).toMatchObject({ facts: { operator } })
})

test('a plain text is read with patterns', async () => {
  const answer = { mccmnc: { pattern: '^OK;(\\d+)' }, status: { pattern: ';(\\w+)$', meanings: { on: 'reachable' } } }
  const verdict = await ask({ status: 200, body: 'OK;26202;on' }, { answer })
  expect(verdict).toMatchObject({ facts: { operator: '26202', status: 'reachable' } })
})

test('headers, secrets and a body are written as those of the HTTP kind', async () => {
  await start(
    json({}),
    {},
    {
      method: 'POST',
      auth: { kind: 'basic', user: 'shop', password: 'secret' },
      headers: { 'X-Ref': '{{ref}}' },
      json: { msisdn: '{{+phone}}', number: '{{#phone}}', text: '{{text}}' },
    },
  )
  await carrier?.lookUp?.(PHONE)
  const [{ headers, body } = { headers: {}, body: '' }] = requests
  expect(headers).toMatchObject({
    authorization: 'Basic c2hvcDpzZWNyZXQ=',
    'x-ref': expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect(JSON.parse(body)).toEqual({ msisdn: '+491701234500', number: 491701234500 })
})

const ERROR = { ...ANSWER, error: { path: 'code', meanings: { '1': 'invalid', busy: 'slow', '0': 'answered' } } }

test.each<[DoubleAnswer, object]>([
  [json({ code: 1 }), { kind: 'answered', facts: { status: 'invalid', operator: null } }],
  [json({ code: 0, data: { mccmnc: '26201' } }), { kind: 'answered', facts: { operator: '26201' } }],
  [json({ code: 'BUSY' }), { kind: 'slow', reason: 'HTTP 200: BUSY' }],
  [json({ code: 'new' }), { kind: 'unclear', reason: 'HTTP 200: new', aboutMessage: true }],
  [json({}, 429), { kind: 'slow', reason: 'HTTP 429' }],
  [json({}, 422), { kind: 'unclear', reason: 'HTTP 422', aboutMessage: true }],
  [json({}, 500), { kind: 'unclear', reason: 'HTTP 500' }],
  [json({}, 404), { kind: 'answered', facts: { status: 'invalid' } }],
  [
    { status: 200, body: '<html>' },
    { kind: 'unclear', reason: 'HTTP 200: not JSON' },
  ],
  [{ status: 200, body: `"${'x'.repeat(70_000)}"` }, { kind: 'unclear' }],
])('%o means %o', async (answer, verdict) => {
  expect(await ask(answer, { answer: { ...ERROR, statuses: { '404': 'invalid' } } })).toMatchObject(verdict)
})

test('a service that is down is unreachable, a silent one unclear after the time limit', async () => {
  const down = await start(json({}))
  await double?.goDown()
  expect(await down.lookUp?.(PHONE)).toMatchObject({ kind: 'unreachable' })
  await settled('the carrier to stop', down.stop(), clock)
  const silent = await start('hold', { requestTimeoutMs: 1_000 })
  const asked = silent.lookUp?.(PHONE) ?? Promise.reject(new Error('it cannot ask'))
  expect(await settled('the time limit', asked, clock)).toMatchObject({ kind: 'unclear' })
})

test.each<[object, RegExp]>([
  [{ answer: {} }, /^answer.mccmnc: /],
  [{ answer: { mcc: { path: 'a' } } }, /^answer.mnc: /],
  [{ answer: { ...ANSWER, mcc: { path: 'a' }, mnc: { path: 'b' } } }, /^answer.mccmnc: should not stand beside/],
  [{ answer: { ...ANSWER, status: { path: 'a', meanings: { on: 'alive' } } } }, /^answer.status.meanings.on: /],
  [{ answer: { ...ANSWER, status: { path: 'a' } } }, /^answer.status.meanings: should name at least one word/],
  [{ answer: { ...ANSWER, statuses: { '404': 'taken' } } }, /^answer.statuses.404: /],
  [{ answer: { ...ANSWER, operator: { path: 'a' } } }, /^answer.operator: is not a setting/],
  [{ request: { address: 'ftp://a.example' } }, /^request.address: /],
  [{ showImsi: 'yes' }, /^showImsi: /],
])('%o is refused by name', (settings, says) => {
  const given = { request: { address: 'https://a.example/{{phone}}', method: 'GET' }, answer: ANSWER, ...settings }
  expect(() => readLookupSettings(given)).toThrow(says)
})

test('no message can be sent by it', async () => {
  const lookup = await start(json({}))
  expect(await lookup.submit({ parts: [0, 1] } as never)).toMatchObject([{ kind: 'refused' }, { kind: 'refused' }])
})
