/**
 * What client-admins may change, as changes of the store: the second check after that of the endpoint
 * (client-scope.ts), against the very directory that the change is made in.
 */
import { isSession } from '../../../domain/accounts/admin-user.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import { AdminProblem } from './admin-problem.ts'
import type { Actor } from './endpoint.ts'

type SingleChange = Exclude<Change, { readonly kind: 'all' }>
type Owner = AccountId | null

/** Returns the accounts that a change affects; null for anything that belongs to no account. */
type Owners<C> = (change: C, rows: DirectoryRows) => readonly Owner[]

export const CLIENT_CHANGES: {
  readonly [Kind in SingleChange['kind']]?: Owners<Extract<SingleChange, { readonly kind: Kind }>>
} = {
  'set hook secrets': ({ accountId }) => [accountId],
  'add key': ({ key }) => [key.accountId],
  'set key scopes': ({ accountId }) => [accountId],
  'remove keys': ({ accountId }) => [accountId],
  'set sender': ({ sender }) => [sender.accountId],
  'change opt-outs': ({ changes }) => changes.map(({ optOut }) => optOut.accountId),
  'note bulk': ({ accountId }) => [accountId],
  'change hook': ({ accountId }) => [accountId],
  'resume hook': ({ hook }) => [hook.accountId],
  'try hook': ({ hook }) => [hook.accountId],
  'resend reports': ({ accountId }) => [accountId],
  'set admin user': ({ user }, rows) => {
    const isThere = rows.adminUsers.some(({ name }) => name === user.name)
    return isThere ? [user.accountId, ownerOf(user.name, rows)] : [user.accountId]
  },
  'add admin token': ({ token }, rows) => [ownerOf(token.user, rows)],
  'add sign-in link': ({ user }, rows) => [ownerOf(user, rows)],
  'remove admin token': ({ user }, rows) => [ownerOf(user, rows)],
  'add passkey': ({ passkey }, rows) => [ownerOf(passkey.user, rows)],
  'rename passkey': ({ user }, rows) => [ownerOf(user, rows)],
  'remove passkeys': ({ user }, rows) => [ownerOf(user, rows)],
  'set admin secrets': ({ user }, rows) => [ownerOf(user, rows)],
}

/** What users of an account may add, for all nodes hold it in memory. Operators may add more. */
const MAX_KEYS = 100
const MAX_SENDERS = 200
/** Of one user. */
const MAX_TOKENS = 20

/**
 * Throws AdminProblem if a user of an account changes anything that is not of the account, and ChangeRefused if it
 * would have too much of something.
 */
export function checkClientChange({ account }: Actor, change: Change, rows: DirectoryRows): void {
  if (account === null || change.kind === 'all') return
  const owners = CLIENT_CHANGES[change.kind] as Owners<SingleChange> | undefined
  if (owners?.(change, rows).some((owner) => owner !== account)) throw new AdminProblem(404, 'there is no such thing')
  const refusal = refuseAmount(change, rows)
  if (refusal !== null) throw new ChangeRefused(refusal)
}

function refuseAmount(change: SingleChange, rows: DirectoryRows): string | null {
  switch (change.kind) {
    case 'add key': {
      const { accountId } = change.key
      const count = rows.keys.filter((key) => key.accountId === accountId).length
      return count < MAX_KEYS ? null : `the account has ${count} keys: revoke one, or ask the operator for more`
    }
    case 'set sender': {
      const { accountId, channel, name } = change.sender
      const own = rows.senders.filter((sender) => sender.accountId === accountId)
      const isThere = own.some((sender) => sender.channel === channel && sender.name === name)
      return isThere || own.length < MAX_SENDERS
        ? null
        : `the account has ${own.length} senders: ask the operator for more`
    }
    case 'add admin token': {
      const { user } = change.token
      const count = rows.adminTokens.filter((token) => token.user === user && !isSession(token)).length
      return count < MAX_TOKENS ? null : `${user} has ${count} tokens: revoke one`
    }
    default:
      return null
  }
}

function ownerOf(user: string, { adminUsers }: DirectoryRows): Owner {
  return adminUsers.find(({ name }) => name === user)?.accountId ?? null
}
