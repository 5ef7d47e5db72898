/** Who logs in and from where, for audit entries of logins, logouts and changes of what users log in with. */
import type { AuditEntry } from '../../../domain/accounts/audit.ts'
import type { Change } from '../../../ports/stores/setup-store.ts'
import type { Actor } from '../endpoint/endpoint.ts'

/** Returns the entry with the address; a caller without a token has the name of the user who logs in. */
export function withLogin(
  entry: AuditEntry,
  change: Change,
  { name, token, address }: Pick<Actor, 'name' | 'token' | 'address'>,
): AuditEntry {
  const user = loginUser(change)
  if (user === undefined || address === null) return entry
  const after = typeof entry.after === 'object' ? entry.after : {}
  return { ...entry, actor: token === null ? (user ?? name) : name, after: { ...after, address } }
}

/** Returns the user of the change; null for an unknown user, undefined if it does not concern logging in. */
function loginUser(change: Change): string | null | undefined {
  switch (change.kind) {
    case 'open session':
      return change.token.user
    case 'add passkey':
      return change.passkey.user
    case 'note failed login':
    case 'prove session':
    case 'rename passkey':
    case 'remove passkeys':
    case 'set admin secrets':
    case 'add sign-in link':
    case 'remove admin token':
      return change.user
    default:
      return undefined
  }
}
