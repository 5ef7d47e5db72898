/** Chooses a file with recipients, and which of its columns is what. */
import { useState } from 'react'
import { SheetError } from '../../../../src/sheets/sheet-error.ts'
import { messageOf } from '../../api/problem.ts'
import { SelectField } from '../../parts/form/field.tsx'
import { AnyFileButton } from '../../parts/form/file-button.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useBulkTexts } from './bulk-texts.ts'
import { readFileText } from './read-file.ts'
import { guessMapping, type Mapping, openFile, type RecipientFile } from './recipients.ts'

/** Lines of a bulk, as the gateway takes them. */
const MAX_ROWS = 1_000_000

export interface Recipients {
  readonly file: RecipientFile
  readonly mapping: Mapping
}

interface RecipientFieldsProps {
  /** Of the lines: `phone`, placeholders, and `id`, which is optional. */
  readonly columns: readonly string[]
  readonly recipients: Recipients | null
  readonly onRecipients: (recipients: Recipients) => void
}

export function RecipientFields({ columns, recipients, onRecipients }: RecipientFieldsProps) {
  const texts = useBulkTexts()
  const formats = useFormats()
  const [problem, setProblem] = useState<string | null>(null)
  const open = async (chosen: File) => {
    try {
      const file = openFile(chosen.name, await readFileText(chosen))
      if (file.rows === 0) setProblem(texts.noRows)
      else if (file.rows > MAX_ROWS) setProblem(texts.tooManyRows(formats.number(MAX_ROWS)))
      else {
        setProblem(null)
        onRecipients({ file, mapping: guessMapping(file, columns) })
      }
    } catch (error) {
      setProblem(error instanceof SheetError ? texts.faults[error.fault] : messageOf(error))
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <AnyFileButton accept=".csv,.tsv,.txt,.xlsx,text/csv" onFile={(chosen) => void open(chosen)}>
          {texts.file}
        </AnyFileButton>
        {recipients !== null && (
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {texts.chosen(recipients.file.name, texts.rows(recipients.file.rows))}
          </span>
        )}
      </div>
      <p className="text-sm text-muted">{texts.fileHint}</p>
      {problem !== null && <Notice kind="bad">{problem}</Notice>}
      {recipients !== null && <MappingFields {...{ columns, recipients, onRecipients }} />}
    </div>
  )
}

interface MappingFieldsProps extends RecipientFieldsProps {
  readonly recipients: Recipients
}

function MappingFields({ columns, recipients, onRecipients }: MappingFieldsProps) {
  const texts = useBulkTexts()
  const { file, mapping } = recipients
  const choose = (column: string, value: string) => {
    const { [column]: _, ...others } = mapping
    onRecipients({ file, mapping: value === '' ? others : { ...others, [column]: Number(value) } })
  }
  const choices = file.header.map((label, place) => ({
    value: String(place),
    label: label === '' ? `#${place + 1}` : label,
  }))
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {columns.map((column) => (
        <SelectField
          key={column}
          name={`column-${column}`}
          label={column === 'id' ? texts.idColumn : texts.column(column)}
          optional={column === 'id'}
          none={column === 'id' ? texts.noId : texts.noColumn}
          choices={choices}
          value={String(mapping[column] ?? '')}
          onValue={(value) => choose(column, value)}
        />
      ))}
    </div>
  )
}
