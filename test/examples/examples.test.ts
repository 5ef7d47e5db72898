/** Replays examples/ against the whole sandbox: request, answer, and the report that the client's hook gets. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { PhoneText } from '../../src/simulator/smpp/phone-text.ts'
import { useOwnWorld } from '../support/own-world.ts'
import { expectLike } from '../support/placeholders.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

interface Example {
  readonly name: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly first?: ExampleRequest
  /** What a simulated phone writes by SMS before the requests. */
  readonly inbound?: PhoneText
  readonly request: ExampleRequest
  readonly answer: unknown
  readonly report?: ExampleReport
  readonly reports?: readonly { readonly id: number }[]
}

interface ExampleReport {
  readonly type: string
  readonly phone: number
  readonly sender?: string
}

interface ExampleRequest {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly rawBody?: string
}

const folder = new URL('../../examples/', import.meta.url)
const examples = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file): [string, Example] => [file, JSON.parse(readFileSync(new URL(file, folder), 'utf8'))])

/** Those whose answers are all that the account has, with the one that made it. */
const WHOLE_LISTS: Readonly<Record<string, string | null>> = {
  ...{ 'event-list.json': null, 'inbound-list.json': null, 'template-list.json': 'template-create.json' },
}
const LIFETIME_SECONDS = 60
const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start(LIFETIME_SECONDS)
})
afterAll(() => world.stop())

/** The code in the text that arrived last. */
const codeThatArrived = () => /\d{6}/.exec(world.box.traffic.arrivals.at(-1)?.text ?? '')?.[0] ?? ''

const withKey = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('<API_KEY>', world.key)]))
const bulkIn = (answer: string) => /"bulk_id":(\d+)/.exec(answer)?.[1] ?? ''

/** Answers with the text of the answer. `before` is the answer to the request before it. */
async function send(request: ExampleRequest, before = ''): Promise<string> {
  const { path, method = 'POST', headers = {}, body, rawBody } = request
  const text = (rawBody ?? JSON.stringify(body) ?? '')
    .replaceAll('<API_KEY>', world.key)
    .replaceAll('<HOOK>', world.sink.address)
    .replaceAll('<IN_A_MINUTE>', new Date(world.clock.now() + 60_000).toISOString())
    .replaceAll('"<VERIFY_ID>"', /"verify_id":(\d+)/.exec(before)?.[1] ?? '')
    .replaceAll('"<INBOUND_ID>"', /"inbound_id":(\d+)(?!.*"inbound_id")/.exec(before)?.[1] ?? '')
    .replaceAll('<CODE>', codeThatArrived())
    .replaceAll('"<BULK_ID>"', bulkIn(before))
  const response = await fetch(world.gateway.address + path.replace('<BULK_ID>', bulkIn(before)), {
    method,
    ...(method === 'GET' ? {} : { body: text }),
    headers: { 'Content-Type': 'application/json', ...withKey(headers) },
  })
  expect(response.status).toBe(200)
  return response.text()
}

async function expectReport(report: ExampleReport, reportsBefore: number): Promise<void> {
  if (report.type === 'link.clicked') {
    await world.pass(1)
    const [link = ''] = world.box.traffic.arrivals.at(-1)?.text.match(/http\S+/) ?? []
    await fetch(link, { headers: { 'User-Agent': BROWSER }, redirect: 'manual' })
    await world.rest()
  } else if (report.type === 'recipient.opted_out') {
    await world.pass(1)
    await pressUnsubscribe(world.box.traffic.arrivals.at(-1)?.text ?? '')
    const optOut = { phone: String(report.phone), sender: report.sender }
    onTestFinished(async () => {
      const path = `/accounts/${world.accountId}/opt-outs/remove`
      expect((await world.askAdmin('POST', path, { body: optOut })).status).toBe(204)
    })
    await world.rest()
  } else {
    await world.pass(2 * LIFETIME_SECONDS + 2)
  }
  const received = world.reports.slice(reportsBefore)
  expectLike(received.at(-1)?.body, report)
}

/** Opens the link in the text and presses the button of its page. */
async function pressUnsubscribe(text: string): Promise<void> {
  const [link = ''] = text.match(/http\S+/) ?? []
  const token = /name="token" value="(\w+)"/.exec(await (await fetch(link)).text())?.[1] ?? ''
  const body = new URLSearchParams({ token, action: 'out' })
  const { status } = await fetch(link, { method: 'POST', body, redirect: 'manual' })
  expect(status).toBe(303)
}

/** Expects one call with these reports, in any order. */
async function expectReports(reports: readonly { readonly id: number }[], reportsBefore: number): Promise<void> {
  await world.pass(2)
  expect(world.reports.length - reportsBefore).toBe(reports.length)
  const received = JSON.parse(world.sink.calls.at(-1)?.body ?? '[]') as { readonly id: number }[]
  expectLike(
    received.toSorted((a, b) => a.id - b.id),
    reports,
  )
}

/** Changes settings of the account; returns those that it had. */
async function changeSettings(settings: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  const path = `/accounts/${world.accountId}`
  const { body: before } = await world.askAdmin('GET', path)
  expect((await world.askAdmin('PATCH', path, { body: settings })).status).toBe(200)
  return Object.fromEntries(Object.keys(settings).map((name) => [name, (before as Record<string, unknown>)[name]]))
}

test.each(examples)('%s', async (file, { settings = {}, first, inbound, request, answer, report, reports }) => {
  const maker = WHOLE_LISTS[file]
  if (maker !== undefined) {
    await useOwnWorld(world, (used) => {
      world = used
    })
    for (const [name, { request }] of examples) if (name === maker) await send(request)
  }
  await world.rest()
  if (Object.keys(settings).length > 0) {
    const usual = await changeSettings(settings)
    onTestFinished(async () => void (await changeSettings(usual)))
  }
  const reportsBefore = world.reports.length
  if (inbound !== undefined) expect(await world.box.write({ ...inbound, channel: 'sms' })).toBe(null)
  const before = first === undefined ? null : await send(first)
  if (first !== undefined) await (JSON.stringify(request).includes('<CODE>') ? world.pass(1) : world.rest())
  const text = await send(request, before ?? '')
  const isRepeated = JSON.stringify(first) === JSON.stringify(request)
  expectLike(JSON.parse(text), answer)
  if (isRepeated && JSON.parse(text).success) expect(text).toBe(before)
  expect(report !== undefined || reports !== undefined).toBe(JSON.stringify([first, request]).includes('<HOOK>'))
  if (report !== undefined) await expectReport(report, reportsBefore)
  if (reports !== undefined) await expectReports(reports, reportsBefore)
})
