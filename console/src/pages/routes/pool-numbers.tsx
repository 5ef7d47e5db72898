/** The numbers of a pool as ranges, page by page, and the range of one number. */
import { useState } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { usePages } from '../../api/queries.ts'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, TextFilter } from '../../parts/list/filters.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Num } from '../../parts/values.tsx'
import { usePoolTexts } from './pool-texts.ts'

type Range = AnswerOf<'GET', '/pools/{id}/numbers'>['data'][number]

export function PoolNumbers({ pool, onClose }: { readonly pool: string; readonly onClose: () => void }) {
  const texts = usePoolTexts()
  const [number, setNumber] = useState('')
  const query = number === '' ? {} : { number }
  const ranges = usePages('/pools/{id}/numbers', { params: { id: pool }, query })
  const columns: readonly Column<Range>[] = [
    { key: 'first', label: texts.from, cell: ({ first }) => <span className="tabular-nums">{first}</span> },
    {
      key: 'last',
      label: texts.to,
      cell: ({ first, last }) => <span className="tabular-nums">{first === last ? '–' : last}</span>,
    },
    { key: 'numbers', label: texts.numbers, align: 'right', cell: ({ numbers }) => <Num value={numbers} /> },
  ]
  return (
    <Dialog open onClose={onClose} title={texts.numbersOf(pool)}>
      <div className="-mx-5 -my-4">
        <Filters isFiltered={number !== ''} onClear={() => setNumber('')}>
          <TextFilter label={texts.find} value={number} onValue={setNumber} />
        </Filters>
        <DataTable
          caption={texts.numbersOf(pool)}
          columns={columns}
          list={ranges}
          rowKey={({ first }) => first}
          empty={<EmptyState title={texts.noNumber} />}
        />
      </div>
    </Dialog>
  )
}
