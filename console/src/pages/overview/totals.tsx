/** The numbers of the range. */

import { useMay, useMe } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { Skeleton } from '../../parts/page/states.tsx'
import { Money } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useOverviewTexts } from './overview-texts.ts'
import type { TrafficRange } from './traffic-range.ts'
import { useTotals } from './use-traffic.ts'

export function Totals({ range }: { readonly range: TrafficRange }) {
  const texts = useOverviewTexts()
  const formats = useFormats()
  const isClient = useMe()?.account != null
  const seesHolds = useMay()('showHolds') && !isClient
  const { data } = useTotals(range, 'none')
  const total = data?.data[0]
  const waiting = data === undefined ? <Skeleton className="my-1.5 h-7 w-20" /> : null
  const share = total?.delivered_of_asked ?? null
  const median = total?.p50_seconds ?? null
  const p95 = total?.p95_seconds ?? null
  return (
    <Stats>
      <Stat
        label={texts.messages}
        value={waiting ?? formats.compact(total?.asked ?? 0)}
        note={texts.notReached(formats.compact(total?.failed ?? 0))}
      />
      <Stat
        label={texts.delivered}
        value={waiting ?? (share === null ? '–' : formats.percent(share))}
        note={texts.deliveredNote(formats.compact(total?.delivered ?? 0))}
      />
      <Stat
        label={texts.time}
        value={waiting ?? (median === null ? '–' : formats.estimate(median))}
        note={p95 === null ? undefined : texts.timeNote(formats.estimate(p95))}
      />
      <Spent range={range} fellBack={total?.fallen_back ?? 0} />
      {seesHolds && <OnHold />}
    </Stats>
  )
}

interface SpentProps {
  readonly range: TrafficRange
  /** Shown to roles that may not see money. */
  readonly fellBack: number
}

function Spent({ range, fellBack }: SpentProps) {
  const texts = useOverviewTexts()
  const formats = useFormats()
  const seesMoney = useMay()('listPostings')
  const { data } = useTotals(range, 'currency')
  const lines = (data?.data ?? []).flatMap(({ price, currency }) =>
    price === null || currency === null ? [] : [{ price, currency }],
  )
  if (!seesMoney) return <Stat label={texts.fellBack} value={formats.compact(fellBack)} />
  return <Amounts label={texts.spent} amounts={lines.map(({ price, currency }) => ({ amount: price, currency }))} />
}

const HOLDS_EVERY_MS = 15_000

/** Money for open messages, now. */
function OnHold() {
  const texts = useOverviewTexts()
  const { data } = useApi('/ledger/holds', {}, { every: HOLDS_EVERY_MS })
  if (data === undefined) return <Stat label={texts.onHold} value={<Skeleton className="my-1.5 h-7 w-20" />} />
  const amounts = data.data.map(({ held, currency }) => ({ amount: held, currency }))
  const accounts = data.data.reduce((sum, line) => sum + line.accounts, 0)
  return <Amounts label={texts.onHold} amounts={amounts} note={texts.onHoldNote(accounts)} />
}

interface AmountsProps {
  readonly label: string
  readonly amounts: readonly { readonly amount: number; readonly currency: string }[]
  readonly note?: string
}

/** One amount for each currency, because they are never added up: the first that is not 0, and the others below it. */
function Amounts({ label, amounts, note }: AmountsProps) {
  const [first = amounts[0], ...others] = amounts.filter(({ amount }) => amount !== 0)
  return (
    <Stat
      label={label}
      value={first === undefined ? '–' : <Money as="headline" amount={first.amount} currency={first.currency} />}
      note={
        others.length === 0
          ? note
          : others.map(({ amount, currency }) => (
              <span key={currency} className="mr-3">
                <Money as="headline" amount={amount} currency={currency} />
              </span>
            ))
      }
    />
  )
}
