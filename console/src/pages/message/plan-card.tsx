/** The channels of a message in their order, and how far it has come. */
import type { Trace } from '../../features/messages/message-facts.ts'
import { channelName, useMessageTexts } from '../../features/messages/message-texts.ts'
import { StatusBadge } from '../../parts/badge.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Money } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { usePageTexts } from './message-page-texts.ts'

export function PlanCard({ trace }: { readonly trace: Trace }) {
  const texts = usePageTexts()
  const words = useMessageTexts()
  const formats = useFormats()
  return (
    <Card title={texts.plan} description={texts.planHint}>
      <ol className="flex flex-col divide-y">
        {trace.steps.map(({ channel, sender, parts, price, lifetime_seconds: lifetime, status }) => (
          <li key={channel} className="py-2.5 first:pt-0 last:pb-0">
            <div className="flex items-center justify-between gap-3">
              <span className={status === null ? 'text-muted' : 'font-medium'}>{channelName(words, channel)}</span>
              {status === null ? (
                <span className="text-sm text-muted">{trace.phase === 'ended' ? texts.notReached : '–'}</span>
              ) : (
                <StatusBadge status={status} />
              )}
            </div>
            <p className="mt-0.5 text-sm text-muted [overflow-wrap:anywhere]">
              {[sender, texts.parts(parts), formats.duration(lifetime)].filter((each) => each !== '').join(' · ')}
              {' · '}
              <Money as="price" amount={price} currency={trace.currency} />
            </p>
          </li>
        ))}
      </ol>
    </Card>
  )
}
