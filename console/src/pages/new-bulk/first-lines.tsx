/** The first lines of a bulk as they will be sent, with their price, or why they are refused. */
import { type AnswerOf, api } from '../../api/api.ts'
import { rowsInHand } from '../../api/queries.ts'
import type { Recipients } from '../../features/bulks/recipient-fields.tsx'
import { missingColumn, partsOf } from '../../features/bulks/recipients.ts'
import { rowOf } from '../../features/bulks/row-of.ts'
import { useComposeTexts } from '../../features/compose/compose-texts.ts'
import type { ComposedChannel, JsonObject } from '../../features/compose/draft.ts'
import { usePreview } from '../../features/compose/use-preview.ts'
import { Badge } from '../../parts/badge.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { Money, Num } from '../../parts/values.tsx'
import { useNewBulkTexts } from './new-bulk-texts.ts'

const LINES = 10

interface FirstLinesProps {
  readonly account: number | null
  readonly message: JsonObject
  readonly test: boolean
  readonly columns: readonly string[]
  readonly recipients: Recipients | null
  readonly hasText: boolean
}

type Preview = AnswerOf<'POST', '/accounts/{account}/bulks/preview'>
type Line = Preview['data'][number]

export function FirstLines(props: FirstLinesProps) {
  const texts = useNewBulkTexts()
  const preview = useFirstLines(props)
  const { recipients, columns, hasText } = props
  const missing = recipients === null || !hasText ? null : missingColumn(recipients.mapping, columns)
  return (
    <Card flush title={texts.preview} description={texts.previewHint}>
      {preview === undefined ? (
        <p className="px-5 py-6 text-muted">{missing === null ? texts.noPreview : texts.needsColumn(missing)}</p>
      ) : (
        <>
          <div className="flex flex-col gap-3 px-5 py-3 empty:hidden">
            {preview.error !== null && <Notice kind="warn">{preview.error}</Notice>}
            {preview.warnings.map((warning) => (
              <Notice key={warning} kind="warn">
                {warning}
              </Notice>
            ))}
          </div>
          {preview.data.length > 0 && <Lines preview={preview} />}
        </>
      )}
    </Card>
  )
}

function Lines({ preview }: { readonly preview: Preview }) {
  const texts = useNewBulkTexts()
  const channels = useComposeTexts().channelNames
  const columns: readonly Column<Line>[] = [
    { key: 'row', label: texts.row, align: 'right', cell: ({ line }) => <Num value={rowOf(line)} /> },
    { key: 'phone', label: texts.phone, cell: ({ phone }) => phone ?? '–' },
    {
      key: 'message',
      label: texts.sent,
      wraps: true,
      cell: ({ error, steps }) =>
        error === null ? (
          <ul className="flex flex-col gap-1">
            {steps.map(({ channel, text }) => (
              <li key={channel}>
                {steps.length > 1 && <Badge>{channels[channel as ComposedChannel] ?? channel}</Badge>} {text}
              </li>
            ))}
          </ul>
        ) : (
          <span className="text-bad">{error}</span>
        ),
    },
    {
      key: 'parts',
      label: texts.parts,
      align: 'right',
      belowOnPhone: true,
      cell: ({ steps }) => <Num value={steps.length === 0 ? null : Math.max(...steps.map(({ parts }) => parts))} />,
    },
    {
      key: 'price',
      label: texts.price,
      align: 'right',
      belowOnPhone: true,
      // What would be held: the highest price of a channel.
      cell: ({ steps }) => (
        <Money
          amount={steps.length === 0 ? null : Math.max(...steps.map(({ price }) => price))}
          currency={preview.currency}
        />
      ),
    },
  ]
  return (
    <DataTable caption={texts.preview} columns={columns} list={rowsInHand(preview.data)} rowKey={({ line }) => line} />
  )
}

function useFirstLines({ account, message, test, columns, recipients, hasText }: FirstLinesProps): Preview | undefined {
  const isReady = recipients !== null && hasText && missingColumn(recipients.mapping, columns) === null
  const csv = isReady ? (partsOf(recipients.file, recipients.mapping, 1, LINES).next().value?.csv ?? '') : ''
  return usePreview({ name: 'bulk preview', account, body: { message, test, csv }, isReady }, (of, body, signal) =>
    api.post('/accounts/{account}/bulks/preview', { params: { account: of }, body, signal }),
  )
}
