/** One-time links that log a user in: `/console/#sign-in=TOKEN`. The part behind `#` reaches no server and no log. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/api.ts'

const PREFIX = '#sign-in='

/** Taken before the router reads the address, so that neither the history nor a reload has it. */
const TOKEN = takeToken()

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

/** Logs in by the link, once. */
export function useSignInLink(onDone: () => void): 'none' | 'waiting' | 'failed' {
  const { isPending, isError } = useQuery({
    queryKey: ['sign-in link'],
    queryFn: async () => {
      await api.post('/session/link', { body: { token: TOKEN ?? '', cookie: true } })
      onDone()
      return true
    },
    enabled: TOKEN !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (TOKEN === null) return 'none'
  if (isError) return 'failed'
  return isPending ? 'waiting' : 'none'
}
