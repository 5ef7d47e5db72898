/** Passkeys (WebAuthn) of this browser: log in, prove identity, register. */
import { api } from './api.ts'

/** Browsers offer passkeys on HTTPS and localhost, not at an IP address. */
export const hasPasskeys =
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  !/^[\d.]+$|^\[/.test(window.location.hostname)

/** Rejects with ApiError, or with a DOMException if the user declines. */
export async function logInByPasskey(): Promise<void> {
  await api.post('/session/passkey', { body: { credential: await sign('/session/passkey/challenge'), cookie: true } })
}

export async function proveByPasskey(): Promise<void> {
  await api.post('/session/proof/passkey', { body: { credential: await sign('/session/proof/passkey/challenge') } })
}

export async function registerPasskey(name: string): Promise<void> {
  const { options } = await api.post('/me/passkeys/challenge')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  const made = await navigator.credentials.create({ publicKey })
  await api.post('/me/passkeys', { body: { name, credential: toJson(made) as never } })
}

/** Whether the user closed the browser's dialog or let it time out. */
export function isDeclined(error: unknown): boolean {
  return error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name)
}

async function sign(path: '/session/passkey/challenge' | '/session/proof/passkey/challenge'): Promise<never> {
  const { options } = await api.post(path)
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return toJson(await navigator.credentials.get({ publicKey })) as never
}

function toJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new TypeError('the browser returned no passkey')
  return credential.toJSON()
}
