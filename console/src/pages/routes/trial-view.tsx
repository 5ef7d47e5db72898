/** The result of a trial: number, obstacles, what each channel would do, and the routes that were considered. */

import { rowsInHand } from '../../api/queries.ts'
import { useCarrierTexts } from '../../features/carriers/carrier-view.tsx'
import { operatorText } from '../../features/operators/operator-name.ts'
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { KeyValues } from '../../parts/page/page.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { Money, Percent } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { useRouteTexts } from './texts.ts'
import type { Trial } from './try-number.tsx'

type Channel = Trial['channels'][number]
type TriedRoute = Trial['routes'][number]
const TONES: Readonly<Record<TriedRoute['state'], BadgeTone>> = {
  open: 'good',
  'other node': 'info',
  'not running': 'plain',
  draining: 'warn',
  'breaker open': 'bad',
  disconnected: 'bad',
}

export function TrialView({ trial }: { readonly trial: Trial }) {
  const texts = useRouteTexts()
  const { country, operator, mccmnc, operator_by: by, ported, guards, channels, routes, currency, price } = trial
  const source = by === null ? '' : ` (${by === 'lookup service' ? texts.byLookup : texts.byPrefix})`
  const name = operatorText(mccmnc, operator)
  const named = name === null ? texts.unknown : `${name}${source}${ported === true ? `, ${texts.ported}` : ''}`
  return (
    <div className="flex flex-col gap-5">
      <KeyValues
        items={[
          { label: texts.country, value: country ?? texts.unknown },
          { label: texts.operator, value: named },
          { label: texts.held, value: <Money as="price" amount={price} currency={currency} /> },
        ]}
      />
      {guards.length > 0 && (
        <Notice kind="warn">
          <p className="font-medium">{texts.refusals}</p>
          <ul className="list-disc pl-5">
            {guards.map(({ guard, effect, detail, channel }) => (
              <li key={`${guard} ${channel} ${detail}`}>
                {texts.effects[effect]}: {gatewayText(detail)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <ol className="flex flex-col gap-2">
        {channels.map((each) => (
          <ChannelLine key={each.channel} step={each} currency={currency} />
        ))}
      </ol>
      <RouteTable routes={routes} currency={currency} />
    </div>
  )
}

function ChannelLine({ step, currency }: { readonly step: Channel; readonly currency: string }) {
  const texts = useRouteTexts()
  const { channels } = useCarrierTexts()
  const { channel, carrier, no_carrier: noCarrier, refused, waits, parts, encoding, price } = step
  const size = [parts === null ? '' : texts.parts(parts), encoding === null ? '' : texts.encodings[encoding]]
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 rounded-md border px-4 py-3">
      <Badge tone={refused !== null || carrier === null ? 'bad' : 'good'}>{channels[channel]}</Badge>
      <span>
        {refused ?? (carrier === null ? (noCarrier ?? texts.noCarrier) : `${texts.goesTo} ${carrier}`)}
        {waits && <span className="text-muted"> {texts.waits}</span>}
      </span>
      <span className="ml-auto flex gap-3 text-muted">
        <span>{size.filter((each) => each !== '').join(' · ')}</span>
        {price !== null && <Money as="price" amount={price} currency={currency} />}
      </span>
    </li>
  )
}

function RouteTable({ routes, currency }: { readonly routes: readonly TriedRoute[]; readonly currency: string }) {
  const texts = useRouteTexts()
  const { channels } = useCarrierTexts()
  const hasMoney = routes.some(({ cost }) => cost !== null)
  const columns: readonly Column<TriedRoute>[] = [
    { key: 'channel', label: texts.channels, cell: ({ channel }) => channels[channel] },
    { key: 'carrier', label: texts.carrier, cell: ({ carrier }) => <span className="font-medium">{carrier}</span> },
    {
      key: 'state',
      label: texts.state,
      wraps: true,
      cell: ({ state, demotion }) => (
        <>
          <Badge dot tone={TONES[state]}>
            {texts.states[state]}
          </Badge>
          {demotion !== null && (
            <div className="mt-1 max-w-80 text-sm text-muted">
              {texts.demoted} {gatewayText(demotion)}
            </div>
          )}
        </>
      ),
    },
    {
      key: 'prefix',
      label: texts.numbers,
      hideOn: 'phone',
      cell: ({ prefix }) => (prefix === '' ? texts.all : `${prefix}…`),
    },
    { key: 'share', label: texts.share, align: 'right', cell: ({ share }) => <Percent share={share} /> },
    ...(hasMoney
      ? ([
          {
            key: 'cost',
            label: texts.cost,
            hideOn: 'phone',
            exact: true,
            money: ({ cost: amount, cost_currency: own }) =>
              amount === null ? [] : [{ amount, currency: own ?? currency }],
          },
          {
            key: 'margin',
            label: texts.margin,
            hideOn: 'phone',
            exact: true,
            money: ({ margin: amount }) => (amount === null ? [] : [{ amount, currency }]),
          },
        ] as const satisfies readonly Column<TriedRoute>[])
      : []),
  ]
  if (routes.length === 0) return <p className="text-muted">{texts.noRoutes}</p>
  return (
    <div className="-mx-5 border-t">
      <h3 className="px-5 pt-4 pb-2 text-sm font-medium text-muted">{texts.considered}</h3>
      <DataTable
        caption={texts.considered}
        columns={columns}
        list={rowsInHand(routes)}
        rowKey={({ channel, carrier, prefix, account, sender }) =>
          `${channel} ${carrier} ${prefix} ${account} ${sender}`
        }
      />
    </div>
  )
}
