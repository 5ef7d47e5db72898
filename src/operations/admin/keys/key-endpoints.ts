/** API keys: what clients authenticate with. */
import Type, { type Static } from 'typebox'
import { keyIdOf } from '../../../domain/accounts/api-key.ts'
import { Directory, type KeyExplanation } from '../../../domain/directory/directory.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { NetworkSet, readAddress } from '../../../domain/network/networks.ts'
import { hashKey, isMistypedKey } from '../../request/api-key.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import { ACCOUNT, NAME, nullable, PAGING, pageOf, READERS, SECRET_INPUT, TIME, writeTime } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import {
  findRevokedKey,
  ISSUE_KEY,
  keysOfAccount,
  REVOKE_KEY,
  type RevokedKey,
  ROTATE_KEY,
  SET_KEY,
  ShownKey,
  viewKey,
} from './api-keys.ts'

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
  allowed_networks: nullable(Type.Array(Type.String()), { description: 'those of the account' }),
  networks: nullable(Type.Array(Type.String()), { description: 'those of the key' }),
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
    result: pageOf(ShownKey),
    run: async ({ store }, { account, ...paging }) => {
      return takePage(keysOfAccount(await store.loadDirectory('anew'), toAccountId(account)), paging, viewKey)
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
      const explained = new Directory({ ...rows, prices: [], costs: [] }).explainKey(hash, clock.now())
      const revoked = explained.key === null ? await findRevokedKey(store, rows, hash) : null
      return viewCheck(key, address ?? null, explained, revoked)
    },
  }),
  ISSUE_KEY,
  SET_KEY,
  ROTATE_KEY,
  REVOKE_KEY,
]

function viewCheck(
  secret: string,
  address: string | null,
  { key, account, refusal }: KeyExplanation,
  revoked: RevokedKey | null,
): Static<typeof CheckedKey> {
  const networks = account?.settings.allowedNetworks ?? null
  const own = key?.networks ?? null
  const isOutside =
    address !== null && [networks, own].some((each) => each !== null && !new NetworkSet(each).has(address))
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
    networks: own === null ? null : [...own],
  }
}
