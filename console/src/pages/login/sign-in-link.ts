/** One-time links that log a user in: `/console/#sign-in=token`. The part behind `#` reaches no server and no log. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOf, api } from '../../api/api.ts'

const PREFIX = '#sign-in='

/**
 * Taken before the router reads the address, so that neither the history nor a reload has it. Null once it was used: a
 * later logout must not present it again.
 */
let token = takeToken()

// A link that is pasted while the console is open changes the address only.
window.addEventListener('hashchange', () => {
  if (window.location.hash.startsWith(PREFIX)) window.location.reload()
})

/** Also leads to the login page if another user is logged in. */
function takeToken(): string | null {
  const { hash } = window.location
  if (!hash.startsWith(PREFIX)) return null
  window.history.replaceState(null, '', `${import.meta.env.BASE_URL}login`)
  return hash.slice(PREFIX.length)
}

/** The link is for `owner`; `present` is logged in and would be replaced. */
export interface LinkQuestion {
  readonly owner: string
  readonly present: string
  confirm(): void
}

/** Logs in by the link, once. Asks before it replaces the session of another user. */
export function useSignInLink(onDone: () => void): 'none' | 'waiting' | 'failed' | LinkQuestion {
  const [isConfirmed, setConfirmed] = useState(false)
  const present = useQuery({
    queryKey: ['user before the sign-in link'],
    queryFn: readPresentUser,
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const owner = ownerOf(token ?? '')
  const isOther = typeof present.data === 'string' && present.data !== owner
  const login = useQuery({
    queryKey: ['sign-in link'],
    queryFn: async () => {
      await api.post('/session/link', { body: { token: token ?? '', cookie: true } })
      token = null
      onDone()
      return true
    },
    enabled: token !== null && present.isSuccess && (!isOther || isConfirmed),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (token === null) return 'none'
  if (login.isError || present.isError) return 'failed'
  if (isOther && !isConfirmed) return { owner, present: present.data ?? '', confirm: () => setConfirmed(true) }
  return login.isPending ? 'waiting' : 'none'
}

/** Returns null without a session. Not by `api`, for which that is the end of a session. */
async function readPresentUser(): Promise<string | null> {
  const response = await fetch(addressOf('/me'), { credentials: 'same-origin' })
  return response.ok ? ((await response.json()) as { readonly user: string }).user : null
}

/** Returns the name in the first part of the token; empty if it has none. */
function ownerOf(token: string): string {
  try {
    const binary = atob((token.split('.')[0] ?? '').replace(/-/g, '+').replace(/_/g, '/'))
    return new TextDecoder().decode(Uint8Array.from(binary, (each) => each.charCodeAt(0)))
  } catch {
    return ''
  }
}
