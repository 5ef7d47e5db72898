import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { reportId } from '../../src/domain/reports/report.ts'
import { RETRY_WAITS_MS } from '../../src/domain/reports/report-schedule.ts'
import { StoreError } from '../../src/ports/records/store-errors.ts'
import { eventually, turnLoop } from '../support/eventually.ts'
import { ReportBench } from '../support/report-bench.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

/** Of all that fails at an address that is not public: what is open there is not shown. */
const NOT_PUBLIC = 'no HTTP answer from this address, which is not public'
const SECRETS = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD']
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test('a report is signed by every secret of its account and settled as sent', async () => {
  await using bench = await ReportBench.open({ clock: new VirtualClock(Date.now()) })
  const sink = await bench.openSink()
  const account = await bench.addAccount({ hookSecrets: SECRETS })
  const message = await bench.addReports(account, `${sink.address}?shop=1`)
  await bench.rest()

  const [call] = sink.calls
  expect(call?.path).toBe('/hook?shop=1')
  expect(call?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': `posthorn/${about.version}`,
    'webhook-id': reportId({ messageId: message.id, number: 0 }),
    'webhook-timestamp': String(Math.floor(bench.clock.now() / 1000)),
  })
  for (const secret of SECRETS) {
    const verified = new Webhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>)
    expect(verified).toEqual({ msg_id: message.id, number: 0, text: 'ä€🙂' })
  }
  const otherSecret = new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
  expect(() => otherSecret.verify(call?.body ?? '', call?.headers as Record<string, string>)).toThrow()
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent', detail: 'HTTP 200', tries: 0 }])
})

test('an account without secrets gets its reports unsigned', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  await bench.addReports(await bench.addAccount({ hookSecrets: [] }), sink.address)
  await bench.rest()
  expect(sink.calls[0]?.headers['webhook-id']).toMatch(/^rep_/)
  expect(sink.calls[0]?.headers['webhook-timestamp']).toMatch(/^\d+$/)
  expect(sink.calls[0]?.headers['webhook-signature']).toBeUndefined()
})

test('a hook that keeps failing is tried ten times over three days, always under the same id, and then given up', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const message = await bench.addReports(await bench.addAccount(), sink.address)
  const beginning = bench.clock.now()
  await bench.turnTo(beginning + 7 * DAY)

  expect(new Set(sink.ids)).toEqual(new Set([reportId({ messageId: message.id, number: 0 })]))
  expect(new Set(sink.calls.map(({ body }) => body)).size).toBe(1)
  const waits = sink.calls.slice(1).map((call, index) => call.at - (sink.calls[index]?.at ?? 0))
  expect(waits).toHaveLength(RETRY_WAITS_MS.length)
  for (const [index, wait] of waits.entries()) {
    const planned = RETRY_WAITS_MS[index] ?? 0
    expect(wait).toBeGreaterThanOrEqual(planned * 0.9)
    expect(wait).toBeLessThanOrEqual(planned * 1.1 + SECOND)
  }
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'failed', detail: 'HTTP 500', tries: 10 }])
})

test('every try is signed anew, with the time at which it is made', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: sink.calls.length === 1 ? 500 : 200 })
  await bench.addReports(await bench.addAccount({ hookSecrets: SECRETS }), sink.address)
  await bench.turnTo(bench.clock.now() + MINUTE)
  expect(sink.calls).toHaveLength(2)
  for (const { headers, body, at } of sink.calls) {
    const seconds = Math.floor(at / 1000)
    expect(headers['webhook-timestamp']).toBe(String(seconds))
    const signatures = SECRETS.map((each) =>
      new Webhook(each).sign(String(headers['webhook-id']), new Date(seconds * 1000), body),
    )
    expect(headers['webhook-signature']).toBe(signatures.join(' '))
  }
})

test.each([
  ['seconds', () => '600'],
  ['a date', (now: number) => new Date(now + 10 * MINUTE).toUTCString()],
])('Retry-After in %s is honoured', async (_, retryAfter) => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = ({ at }) =>
    sink.calls.length === 1 ? { status: 429, headers: { 'retry-after': retryAfter(at) } } : { status: 204 }
  const message = await bench.addReports(await bench.addAccount(), sink.address)
  const beginning = bench.clock.now()
  await bench.turnTo(beginning + 10 * MINUTE - SECOND)
  expect(sink.calls).toHaveLength(1)
  await bench.turnTo(beginning + 10 * MINUTE + SECOND)
  expect(sink.calls).toHaveLength(2)
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent', tries: 1 }])
})

test('Retry-After puts a report off by a day at most', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () =>
    sink.calls.length === 1 ? { status: 503, headers: { 'retry-after': '99999999' } } : { status: 200 }
  await bench.addReports(await bench.addAccount(), sink.address)
  await bench.turnTo(bench.clock.now() + DAY + MINUTE)
  expect(sink.calls).toHaveLength(2)
})

test('a report to a private address is given up, and the log says so without the path', async () => {
  await using bench = await ReportBench.open()
  const message = await bench.addReports(await bench.addAccount(), 'http://10.1.2.3/hook?token=1')
  await bench.rest()
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'failed', tries: 0 }])
  const warnings = bench.log.lines.filter(({ level }) => level === 'warn')
  expect(warnings).toEqual([
    {
      level: 'warn',
      fields: { accountId: message.accountId, origin: 'http://10.1.2.3', reason: '10.1.2.3 is not a public address' },
      line: 'a report was given up: hooks must not have this address',
    },
  ])
})

test('reports of one message arrive in their order, and a failing one holds back those behind it', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: sink.calls.length === 2 ? 500 : 200 })
  const message = await bench.addReports(await bench.addAccount(), sink.address, { count: 4 })
  await bench.turnTo(bench.clock.now() + MINUTE)
  expect(sink.ids).toEqual([0, 1, 1, 2, 3].map((number) => reportId({ messageId: message.id, number })))
  expect((await bench.reportsOf(message)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', 'sent'])
})

test('a report that is given up frees the next', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = ({ headers }) => ({ status: String(headers['webhook-id']).endsWith('_0') ? 500 : 200 })
  const message = await bench.addReports(await bench.addAccount(), sink.address, { count: 2 })
  await bench.turnTo(bench.clock.now() + 4 * DAY)
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'failed' }, { state: 'sent' }])
})

test('a hook that never answers delays no other, and its call ends after ten seconds', async () => {
  await using bench = await ReportBench.open()
  const dead = await bench.openSink()
  dead.answer = () => null
  const well = await bench.openSink()
  const [one, two] = [await bench.addAccount(), await bench.addAccount({ name: 'Other Ltd' })]
  const stuck = await Promise.all(Array.from({ length: 100 }, () => bench.addReports(one, dead.address)))
  const sent = await Promise.all(Array.from({ length: 100 }, () => bench.addReports(two, well.address)))
  await eventually('the reports of the other account', () => well.calls.length === sent.length)
  // The hook was given a few calls, not all.
  await turnLoop()
  expect(dead.calls.length).toBeLessThanOrEqual(8)
  expect(await bench.reportsOf(stuck[0] ?? fail())).toMatchObject([{ state: 'pending', tries: 0 }])

  bench.clock.advance(10 * SECOND)
  await bench.rest()
  expect(dead.calls.length).toBeLessThanOrEqual(8)
  const reports = (await Promise.all(stuck.map((message) => bench.reportsOf(message)))).flat()
  const tried = reports.filter(({ tries }) => tries > 0)
  expect(tried).toHaveLength(dead.calls.length)
  for (const report of tried) expect(report).toMatchObject({ state: 'pending', detail: NOT_PUBLIC, tries: 1 })
  // What was never sent has used no try.
  for (const report of reports.filter(({ tries }) => tries === 0)) {
    expect(report).toMatchObject({ state: 'pending', detail: '', triedAt: null })
  }
})

test('a hook that fails holds up no other hook on its host', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = ({ path }) => ({ status: path === '/hook/500' ? 500 : 200 })
  const account = await bench.addAccount()
  for (let count = 0; count < 60; count += 1) await bench.addReports(account, `${sink.address}/500`)
  await bench.rest()
  const well = await bench.addReports(account, `${sink.address}/ok`)
  await bench.rest()
  expect(await bench.reportsOf(well)).toMatchObject([{ state: 'sent', tries: 0 }])
})

test('addresses that differ in the query alone are one hook', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const account = await bench.addAccount()
  for (let count = 0; count < 60; count += 1) await bench.addReports(account, `${sink.address}?message=${count}`)
  await bench.rest()
  expect(sink.calls.length).toBeLessThanOrEqual(8)
})

test('a hook that comes back gets everything within a minute', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const account = await bench.addAccount()
  const messages = await Promise.all(Array.from({ length: 200 }, () => bench.addReports(account, sink.address)))
  await bench.turnTo(bench.clock.now() + 2 * HOUR)
  const callsWhileDown = sink.calls.length
  sink.answer = () => ({ status: 200 })
  await bench.turnTo(bench.clock.now() + MINUTE)
  expect(sink.calls.length).toBe(callsWhileDown + messages.length)
  for (const message of messages) expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent' }])
})

test('after each of many short outages, what waited arrives as soon as the hook answers', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  const account = await bench.addAccount()
  for (let outage = 0; outage < 6; outage += 1) {
    sink.answer = () => ({ status: 503 })
    const messages = await Promise.all(Array.from({ length: 100 }, () => bench.addReports(account, sink.address)))
    await bench.turnTo(bench.clock.now() + (3 + 2 * outage) * SECOND)
    sink.answer = () => ({ status: 200 })
    // The rest that is under way is no longer than the outage was.
    await bench.turnTo(bench.clock.now() + 20 * SECOND)
    const reports = (await Promise.all(messages.map((message) => bench.reportsOf(message)))).flat()
    expect(reports.filter(({ state }) => state !== 'sent')).toEqual([])
    expect(reports.reduce((sum, { tries }) => sum + tries, 0)).toBe(sink.calls.length - reports.length)
    sink.calls.length = 0
  }
})

test('a report that fails while its hook takes others is brought forward ever less, and ends when it is due to end', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  const account = await bench.addAccount()
  const bad = await bench.addReports(account, `${sink.address}?bad`, { count: 2 })
  sink.answer = ({ path }) => ({ status: path.endsWith('bad') ? 500 : 200 })
  const beginning = bench.clock.now()
  for (let hour = 1; hour <= 24; hour += 1) {
    await bench.turnTo(beginning + hour * HOUR)
    for (let count = 0; count < 5; count += 1) await bench.addReports(account, sink.address)
    await bench.rest()
  }
  const calls = sink.calls.filter(({ path }) => path.endsWith('bad')).length
  expect(calls).toBeLessThan(40)
  expect(await bench.reportsOf(bad)).toMatchObject([
    { state: 'pending', tries: calls },
    { state: 'pending', tries: 0 },
  ])
  await bench.turnTo(beginning + 8 * DAY)
  expect(await bench.reportsOf(bad)).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
})

test('an account with many hooks that never answer leaves connections to the others', async () => {
  await using bench = await ReportBench.open()
  const dead = await bench.openSink()
  dead.answer = () => null
  const well = await bench.openSink()
  const [one, two] = [await bench.addAccount(), await bench.addAccount({ name: 'Other Ltd' })]
  const { port } = new URL(dead.address)
  for (let host = 1; host <= 200; host += 1) await bench.addReports(one, `http://hook-${host}.example:${port}/`)
  await bench.addReports(two, well.address)
  await eventually('the report of the other account', () => well.calls.length === 1)
  await eventually('as many calls as one account may have', () => dead.calls.length === 128)
  await turnLoop()
  expect(dead.calls).toHaveLength(128)
  bench.clock.advance(10 * SECOND)
  bench.clock.advance(10 * SECOND)
})

test('slow hooks leave calls to the other hooks of their account', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  const account = await bench.addAccount()
  // Well at first, so that they may be called widely.
  for (const slow of [1, 2, 3]) {
    await Promise.all(Array.from({ length: 100 }, () => bench.addReports(account, `${sink.address}/slow-${slow}`)))
  }
  await bench.rest()
  sink.answer = ({ path }) => (path.includes('slow') ? null : { status: 200 })
  for (const slow of [1, 2, 3]) {
    await Promise.all(Array.from({ length: 100 }, () => bench.addReports(account, `${sink.address}/slow-${slow}`)))
  }
  const well = await bench.addReports(account, `${sink.address}/well`)
  await eventually('the report of the other hook', async () => (await bench.reportsOf(well))[0]?.state === 'sent')
  bench.clock.advance(10 * SECOND)
})

test('redirects are not followed', async () => {
  await using bench = await ReportBench.open()
  const [sink, elsewhere] = [await bench.openSink(), await bench.openSink()]
  sink.answer = () => ({ status: 307, headers: { location: elsewhere.address } })
  const message = await bench.addReports(await bench.addAccount(), sink.address)
  await bench.rest()
  expect(elsewhere.calls).toEqual([])
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'pending', detail: 'HTTP 307', tries: 1 }])
})

test('a hook at an address that is not public is given up at once, and nothing is called', async () => {
  await using bench = await ReportBench.open()
  const account = await bench.addAccount()
  const inside = await bench.addReports(account, 'http://10.0.0.1/hook')
  const nonsense = await bench.addReports(account, 'nonsense')
  await bench.rest()
  expect(await bench.reportsOf(inside)).toMatchObject([{ state: 'failed', detail: '10.0.0.1 is not a public address' }])
  expect(await bench.reportsOf(nonsense)).toMatchObject([{ state: 'failed', detail: 'not an http or https address' }])
})

test('a hook that refuses connections is retried', async () => {
  await using bench = await ReportBench.open()
  const gone = await bench.openSink()
  await gone.close()
  const message = await bench.addReports(await bench.addAccount(), gone.address)
  await bench.rest()
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'pending', detail: NOT_PUBLIC, tries: 1 }])
})

test('what the store refuses to settle is settled later, without another call', async () => {
  let refusals = 3
  await using bench = await ReportBench.open({
    tamper: (store) => ({
      ...store,
      settleReports: async (results) => {
        if (refusals > 0) throw new StoreError(`the disk is full, ${refusals--}`)
        return store.settleReports(results)
      },
    }),
  })
  const sink = await bench.openSink()
  const message = await bench.addReports(await bench.addAccount(), sink.address, { count: 2 })
  await eventually(
    'both reports',
    async () => (await bench.reportsOf(message)).every(({ state }) => state === 'sent'),
    {
      clock: bench.clock,
    },
  )
  expect(refusals).toBe(0)
  expect(sink.calls).toHaveLength(2)
  expect(bench.log.lines.filter(({ level }) => level === 'error')).toHaveLength(3)
})

test('after a crash the next process sends what was under way, waiting or in line, under the same ids', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => null
  const account = await bench.addAccount()
  const messages = await Promise.all(
    Array.from({ length: 20 }, () => bench.addReports(account, sink.address, { count: 2 })),
  )
  const waiting = await bench.addReports(account, sink.address, { held: false })
  await eventually('the first calls', () => sink.calls.length === 8)
  await bench.crash()
  sink.answer = () => ({ status: 200 })
  bench.reporter.wake()
  await bench.rest()
  const expected = messages.flatMap(({ id }) => [0, 1].map((number) => reportId({ messageId: id, number })))
  expect(sink.ids.slice(8).toSorted()).toEqual([...expected, reportId({ messageId: waiting.id, number: 0 })].toSorted())
  for (const message of messages) {
    expect((await bench.reportsOf(message)).map(({ state }) => state)).toEqual(['sent', 'sent'])
  }
})

test('after a crash the next process keeps to the schedule of what waits in the store', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500, headers: { 'retry-after': '630' } })
  const message = await bench.addReports(await bench.addAccount(), sink.address)
  const beginning = bench.clock.now()
  await bench.rest()
  await bench.crash()
  sink.answer = () => ({ status: 200 })
  bench.reporter.wake()
  await bench.turnTo(beginning + HOUR)
  expect(sink.calls.map(({ at }) => Math.round((at - beginning) / SECOND))).toEqual([0, 630])
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent', tries: 1 }])
})

test('stopping waits for the calls under way and starts no other', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => null
  const account = await bench.addAccount()
  const messages = await Promise.all(Array.from({ length: 20 }, () => bench.addReports(account, sink.address)))
  await eventually('the first calls', () => sink.calls.length === 8)
  const stopped = bench.reporter.stop()
  await turnLoop()
  sink.answerAll(200)
  await stopped
  expect(sink.calls).toHaveLength(8)
  const states = await Promise.all(messages.map(async (message) => (await bench.reportsOf(message))[0]?.state))
  expect(states.filter((state) => state === 'sent')).toHaveLength(8)
  expect(states.filter((state) => state === 'pending')).toHaveLength(12)
})

test('one account never fills the memory: others have room however much it has', async () => {
  await using bench = await ReportBench.open()
  const slow = await bench.openSink()
  slow.answer = () => null
  const well = await bench.openSink()
  const [one, two] = [await bench.addAccount(), await bench.addAccount({ name: 'Other Ltd' })]
  let flood = 0
  for (let hook = 0; hook < 60; hook += 1) {
    const address = `${slow.address}/${hook}`
    const message = await bench.addReports(one, address)
    const [report] = await bench.reportsOf(message)
    // Memory is filled with copies: what a store would hold of them does not matter here.
    const copy = { ...(report ?? fail()), endsAt: bench.clock.now() + DAY }
    for (let copies = 0; copies < 255 && bench.reporter.placeFor([copy]) === 'held'; copies += 1) {
      bench.reporter.take([copy])
      flood += 1
    }
  }
  expect(flood).toBeGreaterThan(9_000)
  expect(flood).toBeLessThanOrEqual(10_000)
  const other = await bench.addReports(two, well.address)
  await eventually('the report of the other account', async () => (await bench.reportsOf(other))[0]?.state === 'sent')
})

test('what waits beyond the memory of a slow hook is sent as soon as the hook can take it', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => null
  const account = await bench.addAccount()
  const messages = []
  for (let count = 0; count < 1_500; count += 1) messages.push(await bench.addReports(account, sink.address))
  expect(bench.reporter.facts.held).toBeGreaterThan(1_000)
  expect(bench.reporter.facts.held).toBeLessThanOrEqual(1_024 + 8)
  sink.answer = () => ({ status: 200 })
  sink.answerAll(200)
  await bench.rest()
  for (const message of messages) expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent', tries: 0 }])
})

function fail(): never {
  throw new Error('there should be one')
}
