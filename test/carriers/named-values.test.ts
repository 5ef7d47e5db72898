/** Constants and secrets of an HTTP carrier: where they are filled in, what they may be, what is hidden. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NO_TEMPLATE } from '../../src/carriers/http/registered-templates.ts'
import { readHttpSettings } from '../../src/carriers/http/settings.ts'
import { valuesOf } from '../../src/carriers/http/submission-values.ts'
import { writeRequest } from '../../src/carriers/http/submit.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { CommandLine } from '../support/command-line.ts'

const submissions = new SubmissionMaker({ carrier: { channel: 'sms' } as never, sender: 'Shop' })

const SETTINGS = {
  constants: { region: 'eu', account: 'AC 1/2?' },
  secrets: { apiKey: 'a&b+c%d=e', token: 'a-token-of-our-own' },
  request: {
    address: 'https://{{$region}}.api.example/{{$account}}/send?key={{$apiKey}}&to={{phone}}',
    auth: { kind: 'basic', user: '{{$account}}', password: '{{$apiKey}}' },
    json: { text: '{{text}}', account: ['in {{$account}}'] },
  },
  answer: { id: { path: 'id' } },
  receipt: { auth: { kind: 'token', token: '{{$token}}' }, id: 'id', status: 'status', outcomes: { ok: 'delivered' } },
}

function write(given: object, text = 'Hi') {
  const settings = readHttpSettings(given)
  const around = { settings, template: NO_TEMPLATE, callbacks: { receipt: '', inbound: '' }, now: 0 }
  return writeRequest(settings.request, valuesOf(submissions.make('00'), { kind: 'text', text }, null, around), 0)
}

describe('a constant or a secret', () => {
  test('stands in the host, the path and the query of an address, in credentials and in the body', () => {
    const request = write(SETTINGS)
    expect(request?.url).toBe('https://eu.api.example/AC%201%2F2%3F/send?key=a%26b%2Bc%25d%3De&to=380501234500')
    expect(request?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('AC 1/2?:a&b+c%d=e').toString('base64')}`,
    })
    expect(JSON.parse(request?.body ?? '')).toEqual({ text: 'Hi', account: ['in AC 1/2?'] })
  })

  test('may be the beginning of an address, with its port', () => {
    const base = { ...SETTINGS, constants: { base: 'http://10.0.0.7:13013', account: 'x' } }
    const request = { ...SETTINGS.request, address: '{{$base}}/cgi-bin/sendsms' }
    expect(write({ ...base, request })?.url).toBe('http://10.0.0.7:13013/cgi-bin/sendsms')
  })

  test('stands in the authentication of calls', () => {
    expect(readHttpSettings(SETTINGS).receipt?.auth).toEqual({ kind: 'token', token: 'a-token-of-our-own' })
  })

  test('is no placeholder in the text of a message', () => {
    const request = write(SETTINGS, 'Hi {{$apiKey}}')
    expect(JSON.parse(request?.body ?? '').text).toBe('Hi {{$apiKey}}')
  })

  test.each<[string, object, RegExp]>([
    ['an unknown name', { constants: {} }, /^request\.address: \{\{\$region}} is not the name of one of the constants/],
    ['a placeholder', { constants: { region: '{{phone}}', account: 'x' } }, /^constants\.region: should be text of at/],
    ['a line break', { secrets: { apiKey: 'a\nb', token: 'x' } }, /^secrets\.apiKey: should be text of at most 4096/],
    ['a number', { constants: { region: 5, account: 'x' } }, /^request\.address: \{\{\$region}} is not the name/],
    ['nothing', { secrets: { apiKey: '', token: 'x' } }, /^secrets\.apiKey: should be text/],
    ['a long text', { secrets: { apiKey: 'x'.repeat(4_097), token: 'x' } }, /^secrets\.apiKey: should be text of at/],
    [
      'a name with a space',
      { secrets: { ...SETTINGS.secrets, 'my key': 'x' } },
      /^secrets\.my key: should be a name of/,
    ],
    ['both a constant and a secret', { constants: { region: 'eu', account: 'x', token: 'y' } }, /^constants\.token: /],
  ])('cannot be %s', (_what, change, error) => {
    expect(() => readHttpSettings({ ...SETTINGS, ...change })).toThrow(error)
  })

  test('cannot make the settings very long', () => {
    const json = Array.from({ length: 200 }, () => '{{$apiKey}}')
    const request = { ...SETTINGS.request, json }
    const secrets = { ...SETTINGS.secrets, apiKey: 'x'.repeat(4_000) }
    expect(() => readHttpSettings({ ...SETTINGS, secrets, request })).toThrow(
      'request.json.47: constants and secrets make the settings too long',
    )
  })
})

describe('an installed carrier', () => {
  let line: CommandLine
  beforeEach(async () => {
    line = new CommandLine()
    const words = 'carrier add --id acme --kind http --channel sms --no-route --settings -'.split(' ')
    await line.ask(words, JSON.stringify(SETTINGS))
  })
  afterEach(() => line.close())

  const set = (patch: object) => line.run('carrier set --id acme --settings -'.split(' '), JSON.stringify(patch))
  const stored = async () => (await line.directory()).carriers[0]?.settings

  test('shows its constants, and neither secrets nor where they are used', async () => {
    const { out } = await line.run('carrier show --id acme --json'.split(' '))
    expect(JSON.parse(out).settings).toMatchObject({
      constants: SETTINGS.constants,
      secrets: { apiKey: '<kept>', token: '<kept>' },
      receipt: { auth: { token: '{{$token}}' } },
    })
    const audit = await line.run(['audit', 'list', '--json'])
    const exported = await line.run(['config', 'export', '--json'])
    for (const text of [out, audit.out, exported.out]) {
      expect(text).toContain('acme')
      expect(text).not.toMatch(/a&b\+c|a-token-of-our-own/)
    }
  })

  test('keeps its secrets when another setting or another secret changes', async () => {
    expect(await set({ window: 3, secrets: { token: 'another-token-of-ours' } })).toMatchObject({ exitCode: 0 })
    const secrets = { ...SETTINGS.secrets, token: 'another-token-of-ours' }
    expect(await stored()).toEqual({ ...SETTINGS, window: 3, secrets })
  })

  test.each([
    ['the region in its host', { constants: { region: 'evil.example' } }],
    ['the address around it', { request: { address: 'https://evil.example/{{$region}}' } }],
  ])('does not send kept secrets to another host: %s', async (_what, patch) => {
    const { exitCode, err } = await set(patch)
    expect(exitCode).toBe(1)
    expect(err).toMatch(/^ {2}secrets\.apiKey: request\.address changed: give the secret itself$/m)
    expect(await stored()).toEqual(SETTINGS)
  })

  test('cannot be a cloud metadata service by a constant', async () => {
    const settings = {
      ...SETTINGS,
      constants: { host: '169.254.169.254', account: 'x' },
      request: { ...SETTINGS.request, address: 'http://{{$host}}/latest' },
    }
    const words = 'carrier add --id other --kind http --channel sms --no-route --settings -'.split(' ')
    const { exitCode, err } = await line.run(words, JSON.stringify(settings))
    expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('169.254.169.254') })
  })
})
