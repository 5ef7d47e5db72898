/** The two older protocols: what published client programs of them send, and what those read of the answers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const PHONE = '491701234500'
const TEXT = 'Ваша посилка прибуде сьогодні'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start(60, undefined, { apis: 'xml,query' })
  const settings = { defaultSmsSender: 'SMSTest' }
  await world.operate((store) => changeAccount(store, { accountId: world.accountId, settings }))
})
afterAll(() => world.stop())

/** The country of numbers that are written without a country code. */
const setCountry = (nationalCountry: 'DE' | null) =>
  world.operate((store) => changeAccount(store, { accountId: world.accountId, settings: { nationalCountry } }))
const cameTo = (phone: string) => world.box.traffic.to(phone).map(({ channel }) => channel)

const lastText = () => world.box.traffic.arrivals.at(-1)?.text

describe('HTTP', () => {
  const address = (params: Record<string, string>) =>
    `${world.gateway.address}/api/http.php?${new URLSearchParams({ version: 'http', ...params })}`
  const ask = async (params: Record<string, string>): Promise<string> => {
    const response = await fetch(address({ key: world.key, ...params }))
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    return response.text()
  }
  const sms = { command: 'send', from: 'SMSTest', to: `+${PHONE}`, message: TEXT }

  const viber = { command: 'send', to: PHONE, viber: '1', viber_from: 'ChatTest', viber_message: TEXT }
  const NO_TIME = 'ask_date must be a time with its offset as in RFC 3339, such as 2026-03-01T090000+0200'
  const NO_OFFSET = 'ask_date must have its offset, such as Z or +0200, because the account has no time zone'

  test('takes a time in the form of its error text, which has no colons', async () => {
    const tomorrow = new Date(world.clock.now() + 86_400_000).toISOString().slice(0, 10)
    const id = /^id:(\d+)\n/.exec(await ask({ ...sms, ask_date: `${tomorrow}T090000+0200` }))?.[1] ?? ''
    expect(await ask({ command: 'receive', id })).toMatch(/^status:Pending\ncode:0\n/)
    expect(await ask({ command: 'delete', id })).toBe('status:Deleted\ncode:10\n')
  })

  test('sends, and reports the status of the message by its number', async () => {
    const [, id = ''] = /^id:(\d+)\nsms_count:1\n$/.exec(await ask(sms)) ?? []
    await world.pass(3)
    expect(lastText()).toBe(TEXT)
    expect(await ask({ command: 'receive', id })).toMatch(
      /^status:Delivered\ncode:3\nstatus_time:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000\n$/,
    )
  })

  test('plans a message for a time whose offset has no colon, and deletes it', async () => {
    const at = new Date(world.clock.now() + 3_600_000).toISOString().replace(/\.\d+Z/, '+0000')
    const [, id = ''] = /^id:(\d+)\n/.exec(await ask({ ...sms, ask_date: at })) ?? []
    expect(await ask({ command: 'receive', id })).toMatch(/^status:Pending\ncode:0\n/)
    expect(await ask({ command: 'delete', id })).toBe('status:Deleted\ncode:10\n')
    expect(await ask({ command: 'receive', id })).toMatch(/^status:Deleted\ncode:10\n/)
  })

  test('returns the balance and a price', async () => {
    expect(await ask({ command: 'balance' })).toMatch(/^balance:\d+(\.\d+)?\n$/)
    expect(await ask({ command: 'price', from: 'SMSTest', to: PHONE })).toBe('price:0.05\ncurrency:EUR\n')
    expect(await ask({ command: 'price', to: PHONE })).toBe('price:0.05\ncurrency:EUR\n')
  })

  test.each([
    ['text', { viber_type: 'text' }],
    ['image', { viber_type: 'image', viber_message: '', viber_image: 'https://client.example/a.png' }],
    ['text with an image', { viber_type: 'text+image', viber_image: 'https://client.example/a.png' }],
    ['button', { viber_type: 'button', viber_url: 'https://client.example/17', viber_button: 'Follow' }],
    [
      'button with an image',
      {
        viber_type: 'button',
        viber_image: 'https://client.example/a.png',
        viber_url: 'https://client.example/17',
        viber_button: 'Follow',
      },
    ],
  ])('sends to the messenger: %s', async (_, fields) => {
    const viber = {
      command: 'send',
      to: PHONE,
      viber: '1',
      viber_from: 'ChatTest',
      viber_message: TEXT,
      viber_lifetime: '60',
    }
    const [, id] = /^id:(\d+)\nsms_count:1\n$/.exec(await ask({ ...viber, ...fields })) ?? []
    await world.pass(3)
    expect(world.box.traffic.arrivals.at(-1)).toMatchObject({ channel: 'chatapp' })
    expect(id).toBeDefined()
  })

  test('falls back from the messenger to SMS', async () => {
    const both = {
      ...sms,
      to: '491701234502',
      viber: 'true',
      viber_from: 'ChatTest',
      viber_message: 'Chat',
      viber_sms: '1',
    }
    expect(await ask(both)).toMatch(/^id:\d+\n/)
    await world.pass(3)
    expect(world.box.traffic.arrivals.at(-1)).toMatchObject({ channel: 'sms', text: TEXT })
  })

  test('takes a form as well, and a password in place of the key', async () => {
    const form = new URLSearchParams({ login: '380501234567', password: world.key, command: 'balance' })
    const response = await fetch(`${world.gateway.address}/api/http.php`, { method: 'POST', body: form })
    expect(await response.text()).toMatch(/^balance:/)
  })

  test('an account without money gets the text that programs compare', async () => {
    const { body } = await world.askAdmin('POST', '/accounts', { body: { name: 'Poor', currency: 'EUR' } })
    const account = Number(body['account'])
    const sender = { account, channel: 'sms', name: 'SMSTest' }
    expect(await world.askAdmin('POST', '/senders/approve', { body: sender })).toMatchObject({ status: 200 })
    const made = await world.askAdmin('POST', `/accounts/${account}/keys`, { body: { name: 'poor' } })
    expect(await ask({ ...sms, key: String(made.body['key']) })).toBe('errors:Not enough money\n')
  })

  test.each([
    ['a wrong key', { key: 'wrong', command: 'balance' }, 'Wrong login/password'],
    ['no command', {}, 'Unknown command'],
    ['another command', { command: 'constructor' }, 'Unknown command'],
    ['a message of another account', { command: 'receive', id: '1' }, 'SMS not found'],
    ['a message by a word', { command: 'delete', id: 'test' }, 'SMS not found'],
    ['a sender that is not approved', { ...sms, from: 'Unknown' }, 'Error in Alpha-name'],
    ['a number that cannot exist', { ...sms, to: '12' }, 'Please enter valid receiver phone number'],
    ['a WAP push', { ...sms, wap: 'http://client.example' }, 'wap is not supported'],
    ['a flash message', { ...sms, flash: '1' }, 'flash is not supported'],
    ['a time without its offset', { ...sms, ask_date: '2026-03-01T12:00:00' }, NO_OFFSET],
    ['a time that is none', { ...sms, ask_date: 'soon' }, NO_TIME],
    ['a message without its text', { ...sms, message: '' }, 'Please enter SMS text'],
    ['a number without its country code', { ...sms, to: '0170 1234500' }, 'Please enter valid receiver phone number'],
    ['a message without its messenger sender', { ...viber, viber_from: '' }, 'viber_from required'],
    ['a lifetime that is none', { ...viber, viber_lifetime: 'x' }, expect.stringMatching(/^viber_lifetime must /)],
  ])('refuses %s with a line that has one colon', async (_, params, error) => {
    const answer = await ask(params as Record<string, string>)
    const [, name, value, rest] = /^(errors):([^:]*)(:.*)?\n$/.exec(answer) ?? []
    expect({ name, value, rest }).toEqual({ name: 'errors', value: error, rest: undefined })
  })

  test('takes a number in national form if the account has a country, in every command', async () => {
    await setCountry('DE')
    expect(await ask({ ...sms, to: '0170 1234511' })).toMatch(/^id:\d+\n/)
    expect(await ask({ ...viber, to: '0170/1234512' })).toMatch(/^id:\d+\n/)
    expect(await ask({ command: 'price', to: '0170 1234511' })).toBe('price:0.05\ncurrency:EUR\n')
    expect(await ask({ ...sms, to: '1701234511' })).toBe('errors:Please enter valid receiver phone number\n')
    await world.pass(3)
    expect([cameTo('491701234511'), cameTo('491701234512')]).toEqual([['sms'], ['chatapp']])
    await setCountry(null)
    expect(await ask({ ...sms, to: '0170 1234511' })).toBe('errors:Please enter valid receiver phone number\n')
  })

  test('refuses a text in another encoding than UTF-8 instead of sending other letters', async () => {
    const response = await fetch(`${address({ key: world.key, ...sms, message: '' })}%E2%E0%F8%E0`)
    expect(await response.text()).toBe('errors:Text must be UTF-8\n')
  })

  test('answers clients that encode every value in their own encoding', async () => {
    const encode = (text: string) =>
      Buffer.from(text)
        .toString('base64')
        .replace(/[+/=]/g, (each) => '-_,'['+/='.indexOf(each)] ?? '')
    const decode = (text: string) =>
      Buffer.from(
        text.replace(/[-_,]/g, (each) => '+/='['-_,'.indexOf(each)] ?? ''),
        'base64',
      ).toString()
    const post = async (params: Record<string, string>): Promise<string> => {
      const all = Object.entries({ login: '', password: '', key: world.key, ...params })
      const body = all.map(([name, value]) => `&${name}=${encode(value)}`).join('')
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return decode(
        await (await fetch(`${world.gateway.address}/api/http.php`, { method: 'POST', body, headers })).text(),
      )
    }
    const { command: _, ...fields } = sms
    expect(await post({ ...fields, wap: '', flash: '0', class_version: '1.9', command: 'send' })).toMatch(
      /^a:3:\{s:2:"id";s:\d+:"\d+";s:9:"sms_count";s:1:"1";s:6:"errors";a:0:\{\}\}$/,
    )
    expect(await post({ ...fields, from: 'Unknown', command: 'send' })).toBe(
      'a:1:{s:6:"errors";a:1:{i:0;s:19:"Error in Alpha-name";}}',
    )
  })

  test('answers a form that is too large with an error', async () => {
    const form = new URLSearchParams({ key: world.key, ...sms, message: 'x'.repeat(70_000) })
    const response = await fetch(`${world.gateway.address}/api/http.php`, { method: 'POST', body: form })
    expect(await response.text()).toBe('errors:The request is too large\n')
  })

  test('answers more parameters than the commands have with an error, in the query and in the form', async () => {
    const params = '&a=1'.repeat(32)
    const parts = [
      [`command=balance&key=${world.key}${params}`, 'key=x', /^balance:/],
      [`command=balance&key=${world.key}${params}`, params, /^errors:Too many parameters\n$/],
    ] as const
    for (const [query, body, answer] of parts) {
      const response = await fetch(`${world.gateway.address}/api/http.php?${body}`, { method: 'POST', body: query })
      expect(await response.text()).toMatch(answer)
    }
  })

  test('writes no key to the log', async () => {
    await ask({ command: 'balance' })
    await ask({ key: 'wrong-key-of-a-client', command: 'balance' })
    expect(JSON.stringify(world.log.lines)).not.toMatch(new RegExp(`${world.key}|wrong-key-of-a-client`))
  })
})

describe('XML', () => {
  const post = async (body: string | Buffer, type = 'text/xml'): Promise<string> => {
    const headers = { 'content-type': type }
    const response = await fetch(`${world.gateway.address}/api/xml.php`, { method: 'POST', body, headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8'])
    return response.text()
  }
  const inPackage = (content: string) => `<?xml version="1.0" encoding="utf-8" ?>\n<package>${content}</package>\n`
  const ask = (content: string) =>
    post(`<?xml version="1.0" encoding="utf-8" ?><package key="${world.key}">${content}</package>`)
  const idIn = (answer: string) => /(?:sms|msg)_id="(\d+)"/.exec(answer)?.[1] ?? ''

  test('sends messages with and without an id, and returns their status by either id', async () => {
    const answer = await ask(`<message>
      <msg id="1234" recipient="+${PHONE}" sender="SMSTest" type="0">${TEXT}</msg>
      <msg recipient="+${PHONE}" sender="SMSTest" type="0">5 &lt; 6 &amp; <![CDATA[7 > 6]]></msg>
    </message>`)
    expect(answer).toMatch(
      /<message><msg id="1234" sms_id="\d+" sms_count="1">1<\/msg><msg sms_id="\d+" sms_count="1">1<\/msg><\/message>/,
    )
    await world.pass(3)
    expect(world.box.traffic.to(PHONE).map(({ text }) => text)).toEqual(expect.arrayContaining([TEXT, '5 < 6 & 7 > 6']))
    const id = idIn(answer)
    const status = await ask(`<status><msg id="1234"></msg><msg sms_id="${id}"/><msg sms_id="1"/></status>`)
    const delivered = `<msg id="1234" sms_id="${id}" sms_count="1" date_completed="\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00">102</msg>`
    expect(status).toMatch(
      new RegExp(`<status>${delivered}${delivered}<msg sms_id="1" sms_count="0">201</msg></status>`),
    )
  })

  test('takes a number in national form if the account has a country, in every element', async () => {
    const send = () =>
      ask(`<message><msg recipient="0170 1234521" sender="SMSTest">Hi</msg></message>
        <message-viber><msg><phone>0170 1234522</phone><sender>ChatTest</sender><type>text</type><text>Hi</text></msg></message-viber>`)
    await setCountry('DE')
    expect((await send()).match(/(?:sms|msg)_id="[1-9]\d*"/g)).toHaveLength(2)
    await world.pass(3)
    expect([cameTo('491701234521'), cameTo('491701234522')]).toEqual([['sms'], ['chatapp']])
    await setCountry(null)
    expect((await send()).match(/>203</g)).toHaveLength(2)
  })

  test('plans a message with an end, and deletes it once', async () => {
    const time = (minutes: number) =>
      new Date(world.clock.now() + minutes * 60_000).toISOString().replace('Z', '+00:00')
    const sent = await ask(
      `<message><msg id="77" recipient="${PHONE}" sender="SMSTest" date_beg="${time(60)}" date_end="${time(120)}" type="0">Hi</msg></message>`,
    )
    expect(sent).toContain('>1</msg>')
    const [id, trace] = [idIn(sent), await world.trace(Number(idIn(sent)) as never)]
    expect(trace.message.plan).toMatchObject([{ lifetimeSeconds: 3_600 }])
    expect(await ask(`<status><msg id="77"/></status>`)).toContain('sms_count="1">100</msg>')
    const deleted = `<msg id="77" sms_id="${id}" sms_count="0">104</msg>`
    expect(await ask(`<delete><msg sms_id="${id}"></msg></delete>`)).toBe(
      inPackage(`<delete>${deleted}</delete><status>${deleted}</status>`),
    )
  })

  test('cannot delete what a carrier has', async () => {
    const id = idIn(await ask(`<message><msg recipient="${PHONE}" sender="SMSTest">Hi</msg></message>`))
    await world.pass(3)
    expect(await ask(`<delete><msg sms_id="${id}"/></delete>`)).toContain('>211</msg>')
  })

  test.each([
    ['an attribute', 'id="5"', ''],
    ['an element', '', '<id>5</id>'],
    ['both, of which the attribute counts', 'id="5"', '<id>6</id>'],
  ])('sends to the messenger, with the id as %s', async (_, attribute, element) => {
    const button =
      '<button>Follow</button><url>https://client.example/17</url><image>https://client.example/a.png</image>'
    const answer = await ask(
      `<message-viber><msg ${attribute}>${element}<phone>+${PHONE}</phone><sender>ChatTest</sender><type>image</type><text>${TEXT}</text>${button}</msg></message-viber>`,
    )
    expect(answer).toMatch(/<message-viber><msg id="5" msg_id="\d+">1<\/msg><\/message-viber>/)
    await world.pass(3)
    expect(world.box.traffic.arrivals.at(-1)).toMatchObject({ channel: 'chatapp' })
  })

  test('returns balance and prices, in one package with other commands', async () => {
    const answer = await ask(`<balance></balance><prices><phone>+${PHONE}</phone><phone>12</phone></prices>`)
    expect(answer).toMatch(/<balance><amount>[\d.]+<\/amount><currency>EUR<\/currency><\/balance>/)
    expect(answer).toContain(
      `<prices><phone price="0.05" currency="EUR">+${PHONE}</phone><phone price="0" currency="">12</phone></prices>`,
    )
  })

  test.each([
    ['sender', 'recipient="491701234500" sender="Unknown"', 'Hi', 202],
    ['recipient', 'recipient="12" sender="SMSTest"', 'Hi', 203],
    ['empty text', 'recipient="491701234500" sender="SMSTest"', '', 204],
    ['text of too many parts', 'recipient="491701234500" sender="SMSTest"', 'x'.repeat(2_000), 204],
    ['flash message', 'recipient="491701234500" sender="SMSTest" type="1"', 'Hi', 200],
    ['end without an offset', 'recipient="491701234500" sender="SMSTest" date_end="2099-01-01T00:00"', 'Hi', 200],
  ])('refuses a wrong %s alone', async (_, attributes, text, code) => {
    const right = `<msg recipient="${PHONE}" sender="SMSTest">Hi</msg>`
    const answer = await ask(`<message><msg id="9" ${attributes}>${text}</msg>${right}</message>`)
    expect(answer).toContain(`<msg id="9" sms_id="0" sms_count="0">${code}</msg><msg sms_id="`)
  })

  test.each([
    ['a wrong key', '<package key="wrong"><balance/></package>', 202],
    ['no key', '<package><message><msg type="3">Hi</msg></message></package>', 202],
    ['a document that ends early', '<package key="x"><message><msg>Hi', 201],
    ['another root', '<request key="x"><balance/></request>', 201],
    ['an unknown command', '<package key="x"><constructor/></package>', 201],
    ['no command', '<package key="x"></package>', 201],
    ['entities of its own', '<!DOCTYPE p [<!ENTITY a "aa">]><package key="&a;"><balance/></package>', 201],
    ['files of others', '<!DOCTYPE p SYSTEM "file:///etc/passwd"><package key="x"><balance/></package>', 201],
    ['an unknown entity', '<package key="x"><balance>&file;</balance></package>', 201],
    ['another encoding', '<?xml version="1.0" encoding="windows-1251"?><package key="x"><balance/></package>', 201],
    ['a deep document', `<package key="x">${'<a>'.repeat(9)}${'</a>'.repeat(9)}</package>`, 201],
    ['more than 128 KiB', `<package key="x"><balance>${' '.repeat(131_072)}</balance></package>`, 201],
  ])('refuses %s with one error for the package', async (_, body, code) => {
    expect(await post(body)).toBe(inPackage(`<error>${code}</error>`))
  })

  const padding = `<!--${' '.repeat(4_096)}-->`

  test.each([
    ['a document that ends early', `${padding}<message><msg>Hi`],
    ['many elements', `<message>${'<msg/>'.repeat(5_001)}</message></package>`],
    ['many attributes', `${padding}<balance${' a="1"'.repeat(17)}/></package>`],
    ['an unknown command', `${padding}<constructor/></package>`],
  ])('checks the key of a large document before it refuses %s', async (_, rest) => {
    expect(await post(`<package key="wrong">${rest}`)).toBe(inPackage('<error>202</error>'))
    expect(await post(`<package key="${world.key}">${rest}`)).toBe(inPackage('<error>201</error>'))
  })

  test('sends a large document, and does not look for the key behind its first 4 KiB', async () => {
    const content = `<message>${`<msg recipient="${PHONE}" sender="SMSTest">${TEXT}</msg>`.repeat(100)}</message>`
    expect((await ask(content)).match(/sms_count="1">1</g)).toHaveLength(100)
    expect(await post(`${padding}<package key="${world.key}">${content}</package>`)).toBe(
      inPackage('<error>201</error>'),
    )
  })

  test.each([
    ['message', `<message><msg recipient="${PHONE}" sender="SMSTest">Hello <b>bold</b> world</msg></message>`],
    ['number', `<prices><phone>${PHONE}<b>1</b></phone></prices>`],
    ['message that is named', '<delete><msg id="17"><b/></msg></delete>'],
  ])('refuses a %s with elements in it, and charges nothing', async (_, content) => {
    // Messages of other tests that are under way are charged first.
    await world.rest()
    const { held, available } = await world.balances()
    expect(await ask(content)).toBe(inPackage('<error>201</error>'))
    expect(await world.balances()).toMatchObject({ held, available })
  })

  test('refuses bytes that are not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('<package key="'),
      Buffer.from([0xe2, 0xe0]),
      Buffer.from('"><balance/></package>'),
    ])
    expect(await post(body, 'application/x-www-form-urlencoded')).toBe(inPackage('<error>201</error>'))
  })
})

test('an operator has to turn the older protocols on', async () => {
  const other = await SandboxWorld.start(60)
  try {
    for (const path of ['/api/http.php?command=balance', '/api/xml.php']) {
      expect((await fetch(other.gateway.address + path)).status).toBe(404)
    }
  } finally {
    await other.stop()
  }
})
