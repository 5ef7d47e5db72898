/** Secrets in carriers' settings: what is hidden, what may stay hidden in a change, and where no carrier is. */
import { describe, expect, test } from 'vitest'
import { readyProviders } from '../../src/app/carriers/ready-providers.ts'
import { checkDestinations } from '../../src/operations/admin/carriers/carrier-destinations.ts'
import { checkKept, fillSecrets, hideSecrets } from '../../src/operations/admin/carriers/kept-secrets.ts'

/** As a change of settings does both. */
function keep(settings: unknown, stored: unknown): unknown {
  const { filled, kept } = fillSecrets('any', settings, stored)
  checkKept('any', kept, stored, filled)
  return filled
}

test('no text of ready settings is hidden', () => {
  const hidden = readyProviders().flatMap(({ name, version, settings }) => {
    const ready = { ...settings, provider: { name, version } }
    const shown = JSON.stringify(hideSecrets(ready))
    return shown === JSON.stringify(ready)
      ? []
      : [`${name}: ${shown.slice(shown.indexOf('<kept>') - 80, shown.indexOf('<kept>') + 10)}`]
  })
  expect(hidden).toEqual([])
})

describe('an address is hidden', () => {
  test.each([
    'https://api.example.net/bot123456:ABC-def/send',
    'https://hooks.example.net/services/T0000/B0000/x8Zk2LmQ9pR4',
    'https://api.example.net/key/abc/send?to={phone}',
    'https://api.example.net/v1/qWeRtYuIoPaS/messages',
    'https://api.example.net/send?token=abc&to={phone}',
    'https://user:word@api.example.net/send',
    'https://api.example.net/Accounts/AC0123456789abcdef/Messages',
  ])('with the secret in it: %s', (address) => {
    expect(hideSecrets({ request: { address }, baseUrl: address })).toEqual({
      request: { address: '<kept>' },
      baseUrl: '<kept>',
    })
  })

  test.each([
    'https://api.example.net/v2/messages',
    'https://rcsbusinessmessaging.googleapis.com',
    'https://oauth2.googleapis.com/token',
    'https://api.example.net/send?to={phone}&text={text}',
    'https://api.example.net/key/{ref}/send-many-messages',
  ])('not without one: %s', (address) => {
    expect(hideSecrets({ request: { address }, token_uri: address })).toEqual({
      request: { address },
      token_uri: address,
    })
  })
})

test('how a call proves where it comes from is shown, without its secrets', () => {
  const shown = {
    kind: 'jwt',
    at: { header: 'Authorization', prefix: 'Bearer ' },
    keyPrefix: 'whsec_',
    issuer: 'https://i.example/a?b=c',
  }
  const auth = {
    ...shown,
    keys: ['one', 'https://key.example'],
    token: 't',
    value: 'v',
    user: 'u',
    password: 'p',
    secret: 's',
  }
  const hidden = {
    keys: ['<kept>', '<kept>'],
    token: '<kept>',
    value: '<kept>',
    user: '<kept>',
    password: '<kept>',
    secret: '<kept>',
  }
  expect(hideSecrets({ receipt: { auth }, inbound: { auth } })).toEqual({
    receipt: { auth: { ...shown, ...hidden } },
    inbound: { auth: { ...shown, ...hidden } },
  })
  expect(hideSecrets({ request: { auth: { issuer: 'x' } } })).toEqual({ request: { auth: { issuer: '<kept>' } } })
})

describe('a hidden secret', () => {
  const stored = {
    request: { address: 'https://api.example.net/send', headers: { 'x-key': 'abc' } },
    serviceAccount: { token_uri: 'https://oauth2.example.net/token', private_key: 'PEM' },
    window: 10,
  }
  const hidden = hideSecrets(stored) as typeof stored

  test('stays while the carrier is where it was', () => {
    expect(keep({ ...hidden, window: 20 }, stored)).toEqual({ ...stored, window: 20 })
  })

  test.each<[string, object]>([
    ['request.address', { ...hidden, request: { ...hidden.request, address: 'https://evil.example/send' } }],
    [
      'serviceAccount.token_uri',
      { ...hidden, serviceAccount: { ...hidden.serviceAccount, token_uri: 'https://evil.example/token' } },
    ],
    ['proxy', { ...hidden, proxy: 'evil.example:3128' }],
    ['tls.ca', { ...hidden, tls: { ca: 'PEM' } }],
    ['backupHosts.0.host', { ...hidden, backupHosts: [{ host: 'evil.example' }] }],
  ])('is to be written out when %s changes', (path, settings) => {
    const words = `carrier any: ${path} changed, so <kept> cannot stand for request.headers.x-key, serviceAccount.private_key: give the secret itself`
    expect(() => keep(settings, stored)).toThrow(words)
  })

  test('stays while the checks of calls to the webhook change', () => {
    const withAuth = (auth: object) => ({ receipt: { auth: { keys: ['abc'], ...auth } } })
    const settings = { receipt: { auth: { keys: ['<kept>'], urlHash: 'url_hash', issuer: 'https://b.example' } } }
    const changed = { urlHash: 'url_hash', issuer: 'https://b.example' }
    expect(keep(settings, withAuth({ issuer: 'https://a.example' }))).toEqual(withAuth(changed))
  })

  test('stays in its place in a list', () => {
    const withKeys = (...keys: readonly string[]) => ({ receipt: { auth: { keys } }, window: 10 })
    expect(hideSecrets(withKeys('old', 'spare'))).toEqual(withKeys('<kept>', '<kept>'))
    expect(keep(withKeys('<kept>', 'new'), withKeys('old'))).toEqual(withKeys('old', 'new'))
    expect(() => keep(withKeys('new', '<kept>'), withKeys('old'))).toThrow(
      'carrier any: receipt.auth.keys.1 is <kept>, but no secret is stored for it: give the secret itself',
    )
  })

  test('is not needed where none is kept', () => {
    const settings = { host: 'a.example', port: 5060 }
    expect(keep({ ...settings, host: 'b.example' }, settings)).toEqual({ ...settings, host: 'b.example' })
  })
})

describe('a carrier is refused at', () => {
  test.each([
    { host: '169.254.169.254' },
    { host: '169.254.169.254:2775' },
    { host: '0xA9FEA9FE' },
    { host: '2852039166' },
    { host: 'fe80::1' },
    { host: 'fe80::1%eth0' },
    { host: '::ffff:169.254.0.1' },
    { host: '64:ff9b::169.254.169.254' },
    { host: '[::ffff:169.254.169.254]' },
    { hosts: ['[fd00:ec2::254]:2775'] },
    { host: '[fe80::1%eth0]:2775' },
    { baseUrl: 'http://[2002:a9fe:a9fe::1]/' },
    { hosts: ['192.0.2.1', '168.63.129.16'] },
    { baseUrl: 'http://169.254.169.254/latest/meta-data' },
    { baseUrl: 'http://[fd00:ec2::254]/' },
    { request: { address: 'https://169.254.1.1/{phone}' } },
    { serviceAccount: { token_uri: 'http://100.100.100.200/' } },
  ])('%j', (settings) => {
    expect(() => checkDestinations('any', settings)).toThrow(/^carrier any: .* is /)
  })

  test.each([
    { host: '10.0.0.7' },
    { host: '127.0.0.1' },
    { host: 'smpp.example.net', addressRange: '2852039166' },
    { host: 'fd12::7' },
    { host: '[fd12::7]:2775' },
    { baseUrl: 'https://192.168.1.1/x' },
  ])('not %j', (settings) => {
    expect(() => checkDestinations('any', settings)).not.toThrow()
  })
})
