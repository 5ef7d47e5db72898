/** Changes by operators, with the values before and after. */
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api, type QueryOf } from '../../api/api.ts'
import { rowsInHand, usePages } from '../../api/queries.ts'
import { NamedSubject } from '../../features/accounts/named-subject.tsx'
import { Button } from '../../parts/button.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, SelectFilter, TextFilter } from '../../parts/list/filters.tsx'
import { urlText, useUrlState } from '../../parts/list/url-state.ts'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card, KeyValues, PageHeader } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useZone } from '../../texts/language.ts'
import { useTexts } from '../../texts/texts.ts'
import { daysBefore, startOfDay } from '../../texts/zone.ts'
import { useActionNames } from './action-name.ts'
import { changedFields, writeValue } from './changed-fields.ts'
import { AUDIT_DE } from './texts-de.ts'
import { AUDIT_EN } from './texts-en.ts'

const TEXTS = { en: AUDIT_EN, de: AUDIT_DE }
const STATE = {
  actor: urlText(),
  action: urlText(),
  subject: urlText(),
  from: urlText(),
  until: urlText(),
}
/** Files of one download; the server writes 2,000 entries into each. */
const MAX_FILES = 25
const MAX_SHOWN = 3
type Query = QueryOf<'/audit'>
export type Change = AnswerOf<'GET', '/audit'>['data'][number]

export function Page() {
  const texts = useTexts<typeof AUDIT_EN>(TEXTS)
  const actions = useActionNames()
  const zone = useZone()
  const formats = useFormats()
  const [filters, change] = useUrlState(STATE)
  const { actor, action: chosen, subject, from, until } = filters
  const [opened, setOpened] = useState<Change | null>(null)
  const isFiltered = Object.values(filters).some((value) => value !== '')
  const query = queryOf(filters, zone)
  const list = usePages('/audit', { query })
  const columns: readonly Column<Change>[] = [
    { key: 'at', label: texts.at, belowOnPhone: true, cell: ({ at }) => <Time at={at} show="seconds" /> },
    {
      key: 'action',
      label: texts.action,
      cell: ({ action }) => <span title={action}>{actions.nameOf(action)}</span>,
    },
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
    {
      key: 'subject',
      label: texts.subject,
      belowOnPhone: true,
      cell: (each) => <NamedSubject subject={formats.moments(each.subject)} />,
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
      <PageHeader title={texts.title} description={texts.description} actions={<SaveButton query={query} />} />
      <Card flush>
        <Filters
          isFiltered={isFiltered}
          onClear={() => change({ actor: '', action: '', subject: '', from: '', until: '' })}
        >
          <TextFilter label={texts.actorFilter} value={actor} onValue={(value) => change({ actor: value })} />
          <SelectFilter
            label={texts.allActions}
            value={chosen}
            choices={actions.choices}
            onValue={(value) => change({ action: value })}
          />
          <TextFilter label={texts.subjectFilter} value={subject} onValue={(value) => change({ subject: value })} />
          <TextFilter label={texts.from} type="date" value={from} onValue={(value) => change({ from: value })} />
          <TextFilter label={texts.until} type="date" value={until} onValue={(value) => change({ until: value })} />
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
        <Dialog
          open
          onClose={() => setOpened(null)}
          title={`${actions.nameOf(opened.action)}: ${formats.moments(opened.subject)}`}
          wide
        >
          <Details
            change={opened}
            showAll={() => {
              change({ actor: '', action: '', subject: opened.subject, from: '', until: '' })
              setOpened(null)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

/** Days of the zone, both included. */
function queryOf({ from, until, ...filters }: { readonly [Name in keyof typeof STATE]: string }, zone: string): Query {
  const startOf = (day: string) => new Date(startOfDay(zone, day)).toISOString()
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
  return {
    ...given,
    ...(isDay(from) ? { from: startOf(from) } : {}),
    ...(isDay(until) ? { until: startOf(daysBefore(until, -1)) } : {}),
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** Saves the entries of the filters as one file. */
function SaveButton({ query }: { readonly query: Query }) {
  const texts = useTexts<typeof AUDIT_EN>(TEXTS)
  const read = async () => {
    const { text, isCut } = await readFiles(query)
    if (isCut) toast(texts.cutOff, 'bad')
    return text
  }
  return (
    <DownloadButton file="audit.csv" read={read}>
      {texts.download}
    </DownloadButton>
  )
}

async function readFiles(query: Query): Promise<{ readonly text: string; readonly isCut: boolean }> {
  let text = ''
  let after: number | null = null
  for (let file = 0; file < MAX_FILES; file += 1) {
    const answer: AnswerOf<'GET', '/audit/csv'> = await api.get('/audit/csv', {
      query: { ...query, ...(after === null ? {} : { after }) },
    })
    // Only the first one needs the headings.
    text += file === 0 ? answer.csv : answer.csv.slice(answer.csv.indexOf('\n') + 1)
    after = answer.next
    if (after === null) break
  }
  return { text, isCut: after !== null }
}

function ShortChange({ change }: { readonly change: Change }) {
  const formats = useFormats()
  const fields = changedFields(change)
  const shown = fields.slice(0, MAX_SHOWN).map(({ name, after }) => `${name}: ${writeValue(after, formats)}`)
  return <>{shown.join('; ') + (fields.length > MAX_SHOWN ? ' …' : '')}</>
}

interface DetailsProps {
  readonly change: Change
  /** Shows all changes of the same. */
  readonly showAll: () => void
}

function Details({ change, showAll }: DetailsProps) {
  const texts = useTexts<typeof AUDIT_EN>(TEXTS)
  const formats = useFormats()
  const { at, actor, via, action } = change
  const fields = changedFields(change)
  const columns: readonly Column<(typeof fields)[number]>[] = [
    { key: 'field', label: texts.field, cell: ({ name }) => <span className="font-medium">{name}</span> },
    { key: 'before', label: texts.before, cell: ({ before }) => writeValue(before, formats), wraps: true },
    { key: 'after', label: texts.after, cell: ({ after }) => writeValue(after, formats), wraps: true },
  ]
  return (
    <div className="flex flex-col gap-5">
      <KeyValues
        items={[
          { label: texts.at, value: <Time at={at} show="seconds" /> },
          { label: texts.actor, value: actor },
          { label: texts.via, value: via },
          { label: texts.endpoint, value: <code>{action}</code> },
        ]}
      />
      <Button className="self-start" onClick={showAll}>
        {texts.allOfIt}
      </Button>
      {fields.length > 0 && (
        <div className="-mx-5 -mb-4 border-t">
          <DataTable caption={texts.changes} columns={columns} list={rowsInHand(fields)} rowKey={({ name }) => name} />
        </div>
      )}
    </div>
  )
}
