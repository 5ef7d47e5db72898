/** Asks the admin API as a page of the console does, called by its public name. */
import { plainRequest } from './plain-request.ts'
import type { SandboxWorld } from './sandbox-world.ts'

const CONSOLE_HOST = 'console.example.com'
export const CONSOLE_ORIGIN = `https://${CONSOLE_HOST}`

export interface ConsoleReply {
  readonly status: number
  /** That was set; empty without one. */
  readonly cookie: string
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  readonly body: any
}

export async function askAsConsole(
  world: SandboxWorld,
  [method, path]: readonly [method: string, path: string],
  { body, cookie = '' }: { readonly body?: object; readonly cookie?: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<ConsoleReply> {
  const page = { host: CONSOLE_HOST, origin: CONSOLE_ORIGIN, 'sec-fetch-site': 'same-origin' }
  const answer = await plainRequest(world.gateway.adminAddress, `/admin/v1${path}`, {
    method,
    headers: { ...page, 'content-type': 'application/json', cookie, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const set = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  return { status: answer.status, cookie: set, body: answer.body === '' ? null : JSON.parse(answer.body) }
}
