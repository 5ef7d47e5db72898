/** Traces of a message, as an SDK of OpenTelemetry gets them; and the client's trace without one. */
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterEach, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CLIENT_SPAN = 'b7ad6b7169203331'
const TRACEPARENT = `00-${TRACE}-${CLIENT_SPAN}-01`

let world: SandboxWorld
afterEach(async () => {
  trace.disable()
  await world.stop()
})

/** Registers an SDK as `--import` does, then starts the gateway. */
async function startTraced(): Promise<InMemorySpanExporter> {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  world = await SandboxWorld.start()
  return exporter
}

const sendTraced = (item: object, traceparent: string) =>
  world.ask([{ hook: world.sink.address, ...item }], { headers: { traceparent } })

const traceparents = () => world.sink.calls.map(({ headers }) => headers['traceparent'])

test('a message is traced from its request over its attempts and turns to its report', async () => {
  const exporter = await startTraced()
  await sendTraced(chainItem('491701242002'), TRACEPARENT)
  await world.pass(5)
  const spans = exporter.getFinishedSpans()
  expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE]))
  const [request] = spans.filter(({ name }) => name === 'request')
  expect(request?.parentSpanContext?.spanId).toBe(CLIENT_SPAN)
  expect(request?.attributes).toEqual({ 'posthorn.operation': 'send' })
  const requestId = request?.spanContext().spanId
  const others = spans.filter(({ name }) => name !== 'request')
  expect(new Set(others.map(({ parentSpanContext }) => parentSpanContext?.spanId))).toEqual(new Set([requestId]))
  const attempts = spans.filter(({ name }) => name === 'attempt')
  expect(
    attempts.map(({ attributes, status }) => [
      attributes['posthorn.channel'],
      attributes['posthorn.verdict'],
      status.code,
    ]),
  ).toEqual([
    ['rcs', 'refused', 2],
    ['chatapp', 'refused', 2],
    ['sms', 'taken', 0],
  ])
  const turns = spans.filter(({ name }) => name === 'turn').map(({ attributes }) => attributes['posthorn.event'])
  expect(turns).toEqual(['refused', 'refused', 'taken', 'delivered'])
  const reports = spans.filter(({ name }) => name === 'report')
  expect(reports.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([200])
  expect(traceparents()).toEqual([`00-${TRACE}-${reports[0]?.spanContext().spanId}-01`])
})

test('spans have no phone, no text, and no path of a hook', async () => {
  const exporter = await startTraced()
  await sendTraced(rcsItem('491701242000', { rcs_message: 'a secret text' }), TRACEPARENT)
  await world.pass(5)
  const written = JSON.stringify(
    exporter.getFinishedSpans().map(({ attributes, status, name }) => [name, attributes, status]),
  )
  expect(written).toContain('attempt')
  for (const secret of ['491701242000', 'a secret text', '/hook']) expect(written).not.toContain(secret)
})

test('a request without a trace begins one; a refused one fails', async () => {
  const exporter = await startTraced()
  await world.send(rcsItem('491701242000'))
  await world.post({ auth: 'unknown', data: [] })
  await world.pass(5)
  const requests = exporter.getFinishedSpans().filter(({ name }) => name === 'request')
  expect(requests.map(({ parentSpanContext, status }) => [parentSpanContext, status.code])).toEqual([
    [undefined, 0],
    [undefined, 2],
  ])
})

test('without an SDK, the report has the trace of the client, also on the slow path and after a restart', async () => {
  world = await SandboxWorld.start()
  await sendTraced(rcsItem('491701242000'), TRACEPARENT)
  await world.pass(5)
  expect(traceparents()).toEqual([TRACEPARENT])
  const other = TRACEPARENT.replace('b7ad', 'c7ad')
  await world.ask([{ hook: world.sink.address, ...rcsItem('491702242013') }], {
    headers: { traceparent: other, 'content-type': 'application/json; charset=utf-8' },
  })
  await world.rest()
  await world.stopGateway()
  await world.startGateway()
  await world.pass(10)
  expect(traceparents()).toEqual([TRACEPARENT, other])
})

test('the trace is kept with the message until its recipient is erased', async () => {
  world = await SandboxWorld.start()
  const answer = await sendTraced(rcsItem('491701242000'), TRACEPARENT)
  await world.pass(5)
  const id = answer.data?.[0]?.data['msg_id'] as MessageId
  const kept = async () => (await world.gateway.store.loadMessages([id]))[0]?.journey.trace
  expect(await kept()).toBe(TRACEPARENT)
  await world.gateway.store.forget('491701242000' as Phone, world.clock.now())
  expect(await kept()).toBeUndefined()
})

test('an invalid trace is as if it was not sent', async () => {
  world = await SandboxWorld.start()
  for (const text of [
    'nonsense',
    TRACEPARENT.toUpperCase(),
    `00-${'0'.repeat(32)}-${CLIENT_SPAN}-01`,
    `${TRACEPARENT}-x`,
  ]) {
    await sendTraced(rcsItem('491701242000'), text)
  }
  await world.pass(5)
  expect(traceparents()).toEqual([undefined, undefined, undefined, undefined])
})
