/**
 * Flash calls against other SIP programs: SIPp as the phone, directly and behind Kamailio, which challenges the caller.
 * On loopback, in real time.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/app/system/system-clock.ts'
import { systemRandom } from '../../src/app/system/system-random.ts'
import { createSipCarrier } from '../../src/carriers/sip/sip-carrier.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Carrier, Submission } from '../../src/ports/carriers/carrier.ts'
import { listenSip } from '../../src/wire/sip/transport.ts'
import { DebianProgram, findProgram } from '../support/debian-program.ts'
import { eventually } from '../support/eventually.ts'
import { InboxWitness } from '../support/inbox-witness.ts'
import { SilentLog } from '../support/silent-log.ts'
import { writeKamailioConfig } from './kamailio-config.ts'
import { type ScenarioName, writeScenario } from './sipp-scenarios.ts'

const SIPP = findProgram('sipp', 'sip-tester', { words: ['-v'], exitCode: 99 })
const KAMAILIO = findProgram('kamailio', 'kamailio', { words: ['-v'] })
const CREDENTIALS = { username: 'posthorn', password: 'sesame' }

const given = new Set<number>()

/** Returns a port that is free for UDP and TCP, outside of the range that the system assigns, each once. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + systemRandom.below(10_000)
    if (given.has(port)) continue
    given.add(port)
    const listener = await listenSip({ host: '127.0.0.1', port }, () => {}).catch(() => null)
    if (listener === null) continue
    await listener.close()
    return port
  }
}

/** A phone that plays the scenario for one call and then ends. */
async function startPhone(
  opened: AsyncDisposableStack,
  name: ScenarioName,
  transport: 'udp' | 'tcp',
  proxied: boolean,
) {
  const program = new DebianProgram()
  opened.defer(() => program.stop())
  const [port, controlPort] = [await freePort(), await freePort()]
  writeFileSync(join(program.folder, 'scenario.xml'), writeScenario(name, { proxied }))
  const place = ['-i', '127.0.0.1', '-bind_local', '-p', String(port), '-ci', '127.0.0.1', '-cp', String(controlPort)]
  const bounds = ['-m', '1', '-timeout', '20s', '-timeout_error', '-deadcall_wait', '0', '-nostdin', '-trace_err']
  program.start(SIPP ?? '', ['-sf', 'scenario.xml', '-t', transport === 'udp' ? 'u1' : 't1', ...place, ...bounds])
  await program.listens(transport, port)
  return { port, program }
}

/** A proxy that accepts only callers with the password, and forwards everything to the phone. */
async function startProxy(
  opened: AsyncDisposableStack,
  phonePort: number,
  algorithm: 'MD5' | 'SHA-256',
): Promise<number> {
  const program = new DebianProgram()
  opened.defer(() => program.stop())
  const port = await freePort()
  const config = writeKamailioConfig({ port, phonePort, algorithm, ...CREDENTIALS })
  writeFileSync(join(program.folder, 'kamailio.cfg'), config)
  program.start(KAMAILIO ?? '', ['-f', 'kamailio.cfg', '-DD', '-E', '-m', '32', '-M', '4', '-Y', program.folder])
  await program.listens('udp', port)
  return port
}

function startCarrier(opened: AsyncDisposableStack, settings: object): Carrier {
  const setup = { id: 'trunk', settings: { host: '127.0.0.1', pingMs: 0, ...settings } }
  const carrier = createSipCarrier(setup, { clock: systemClock, random: systemRandom, log: new SilentLog() })
  carrier.start(new InboxWitness())
  opened.defer(() => carrier.stop())
  return carrier
}

const CALL: Submission = {
  messageId: 640 as MessageId,
  step: 0,
  tenant: 1,
  attempt: 1,
  phone: '447700900100' as Phone,
  sender: '',
  content: { kind: 'call', from: '447700901234', code: '1234' },
  parts: [0],
  lifetimeSeconds: 60,
}

const TAKEN = { kind: 'taken' }
const UNRUNG = { kind: 'refused', status: 'UNDELIVERABLE', reason: 'answered without ringing' }
const NOT_FOUND = { kind: 'refused', status: 'UNDELIVERABLE', reason: '404 Not Found' }

/** Cancelled at once, or after longer than any scenario rings. */
const [SHORT_RING, LONG_RING] = [{ ringMs: 100 }, { ringMs: 10_000 }]

/** Returns the result of the call. */
const STORIES: readonly (readonly [name: ScenarioName, verdict: object, timing: object])[] = [
  ['rings until it is cancelled', TAKEN, SHORT_RING],
  ['plays early media until it is cancelled', TAKEN, { ...SHORT_RING, earlyMedia: 'ringing' }],
  ['plays early media until it is cancelled', { kind: 'unclear' }, { setupTimeoutMs: 1_000 }],
  ['rings reliably until it is cancelled', TAKEN, { ringMs: 500 }],
  ['is busy after it rang', TAKEN, LONG_RING],
  ['is answered at once', UNRUNG, LONG_RING],
  ['is answered after it rang', TAKEN, LONG_RING],
  ['is answered in the moment of the CANCEL', TAKEN, SHORT_RING],
  ['does not exist', NOT_FOUND, LONG_RING],
]

/** Given up before the phone rings. */
const HASTE = { setupTimeoutMs: 1_000 }
const IN_VAIN = 'did not ring within 1000 ms'

async function expectOver(carrier: Carrier, phone: DebianProgram): Promise<void> {
  await phone.endedWell()
  await eventually('the end of the call', () => carrier.state().inFlight === 0)
}

describe.skipIf(SIPP === null).concurrent.each(['udp', 'tcp'] as const)('a phone of SIPp over %s that', (transport) => {
  test.each(STORIES)('%s', async (name, verdict, timing) => {
    await using opened = new AsyncDisposableStack()
    const { port, program } = await startPhone(opened, name, transport, false)
    const carrier = startCarrier(opened, { transport, port, ...timing })
    expect(await carrier.submit(CALL)).toMatchObject([verdict])
    await expectOver(carrier, program)
  })

  test('refreshes the session while it rings', async () => {
    await using opened = new AsyncDisposableStack()
    const { port, program } = await startPhone(opened, 'refreshes the session while it rings', transport, false)
    const carrier = startCarrier(opened, { transport, port, ringMs: 500 })
    expect(await carrier.submit(CALL)).toMatchObject([TAKEN])
    await expectOver(carrier, program)
  })

  test('rings after the call was given up', async () => {
    await using opened = new AsyncDisposableStack()
    const { port, program } = await startPhone(opened, 'rings after the caller gave up', transport, false)
    const carrier = startCarrier(opened, { transport, port, ...HASTE })
    expect(await carrier.submit(CALL)).toEqual([{ kind: 'unreachable', reason: IN_VAIN }])
    await expectOver(carrier, program)
  })
})

describe.skipIf(SIPP === null || KAMAILIO === null).concurrent('a phone behind Kamailio that', () => {
  test.each(STORIES)('%s', async (name, verdict, timing) => {
    await using opened = new AsyncDisposableStack()
    const { port, program } = await startPhone(opened, name, 'udp', true)
    const carrier = startCarrier(opened, { port: await startProxy(opened, port, 'MD5'), ...CREDENTIALS, ...timing })
    expect(await carrier.submit(CALL)).toMatchObject([verdict])
    await expectOver(carrier, program)
  })

  test('rings after the call was given up', async () => {
    await using opened = new AsyncDisposableStack()
    const { port, program } = await startPhone(opened, 'rings after the caller gave up', 'udp', true)
    const carrier = startCarrier(opened, { port: await startProxy(opened, port, 'MD5'), ...CREDENTIALS, ...HASTE })
    expect(await carrier.submit(CALL)).toEqual([{ kind: 'unclear', reason: IN_VAIN }])
    await expectOver(carrier, program)
  })

  test('is reached with a proof by SHA-256', async () => {
    await using opened = new AsyncDisposableStack()
    const { port, program } = await startPhone(opened, 'rings until it is cancelled', 'udp', true)
    const carrier = startCarrier(opened, {
      port: await startProxy(opened, port, 'SHA-256'),
      ...CREDENTIALS,
      ...SHORT_RING,
    })
    expect(await carrier.submit(CALL)).toMatchObject([TAKEN])
    await expectOver(carrier, program)
  })

  test('is reached after registration, with a proof by MD5', async () => {
    await using opened = new AsyncDisposableStack()
    const { port, program } = await startPhone(opened, 'rings until it is cancelled', 'udp', true)
    const settings = { ...CREDENTIALS, ...SHORT_RING, registerSeconds: 600 }
    const carrier = startCarrier(opened, { port: await startProxy(opened, port, 'MD5'), ...settings })
    await eventually('the registration', () => carrier.state().up)
    expect(carrier.state().links).toMatchObject([
      { name: 'udp' },
      { name: 'registration', state: 'up', lastError: null },
    ])
    expect(await carrier.submit(CALL)).toMatchObject([TAKEN])
    await expectOver(carrier, program)
  })

  test('does not ring for a wrong password, and answers OPTIONS', async () => {
    await using opened = new AsyncDisposableStack()
    const port = await startProxy(opened, await freePort(), 'MD5')
    const carrier = startCarrier(opened, { port, username: 'posthorn', password: 'wrong', pingMs: 30_000 })
    await eventually('the answer to OPTIONS', () => carrier.state().up)
    expect(await carrier.submit(CALL)).toEqual([{ kind: 'unreachable', reason: expect.stringMatching(/^407 /) }])
  })
})
