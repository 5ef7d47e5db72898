/** Flash calls over trunks that misbehave: which of them ring the phone, from which number, and what is paid for. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkCarrierSettings } from '../../src/app/carriers/carrier-drivers.ts'
import { TEST_CARRIERS } from '../../src/domain/routing/test-mode.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import type { CallScript } from '../../src/simulator/sip/called-leg.ts'
import { startCalledPhone } from '../../src/simulator/sip/called-phone.ts'
import { headerOf, uriOf, userOf } from '../../src/wire/sip/headers.ts'
import { addRoute } from '../support/add-route.ts'
import { eventually, settled } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { SeededRandom } from '../support/seeded-random.ts'

/** A trunk of which a test says what its phones do, and from which numbers they were called. */
interface Trunk {
  script: CallScript
  readonly callers: string[]
  /** Milliseconds: when its phones began to ring, and when they were hung up on. */
  readonly rang: number[]
  readonly hungUp: number[]
}

const RINGS: CallScript = { does: 'ring' }
const BARRED: CallScript = { does: 'refuse', status: 403, reason: 'Forbidden' }
const OUT_OF_ORDER: CallScript = { does: 'refuse', status: 503, reason: 'Service Unavailable' }
const PREFIX = '491761'

let world: SandboxWorld
let first: Trunk
let second: Trunk
const phones: { stop(): Promise<void> }[] = []
beforeAll(async () => {
  world = await SandboxWorld.start()
  first = await addTrunk('first', 1)
  second = await addTrunk('second', 2)
  await world.carriersUp()
})
beforeEach(async () => {
  for (const trunk of [first, second]) {
    trunk.script = RINGS
    trunk.callers.length = 0
  }
  await trunksUp('first', 'second')
})
afterAll(async () => {
  await world.stop()
  for (const each of phones) await each.stop()
})

async function addTrunk(id: string, priority: number, prefix = PREFIX, poolId = 'sandbox'): Promise<Trunk> {
  const trunk: Trunk = { script: RINGS, callers: [], rang: [], hungUp: [] }
  const phone = await startCalledPhone({
    clock: world.clock,
    random: new SeededRandom(priority),
    traffic: world.box.traffic,
    script: () => trunk.script,
    watch: (direction, message) => {
      const now = world.clock.now()
      if (message.kind === 'response' && message.status === 180) trunk.rang.push(now)
      if (message.kind === 'request' && message.method === 'CANCEL') trunk.hungUp.push(now)
      if (direction === 'out' || message.kind === 'response' || message.method !== 'INVITE') return
      trunk.callers.push(userOf(uriOf(headerOf(message, 'From') ?? '') ?? '') ?? '')
    },
  })
  phones.push(phone)
  const route = { prefix, operators: null, priority, poolId }
  const settings = { host: '127.0.0.1', port: phone.port }
  await world.operate((store) => addCarrier(store, checkCarrierSettings, { id, kind: 'sip', settings, route }))
  return trunk
}

function trunksUp(...ids: readonly string[]): Promise<unknown> {
  const { fleet } = world.gateway.delivery
  const areUp = () => ids.every((id) => fleet.get(id)?.state().up === true)
  return eventually('the trunks to be up', areUp, { clock: world.clock })
}

let lastPhone = 0
/** A phone that has not been called yet. Those that end in 07 are of an operator that only these two trunks serve. */
function freshPhone(ending = '00'): string {
  lastPhone += 1
  return `${PREFIX}${100 + lastPhone}23${ending}`
}

/** Asks for a call while time goes on; the client's answer, and all that came of it. */
async function call(phone: string) {
  const asked = world.ask([{ type: 'call/otp', id: 1, phone }])
  await world.pass(40)
  const answer = await asked
  return { answer, story: await world.story(await world.lastMessageTo(phone)) }
}

test('a trunk that is out of order: the next one rings the phone, once, with the code that was promised', async () => {
  first.script = OUT_OF_ORDER
  second.script = RINGS
  const phone = freshPhone()
  const { answer, story } = await call(phone)
  const [arrival] = world.box.traffic.to(phone)
  expect(story).toEqual({
    steps: ['call DELIVERED'],
    timeline: ['call unreachable', 'call taken', 'call unanswered'],
    revoked: [],
    money: ['hold 0.02', 'charge 0.02'],
    arrived: ['call'],
    reports: [],
  })
  expect(answer).toEqual({
    success: true,
    data: [{ success: true, data: { code: arrival?.text.slice(-4), price: 0.02 } }],
  })
  expect(first.callers).toEqual([`+${arrival?.text}`])
  expect(second.callers).toEqual(first.callers)
})

test('numbers that a trunk bars are rung by the next one, and the others still by the first', async () => {
  first.script = BARRED
  second.script = RINGS
  const before = second.callers.length
  for (let index = 0; index < 6; index += 1) {
    const { answer, story } = await call(freshPhone())
    expect(answer.data).toMatchObject([{ success: true }])
    const timeline = ['call unreachable', 'call taken', 'call unanswered']
    expect(story).toMatchObject({ timeline, money: ['hold 0.02', 'charge 0.02'] })
  }
  expect(second.callers).toHaveLength(before + 6)
  expect(world.gateway.delivery.fleet.breakerOf('first')?.state).toBe('closed')
  first.script = RINGS
  expect((await call(freshPhone())).story).toMatchObject({ timeline: ['call taken', 'call unanswered'] })
  expect(second.callers).toHaveLength(before + 6)
})

test.each([
  ['is answered while it rings', { does: 'answer', afterMs: 1_000, rings: true }, 'answered'],
  ['is answered in the moment in which we hang up', { does: 'answer the cancel' }, 'answered'],
  ['is declined after it rang', { does: 'refuse', status: 603, reason: 'Decline', afterRingingMs: 500 }, 'unanswered'],
] as const)('a phone that %s has been called, and that is paid for', async (_, script, end) => {
  first.script = script
  second.script = RINGS
  const callsBefore = second.callers.length
  const { answer, story } = await call(freshPhone())
  expect(answer.data).toMatchObject([{ success: true }])
  expect(story).toMatchObject({
    steps: ['call DELIVERED'],
    timeline: ['call taken', `call ${end}`],
    money: ['hold 0.02', 'charge 0.02'],
  })
  expect(second.callers).toHaveLength(callsBefore)
})

test('each route lets the phone ring for as long as it says, and one that does not say for as long as its carrier', async () => {
  const route = { prefix: PREFIX, operators: null, poolId: 'sandbox' }
  const ringFor = (ringSeconds: number) =>
    world.operate((store) => addRoute(store, { ...route, carrierId: 'first', priority: 1, ringSeconds }))
  /** Seconds, of the calls that this trunk has placed last. */
  const ringing = ({ rang, hungUp }: Trunk) => ((hungUp.at(-1) ?? 0) - (rang.at(-1) ?? 0)) / 1_000
  first.script = RINGS
  second.script = RINGS
  await ringFor(1.5)
  await call(freshPhone())
  expect(ringing(first)).toBe(1.5)
  await ringFor(8)
  await call(freshPhone())
  expect(ringing(first)).toBe(8)
  first.script = OUT_OF_ORDER
  await call(freshPhone())
  expect(ringing(second)).toBe(3)
})

test.each([
  ['does not exist', { does: 'refuse', status: 404, reason: 'Not Found' }],
  ['is busy', { does: 'refuse', status: 486, reason: 'Busy Here' }],
  ['declines before it rings', { does: 'refuse', status: 603, reason: 'Decline' }],
] as const)('a phone that %s is not called by another trunk, and costs nothing', async (_, script) => {
  first.script = script
  second.script = RINGS
  const callsBefore = second.callers.length
  const { answer, story } = await call(freshPhone())
  expect(answer.data).toMatchObject([{ success: false, error: 'Call failed' }])
  expect(story).toMatchObject({ steps: ['call UNDELIVERABLE'], money: ['hold 0.02', 'release 0.02'], arrived: [] })
  expect(second.callers).toHaveLength(callsBefore)
})

test.each([
  ['is answered without ringing', { does: 'answer', afterMs: 0, rings: false }, 'call refused'],
  ['has early media and no ringing', { does: 'ring', as: 183 }, 'call unclear'],
  ['is tried, and may have rung', { does: 'stay silent', after: 'trying' }, 'call unclear'],
] as const)('a phone that %s is called once, by one trunk, and costs nothing', async (_, script, end) => {
  first.script = script
  second.script = RINGS
  const callsBefore = [first.callers.length, second.callers.length]
  const { answer, story } = await call(freshPhone())
  expect(answer.data).toEqual([{ success: false, error: 'Call failed', code: 'call_failed', data: { id: 1 } }])
  expect(story).toMatchObject({ timeline: [end], money: ['hold 0.02', 'release 0.02'] })
  expect([first.callers.length, second.callers.length]).toEqual([(callsBefore[0] ?? 0) + 1, callsBefore[1]])
})

describe('a call that no trunk rings', () => {
  const FAILED = {
    success: true,
    data: [{ success: false, error: 'Call failed', code: 'call_failed', data: { id: 1 } }],
  }
  const FREE = ['hold 0.02', 'release 0.02']

  test.each([
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [406, 'Not Acceptable'],
    [421, 'Extension Required'],
    [488, 'Not Acceptable Here'],
    [503, 'Service Unavailable'],
  ])('fails at once if all answer %i, after each was asked once', async (status, reason) => {
    first.script = { does: 'refuse', status, reason }
    second.script = { does: 'refuse', status, reason }
    first.callers.length = 0
    second.callers.length = 0
    const phone = freshPhone('07')
    // No time passes: nothing is waited for.
    expect(await world.ask([{ type: 'call/otp', id: 1, phone }])).toEqual(FAILED)
    await world.pass(40)
    expect([first.callers.length, second.callers.length]).toEqual([1, 1])
    const story = await world.story(await world.lastMessageTo(phone))
    const timeline = ['call unreachable', 'call unreachable']
    expect(story).toMatchObject({ steps: ['call UNDELIVERABLE'], timeline, money: FREE, arrived: [] })
  })

  test('fails when its time is over if a trunk is silent, and is not tried again', async () => {
    first.script = OUT_OF_ORDER
    second.script = { does: 'stay silent', after: 'nothing' }
    first.callers.length = 0
    const { answer, story } = await call(freshPhone('07'))
    expect(answer).toEqual(FAILED)
    expect(story).toMatchObject({ steps: ['call UNDELIVERABLE'], money: FREE, arrived: [] })
    expect(first.callers).toHaveLength(1)
  })

  test('fails at once if its only trunk refuses every call, and soon the trunk is not asked any more', async () => {
    const trunk = await addTrunk('closed', 1, '491762')
    trunk.script = BARRED
    await trunksUp('closed')
    const ask = (last: number) => world.ask([{ type: 'call/otp', id: 1, phone: `491762${100 + last}2307` }])
    for (let last = 0; last < 9; last += 1) expect(await ask(last)).toEqual(FAILED)
    expect(world.gateway.delivery.fleet.breakerOf('closed')?.state).toBe('open')
    expect(trunk.callers).toHaveLength(9)
    expect(await ask(20)).toEqual(FAILED)
    expect(trunk.callers).toHaveLength(9)
    const story = await world.story(await world.lastMessageTo('4917621202307'))
    expect(story).toMatchObject({ steps: ['call NO ROUTE'], timeline: ['call no route'], money: FREE })
  })

  test('fails at once if its only trunk is down', async () => {
    const trunk = await addTrunk('away', 1, '491763')
    await world.pass(5)
    await trunksUp('away')
    await phones.pop()?.stop()
    await world.pass(40)
    expect(world.gateway.delivery.fleet.get('away')?.state().up).toBe(false)
    expect(await world.ask([{ type: 'call/otp', id: 1, phone: '4917631002307' }])).toEqual(FAILED)
    expect(trunk.callers).toEqual([])
  })
})

test('a trunk that is down: calls go by the next one from a number of its own pool', async () => {
  const pool = { id: 'other', numbers: ['493221188001', '493221188002'], codeDigits: 4 }
  await world.operate((store) => store.change({ kind: 'set pool', pool }))
  await addTrunk('lost', 1, '491764')
  const phone = phones.pop()
  const spare = await addTrunk('spare', 2, '491764', 'other')
  await world.pass(5)
  await phone?.stop()
  await world.pass(40)
  expect(world.gateway.delivery.fleet.get('lost')?.state().up).toBe(false)
  const answer = await world.ask([{ type: 'call/otp', id: 1, phone: '4917641002307' }])
  expect(answer.data).toMatchObject([{ success: true }])
  expect(spare.callers).toEqual([expect.stringMatching(/^\+49322118800[12]$/)])
})

describe('the statistics', () => {
  const statistics = async (query = '') => (await world.askAdmin('GET', `/calls/statistics?${query}`)).body['data']
  /** What calls add to the line of a carrier. */
  async function added(carrier: string, calls: () => Promise<unknown>) {
    type Line = Readonly<Record<string, number | string>>
    const lineOf = async () => ((await statistics('by=carrier')) as Line[]).find((line) => line['carrier'] === carrier)
    const before = await lineOf()
    await calls()
    const after = Object.entries((await lineOf()) ?? {}).flatMap(([name, value]) => {
      const more = typeof value === 'number' ? value - Number(before?.[name] ?? 0) : 0
      return more === 0 || name === 'share' || name === 'ring_seconds' ? [] : [[name, more]]
    })
    return Object.fromEntries(after)
  }

  test.each([
    ['rings', RINGS, { placed: 1, rang: 1, unanswered: 1 }],
    ['is answered', { does: 'answer', afterMs: 1_000, rings: true }, { placed: 1, rang: 1, answered: 1 }],
    ['is busy', { does: 'refuse', status: 486, reason: 'Busy Here' }, { placed: 1, busy: 1 }],
    ['declines', { does: 'refuse', status: 603, reason: 'Decline' }, { placed: 1, declined: 1 }],
    ['is off', { does: 'refuse', status: 480, reason: 'Temporarily Unavailable' }, { placed: 1, off: 1 }],
    ['does not exist', { does: 'refuse', status: 404, reason: 'Not Found' }, { placed: 1, wrong_number: 1 }],
    ['the trunk bars', BARRED, { placed: 1, failed: 1 }],
  ] as const)('count a call to a phone that %s', async (_, script, counts) => {
    first.script = script
    second.script = RINGS
    expect(await added('first', () => call(freshPhone()))).toEqual(counts)
  })

  test('are of an account, of days, and by what is asked; calls with test keys are not in them', async () => {
    first.script = RINGS
    await call(freshPhone())
    const today = new Date(world.clock.now()).toISOString().slice(0, 10)
    const lines = await statistics(`account=1&from=${today}&through=${today}&by=day,account,operator`)
    expect(lines).toContainEqual(expect.objectContaining({ day: today, account: 1, carrier: null }))
    expect((await world.askAdmin('GET', '/calls/statistics?account=99')).body['detail']).toBe('there is no account 99')
    expect(await statistics('from=2001-01-01&through=2001-12-31')).toEqual([])
    const { body } = await world.askAdmin('POST', '/accounts/1/keys', { body: { name: 'tests', test: true } })
    const before = await statistics()
    const asked = world.post({ auth: body['key'], data: [{ type: 'call/otp', phone: '491701234500' }] })
    // The simulated phones open with the first call: real work, of which this clock knows nothing.
    const { fleet } = world.gateway.delivery
    const isOpen = () =>
      fleet
        .get(TEST_CARRIERS.call)
        ?.state()
        .links.some(({ state }) => state === 'up') === true
    await eventually('the simulated phones to open', isOpen)
    expect(await settled('the answer', asked, world.clock)).toMatchObject({ data: [{ success: true }] })
    await world.pass(40)
    expect(await statistics()).toEqual(before)
  })

  test.each([
    ['from=2026-02-30', 422, 'from must be a day such as 2026-11-30'],
    ['from=2026-03-02&through=2026-03-01', 422, 'from must not be later than through'],
    ['from=2024-01-01&through=2026-01-01', 422, 'a query covers at most 366 days'],
    ['by=phone', 400, 'some fields are invalid'],
  ])('refuse %s', async (query, status, detail) => {
    const reply = await world.askAdmin('GET', `/calls/statistics?${query}`)
    expect([reply.status, reply.body['detail']]).toEqual([status, detail])
  })
})
