/**
 * Sign-in with the firm's account: the browser goes to the identity provider, which sends it back to `/login/sso`. What
 * the attempt needs then is kept under its state, for all tabs: a proof opens one of its own.
 */
import { api } from './api.ts'

const PREFIX = 'sso '

interface Attempt {
  readonly verifier: string
  /** Where a login goes on; null for a proof. */
  readonly returnTo: string | null
}

/** Leaves the page to log in. */
export async function leaveToLogIn(returnTo: string): Promise<void> {
  window.location.assign(keep(await api.post('/session/sso'), returnTo).address)
}

/** Opens the provider in a tab, and resolves once the user has signed in there anew. */
export async function proveInTab(): Promise<void> {
  const { address, state } = keep(await api.post('/session/proof/sso'), null)
  const proven = new Promise<void>((resolve) => {
    const look = ({ key, newValue }: StorageEvent) => {
      if (key !== PREFIX + state || newValue !== null) return
      window.removeEventListener('storage', look)
      resolve()
    }
    window.addEventListener('storage', look)
  })
  window.open(address, '_blank', 'noopener')
  return proven
}

/** Presents the query with which the provider sent the browser back. Returns where to go on; null after a proof. */
export async function finishSso(query: string): Promise<string | null> {
  const state = new URLSearchParams(query).get('state') ?? ''
  const kept = window.localStorage.getItem(PREFIX + state)
  const { verifier, returnTo }: Attempt = kept === null ? { verifier: '', returnTo: '/' } : JSON.parse(kept)
  const answer = { state, verifier, query }
  if (returnTo === null) await api.post('/session/proof/sso/answer', { body: answer })
  else await api.post('/session/sso/answer', { body: { ...answer, cookie: true } })
  window.localStorage.removeItem(PREFIX + state)
  return returnTo
}

interface Begun {
  readonly address: string
  readonly state: string
  readonly verifier: string
}

/** Forgets attempts that did not end. */
function keep(begun: Begun, returnTo: string | null): Begun {
  for (const key of Object.keys(window.localStorage)) if (key.startsWith(PREFIX)) window.localStorage.removeItem(key)
  const attempt: Attempt = { verifier: begun.verifier, returnTo }
  window.localStorage.setItem(PREFIX + begun.state, JSON.stringify(attempt))
  return begun
}
