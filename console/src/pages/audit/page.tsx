/** Changes by operators, with the values before and after. */
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { rowsInHand, usePages } from '../../api/queries.ts'
import { NamedSubject } from '../../features/accounts/named-subject.tsx'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, TextFilter } from '../../parts/list/filters.tsx'
import { urlText, useUrlState } from '../../parts/list/url-state.ts'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { Card, KeyValues, PageHeader } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { useTexts } from '../../texts/texts.ts'
import { changedFields, writeValue } from './changed-fields.ts'
import { AUDIT_DE } from './texts-de.ts'
import { AUDIT_EN } from './texts-en.ts'

const TEXTS = { en: AUDIT_EN, de: AUDIT_DE }
const STATE = { actor: urlText(), subject: urlText() }
const MAX_SHOWN = 3
export type Change = AnswerOf<'GET', '/audit'>['data'][number]

export function Page() {
  const texts = useTexts<typeof AUDIT_EN>(TEXTS)
  const [{ actor, subject }, change] = useUrlState(STATE)
  const [opened, setOpened] = useState<Change | null>(null)
  const isFiltered = actor !== '' || subject !== ''
  const list = usePages('/audit', {
    query: { ...(actor === '' ? {} : { actor }), ...(subject === '' ? {} : { subject }) },
  })
  const columns: readonly Column<Change>[] = [
    { key: 'at', label: texts.at, cell: ({ at }) => <Time at={at} /> },
    {
      key: 'actor',
      label: texts.actor,
      cell: ({ actor: by, via }) => (
        <>
          <span className="font-medium">{by}</span>
          <div className="text-sm text-muted">{via}</div>
        </>
      ),
    },
    { key: 'action', label: texts.action, cell: ({ action }) => action, hideOn: 'phone' },
    {
      key: 'subject',
      label: texts.subject,
      cell: (each) => <NamedSubject subject={each.subject} />,
      wraps: true,
    },
    {
      key: 'changes',
      label: texts.changes,
      hideOn: 'tablet',
      wraps: true,
      className: 'text-muted',
      cell: (each) => <ShortChange change={each} />,
    },
    {
      key: 'details',
      label: texts.details,
      hideLabel: true,
      align: 'right',
      cell: (each) => (
        <Button size="small" onClick={() => setOpened(each)}>
          {texts.details}
        </Button>
      ),
    },
  ]
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <Card flush>
        <Filters isFiltered={isFiltered} onClear={() => change({ actor: '', subject: '' })}>
          <TextFilter label={texts.actorFilter} value={actor} onValue={(value) => change({ actor: value })} />
          <TextFilter label={texts.subjectFilter} value={subject} onValue={(value) => change({ subject: value })} />
        </Filters>
        <DataTable
          caption={texts.list}
          columns={columns}
          list={list}
          rowKey={(each) => `${each.at} ${each.action} ${each.subject} ${JSON.stringify(each.after)}`}
          empty={<EmptyState icon={ScrollText} title={isFiltered ? texts.noneHere : texts.none} />}
        />
      </Card>
      {opened !== null && (
        <Dialog open onClose={() => setOpened(null)} title={`${opened.action}: ${opened.subject}`} wide>
          <Details change={opened} />
        </Dialog>
      )}
    </>
  )
}

function ShortChange({ change }: { readonly change: Change }) {
  const fields = changedFields(change)
  const shown = fields.slice(0, MAX_SHOWN).map(({ name, after }) => `${name}: ${writeValue(after)}`)
  return <>{shown.join('; ') + (fields.length > MAX_SHOWN ? ' …' : '')}</>
}

function Details({ change }: { readonly change: Change }) {
  const texts = useTexts<typeof AUDIT_EN>(TEXTS)
  const { at, actor, via } = change
  const fields = changedFields(change)
  const columns: readonly Column<(typeof fields)[number]>[] = [
    { key: 'field', label: texts.field, cell: ({ name }) => <span className="font-medium">{name}</span> },
    { key: 'before', label: texts.before, cell: ({ before }) => writeValue(before), wraps: true },
    { key: 'after', label: texts.after, cell: ({ after }) => writeValue(after), wraps: true },
  ]
  return (
    <div className="flex flex-col gap-5">
      <KeyValues
        items={[
          { label: texts.at, value: <Time at={at} show="both" /> },
          { label: texts.actor, value: actor },
          { label: texts.via, value: via },
        ]}
      />
      {fields.length > 0 && (
        <div className="-mx-5 -mb-4 border-t">
          <DataTable caption={texts.changes} columns={columns} list={rowsInHand(fields)} rowKey={({ name }) => name} />
        </div>
      )}
    </div>
  )
}
