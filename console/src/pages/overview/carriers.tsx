/** The state of the carriers in this gateway. */
import { RadioTower } from 'lucide-react'
import { usePages } from '../../api/queries.ts'
import { type Carrier, CarrierBadge } from '../../features/carriers/carrier-view.tsx'
import { useLiveCarriers } from '../../features/carriers/live-carriers.ts'
import { ChannelName } from '../../parts/channel.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Num } from '../../parts/values.tsx'
import { useOverviewTexts } from './overview-texts.ts'

export function Carriers() {
  const texts = useOverviewTexts()
  const { every, withLive } = useLiveCarriers()
  const read = usePages('/carriers', {}, { every })
  const carriers = { ...read, rows: read.rows?.map(withLive) }
  const columns: readonly Column<Carrier>[] = [
    { key: 'carrier', label: texts.carrier, cell: ({ carrier }) => <span className="font-medium">{carrier}</span> },
    {
      key: 'channel',
      label: texts.channel,
      hideOn: 'phone',
      cell: ({ channel }) => <ChannelName channel={channel} />,
    },
    { key: 'state', label: texts.state, cell: (carrier) => <CarrierBadge carrier={carrier} /> },
    { key: 'rate', label: texts.rate, align: 'right', cell: ({ state }) => <Num value={state?.rate} /> },
    {
      key: 'waiting',
      label: texts.waiting,
      align: 'right',
      hideOn: 'phone',
      cell: ({ state }) => <Num value={state?.waiting} />,
    },
  ]
  return (
    <Card title={texts.carriers} description={texts.carriersHint} flush>
      <DataTable
        caption={texts.carriers}
        columns={columns}
        list={carriers}
        rowKey={({ carrier }) => carrier}
        empty={
          <EmptyState icon={RadioTower} title={texts.noCarriers}>
            {texts.noCarriersHint}
          </EmptyState>
        }
      />
    </Card>
  )
}
