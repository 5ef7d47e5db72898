/** The message that was just sent, and its timeline as it grows. */
import { useEffect, useState } from 'react'
import { useApi } from '../../api/queries.ts'
import { explain } from '../../features/messages/explain.ts'
import { useMessageTexts } from '../../features/messages/message-texts.ts'
import { StoryList } from '../../features/messages/story-list.tsx'
import { StatusBadge } from '../../parts/badge.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Card } from '../../parts/page/page.tsx'
import { ErrorState, Loading } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useComposeTexts } from './compose-texts.ts'

/** Read quickly a few times, as most messages are delivered within seconds; then as other pages do. */
const QUICK_READS = 5
const QUICK_MS = 1_000
const EVERY_MS = 5_000

interface TravelProps {
  readonly message: number
  readonly close: () => void
}

export function Travel({ message, close }: TravelProps) {
  const texts = useComposeTexts()
  const words = useMessageTexts()
  const formats = useFormats()
  const [reads, setReads] = useState(0)
  const [hasEnded, setEnded] = useState(false)
  const pace = hasEnded ? {} : { every: reads < QUICK_READS ? QUICK_MS : EVERY_MS }
  const { data, error, dataUpdatedAt, refetch } = useApi('/messages/{message}', { params: { message } }, pace)
  const trace = data?.message === message ? data : undefined
  useEffect(() => {
    if (dataUpdatedAt > 0) setReads((count) => count + 1)
  }, [dataUpdatedAt])
  useEffect(() => setEnded(trace?.phase === 'ended'), [trace?.phase])
  return (
    <Card
      title={hasEnded ? texts.ended(message) : texts.travels(message)}
      className="mb-5"
      actions={
        <>
          {trace !== undefined && <StatusBadge status={trace.status} />}
          <LinkButton to={`/messages/${message}`} size="small">
            {texts.open}
          </LinkButton>
          <Button kind="plain" size="small" onClick={close}>
            {texts.another}
          </Button>
        </>
      }
    >
      <div aria-live="polite">
        {trace === undefined && error === null && <Loading />}
        {trace === undefined && error !== null && <ErrorState error={error} retry={() => void refetch()} />}
        {trace !== undefined && (
          <>
            <p className="mb-4 max-w-prose">{explain(trace, words, formats).join(' ')}</p>
            <StoryList trace={trace} />
          </>
        )}
      </div>
    </Card>
  )
}
