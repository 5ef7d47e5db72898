import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { RETRY_WAITS_MS } from '../../src/delivery/judge-answer.ts'
import { reportId } from '../../src/domain/report.ts'
import { StoreError } from '../../src/ports/store.ts'
import { eventually, turnLoop } from '../support/eventually.ts'
import { ReportBench } from '../support/report-bench.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

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
    'user-agent': 'Posthorn',
    'webhook-id': reportId({ messageId: message.id, number: 0 }),
    'webhook-timestamp': String(Math.floor(bench.clock.now() / 1000)),
  })
  for (const secret of SECRETS) {
    const verified = new Webhook(secret).verify(call?.body ?? '', call?.headers as Record<string, string>)
    expect(verified).toEqual({ msg_id: message.id, number: 0, text: 'ä€🙂' })
  }
  const stranger = new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
  expect(() => stranger.verify(call?.body ?? '', call?.headers as Record<string, string>)).toThrow()
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

test('410 stops reports to that address, and to no other, until an operator resumes it', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = ({ path }) => ({ status: path === '/hook' ? 410 : 200 })
  const account = await bench.addAccount()
  const message = await bench.addReports(account, sink.address, { count: 2 })
  await bench.rest()
  // Before the directory is read anew and after it.
  const second = await bench.addReports(account, sink.address)
  await bench.rest()
  await bench.refresh()
  const third = await bench.addReports(account, sink.address)
  const elsewhere = await bench.addReports(account, `${sink.address}/other`)
  await bench.turnTo(bench.clock.now() + 5 * DAY)

  expect(sink.calls.map(({ path }) => path)).toEqual(['/hook', '/hook/other'])
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'failed', detail: 'HTTP 410' }, { state: 'failed' }])
  for (const stopped of [second, third]) {
    expect(await bench.reportsOf(stopped)).toMatchObject([{ state: 'failed', detail: expect.stringContaining('gone') }])
  }
  expect(await bench.reportsOf(elsewhere)).toMatchObject([{ state: 'sent' }])

  await bench.store.change({ kind: 'resume hook', hook: { accountId: account, address: sink.address } })
  await bench.refresh()
  sink.answer = () => ({ status: 200 })
  const resumed = await bench.addReports(account, sink.address)
  await bench.rest()
  expect(await bench.reportsOf(resumed)).toMatchObject([{ state: 'sent' }])
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

test('a hook that never answers holds up nobody else, and ends after ten seconds', async () => {
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
  // What failed stands for all that waited: nothing is left in memory or under way, and little was called.
  expect(dead.calls.length).toBeLessThanOrEqual(8)
  for (const message of stuck) {
    expect(await bench.reportsOf(message)).toMatchObject([
      { state: 'pending', detail: 'no answer within 10 s', tries: 1 },
    ])
  }
})

test('a hook that comes back gets everything', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const account = await bench.addAccount()
  const messages = await Promise.all(Array.from({ length: 200 }, () => bench.addReports(account, sink.address)))
  await bench.turnTo(bench.clock.now() + 2 * MINUTE)
  const callsWhileDown = sink.calls.length
  expect(callsWhileDown).toBeLessThan(50)
  sink.answer = () => ({ status: 200 })
  await bench.turnTo(bench.clock.now() + HOUR)
  expect(sink.calls.length).toBe(callsWhileDown + messages.length)
  for (const message of messages) expect(await bench.reportsOf(message)).toMatchObject([{ state: 'sent' }])
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

test('while a resting hook is probed, what comes for it does not wait for the answer', async () => {
  await using bench = await ReportBench.open()
  const sink = await bench.openSink()
  sink.answer = () => ({ status: 500 })
  const account = await bench.addAccount()
  await Promise.all(Array.from({ length: 20 }, () => bench.addReports(account, sink.address)))
  await bench.turnTo(bench.clock.now() + 2 * MINUTE)
  const before = sink.calls.length
  sink.answer = () => null
  const probe = await bench.addReports(account, sink.address)
  await eventually('the probe', () => sink.calls.length === before + 1)
  const others = await Promise.all(Array.from({ length: 20 }, () => bench.addReports(account, sink.address)))
  for (const message of others) {
    const [report] = await eventually('what comes for it to be put off', async () => {
      const reports = await bench.reportsOf(message)
      return reports[0]?.tries === 1 && reports
    })
    expect(report).toMatchObject({ state: 'pending', detail: 'HTTP 500' })
  }
  expect(sink.calls).toHaveLength(before + 1)
  expect(await bench.reportsOf(probe)).toMatchObject([{ state: 'pending', tries: 0 }])
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

test('a hook that nobody listens at is tried again', async () => {
  await using bench = await ReportBench.open()
  const gone = await bench.openSink()
  await gone.close()
  const message = await bench.addReports(await bench.addAccount(), gone.address)
  await bench.rest()
  expect(await bench.reportsOf(message)).toMatchObject([{ state: 'pending', detail: 'ECONNREFUSED', tries: 1 }])
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

test('a hook slower than its reports come gives way to others when the memory is full', async () => {
  await using bench = await ReportBench.open()
  const slow = await bench.openSink()
  slow.answer = () => null
  const well = await bench.openSink()
  const [one, two] = [await bench.addAccount(), await bench.addAccount({ name: 'Other Ltd' })]
  const first = await bench.addReports(one, slow.address)
  const [report] = await bench.reportsOf(first)
  // Memory is filled with copies: what a store would hold of them does not matter here.
  const copies = Array.from({ length: 20_000 }, () => report ?? fail())
  bench.reporter.take(copies)
  expect(bench.reporter.hasRoom(1)).toBe(false)
  await bench.addReports(two, well.address, { held: false })
  bench.reporter.wake()
  await turnLoop()
  expect(well.calls).toHaveLength(0)
  const { clock } = bench
  const beginning = clock.now()
  clock.advance(6 * SECOND)
  await eventually('room', () => bench.reporter.hasRoom(1), { clock })
  await eventually('the report of the other account', () => well.calls.length === 1, { clock })
  // Before the calls to the slow hook run out of time, which would make room as well.
  expect(clock.now() - beginning).toBeLessThan(10 * SECOND)
  expect(await bench.reportsOf(first)).toMatchObject([{ state: 'pending' }])
})

function fail(): never {
  throw new Error('there should be one')
}
