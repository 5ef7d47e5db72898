import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TextContent } from '../../src/domain/message/message.ts'
import { type ClientBench, PUBLIC_URL, startClientBench } from '../support/client-bench.ts'
import { chain, chatapp, rcs } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const SHORT = new RegExp(`${PUBLIC_URL}/l/([a-zA-Z2-9]{10})`, 'g')
const contents = () => bench.outbox.taken.flatMap(({ plan }) => plan.map((step) => step.content as TextContent))
const codesIn = (text: string | undefined) => [...(text ?? '').matchAll(SHORT)].map((match) => match[1] ?? '')

test('without short_link every address stays as it is', async () => {
  await bench.ask(rcs({ rcs_message: 'See https://client.example/a' }))
  expect(contents()[0]?.text).toBe('See https://client.example/a')
})

test.each(['', '.', ', and', '\u200b'])('our own link before %j stays as it is', async (after) => {
  const own = `${PUBLIC_URL}/l/abcdefghij`
  const text = `${own}${after} ${own.replace('/l/', '/u/')} ${own.replace(/^https?:/, 'HTTP:')}`
  await bench.ask(rcs({ rcs_message: text, short_link: true }))
  expect(contents()[0]?.text).toBe(text)
})

test('an address that only begins like one of our short links is shortened', async () => {
  await bench.ask(rcs({ rcs_message: `${PUBLIC_URL}/list ${PUBLIC_URL}.eu/l/a`, short_link: true }))
  expect(codesIn(contents()[0]?.text)).toHaveLength(2)
})

test('one code for each message and address, in all its texts and buttons', async () => {
  const links = { rcs_link: 'https://client.example/b', rcs_button: 'Go' }
  const { data } = await bench.ask(
    chain({
      ...links,
      rcs_message: 'See https://client.example/a, twice https://client.example/a.',
      chatapp_message: 'https://client.example/b',
      sms_message: 'https://client.example/a',
      short_link: true,
    }),
  )
  const [rich, chat, sms] = contents()
  const [a, again, ...more] = codesIn(rich?.text)
  const [b] = codesIn(rich?.link)
  expect(rich?.text).toBe(`See ${PUBLIC_URL}/l/${a}, twice ${PUBLIC_URL}/l/${a}.`)
  expect([again, more]).toEqual([a, []])
  expect(codesIn(chat?.text)).toEqual([b])
  expect(sms?.text).toBe(`${PUBLIC_URL}/l/${a}`)
  const links30d = bench.clock.now() + 30 * 24 * 3_600_000
  expect(await bench.store.findLinks([a ?? '', b ?? ''])).toEqual(
    expect.arrayContaining([
      { code: a, messageId: data.msg_id, url: 'https://client.example/a', expiresAt: links30d },
      { code: b, messageId: data.msg_id, url: 'https://client.example/b', expiresAt: links30d },
    ]),
  )
})

test('another message has other codes', async () => {
  const item = rcs({ rcs_message: 'https://client.example/a', short_link: true })
  await bench.post([item, item])
  expect(new Set(contents().flatMap((content) => codesIn(content.text))).size).toBe(2)
})

test.each([
  ['Go to http://client.example/a?b=c&d=e#f now', 1],
  ['(https://client.example/a)', 1],
  ['HTTPS://CLIENT.EXAMPLE/A', 1],
  ['https://user:secret@client.example/a', 1],
  ['www.client.com and client.com/path', 2],
  ['Mail bob@client.com or call 1234.Next', 0],
  ['ftp://client.example/file mailto:bob@client.com //client.example', 0],
  ['No address at all', 0],
])('in %j are %i addresses', async (text, count) => {
  await bench.ask(rcs({ rcs_message: text, short_link: true }))
  const shortened = contents()[0]?.text
  expect(codesIn(shortened)).toHaveLength(count)
  expect(shortened).not.toContain('secret')
})

test('parts are counted after shortening', async () => {
  const text = `${'x'.repeat(100)} https://client.example/${'y'.repeat(2_000)}`
  expect(await bench.ask(chain({ sms_message: text }))).toMatchObject({ error: 'sms_message: at most 10 SMS parts' })
  expect(await bench.ask(chain({ sms_message: text, short_link: true }))).toMatchObject({ data: { parts: 1 } })
})

test('a text that short addresses make too long is refused', async () => {
  const text = 'http://a.io '.repeat(150)
  expect(await bench.ask(rcs({ rcs_message: text }))).toMatchObject({ success: true })
  expect(await bench.ask(rcs({ rcs_message: text, short_link: true }))).toMatchObject({
    error: 'rcs_message: at most 3072 characters with short_link',
  })
  const many = Array.from({ length: 100 }, (_, index) => `a${index}.io `).join('')
  expect(await bench.ask(chatapp({ chatapp_message: many }))).toMatchObject({ success: true })
  expect(await bench.ask(chatapp({ chatapp_message: many, short_link: true }))).toMatchObject({
    error: 'chatapp_message: at most 1000 characters with short_link',
  })
})

test('more addresses than fit in any message are refused, also when they are all the same', async () => {
  expect(await bench.ask(rcs({ rcs_message: 'http://a.io '.repeat(201), short_link: true }))).toMatchObject({
    error: 'short_link: at most 200 addresses in a message',
  })
})

test('a request makes at most 20,000 links, and one with more executes nothing', async () => {
  const addresses = Array.from({ length: 80 }, (_, index) => `http://a.eu/${index}`).join(' ')
  const sends = Array.from({ length: 251 }, (_, index) => ({
    ...rcs({ rcs_message: addresses, short_link: true }),
    id: index,
  }))
  const answer = await bench.post(sends)
  expect(answer).toEqual({
    success: false,
    error: 'data: at most 20000 short links in a request',
    code: 'invalid_request',
  })
  expect(await bench.post(sends.slice(0, 250))).toMatchObject({ success: true })
  expect(bench.outbox.taken).toHaveLength(250)
})
