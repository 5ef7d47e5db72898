/** Number pools: how many numbers, which routes use them, and their changes. */
import { Ellipsis, Hash, ListOrdered, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { Num } from '../../parts/values.tsx'
import { PoolDialog } from './pool-dialog.tsx'
import { PoolNumbers } from './pool-numbers.tsx'
import { usePoolTexts } from './pool-texts.ts'

type Pool = AnswerOf<'GET', '/pools'>['data'][number]
type Chosen = { readonly action: 'show' | 'change' | 'remove'; readonly pool: Pool } | { readonly action: 'add' }

const MAX_ROUTES = 3

export function PoolsTab() {
  const texts = usePoolTexts()
  const may = useMay()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const pools = usePages('/pools')
  const columns = useColumns(setChosen)
  const close = () => setChosen(null)
  const add = may('importPool') && (
    <Button kind="primary" icon={Plus} onClick={() => setChosen({ action: 'add' })}>
      {texts.add}
    </Button>
  )
  return (
    <Card title={texts.title} description={texts.description} actions={add} flush>
      <DataTable
        caption={texts.title}
        columns={columns}
        list={pools}
        rowKey={({ pool }) => pool}
        empty={
          <EmptyState icon={Hash} title={texts.none} action={add}>
            {texts.noneHint}
          </EmptyState>
        }
      />
      {chosen?.action === 'add' && <PoolDialog pool={null} onClose={close} />}
      {chosen?.action === 'change' && <PoolDialog pool={chosen.pool.pool} onClose={close} />}
      {chosen?.action === 'show' && <PoolNumbers pool={chosen.pool.pool} onClose={close} />}
      {chosen?.action === 'remove' && <RemovePool pool={chosen.pool} onClose={close} />}
    </Card>
  )
}

function RemovePool({ pool, onClose }: { readonly pool: Pool; readonly onClose: () => void }) {
  const texts = usePoolTexts()
  const { pool: id, numbers, routes } = pool
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.removeTitle(id)}
      action={texts.remove}
      typed={id}
      run={async (key) => {
        await api.delete('/pools/{id}', { params: { id }, key })
        invalidate('/pools')
        toast(texts.removed(id))
      }}
    >
      <p>{texts.removeText(numbers)}</p>
      {routes.length > 0 && <p className="mt-2 font-medium">{texts.inUse}</p>}
    </ConfirmDialog>
  )
}

function useColumns(choose: (chosen: Chosen) => void): readonly Column<Pool>[] {
  const texts = usePoolTexts()
  const may = useMay()
  return [
    {
      key: 'pool',
      label: texts.pool,
      cell: ({ pool }) => <span className="font-medium [overflow-wrap:anywhere]">{pool}</span>,
    },
    { key: 'numbers', label: texts.numbers, align: 'right', cell: ({ numbers }) => <Num value={numbers} /> },
    {
      key: 'digits',
      label: texts.codeDigits,
      align: 'right',
      hideOn: 'phone',
      cell: ({ code_digits: digits }) => <Num value={digits} />,
    },
    { key: 'routes', label: texts.usedBy, hideOn: 'phone', cell: ({ routes }) => <Users routes={routes} /> },
    {
      key: 'actions',
      label: texts.actionsLabel,
      hideLabel: true,
      align: 'right',
      cell: (pool) => (
        <Menu trigger={<IconButton icon={Ellipsis} label={texts.actions(pool.pool)} />}>
          <MenuItem icon={ListOrdered} onSelect={() => choose({ action: 'show', pool })}>
            {texts.show}
          </MenuItem>
          {may('importPool') && (
            <MenuItem icon={Pencil} onSelect={() => choose({ action: 'change', pool })}>
              {texts.change}
            </MenuItem>
          )}
          {may('removePool') && (
            <MenuItem icon={Trash2} danger onSelect={() => choose({ action: 'remove', pool })}>
              {texts.remove}
            </MenuItem>
          )}
        </Menu>
      ),
    },
  ]
}

function Users({ routes }: { readonly routes: readonly string[] }) {
  const texts = usePoolTexts()
  const partTexts = usePartTexts()
  if (routes.length === 0) return <span className="text-muted">{texts.unused}</span>
  const more = routes.length - MAX_ROUTES
  return (
    <ul className="text-sm">
      {routes.slice(0, MAX_ROUTES).map((route) => (
        <li key={route}>{route}</li>
      ))}
      {more > 0 && <li className="text-muted">{partTexts.andMore(more)}</li>}
    </ul>
  )
}
