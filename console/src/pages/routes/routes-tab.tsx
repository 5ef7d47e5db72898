/** All routes, and a number that can be tried. */
import { Pencil, Plus, Route as RouteIcon, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { useCarrierTexts } from '../../features/carriers/carrier-view.tsx'
import { KnownOperators } from '../../features/operators/known-operator.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, SelectFilter } from '../../parts/list/filters.tsx'
import { urlText, useUrlState } from '../../parts/list/url-state.ts'
import { useAskedDialog } from '../../parts/overlay/asked-dialog.ts'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Num } from '../../parts/values.tsx'
import { RouteDialog } from './route-dialog.tsx'
import { useRouteTexts } from './texts.ts'
import { TryNumber } from './try-number.tsx'

export type Route = AnswerOf<'GET', '/routes'>['data'][number]
const STATE = { carrier: urlText() }
const CARRIERS = { query: { most: 1_000 } }

export function RoutesTab() {
  const texts = useRouteTexts()
  const may = useMay()
  const [{ carrier }, change] = useUrlState(STATE)
  const [edited, setEdited] = useState<Route | 'new' | null>(useAskedDialog('route') ? 'new' : null)
  const [removed, setRemoved] = useState<Route | null>(null)
  const routes = usePages('/routes')
  const { rows: carriers = [] } = usePages('/carriers', CARRIERS)
  const columns = useColumns({ edit: setEdited, remove: setRemoved })
  const names = carriers.map((each) => each.carrier)
  const add = may('setRoute') && (
    <Button kind="primary" icon={Plus} onClick={() => setEdited('new')}>
      {texts.add}
    </Button>
  )
  const shown = carrier === '' ? routes.rows : routes.rows?.filter((route) => route.carrier === carrier)
  return (
    <>
      <div className="flex flex-col gap-5">
        <Card title={texts.list} description={texts.listHint} actions={add} flush>
          <Filters isFiltered={carrier !== ''} onClear={() => change({ carrier: '' })}>
            <SelectFilter
              label={texts.anyCarrier}
              value={carrier}
              choices={names.map((value) => ({ value, label: value }))}
              onValue={(value) => change({ carrier: value })}
            />
          </Filters>
          <DataTable
            caption={texts.list}
            columns={columns}
            list={{ ...routes, rows: shown }}
            rowKey={({ carrier: to, prefix, account, sender }) => `${to} ${prefix} ${account} ${sender}`}
            empty={
              <EmptyState icon={RouteIcon} title={carrier === '' ? texts.none : texts.noneHere} action={add}>
                {carrier === '' && texts.noneHint}
              </EmptyState>
            }
          />
        </Card>
        {may('tryRoute') && <TryNumber />}
      </div>
      {edited !== null && (
        <RouteDialog route={edited === 'new' ? null : edited} carriers={names} onClose={() => setEdited(null)} />
      )}
      <ConfirmDialog
        open={removed !== null}
        onClose={() => setRemoved(null)}
        title={texts.removeTitle}
        action={texts.remove}
        danger
        run={async (key) => {
          if (removed === null) return
          const { carrier: to, prefix, account, sender } = removed
          await api.delete('/routes', { query: { carrier: to, prefix, account, sender }, key })
          invalidate('/routes')
          toast(texts.removed)
        }}
      >
        {removed !== null &&
          texts.removeText(removed.carrier, removed.prefix === '' ? texts.allNumbers : `${removed.prefix}…`)}
      </ConfirmDialog>
    </>
  )
}

interface Actions {
  readonly edit: (route: Route) => void
  readonly remove: (route: Route) => void
}

function useColumns({ edit, remove }: Actions): readonly Column<Route>[] {
  const texts = useRouteTexts()
  const { channels } = useCarrierTexts()
  const may = useMay()
  return [
    {
      key: 'carrier',
      label: texts.carrier,
      className: 'whitespace-nowrap',
      cell: ({ carrier, channel }) => (
        <>
          <TextLink to={`/carriers/${encodeURIComponent(carrier)}`} className="font-medium">
            {carrier}
          </TextLink>
          <div className="text-sm text-muted">{channels[channel]}</div>
        </>
      ),
    },
    { key: 'prefix', label: texts.numbers, cell: ({ prefix }) => (prefix === '' ? texts.all : `${prefix}…`) },
    {
      key: 'account',
      label: texts.account,
      belowOnPhone: true,
      cell: ({ account }) => (account === null ? texts.all : <AccountName account={account} />),
    },
    { key: 'sender', label: texts.sender, belowOnPhone: true, cell: ({ sender }) => sender ?? texts.all },
    {
      key: 'operators',
      label: texts.operators,
      hideOn: 'tablet',
      belowOnPhone: true,
      cell: ({ operators }) => (operators === null ? texts.all : <KnownOperators codes={operators} />),
    },
    {
      key: 'pool',
      label: texts.pool,
      hideOn: 'tablet',
      belowOnPhone: true,
      cell: ({ pool, ring_seconds: ring }) => (
        <>
          {pool}
          {ring !== null && <div className="text-sm text-muted">{texts.rings(ring)}</div>}
        </>
      ),
    },
    { key: 'priority', label: texts.priority, align: 'right', cell: ({ priority }) => <Num value={priority} /> },
    {
      key: 'weight',
      label: texts.weight,
      align: 'right',
      belowOnPhone: true,
      cell: ({ weight }) => <Num value={weight} />,
    },
    ...(may('setRoute')
      ? [
          {
            key: 'actions',
            label: texts.edit,
            hideLabel: true,
            align: 'right' as const,
            cell: (route: Route) => (
              <>
                <IconButton label={texts.edit} icon={Pencil} onClick={() => edit(route)} />
                <IconButton label={texts.remove} icon={Trash2} onClick={() => remove(route)} />
              </>
            ),
          },
        ]
      : []),
  ]
}
