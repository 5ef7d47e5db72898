/**
 * Where a secret is kept: it is sealed together with its place, so that whoever can write to the database cannot put the
 * secret of one row into another. The key of the row is the same in both databases, for rows move from one to the other.
 */
import type { Cell } from './cell.ts'

export function placeOf(table: string, column: string, ...key: readonly Cell[]): string {
  return JSON.stringify([table, column, ...key.map(String)])
}

/** Of the secret that hashes phones. */
export const PHONE_SECRET_PLACE = placeOf('meta', 'phone_secret', 1)
export const hookSecretsPlace = (accountId: number) => placeOf('account', 'hook_secrets', accountId)
export const settingsPlace = (carrierId: string) => placeOf('carrier', 'settings', carrierId)
export const totpSecretPlace = (user: string) => placeOf('admin_user', 'totp_secret', user)
export const answerPlace = (actor: string, key: string) => placeOf('admin_request', 'answer', actor, key)
