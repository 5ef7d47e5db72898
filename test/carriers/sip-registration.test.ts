/**
 * Trunks that take calls from registered clients only: when the gateway registers, how often, and what happens if they
 * refuse.
 */
import { afterEach, expect, it } from 'vitest'
import { provesCredentials } from '../../src/wire/sip/digest.ts'
import { answerTo, cseqOf, headerOf } from '../../src/wire/sip/headers.ts'
import type { SipHeader, SipRequest, SipResponse } from '../../src/wire/sip/message.ts'
import { listenSip, type SipPath } from '../../src/wire/sip/transport.ts'
import { eventually, turnLoop } from '../support/eventually.ts'
import { begin, closeAll, open, submission, taken, Wire } from '../support/sip-stage.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

afterEach(closeAll)

const CREDENTIALS = { username: 'acme', password: 'p' }

/** Returns a registrar's answer to a REGISTER; null for silence. */
type Registrar = (register: SipRequest) => SipResponse | null

async function startTrunk(registrar: Registrar, settings: object = {}) {
  const clock = new VirtualClock()
  const wire = new Wire()
  const trunk = { registrar }
  const paths: SipPath[] = []
  const listener = await listenSip({ host: '127.0.0.1', port: 0 }, (message, path) => {
    wire.watch('in', message, path)
    paths.push(path)
    if (message.kind === 'response') return
    if (message.method === 'INVITE') path.send(answerTo(message, 180, 'Ringing', 'phone'))
    const answer = message.method === 'REGISTER' ? trunk.registrar(message) : null
    if (answer !== null) path.send(answer)
  })
  open.push(() => listener.close())
  const carrier = begin(clock, {
    port: listener.port,
    registerSeconds: 600,
    domain: 'trunk.example',
    ...CREDENTIALS,
    ...settings,
  })
  return { carrier, clock, wire, trunk, listener }
}

const accepts: Registrar = (register) => {
  const contact = headerOf(register, 'Contact') ?? ''
  const others: SipHeader = [
    'Contact',
    `<sip:acme@192.0.2.9>;expires=5, ${contact};expires=${headerOf(register, 'Expires')}`,
  ]
  return answerTo(register, 200, 'OK', 'r', [others])
}
const refuses = (status: number, reason: string, more: readonly SipHeader[] = []): Registrar => {
  return (register) => answerTo(register, status, reason, 'r', more)
}
const registrationOf = (carrier: ReturnType<typeof begin>) =>
  carrier.state().links.find(({ name }) => name === 'registration')

it('registers before it calls, and again at three quarters of the time', async () => {
  const { carrier, clock, wire } = await startTrunk(accepts)
  expect(carrier.state().up).toBe(false)
  await eventually('the registration', () => carrier.state().up)
  const { message } = await wire.next('in REGISTER')
  expect(message).toMatchObject({ uri: 'sip:trunk.example' })
  expect(headerOf(message, 'To')).toBe('<sip:acme@trunk.example>')
  expect(headerOf(message, 'Contact')).toMatch(/^<sip:acme@127\.0\.0\.1:\d+>$/)
  expect(await carrier.submit(submission())).toEqual([taken])
  clock.advance(449_000)
  await turnLoop()
  expect(wire.count('in REGISTER')).toBe(1)
  clock.advance(1_000)
  const { message: second } = await wire.next('in REGISTER', 2)
  expect(headerOf(second, 'Call-ID')).toBe(headerOf(message, 'Call-ID'))
  expect(cseqOf(second)?.number).toBe(2)
})

it('proves its credentials, and registers for as long as the registrar asks', async () => {
  let nonces = 0
  const { carrier, wire } = await startTrunk((register) => {
    const asked = { realm: 'r', nonce: `n${nonces}`, method: 'REGISTER', algorithm: 'SHA-256' as const }
    if (!provesCredentials(headerOf(register, 'Authorization') ?? '', CREDENTIALS, asked)) {
      nonces += 1
      const challenge = `Digest realm="r", nonce="n${nonces}", algorithm=SHA-256, qop="auth"`
      return answerTo(register, 401, 'Unauthorized', 'r', [['WWW-Authenticate', challenge]])
    }
    const expires = Number(headerOf(register, 'Expires'))
    return expires < 1_800 ? refuses(423, 'Interval Too Brief', [['Min-Expires', '1800']])(register) : accepts(register)
  })
  await eventually('the registration', () => carrier.state().up)
  const asked = wire.messages.map(({ message }) => headerOf(message, 'Expires'))
  expect(asked).toEqual(['600', '600', '1800'])
})

it('is down while it is refused, retries with growing waits, and does not call', async () => {
  const { carrier, clock, wire, trunk } = await startTrunk(refuses(403, 'Forbidden'), { transport: 'tcp' })
  await eventually('the refusal', () => registrationOf(carrier)?.lastError === 'registration: 403 Forbidden')
  expect(carrier.state()).toMatchObject({ up: false, lastError: 'registration: 403 Forbidden' })
  expect(await carrier.submit(submission())).toEqual([{ kind: 'unreachable', reason: 'registration: 403 Forbidden' }])
  for (const [index, waitMs] of [5_000, 10_000, 20_000].entries()) {
    clock.advance(waitMs)
    await wire.next('in REGISTER', index + 2)
    await turnLoop()
  }
  clock.advance(20_000)
  await turnLoop()
  expect(wire.count('in REGISTER')).toBe(4)
  trunk.registrar = accepts
  clock.advance(20_000)
  await eventually('the registration', () => carrier.state().up)
  expect(wire.count('in INVITE')).toBe(0)
})

it('waits for as long as the registrar asks', async () => {
  const { carrier, clock, wire } = await startTrunk(refuses(503, 'Busy', [['Retry-After', '120']]), {
    transport: 'tcp',
  })
  await eventually('the refusal', () => registrationOf(carrier)?.lastError !== null)
  clock.advance(119_000)
  await turnLoop()
  expect(wire.count('in REGISTER')).toBe(1)
  clock.advance(1_000)
  await wire.next('in REGISTER', 2)
})

it('calls until a registration expires that cannot be renewed', async () => {
  const { carrier, clock, trunk } = await startTrunk(accepts)
  await eventually('the registration', () => carrier.state().up)
  trunk.registrar = refuses(500, 'Out of order')
  clock.advance(450_000)
  await eventually('the refusal', () => registrationOf(carrier)?.lastError !== null)
  expect(carrier.state().up).toBe(true)
  clock.advance(150_000)
  expect(carrier.state().up).toBe(false)
})

it('registers again after the connection was lost', async () => {
  const { carrier, clock, wire } = await startTrunk(accepts, { transport: 'tcp' })
  await eventually('the registration', () => carrier.state().up)
  const { path } = await wire.next('in REGISTER')
  path.send({ kind: 'request', method: 'X\u00a0', uri: 'not a request', headers: [], body: new Uint8Array(0) })
  await eventually('the loss', () => !carrier.state().up)
  clock.advance(1_000)
  await eventually('the registration', () => carrier.state().up)
  expect(wire.count('in REGISTER')).toBe(2)
})

it('removes its registration when it stops', async () => {
  const { carrier, wire } = await startTrunk(accepts)
  await eventually('the registration', () => carrier.state().up)
  await carrier.stop()
  const { message } = await wire.next('in REGISTER', 2)
  expect(headerOf(message, 'Expires')).toBe('0')
})

it('gives up on a registrar that calls every lifetime too brief', async () => {
  let least = 600
  const { carrier, wire } = await startTrunk((register) => {
    least += 1
    return refuses(423, 'Interval Too Brief', [['Min-Expires', String(least)]])(register)
  })
  await eventually('the refusal', () => registrationOf(carrier)?.lastError !== null)
  expect(wire.count('in REGISTER')).toBe(2)
})

it('requires a user name', () => {
  expect(() => begin(new VirtualClock(), { port: 5_060, registerSeconds: 600 })).toThrow(
    'registerSeconds: needs a username',
  )
})
