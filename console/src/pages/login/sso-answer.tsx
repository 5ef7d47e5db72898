/** Where the identity provider sends the browser back: logs in, or confirms what another tab asks for. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { messageOf } from '../../api/problem.ts'
import { queryClient } from '../../api/queries.ts'
import { finishSso } from '../../api/sso.ts'
import { Brand } from '../../frame/navigation.tsx'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { useTexts } from '../../texts/texts.ts'
import { LOGIN_DE } from './texts-de.ts'
import { LOGIN_EN } from './texts-en.ts'

/** Taken before the router reads the address, so that neither the history nor a reload has it. */
const query = takeQuery()

function takeQuery(): string {
  const { pathname, search } = window.location
  const own = `${import.meta.env.BASE_URL}login/sso`
  if (pathname !== own) return ''
  window.history.replaceState(null, '', own)
  return search
}

/** Presented once, however often the page is drawn. */
let finishing: Promise<string | null> | undefined

export function SsoAnswerPage() {
  const texts = useTexts<typeof LOGIN_EN>({ en: LOGIN_EN, de: LOGIN_DE })
  const navigate = useNavigate()
  const [isConfirmed, setConfirmed] = useState(false)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    finishing ??= finishSso(query)
    finishing.then((returnTo) => {
      if (returnTo === null) return setConfirmed(true)
      queryClient.clear()
      void navigate({ to: returnTo, replace: true })
    }, setError)
  }, [navigate])
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-6 px-4 py-10">
      <Brand />
      <Card>
        <PageHeader title={texts.title} />
        {error !== null ? (
          <div className="flex flex-col gap-4">
            <Notice kind="warn">{messageOf(error)}</Notice>
            <Link to="/login" className="text-accent-ink underline">
              {texts.again}
            </Link>
          </div>
        ) : (
          <p role="status">{isConfirmed ? texts.confirmed : texts.signingIn}</p>
        )}
      </Card>
    </main>
  )
}
