/** Calls to hooks from a thread of its own, which is a real one here. */
import { afterEach, expect, test } from 'vitest'
import { HOOK_WORKER } from '../../src/app/hooks/open-hook-post.ts'
import { HookThread } from '../../src/http/hooks/hook-thread.ts'
import { createHookPost } from '../../src/http/hooks/post-hook.ts'
import type { HookAnswer, HookPost } from '../../src/ports/hooks/hook-post.ts'
import { HostNames } from '../../src/wire/host-names.ts'
import { eventually } from '../support/eventually.ts'
import { EXITS, HANGS, RUNS_OUT_OF_MEMORY, THROWS } from '../support/faults-of-hook-worker.ts'
import { callTo } from '../support/hook-call.ts'
import { HookSink } from '../support/hook-sink.ts'
import { readReport } from '../support/received-report.ts'
import { SilentLog } from '../support/silent-log.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const SECRET = `whsec_${Buffer.from('the secret of a hook').toString('base64')}`
const OLD_SECRET = `whsec_${Buffer.from('the old secret').toString('base64')}`
const FAULTY_WORKER = new URL('../support/faulty-hook-worker.ts', import.meta.url)
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const ANSWERED = { kind: 'answered', status: 200, retryAfterMs: null }
const FAILED = { kind: 'failed', reason: 'the thread that posts reports failed' }

const endings: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

function open({ file = HOOK_WORKER, allow = ['127.0.0.0/8'] }: { file?: URL; allow?: readonly string[] } = {}) {
  const clock = new VirtualClock()
  const log = new SilentLog()
  const thread = new HookThread({ clock, log, file, worker: { allow } })
  endings.push(() => thread.stop())
  return { clock, log, thread }
}

async function openSink(): Promise<HookSink> {
  const sink = await HookSink.open(new VirtualClock())
  endings.push(() => sink.close())
  return sink
}

test('a call arrives with its body, its id and a signature for each secret', async () => {
  const sink = await openSink()
  const { thread } = open()
  const body = '{"text":"ä€🙂"}'
  expect(await thread.post(callTo(sink.address, { body, secrets: [SECRET, OLD_SECRET] }))).toEqual(ANSWERED)
  expect(await thread.post(callTo(sink.address, { id: 'rep_2_0', traceparent: TRACEPARENT }))).toEqual(ANSWERED)
  const [signed, unsigned] = sink.calls
  for (const secret of [SECRET, OLD_SECRET]) {
    expect(signed && readReport(signed, secret)).toMatchObject({ id: 'rep_1_0', body: { text: 'ä€🙂' } })
  }
  expect(unsigned?.headers).toMatchObject({ 'webhook-id': 'rep_2_0', traceparent: TRACEPARENT })
  expect(signed?.headers).not.toHaveProperty('traceparent')
  expect(unsigned?.headers).not.toHaveProperty('webhook-signature')
})

test('the status and Retry-After come back', async () => {
  const sink = await openSink()
  sink.answer = () => ({ status: 503, headers: { 'retry-after': '7' } })
  expect(await open().thread.post(callTo(sink.address))).toEqual({
    kind: 'answered',
    status: 503,
    retryAfterMs: 7_000,
  })
})

test('the thread starts with the first call', async () => {
  const { thread } = open()
  expect(thread.work).toEqual({ starts: 0, batches: 0 })
  await thread.stop()
  expect(thread.work).toEqual({ starts: 0, batches: 0 })
})

test('the calls of one turn of the event loop cross in one message', async () => {
  const sink = await openSink()
  const { thread } = open()
  const calls = Array.from({ length: 40 }, () => thread.post(callTo(sink.address)))
  await Promise.resolve()
  calls.push(thread.post(callTo(sink.address)))
  expect(await Promise.all(calls)).toEqual(calls.map(() => ANSWERED))
  expect(sink.calls).toHaveLength(41)
  expect(thread.work).toEqual({ starts: 1, batches: 1 })
  await thread.post(callTo(sink.address))
  expect(thread.work).toEqual({ starts: 1, batches: 2 })
})

test('each call gets its own answer', async () => {
  const sink = await openSink()
  sink.answer = ({ headers }) => ({ status: 200 + Number(String(headers['webhook-id']).split('_')[1]) })
  const { thread } = open()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) => thread.post(callTo(sink.address, { id: `rep_${number}_0` }))),
  )
  expect(answers.map((answer) => answer.kind === 'answered' && answer.status)).toEqual(
    Array.from({ length: 20 }, (_, number) => 200 + number),
  )
})

test.each([
  'http://10.0.0.1/hook',
  'http://169.254.169.254/latest',
  'https://[::1]/hook',
  'http://localhost:9/hook',
  'ftp://example.com/hook',
  'not an address',
])('an address is refused in the same words as without a thread: %s', async (address) => {
  const names = new HostNames()
  const inProcess: HookPost = createHookPost({
    ...{ clock: new VirtualClock(), allow: [] },
    resolve: (name) => names.resolve(name),
  })
  endings.push(() => inProcess.stop())
  const answer: HookAnswer = await open({ allow: [] }).thread.post(callTo(address))
  expect(answer.kind).toBe('forbidden')
  expect(answer).toEqual(await inProcess.post(callTo(address)))
})

test('the networks that the operator allows count in the thread', async () => {
  const sink = await openSink()
  const address = sink.address.replace('127.0.0.1', 'localhost')
  expect(await open({ allow: ['127.0.0.0/8', '::1/128'] }).thread.post(callTo(address))).toEqual(ANSWERED)
  expect(await open({ allow: ['10.0.0.0/8'] }).thread.post(callTo(sink.address))).toMatchObject({ kind: 'forbidden' })
  expect(sink.calls).toHaveLength(1)
})

test.each([THROWS, EXITS, RUNS_OUT_OF_MEMORY])(
  'when the thread ends, its calls have failed and a second later another one takes over: %s',
  async (fault) => {
    const sink = await openSink()
    sink.answer = () => null
    const { clock, log, thread } = open({ file: FAULTY_WORKER })
    const unanswered = thread.post(callTo(sink.address))
    await eventually('the call to arrive', () => sink.calls.length === 1)
    expect(await thread.post(callTo(fault))).toEqual(FAILED)
    expect(await unanswered).toEqual(FAILED)
    expect(log.lines).toMatchObject([{ level: 'error', fields: { calls: 2, restartMs: 1_000 } }])
    expect(log.lines[0]?.line).toBe('the thread that posts reports failed; it is started again')

    sink.answer = () => ({ status: 200 })
    const next = thread.post(callTo(sink.address))
    clock.advance(999)
    expect(thread.work.starts).toBe(1)
    clock.advance(1)
    expect(await next).toEqual(ANSWERED)
    expect(thread.work.starts).toBe(2)
  },
)

test('a thread that fails again and again is started less and less often, until it answers', async () => {
  const sink = await openSink()
  const { clock, log, thread } = open({ file: FAULTY_WORKER })
  const post = async (address: string, waitMs: number) => {
    const answer = thread.post(callTo(address))
    clock.advance(waitMs)
    return answer
  }
  for (const waitMs of [0, 1_000, 2_000]) expect(await post(EXITS, waitMs)).toEqual(FAILED)
  expect(await post(sink.address, 4_000)).toEqual(ANSWERED)
  expect(await post(EXITS, 0)).toEqual(FAILED)
  expect(log.lines.map(({ fields }) => fields['restartMs'])).toEqual([1_000, 2_000, 4_000, 1_000])
})

test('a thread that answers nothing for a minute is ended', async () => {
  const { clock, thread } = open({ file: FAULTY_WORKER })
  const answer = thread.post(callTo(HANGS))
  await eventually('the thread to start', () => thread.work.starts === 1)
  clock.advance(60_000)
  expect(await answer).toEqual(FAILED)
})

test('a stop fails what is under way and closes the connections', async () => {
  const sink = await openSink()
  sink.answer = () => null
  const { clock, log, thread } = open()
  const unanswered = thread.post(callTo(sink.address))
  await eventually('the call to arrive', () => sink.calls.length === 1)
  const late = thread.post(callTo(sink.address))
  await thread.stop()
  const stopping = { kind: 'failed', reason: 'the gateway is stopping' }
  expect(await Promise.all([unanswered, late, thread.post(callTo(sink.address))])).toEqual([
    stopping,
    stopping,
    stopping,
  ])
  await eventually('the connection to close', async () => (await sink.connections()) === 0)
  expect(log.lines).toEqual([])
  expect(clock.nextAt()).toBeNull()
})

test('a stop does not wait for the next thread, nor for one that hangs', async () => {
  const waiting = open({ file: FAULTY_WORKER })
  expect(await waiting.thread.post(callTo(EXITS))).toEqual(FAILED)
  const late = waiting.thread.post(callTo(EXITS))
  await waiting.thread.stop()
  expect(await late).toMatchObject({ kind: 'failed' })
  expect(waiting.thread.work.starts).toBe(1)

  const hanging = open({ file: FAULTY_WORKER })
  const call = hanging.thread.post(callTo(HANGS))
  await eventually('the thread to start', () => hanging.thread.work.starts === 1)
  await hanging.thread.stop()
  expect(await call).toMatchObject({ kind: 'failed' })
})
