/** The error for a misspelt setting of a carrier names the setting that was meant and lists the known ones. */
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkCarrierSettings } from '../../src/app/carriers/carrier-drivers.ts'
import type { CarrierKind } from '../../src/operations/admin/fields/carrier-kinds.ts'

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
const RBM_ACCOUNT = {
  client_email: 'gateway@example.test',
  private_key: RSA.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  token_uri: 'https://oauth2.example.test/token',
}
const WHATSAPP = {
  wabaId: '1',
  senders: { Shop: '2' },
  accessToken: 'a',
  appSecret: '0123456789abcdef0123456789abcdef',
  verifyToken: 'v',
}
const SMPP = { host: '127.0.0.1', port: 2775, systemId: 'a', password: 'b' }

test('an optional setting: the error suggests the setting that was meant, and lists all', () => {
  const check = () => checkCarrierSettings('smpp', { ...SMPP, thruoghput: 5 })
  expect(check).toThrow(/^thruoghput: is not a setting of this carrier; did you mean throughput\? Known settings: /)
  expect(check).toThrow(/ Known settings: .*degradedAfter, .*host, .*password, .*port, .*systemId, .*tls/)
})

test('letter case counts as misspelt', () => {
  expect(() => checkCarrierSettings('smpp', { ...SMPP, bindas: 'transceiver' })).toThrow(/did you mean bindAs\?/)
})

test('a setting of every kind of carrier', () => {
  expect(() => checkCarrierSettings('smpp', { ...SMPP, degradeAfter: {} })).toThrow(/did you mean degradedAfter\?/)
})

test('a required setting: the error names the misspelt one', () => {
  const { host, ...rest } = SMPP
  expect(() => checkCarrierSettings('smpp', { ...rest, hots: host })).toThrow(
    /^host: should be text; hots is not a setting: did you mean host\?$/,
  )
  expect(() => checkCarrierSettings('rbm', { agentId: 'a', clientToken: 'b', serviceAcount: {} })).toThrow(
    /^serviceAccount: should be an object; serviceAcount is not a setting: did you mean serviceAccount\?$/,
  )
})

test('a setting inside another one', () => {
  expect(() => checkCarrierSettings('smpp', { ...SMPP, receiptIds: { anser: 'hex' } })).toThrow(
    /^receiptIds\.anser: is not a setting of this carrier; did you mean answer\? Known settings: answer, apartBy, receipt$/,
  )
})

const KINDS: readonly (readonly [kind: CarrierKind, settings: object, complaint: RegExp])[] = [
  [
    'rbm',
    { agentId: 'a', clientToken: 'b', clientTokn: 'b', serviceAccount: RBM_ACCOUNT },
    /^clientTokn: .*; did you mean clientToken\?/,
  ],
  [
    'viber',
    { serviceId: 1, webhookToken: 'w'.repeat(32), callbackFields: { tokn: 'x' } },
    /^callbackFields\.tokn: .*; did you mean token\?/,
  ],
  [
    'whatsapp',
    { ...WHATSAPP, phoneNumberId: '5' },
    /^phoneNumberId: is not a setting of this carrier\. Known settings: .*senders/,
  ],
  ['sip', { host: 'a', ringms: 1 }, /^ringms: .*; did you mean ringMs\?/],
]

test.each(KINDS)('a setting of %s', (kind, settings, complaint) => {
  expect(() => checkCarrierSettings(kind, settings)).toThrow(complaint)
})

test('a long name that is similar to no setting', () => {
  const name = 'x'.repeat(100_000)
  expect(() => checkCarrierSettings('smpp', { ...SMPP, [name]: 1 })).toThrow(
    /^x{60}: is not a setting of this carrier\. Known/,
  )
})
