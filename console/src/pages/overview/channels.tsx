/** What each channel sent, delivered and passed on to the next one. */
import { asRows } from '../../api/queries.ts'
import { ChannelName } from '../../parts/channel.tsx'
import { ShareBar } from '../../parts/charts/share-bar.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Num } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useOverviewTexts } from './overview-texts.ts'
import type { TrafficRange } from './traffic-range.ts'
import { type Line, useTotals } from './use-traffic.ts'

export function Channels({ range }: { readonly range: TrafficRange }) {
  const texts = useOverviewTexts()
  const formats = useFormats()
  const list = asRows(useTotals(range, 'channel'))
  const rows = list.rows?.filter(({ channel }) => channel !== null)
  const seconds = (value: number | null) => (value === null ? '–' : formats.estimate(value))
  const columns: readonly Column<Line>[] = [
    {
      key: 'channel',
      label: texts.channel,
      cell: ({ channel }) => (
        <span className="font-medium">
          <ChannelName channel={channel} />
        </span>
      ),
    },
    { key: 'taken', label: texts.taken, align: 'right', cell: ({ taken }) => <Num value={taken} /> },
    {
      key: 'delivered',
      label: texts.deliveredCount,
      align: 'right',
      hideOn: 'phone',
      cell: ({ delivered }) => <Num value={delivered} />,
    },
    {
      key: 'share',
      label: texts.share,
      align: 'right',
      cell: ({ delivered_of_taken }) => <ShareBar share={delivered_of_taken} />,
    },
    {
      key: 'fell-back',
      label: texts.fellBack,
      align: 'right',
      hideOn: 'phone',
      cell: ({ fallen_back }) => <Num value={fallen_back} />,
    },
    {
      key: 'median',
      label: texts.median,
      align: 'right',
      hideOn: 'phone',
      cell: ({ p50_seconds }) => seconds(p50_seconds),
    },
  ]
  return (
    <Card title={texts.channels} description={texts.channelsHint} flush>
      <DataTable
        caption={texts.channels}
        columns={columns}
        list={{ ...list, rows }}
        rowKey={({ channel }) => channel ?? ''}
        empty={<EmptyState title={texts.noTraffic} />}
      />
    </Card>
  )
}
