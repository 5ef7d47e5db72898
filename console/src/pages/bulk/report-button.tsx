/** Downloads what became of each line of a bulk as CSV. The browser keeps the pages, not the memory of the page. */
import { Download } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { messageOf } from '../../api/problem.ts'
import { safeCell, writeRow } from '../../features/bulks/csv.ts'
import { Button } from '../../parts/button.tsx'
import { downloadBlob } from '../../parts/download.ts'
import { toast } from '../../parts/overlay/toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import type { Bulk } from './bulk.ts'
import { useBulkPageTexts } from './bulk-page-texts.ts'

const PAGE = 1_000
const COLUMNS = [
  'message',
  'id',
  'phone',
  'status',
  'channel',
  'parts',
  'price',
  'currency',
  'accepted_at',
  'ended_at',
] as const
type Page = AnswerOf<'POST', '/messages/records'>

export function ReportButton({ bulk }: { readonly bulk: Bulk }) {
  const texts = useBulkPageTexts()
  const formats = useFormats()
  const [read, setRead] = useState<number | null>(null)
  const download = async () => {
    setRead(0)
    try {
      downloadBlob(`bulk-${bulk.bulk}.csv`, await readReport(bulk, setRead))
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
    setRead(null)
  }
  return (
    <Button size="small" icon={Download} busy={read !== null} onClick={() => void download()}>
      {read === null || read === 0 ? texts.report : texts.reading(formats.number(read))}
    </Button>
  )
}

async function readReport(
  { account, bulk, start_at: startAt, created_at: createdAt }: Bulk,
  onRead: (messages: number) => void,
): Promise<Blob> {
  const pieces = [new Blob([writeRow(COLUMNS)])]
  let messages = 0
  for (let after: number | null | undefined; after !== null; ) {
    const body = { account, bulk, from: startAt ?? createdAt, most: PAGE, ...(after === undefined ? {} : { after }) }
    const page: Page = await api.post('/messages/records', { body })
    pieces.push(new Blob([page.data.map((row) => writeRow(COLUMNS.map((name) => cellOf(row[name])))).join('')]))
    messages += page.data.length
    onRead(messages)
    after = page.next
  }
  return new Blob(pieces, { type: 'text/csv;charset=utf-8' })
}

function cellOf(value: string | number | null | undefined): string | number {
  return typeof value === 'number' ? value : safeCell(value ?? '')
}
