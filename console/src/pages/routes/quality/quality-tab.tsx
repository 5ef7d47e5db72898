/** What carriers deliver by destination, where they are demoted, and what operators decide about it. */
import { CircleCheck, Ellipsis, Gauge, TrendingDown, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../../api/api.ts'
import { useMay } from '../../../api/me.ts'
import { usePages } from '../../../api/queries.ts'
import { useCarrierTexts } from '../../../features/carriers/carrier-view.tsx'
import { Badge, type BadgeTone } from '../../../parts/badge.tsx'
import { IconButton } from '../../../parts/button.tsx'
import { type Column, DataTable } from '../../../parts/list/data-table.tsx'
import { Menu, MenuItem } from '../../../parts/overlay/menu.tsx'
import { Card } from '../../../parts/page/page.tsx'
import { EmptyState } from '../../../parts/page/states.tsx'
import { Percent } from '../../../parts/values.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { gatewayText } from '../../../texts/gateway-texts.ts'
import { type Decision, DecisionDialog } from './decision-dialog.tsx'
import { DemotionHistory } from './demotion-history.tsx'
import { useDestination } from './destination.ts'
import { QualityRules } from './quality-rules.tsx'
import { useQualityTexts } from './quality-texts.ts'

type Quality = AnswerOf<'GET', '/quality'>['data'][number]

const TONES: Readonly<Record<Quality['state'], BadgeTone>> = {
  good: 'good',
  'few messages': 'plain',
  'not judged': 'plain',
  demoted: 'bad',
  observed: 'warn',
  kept: 'info',
}

export function QualityTab() {
  const texts = useQualityTexts()
  const [decision, setDecision] = useState<Decision | null>(null)
  const found = usePages('/quality')
  return (
    <div className="flex flex-col gap-6">
      <Card title={texts.title} description={texts.description} flush>
        <DataTable
          caption={texts.title}
          columns={useColumns(setDecision)}
          list={found}
          rowKey={({ carrier, channel, country, operator }) => `${carrier} ${channel} ${country} ${operator}`}
          empty={
            <EmptyState icon={Gauge} title={texts.none}>
              {texts.noneHint}
            </EmptyState>
          }
        />
        {decision !== null && <DecisionDialog decision={decision} onClose={() => setDecision(null)} />}
      </Card>
      <DemotionHistory />
      <QualityRules />
    </div>
  )
}

function useColumns(decide: (decision: Decision) => void): readonly Column<Quality>[] {
  const texts = useQualityTexts()
  const may = useMay()
  const { channels } = useCarrierTexts()
  const destination = useDestination()
  return [
    {
      key: 'carrier',
      label: texts.carrier,
      cell: ({ carrier, channel }) => (
        <>
          <div className="min-w-28 font-medium [overflow-wrap:anywhere]">{carrier}</div>
          <div className="text-sm text-muted">{channels[channel]}</div>
        </>
      ),
    },
    {
      key: 'destination',
      label: texts.destination,
      cell: (row) => (
        <>
          {destination({ ...row, operator: null })}
          <div className="text-sm text-muted">
            {row.operator === null ? texts.allOperators : texts.operator(row.operator)}
          </div>
        </>
      ),
    },
    { key: 'state', label: texts.state, belowOnPhone: true, wraps: true, cell: (row) => <State row={row} /> },
    { key: 'delivered', label: texts.delivered, align: 'right', cell: (row) => <Delivered row={row} /> },
    {
      key: 'entered',
      label: texts.entered,
      align: 'right',
      hideOn: 'tablet',
      cell: ({ entered, codes }) => (
        <>
          <Percent share={entered} />
          {codes > 0 && <div className="text-sm text-muted">{texts.codes(codes)}</div>}
        </>
      ),
    },
    {
      key: 'usual',
      label: texts.usual,
      align: 'right',
      hideOn: 'phone',
      cell: ({ usual }) => <Percent share={usual} />,
    },
    {
      key: 'others',
      label: texts.others,
      align: 'right',
      hideOn: 'phone',
      cell: ({ others }) => <Percent share={others} />,
    },
    ...(may('demoteCarrier')
      ? [
          {
            key: 'actions',
            label: texts.actionsLabel,
            hideLabel: true,
            align: 'right' as const,
            cell: (row: Quality) => <Actions row={row} decide={decide} />,
          },
        ]
      : []),
  ]
}

function State({ row: { state, reason, trickle } }: { readonly row: Quality }) {
  const texts = useQualityTexts()
  const formats = useFormats()
  return (
    <>
      <Badge dot tone={TONES[state]}>
        {texts.states[state]}
      </Badge>
      {reason !== null && <div className="mt-1 max-w-80 text-sm text-muted">{gatewayText(reason)}</div>}
      {trickle !== null && trickle > 0 && (
        <div className="text-sm text-muted">{texts.trickle(formats.percent(trickle))}</div>
      )}
    </>
  )
}

function Delivered({ row: { delivered, messages, seconds, within_30s: soon } }: { readonly row: Quality }) {
  const texts = useQualityTexts()
  const formats = useFormats()
  return (
    <>
      <Percent share={delivered} />
      {messages > 0 && <div className="text-sm text-muted">{texts.messages(messages)}</div>}
      {seconds !== null && <div className="text-sm text-muted">{texts.seconds(formats.number(seconds))}</div>}
      {soon !== null && <div className="text-sm text-muted">{texts.soon(formats.percent(soon))}</div>}
    </>
  )
}

function Actions({ row, decide }: { readonly row: Quality; readonly decide: (decision: Decision) => void }) {
  const texts = useQualityTexts()
  const destination = useDestination()
  const { carrier, country, operator, state } = row
  const isDecided = state === 'demoted' || state === 'observed' || state === 'kept'
  const choose = (action: Decision['action']) => () => decide({ action, carrier, country, operator })
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label={texts.actions(`${carrier}, ${destination(row)}`)} />}>
      {state !== 'demoted' && (
        <MenuItem icon={TrendingDown} onSelect={choose('demote')}>
          {texts.demote}
        </MenuItem>
      )}
      {state !== 'kept' && (
        <MenuItem icon={CircleCheck} onSelect={choose('keep')}>
          {texts.keep}
        </MenuItem>
      )}
      {isDecided && (
        <MenuItem icon={Undo2} onSelect={choose('release')}>
          {texts.release}
        </MenuItem>
      )}
    </Menu>
  )
}
