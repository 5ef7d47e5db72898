/** What programs send that was written for other services, beyond what the documents of the older protocols say. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const PHONE = '491701234500'
const TEXT = 'Ваша посилка прибуде сьогодні'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start(60, undefined, { apis: 'json,xml,query' })
})
afterAll(() => world.stop())

const path = (params: Record<string, string>) =>
  `/api/http.php?${new URLSearchParams({ version: 'http', key: world.key, ...params })}`
const get = async (params: Record<string, string>) => (await fetch(world.gateway.address + path(params))).text()
const sms = { command: 'send', from: 'SMSTest', to: PHONE }
const package_ = (content: string) => `<package key="${world.key}">${content}</package>`
const xml = async (content: string) => {
  const answer = await fetch(`${world.gateway.address}/api/xml.php`, { method: 'POST', body: package_(content) })
  return answer.text()
}

describe('HTTP', () => {
  const lastText = () => world.box.traffic.arrivals.at(-1)?.text

  test('takes the text as `text`', async () => {
    expect(await get({ ...sms, text: TEXT })).toMatch(/^id:\d+\nsms_count:1\n$/)
    await world.pass(3)
    expect(lastText()).toBe(TEXT)
    expect(await get({ command: 'price', ...{ from: 'SMSTest', to: PHONE, text: 'x'.repeat(200) } })).toMatch(
      /^price:0.1\n/,
    )
  })

  const post = async (fields: Record<string, string | Blob>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    return (await fetch(`${world.gateway.address}/api/http.php`, { method: 'POST', body })).text()
  }

  test('takes a form with parts', async () => {
    expect(await post({ key: world.key, ...sms, message: TEXT })).toMatch(/^id:\d+\n/)
    await world.pass(3)
    expect(lastText()).toBe(TEXT)
  })

  test('refuses a form with too many parts, one that cannot be read, and a file in place of a text', async () => {
    const many = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`a${index}`, 'x']))
    expect(await post({ key: world.key, ...sms, ...many })).toBe('errors:Too many parameters\n')
    expect(await post({ key: world.key, ...sms, message: new Blob(['Hi']) })).toBe('errors:Please enter SMS text\n')
  })

  test.each(['x', 'xYzZY', '"a b"', '--------0123456789', `${'-'.repeat(27)}7d1`])(
    'reads a form between lines of %s',
    async (mark) => {
      const fields = Object.entries({ key: world.key, ...sms, message: '--a--\r\n--' })
      const parts = fields.map(([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      const line = `--${mark.replaceAll('"', '')}`
      const body = `${line}\r\n${parts.join(`${line}\r\n`)}${line}--\r\n`
      const headers = { 'content-type': `multipart/form-data; boundary=${mark}` }
      const answer = await fetch(`${world.gateway.address}/api/http.php`, { method: 'POST', body, headers })
      expect(await answer.text()).toMatch(/^id:\d+\nsms_count:1\n$/)
    },
  )

  test('says that a form is broken', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const broken = { method: 'POST', body: '--x\r\nnothing', headers }
    expect(await (await fetch(`${world.gateway.address}/api/http.php`, broken)).text()).toBe(
      'errors:The form cannot be read\n',
    )
  })

  test('returns a price without a sender', async () => {
    expect(await get({ command: 'price', to: PHONE })).toBe('price:0.05\ncurrency:EUR\n')
    expect(await get({ command: 'price', to: '12' })).toBe('errors:Please enter valid receiver phone number\n')
    expect(await get({ command: 'price', to: PHONE, key: 'wrong' })).toBe('errors:Wrong login/password\n')
  })

  describe('letters that are not escaped', () => {
    const head = (text: string | Buffer) => [
      Buffer.from(`GET ${path(sms)}&message=`),
      Buffer.from(typeof text === 'string' ? text.replaceAll(' ', '+') : text),
      Buffer.from(' HTTP/1.1\r\nHost: posthorn\r\n\r\n'),
    ]
    const { hostname, port } = { hostname: '127.0.0.1', port: () => Number(new URL(world.gateway.address).port) }
    const send = async (...pieces: readonly Buffer[]) => {
      const socket = connect(port(), hostname)
      for (const piece of pieces) {
        socket.write(piece)
        await new Promise(setImmediate)
      }
      return textOf(socket)
    }

    test('are the text, and the answer ends the connection, on which Node would refuse the next one', async () => {
      expect(await send(Buffer.concat(head(TEXT)))).toMatch(
        /^HTTP\/1.1 200 (?:.*\r\n)*Connection: close\r\n(?:.*\r\n)*id:\d+\n/i,
      )
      await world.pass(3)
      expect(lastText()).toBe(TEXT)
    })

    test('are the text also if the request comes in pieces', async () => {
      const whole = Buffer.concat(head('Привіт усім'))
      const [one, two] = [whole.length - 60, whole.length - 45]
      const pieces = [whole.subarray(0, 9), whole.subarray(9, one), whole.subarray(one, two), whole.subarray(two)]
      expect(await send(...pieces)).toMatch(/\r\n\r\nid:\d+\n/)
      await world.pass(3)
      expect(lastText()).toBe('Привіт усім')
    })

    test('of another encoding are refused in words', async () => {
      expect(await send(Buffer.concat(head(Buffer.from([0xcf, 0xf0]))))).toMatch(/\r\n\r\nerrors:Text must be UTF-8\n$/)
    })

    test('are refused elsewhere, as before', async () => {
      const line = Buffer.from('GET /api/json.php?x=ї HTTP/1.1\r\nHost: posthorn\r\n\r\n')
      expect(await send(line)).toMatch(/^HTTP\/1.1 400 /)
    })
  })
})

describe('XML', () => {
  test('returns the results of delete as those of a status as well, unless the package asks for one', async () => {
    const unknown = '<msg sms_id="1" sms_count="0">201</msg>'
    const asked = '<delete><msg sms_id="1"/></delete>'
    expect(await xml(asked)).toContain(`<delete>${unknown}</delete><status>${unknown}</status>`)
    expect(await xml(`${asked}<status><msg sms_id="1"/></status>`)).toMatch(/<delete>.*<\/delete><status>.*<\/status>/)
    expect((await xml(`${asked}<status><msg sms_id="1"/></status>`)).match(/<status>/g)).toHaveLength(1)
  })

  test('takes a document that comes with GET', async () => {
    const body = package_('<balance/>')
    const headers = { 'content-length': Buffer.byteLength(body), 'content-type': 'text/xml' }
    const asked = request(`${world.gateway.address}/api/xml.php`, { method: 'GET', headers }).end(body)
    const [response] = await once(asked, 'response')
    expect([response.statusCode, await textOf(response)]).toEqual([200, expect.stringContaining('<amount>')])
  })

  test('refuses a GET without a document in its own form', async () => {
    const response = await fetch(`${world.gateway.address}/api/xml.php`)
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<error>201</error>')])
  })

  test('returns a price without a default sender of the account', async () => {
    expect(await xml(`<prices><phone>${PHONE}</phone></prices>`)).toContain('<phone price="0.05" currency="EUR">')
  })
})

describe('times without an offset', () => {
  // Two hours ahead of UTC in November, three in summer.
  const setZone = (timeZone: string) =>
    world.operate((store) => changeAccount(store, { accountId: world.accountId, settings: { timeZone } }))
  beforeEach(() => setZone('Europe/Kyiv'))
  afterEach(() => setZone('UTC'))

  const inTwoDays = () => new Date(world.clock.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const dueOf = async (id: number) => (await world.trace(id as never)).message.journey.sendAt
  const idIn = (answer: string) => Number(/(?:sms_id="|^id:)(\d+)/.exec(answer)?.[1])

  test.each([
    ['T12:00', 'without seconds'],
    ['T12:00:00', 'with seconds'],
    [' 12:00:00', 'with a space'],
    ['T120000', 'without colons'],
    ['T12:00:00 0200', 'whose offset has a plus that is not escaped'],
    ['T12:00:00+0200', 'with an offset'],
  ])('%s is the time of the account: HTTP, %s', async (time) => {
    const at = `${inTwoDays()}${time}`
    const [id] = [idIn(await get({ ...sms, message: 'Hi', ask_date: at }))]
    expect(await dueOf(id)).toBe(Date.parse(`${inTwoDays()}T10:00:00Z`))
  })

  test('a plus that is not escaped needs no time zone', async () => {
    await setZone('UTC')
    const address = `${world.gateway.address}${path({ ...sms, message: 'Hi' })}&ask_date=${inTwoDays()}T12:00:00+0200`
    expect(await dueOf(idIn(await (await fetch(address)).text()))).toBe(Date.parse(`${inTwoDays()}T10:00:00Z`))
  })

  test('XML: begin and end', async () => {
    const times = `date_beg="${inTwoDays()}T12:00" date_end="${inTwoDays()}T13:00:00"`
    const id = idIn(await xml(`<message><msg recipient="${PHONE}" sender="SMSTest" ${times}>Hi</msg></message>`))
    expect(await world.trace(id as never)).toMatchObject({
      message: {
        plan: [{ lifetimeSeconds: 3_600 }],
        journey: { sendAt: Date.parse(`${inTwoDays()}T10:00:00Z`) },
      },
    })
  })

  test('JSON: a send, and the end of a calendar entry', async () => {
    const send = {
      type: 'sms',
      phone: PHONE,
      sms_signature: 'SMSTest',
      sms_message: 'Hi',
      send_at: `${inTwoDays()}T12:00`,
    }
    const { data } = await world.ask([send])
    expect(await dueOf(Number(data?.[0]?.data?.['msg_id']))).toBe(Date.parse(`${inTwoDays()}T10:00:00Z`))
  })

  test.each(['T24:00', 'T12:61', 'T12', 'T12:00:00 02'])('%s is refused', async (time) => {
    expect(await get({ ...sms, message: 'Hi', ask_date: `${inTwoDays()}${time}` })).toMatch(
      /^errors:ask_date (?:must be a time|there is no such)/,
    )
  })

  test('without a time zone of the account they are refused', async () => {
    await setZone('UTC')
    expect(await get({ ...sms, message: 'Hi', ask_date: `${inTwoDays()}T12:00` })).toMatch(
      /^errors:ask_date must have its offset/,
    )
  })
})

describe('the status of a chain', () => {
  const chain = (name: string, phone: string) => ({
    ...{ type: `${name}+sms`, phone, [`${name}_type`]: 'text', [`${name}_signature`]: 'ChatTest' },
    ...{ [`${name}_message`]: 'Hi', sms_signature: 'SMSTest', sms_message: 'Hi' },
  })
  const typeAfterDelivery = async (send: object) => {
    const { data } = await world.ask([send])
    await world.pass(3)
    const { data: status } = await world.ask([{ type: 'status', msg_id: data?.[0]?.data?.['msg_id'] }])
    return status?.[0]?.data?.['type']
  }

  test('has the channel that delivered, for clients that name the chat app otherwise', async () => {
    expect(await typeAfterDelivery(chain('viber', PHONE))).toBe('viber')
    expect(await typeAfterDelivery(chain('viber', '491701234502'))).toBe('sms')
  })

  test('has the type of the send for all others', async () => {
    expect(await typeAfterDelivery(chain('chatapp', PHONE))).toBe('chatapp+sms')
  })
})
