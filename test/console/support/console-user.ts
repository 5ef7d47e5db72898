/** Users of the console who have a password and codes, and log in through the admin API as a browser would. */
import { Secret, TOTP } from 'otpauth'
import type { Gateway } from '../../../src/app/gateway.ts'
import { systemRandom } from '../../../src/app/system/system-random.ts'
import { hashPassword } from '../../../src/operations/admin/session/hash-password.ts'
import type { Clock } from '../../../src/ports/system/clock.ts'

const CODE_STEP_MS = 30_000
const PASSWORD = 'correct horse battery staple'
/** Of password hashes: little work. */
export const PASSWORD_LOG_N = 4

export interface ConsoleUser {
  readonly user: string
  readonly password: string
  /** Returns a code that has not been used. Two are valid within half a minute: one to log in, one for a proof. */
  code(): string
}

/** Gives a user password and codes. */
export async function giveSecrets(gateway: Gateway, user: string, clock: Clock): Promise<ConsoleUser> {
  const codes = new TOTP({ secret: new Secret() })
  const passwordHash = await hashPassword(PASSWORD, systemRandom, PASSWORD_LOG_N)
  const secrets = { user, passwordHash, totpSecret: codes.secret.base32, keepToken: null }
  await gateway.store.change({ kind: 'set admin secrets', ...secrets })
  await gateway.refresh()
  // The gateway accepts the codes of the present and the next step, each once.
  let at = clock.now() - CODE_STEP_MS
  const code = () => {
    at += CODE_STEP_MS
    return codes.generate({ timestamp: at })
  }
  return { user, password: PASSWORD, code }
}

/** For the browser's jar. */
export interface SessionCookie {
  readonly name: string
  readonly value: string
}

/** Logs in as a browser does. Uses one code. */
export async function logIn(adminAddress: string, { user, password, code }: ConsoleUser): Promise<SessionCookie> {
  const response = await fetch(`${adminAddress}/admin/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ user, password, code: code(), cookie: true }),
  })
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(response.headers.get('set-cookie') ?? '') ?? []
  if (name === '') throw new Error(`${user} could not log in: ${response.status} ${await response.text()}`)
  return { name, value }
}
