/** The numbers of the whole selection. */
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { Skeleton } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { rateIsOfTaken, type Selection } from './query.ts'
import { useStatisticsTexts } from './statistics-texts.ts'
import { useTotal } from './use-statistics.ts'

export function Totals({ selection }: { readonly selection: Selection }) {
  const texts = useStatisticsTexts()
  const formats = useFormats()
  const { data, error } = useTotal(selection)
  const total = data?.data[0]
  const share = (selection.channel === '' ? total?.delivered_of_asked : total?.delivered_of_taken) ?? null
  const median = total?.p50_seconds ?? null
  const p95 = total?.p95_seconds ?? null
  if (error !== null) return null
  const draw = (text: string) => (data === undefined ? <Skeleton className="my-1.5 h-7 w-20" /> : text)
  return (
    <Stats>
      <Stat label={texts.asked} value={draw(formats.compact(total?.asked ?? 0))} />
      <Stat
        label={texts.rate}
        value={draw(share === null ? '–' : formats.percent(share))}
        note={texts.deliveredNote(formats.compact(total?.delivered ?? 0))}
      />
      <Stat label={texts.failed} value={draw(formats.compact(total?.failed ?? 0))} />
      <Stat
        label={texts.timeToDelivery}
        value={draw(median === null ? '–' : formats.estimate(median))}
        note={p95 === null ? undefined : texts.timeNote(formats.estimate(p95))}
      />
    </Stats>
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
  const rate = rateIsOfTaken(selection) ? texts.rateOfTaken : texts.rateOfAsked
  const hint = selection.by === 'status' ? texts.noRate : rate
  return <>{hasOthers ? `${hint} ${texts.firstGroups}` : hint}</>
}
