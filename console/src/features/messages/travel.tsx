/** The message that was just sent, and what happens to it as it happens. */
import { useEffect, useState } from 'react'
import { useApi } from '../../api/queries.ts'
import { ErrorState, Loading } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { explain } from './explain.ts'
import { useMessageTexts } from './message-texts.ts'
import { StoryList } from './story-list.tsx'

/** Read quickly a few times, as most messages are delivered within seconds; then as other pages do. */
const QUICK_READS = 5
const QUICK_MS = 1_000
const EVERY_MS = 5_000

/** Reads the message until its end. */
export function useTravel(message: number) {
  const [reads, setReads] = useState(0)
  const [hasEnded, setEnded] = useState(false)
  const pace = hasEnded ? {} : { every: reads < QUICK_READS ? QUICK_MS : EVERY_MS }
  const { data, error, dataUpdatedAt, refetch } = useApi('/messages/{message}', { params: { message } }, pace)
  const trace = data?.message === message ? data : undefined
  useEffect(() => {
    if (dataUpdatedAt > 0) setReads((count) => count + 1)
  }, [dataUpdatedAt])
  useEffect(() => setEnded(trace?.phase === 'ended'), [trace?.phase])
  return { trace, error, hasEnded, retry: () => void refetch() }
}

export function TravelStory({ travel: { trace, error, retry } }: { readonly travel: ReturnType<typeof useTravel> }) {
  const words = useMessageTexts()
  const formats = useFormats()
  return (
    <div aria-live="polite">
      {trace === undefined && error === null && <Loading />}
      {trace === undefined && error !== null && <ErrorState error={error} retry={retry} />}
      {trace !== undefined && (
        <>
          <p className="mb-4 max-w-prose">{explain(trace, words, formats).join(' ')}</p>
          <StoryList trace={trace} />
        </>
      )}
    </div>
  )
}
