/** What this gateway sees of a carrier now. */
import { Unplug } from 'lucide-react'
import { rowsInHand } from '../../api/queries.ts'
import {
  breakerName,
  type Carrier,
  CarrierRate,
  type LiveState,
  useCarrierTexts,
} from '../../features/carriers/carrier-view.tsx'
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Card, KeyValues } from '../../parts/page.tsx'
import { Stat, Stats } from '../../parts/stat.tsx'
import { EmptyState, Notice } from '../../parts/states.tsx'
import { Num, Time } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTextsOfCarrier } from './texts.ts'

const TONES: Readonly<Record<string, BadgeTone>> = { up: 'good', connecting: 'warn', down: 'bad' }
type Link = LiveState['links'][number]

export function LiveView({ carrier: { state } }: { readonly carrier: Carrier }) {
  const texts = useTextsOfCarrier()
  return state === null ? <Notice kind="info">{texts.notRunning}</Notice> : <Live state={state} />
}

function Live({ state }: { readonly state: LiveState }) {
  const texts = useTextsOfCarrier()
  const carrierTexts = useCarrierTexts()
  const formats = useFormats()
  const columns = useLinkColumns()
  const { degraded, throughput } = state
  return (
    <div className="flex flex-col gap-5">
      {degraded !== null && (
        <Notice kind="warn">
          {degraded.reason}. {texts.degradedSince} <Time at={degraded.since} show="relative" />
        </Notice>
      )}
      <Stats>
        <Stat
          label={carrierTexts.rate}
          value={<CarrierRate state={{ ...state, throughput: null }} />}
          note={`${texts.throughput}: ${throughput === null ? carrierTexts.noLimit : formats.number(throughput)}`}
        />
        <Stat
          label={carrierTexts.inFlight}
          value={<Num value={state.in_flight} />}
          note={`${texts.window}: ${formats.number(state.window)}`}
        />
        <Stat label={carrierTexts.waiting} value={<Num value={state.waiting} />} />
        <Stat label={texts.dropped} value={<Num value={state.dropped_receipts} />} />
      </Stats>
      <Card>
        <KeyValues
          items={[
            { label: carrierTexts.since, value: <Time at={state.since} show="both" /> },
            { label: carrierTexts.breaker, value: breakerName(state.breaker, carrierTexts) },
            { label: carrierTexts.lastError, value: state.last_error },
          ]}
        />
      </Card>
      <Card title={texts.connections} flush>
        <DataTable
          caption={texts.connections}
          columns={columns}
          list={rowsInHand(state.links)}
          rowKey={({ name }) => name}
          empty={<EmptyState icon={Unplug} title={texts.noConnections} />}
        />
      </Card>
    </div>
  )
}

function useLinkColumns(): readonly Column<Link>[] {
  const texts = useTextsOfCarrier()
  const carrierTexts = useCarrierTexts()
  return [
    { key: 'name', label: texts.connection, cell: ({ name }) => name },
    {
      key: 'state',
      label: carrierTexts.state,
      cell: ({ state }) => (
        <Badge dot tone={TONES[state] ?? 'plain'}>
          {texts.linkStates[state] ?? state}
        </Badge>
      ),
    },
    {
      key: 'since',
      label: carrierTexts.since,
      belowOnPhone: true,
      cell: ({ since }) => <Time at={since} show="relative" />,
    },
    {
      key: 'in-flight',
      label: carrierTexts.inFlight,
      align: 'right',
      cell: ({ in_flight: inFlight }) => <Num value={inFlight} />,
    },
    {
      key: 'window',
      label: texts.window,
      belowOnPhone: true,
      align: 'right',

      cell: ({ window }) => <Num value={window} />,
    },
    {
      key: 'misunderstood',
      label: texts.misunderstood,
      belowOnPhone: true,
      align: 'right',
      hideOn: 'tablet',
      cell: ({ misunderstood }) => <Num value={misunderstood} />,
    },
    {
      key: 'error',
      label: carrierTexts.lastError,
      belowOnPhone: true,
      className: 'text-muted [overflow-wrap:anywhere]',
      cell: ({ last_error: lastError }) => lastError ?? '–',
    },
  ]
}
