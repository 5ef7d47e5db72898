/**
 * Declares how users of an account may use an endpoint. One without a declaration is refused to them
 * (docs/decisions/0033-users-of-an-account.md).
 */
import type { TSchema } from 'typebox'
import { CLIENT_ROLES, type ClientRole } from '../../../domain/accounts/admin-user.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { Store } from '../../../ports/stores/store.ts'

/** How users of an account may use an endpoint. */
export interface ClientAccess {
  readonly may: readonly ClientRole[]
  readonly scope: ClientScope
  /** Input fields that only operators may send, with the value that applies instead; null for none. */
  readonly fixed?: Readonly<Record<string, string | null>>
  /** The result without what only operators may see; the whole result if absent. Other members are removed. */
  readonly result?: TSchema
}

/**
 * `account`: it has a field `account`, which must be the user's account and is filled in if it is absent. `self`: it
 * concerns the caller alone. Otherwise it finds a record by a key of its own, which must belong to the user's account.
 */
type ClientScope = 'account' | 'self' | RecordScope

interface RecordScope {
  /** For the error: `there is no such message`. */
  readonly record: string
  /** Returns the account of the record; null if there is no such record. `input` is that of the endpoint. */
  accountOf(store: Store, input: never): Promise<AccountId | null>
}

/** Every user of an account. */
export const CLIENTS: readonly ClientRole[] = CLIENT_ROLES
export const CLIENT_ADMINS: readonly ClientRole[] = ['client-admin']
