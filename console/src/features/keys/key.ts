/** API keys as the admin API shows them. */
import type { AnswerOf } from '../../api/api.ts'

export type Key = AnswerOf<'GET', '/accounts/{account}/keys'>['data'][number]
export type Scope = Key['scopes'][number]
export type IssuedKey = AnswerOf<'POST', '/accounts/{account}/keys'>

export const SCOPES: readonly Scope[] = ['send', 'otp', 'templates', 'balance', 'hooks', 'inbound', 'lookup']

export type ApiName = AnswerOf<'GET', '/me'>['client_apis'][number]

const API_PATHS: Readonly<Record<ApiName, string>> = {
  json: '/api/json.php',
  rest: '/v1/',
  xml: '/api/xml.php',
  query: '/api/http.php',
  kannel: '/cgi-bin/sendsms',
  jasmin: '/send',
  logins: '/logins/',
  smpp: '',
}

/** Where clients send requests; a shell variable if the gateway does not say it. */
function clientAddress(address: string | null | undefined): string {
  return address ?? '$POSTHORN_URL'
}

const KEY = '<API_KEY>'

/** Where the gateway is reached. */
interface Reached {
  readonly address: string | null | undefined
  /** Null while there is no SMPP server. */
  readonly smppPort: number | null
}

/** Returns a command that asks for the balance by an API; where there is none, it sends a code or tries the port. */
export function commandOf(api: ApiName, { address, smppPort }: Reached): string {
  const url = clientAddress(address)
  switch (api) {
    case 'json':
      return curlOf(address, KEY, { type: 'balance' })
    case 'rest':
      return `curl -s "${url}/v1/balance" -H 'Authorization: Bearer ${KEY}'`
    case 'xml':
      return `curl -s "${url}/api/xml.php" -H 'Content-Type: text/xml' \\\n  -d '<package key="${KEY}"><balance/></package>'`
    case 'query':
      return `curl -s "${url}/api/http.php?version=http&key=${KEY}&command=balance"`
    case 'kannel':
      return `curl -s "${url}/cgi-bin/status.txt?username=<LOGIN>&password=<PASSWORD>"`
    case 'jasmin':
      return `curl -s "${url}/balance?username=<LOGIN>&password=<PASSWORD>"`
    case 'logins':
      return `curl -s "${url}/logins/logto/<LOGIN>" -H 'Authorization: <PASSWORD>' \\\n  -d '{"to":"+491701234500","payload":{"code":"482913"}}'`
    case 'smpp':
      return `nc -zv ${hostOf(address)} ${smppPort}`
  }
}

/** Returns where programs reach an API. */
export function addressOf(api: ApiName, { address, smppPort }: Reached): string {
  if (api === 'smpp') return `smpp://${hostOf(address)}:${smppPort}`
  return `${clientAddress(address)}${API_PATHS[api]}`
}

function hostOf(address: string | null | undefined): string {
  return address == null ? '$POSTHORN_HOST' : new URL(address).hostname
}

/** Returns a curl command that sends operations with a key. */
export function curlOf(address: string | null | undefined, key: string, ...data: readonly object[]): string {
  const body = JSON.stringify({ auth: key, data }, null, 2).replaceAll("'", "'\\''")
  return `curl -s ${clientAddress(address)}${API_PATHS.json} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`
}
