/**
 * Asks a user who came by a sign-in link, and could not log in without another one, to set a password and codes or a
 * passkey. It can be postponed until the next login.
 */
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import type { useMe } from '../api/me.ts'
import { Button } from '../parts/button.tsx'
import { Dialog, DialogActions } from '../parts/overlay/dialog.tsx'
import { useFrameTexts } from './frame-texts.ts'

const PAGE = '/security'
const KEY = 'posthorn.set-up-later'

type Me = NonNullable<ReturnType<typeof useMe>>

export function SetUpPrompt({ me }: { readonly me: Me }) {
  const texts = useFrameTexts()
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [isLater, setLater] = useState(() => postponed() === sessionOf(me))
  const canLogIn = (me.password && me.codes) || me.passkeys > 0 || me.sso
  if (canLogIn || isLater || me.expires_at === null || path.endsWith(PAGE)) return null
  const later = () => {
    postpone(sessionOf(me))
    setLater(true)
  }
  return (
    <Dialog open onClose={later} title={texts.setUpTitle} description={texts.setUpText}>
      <DialogActions>
        <Button onClick={later}>{texts.setUpLater}</Button>
        <Button
          kind="primary"
          onClick={() => {
            later()
            void navigate({ to: PAGE })
          }}
        >
          {texts.setUpNow}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Each login ends at another time. */
function sessionOf({ user, expires_at: expiresAt }: Me): string {
  return `${user} ${expiresAt}`
}

function postponed(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

function postpone(session: string): void {
  try {
    sessionStorage.setItem(KEY, session)
  } catch {
    // A browser without storage asks again when the page is loaded again.
  }
}
