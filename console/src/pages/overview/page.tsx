/** What happens now: carriers and their state. */
import { RadioTower } from 'lucide-react'
import type { AnswerOf } from '../../api/api.ts'
import { usePages } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Card, PageHeader } from '../../parts/page.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { Num } from '../../parts/values.tsx'
import { useTexts } from '../../texts/texts.ts'
import { OVERVIEW_DE } from './texts-de.ts'
import { OVERVIEW_EN } from './texts-en.ts'

const TEXTS = { en: OVERVIEW_EN, de: OVERVIEW_DE }
const EVERY_MS = 5_000
type Carrier = AnswerOf<'GET', '/carriers'>['data'][number]

export function Page() {
  const texts = useTexts<typeof OVERVIEW_EN>(TEXTS)
  const carriers = usePages('/carriers', {}, { every: EVERY_MS })
  const columns: readonly Column<Carrier>[] = [
    { key: 'carrier', label: texts.carrier, cell: ({ carrier }) => <span className="font-medium">{carrier}</span> },
    { key: 'channel', label: texts.channel, cell: ({ channel }) => channel, hideOn: 'phone' },
    { key: 'state', label: texts.state, cell: (carrier) => <CarrierState carrier={carrier} /> },
    { key: 'rate', label: texts.rate, align: 'right', cell: ({ state }) => <Num value={state?.rate} /> },
    {
      key: 'in-flight',
      label: texts.inFlight,
      align: 'right',
      hideOn: 'phone',
      cell: ({ state }) => <Num value={state?.in_flight} />,
    },
    {
      key: 'waiting',
      label: texts.waiting,
      align: 'right',
      hideOn: 'phone',
      cell: ({ state }) => <Num value={state?.waiting} />,
    },
  ]
  return (
    <>
      <PageHeader title={texts.title} />
      <Card title={texts.carriers} flush>
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
    </>
  )
}

function CarrierState({ carrier }: { readonly carrier: Carrier }) {
  const texts = useTexts<typeof OVERVIEW_EN>(TEXTS)
  const { draining, state } = carrier
  if (draining) return <Badge tone="warn">{texts.draining}</Badge>
  if (state === null) return <Badge>{texts.notRunning}</Badge>
  if (!state.up)
    return (
      <Badge dot tone="bad">
        {texts.down}
      </Badge>
    )
  if (state.degraded !== null)
    return (
      <Badge dot tone="warn">
        {texts.degraded}
      </Badge>
    )
  return (
    <Badge dot tone="good">
      {texts.up}
    </Badge>
  )
}
