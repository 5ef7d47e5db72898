/** The second step: what each column is, above the first lines of the sheet. */
import { SelectField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { ScrollBox } from '../../parts/page/scroll-box.tsx'
import { Notice } from '../../parts/page/states.tsx'
import type { SheetAnswer, SheetColumns, SheetValues } from './sheet.ts'
import { useSheetTexts } from './sheet-texts.ts'

interface ColumnStepProps {
  readonly form: FormState<SheetValues>
  readonly answer: SheetAnswer
}

type ColumnName = keyof SheetColumns

export function ColumnStep({ form, answer }: ColumnStepProps) {
  const texts = useSheetTexts()
  const { file } = form.values
  const others = file?.sheets.filter((name) => name !== file.sheet) ?? []
  const isReadable = answer.columns_fault === null && form.field('columns').error === undefined
  return (
    <>
      {!isReadable && <Notice kind="warn">{texts.columnsNeeded}</Notice>}
      {others.length > 0 && <Notice kind="info">{texts.otherSheets(file?.sheet ?? '', others.join(', '))}</Notice>}
      <p className="text-muted">{texts.columnsHint}</p>
      <div className="rounded-lg border">
        <ScrollBox label={texts.sample}>
          <Sample form={form} rows={answer.sample} />
        </ScrollBox>
      </div>
      <SelectField
        label={texts.decimal}
        choices={(['', '.', ','] as const).map((value) => ({ value, label: texts.decimals[value] }))}
        {...form.field('decimal')}
      />
    </>
  )
}

function Sample({ form, rows }: { readonly form: FormState<SheetValues>; readonly rows: SheetAnswer['sample'] }) {
  const texts = useSheetTexts()
  const { columns } = form.values
  const names = Object.keys(texts.columns) as ColumnName[]
  const width = Math.max(...rows.map((cells) => cells.length), ...Object.values(columns).map((column) => column ?? 0))
  const places = Array.from({ length: width }, (_, at) => at + 1)
  /** A name stands for one column. */
  const choose = (place: number, name: ColumnName | '') => {
    const kept = Object.entries(columns).filter(([other, column]) => column !== place && other !== name)
    form.change({ columns: { ...Object.fromEntries(kept), ...(name === '' ? {} : { [name]: place }) } })
  }
  return (
    <table className="w-full text-sm">
      <thead>
        <tr>
          {places.map((place) => (
            <th key={place} scope="col" className="min-w-32 p-2 text-left font-normal">
              <select
                aria-label={texts.column(place)}
                className="input-box"
                value={names.find((name) => columns[name] === place) ?? ''}
                onChange={({ target }) => choose(place, target.value as ColumnName | '')}
              >
                <option value="">{texts.unused}</option>
                {names.map((name) => (
                  <option key={name} value={name}>
                    {texts.columns[name]}
                  </option>
                ))}
              </select>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbered(rows).map(({ number, cells }) => (
          <tr key={number} className="border-t">
            {places.map((place) => (
              <td key={place} className="max-w-56 truncate px-2 py-1.5">
                {cells[place - 1] ?? ''}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function numbered(rows: SheetAnswer['sample']) {
  return rows.map((cells, at) => ({ number: at + 1, cells }))
}
