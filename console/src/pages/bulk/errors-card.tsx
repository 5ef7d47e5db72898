/** The refused lines of a bulk: counted by their reasons, one by one, and as CSV. */
import { type AnswerOf, api } from '../../api/api.ts'
import { rowsInHand, useApi, usePages } from '../../api/queries.ts'
import { safeCell, writeRow } from '../../features/bulks/csv.ts'
import { rowOf } from '../../features/bulks/row-of.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Num } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import type { Bulk } from './bulk.ts'
import { useBulkPageTexts } from './bulk-page-texts.ts'

const PAGE = 1_000
type Refused = AnswerOf<'GET', '/accounts/{account}/bulks/{bulk}/errors'>['data'][number]
type Reason = AnswerOf<'GET', '/accounts/{account}/bulks/{bulk}/errors/count'>['data'][number]

export function ErrorsCard({ bulk }: { readonly bulk: Bulk }) {
  const texts = useBulkPageTexts()
  const params = { account: bulk.account, bulk: bulk.bulk }
  const { data: counted } = useApi('/accounts/{account}/bulks/{bulk}/errors/count', { params })
  const list = usePages('/accounts/{account}/bulks/{bulk}/errors', { params })
  const hasReasons = counted !== undefined && counted.data.length > 1
  const reasons: readonly Column<Reason>[] = [
    { key: 'error', label: texts.error, wraps: true, cell: ({ error }) => gatewayText(error) },
    { key: 'field', label: texts.field, hideOn: 'phone', cell: ({ field }) => field ?? '–' },
    {
      key: 'first',
      label: texts.first,
      align: 'right',
      hideOn: 'phone',
      cell: ({ first }) => <Num value={rowOf(first)} />,
    },
    { key: 'lines', label: texts.count, align: 'right', cell: ({ lines }) => <Num value={lines} /> },
  ]
  const lines: readonly Column<Refused>[] = [
    { key: 'row', label: texts.row, align: 'right', cell: ({ line }) => <Num value={rowOf(line)} /> },
    { key: 'field', label: texts.field, cell: ({ field }) => field ?? '–' },
    { key: 'error', label: texts.error, wraps: true, cell: ({ error }) => gatewayText(error) },
  ]
  const download = (
    <DownloadButton size="small" file={`bulk-${bulk.bulk}-refused.csv`} read={() => readErrors(bulk)}>
      {texts.downloadErrors}
    </DownloadButton>
  )
  return (
    <Card flush title={texts.errors} description={texts.errorsHint} actions={download}>
      {hasReasons && (
        <div className="border-b">
          <h3 className="px-5 pt-3 text-sm font-medium">{texts.reasons}</h3>
          <DataTable
            caption={texts.reasons}
            columns={reasons}
            list={rowsInHand(counted.data)}
            rowKey={({ field, error }) => `${field} ${error}`}
          />
          {counted.others > 0 && <p className="px-5 pb-3 text-sm text-muted">{texts.others(counted.others)}</p>}
        </div>
      )}
      {hasReasons && <h3 className="px-5 pt-3 text-sm font-medium">{texts.singly}</h3>}
      <DataTable caption={texts.errors} columns={lines} list={list} rowKey={({ line }) => line} />
    </Card>
  )
}

/** The gateway keeps a bounded number of them. */
async function readErrors({ account, bulk }: Bulk): Promise<string> {
  let text = writeRow(['row', 'line', 'column', 'error'])
  for (let after: number | null = 0; after !== null; ) {
    const input = { params: { account, bulk }, query: { after, most: PAGE } }
    const page: AnswerOf<'GET', '/accounts/{account}/bulks/{bulk}/errors'> = await api.get(
      '/accounts/{account}/bulks/{bulk}/errors',
      input,
    )
    text += page.data
      .map(({ line, field, error }) => writeRow([rowOf(line), line, field ?? '', safeCell(error)]))
      .join('')
    after = page.next
  }
  return text
}
