import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { COMMAND_IDS } from '../../src/wire/smpp/command.ts'
import { STATUS } from '../../src/wire/smpp/command-status.ts'
import type { Outcome } from '../../src/wire/smpp/outcome.ts'
import { bareAnswer, type ResponsePdu } from '../../src/wire/smpp/pdu.ts'
import { SmppSession } from '../../src/wire/smpp/session.ts'
import type { SessionOptions } from '../../src/wire/smpp/session-options.ts'
import { encode, Line, Owner, submit, taken } from '../support/smpp-peers.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))
const clock = new VirtualClock()
const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const usual: SessionOptions = { clock, window: 10, peerWindow: 100, responseTimeoutMs: 10_000, enquireLinkMs: null }

function onLine(options: Partial<SessionOptions> = {}, owner = new Owner()) {
  const line = new Line()
  const session = new SmppSession(line, owner, { ...usual, ...options })
  return { line, session, owner }
}

/** Two sessions with a real connection between them. */
async function connected(options: Partial<SessionOptions> = {}, far = new Owner()) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [farSocket] = (await once(server, 'connection')) as [Socket]
  server.close()
  const near = new Owner()
  const session = new SmppSession(socket, near, { ...usual, ...options })
  const farSession = new SmppSession(farSocket, far, usual)
  closers.push(() => {
    socket.destroy()
    farSocket.destroy()
  })
  return { session, near, socket, farSession, far, farSocket }
}

function send(session: SmppSession): Promise<Outcome> {
  return new Promise((resolve) => session.request(submit, resolve))
}

const refOf = (outcome: Outcome) =>
  outcome.kind === 'answered' && 'messageId' in outcome.answer ? outcome.answer.messageId : outcome

describe('a session', () => {
  test('gives every request its own answer, in both directions', async () => {
    const { session, farSession } = await connected()
    const near = await Promise.all([send(session), send(session), send(session)])
    expect(near.map(refOf)).toEqual(['id-1', 'id-2', 'id-3'])
    expect(refOf(await send(farSession))).toBe('id-1')
    expect(session.inFlight).toBe(0)
  })

  test('knows what the peer has read by one enquire_link after it, however many callers wait', async () => {
    const { line, session } = onLine()
    const read: string[] = []
    const questions = () => line.said().filter(({ command }) => command === 'enquire_link').length
    const answerTo = (sequence: number) => line.push(encode({ command: 'enquire_link_resp', status: 0 }, sequence))
    line.push(encode(submit, 1))
    await turn()
    session.whenRead(() => read.push('first'))
    await turn()
    await turn()
    expect(line.said().map(({ command }) => command)).toEqual(['submit_sm_resp', 'enquire_link'])
    for (const each of ['second', 'third']) session.whenRead(() => read.push(each))
    await turn()
    expect([questions(), read]).toEqual([1, []])
    answerTo(1)
    await turn()
    await turn()
    expect([questions(), read]).toEqual([2, ['first']])
    session.whenRead(() => read.push('never'))
    answerTo(2)
    await turn()
    expect(read).toEqual(['first', 'second', 'third'])
    session.destroy('lost')
    expect(read).toEqual(['first', 'second', 'third'])
  })

  test('writes everything of one event-loop turn at once', async () => {
    const { line, session } = onLine()
    for (let count = 0; count < 5; count += 1) session.request(submit, () => {})
    line.push(encode({ command: 'enquire_link' }, 9))
    await turn()
    await turn()
    expect(
      line
        .said()
        .map(({ command }) => command)
        .sort(),
    ).toEqual(['enquire_link_resp', ...Array(5).fill('submit_sm')])
    expect(line.writes.length).toBeLessThanOrEqual(2)
  })

  test('keeps to its window and reports a full one', async () => {
    const { session, far, farSession } = await connected({ window: 2 }, new Owner(false))
    const first = [send(session), send(session)]
    expect(session.room).toBe(0)
    expect(await send(session)).toEqual({ kind: 'failed', sent: false, reason: 'the window is full' })
    while (far.requests.length < 2) await turn()
    farSession.answer(2, taken(2))
    expect(refOf((await first[1]) as Outcome)).toBe('id-2')
    expect(session.room).toBe(1)
  })

  test('passes on a late answer, once, if it belongs to the request', async () => {
    const { line, session } = onLine()
    const late: ResponsePdu[] = []
    const outcomes: Outcome[] = []
    for (let count = 0; count < 3; count += 1) {
      session.request(
        submit,
        (outcome) => outcomes.push(outcome),
        (answer) => late.push(answer),
      )
    }
    clock.advance(10_000)
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'failed', 'failed'])
    line.push(encode(taken(1), 1))
    line.push(encode(taken(1), 1))
    line.push(encode({ command: 'enquire_link_resp', status: 0 }, 2))
    line.push(encode({ command: 'generic_nack', status: 3 }, 3))
    await turn()
    expect(late.map(({ command }) => command)).toEqual(['submit_sm_resp', 'generic_nack'])
    expect(outcomes).toHaveLength(3)
  })

  test('fails a request that is not answered in time, and ignores its late answer', async () => {
    const { line, session } = onLine()
    const silent = send(session)
    clock.advance(9_999)
    expect(session.inFlight).toBe(1)
    const later = send(session)
    clock.advance(1)
    expect(await silent).toEqual({ kind: 'failed', sent: true, reason: 'no answer to submit_sm' })
    line.push(encode(taken(1), 1))
    line.push(encode(taken(2), 2))
    expect(refOf(await later)).toBe('id-2')
    clock.advance(60_000)
    expect(session.isClosed).toBe(false)
  })

  test('refuses an answer of another kind', async () => {
    const { line, session } = onLine()
    const asked = send(session)
    line.push(encode({ command: 'enquire_link_resp', status: 0 }, 1))
    expect(await asked).toMatchObject({ kind: 'failed', sent: true })
    const refused = send(session)
    line.push(encode({ command: 'generic_nack', status: STATUS.badCommandId }, 2))
    expect(await refused).toMatchObject({ kind: 'answered', answer: { status: STATUS.badCommandId } })
  })

  test('whose connection breaks fails each request once and notifies its owner once', async () => {
    const { session, near, farSocket, far } = await connected({}, new Owner(false))
    const outcomes: Outcome[] = []
    for (let count = 0; count < 4; count += 1) session.request(submit, (outcome) => outcomes.push(outcome))
    while (far.requests.length < 4) await turn()
    farSocket.resetAndDestroy()
    while (!session.isClosed) await turn()
    clock.advance(60_000)
    expect(outcomes).toHaveLength(4)
    expect(new Set(outcomes.map((outcome) => outcome.kind === 'failed' && outcome.sent))).toEqual(new Set([true]))
    expect(near.reasons).toHaveLength(1)
    expect(await send(session)).toEqual({ kind: 'failed', sent: false, reason: 'the connection is closed' })
  })

  test('sends enquire_link and drops a silent peer', async () => {
    const { line, session, owner } = onLine({ enquireLinkMs: 30_000 })
    clock.advance(30_000)
    await turn()
    expect(line.said()).toEqual([{ command: 'enquire_link' }])
    line.push(encode({ command: 'enquire_link_resp', status: 0 }, 1))
    await turn()
    clock.advance(20_000)
    expect(session.isClosed).toBe(false)
    clock.advance(20_000)
    expect(owner.reasons).toEqual(['the peer does not answer'])
  })

  test('sends no request once it may not, even if it was written before in the same turn', async () => {
    const { line, session, owner } = onLine({ maySend: () => false })
    line.push(encode({ command: 'enquire_link' }, 7))
    for (let count = 0; count < 5; count += 1) await turn()
    const before = line.said().length
    expect(before).toBe(1)
    const asked = send(session)
    for (let count = 0; count < 5; count += 1) await turn()
    expect(line.said().slice(before)).toEqual([])
    expect(await asked).toMatchObject({ kind: 'failed' })
    expect(owner.reasons).toEqual(['it may ask nothing any more'])
  })

  test('that leaves waits for outstanding requests in both directions, unbinds and closes', async () => {
    const { session, near, far, farSession } = await connected({}, new Owner(false))
    const asked = send(session)
    while (far.requests.length < 1) await turn()
    const left = session.leave()
    expect(await send(session)).toEqual({ kind: 'failed', sent: false, reason: 'the session is ending' })
    for (let count = 0; count < 50; count += 1) await turn()
    expect(far.reasons).toEqual([])
    farSession.answer(1, taken(1))
    await left
    expect(refOf(await asked)).toBe('id-1')
    expect(near.reasons).toEqual(['unbound'])
    while (!farSession.isClosed) await turn()
    expect(far.reasons).toEqual(['the peer unbound'])
  })

  test('that leaves answers before it unbinds', async () => {
    const { line, session, owner } = onLine({}, new Owner(false))
    line.push(encode(submit, 5))
    while (owner.requests.length === 0) await turn()
    const left = session.leave()
    await turn()
    expect(line.said()).toEqual([])
    session.answer(5, taken(5))
    await turn()
    expect(line.said()).toEqual([taken(5), { command: 'unbind' }])
    line.push(encode({ command: 'unbind_resp', status: 0 }, 1))
    await left
  })

  test('that leaves is not delayed by further requests of the peer', async () => {
    const { line, session, owner } = onLine({}, new Owner(false))
    line.push(encode(submit, 5))
    while (owner.requests.length === 0) await turn()
    const left = session.leave()
    line.push(encode(submit, 6))
    while (owner.requests.length < 2) await turn()
    session.answer(5, taken(5))
    await turn()
    expect(line.said()).toEqual([taken(5), { command: 'unbind' }])
    line.push(encode({ command: 'unbind_resp', status: 0 }, 1))
    await left
  })

  test('that leaves waits a bounded time for its own answers', async () => {
    const { line, session, owner } = onLine({ responseTimeoutMs: 3_600_000 }, new Owner(false))
    line.push(encode(submit, 5))
    while (owner.requests.length === 0) await turn()
    const left = session.leave()
    clock.advance(4_999)
    await turn()
    expect(line.said()).toEqual([])
    clock.advance(1)
    await turn()
    expect(line.said()).toEqual([{ command: 'unbind' }])
    clock.advance(5_000)
    await left
    expect(owner.reasons).toEqual(['it did not end in time'])
  })

  test('that leaves a silent peer ends in bounded time', async () => {
    const { session, owner } = onLine()
    const asked = send(session)
    const left = session.leave()
    clock.advance(20_000)
    await left
    expect(await asked).toMatchObject({ kind: 'failed', sent: true })
    expect(owner.reasons).toHaveLength(1)
  })

  test('that leaves waits while the peer answers, and gives the rest up after five seconds without an answer', async () => {
    const { session, far, farSession } = await connected({ responseTimeoutMs: 3_600_000 }, new Owner(false))
    const asked = [send(session), send(session)]
    while (far.requests.length < 2) await turn()
    const left = session.leave()
    clock.advance(4_000)
    farSession.answer(1, taken(1))
    expect(refOf(await (asked[0] as Promise<Outcome>))).toBe('id-1')
    // The first five seconds had an answer, so the second answer gets five more.
    clock.advance(1_000)
    for (let count = 0; count < 50; count += 1) await turn()
    expect(session.isClosed).toBe(false)
    clock.advance(5_000)
    expect(await asked[1]).toEqual({ kind: 'failed', sent: true, reason: 'no answer to submit_sm' })
    while (!farSession.isLeaving) await turn()
    clock.advance(5_000)
    await left
  })

  test('whose peer unbinds waits for the answers that are open, and makes no further request', async () => {
    const { line, session, owner } = onLine({}, new Owner(false))
    const asked = [send(session), send(session)]
    line.push(encode(submit, 5))
    line.push(encode({ command: 'unbind' }, 6))
    while (owner.requests.length === 0) await turn()
    await turn()
    expect(await send(session)).toEqual({ kind: 'failed', sent: false, reason: 'the session is ending' })
    clock.advance(2_000)
    line.push(encode(taken(1), 1))
    await turn()
    clock.advance(2_000)
    line.push(encode(taken(2), 2))
    expect((await Promise.all(asked)).map(refOf)).toEqual(['id-1', 'id-2'])
    const said = () => line.said().filter(({ command }) => command !== 'submit_sm')
    expect(said()).toEqual([])
    session.answer(5, taken(5))
    await turn()
    expect(said()).toEqual([taken(5), { command: 'unbind_resp', status: 0 }])
    expect(owner.reasons).toEqual(['the peer unbound'])
  })

  test('whose peer unbinds and answers nothing more ends in bounded time', async () => {
    const { line, session, owner } = onLine({ responseTimeoutMs: 3_600_000 })
    const asked = send(session)
    line.push(encode({ command: 'unbind' }, 6))
    while (!session.isLeaving) await turn()
    clock.advance(5_000)
    expect(await asked).toMatchObject({ kind: 'failed', sent: true })
    expect(line.said().at(-1)).toEqual({ command: 'unbind_resp', status: 0 })
    expect(owner.reasons).toEqual(['the peer unbound'])
  })

  test('whose peer unbinds and closes at once fails what is open at once', async () => {
    const { line, session, owner } = onLine()
    const asked = [send(session), send(session)]
    line.push(encode({ command: 'unbind' }, 6))
    line.push(encode(taken(1), 1))
    line.push(null)
    expect(await asked[0]).toMatchObject({ kind: 'answered' })
    expect(await asked[1]).toEqual({ kind: 'failed', sent: true, reason: 'the peer unbound' })
    expect(owner.reasons).toEqual(['the peer unbound'])
  })

  test('that leaves while its peer unbinds waits for open answers, and answers the unbind', async () => {
    const { line, session, owner } = onLine()
    const asked = send(session)
    const left = session.leave()
    line.push(encode({ command: 'unbind' }, 6))
    await turn()
    line.push(encode(taken(1), 1))
    expect(refOf(await asked)).toBe('id-1')
    await left
    expect(line.said().at(-1)).toEqual({ command: 'unbind_resp', status: 0 })
    expect(owner.reasons).toEqual(['the peer unbound'])
  })

  test('pauses reading while too many requests of the peer wait', async () => {
    const { line, session, owner } = onLine({ peerWindow: 3 }, new Owner(false))
    for (let sequence = 1; sequence <= 6; sequence += 1) line.push(encode(submit, sequence))
    await turn()
    await turn()
    expect(owner.requests.length).toBeLessThan(6)
    for (let answered = 0; answered < 6; ) {
      for (; answered < owner.requests.length; answered += 1) session.answer(answered + 1, taken(answered + 1))
      await turn()
    }
    expect(line.said()).toHaveLength(6)
  })
})

describe('a peer that sends invalid PDUs', () => {
  test('gets an error, and the session continues', async () => {
    const { line, session } = onLine()
    const unknown = encode({ command: 'enquire_link' }, 7)
    unknown.writeUInt32BE(0x111, 4)
    const broken = encode(submit, 8).subarray(0, 30)
    broken.writeUInt32BE(broken.length, 0)
    line.push(unknown)
    line.push(broken)
    await turn()
    await turn()
    expect(line.said()).toEqual([
      { command: 'generic_nack', status: STATUS.badCommandId },
      bareAnswer(COMMAND_IDS.submit_sm, STATUS.badCommandLength),
    ])
    expect(session.isClosed).toBe(false)
  })

  test('may send any number of requests that are unknown or have no answer', async () => {
    const { line, session } = onLine()
    for (const command of [0x0000_0102, 0x0000_000b, 0x0000_0111, 0x0001_0200]) {
      for (let count = 1; count <= 150; count += 1) {
        const pdu = encode({ command: 'enquire_link' }, count)
        pdu.writeUInt32BE(command, 4)
        line.push(pdu)
      }
    }
    await turn()
    await turn()
    expect(session.isClosed).toBe(false)
    expect(line.said()).toEqual(Array(300).fill({ command: 'generic_nack', status: STATUS.badCommandId }))
  })

  test('loses the session if the start of the next PDU is unknown', async () => {
    const { line, session, owner } = onLine()
    const asked = send(session)
    line.push(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
    expect(await asked).toMatchObject({ kind: 'failed', sent: true })
    expect(line.said().at(-1)).toEqual({ command: 'generic_nack', status: STATUS.badCommandLength })
    expect(owner.reasons).toHaveLength(1)
  })

  test('never blocks it: it is closed, or it still answers', async () => {
    const head = fc.tuple(
      fc.integer({ min: 16, max: 60 }),
      fc.constantFrom(...Object.values(COMMAND_IDS), 0x21, 0x8000_0021),
      fc.constantFrom(0, 8),
      fc.integer({ min: 0, max: 4 }),
    )
    const framed = fc.tuple(head, fc.uint8Array({ minLength: 44, maxLength: 44 })).map(([fields, noise]) => {
      const bytes = Buffer.concat([Buffer.alloc(16), noise]).subarray(0, fields[0])
      fields.forEach((field, index) => void bytes.writeUInt32BE(field, index * 4))
      return bytes
    })
    const noise = fc.oneof(
      { weight: 9, arbitrary: framed },
      { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 60 }).map((array) => Buffer.from(array)) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { minLength: 1, maxLength: 6 }), async (pieces) => {
        const { line, session } = onLine()
        const outcomes: Outcome[] = []
        session.request(submit, (outcome) => outcomes.push(outcome))
        for (const piece of pieces) line.push(piece)
        await turn()
        // A PDU that was begun is completed first, and the longest has 64 KiB.
        const answered = () => line.said().some(({ command }) => command === 'enquire_link_resp')
        for (let filled = 0; filled < 70_000 && !session.isClosed && !answered(); filled += 1_600) {
          for (let count = 0; count < 100; count += 1) line.push(encode({ command: 'enquire_link' }, 99))
          await turn()
          await turn()
        }
        expect(session.isClosed || answered()).toBe(true)
        session.destroy('the test is over')
        expect(outcomes).toHaveLength(1)
      }),
      { numRuns: 60 },
    )
  })
})
