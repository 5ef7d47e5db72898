/** The price groups: list, add. */
import { useNavigate } from '@tanstack/react-router'
import { Layers2, Plus } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { usePages } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, TextFilter } from '../../parts/list/filters.tsx'
import { urlText, useUrlState } from '../../parts/list/url-state.ts'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Num } from '../../parts/values.tsx'
import { invalidateGroups, pathOfGroup } from './group.ts'
import { useGroupTexts } from './group-texts.ts'

type Group = AnswerOf<'GET', '/price-groups'>['data'][number]

const FIELDS = { group: urlText() }

export function Groups() {
  const texts = useGroupTexts()
  const mayAdd = useMay()('setPriceGroup')
  const [{ group: search }, change] = useUrlState(FIELDS)
  const [isAdding, setAdding] = useState(false)
  const list = usePages('/price-groups', { query: search === '' ? {} : { search } })
  const add = mayAdd && (
    <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <Card title={texts.groups} description={texts.groupsHint} actions={add} flush>
      <Filters isFiltered={search !== ''} onClear={() => change({ group: '' })}>
        <TextFilter label={texts.search} value={search} onValue={(value) => change({ group: value })} />
      </Filters>
      <DataTable
        caption={texts.groups}
        columns={columnsOf(texts)}
        list={list}
        rowKey={({ group }) => group}
        rowTo={({ group }) => pathOfGroup(group)}
        empty={
          <EmptyState icon={Layers2} title={search === '' ? texts.none : texts.noneFound}>
            {search === '' && texts.noneHint}
          </EmptyState>
        }
      />
      {isAdding && <AddGroup onClose={() => setAdding(false)} />}
    </Card>
  )
}

function columnsOf(texts: ReturnType<typeof useGroupTexts>): readonly Column<Group>[] {
  const count = (key: 'accounts' | 'later' | 'prices') => ({
    ...{ key, label: texts[key], align: 'right' as const },
    cell: (group: Group) => <Num value={group[key]} />,
  })
  return [
    {
      key: 'group',
      label: texts.group,
      wraps: true,
      cell: ({ group }) => <TextLink to={pathOfGroup(group)}>{group}</TextLink>,
    },
    count('accounts'),
    { ...count('later'), hideOn: 'phone' },
    count('prices'),
  ]
}

function AddGroup({ onClose }: { readonly onClose: () => void }) {
  const texts = useGroupTexts()
  const navigate = useNavigate()
  const form = useForm({
    initial: { group: '' },
    send: ({ group }, key) =>
      api.put('/price-groups/{group}', { params: { group: group.trim() }, body: { new: true }, key }),
    done: ({ group }) => {
      invalidateGroups()
      toast(texts.added(group))
      onClose()
      void navigate({ to: pathOfGroup(group) })
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={texts.addTitle}
      form={form}
      action={texts.add}
      disabled={form.values.group.trim() === ''}
    >
      <TextField label={texts.name} hint={texts.nameHint} maxLength={40} {...form.field('group')} />
    </FormDialog>
  )
}
