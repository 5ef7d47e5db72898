/** Notifications of Amazon SNS to the webhooks of generic HTTP carriers. */
import { sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { LOOPBACK_CERTIFICATE, LOOPBACK_CERTIFICATE_KEY } from '../support/loopback-certificate.ts'
import { openWebhookCalls } from '../support/webhook-calls.ts'

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:receipts'
const HOST = 'https://sns.eu-west-1.amazonaws.com'
const CERTIFICATE = `${HOST}/SimpleNotificationService-0123456789abcdef.pem`
const SUBSCRIBE = `${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37`
const NOW = Date.parse('2026-11-29T12:00:00Z') / 1_000

const NOTIFICATION = {
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: TOPIC,
  Message: '{"eventType":"TEXT_DELIVERED","messageId":"m-1","isFinal":true}',
  Timestamp: '2026-11-29T12:00:00.000Z',
  SignatureVersion: '2',
  SigningCertURL: CERTIFICATE,
  UnsubscribeURL: `${HOST}/?Action=Unsubscribe`,
}
const CONFIRMATION = {
  ...NOTIFICATION,
  Type: 'SubscriptionConfirmation',
  Message: 'You have chosen to subscribe.',
  Token: '2336412f37',
  SubscribeURL: SUBSCRIBE,
}

/** Returns the body of a call. `after` changes it once it is signed. */
function signed(fields: Readonly<Record<string, string>>, after: object = {}): string {
  const names = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const text = names.flatMap((name) => (fields[name] === undefined ? [] : [`${name}\n${fields[name]}\n`])).join('')
  const hash = fields['SignatureVersion'] === '1' ? 'sha1' : 'sha256'
  const Signature = sign(hash, Buffer.from(text), LOOPBACK_CERTIFICATE_KEY).toString('base64')
  return JSON.stringify({ ...fields, Signature, ...after })
}

const AUTH = { kind: 'sns', topics: ['arn:aws:sns:eu-west-1:123456789012:other', TOPIC] }
const WEB = new Map([
  [CERTIFICATE, LOOPBACK_CERTIFICATE],
  [SUBSCRIBE, '<ConfirmSubscriptionResponse/>'],
])
const open = (web: ReadonlyMap<string, string> = WEB, now = NOW) => openWebhookCalls({ auth: AUTH }, { web, now })

describe('a notification', () => {
  test.each([['1'], ['2']])('of signature version %s has the items in its message', async (SignatureVersion) => {
    const { call, items, requested } = open()
    const subject = { ...NOTIFICATION, SignatureVersion, Subject: 'A subject\nof two lines' }
    expect(await call({ text: signed(subject) })).toEqual({ status: 200, body: '' })
    expect(await call({ text: signed({ ...NOTIFICATION, SignatureVersion }) })).toEqual({ status: 200, body: '' })
    const event = { eventType: 'TEXT_DELIVERED', messageId: 'm-1', isFinal: true }
    expect(items).toEqual([event, event])
    // The certificate is requested once.
    expect(requested).toEqual([CERTIFICATE])
  })

  test.each([
    ['TopicArn', { MessageId: `x\nTimestamp\n${NOTIFICATION.Timestamp}\nTopicArn\narn:aws:sns:eu-west-1:9:evil` }],
    ['Timestamp', { MessageId: `x\nTimestamp\n2020-01-01T00:00:00.000Z` }],
  ])('of which %s is a list, to count here and not in what is signed, is refused', async (name, change) => {
    const { call, items } = open()
    const { [name]: value, ...others } = { ...NOTIFICATION, ...change } as Record<string, string>
    expect((await call({ text: signed(others, { [name]: [value] }) })).status).toBe(401)
    expect(items).toEqual([])
  })

  test.each([
    ['another message', { Message: '{"eventType":"TEXT_DELIVERED","messageId":"m-2","isFinal":true}' }],
    ['another topic', { TopicArn: 'arn:aws:sns:eu-west-1:123456789012:other' }],
    ['a subject', { Subject: 'x' }],
    ['no signature', { Signature: undefined }],
    ['a signature of another form', { Signature: '!' }],
    ['the signature of another hash', { SignatureVersion: '1' }],
    ['an unknown signature version', { SignatureVersion: '3' }],
  ])('with %s than what is signed is refused', async (_, after) => {
    const { call, items } = open()
    expect(await call({ text: signed(NOTIFICATION, after) })).toEqual({ status: 401, body: 'not authorized' })
    expect(items).toEqual([])
  })

  test.each([
    ['https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-0a.pem'],
    ['https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-0a.pem'],
    ['https://user@sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a.pem'],
    ['https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-0a.pem'],
    ['http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a.pem'],
    ['https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0a.pem'],
    ['https://bucket.s3.amazonaws.com/SimpleNotificationService-0a.pem'],
    ['https://sns.eu-west-1.amazonaws.com/?Action=Publish'],
    ['https://169.254.169.254/SimpleNotificationService-0a.pem'],
    ['SimpleNotificationService-0a.pem'],
    [undefined],
  ])('with the certificate %s is refused, and nothing is requested', async (SigningCertURL) => {
    const { call, requested } = open()
    expect(await call({ text: signed(NOTIFICATION, { SigningCertURL }) })).toMatchObject({ status: 401 })
    expect(requested).toEqual([])
  })

  test.each([
    ['a topic that the settings do not have', { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:receipts' }],
    ['a time of two days ago', { Timestamp: '2026-11-27T12:00:00.000Z' }],
    ['a time in two days', { Timestamp: '2026-12-01T12:00:00.000Z' }],
    ['a time of another form', { Timestamp: 'yesterday' }],
    ['an unknown type', { Type: 'Notice' }],
  ])('with %s is refused', async (_, change) => {
    const { call } = open()
    expect(await call({ text: signed({ ...NOTIFICATION, ...change }) })).toMatchObject({ status: 401 })
  })

  test('comes again if the certificate cannot be read, and is refused if it has ended', async () => {
    for (const web of [new Map(), new Map([[CERTIFICATE, 'no certificate']])]) {
      const { call, items } = open(web)
      expect(await call({ text: signed(NOTIFICATION) })).toEqual({ status: 503, body: 'no answer from Amazon SNS' })
      expect(items).toEqual([])
    }
    const late = open(WEB, Date.parse('2100-01-02T00:00:00Z') / 1_000)
    const text = signed({ ...NOTIFICATION, Timestamp: '2100-01-02T00:00:00.000Z' })
    expect(await late.call({ text })).toMatchObject({ status: 503 })
  })

  test('whose message is not JSON, and a call that is not, are refused', async () => {
    const { call } = open()
    expect(await call({ text: signed({ ...NOTIFICATION, Message: 'Hello' }) })).toEqual({
      status: 400,
      body: 'not json',
    })
    for (const text of ['', '[]', 'null', '{}']) expect(await call({ text })).toMatchObject({ status: 401 })
  })
})

describe('a subscription', () => {
  test('is confirmed by a request to its address', async () => {
    const { call, items, requested } = open()
    expect(await call({ text: signed(CONFIRMATION) })).toEqual({ status: 200, body: '' })
    expect(requested).toEqual([CERTIFICATE, SUBSCRIBE])
    expect(items).toEqual([])
    const ended = signed({ ...CONFIRMATION, Type: 'UnsubscribeConfirmation' })
    expect(await call({ text: ended })).toEqual({ status: 200, body: '' })
    expect(requested).toHaveLength(2)
  })

  test('is asked for again if that fails', async () => {
    const { call } = open(new Map([[CERTIFICATE, LOOPBACK_CERTIFICATE]]))
    expect(await call({ text: signed(CONFIRMATION) })).toMatchObject({ status: 503 })
  })

  test.each([
    ['https://evil.example/?Action=ConfirmSubscription'],
    [`${HOST}.evil.example/?Action=ConfirmSubscription`],
    [`${HOST}/?Action=DeleteTopic`],
    ['http://169.254.169.254/?Action=ConfirmSubscription'],
  ])('at %s is refused although it is signed', async (SubscribeURL) => {
    const { call, requested } = open()
    expect(await call({ text: signed({ ...CONFIRMATION, SubscribeURL }) })).toMatchObject({ status: 401 })
    expect(requested).toEqual([CERTIFICATE])
  })
})

describe('settings are refused', () => {
  test.each([
    [{ topics: [] }, 'receipt.auth.topics: should be a list of 1 to 10 topics'],
    [{ topics: ['receipts'] }, 'receipt.auth.topics.0: should be an ARN such as arn:aws:sns:'],
    [{ topics: ['arn:aws:sns:eu-west-1.evil.example/:123456789012:x'] }, 'receipt.auth.topics.0: should be an ARN'],
    [{ maxAgeSeconds: 0 }, 'receipt.auth.maxAgeSeconds: should be'],
  ])('with %j', (change, error) => {
    expect(() => openWebhookCalls({ auth: { ...AUTH, ...change } })).toThrow(error)
  })

  test('with a form', () => {
    expect(() => openWebhookCalls({ auth: AUTH, format: 'form' })).toThrow('receipt.auth.kind: can be sns only for')
  })
})
