/** Counts, delivery rates, times and money of any days, by channel, operator, account and more. */
import { BarChart3 } from 'lucide-react'
import { api } from '../../api/api.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { DataTable, type Sorting } from '../../parts/list/data-table.tsx'
import { Filters } from '../../parts/list/filters.tsx'
import { useUrlState } from '../../parts/list/url-state.ts'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { useZone } from '../../texts/language.ts'
import { useColumns } from './columns.tsx'
import { GroupChart } from './group-chart.tsx'
import { type Days, daysOf, FIELDS, type Selection, SORTS } from './query.ts'
import { DaysField, FilterFields, GroupField } from './selection-fields.tsx'
import { useStatisticsTexts } from './statistics-texts.ts'
import { TableHint, Totals } from './totals.tsx'
import { queryOf, type Sorted, useStatistics } from './use-statistics.ts'

export function Page() {
  const texts = useStatisticsTexts()
  const [{ sort, order, ...selection }, change] = useUrlState(FIELDS)
  const zone = useZone()
  const days = daysOf(selection, zone, Date.now())
  const sorting: Sorted = { by: sort, descending: order === 'down' }
  const { list, total } = useStatistics(selection, days, sorting)
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
        description={`${texts.description} ${days.zone === zone ? texts.zoneHint(zone) : texts.oldDays}`}
        actions={
          <>
            <DaysField selection={selection} days={days} change={change} />
            <SaveButton selection={selection} days={days} sorting={sorting} />
          </>
        }
      />
      <div className="flex flex-col gap-5">
        <Totals list={list} total={total} selection={selection} />
        <GroupChart selection={selection} days={days} sorting={sorting} />
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
            dense
            columns={columns}
            list={list}
            total={(list.rows?.length ?? 0) > 1 ? total : undefined}
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

interface SaveButtonProps {
  readonly selection: Selection
  readonly days: Days
  readonly sorting: Sorted
}

function SaveButton({ selection, days, sorting }: SaveButtonProps) {
  const texts = useStatisticsTexts()
  const read = async () =>
    (await api.get('/statistics/csv', { query: queryOf(selection, days, sorting, ['currency']) })).csv
  return (
    <DownloadButton file={`statistics-by-${selection.by}-${days.from}-${days.through}.csv`} read={read}>
      {texts.download}
    </DownloadButton>
  )
}
