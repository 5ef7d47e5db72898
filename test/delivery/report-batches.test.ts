/** Accounts that ask for several reports in one POST: what shares a POST, when it leaves, and what its answer means. */
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { MAX_HELD } from '../../src/delivery/reports/held-reports.ts'
import { MAX_BATCH_BYTES } from '../../src/delivery/reports/report-batches.ts'
import { type AccountSettings, DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { reportId } from '../../src/domain/reports/report.ts'
import { eventually } from '../support/eventually.ts'
import type { HookSink, SunkCall } from '../support/hook-sink.ts'
import { ReportBench, type ReportBenchSetup } from '../support/report-bench.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const SECOND = 1_000
const MINUTE = 60 * SECOND

interface Stage {
  readonly bench: ReportBench
  readonly sink: HookSink
  readonly account: AccountId
}

const settingsOf = (change: Partial<AccountSettings>) => ({ ...DEFAULT_ACCOUNT_SETTINGS, ...change })

async function setStage(change: Partial<AccountSettings>, setup: ReportBenchSetup = {}): Promise<Stage> {
  const bench = await ReportBench.open(setup)
  const sink = await bench.openSink()
  const account = await bench.addAccount({ hookSecrets: [SECRET], settings: settingsOf(change) })
  return { bench, sink, account }
}

async function addMany({ bench, account, sink }: Stage, count: number, address = sink.address): Promise<Message[]> {
  const messages: Message[] = []
  for (let made = 0; made < count; made += 1) messages.push(await bench.addReports(account, address))
  return messages
}

const idOf = ({ id }: Message, number = 0) => reportId({ messageId: id, number })

/** The ids in the array of a call; a string if the body is one object. */
function idsIn({ body, headers }: SunkCall): readonly string[] | string {
  const parsed = JSON.parse(body) as { webhook_id: string }[] | object
  return Array.isArray(parsed) ? parsed.map((each) => each.webhook_id) : String(headers['webhook-id'])
}

const idsOf = (calls: readonly SunkCall[]) => calls.map(idsIn)
const sizesOf = (calls: readonly SunkCall[]) => calls.map((call) => idsIn(call).length)

async function statesOf({ bench }: Stage, messages: readonly Message[]): Promise<readonly string[]> {
  const reports = await Promise.all(messages.map((message) => bench.reportsOf(message)))
  return [...new Set(reports.flat().map(({ state, tries }) => `${state} after ${tries}`))]
}

test('a full batch leaves at once, as an array of the reports that are posted singly, with one signature', async () => {
  const stage = await setStage({ reportsPerPost: 10 }, { clock: new VirtualClock(Date.now()) })
  await using bench = stage.bench
  const messages = await addMany(stage, 10)
  await bench.rest()

  const [call, ...others] = stage.sink.calls
  expect(others).toEqual([])
  expect(call?.headers).toMatchObject({
    'content-type': 'application/json',
    'posthorn-reports': '10',
    'webhook-id': expect.stringMatching(/^batch_[0-9a-f]{32}$/),
  })
  const verified = new Webhook(SECRET).verify(call?.body ?? '', call?.headers as Record<string, string>)
  expect(verified).toEqual(
    messages.map((message) => ({ webhook_id: idOf(message), msg_id: message.id, number: 0, text: 'ä€🙂' })),
  )
  expect(await statesOf(stage, messages)).toEqual(['sent after 0'])
})

test('an account that does not ask for it gets each report alone, as an object', async () => {
  const stage = await setStage({ reportWaitMs: 5_000 })
  await using bench = stage.bench
  const messages = await addMany(stage, 3)
  await bench.rest()
  expect(idsOf(stage.sink.calls)).toEqual(messages.map((message) => idOf(message)))
  expect(stage.sink.calls.map(({ headers }) => headers['posthorn-reports'])).toEqual([undefined, undefined, undefined])
})

test('a batch that does not fill leaves when its first report has waited long enough', async () => {
  const stage = await setStage({ reportsPerPost: 100, reportWaitMs: 200 })
  await using bench = stage.bench
  const [first] = await addMany(stage, 1)
  await bench.turnTo(bench.clock.now() + 150)
  const [second] = await addMany(stage, 1)
  await bench.turnTo(bench.clock.now() + 49)
  expect(stage.sink.calls).toEqual([])
  await bench.turnTo(bench.clock.now() + 1)
  expect(idsOf(stage.sink.calls)).toEqual([[first, second].map((message) => idOf(message ?? fail()))])
  // The next batch waits anew; a batch of one report is an array too.
  const [third] = await addMany(stage, 1)
  await bench.turnTo(bench.clock.now() + 200)
  expect(idsOf(stage.sink.calls.slice(1))).toEqual([[idOf(third ?? fail())]])
})

test('a report that is older than the wait leaves at once', async () => {
  const stage = await setStage({ reportsPerPost: 100, reportWaitMs: 5_000 })
  await using bench = stage.bench
  const message = await bench.addReports(stage.account, stage.sink.address, { held: false })
  bench.clock.turnTo(bench.clock.now() + MINUTE)
  bench.reporter.wake()
  await bench.rest()
  expect(idsOf(stage.sink.calls)).toEqual([[idOf(message)]])
})

test('the reports of one message arrive in their order, never two of them in calls at the same time', async () => {
  const stage = await setStage({ reportsPerPost: 4, reportWaitMs: 0 })
  await using bench = stage.bench
  const one = await bench.addReports(stage.account, stage.sink.address, { count: 3 })
  const two = await bench.addReports(stage.account, stage.sink.address, { count: 3 })
  stage.sink.answer = () => ({ status: stage.sink.calls.length === 2 ? 500 : 200 })
  await bench.turnTo(bench.clock.now() + MINUTE)
  for (const message of [one, two]) {
    const arrived = stage.sink.calls.flatMap(idsIn).filter((id) => id.startsWith(`rep_${message.id}_`))
    expect([...new Set(arrived)]).toEqual([0, 1, 2].map((number) => idOf(message, number)))
    expect(arrived).toEqual(arrived.toSorted())
  }
})

test('all reports of a batch that fails are retried in smaller ones, with the same ids; each batch has its own', async () => {
  const settled: number[] = []
  const tamper: ReportBenchSetup['tamper'] = (store) => ({
    ...store,
    settleReports: (results) => {
      settled.push(results.length)
      return store.settleReports(results)
    },
  })
  const stage = await setStage({ reportsPerPost: 20 }, { tamper })
  await using bench = stage.bench
  stage.sink.answer = () => ({ status: stage.sink.calls.length === 1 ? 503 : 204 })
  const messages = await addMany(stage, 20)
  await bench.rest()
  expect(await statesOf(stage, messages)).toEqual(['pending after 1'])
  // One call of the store for all of them.
  expect(settled).toEqual([20])

  await bench.turnTo(bench.clock.now() + 10 * SECOND)
  const [failed, ...retried] = stage.sink.calls
  expect(sizesOf(retried)).toEqual(Array(5).fill(4))
  expect(new Set(retried.flatMap(idsIn))).toEqual(new Set(idsIn(failed ?? fail())))
  expect(new Set(stage.sink.ids).size).toBe(stage.sink.calls.length)
  expect(await statesOf(stage, messages)).toEqual(['sent after 1'])
})

test('a report that its hook cannot take holds back the others of its batch for two retries only', async () => {
  const stage = await setStage({ reportsPerPost: 100 })
  await using bench = stage.bench
  const messages = await addMany(stage, 100)
  const [bad] = messages.splice(42, 1)
  stage.sink.answer = (call) => ({ status: idsIn(call).includes(idOf(bad ?? fail())) ? 500 : 200 })
  await bench.turnTo(bench.clock.now() + 7 * MINUTE)
  // Tried in one call, then ten at a time, then alone.
  expect(sizesOf(stage.sink.calls.slice(0, 11))).toEqual([100, ...Array(10).fill(10)])
  expect(sizesOf(stage.sink.calls.slice(11)).every((size) => size === 1)).toBe(true)
  expect((await statesOf(stage, messages)).toSorted()).toEqual(['sent after 1', 'sent after 2'])
  expect(await bench.reportsOf(bad ?? fail())).toMatchObject([{ state: 'pending' }])
})

test('only reports of the same account and address share a POST', async () => {
  const stage = await setStage({ reportsPerPost: 10 })
  await using bench = stage.bench
  const { sink } = stage
  const other = await bench.addAccount({ name: 'Other Ltd', settings: settingsOf({ reportsPerPost: 10 }) })
  const expected: Record<string, string[]> = {}
  for (let count = 0; count < 6; count += 1) {
    for (const [name, account] of Object.entries({ stage: stage.account, other })) {
      for (const path of ['', '?shop=1', '?shop=2', '/other']) {
        const message = await bench.addReports(account, `${sink.address}${path}`)
        const key = `${name} /hook${path}`
        expected[key] = [...(expected[key] ?? []), idOf(message)]
      }
    }
  }
  await bench.turnTo(bench.clock.now() + SECOND)
  expect(new Set(sink.calls.map(({ path }) => path)).size).toBe(4)
  expect(idsOf(sink.calls).toSorted()).toEqual(Object.values(expected).toSorted())
})

test('a batch is bounded in bytes as in number', async () => {
  const stage = await setStage({ reportsPerPost: 1_000, reportWaitMs: 1_000 })
  await using bench = stage.bench
  const text = 'ä'.repeat(100_000)
  const messages: Message[] = []
  for (let count = 0; count < 12; count += 1) {
    messages.push(await bench.addReports(stage.account, stage.sink.address, { text }))
  }
  await bench.rest()
  // Five of 200 KB: a sixth would not fit. The last two wait for others.
  expect(sizesOf(stage.sink.calls)).toEqual([5, 5])
  for (const { body } of stage.sink.calls) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BATCH_BYTES)
  await bench.turnTo(bench.clock.now() + SECOND)
  expect(sizesOf(stage.sink.calls)).toEqual([5, 5, 2])
  const long = await bench.addReports(stage.account, stage.sink.address, { text: text.repeat(6) })
  await bench.rest()
  expect(sizesOf(stage.sink.calls.slice(3))).toEqual([1])
  expect(await statesOf(stage, [...messages, long])).toEqual(['sent after 0'])
})

test('no report waits for others while half of the memory for reports is in use', async () => {
  const stage = await setStage({ reportsPerPost: 1_000, reportWaitMs: 5_000 })
  await using bench = stage.bench
  const other = await bench.addAccount({ name: 'Other Ltd' })
  const now = bench.clock.now()
  const dead = await bench.openSink()
  dead.answer = () => null
  // Held by the reporter and not in the store, which does not matter while their hook does not answer.
  const held = Array.from({ length: MAX_HELD / 2 }, (_, index) => ({
    ...{ messageId: (1_000_000 + index) as MessageId, accountId: other, number: 0, tries: 0, createdAt: now },
    ...{ address: `${dead.address}/${index % 100}`, body: '{"type":"x"}', endsAt: now + MINUTE },
  }))
  bench.reporter.take(held)
  const message = await bench.addReports(stage.account, stage.sink.address)
  await eventually('the call to arrive', () => stage.sink.calls.length === 1)
  expect(idsOf(stage.sink.calls)).toEqual([[idOf(message)]])
})

test('410 stops the hook: all reports of the batch fail, and later ones are not sent', async () => {
  const stage = await setStage({ reportsPerPost: 5 })
  await using bench = stage.bench
  stage.sink.answer = () => ({ status: 410 })
  const messages = await addMany(stage, 5)
  await bench.rest()
  expect(await statesOf(stage, messages)).toEqual(['failed after 1'])
  const later = await addMany(stage, 5)
  await bench.rest()
  expect(stage.sink.calls).toHaveLength(1)
  expect(await statesOf(stage, later)).toEqual(['failed after 0'])
})

test('reports that were posted and not settled when the process died are posted again with their ids', async () => {
  const stage = await setStage({ reportsPerPost: 8, reportWaitMs: 1_000 })
  await using bench = stage.bench
  stage.sink.answer = () => null
  const posted = await addMany(stage, 8)
  const waiting = await addMany(stage, 3)
  await eventually('the call to arrive', () => stage.sink.calls.length === 1)
  await bench.crash()
  stage.sink.answer = () => ({ status: 200 })
  bench.clock.turnTo(bench.clock.now() + SECOND)
  bench.reporter.wake()
  await bench.rest()
  const [before, ...after] = stage.sink.calls
  expect(idsIn(before ?? fail())).toEqual(posted.map((message) => idOf(message)))
  expect(new Set(after.flatMap(idsIn))).toEqual(new Set([...posted, ...waiting].map((message) => idOf(message))))
  expect(sizesOf(after)).toEqual([8, 3])
  expect(await statesOf(stage, [...posted, ...waiting])).toEqual(['sent after 0'])
})

test('a stop posts nothing more; what waited for its batch is posted after the next start', async () => {
  const stage = await setStage({ reportsPerPost: 100, reportWaitMs: 200 })
  await using bench = stage.bench
  const messages = await addMany(stage, 3)
  await bench.reporter.stop()
  expect(bench.clock.nextAt()).toBe(null)
  expect(stage.sink.calls).toEqual([])
  await bench.crash()
  bench.clock.turnTo(bench.clock.now() + 200)
  bench.reporter.wake()
  await bench.rest()
  expect(idsOf(stage.sink.calls)).toEqual([messages.map((message) => idOf(message))])
})

test('after a change of the setting, what waits leaves in time as the new setting says', async () => {
  const stage = await setStage({ reportsPerPost: 100, reportWaitMs: 200 })
  await using bench = stage.bench
  const set = async (change: Partial<AccountSettings>) => {
    await bench.store.change({ kind: 'set account', accountId: stage.account, settings: settingsOf(change) })
    await bench.refresh()
    bench.reporter.refresh()
    await bench.rest()
  }
  const waiting = await addMany(stage, 3)
  await set({ reportsPerPost: 1 })
  const alone = await addMany(stage, 1)
  await bench.turnTo(bench.clock.now() + 200)
  expect(idsOf(stage.sink.calls)).toEqual([...alone, ...waiting].map((message) => idOf(message)))
  stage.sink.calls.length = 0
  await set({ reportsPerPost: 2 })
  const together = await addMany(stage, 2)
  await bench.rest()
  expect(idsOf(stage.sink.calls)).toEqual([together.map((message) => idOf(message))])
})

test('a dead hook is probed with a small batch; when it answers, all that waited arrives in batches', async () => {
  const stage = await setStage({ reportsPerPost: 100, reportWaitMs: 0 })
  await using bench = stage.bench
  stage.sink.answer = () => ({ status: 503 })
  const messages = await addMany(stage, 1_000)
  await bench.turnTo(bench.clock.now() + 10 * MINUTE)
  const callsWhileDown = stage.sink.calls.length
  expect(callsWhileDown).toBeLessThan(60)
  stage.sink.answer = () => ({ status: 200 })
  await bench.turnTo(bench.clock.now() + 2 * MINUTE)
  expect((await statesOf(stage, messages)).every((state) => state.startsWith('sent'))).toBe(true)
  // The largest batches take those that were not tried while it was down.
  expect(Math.max(...sizesOf(stage.sink.calls.slice(callsWhileDown)))).toBe(100)
})

test('many addresses of one hook do not wait for each other when they fill the queue', async () => {
  let claims = 0
  const tamper: ReportBenchSetup['tamper'] = (store) => ({
    ...store,
    claimReportsOf: (claim) => {
      claims += 1
      return store.claimReportsOf(claim)
    },
  })
  const stage = await setStage({ reportsPerPost: 10, reportWaitMs: 5_000 }, { tamper })
  await using bench = stage.bench
  for (let count = 0; count < 900; count += 1) {
    await bench.addReports(stage.account, `${stage.sink.address}?message=${count}`)
    await bench.rest()
  }
  // Those beyond three quarters of 1,024 left early, the oldest first.
  expect(stage.sink.calls.map(({ path }) => path)).toEqual(
    Array.from({ length: 900 - 768 }, (_, count) => `/hook?message=${count}`),
  )
  await bench.turnTo(bench.clock.now() + 5 * SECOND)
  expect(stage.sink.calls).toHaveLength(900)
  // None went through the store.
  expect(claims).toBe(0)
})

function fail(): never {
  throw new Error('it is missing')
}
