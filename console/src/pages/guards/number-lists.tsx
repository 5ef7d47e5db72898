/** The deny list and the allow list. Phones are sent in bodies, so that no address or log contains them. */
import { ListX, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { queryClient, usePagesOf } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, SelectFilter, TextFilter } from '../../parts/list/filters.tsx'
import { urlChoice, useUrlState } from '../../parts/list/url-state.ts'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { NumberDialog } from './number-dialog.tsx'
import { useGuardTexts } from './texts.ts'

type Listed = AnswerOf<'POST', '/guards/numbers/search'>['data'][number]

const LISTS = ['deny', 'allow'] as const
const STATE = { list: urlChoice(['', ...LISTS], '') }
const KEY = 'listed numbers'

export function NumberLists() {
  const texts = useGuardTexts()
  const may = useMay()
  const [{ list }, change] = useUrlState(STATE)
  const [search, setSearch] = useState('')
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Listed | null>(null)
  const wanted = { ...(list === '' ? {} : { list }), ...(search === '' ? {} : { search }) }
  const numbers = usePagesOf<Listed>([KEY, wanted], (after) =>
    api.post('/guards/numbers/search', { body: { ...wanted, ...(after === null ? {} : { after: Number(after) }) } }),
  )
  const isFiltered = list !== '' || search !== ''
  const add = may('listNumber') && (
    <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <Card title={texts.numbers} description={texts.numbersHint} actions={add} flush>
      <Filters
        isFiltered={isFiltered}
        onClear={() => {
          change({ list: '' })
          setSearch('')
        }}
      >
        <SelectFilter
          label={texts.anyList}
          value={list}
          choices={LISTS.map((value) => ({ value, label: texts.lists[value] }))}
          onValue={(value) => change({ list: value })}
        />
        <TextFilter label={texts.search} value={search} onValue={setSearch} />
      </Filters>
      <DataTable
        caption={texts.numbers}
        columns={useColumns(may('unlistNumber') ? setRemoved : null)}
        list={numbers}
        rowKey={({ list: of, digits, whole }) => `${of} ${digits} ${whole}`}
        empty={
          <EmptyState icon={ListX} title={isFiltered ? texts.noneHere : texts.none} action={!isFiltered && add}>
            {!isFiltered && texts.noneHint}
          </EmptyState>
        }
      />
      {isAdding && <NumberDialog onClose={() => setAdding(false)} onSaved={refresh} />}
      <ConfirmDialog
        open={removed !== null}
        onClose={() => setRemoved(null)}
        title={texts.removeTitle}
        action={texts.remove}
        danger
        run={async (key) => {
          if (removed === null) return
          const { list: from, digits, whole } = removed
          await api.post('/guards/numbers/remove', { body: { list: from, digits, whole }, key })
          refresh()
          toast(texts.removed)
        }}
      >
        {removed !== null && texts.removeText[removed.list](shown(removed))}
      </ConfirmDialog>
    </Card>
  )
}

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: ['pages', KEY] })
}

function shown({ digits, whole }: Listed): string {
  return whole ? digits : `${digits}…`
}

function useColumns(remove: ((number: Listed) => void) | null): readonly Column<Listed>[] {
  const texts = useGuardTexts()
  return [
    {
      key: 'digits',
      label: texts.number,
      cell: (number) => (
        <>
          <span className="font-medium tabular-nums">{shown(number)}</span>
          <div className="text-sm text-muted">{number.whole ? texts.onePhone : texts.prefix}</div>
        </>
      ),
    },
    {
      key: 'list',
      label: texts.list,
      cell: ({ list }) => <Badge tone={list === 'deny' ? 'bad' : 'good'}>{texts.lists[list]}</Badge>,
    },
    { key: 'note', label: texts.note, hideOn: 'phone', cell: ({ note }) => note || '–' },
    ...(remove === null
      ? []
      : [
          {
            key: 'remove',
            label: texts.remove,
            hideLabel: true,
            align: 'right' as const,
            cell: (number: Listed) => (
              <IconButton label={texts.removeOf(shown(number))} icon={Trash2} onClick={() => remove(number)} />
            ),
          },
        ]),
  ]
}
