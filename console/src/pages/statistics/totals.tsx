/** The numbers of the whole selection. */
import { useMay } from '../../api/me.ts'
import type { PagedRows } from '../../api/queries.ts'
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { Skeleton } from '../../parts/page/states.tsx'
import { Money } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { rateOf, type Selection } from './query.ts'
import { useStatisticsTexts } from './statistics-texts.ts'
import type { Row } from './use-statistics.ts'

interface TotalsProps {
  readonly list: PagedRows<Row>
  readonly total: Row | undefined
  readonly selection: Selection
}

export function Totals({ list, total, selection }: TotalsProps) {
  const texts = useStatisticsTexts()
  const formats = useFormats()
  const may = useMay()
  const line = total?.line
  const share = (selection.channel === '' ? line?.delivered_of_asked : line?.delivered_of_taken) ?? null
  const median = line?.p50_seconds ?? null
  const p95 = line?.p95_seconds ?? null
  if (list.error !== null) return null
  const draw = (text: string) => (list.rows === undefined ? <Skeleton className="my-1.5 h-7 w-20" /> : text)
  return (
    <Stats>
      <Stat label={texts.asked} value={draw(formats.compact(line?.asked ?? 0))} />
      <Stat
        label={texts.rate}
        value={draw(share === null ? '–' : formats.percent(share))}
        note={texts.deliveredNote(formats.compact(line?.delivered ?? 0))}
      />
      <Stat label={texts.failed} value={draw(formats.compact(line?.failed ?? 0))} />
      <Stat
        label={texts.timeToDelivery}
        value={draw(median === null ? '–' : formats.estimate(median))}
        note={p95 === null ? undefined : texts.timeNote(formats.estimate(p95))}
      />
      {may('listPostings') && <Price total={total} />}
    </Stats>
  )
}

/** The first currency, and what is left of it after the cost; the table has all of them. */
function Price({ total }: { readonly total: Row | undefined }) {
  const texts = useStatisticsTexts()
  const formats = useFormats()
  const { price = null, currency = null, margin = null } = total?.amounts.find((each) => each.price) ?? {}
  if (price === null || currency === null) return <Stat label={texts.price} value="–" />
  return (
    <Stat
      label={texts.price}
      value={<Money as="headline" amount={price} currency={currency} />}
      note={margin === null ? undefined : texts.marginNote(formats.headline(margin, currency))}
    />
  )
}

interface TableHintProps {
  readonly selection: Selection
  /** Whether some groups have no line of their own. */
  readonly hasOthers: boolean
}

/** Says what the delivery rate of the table is a share of, and which groups it shows. */
export function TableHint({ selection, hasOthers }: TableHintProps) {
  const texts = useStatisticsTexts()
  const rate = rateOf(selection) === 'delivered_of_taken' ? texts.rateOfTaken : texts.rateOfAsked
  const hint = selection.by === 'status' ? texts.noRate : rate
  return <>{hasOthers ? `${hint} ${texts.firstGroups}` : hint}</>
}
