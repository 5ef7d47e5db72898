/** What this gateway sees of a carrier now. */
import { PlugZap, Unplug } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { messageOf } from '../../api/problem.ts'
import { invalidate, rowsInHand } from '../../api/queries.ts'
import {
  breakerName,
  type Carrier,
  CarrierRate,
  type LiveState,
  useCarrierTexts,
} from '../../features/carriers/carrier-view.tsx'
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Stat, Stats } from '../../parts/charts/stat.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { useHasPage } from '../../parts/list/has-page.ts'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card, KeyValues } from '../../parts/page/page.tsx'
import { EmptyState, Notice } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Num, Time } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { Checks } from './checks.tsx'
import { useTextsOfCarrier } from './texts.ts'

const TONES: Readonly<Record<string, BadgeTone>> = { up: 'good', connecting: 'warn', down: 'bad' }
type Link = LiveState['links'][number]

export function LiveView({ carrier: { carrier, channel, checks, state } }: { readonly carrier: Carrier }) {
  const texts = useTextsOfCarrier()
  return (
    <div className="flex flex-col gap-5">
      {state === null ? (
        <Notice kind="info">{texts.notRunning}</Notice>
      ) : (
        <Live carrier={carrier} channel={channel} state={state} />
      )}
      {checks.length > 0 && <Checks checks={checks} />}
    </div>
  )
}

interface LiveProps {
  readonly carrier: string
  readonly channel: string
  readonly state: LiveState
}

function Live({ carrier, channel, state }: LiveProps) {
  const texts = useTextsOfCarrier()
  const carrierTexts = useCarrierTexts()
  const formats = useFormats()
  const columns = useLinkColumns()
  const hasPage = useHasPage()
  const { degraded, throughput } = state
  return (
    <div className="flex flex-col gap-5">
      {degraded !== null && (
        <Notice kind="warn">
          {gatewayText(degraded.reason)}. {texts.degradedSince} <Time at={degraded.since} show="relative" />
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
        <Stat
          label={carrierTexts.waiting}
          value={<Num value={state.waiting} />}
          note={
            state.waiting > 0 && hasPage('/messages') ? (
              <TextLink to="/messages" search={{ status: 'QUEUED', channel }}>
                {texts.queued}
              </TextLink>
            ) : undefined
          }
        />
        <Stat label={texts.dropped} value={<Num value={state.dropped_receipts} />} />
      </Stats>
      <Card>
        <KeyValues
          items={[
            { label: carrierTexts.since, value: <Time at={state.since} show="both" /> },
            { label: carrierTexts.breaker, value: breakerName(state.breaker, carrierTexts) },
            { label: carrierTexts.lastError, value: <Fault error={state.last_error} at={state.last_error_at} /> },
            ...(state.balance === null
              ? []
              : [{ label: texts.balance, value: <Balance carrier={carrier} of={state.balance} /> }]),
          ]}
        />
      </Card>
      <Card title={texts.connections} flush actions={<ConnectNow carrier={carrier} links={state.links} />}>
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

function Fault({ error, at }: { readonly error: string | null; readonly at: string | null }) {
  if (error === null) return <>–</>
  return (
    <span className="[overflow-wrap:anywhere]">
      {gatewayText(error)}
      {at !== null && (
        <span className="text-muted">
          {' '}
          · <Time at={at} show="relative" />
        </span>
      )}
    </span>
  )
}

interface BalanceProps {
  readonly carrier: string
  readonly of: NonNullable<LiveState['balance']>
}

/** The last amount that is known, and why there is no newer one. */
function Balance({ carrier, of: { amount, currency, at, error } }: BalanceProps) {
  const texts = useTextsOfCarrier()
  const may = useMay()
  const [isBusy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    try {
      await api.post('/carriers/{id}/balance', { params: { id: carrier } })
    } catch (caught) {
      toast(messageOf(caught), 'bad')
    }
    setBusy(false)
    invalidate('/carriers', '/carriers/{id}')
  }
  return (
    <span className="[overflow-wrap:anywhere]">
      {amount === null ? texts.unknownBalance : `${amount} ${currency ?? ''}`}
      {at !== null && (
        <span className="text-muted">
          {' '}
          · <Time at={at} show="relative" />
        </span>
      )}
      {error !== null && <span className="text-muted"> · {gatewayText(error)}</span>}
      {may('askCarrierBalance') && (
        <Button kind="plain" size="small" busy={isBusy} onClick={() => void ask()}>
          {texts.askNow}
        </Button>
      )}
    </span>
  )
}

/** Only while a connection waits for its next attempt. */
function ConnectNow({ carrier, links }: { readonly carrier: string; readonly links: readonly Link[] }) {
  const texts = useTextsOfCarrier()
  const may = useMay()
  const [isBusy, setBusy] = useState(false)
  if (!may('connectCarrier') || links.every(({ next_try_at: at }) => at === null)) return null
  const connect = async () => {
    setBusy(true)
    try {
      await api.post('/carriers/{id}/connect', { params: { id: carrier } })
      toast(texts.connecting(carrier))
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
    setBusy(false)
    invalidate('/carriers', '/carriers/{id}')
  }
  return (
    <Button size="small" icon={PlugZap} busy={isBusy} onClick={() => void connect()}>
      {texts.connectNow}
    </Button>
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
      key: 'next',
      label: texts.nextTry,
      belowOnPhone: true,
      cell: ({ next_try_at: at }) => <Time at={at} show="relative" />,
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
      wraps: true,
      className: 'text-muted',
      cell: ({ last_error: error, last_error_at: at }) => <Fault error={error} at={at} />,
    },
  ]
}
