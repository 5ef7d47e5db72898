/** Which carriers a waiting message waits for, and why they do not take it. */
import { Hourglass } from 'lucide-react'
import { useHasPage } from '../../parts/list/has-page.ts'
import { TextLink } from '../../parts/text-link.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { usePageTexts } from './message-page-texts.ts'
import type { Details } from './page-facts.ts'

export function WaitingFor({ details }: { readonly details: Details | undefined }) {
  const texts = usePageTexts()
  const hasPage = useHasPage()
  // Users of an account do not see carriers.
  const carriers = details?.waits_for ?? []
  const because = details?.waits_because ?? null
  if (because !== null)
    return (
      <p className="mt-3 flex gap-2">
        <Hourglass aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
        {texts.waitsBecause(gatewayText(because))}
      </p>
    )
  if (carriers.length === 0) return null
  return (
    <ul aria-label={texts.waitingFor} className="mt-3 flex flex-col gap-1.5">
      {carriers.map(({ carrier, state, reason, queued }) => {
        const notes = [
          ...(reason === null ? [] : [gatewayText(reason)]),
          ...(queued === 0 ? [] : [texts.queued(queued)]),
        ]
        return (
          <li key={carrier} className="flex gap-2 [overflow-wrap:anywhere]">
            <Hourglass aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
            <span>
              {texts.waiting}{' '}
              {hasPage('/carriers') ? (
                <TextLink to={`/carriers/${carrier}`} className="underline">
                  {carrier}
                </TextLink>
              ) : (
                carrier
              )}{' '}
              {texts.carrierStates[state]}
              {notes.length > 0 && <span className="text-muted"> · {notes.join(' · ')}</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
