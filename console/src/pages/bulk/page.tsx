/** One bulk: how far it is, what it costs, which lines are refused; start, pause, continue and stop. */
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useMe } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { BulkBadge } from '../../features/bulks/bulk-badge.tsx'
import { useBulkTexts } from '../../features/bulks/bulk-texts.ts'
import { MakerName } from '../../features/bulks/maker-name.tsx'
import { Button } from '../../parts/button.tsx'
import { channelName } from '../../parts/channel.tsx'
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { Card, KeyValues, PageHeader } from '../../parts/page/page.tsx'
import { ErrorState, Loading, Notice } from '../../parts/page/states.tsx'
import { Money, Num, Time } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { usePreferences } from '../../texts/language.ts'
import { BulkActions } from './actions.tsx'
import type { Bulk } from './bulk.ts'
import { useBulkPageTexts } from './bulk-page-texts.ts'
import { ErrorsCard } from './errors-card.tsx'
import { PaceDialog } from './pace-dialog.tsx'
import { ProgressCard } from './progress-card.tsx'
import { UploadCard } from './upload-card.tsx'

const EVERY_MS = 5_000

export function Page() {
  const texts = useBulkPageTexts()
  const words = useBulkTexts()
  const may = useMay()
  const { account, bulk: number } = useParams({ strict: false }) as { readonly account: string; readonly bulk: string }
  const params = { account: Number(account), bulk: Number(number) }
  const { data: bulk, error, refetch } = useApi('/accounts/{account}/bulks/{bulk}', { params }, { every: EVERY_MS })
  const back = { to: '/bulks', label: texts.back }
  if (bulk === undefined) {
    return (
      <>
        <PageHeader title={texts.title(params.bulk)} back={back} />
        {error === null ? <Loading /> : <ErrorState error={error} retry={() => void refetch()} />}
      </>
    )
  }
  const reasons: Readonly<Record<string, string>> = words.reasons
  return (
    <>
      <PageHeader
        title={texts.title(bulk.bulk)}
        back={back}
        badge={<BulkBadge state={bulk.state} test={bulk.test} />}
        actions={<BulkActions bulk={bulk} />}
      />
      <div className="flex flex-col gap-5">
        {bulk.reason !== null && <Notice kind="warn">{reasons[bulk.reason] ?? bulk.reason}</Notice>}
        {bulk.state === 'uploading' && may('addBulkLines') && <UploadCard key={bulk.bulk} bulk={bulk} />}
        <Figures bulk={bulk} />
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <ProgressCard bulk={bulk} />
          <Facts bulk={bulk} />
        </div>
        {bulk.refused > 0 && <ErrorsCard bulk={bulk} />}
      </div>
    </>
  )
}

function Figures({ bulk }: { readonly bulk: Bulk }) {
  const texts = useBulkPageTexts()
  const formats = useFormats()
  const { lines, waiting, refused, accepted, duplicates, estimate, price, currency } = bulk
  const note = duplicates === 0 ? {} : { note: texts.duplicates(duplicates) }
  const isOver = bulk.state === 'stopped' || bulk.state === 'finished'
  const upTo = isOver ? {} : { note: texts.upTo(formats.headline(estimate, currency)) }
  return (
    <Stats>
      <Stat label={texts.lines} value={<Num value={lines} />} {...note} />
      <Stat label={texts.refused} value={<Num value={refused} />} />
      <Stat label={bulk.state === 'stopped' ? texts.notSent : texts.waiting} value={<Num value={waiting} />} />
      <Stat label={texts.accepted} value={<Num value={accepted} />} />
      <Stat label={texts.price} value={<Money as="headline" amount={price} currency={currency} />} {...upTo} />
    </Stats>
  )
}

function Facts({ bulk }: { readonly bulk: Bulk }) {
  const texts = useBulkPageTexts()
  const may = useMay()
  const isClient = useMe()?.account != null
  const [isOpen, setOpen] = useState(false)
  const { account, pace, created_at: madeAt, start_at: startAt, ended_at: endedAt, state } = bulk
  const { channels, senders, text } = bulk
  const { language } = usePreferences()
  const isOngoing = endedAt === null && state !== 'stopped'
  const items = [
    { label: texts.kind, value: bulk.test ? texts.kinds.test : texts.kinds.live },
    { label: texts.channels, value: channels.map((channel) => channelName(channel, language)).join(', ') },
    { label: texts.senders, value: senders.length === 0 ? '–' : senders.join(', ') },
    ...(text === null ? [] : [{ label: texts.text, value: text }]),
    ...(isClient ? [] : [{ label: texts.account, value: <AccountName account={account} linked /> }]),
    {
      label: texts.pace,
      value: (
        <span className="inline-flex flex-wrap items-center gap-3">
          <Num value={pace} />
          {isOngoing && may('setBulk') && (
            <Button size="small" onClick={() => setOpen(true)}>
              {texts.setPace}
            </Button>
          )}
        </span>
      ),
    },
    { label: texts.madeBy, value: <MakerName made={bulk} /> },
    { label: texts.made, value: <Time at={madeAt} show="both" /> },
    { label: texts.startTime, value: <Time at={startAt} show="both" /> },
    { label: texts.ended, value: <Time at={endedAt} show="both" /> },
  ]
  return (
    <Card title={texts.facts}>
      <KeyValues items={items} />
      {isOpen && <PaceDialog bulk={bulk} onClose={() => setOpen(false)} />}
    </Card>
  )
}
