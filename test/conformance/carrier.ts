/**
 * The guarantees of every carrier, tested against its double over real sockets. A carrier's own test builds the
 * bench; tests that its protocol does not support are skipped by channel, never by name.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Channel, descriptorOf } from '../../src/domain/channels/channel.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Verdict } from '../../src/domain/message/journey-event.ts'
import type { Content } from '../../src/domain/message/message.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Carrier, Submission, WebhookRequest } from '../../src/ports/carriers/carrier.ts'
import type { PhoneTraffic } from '../../src/simulator/phones/traffic.ts'
import { eventually, settled, turnLoop } from '../support/eventually.ts'
import type { InboxWitness } from '../support/inbox-witness.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import type { VirtualClock } from '../support/virtual-clock.ts'

/** A carrier that is not started yet, connected to a double that is; `inbox` is given to it by the suite. */
export interface CarrierBench {
  readonly carrier: Carrier
  readonly clock: VirtualClock
  readonly traffic: PhoneTraffic
  readonly inbox: InboxWitness
  /** A sender that the carrier knows. */
  readonly sender: string
  readonly farSide: {
    /** Closes its port and every connection. */
    goDown(): Promise<void>
    /** Opens the same port again. */
    comeBack(): Promise<void>
  }
  /** Stops the double and the plumbing; the suite has stopped the carrier. */
  stop(): Promise<void>
}

/** The ends of numbers that the phones in the box go by. */
const ORDINARY = '00'
const RECEIPT_FIRST = '11'
const SLOW = '12'
const SILENT = '13'
const UNREACHABLE: Readonly<Record<Channel, string | null>> = {
  ...{ rcs: '01', chatapp: '02', sms: null, telegram: '02', call: '08' },
}

const LONG_TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(9)

/** Makes submissions that differ in their message, for one channel. */
export class SubmissionMaker {
  readonly #channel: Channel
  readonly #sender: string
  #made = 0

  constructor(bench: Pick<CarrierBench, 'carrier' | 'sender'>) {
    this.#channel = bench.carrier.channel as Channel
    this.#sender = bench.sender
  }

  make(phoneEnd: string, change: Partial<Submission> = {}): Submission {
    this.#made += 1
    return {
      messageId: (1_000_000 + 64 * this.#made) as MessageId,
      step: 0,
      tenant: 1,
      attempt: 1,
      phone: `3805012345${phoneEnd}` as Phone,
      sender: this.#channel === 'call' ? '' : this.#sender,
      content: this.#content(),
      parts: [0],
      lifetimeSeconds: 3_600,
      ...change,
    }
  }

  #content(): Content {
    switch (descriptorOf(this.#channel).carries) {
      case 'call':
        return { kind: 'call', from: `48221234${String(this.#made).padStart(3, '0')}`, code: '1234' }
      case 'code':
        return { kind: 'text', text: '482913', code: '482913' }
      case 'text':
        return { kind: 'text', text: `Hello number ${this.#made}` }
    }
  }
}

export function describeCarrier(name: string, build: () => Promise<CarrierBench>): void {
  describe(`${name} as every carrier`, () => {
    let bench: CarrierBench
    let submissions: SubmissionMaker

    beforeEach(async () => {
      bench = await build()
      submissions = new SubmissionMaker(bench)
    })

    afterEach(async () => {
      await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
      await bench.stop()
    })

    async function start(): Promise<void> {
      bench.carrier.start(bench.inbox)
      await eventually('the carrier to be up', () => bench.carrier.state().up)
    }

    /** Submits while sockets do their work and the clock stands still unless nothing else happens. */
    function submit(submission: Submission): Promise<readonly Verdict[]> {
      return settled('the verdicts', bench.carrier.submit(submission), bench.clock)
    }

    /** Unclear, or surely not taken: depends on the carrier. */
    const NOT_TAKEN = expect.stringMatching(/^(unclear|unreachable)$/)
    const kinds = (verdicts: readonly Verdict[]) => verdicts.map((verdict) => verdict.kind)
    const refsOf = (verdicts: readonly Verdict[]) =>
      verdicts.flatMap((verdict) => (verdict.kind === 'taken' ? [verdict.ref] : []))

    test('takes a message, gives one verdict for each part, and the phone gets it', async () => {
      await start()
      const isSms = bench.carrier.channel === 'sms'
      const submission = submissions.make(
        ORDINARY,
        isSms ? { content: { kind: 'text', text: LONG_TEXT }, parts: [0, 1, 2] } : {},
      )
      const verdicts = await submit(submission)
      expect(kinds(verdicts)).toEqual(submission.parts.map(() => 'taken'))
      expect(new Set(refsOf(verdicts)).size).toBe(verdicts.length)
      const arrivals = bench.traffic.to(submission.phone)
      expect(arrivals).toHaveLength(verdicts.length)
      expect(arrivals.every((arrival) => arrival.channel === bench.carrier.channel)).toBe(true)
      const { content } = submission
      const sent = content.kind === 'call' ? content.from : content.text
      expect(arrivals.map((arrival) => arrival.text).join('')).toBe(sent)
    })

    test('sends only the parts that are asked for', async ({ skip }) => {
      if (bench.carrier.channel !== 'sms') skip('one part is all there is')
      await start()
      const submission = submissions.make(ORDINARY, { content: { kind: 'text', text: LONG_TEXT }, parts: [1] })
      expect(kinds(await submit(submission))).toEqual(['taken'])
      const [arrival, ...others] = bench.traffic.to(submission.phone)
      expect(others).toEqual([])
      expect(LONG_TEXT.indexOf(arrival?.text ?? '')).toBeGreaterThan(0)
    })

    test('hands in one receipt for exactly the id of the verdict', async ({ skip }) => {
      if (bench.carrier.channel === 'call') skip('calls have no receipts')
      await start()
      const [first, second] = [await submit(submissions.make(ORDINARY)), await submit(submissions.make(ORDINARY))]
      const refs = refsOf([...first, ...second])
      await eventually('two receipts', () => bench.inbox.receipts.length >= 2, { clock: bench.clock })
      await turnLoop()
      const reported = bench.inbox.receipts.map(({ carrierId, ref, outcome }) => ({ carrierId, ref, outcome }))
      expect(reported).toHaveLength(2)
      for (const ref of refs)
        expect(reported).toContainEqual({ carrierId: bench.carrier.id, ref, outcome: 'delivered' })
    })

    test('reports an unreachable phone', async () => {
      await start()
      const end = UNREACHABLE[bench.carrier.channel as Channel]
      const [verdict] = await submit(submissions.make(end ?? '03'))
      if (end !== null) return expect(verdict?.kind).toBe('refused')
      expect(verdict?.kind).toBe('taken')
      await eventually('its receipt', () => bench.inbox.receipts.length > 0, { clock: bench.clock })
      expect(bench.inbox.receipts[0]?.outcome).toBe('undeliverable')
    })

    test('is unclear when nothing is answered, and has it taken the next time', async ({ skip }) => {
      if (bench.carrier.channel === 'call') skip('a phone always answers somehow')
      await start()
      const submission = submissions.make(SILENT)
      expect(kinds(await submit(submission))).toEqual(['unclear'])
      expect(bench.traffic.to(submission.phone).filter((arrival) => arrival.ref !== null)).toEqual([])
      await eventually('the carrier to be up', () => bench.carrier.state().up, { clock: bench.clock })
      expect(kinds(await submit({ ...submission, attempt: 2 }))).toEqual(['taken'])
      expect(bench.traffic.to(submission.phone).filter((arrival) => arrival.ref !== null)).toHaveLength(1)
    })

    test('passes on that it shall slow down, and has it taken the next time', async ({ skip }) => {
      if (bench.carrier.channel === 'call') skip('a phone never asks for it')
      await start()
      const submission = submissions.make(SLOW)
      expect(kinds(await submit(submission))).toEqual(['slow'])
      expect(kinds(await submit({ ...submission, attempt: 2 }))).toEqual(['taken'])
    })

    test('hands in a receipt that comes before the answer', async ({ skip }) => {
      if (bench.carrier.channel === 'call') skip('calls have no receipts')
      await start()
      const verdicts = await submit(submissions.make(RECEIPT_FIRST))
      expect(kinds(verdicts)).toEqual(['taken'])
      await eventually('the receipt', () => bench.inbox.receipts.length > 0, { clock: bench.clock })
      expect(bench.inbox.receipts.map(({ ref, outcome }) => ({ ref, outcome }))).toEqual([
        { ref: refsOf(verdicts)[0], outcome: 'delivered' },
      ])
    })

    test('carries a whole window at once and says how much is on the wire', async ({ skip }) => {
      if (bench.carrier.channel === 'call') skip('calls end by themselves')
      await start()
      expect(bench.carrier.state().inFlight).toBe(0)
      const many = Array.from({ length: Math.min(bench.carrier.window, 20) }, () => submissions.make(SILENT))
      const pending = Promise.all(many.map((submission) => bench.carrier.submit(submission)))
      await eventually('all of them on the wire', () => bench.carrier.state().inFlight === many.length)
      const verdicts = await settled('all verdicts', pending, bench.clock)
      expect(kinds(verdicts.flat())).toEqual(many.map(() => 'unclear'))
      expect(bench.carrier.state().inFlight).toBe(0)
      await eventually('the carrier to be up', () => bench.carrier.state().up, { clock: bench.clock })
      const again = Promise.all(many.map((submission) => bench.carrier.submit({ ...submission, attempt: 2 })))
      expect(kinds((await settled('all verdicts', again, bench.clock)).flat())).toEqual(many.map(() => 'taken'))
      expect(bench.carrier.state().inFlight).toBe(0)
    })

    test('takes nothing while the far side is down, and works again by itself when it is back', async () => {
      await start()
      expect(kinds(await submit(submissions.make(ORDINARY)))).toEqual(['taken'])
      await bench.farSide.goDown()
      const verdicts = await submit(submissions.make(ORDINARY))
      expect(kinds(verdicts)).toEqual([NOT_TAKEN])
      await eventually('the loss to be noticed', () => !bench.carrier.state().up, { clock: bench.clock })
      expect(bench.carrier.state().lastError).toEqual(expect.any(String))
      await bench.farSide.comeBack()
      await eventually('the carrier to be up again', () => bench.carrier.state().up, { clock: bench.clock })
      expect(kinds(await submit(submissions.make(ORDINARY)))).toEqual(['taken'])
    })

    test('starts while the far side is down and is up once it is there', async () => {
      await bench.farSide.goDown()
      bench.carrier.start(bench.inbox)
      expect(kinds(await submit(submissions.make(ORDINARY)))).toEqual([NOT_TAKEN])
      // One that needs no connection may learn of it only now.
      expect(bench.carrier.state().up).toBe(false)
      expect(bench.carrier.isUp ?? false).toBe(false)
      await bench.farSide.comeBack()
      await eventually('the carrier to be up', () => bench.carrier.state().up, { clock: bench.clock })
      expect(bench.carrier.isUp ?? true).toBe(true)
      expect(kinds(await submit(submissions.make(ORDINARY)))).toEqual(['taken'])
    })

    test('gives every verdict when it is stopped, and takes nothing more', async () => {
      await start()
      const end = bench.carrier.channel === 'call' ? ORDINARY : SILENT
      const pending = bench.carrier.submit(submissions.make(end))
      await eventually('it to be on the wire', () => bench.carrier.state().inFlight > 0)
      await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
      expect(await settled('the verdict', pending)).toHaveLength(1)
      expect(bench.carrier.state()).toMatchObject({ up: false, inFlight: 0 })
      expect(kinds(await submit(submissions.make(ORDINARY)))).toEqual([NOT_TAKEN])
      await settled('the carrier to stop again', bench.carrier.stop(), bench.clock)
    })

    test('shows the state and load of each of its links', async () => {
      const links = () => bench.carrier.state().links
      const before = links()
      expect(new Set(before.map(({ name }) => name)).size).toBe(Math.max(before.length, 1))
      expect(before.map(({ state, inFlight, lastError }) => [state, inFlight, lastError])).toEqual(
        before.map(() => ['down', 0, null]),
      )
      bench.clock.advance(1_000)
      const startedAt = bench.clock.now()
      await start()
      await eventually('all links to be up', () => links().every(({ state }) => state === 'up'))
      expect(links().map(({ since }) => since)).toEqual(before.map(() => startedAt))
      const pending = bench.carrier.submit(submissions.make(bench.carrier.channel === 'call' ? ORDINARY : SILENT))
      const onThem = () => links().reduce((sum, { inFlight }) => sum + inFlight, 0)
      await eventually('it to be on one of them', () => onThem() === 1)
      await settled('the verdict', pending, bench.clock)
      await eventually('it to be on none', () => onThem() === 0, { clock: bench.clock })

      await bench.farSide.goDown()
      // One that needs no connection learns of it by what it sends.
      await submit(submissions.make(ORDINARY))
      await eventually('all links to be lost', () => links().every(({ state }) => state !== 'up'), bench)
      expect(links().map(({ name, window }) => [name, window])).toEqual(
        before.map(({ name, window }) => [name, window]),
      )
      for (const { lastError, since } of links()) {
        expect(lastError).toEqual(expect.any(String))
        expect(since).toBeGreaterThanOrEqual(startedAt)
      }
      await bench.farSide.comeBack()
    })

    test('takes nothing before it is started', async () => {
      expect(bench.carrier.state().up).toBe(false)
      expect(kinds(await submit(submissions.make(ORDINARY)))).toEqual([NOT_TAKEN])
    })

    test.each([
      ['empty', ''],
      ['5,000 characters', 'x'.repeat(5_000)],
      ['half a surrogate pair', 'a\ud83d'],
      ['the other half first', '\ude00\ud83d b'],
      ['nul and line ends', 'a\u0000b\r\nEvil: header\r\n\r\n'],
    ])('answers absurd content with a verdict: %s', async (_, text) => {
      await start()
      const content: Content =
        bench.carrier.channel === 'call' ? { kind: 'call', from: text, code: text } : { kind: 'text', text }
      expect(await submit(submissions.make(ORDINARY, { content }))).toHaveLength(1)
      expect(await submit(submissions.make(ORDINARY, { content, sender: text }))).toHaveLength(1)
      const adorned = { ...content, image: text, button: text, link: text }
      expect(await submit(submissions.make(ORDINARY, { content: adorned, lifetimeSeconds: 1e12 }))).toHaveLength(1)
      await eventually('the carrier to be up', () => bench.carrier.state().up, { clock: bench.clock })
      expect(kinds(await submit(submissions.make(ORDINARY)))).toEqual(['taken'])
    })

    test('answers content of another channel with a verdict', async () => {
      await start()
      const content: Content =
        bench.carrier.channel === 'call'
          ? { kind: 'text', text: 'hi' }
          : { kind: 'call', from: '48221234567', code: '4567' }
      expect(kinds(await submit(submissions.make(ORDINARY, { content })))).toEqual(['refused'])
    })

    test('lets garbage at its webhook pass by', async ({ skip }) => {
      const { carrier, inbox } = bench
      if (carrier.answerWebhook === undefined) return skip('it has no webhook')
      await start()
      for (const request of garbage()) {
        const { status } = await carrier.answerWebhook(request)
        expect(
          status === 200 || (status >= 400 && status < 500),
          `${status} to ${request.method} ${request.path}`,
        ).toBe(true)
      }
      expect(inbox.receipts).toEqual([])
      expect(carrier.state().up).toBe(true)
    })

    test('asks for a receipt again that could not be recorded', async ({ skip }) => {
      if (bench.carrier.answerWebhook === undefined) return skip('it has no webhook')
      await start()
      bench.inbox.refusals = 2
      const refs = refsOf(await submit(submissions.make(ORDINARY)))
      await eventually('the receipt', () => bench.inbox.receipts.length > 0, { clock: bench.clock })
      expect(bench.inbox.refused).toBe(2)
      expect(bench.inbox.receipts.map((receipt) => receipt.ref)).toEqual(refs)
    })
  })
}

/** Calls that no carrier makes. */
function garbage(): readonly WebhookRequest[] {
  const random = new SeededRandom(7)
  const bodies = [
    '',
    'null',
    '[]',
    '0',
    '"x"',
    '{}',
    '{',
    '{"message":null}',
    '{"message":{"data":5}}',
    '{"message":{"data":"===="}}',
    '{"message":{"data":"e30="}}',
    '{"clientToken":5,"secret":{}}',
    '{"message_token":1e999,"message_status":"delivered"}',
    '{"message_token":{"toString":1},"message_status":{"toString":1}}',
    `{"message_token":${'9'.repeat(10_000)},"message_status":${'9'.repeat(400)}}`,
    '{"__proto__":{"message":{"data":"e30="}},"constructor":5}',
    '['.repeat(100_000),
    `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    '\ufeff{}',
    '\ud83d',
  ].map((text) => Buffer.from(text))
  const noise = Array.from({ length: 40 }, () => random.bytes(random.below(400)))
  const headers = { 'content-type': 'application/json', 'x-goog-signature': 'bm90IHJpZ2h0' }
  return [...bodies, ...noise].flatMap((body, index) => [
    { method: 'POST', path: '', headers, body },
    { method: 'POST', path: '/wrong?x=1', headers: {}, body },
    { method: ['GET', 'PUT', '', 'ＰＯＳＴ'][index % 4] ?? 'GET', path: '/%zz/../', headers, body },
  ])
}
