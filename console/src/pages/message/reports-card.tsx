/** The reports of a message: state, tries, payload, and sending one again. */

import { RotateCcw, Webhook } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { Tries, useNextTry } from '../../features/hooks/tries.tsx'
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBlock, CopyText } from '../../parts/copy.tsx'
import { indentJson } from '../../parts/indent-json.ts'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card, KeyValues } from '../../parts/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { usePageTexts } from './message-page-texts.ts'

type Report = AnswerOf<'GET', '/reports/{message}'>['data'][number]
type State = Report['state']

const EVERY_MS = 5_000
const TONES: Readonly<Record<State, BadgeTone>> = { pending: 'info', sent: 'good', failed: 'bad' }

interface ReportsCardProps {
  readonly message: number
  /** More reports may come. */
  readonly isOpen: boolean
}

export function ReportsCard({ message, isOpen }: ReportsCardProps) {
  const texts = usePageTexts()
  const may = useMay()
  const enabled = may('listReports')
  const [resending, setResending] = useState<Report | null>(null)
  const [isWatched, setWatched] = useState(false)
  const every = isOpen || isWatched ? { every: EVERY_MS } : {}
  const list = usePages('/reports/{message}', { params: { message } }, { enabled, ...every })
  const { rows, error, retry, hasMore, readMore, isReading } = list
  const tried = rows?.map(({ number, state, tried_at: at }) => `${number} ${state} ${at}`).join()
  const shown = useRef(tried)
  // The timeline has each try.
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== tried) {
      invalidate('/messages/{message}', '/messages/{message}/details')
    }
    shown.current = tried
  }, [tried])
  if (!enabled) return null
  return (
    <Card title={texts.reports} description={texts.reportsHint}>
      {rows === undefined && error === null && <Loading />}
      {rows === undefined && error !== null && <ErrorState error={error} retry={retry} />}
      {rows?.length === 0 && (
        <EmptyState icon={Webhook} title={texts.noReports}>
          {texts.noReportsHint}
        </EmptyState>
      )}
      <ul className="flex flex-col divide-y">
        {rows?.map((report) => (
          <ReportItem key={report.number} report={report} resend={() => setResending(report)} />
        ))}
      </ul>
      {hasMore && (
        <Button size="small" busy={isReading} onClick={readMore}>
          …
        </Button>
      )}
      <ConfirmDialog
        open={resending !== null}
        onClose={() => setResending(null)}
        title={texts.resendTitle(nameOf(resending, texts), message)}
        action={texts.resend}
        run={async (key) => {
          const number = resending?.number ?? 0
          const body = resending?.tried_at == null ? {} : { tried_at: resending.tried_at }
          await api.post('/reports/{message}/{number}/resend', { params: { message, number }, body, key })
          setWatched(true)
          toast(texts.resent)
          invalidate('/reports/{message}', '/messages/{message}')
        }}
      >
        {texts.resendText(resending?.address ?? '')}
      </ConfirmDialog>
    </Card>
  )
}

/** Its kind in words: numbers count from 0, and again for each hook of the client. */
function nameOf(report: Report | null, texts: ReturnType<typeof usePageTexts>): string {
  const type = report?.type ?? ''
  return texts.reportKinds[type] ?? texts.report
}

/** The time of the last delivery of a report that was sent again since; none for others. */
function deliveredBefore({ state, tried_at: triedAt, last_tries: tries }: Report): readonly string[] {
  const isEarlier = (at: string) => state === 'pending' || at !== triedAt
  const last = tries.findLast(({ at, delivered }) => delivered && isEarlier(at))
  return last === undefined ? [] : [last.at]
}

function ReportItem({ report, resend }: { readonly report: Report; readonly resend: () => void }) {
  const texts = usePageTexts()
  const may = useMay()
  const nextTry = useNextTry()
  const { number, type, state, payload, failed_tries: tries } = report
  const items = [
    { label: texts.address, value: report.address },
    { label: texts.number, value: number },
    { label: texts.created, value: <Time at={report.created_at} show="both" /> },
    ...(report.tried_at === null ? [] : [{ label: texts.tried, value: <Time at={report.tried_at} show="both" /> }]),
    ...deliveredBefore(report).map((at) => ({ label: texts.deliveredBefore, value: <Time at={at} show="both" /> })),
    ...nextTry(report),
    ...(report.detail === '' ? [] : [{ label: texts.answer, value: gatewayText(report.detail) }]),
    { label: texts.webhook, value: <CopyText text={report.webhook_id} label={texts.webhook} /> },
  ]
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          {nameOf(report, texts)}
          <Badge dot tone={TONES[state]}>
            {texts.reportStates[state]}
          </Badge>
          {tries > 0 && <span className="text-sm font-normal text-muted">{texts.tries(tries)}</span>}
          {type !== null && <code className="font-mono text-sm font-normal text-muted">{type}</code>}
        </h3>
        {may('resendReport') && report.address !== 'feed:' && (
          <Button size="small" icon={RotateCcw} onClick={resend}>
            {texts.resend}
          </Button>
        )}
      </div>
      <KeyValues items={items} />
      <Tries report={report} />
      {payload === null ? (
        <p className="text-sm text-muted">{texts.noPayload}</p>
      ) : (
        <details>
          <summary className="w-fit rounded-sm text-muted hover:text-ink">{texts.payload}</summary>
          <div className="mt-2">
            <CodeBlock code={indentJson(payload)} label={texts.payload} />
          </div>
        </details>
      )}
    </li>
  )
}
