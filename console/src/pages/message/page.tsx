/** One message: what happened to it and why, what it cost, and its reports. */
import { useParams } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useMay } from '../../api/me.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { explain } from '../../features/messages/explain.ts'
import { secondsToDelivery } from '../../features/messages/message-facts.ts'
import { channelName, useMessageTexts } from '../../features/messages/message-texts.ts'
import { StoryList } from '../../features/messages/story-list.tsx'
import { Badge, StatusBadge } from '../../parts/badge.tsx'
import { IconButton } from '../../parts/button.tsx'
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { ErrorState, Loading } from '../../parts/page/states.tsx'
import { Money, Num } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { FactsCard } from './facts-card.tsx'
import { LinksCard } from './links-card.tsx'
import { usePageTexts } from './message-page-texts.ts'
import { type Details, type PageFacts, startOf } from './page-facts.ts'
import { PlanCard } from './plan-card.tsx'
import { RefundAction, refundedOf } from './refund-action.tsx'
import { ReportsCard } from './reports-card.tsx'
import { WaitingActions } from './waiting-actions.tsx'
import { WaitingFor } from './waiting-for.tsx'

const EVERY_MS = 5_000
const REPORT_STATES = ['sent', 'pending', 'failed'] as const

export function Page() {
  const texts = usePageTexts()
  const words = useMessageTexts()
  const may = useMay()
  const { message = '' }: { readonly message?: string } = useParams({ strict: false })
  const params = { message: Number(message) }
  const first = useApi('/messages/{message}', { params })
  const isOpen = first.data !== undefined && first.data.phase !== 'ended'
  const { data, error, refetch } = useApi('/messages/{message}', { params }, isOpen ? { every: EVERY_MS } : {})
  const more = useApi(
    '/messages/{message}/details',
    { params },
    { enabled: may('showMessageDetails'), ...(isOpen ? { every: EVERY_MS } : {}) },
  )
  const details = more.data?.message === params.message ? more.data : undefined
  // The answer of the message before stays until this one's is here.
  const trace = data?.message === params.message ? data : undefined
  const refresh = () => invalidate('/messages/{message}', '/messages/{message}/details', '/reports/{message}')
  return (
    <>
      <PageHeader
        title={texts.title(message)}
        back={{ to: '/messages', label: texts.back }}
        badge={
          trace !== undefined && (
            <>
              <StatusBadge status={trace.status} />
              {trace.test && <Badge>{words.test}</Badge>}
            </>
          )
        }
        actions={<IconButton label={texts.refresh} icon={RefreshCw} onClick={refresh} />}
      />
      {trace === undefined && error === null && <Loading />}
      {trace === undefined && error !== null && <ErrorState error={error} retry={() => void refetch()} />}
      {trace !== undefined && <Contents trace={trace} details={details} />}
    </>
  )
}

/** `details` come after the timeline; users without that right see the page without them. */
function Contents({ trace, details }: PageFacts) {
  const texts = usePageTexts()
  const words = useMessageTexts()
  const formats = useFormats()
  const sentences = explain(trace, words, formats, startOf(trace, details))
  return (
    <div className="flex flex-col gap-5">
      <Figures trace={trace} details={details} />
      <Card title={texts.what}>
        <p className="max-w-prose text-lg leading-relaxed">{sentences.join(' ')}</p>
        <WaitingFor details={details} />
        <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
          <WaitingActions trace={trace} />
          <RefundAction trace={trace} />
        </div>
      </Card>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-5">
          <Card title={texts.timeline}>
            <StoryList trace={trace} />
          </Card>
          <ReportsCard message={trace.message} isOpen={trace.phase !== 'ended'} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <FactsCard trace={trace} details={details} />
          <PlanCard trace={trace} />
          <LinksCard details={details} />
        </div>
      </div>
    </div>
  )
}

function noteOfStart(
  { planned, sentNow }: ReturnType<typeof usePageTexts>,
  details: Details | undefined,
): string | undefined {
  if (details?.send_at == null) return undefined
  return details.starts_at === details.send_at ? planned : sentNow
}

function Figures({ trace, details }: PageFacts) {
  const texts = usePageTexts()
  const words = useMessageTexts()
  const formats = useFormats()
  const { channel, status, phase, price, held, currency } = trace
  const seconds = secondsToDelivery(trace, startOf(trace, details))
  const step = trace.steps.find((each) => each.channel === channel)
  const isDelivered = status === 'DELIVERED' || status === 'READ'
  const waited = phase === 'ended' ? texts.notDelivered : texts.open
  const refunded = refundedOf(trace)
  const cost = details?.cost_currency == null ? null : formats.exactMoney(details.cost ?? 0, details.cost_currency)
  const moneyNote = [
    ...(Number(held) === 0 ? [] : [texts.held(formats.exactMoney(held, currency))]),
    ...(refunded === 0 ? [] : [texts.refunded(formats.exactMoney(refunded, currency))]),
    ...(cost === null ? [] : [texts.cost(cost)]),
    ...(details?.margin == null ? [] : [texts.margin(formats.exactMoney(details.margin, currency))]),
  ]
  const reportNote = REPORT_STATES.flatMap((state) => {
    const count = details?.[`reports_${state}`] ?? 0
    return count === 0 ? [] : [`${formats.number(count)} ${texts.reportStates[state].toLowerCase()}`]
  })
  return (
    <Stats>
      <Stat
        label={isDelivered ? texts.channel : texts.current}
        value={channel === null ? '–' : channelName(words, channel)}
        note={step?.carrier ?? undefined}
      />
      <Stat
        label={texts.time}
        value={seconds === null ? '–' : formats.duration(seconds)}
        note={seconds === null ? waited : noteOfStart(texts, details)}
      />
      <Stat
        label={texts.price}
        value={<Money as="price" amount={price} currency={currency} />}
        note={moneyNote.join(' · ') || undefined}
      />
      {details !== undefined && (
        <Stat
          label={texts.reports}
          value={<Num value={details.reports_sent + details.reports_pending + details.reports_failed} />}
          note={reportNote.join(' · ') || undefined}
        />
      )}
    </Stats>
  )
}
