/** The state of the carriers in this gateway. */
import { RadioTower } from 'lucide-react'
import type { AnswerOf } from '../../api/api.ts'
import { usePages } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { ChannelName } from '../../parts/channel.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Card } from '../../parts/page.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Num } from '../../parts/values.tsx'
import { useOverviewTexts } from './overview-texts.ts'

const EVERY_MS = 5_000
type Carrier = AnswerOf<'GET', '/carriers'>['data'][number]

export function Carriers() {
  const texts = useOverviewTexts()
  const carriers = usePages('/carriers', {}, { every: EVERY_MS })
  const columns: readonly Column<Carrier>[] = [
    { key: 'carrier', label: texts.carrier, cell: ({ carrier }) => <span className="font-medium">{carrier}</span> },
    {
      key: 'channel',
      label: texts.channel,
      hideOn: 'phone',
      cell: ({ channel }) => <ChannelName channel={channel} />,
    },
    { key: 'state', label: texts.state, cell: (carrier) => <CarrierState carrier={carrier} /> },
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

function CarrierState({ carrier }: { readonly carrier: Carrier }) {
  const texts = useOverviewTexts()
  const { draining, state } = carrier
  if (draining) return <Badge tone="warn">{texts.draining}</Badge>
  if (state === null) return <Badge>{texts.notRunning}</Badge>
  if (!state.up) {
    return (
      <Badge dot tone="bad">
        {texts.down}
      </Badge>
    )
  }
  const isDegraded = state.degraded !== null
  return (
    <Badge dot tone={isDegraded ? 'warn' : 'good'}>
      {isDegraded ? texts.degraded : texts.up}
    </Badge>
  )
}
