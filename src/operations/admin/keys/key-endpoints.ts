/** API keys: what clients authenticate with. */
import Type, { type Static } from 'typebox'
import { type ApiKey, KEY_SCOPES, keyIdOf } from '../../../domain/accounts/api-key.ts'
import { Directory, type KeyExplanation } from '../../../domain/directory/directory.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { NetworkSet, readAddress } from '../../../domain/network/networks.ts'
import { hashKey, isMistypedKey } from '../../request/api-key.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { endpoint, knownWithinASecond } from '../endpoint/endpoint.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import {
  ACCOUNT,
  NAME,
  nullable,
  OPERATORS,
  PAGING,
  pageOf,
  READERS,
  readTime,
  SECRET_INPUT,
  SHOWN_ONCE,
  TIME,
  whole,
  writeTime,
} from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { findRevokedKey, issueKey, keysOf, type RevokedKey, revokeKey, rotateKey, setKeyScopes } from './api-keys.ts'

const SCOPES = Type.Array(Type.Enum([...KEY_SCOPES]), {
  minItems: 1,
  maxItems: KEY_SCOPES.length,
  description: `permitted operations: ${KEY_SCOPES.join(', ')}`,
  rule: `must be a list of ${KEY_SCOPES.join(', ')}`,
})
const KEY_NAME = { ...NAME, description: 'what uses the key', examples: ['server'] }
const TEST = Type.Boolean({ description: 'test key: reaches simulated phones only, free of charge' })
const EXPIRES = nullable(TIME, { description: 'expiry, RFC 3339; null for never' })
const WHICH = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'name of the key, or its id if several keys share the name',
})

const Key = Type.Object({
  account: ACCOUNT,
  name: NAME,
  id: Type.String({ description: 'identifies the key without revealing it' }),
  scopes: SCOPES,
  test: TEST,
  created_at: TIME,
  expires_at: EXPIRES,
  last_used_at: nullable(TIME, { description: 'up to a minute late; null if never used' }),
})
const IssuedKey = Type.Object({ key: SHOWN_ONCE, ...Key.properties })

const CheckedKey = Type.Object({
  opens: Type.Boolean(),
  refusal: nullable(Type.String(), {
    description:
      'mistyped key, unknown key (never issued here), revoked key, expired key, account suspended, account closed, address not allowed',
  }),
  account: nullable(ACCOUNT),
  name: nullable(NAME),
  id: nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  expires_at: nullable(TIME),
  revoked_at: nullable(TIME, { description: 'from the audit log' }),
  allowed_networks: nullable(Type.Array(Type.String())),
})

export const KEY_ENDPOINTS = [
  endpoint({
    name: 'listKeys',
    method: 'GET',
    path: '/accounts/{account}/keys',
    command: 'key list',
    summary: 'list the API keys of an account, newest first; only hashes of keys are stored',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    query: PAGING,
    result: pageOf(Key),
    run: async ({ store }, { account, ...paging }) => {
      return takePage(keysOf(await store.loadDirectory('anew'), toAccountId(account)), paging, viewKey)
    },
  }),
  endpoint({
    name: 'checkKey',
    method: 'POST',
    path: '/keys/check',
    ownCommand: 'key check',
    summary: 'check whether an API key is accepted, and why not: clients see only Access denied',
    may: READERS,
    body: {
      key: Type.String({ minLength: 1, maxLength: 1_000, description: 'the key itself', ...SECRET_INPUT }),
      address: Type.Optional(
        Type.String({
          maxLength: 60,
          description: 'client address of the request, for accounts that restrict their networks',
        }),
      ),
    },
    result: CheckedKey,
    run: async ({ store, clock }, { key, address }) => {
      if (address !== undefined && readAddress(address) === null) {
        throw new FieldRefused('address', 'must be an IP address such as 192.0.2.7 or 2001:db8::7')
      }
      const rows = await store.loadDirectory()
      const hash = hashKey(key)
      const explained = new Directory(rows).explainKey(hash, clock.now())
      const revoked = explained.key === null ? await findRevokedKey(store, rows, hash) : null
      return viewCheck(key, address ?? null, explained, revoked)
    },
  }),
  endpoint({
    name: 'issueKey',
    method: 'POST',
    path: '/accounts/{account}/keys',
    command: 'key issue',
    summary: 'issue an API key for an account; it is shown once and only its hash is stored',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT },
    body: {
      name: KEY_NAME,
      scopes: Type.Optional(SCOPES),
      test: Type.Optional(TEST),
      expires_at: Type.Optional(EXPIRES),
    },
    result: IssuedKey,
    hint: knownWithinASecond,
    run: async ({ store, clock, random }, { account, name, scopes, test, expires_at: expires }) => {
      const input = { accountId: toAccountId(account), name, scopes, test, expiresAt: readTime('expires_at', expires) }
      const { secret, key } = await issueKey(store, clock, random, input)
      return { key: secret, ...viewKey(key) }
    },
  }),
  endpoint({
    name: 'setKeyScopes',
    method: 'PUT',
    path: '/accounts/{account}/keys/{name}/scopes',
    command: 'key set',
    summary: 'set what a key may be used for; a name sets all keys that share it. The key itself stays the same',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT, name: WHICH },
    body: { scopes: SCOPES },
    result: Key,
    hint: knownWithinASecond,
    run: async ({ store }, { account, name, scopes }) => {
      const [newest] = await setKeyScopes(store, { accountId: toAccountId(account), which: name }, scopes)
      return viewKey(newest)
    },
  }),
  endpoint({
    name: 'rotateKey',
    method: 'POST',
    path: '/accounts/{account}/keys/{name}/rotation',
    command: 'key rotate',
    summary: 'issue a new key with the same name and rights; the old one works for a while',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT, name: WHICH },
    body: {
      overlap_seconds: Type.Optional(
        whole({ minimum: 0, description: 'seconds for which the old key still works; a week by default' }),
      ),
      expires_at: Type.Optional(EXPIRES),
    },
    result: Type.Object({ ...IssuedKey.properties, old_expires_at: TIME }),
    hint: knownWithinASecond,
    run: async ({ store, clock, random }, { account, name, overlap_seconds: overlapSeconds, expires_at: expires }) => {
      const choice = { accountId: toAccountId(account), which: name }
      const input = { ...choice, overlapSeconds, expiresAt: readTime('expires_at', expires) }
      const { secret, key, oldExpiresAt } = await rotateKey(store, clock, random, input)
      return { key: secret, ...viewKey(key), old_expires_at: writeTime(oldExpiresAt) }
    },
  }),
  endpoint({
    name: 'revokeKey',
    method: 'DELETE',
    path: '/accounts/{account}/keys/{name}',
    command: 'key revoke',
    summary: 'revoke a key for good; a name revokes all keys that share it',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT, name: WHICH },
    hint: knownWithinASecond,
    run: ({ store }, { account, name }) => revokeKey(store, { accountId: toAccountId(account), which: name }),
  }),
]

function viewKey(key: ApiKey): Static<typeof Key> {
  const { accountId, name, scopes, test, createdAt, expiresAt, lastUsedAt } = key
  return {
    account: accountId,
    name,
    id: keyIdOf(key),
    scopes: [...scopes],
    test,
    created_at: writeTime(createdAt),
    expires_at: writeTime(expiresAt),
    last_used_at: writeTime(lastUsedAt),
  }
}

function viewCheck(
  secret: string,
  address: string | null,
  { key, account, refusal }: KeyExplanation,
  revoked: RevokedKey | null,
): Static<typeof CheckedKey> {
  const networks = account?.settings.allowedNetworks ?? null
  const isOutside = address !== null && networks !== null && !new NetworkSet(networks).has(address)
  const found = revoked === null ? refusal : 'revoked key'
  const why = isMistypedKey(secret) ? 'mistyped key' : (found ?? (isOutside ? 'address not allowed' : null))
  return {
    opens: why === null,
    refusal: why,
    account: account?.id ?? revoked?.account ?? null,
    name: key?.name ?? revoked?.name ?? null,
    id: key === null ? (revoked?.id ?? null) : keyIdOf(key),
    scopes: [...(key?.scopes ?? [])],
    expires_at: writeTime(key?.expiresAt ?? null),
    revoked_at: writeTime(revoked?.revokedAt ?? null),
    allowed_networks: networks === null ? null : [...networks],
  }
}
