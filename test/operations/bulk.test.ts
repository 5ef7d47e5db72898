/** Bulks before their start: what is created, uploaded and refused, line by line, and what its answers say. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeOf } from '../../src/contract/request/error-codes.ts'
import { type ClientBench, type ClientBenchOptions, KEY, startClientBench } from '../support/client-bench.ts'
import { itemError, PHONE } from '../support/operations.ts'

let bench: ClientBench
const start = async (options: ClientBenchOptions = {}) => {
  bench = await startClientBench(options)
}
beforeEach(() => start())
afterEach(() => bench.stop())

const message = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello {{name}}' }

interface BulkFacts {
  readonly bulk_id: number
  readonly [name: string]: unknown
}

const ask = async (type: string, fields: object = {}) => bench.ask({ type: `bulk/${type}`, ...fields })
const create = async (fields: object = {}): Promise<BulkFacts> => (await ask('create', { message, ...fields })).data
const status = async ({ bulk_id }: BulkFacts): Promise<BulkFacts> => (await ask('status', { bulk_id })).data

interface UploadOptions {
  readonly type?: string
  readonly query?: string
  readonly key?: string
  readonly encoding?: string
}

type Body = string | Uint8Array<ArrayBuffer>

async function upload(
  { bulk_id }: BulkFacts,
  body: Body,
  { type, query = '', key = KEY, encoding }: UploadOptions = {},
) {
  const { text } = await bench.postRaw(body, {
    path: `/api/bulk/${bulk_id}/lines${query}`,
    headers: {
      ...{ Authorization: `Bearer ${key}`, 'Content-Type': type ?? 'text/csv' },
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    },
  })
  return JSON.parse(text)
}

const lines = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `${PHONE + first + index},Name ${first + index}\n`).join('')
const HEADER = 'phone,name\n'

test('a bulk is created, takes lines as CSV, and returns their price before anything is sent', async () => {
  const bulk = await create({ id: 'spring', pace: 50 })
  expect(bulk).toMatchObject({ id: 'spring', state: 'uploading', lines: 0, estimate: 0, pace: 50, start_at: null })
  expect(bulk['upload']).toBe(`/api/bulk/${bulk.bulk_id}/lines`)
  expect(await upload(bulk, HEADER + lines(450))).toEqual({
    success: true,
    data: { bulk_id: bulk.bulk_id, lines: 450, refused: 0, skipped: 0, estimate: 22.5, currency: 'EUR' },
  })
  expect(await status(bulk)).toMatchObject({ lines: 450, waiting: 450, accepted: 0, messages: {}, price: 0 })
  expect(bench.outbox.taken).toEqual([])
  expect(await bench.store.counts()).toMatchObject({ open: 0 })
})

test('JSON lines are taken with their ids', async () => {
  const bulk = await create()
  const body = [
    { phone: PHONE, id: 7, name: 'Ann' },
    { phone: `+${PHONE + 1}`, id: 'b', name: 'Bob', more: 1 },
  ]
  const text = `${body.map((line) => JSON.stringify(line)).join('\n')}\n\n`
  expect((await upload(bulk, text, { type: 'application/x-ndjson' })).data).toMatchObject({ lines: 2, refused: 0 })
})

test('each line is checked as a send, and a wrong one refuses only itself', async () => {
  const bulk = await create()
  const body = `${HEADER}${PHONE},Ann\n12,Bob\n${PHONE},\n37120000000,Eve\n"${PHONE}","${'x'.repeat(2_000)}"\n${PHONE},Zoe\n`
  expect((await upload(bulk, body)).data).toMatchObject({ lines: 6, refused: 4, estimate: 0.1 })
  const { data } = await ask('errors', { bulk_id: bulk.bulk_id })
  expect(data).toEqual([
    { line: 2, error: 'Invalid phone number', field: 'phone' },
    { line: 3, error: 'name: required', field: 'name' },
    { line: 4, error: 'phone: no price for sms to this number', field: 'phone' },
    { line: 5, error: 'sms_message: at most 10 SMS parts', field: 'sms_message' },
  ])
  const page = await ask('errors', { bulk_id: bulk.bulk_id, after: 2, limit: 1 })
  expect(page.data.map(({ line }: { line: number }) => line)).toEqual([3])
})

test.each<[string, string, UploadOptions, string]>([
  ['another type', '{}', { type: 'application/json' }, 'Content-Type must be text/csv or application/x-ndjson'],
  ['no column', 'phone,nom\n', {}, 'The header has no column name'],
  ['a column twice', 'phone,name,phone\n', {}, 'The header has the column phone twice'],
  ['very many columns', `phone,name${',x'.repeat(199)}\n`, {}, 'The header has too many columns, at most 200'],
  ['a compressed body', HEADER, { encoding: 'gzip' }, 'Content-Encoding is not supported: send the lines uncompressed'],
  ['a wrong key', HEADER, { key: 'other' }, 'Access denied'],
  [
    'a gap',
    HEADER + lines(1),
    { query: '?from_line=2' },
    'from_line: must be a number from 1 to 1, the line after the last one stored',
  ],
  [
    'no line number',
    HEADER,
    { query: '?from_line=x' },
    'from_line: must be a number from 1 to 1, the line after the last one stored',
  ],
])('refuses an upload with %s', async (_, body, options, error) => {
  const bulk = await create()
  expect(await upload(bulk, body, options)).toEqual({ success: false, error, code: codeOf(error) })
  expect(await status(bulk)).toMatchObject({ lines: 0 })
})

test('a quote that never ends uses no memory, and what came before it is kept', async () => {
  const bulk = await create()
  const answer = await upload(bulk, `${HEADER}${lines(200)}${PHONE},"${'x'.repeat(1_000_000)}`)
  expect(answer.error).toMatch(/^The CSV cannot be read: Max Record Size/)
  expect(await status(bulk)).toMatchObject({ lines: 200 })
  const long = `{"phone":${PHONE},"name":"${'x'.repeat(20_000)}"}`
  expect(await upload(bulk, long, { type: 'application/x-ndjson', query: '?from_line=201' })).toEqual({
    success: false,
    error: 'A line is too long, at most 16384 bytes',
    code: 'invalid_request',
  })
})

test.each<[string, Body, string, string]>([
  [
    'CSV that is Latin-1',
    Buffer.from(`${PHONE},J\xf6rg\n`, 'latin1'),
    'text/csv',
    'The upload is not UTF-8 after line',
  ],
  [
    'CSV that ends within a character',
    Buffer.from(`${PHONE},J\xc3`, 'latin1'),
    'text/csv',
    'The upload is not UTF-8 after',
  ],
  [
    'CSV with an open quote',
    `${PHONE},a"b"\n${lines(200)}`,
    'text/csv',
    'The CSV cannot be read: Invalid Opening Quote',
  ],
  ['a very long JSON line', 'x'.repeat(17_000), 'application/x-ndjson', 'A line is too long, at most 16384 bytes'],
])('stores the lines before %s', async (_, wrong, type, error) => {
  const bulk = await create()
  const before =
    type === 'text/csv'
      ? HEADER + lines(150)
      : Array.from({ length: 150 }, (_, index) => `${JSON.stringify({ phone: PHONE, name: `Name ${index}` })}\n`).join(
          '',
        )
  const answer = await upload(bulk, Buffer.concat([Buffer.from(before), Buffer.from(wrong as string)]), { type })
  expect(answer.error).toContain(error)
  // A wrong byte is found in a slice, before its first lines are read.
  const least = error.includes('UTF-8') ? 80 : 150
  const { lines: stored } = await status(bulk)
  expect(stored).toBeGreaterThanOrEqual(least)
  if (error.includes('UTF-8'))
    expect(answer.error).toBe(`The upload is not UTF-8 after line ${stored}: save the file as UTF-8`)
})

test('takes umlauts wherever the bytes are cut, after a byte order mark', async () => {
  const bulk = await create()
  const body = `\uFEFF${HEADER}${Array.from({ length: 300 }, () => `${PHONE},${'\u00f6\u{1f600}'.repeat(9)}\n`).join('')}`
  expect((await upload(bulk, body)).data).toMatchObject({ lines: 300, refused: 0 })
})

test('a JSON line may be nested as deep as it likes where nothing is read', async () => {
  const bulk = await create()
  const deep = `${'['.repeat(8_000)}${']'.repeat(8_000)}`
  const body = [`{"phone":${PHONE},"name":"Ann","x":${deep}}`, `{"phone":${deep},"name":"Bob"}`].join('\n')
  expect((await upload(bulk, body, { type: 'application/x-ndjson' })).data).toMatchObject({ lines: 2, refused: 1 })
})

test.each([
  ['all others', lines(100, 500), 1],
  ['one other', `${lines(99)}${PHONE + 99},Someone else\n`, 100],
  ['one other before new ones', `${lines(1)}${lines(1, 700)}${lines(298, 2)}`, 2],
])('a repeated upload with %s is refused and changes nothing', async (_, body, line) => {
  const bulk = await create()
  await upload(bulk, HEADER + lines(100))
  expect(await upload(bulk, HEADER + body)).toEqual({
    success: false,
    error: `Line ${line} differs from the one stored: to add lines, send them with from_line=101`,
    code: 'invalid_request',
  })
  expect(await status(bulk)).toMatchObject({ lines: 100, waiting: 100, estimate: 5 })
})

test('ids of any length are kept as they were sent', async () => {
  const bulk = await create()
  const body = ['9007199254740993', '"9007199254740993"', '1.50']
    .map((id, index) => `{"phone":${PHONE + index},"id":${id},"name":"Ann"}`)
    .join('\n')
  expect((await upload(bulk, body, { type: 'application/x-ndjson' })).data).toMatchObject({ lines: 3, refused: 0 })
  const stored = await bench.store.readBulkLines(bulk.bulk_id as never, 1)
  expect(stored?.lines.map(({ id }) => id)).toEqual(['9007199254740993', '"9007199254740993"', '1.50'])
})

test('an upload that is repeated, or goes on, stores each line once', async () => {
  const bulk = await create()
  await upload(bulk, HEADER + lines(250))
  expect((await upload(bulk, HEADER + lines(300))).data).toMatchObject({ lines: 300, skipped: 250 })
  expect((await upload(bulk, HEADER + lines(10, 300), { query: '?from_line=301' })).data).toMatchObject({
    lines: 310,
    skipped: 0,
    estimate: 15.5,
  })
})

const refusal = (text: string) => ({ success: false, error: text, code: codeOf(text) })
const corrected = (line: number, next: number) =>
  refusal(`Line ${line} was refused before and can be sent now: send it as a new line, with from_line=${next}`)

test('a corrected line in the place of a refused one is not dropped unnoticed', async () => {
  const bulk = await create()
  await upload(bulk, `${HEADER}${PHONE},Ann\n12,Bob\n${PHONE + 2},\n`)
  const phone = `${HEADER}${PHONE},Ann\n${PHONE + 1},Bob\n`
  expect(await upload(bulk, phone)).toEqual(corrected(2, 4))
  const name = `{"phone":${PHONE + 2},"name":"Eve"}`
  expect(await upload(bulk, name, { type: 'application/x-ndjson', query: '?from_line=3' })).toEqual(corrected(3, 4))
  expect(await status(bulk)).toMatchObject({ lines: 3, refused: 2 })
  const stillWrong = `${HEADER}${PHONE},Ann\n13,Bob\n${PHONE + 2},\n${PHONE + 1},Bob\n`
  expect((await upload(bulk, stillWrong)).data).toMatchObject({ lines: 4, refused: 2, skipped: 3 })
})

test('a corrected line is found among duplicates, which are skipped when they come again', async () => {
  const bulk = await create({ skip_duplicates: true })
  const wrong = Array.from({ length: 1_001 }, () => '12,Bob\n').join('')
  await upload(bulk, `${HEADER}${PHONE},Ann\n${PHONE},Ann\n${wrong}`)
  expect((await upload(bulk, `${HEADER}${PHONE},Ann\n${PHONE},Ann\n${wrong}`)).data).toMatchObject({ skipped: 1_003 })
  const last = wrong.replace(/12,Bob\n$/, `${PHONE + 1},Bob\n`)
  expect(await upload(bulk, `${HEADER}${PHONE},Ann\n${PHONE},Ann\n${last}`)).toEqual(corrected(1_003, 1_004))
})

test('another phone in the place of a duplicate is not dropped unnoticed', async () => {
  const bulk = await create({ skip_duplicates: true })
  const twice = `${HEADER}${PHONE},Ann\n${PHONE},Ann\n`
  await upload(bulk, twice)
  const other = `${HEADER}${PHONE},Ann\n${PHONE + 1},Bob\n`
  const differs = refusal('Line 2 differs from the one stored: to add lines, send them with from_line=3')
  expect(await upload(bulk, other)).toEqual(differs)
  expect(await upload(bulk, `${other}${PHONE + 2},Eve\n`)).toEqual(differs)
  expect(await status(bulk)).toMatchObject({ lines: 2, duplicates: 1 })
  expect((await upload(bulk, `${twice}${PHONE + 2},Eve\n`)).data).toMatchObject({ lines: 3, skipped: 2 })
})

test('lines have phones in the national form of the account, as other sends have', async () => {
  await bench.stop()
  await start({ settings: { nationalCountry: 'DE' } })
  const bulk = await create()
  const csv = `${HEADER}0170 1234500,Ann\n1701234501,Bob\n`
  expect((await upload(bulk, csv)).data).toMatchObject({ lines: 2, refused: 1 })
  const json = '{"phone":"(0170) 1234502","name":"Eve"}'
  await upload(bulk, json, { type: 'application/x-ndjson', query: '?from_line=3' })
  const stored = async (from: number) => (await bench.store.readBulkLines(bulk.bulk_id as never, from))?.lines
  expect(await stored(1)).toMatchObject([{ line: 1, phone: '491701234500' }])
  expect(await stored(3)).toMatchObject([{ line: 3, phone: '491701234502' }])
  expect((await upload(bulk, csv)).data).toMatchObject({ lines: 3, skipped: 2 })
})

test('a bulk that skips duplicates sends to each phone once, over its uploads, in any form of the phone', async () => {
  const bulk = await create({ skip_duplicates: true })
  const [plain, written] = [String(PHONE), `+${String(PHONE).slice(0, 3)} ${String(PHONE).slice(3)}`]
  const first = `${HEADER}${plain},Ann\n${written},Bob\n12,Eve\n${PHONE + 1},Zoe\n`
  expect((await upload(bulk, first)).data).toMatchObject({ lines: 4, refused: 1, duplicates: 1, estimate: 0.1 })
  const second = `${HEADER}${written},Dan\n${PHONE + 2},Kim\n${PHONE + 2},Lee\n`
  const added = await upload(bulk, second, { query: '?from_line=5' })
  expect(added.data).toMatchObject({ lines: 7, refused: 1, duplicates: 3, skipped: 0, estimate: 0.15 })
  expect(await status(bulk)).toMatchObject({ lines: 7, refused: 1, duplicates: 3, waiting: 3 })
  expect((await upload(bulk, first)).data).toMatchObject({ lines: 7, duplicates: 3, skipped: 4 })
})

test('a bulk that skips duplicates and has nothing else is as long as its lines, and other bulks are not looked at', async () => {
  const [one, other] = [await create({ skip_duplicates: true }), await create({ skip_duplicates: true })]
  const twice = `${HEADER}${PHONE},Ann\n${PHONE},Ann\n`
  await upload(one, HEADER + lines(1))
  expect((await upload(one, twice, { query: '?from_line=2' })).data).toMatchObject({ lines: 3, duplicates: 2 })
  expect((await upload(other, twice)).data).toMatchObject({ lines: 2, duplicates: 1 })
})

test('a bulk sends to duplicates without that option, and does not count them', async () => {
  const bulk = await create()
  const { data } = await upload(bulk, `${HEADER}${PHONE},Ann\n${PHONE},Ann\n`)
  expect(data).toMatchObject({ lines: 2, estimate: 0.1 })
  expect(data).not.toHaveProperty('duplicates')
  expect(await status(bulk)).not.toHaveProperty('duplicates')
})

test('a client that breaks off leaves whole blocks, and goes on after them', async () => {
  const bulk = await create()
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(HEADER + lines(500)))
    },
  })
  const leaving = new AbortController()
  const sent = fetch(`${bench.address}/api/bulk/${bulk.bulk_id}/lines`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'text/csv' },
    body,
    duplex: 'half',
    signal: leaving.signal,
  } as RequestInit)
  await expect.poll(async () => (await status(bulk))['lines']).toBe(400)
  leaving.abort()
  await expect(sent).rejects.toThrow()
  expect((await upload(bulk, HEADER + lines(100, 400), { query: '?from_line=401' })).data).toMatchObject({ lines: 500 })
  expect(bench.log.lines.filter(({ level }) => level !== 'info')).toEqual([])
})

test('a start needs lines and money, and a repeat changes nothing', async () => {
  await bench.stop()
  await start({ balanceMicros: 60_000 })
  const bulk = await create()
  const { bulk_id } = bulk
  expect(await ask('start', { bulk_id })).toEqual(itemError('The bulk has no lines that can be sent'))
  await upload(bulk, HEADER + lines(2))
  expect(await ask('start', { bulk_id })).toEqual(itemError('Insufficient funds'))
  expect((await ask('start', { bulk_id, ignore_balance: true })).data).toMatchObject({ state: 'running' })
  expect((await ask('start', { bulk_id })).data).toMatchObject({ state: 'running' })
  expect(await upload(bulk, HEADER + lines(1))).toEqual({
    success: false,
    error: 'The bulk takes no lines: it was started or stopped',
    code: 'invalid_request',
  })
})

test('a bulk is paused, goes on, and is stopped for good', async () => {
  const bulk = await create()
  const { bulk_id } = bulk
  await upload(bulk, HEADER + lines(2))
  expect(await ask('pause', { bulk_id })).toEqual(
    itemError('The bulk is not in a state that allows this: it is uploading'),
  )
  const startAt = new Date(bench.clock.now() + 3_600_000).toISOString()
  expect((await ask('start', { bulk_id, start_at: startAt })).data).toMatchObject({ state: 'ready', start_at: startAt })
  expect((await ask('pause', { bulk_id })).data).toMatchObject({ state: 'paused', reason: 'client' })
  expect((await ask('start', { bulk_id })).data).toMatchObject({ state: 'running', reason: null })
  expect((await ask('stop', { bulk_id })).data).toMatchObject({ state: 'stopped', waiting: 2 })
  expect(await ask('start', { bulk_id })).toEqual(
    itemError('The bulk is not in a state that allows this: it is stopped'),
  )
  expect((await ask('stop', { bulk_id })).data).toMatchObject({ state: 'stopped' })
})

test('a bulk with a past start time starts now, as a send does', async () => {
  const bulk = await create()
  await upload(bulk, HEADER + lines(1))
  const now = new Date(bench.clock.now()).toISOString()
  const started = await ask('start', { bulk_id: bulk.bulk_id, start_at: '2020-01-31T09:00:00Z' })
  expect(started.data).toMatchObject({ state: 'running', start_at: now })
})

test('a paused bulk waits for a new start time, and one that runs takes none', async () => {
  const bulk = await create()
  const { bulk_id } = bulk
  await upload(bulk, HEADER + lines(2))
  await ask('start', { bulk_id })
  const startAt = new Date(bench.clock.now() + 3_600_000).toISOString()
  const later = new Date(bench.clock.now() + 7_200_000).toISOString()
  expect(await ask('start', { bulk_id, start_at: startAt })).toEqual(
    itemError('The bulk is not in a state that allows this: it is running'),
  )
  await ask('pause', { bulk_id })
  expect((await ask('start', { bulk_id, start_at: startAt })).data).toMatchObject({ state: 'ready', start_at: startAt })
  expect((await ask('start', { bulk_id, start_at: later })).data).toMatchObject({ state: 'ready', start_at: later })
  expect((await ask('start', { bulk_id })).data).toMatchObject({ state: 'running' })
})

test('a bulk that is stopped during an upload says so', async () => {
  const bulk = await create()
  let rest: ReadableStreamDefaultController<Uint8Array> | null = null
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      rest = controller
      controller.enqueue(new TextEncoder().encode(HEADER + lines(210)))
    },
  })
  const sent = fetch(`${bench.address}/api/bulk/${bulk.bulk_id}/lines`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'text/csv' },
    body,
    duplex: 'half',
  } as RequestInit)
  await expect.poll(async () => (await status(bulk))['lines']).toBe(200)
  await ask('stop', { bulk_id: bulk.bulk_id })
  const stream = rest as ReadableStreamDefaultController<Uint8Array> | null
  stream?.enqueue(new TextEncoder().encode(lines(10, 210)))
  stream?.close()
  expect(await (await sent).json()).toEqual({
    success: false,
    error: 'The bulk takes no lines: it was started or stopped',
    code: 'invalid_request',
  })
})

test.each<[object, string]>([
  [{}, 'message: required'],
  [{ message: 'Hello' }, 'message: must be a send operation without phone, id, send_at, reply_to'],
  [{ message: { ...message, phone: PHONE } }, 'message: must be a send operation without phone, id, send_at, reply_to'],
  [{ message: { ...message, reply_to: 7 } }, 'message: must be a send operation without phone, id, send_at, reply_to'],
  [{ message: { ...message, hook: 'https://{{name}}.example' } }, 'hook: must have no placeholders'],
  [{ message: { ...message, hook: 'ftp://client.example' } }, 'hook: must be an absolute http or https address'],
  [{ message: { ...message, hook: 7 } }, 'hook: must be an absolute http or https address'],
  [{ message, pace: 1_001 }, 'pace: must be a whole number from 1 to 1000'],
  [{ message: { ...message, sms_message: 'x'.repeat(17_000) } }, 'message: at most 16384 bytes of JSON'],
  [{ message: { ...message, sms_message: '{{a}}'.repeat(51) } }, 'message: at most 50 placeholders'],
])('refuses to create %j', async (fields, error) => {
  expect(await ask('create', fields)).toEqual(itemError(error))
})

test('refuses a message that is no send', async () => {
  expect((await ask('create', { message: { type: 'call/otp' } })).error).toMatch(/^type: must be one of /)
})

test('an account lists its bulks, and no other account sees them', async () => {
  const [first, second] = [await create({ id: 1 }), await create({ id: 2 })]
  const { data } = await ask('list')
  expect(data.map(({ bulk_id }: BulkFacts) => bulk_id)).toEqual([second.bulk_id, first.bulk_id])
  expect((await ask('list', { after: 0 })).data).toEqual(data)
  const older = await ask('list', { after: second.bulk_id, limit: 5 })
  expect(older.data.map(({ bulk_id }: BulkFacts) => bulk_id)).toEqual([first.bulk_id])
  expect(await ask('status', { bulk_id: first.bulk_id + 64_000 })).toEqual(itemError('Bulk not found'))
})

test('an account has at most 50 bulks that have not ended', async () => {
  const bulks: BulkFacts[] = []
  for (let count = 0; count < 50; count += 1) bulks.push(await create())
  expect(await ask('create', { message })).toEqual(itemError('Too many bulks that have not ended, stop one first'))
  await ask('stop', { bulk_id: bulks[0]?.bulk_id })
  expect(await create()).toMatchObject({ state: 'uploading' })
})

test('placeholders stand in every text of a chain, under the names of the client', async () => {
  const chain = {
    ...{ type: 'viber+sms', viber_type: 'text', viber_signature: 'ChatTest', viber_message: 'Hi {{name}}' },
    ...{ sms_signature: 'SMSTest', sms_message: 'Hi {{name}} \\{{name}} {{1}}' },
  }
  const bulk = await create({ message: chain })
  const body = `${HEADER}${PHONE},Ann\n${PHONE},${'x'.repeat(1_000)}\n`
  expect((await upload(bulk, body)).data).toMatchObject({ lines: 2, refused: 1, estimate: 0.05 })
  const { data } = await ask('errors', { bulk_id: bulk.bulk_id })
  expect(data).toEqual([{ line: 2, error: 'viber_message: at most 1000 characters', field: 'viber_message' }])
})

test.each([
  ['sms', { ...message, sms_signature: 'Nope' }, 'sms_signature'],
  ['a step of a chain', { ...message, type: 'rcs+sms', rcs_signature: 'Nope', rcs_message: 'Hi' }, 'rcs_signature'],
  ['a number', { ...message, sms_signature: 17 }, 'sms_signature'],
])('a bulk whose sender is not approved is refused at once: %s', async (_, wrong, field) => {
  expect(await ask('create', { message: wrong })).toEqual({ ...itemError('Error in Alpha-name'), field })
  expect((await ask('list')).data).toEqual([])
})

test('a sender that the lines name is checked with them', async () => {
  expect(await ask('create', { message: { ...message, sms_signature: '{{name}}' } })).toMatchObject({ success: true })
})

test.each(['{{ name }}', '{{name }}', '{name}'])('what looks like a placeholder is a warning: %s', async (near) => {
  const made = await ask('create', { message: { ...message, sms_message: `Hello ${near}` } })
  const warning = `message: ${near} is no placeholder and is sent as it is; write {{name}}`
  expect(made).toMatchObject({ success: true, warnings: [warning] })
})

test.each(['{{name}}', '{{1}}', '{{unsubscribe}}', 'a {1} { } {{}}'])('there is no warning for %s', async (text) => {
  const made = await ask('create', { message: { ...message, sms_message: `Hello ${text}` } })
  expect(made).toMatchObject({ success: true })
  expect(made).not.toHaveProperty('warnings')
})

test.each([
  ['no bytes', '', 'text/csv'],
  ['a header', HEADER, 'text/csv'],
  ['an empty line', '\n', 'application/x-ndjson'],
])('an upload without lines is refused: %s', async (_, body, type) => {
  const bulk = await create()
  expect(await upload(bulk, body, { type })).toEqual({
    success: false,
    error: 'The upload has no lines',
    code: 'invalid_request',
  })
  expect(await upload(bulk, HEADER + lines(2))).toMatchObject({ success: true })
  expect(await upload(bulk, HEADER, { query: '?from_line=3' })).toMatchObject({ success: true, data: { lines: 2 } })
})
