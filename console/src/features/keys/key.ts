/** API keys as the admin API shows them. */
import type { AnswerOf } from '../../api/api.ts'

export type Key = AnswerOf<'GET', '/accounts/{account}/keys'>['data'][number]
export type Scope = Key['scopes'][number]
export type IssuedKey = AnswerOf<'POST', '/accounts/{account}/keys'>

export const SCOPES: readonly Scope[] = ['send', 'otp', 'templates', 'balance', 'hooks', 'inbound', 'lookup']

/** Where clients send requests; a shell variable if the gateway does not say it. */
function clientApi(address: string | null | undefined): string {
  return `${address ?? '$POSTHORN_URL'}/api/json.php`
}

/** Returns a curl command that sends operations with a key. */
export function curlOf(address: string | null | undefined, key: string, ...data: readonly object[]): string {
  const body = JSON.stringify({ auth: key, data }, null, 2).replaceAll("'", "'\\''")
  return `curl -s ${clientApi(address)} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`
}
