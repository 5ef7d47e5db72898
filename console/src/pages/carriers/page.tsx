/** All carriers and their state, as the live stream shows it. */
import { Plus, RadioTower } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../api/me.ts'
import { usePages } from '../../api/queries.ts'
import {
  breakerName,
  type Carrier,
  CarrierBadge,
  CarrierRate,
  type LiveState,
  useCarrierTexts,
} from '../../features/carriers/carrier-view.tsx'
import { useLiveCarriers } from '../../features/carriers/live-carriers.ts'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { useHasPage } from '../../parts/list/has-page.ts'
import { useAskedDialog } from '../../parts/overlay/asked-dialog.ts'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Num } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { AddCarrier } from './add-carrier.tsx'
import { LIST_DE } from './texts-de.ts'
import { LIST_EN } from './texts-en.ts'

const TEXTS = { en: LIST_EN, de: LIST_DE }
const pathOf = (carrier: string) => `/carriers/${encodeURIComponent(carrier)}`

export function Page() {
  const texts = useTexts<typeof LIST_EN>(TEXTS)
  const may = useMay()
  const hasPage = useHasPage()
  const [isAdding, setAdding] = useState(useAskedDialog('carrier'))
  const { every, withLive } = useLiveCarriers()
  const read = usePages('/carriers', {}, { every })
  const carriers = { ...read, rows: read.rows?.map(withLive) }
  const add = may('setCarrier') && (
    <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} actions={add} />
      <Card flush>
        <DataTable
          caption={texts.list}
          columns={useColumns()}
          list={carriers}
          rowKey={({ carrier }) => carrier}
          {...(hasPage('/carriers/$carrier') && { rowTo: ({ carrier }: Carrier) => pathOf(carrier) })}
          empty={
            <EmptyState icon={RadioTower} title={texts.none} action={add}>
              {texts.noneHint}
            </EmptyState>
          }
        />
      </Card>
      {isAdding && <AddCarrier onClose={() => setAdding(false)} />}
    </>
  )
}

function useColumns(): readonly Column<Carrier>[] {
  const texts = useCarrierTexts()
  const maySee = useHasPage()('/carriers/$carrier')
  return [
    {
      key: 'carrier',
      label: texts.carrier,
      className: 'whitespace-nowrap',
      cell: ({ carrier, kind, provider, channel }) => (
        <>
          {maySee ? (
            <TextLink to={pathOf(carrier)} className="font-medium">
              {carrier}
            </TextLink>
          ) : (
            <span className="font-medium">{carrier}</span>
          )}
          <div className="text-sm text-muted max-sm:hidden">
            {texts.channels[channel]} · {provider?.name ?? texts.kinds[kind]}
          </div>
        </>
      ),
    },
    { key: 'state', label: texts.state, cell: (carrier) => <CarrierBadge carrier={carrier} /> },
    {
      key: 'breaker',
      label: texts.breaker,
      hideOn: 'phone',
      cell: ({ state }) => (state === null ? '–' : breakerName(state.breaker, texts)),
    },
    {
      key: 'connections',
      label: texts.connections,
      hideOn: 'tablet',
      cell: ({ state }) => (state === null || state.links.length === 0 ? '–' : connectionsOf(state, texts)),
    },
    {
      key: 'rate',
      label: texts.rate,
      align: 'right',
      hideOn: 'phone',
      cell: ({ state }) => <CarrierRate state={state} />,
    },
    {
      key: 'in-flight',
      label: texts.inFlight,
      align: 'right',
      hideOn: 'phone',
      cell: ({ state }) => <Num value={state?.in_flight} />,
    },
    { key: 'waiting', label: texts.waiting, align: 'right', cell: ({ state }) => <Num value={state?.waiting} /> },
    {
      key: 'error',
      label: texts.lastError,
      hideOn: 'tablet',
      className: 'max-w-72 truncate text-muted',
      cell: ({ state }) => {
        const error = gatewayText(state?.last_error ?? '–')
        return <span title={error}>{error}</span>
      },
    },
  ]
}

function connectionsOf({ links }: LiveState, texts: ReturnType<typeof useCarrierTexts>): string {
  const up = links.filter(({ state }) => state === 'up').length
  return texts.connectionsUp(String(up), String(links.length))
}
