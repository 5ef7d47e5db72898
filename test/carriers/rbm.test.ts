import { generateKeyPairSync } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { messageUuid } from '../../src/carriers/rbm/message-uuid.ts'
import { createRbmCarrier } from '../../src/carriers/rbm/rbm-carrier.ts'
import type { TrafficType } from '../../src/carriers/rbm/settings.ts'
import {
  fitFeatures,
  readCapability,
  readRbmAnswer,
  readReachable,
  writeAgentMessage,
} from '../../src/carriers/rbm/submit.ts'
import { RICH_FEATURES } from '../../src/carriers/rbm/write-rich.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { Verdict } from '../../src/domain/message/journey-event.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Submission } from '../../src/ports/carriers/carrier.ts'
import { checkAgentMessage } from '../../src/simulator/rbm/check-agent-message.ts'
import type { RbmDouble } from '../../src/simulator/rbm/rbm.ts'
import { describeCarrier, SubmissionMaker } from '../conformance/carrier.ts'
import { eventually, settled, turnLoop } from '../support/eventually.ts'
import { buildRbmBench, type HttpBench } from '../support/http-benches.ts'

describeCarrier('RBM', () => buildRbmBench())

let bench: HttpBench<RbmDouble> | null = null

afterEach(async () => {
  if (bench === null) return
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
  bench = null
})

/** Returns a started carrier; its clock stands still unless a test moves it. */
async function begin(settings: object = {}) {
  const begun = await buildRbmBench(settings)
  bench = begun
  const { carrier, inbox } = begun
  carrier.start(inbox)
  const submissions = new SubmissionMaker(begun)
  const submit = async (submission: Submission): Promise<Verdict | undefined> =>
    (await settled('the verdict', carrier.submit(submission)))[0]
  await eventually('the carrier to be up', () => carrier.state().up)
  return { ...begun, submissions, submit }
}

describe('the access token', () => {
  test('is fetched once for many messages, and again shortly before it expires', async () => {
    const { double, submissions, submit, clock } = await begin()
    for (let round = 0; round < 3; round += 1) await submit(submissions.make('04'))
    await Promise.all([1, 2, 3].map(() => submit(submissions.make('04'))))
    expect(double.tokensIssued()).toBe(1)
    clock.advance(3_599_000 - 200_000)
    expect(await submit(submissions.make('04'))).toMatchObject({ kind: 'taken' })
    await eventually('the second token', () => double.tokensIssued() === 2)
    await turnLoop()
    clock.advance(3_000_000)
    expect(await submit(submissions.make('04'))).toMatchObject({ kind: 'taken' })
    expect(double.tokensIssued()).toBe(2)
  })

  test('is fetched again once if Google refuses it, by one request for all messages', async () => {
    const { double, submissions, submit } = await begin()
    double.forgetTokens()
    const verdicts = await Promise.all([1, 2, 3, 4].map(() => submit(submissions.make('04'))))
    expect(verdicts.map((verdict) => verdict?.kind)).toEqual(['taken', 'taken', 'taken', 'taken'])
    expect(double.tokensIssued()).toBe(2)
  })

  test('with a wrong key: the verdict is unclear, the carrier is down, and the reason does not contain the key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const wrongKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const good = await buildRbmBench()
    const { double } = good
    const settings = {
      baseUrl: double.address,
      serviceAccount: { ...double.serviceAccount, private_key: wrongKey },
      agentId: 'a',
      clientToken: 'c',
    }
    const carrier = createRbmCarrier({ id: 'wrong', settings }, good)
    carrier.start(good.inbox)
    const [verdict] = await settled('the verdict', carrier.submit(new SubmissionMaker(good).make('00')))
    expect(verdict).toEqual({ kind: 'unreachable', reason: 'no access token: HTTP 400 invalid_grant' })
    expect(carrier.state()).toMatchObject({ up: false, lastError: 'no access token: HTTP 400 invalid_grant' })
    await carrier.stop()
    await good.stop()
  })
})

describe('a message', () => {
  test('is one message under one id if it is sent twice', async () => {
    const { submissions, submit, traffic } = await begin()
    const submission = submissions.make('04')
    const first = await submit(submission)
    expect(await submit({ ...submission, attempt: 2 })).toEqual(first)
    expect(first).toEqual({ kind: 'taken', ref: messageUuid(submission) })
    expect(traffic.to(submission.phone)).toHaveLength(1)
  })

  test('has an id of its own for each message, step and phone', () => {
    const one = { messageId: 64 as MessageId, step: 0, phone: '380501234567' as Phone }
    const ids = [
      one,
      { ...one, step: 1 },
      { ...one, messageId: 640 as MessageId },
      { ...one, phone: '48501234567' as Phone },
    ]
    expect(new Set(ids.map(messageUuid)).size).toBe(4)
    expect(messageUuid(one)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('is sent by the agent of its sender', async () => {
    const { submissions, submit, traffic } = await begin()
    await submit(submissions.make('04', { sender: 'Shop' }))
    await submit(submissions.make('04', { sender: 'Unknown' }))
    expect(traffic.arrivals.map((arrival) => arrival.sender)).toEqual(['agent-shop', 'agent-one'])
  })

  test('is a card if it has an image, and has a button only with a link', () => {
    const link = { button: 'Open', link: 'https://example.com/a' }
    const suggestions = [{ action: { text: 'Open', postbackData: 'button', openUrlAction: { url: link.link } } }]
    const read = (content: object) =>
      JSON.parse(
        writeAgentMessage({ kind: 'text', text: 'Hi', ...content }, { lifetimeSeconds: 60, trafficType: null }),
      )
    expect(read({})).toEqual({ contentMessage: { text: 'Hi' }, ttl: '60s' })
    expect(read(link)).toEqual({ contentMessage: { text: 'Hi', suggestions }, ttl: '60s' })
    expect(
      read({ ...link, image: 'https://example.com/i.png' }).contentMessage.richCard.standaloneCard.cardContent,
    ).toEqual({
      description: 'Hi',
      media: { height: 'MEDIUM', contentInfo: { fileUrl: 'https://example.com/i.png' } },
      suggestions,
    })
    for (const content of [
      {},
      link,
      { image: 'https://example.com/i.png' },
      { text: '', image: 'https://example.com/i.png' },
    ]) {
      expect(typeof checkAgentMessage(JSON.stringify(read(content)))).toBe('object')
    }
  })

  test('has a lifetime of at most fifteen days', () => {
    expect(
      JSON.parse(writeAgentMessage({ kind: 'text', text: 'Hi' }, { lifetimeSeconds: 1e9, trafficType: null })).ttl,
    ).toBe('1296000s')
  })

  test("that Google rejects is refused with Google's reason", async () => {
    const { submissions, submit } = await begin()
    const button = { button: 'x'.repeat(26), link: 'https://example.com' }
    expect(await submit(submissions.make('00', { content: { kind: 'text', text: 'Hi', ...button } }))).toEqual({
      kind: 'refused',
      status: 'REJECTED',
      reason: 'INVALID_ARGUMENT: the text of a suggestion should have 1 to 25 characters',
    })
    expect(await submit(submissions.make('01'))).toMatchObject({ kind: 'refused', status: 'UNDELIVERABLE' })
    expect(await submit(submissions.make('12'))).toEqual({ kind: 'slow', reason: 'HTTP 429', retryAfterMs: 1_000 })
  })

  test.each([
    [403, '{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}', 'not permitted'],
    [400, '{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}', 'refused'],
    [403, '<html>Blocked by a proxy</html>', 'unclear'],
    [409, '{"error":{"code":409,"message":"message id exists","status":"ALREADY_EXISTS"}}', 'taken'],
    [409, '{"detail":"duplicate messageId"}', 'taken'],
    [409, '{"error":{"code":409,"message":"try again","status":"ABORTED"}}', 'unclear'],
    [404, '<html>Not found</html>', 'unclear'],
    [404, '{"error":"x"}', 'unclear'],
    [401, '{"error":{"status":"UNAUTHENTICATED"}}', 'unclear'],
    [500, '', 'unclear'],
    [503, '{"error":{"status":"UNAVAILABLE"}}', 'unclear'],
    [302, '', 'unclear'],
    [204, '', 'unclear'],
  ])('answered with HTTP %i %s is %s', (status, body, kind) => {
    expect(readRbmAnswer({ kind: 'answered', status, body, retryAfterMs: null }, 'ref').kind).toBe(kind)
  })

  test('that Google is too busy for waits as long as Google asks', () => {
    const answer = { kind: 'answered', status: 503, body: '', retryAfterMs: 5_000 } as const
    expect(readRbmAnswer(answer, 'ref')).toEqual({ kind: 'slow', reason: 'HTTP 503', retryAfterMs: 5_000 })
  })

  test('has a reason of bounded length', () => {
    const body = JSON.stringify({ error: { status: 'NOT_FOUND', message: '🙂'.repeat(10_000) } })
    const verdict = readRbmAnswer({ kind: 'answered', status: 404, body, retryAfterMs: null }, 'ref')
    expect(verdict).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^NOT_FOUND: .{1,200}$/u) })
  })
})

describe('capabilities', () => {
  test('are requested once for each phone and agent, and again when they are old', async () => {
    const { double, submissions, submit, clock, traffic } = await begin({
      checkCapabilities: true,
      capabilitySeconds: 60,
    })
    for (let round = 0; round < 3; round += 1)
      expect(await submit(submissions.make('04'))).toMatchObject({ kind: 'taken' })
    expect(double.capabilityRequests()).toBe(1)
    await submit(submissions.make('04', { sender: 'Unknown' }))
    expect(double.capabilityRequests()).toBe(2)
    clock.advance(60_000)
    await submit(submissions.make('04'))
    expect(double.capabilityRequests()).toBe(3)
    expect(traffic.arrivals).toHaveLength(5)
  })

  test('of a phone without RCS are a refusal without a message', async () => {
    const { double, submissions, submit } = await begin({ checkCapabilities: true })
    const refusal = { kind: 'refused', status: 'UNDELIVERABLE', reason: 'the phone has no RCS, by its capabilities' }
    expect(await submit(submissions.make('01'))).toEqual(refusal)
    expect(await submit(submissions.make('01'))).toEqual(refusal)
    expect(double.capabilityRequests()).toBe(1)
  })

  describe('of many phones at the same time', () => {
    const HAVE = ['04', '05', '06', '07']
    const HAVE_NOT = ['01', '02']

    /** Returns the verdicts for a text to each of these phones, submitted together. */
    async function beginMany(settings: object = {}) {
      const begun = await begin({ checkCapabilities: true, ...settings })
      const sendAll = async (ends: readonly string[], change: Partial<Submission> = {}) => {
        const made = ends.map((end) => begun.submissions.make(end, change))
        return settled('the verdicts', Promise.all(made.map(begun.submit)))
      }
      return { ...begun, sendAll }
    }

    test('are fetched by one request, and cached', async () => {
      const { double, sendAll, traffic } = await beginMany()
      const verdicts = await sendAll([...HAVE, '01'])
      expect(verdicts.map((verdict) => verdict?.kind)).toEqual(['taken', 'taken', 'taken', 'taken', 'refused'])
      expect(verdicts.at(-1)).toMatchObject({ reason: 'the phone has no RCS, by its capabilities' })
      await sendAll([...HAVE, '01'])
      expect([double.batches, double.capabilityRequests()]).toEqual([[5], 0])
      expect(traffic.arrivals).toHaveLength(8)
    })

    test('are fetched alone for a single phone, and for a message with an image or a button', async () => {
      const { double, sendAll } = await beginMany()
      await sendAll(['04', '04'])
      expect([double.batches, double.capabilityRequests()]).toEqual([[], 2])
      const image = { content: { kind: 'text', text: 'Hi', image: 'https://example.com/i.png' } } as const
      await sendAll(['05', '06'])
      await sendAll(['05', '06'], image)
      expect([double.batches, double.capabilityRequests()]).toEqual([[2], 4])
      await sendAll(['05', '06'], image)
      expect([double.batches, double.capabilityRequests()]).toEqual([[2], 4])
    })

    test('of later phones are fetched by the next batch of the agent', async () => {
      const { double, carrier, submissions } = await beginMany()
      const submit = (end: string, sender = 'Shop') => carrier.submit(submissions.make(end, { sender }))
      const first = ['02', '03'].map((end) => submit(end))
      const other = ['02', '03', '04'].map((end) => submit(end, 'Unknown'))
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      const next = ['04', '05', '01', '00'].map((end) => submit(end))
      await settled('the verdicts', Promise.all([...first, ...other, ...next]))
      expect(double.batches.toSorted()).toEqual([2, 3, 4])
    })

    test('are fetched one by one if the answer is empty: the agent may have testers only', async () => {
      const { double, sendAll } = await beginMany()
      double.unlaunch('agent-shop')
      const verdicts = await sendAll(['05', '06', '01'])
      expect(verdicts.map((verdict) => verdict?.kind)).toEqual(['taken', 'taken', 'refused'])
      expect([double.batches, double.capabilityRequests()]).toEqual([[3], 3])
      expect((await sendAll(HAVE_NOT)).map((verdict) => verdict?.kind)).toEqual(['refused', 'refused'])
    })

    test('are fetched one by one for a minute if Google refuses a batch', async () => {
      const { double, sendAll, clock } = await beginMany({ capabilitySeconds: 60 })
      double.refuseBatches(429)
      expect((await sendAll(HAVE)).map((verdict) => verdict?.kind)).toEqual(['taken', 'taken', 'taken', 'taken'])
      expect([double.batches, double.capabilityRequests()]).toEqual([[4], 4])
      await sendAll(HAVE_NOT)
      expect([double.batches, double.capabilityRequests()]).toEqual([[4], 6])
      clock.advance(60_000)
      await sendAll(HAVE)
      expect([double.batches, double.capabilityRequests()]).toEqual([[4, 4], 10])
    })

    test.each([
      [200, '{"reachableUsers":["+4917",5]}', new Set(['+4917'])],
      [200, '{}', new Set()],
      [200, '{"reachableUsers":"+4917"}', null],
      [200, '<html>', null],
      [400, '{"error":{"status":"INVALID_ARGUMENT"}}', null],
    ])('HTTP %i %s says %s', (status, body, has) => {
      expect(readReachable({ kind: 'answered', status, body, retryAfterMs: null })).toEqual(has)
    })
  })

  test('are not requested unless the setting asks for it', async () => {
    const { double, submissions, submit } = await begin()
    await submit(submissions.make('04'))
    expect(double.capabilityRequests()).toBe(0)
  })

  test.each([
    [200, '{"features":[]}', new Set(RICH_FEATURES)],
    [200, '{"features":["ACTION_DIAL",5]}', new Set(['ACTION_DIAL'])],
    [404, '{"error":{"status":"NOT_FOUND","message":"x"}}', false],
    [404, '<html>', null],
    [429, '{"error":{"status":"RESOURCE_EXHAUSTED"}}', null],
    [500, '', null],
  ])('HTTP %i %s says %s', (status, body, has) => {
    expect(readCapability({ kind: 'answered', status, body, retryAfterMs: null })).toEqual(has)
  })

  test('decide what is sent: a link in the text if the phone shows no button, nothing if it shows no card', () => {
    const link = { button: 'Open', link: 'https://example.com/a' }
    const text = { kind: 'text', text: 'Hi' } as const
    const image = 'https://example.com/i.png'
    const some = new Set(['ACTION_OPEN_URL', 'RICHCARD_STANDALONE'])
    expect(fitFeatures({ ...text, ...link, image }, null)).toEqual({ ...text, ...link, image })
    expect(fitFeatures({ ...text, ...link, image }, some)).toEqual({ ...text, ...link, image })
    expect(fitFeatures({ ...text, ...link }, new Set(['ACTION_DIAL']))).toEqual({
      kind: 'text',
      text: 'Hi\nhttps://example.com/a',
    })
    expect(fitFeatures({ ...text, image }, new Set(['ACTION_OPEN_URL']))).toBeNull()
  })
})

test('the traffic type of a message is that of its sender, else of the carrier, else absent', async () => {
  const content = { kind: 'text', text: 'Hi' } as const
  const typeOf = (trafficType: TrafficType | null) =>
    JSON.parse(writeAgentMessage(content, { lifetimeSeconds: 60, trafficType })).messageTrafficType
  expect([typeOf('AUTHENTICATION'), typeOf(null)]).toEqual(['AUTHENTICATION', undefined])
  await expect(buildRbmBench({ trafficTypes: { Shop: 'SPAM' } })).rejects.toThrow(
    /^trafficTypes\.Shop: should be one of/,
  )
})

test('an agent that may not send takes the carrier down, and the message takes the next route', async () => {
  const { double, submissions, submit, carrier } = await begin()
  double.forbid('agent-shop')
  expect(await submit(submissions.make('04'))).toEqual({
    kind: 'unreachable',
    reason: 'PERMISSION_DENIED: the agent may not send',
  })
  expect(carrier.state()).toMatchObject({ up: false, lastError: 'PERMISSION_DENIED: the agent may not send' })
})

describe('revoking', () => {
  test('cancels the receipts to come', async () => {
    const { carrier, submissions, submit, clock, inbox } = await begin()
    const submission = submissions.make('00')
    const verdict = await submit(submission)
    const refs = verdict?.kind === 'taken' ? [verdict.ref] : []
    expect(await settled('the answer', carrier.revoke?.({ ...submission, refs }) ?? Promise.reject())).toEqual({
      asked: true,
      detail: 'HTTP 200',
    })
    clock.advance(60_000)
    await turnLoop()
    expect(inbox.receipts).toEqual([])
  })

  test('does not stop a late delivery', async () => {
    const { carrier, submissions, submit, clock, inbox } = await begin()
    const submission = submissions.make('14', { lifetimeSeconds: 60 })
    const verdict = await submit(submission)
    const refs = verdict?.kind === 'taken' ? [verdict.ref] : []
    await carrier.revoke?.({ ...submission, refs })
    clock.advance(61_000)
    await turnLoop()
    expect(inbox.receipts).toEqual([])
    clock.advance(1_000)
    await eventually('the late delivery', () => inbox.receipts.length === 1)
  })

  test('names a message whose answer was lost by the id that it was sent with', async () => {
    const { carrier, submissions, clock } = await begin()
    const submission = submissions.make('13')
    const [verdict] = await settled('the verdict', carrier.submit(submission), clock)
    expect(verdict).toEqual({ kind: 'unclear', reason: expect.any(String), ref: messageUuid(submission) })
    expect(await settled('the answer', carrier.revoke?.({ ...submission, refs: [] }) ?? Promise.reject())).toEqual({
      asked: true,
      detail: 'HTTP 200',
    })
  })

  test('fails if Google cannot be reached', async () => {
    const { carrier, submissions, farSide } = await begin()
    await farSide.goDown()
    const revocation = { ...submissions.make('00'), refs: ['c3ab8ff1-3720-4e8a-9b2f-000000000000'] }
    expect(await settled('the answer', carrier.revoke?.(revocation) ?? Promise.reject())).toMatchObject({
      asked: false,
    })
  })
})

test.each([
  [{ agentId: '' }, 'agentId: should be text that is not empty'],
  [{ checkCapabilities: 'yes' }, 'checkCapabilities: should be true or false'],
  [{ window: 0 }, 'window: should be a whole number from 1 to 1000'],
  [{ window: '32' }, 'window: should be a whole number from 1 to 1000'],
  [{ baseUrl: 'ftp://x' }, 'baseUrl: should be an http or https address without query'],
  [{ agents: { Shop: 5 } }, 'agents.Shop: should be text'],
  [{ agents: [] }, 'agents: should be an object'],
  [{ serviceAccount: null }, 'serviceAccount: should be an object'],
  [{ serviceAccount: { client_email: 'a@b' } }, 'serviceAccount.private_key: should be text'],
  [
    { serviceAccount: { client_email: 'a@b', private_key: '-----BEGIN PRIVATE KEY-----' } },
    'serviceAccount.private_key: should be an RSA private key in PEM',
  ],
])('refuses wrong settings %j and names them', async (change, complaint) => {
  await expect(buildRbmBench(change)).rejects.toThrow(new Error(complaint))
})
