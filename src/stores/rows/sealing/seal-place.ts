/**
 * The place of a secret: it is sealed together with its place, so that write access to the database is not enough to
 * move the secret of one row to another. The key of the row is the same in both databases, because rows can be moved
 * between them.
 */
import type { Cell } from '../cells/cell.ts'

export function placeOf(table: string, column: string, ...key: readonly Cell[]): string {
  return JSON.stringify([table, column, ...key.map(String)])
}

/** The place of the secret that hashes phones. */
export const PHONE_SECRET_PLACE = placeOf('meta', 'phone_secret', 1)
export const hookSecretsPlace = (accountId: number) => placeOf('account', 'hook_secrets', accountId)
export const clientSecretsPlace = (accountId: number) => placeOf('account_hooks', 'secrets', accountId)
export const loginSecretsPlace = (name: string) => placeOf('client_login', 'secrets', name)
export const settingsPlace = (carrierId: string) => placeOf('carrier', 'settings', carrierId)
export const totpSecretPlace = (user: string) => placeOf('admin_user', 'totp_secret', user)
export const targetPlace = (name: string, column: 'address' | 'secret') => placeOf('notification_target', column, name)
