/** Counts, delivery rates, times and money of any days, by channel, operator, account and more. */
import { BarChart3, Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { api } from '../../api/api.ts'
import { messageOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { downloadText } from '../../parts/download.ts'
import { DataTable, type Sorting } from '../../parts/list/data-table.tsx'
import { Filters } from '../../parts/list/filters.tsx'
import { useUrlState } from '../../parts/list/url-state.ts'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { useColumns } from './columns.tsx'
import { FIELDS, filtersOf, groupingOf, type Selection, SORTS } from './query.ts'
import { DaysField, FilterFields, GroupField } from './selection-fields.tsx'
import { useStatisticsTexts } from './statistics-texts.ts'
import { TableHint, Totals } from './totals.tsx'
import { useRows } from './use-statistics.ts'

export function Page() {
  const texts = useStatisticsTexts()
  const [{ sort, order, ...selection }, change] = useUrlState(FIELDS)
  const sorting: Sorting = useMemo(() => ({ by: sort, descending: order === 'down' }), [sort, order])
  const list = useRows(selection, sorting)
  const columns = useColumns(selection.by)
  const hasOthers = list.rows?.some(({ line }) => line.others !== null) === true
  const { by, account, channel, operator, country } = selection
  const isFiltered = account !== null || channel !== '' || operator !== '' || country !== ''
  const onSort = ({ by: key, descending }: Sorting) =>
    change({ sort: SORTS.find((each) => each === key) ?? 'group', order: descending ? 'down' : 'up' })
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={
          <>
            <DaysField selection={selection} change={change} />
            <DownloadButton selection={selection} />
          </>
        }
      />
      <div className="flex flex-col gap-5">
        <Totals selection={selection} />
        <Card
          flush
          title={texts.list(texts[by])}
          description={<TableHint selection={selection} hasOthers={hasOthers} />}
          actions={<GroupField selection={selection} change={change} />}
        >
          <Filters
            isFiltered={isFiltered}
            onClear={() => change({ account: null, channel: '', operator: '', country: '' })}
          >
            <FilterFields selection={selection} change={change} />
          </Filters>
          <DataTable
            caption={texts.list(texts[by])}
            columns={columns}
            list={list}
            rowKey={({ group, line }) => (line.others === null ? (group ?? '') : 'others')}
            sorting={sorting}
            onSort={onSort}
            empty={
              <EmptyState icon={BarChart3} title={isFiltered ? texts.emptyFiltered : texts.empty}>
                {isFiltered ? texts.emptyFilteredHint : texts.emptyHint}
              </EmptyState>
            }
          />
        </Card>
      </div>
    </>
  )
}

function DownloadButton({ selection }: { readonly selection: Selection }) {
  const texts = useStatisticsTexts()
  const [isReading, setReading] = useState(false)
  const download = async () => {
    setReading(true)
    try {
      const days = filtersOf(selection, Date.now())
      const { csv } = await api.get('/statistics/csv', {
        query: { ...days, ...groupingOf(selection.by, ['currency']) },
      })
      downloadText(`statistics-by-${selection.by}-${days.from ?? ''}-${days.through ?? ''}.csv`, csv)
    } catch (error) {
      toast(messageOf(error), 'bad')
    } finally {
      setReading(false)
    }
  }
  return (
    <Button icon={Download} busy={isReading} onClick={() => void download()}>
      {texts.download}
    </Button>
  )
}
