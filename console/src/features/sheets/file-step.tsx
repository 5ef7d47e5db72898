/** The first step: the file, from when it holds, and what prices are made of it. */
import { useState } from 'react'
import type { SheetFault } from '../../../../src/sheets/sheet-error.ts'
import { channelChoices } from '../../parts/channel.tsx'
import { Checkbox, FieldFrame, SelectField, TextField } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { ROUTED_CHANNELS } from '../../texts/channels.ts'
import { usePreferences } from '../../texts/language.ts'
import { CurrencyField } from '../prices/currency-field.tsx'
import { readFile } from './read-file.ts'
import type { SheetTarget, SheetValues } from './sheet.ts'
import { useSheetTexts } from './sheet-texts.ts'

interface FileStepProps {
  readonly form: FormState<SheetValues>
  readonly target: SheetTarget
}

export function FileStep({ form, target }: FileStepProps) {
  const texts = useSheetTexts()
  const { language } = usePreferences()
  return (
    <>
      <FileFields form={form} />
      {target.kind === 'prices' && (
        <SelectField
          label={texts.channel}
          choices={channelChoices(ROUTED_CHANNELS, language)}
          {...form.field('channel')}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField type="date" label={texts.from} hint={texts.fromHint} optional {...form.field('from')} />
        {target.kind === 'costs' && (
          <TextField
            label={texts.currency}
            hint={texts.currencyHint}
            optional
            maxLength={3}
            placeholder="EUR"
            {...form.field('currency')}
          />
        )}
        {target.kind === 'prices' && <CurrencyField owner={target} form={form} />}
      </div>
      {target.kind === 'prices' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label={texts.percent} hint={texts.percentHint} inputMode="decimal" {...form.field('percent')} />
          <TextField label={texts.margin} hint={texts.marginHint} inputMode="decimal" {...form.field('min_margin')} />
        </div>
      )}
      <Checkbox label={texts.replace} {...form.field('replace')} />
    </>
  )
}

/** The chosen file is kept for another of its sheets: the form has the text of one. */
function FileFields({ form }: Pick<FileStepProps, 'form'>) {
  const texts = useSheetTexts()
  const [chosen, setChosen] = useState<File | null>(null)
  const [fault, setFault] = useState<SheetFault | null>(null)
  const [isReading, setReading] = useState(false)
  const read = async (file: File | null, sheet?: string) => {
    setChosen(file)
    setFault(null)
    form.change({ file: null, columns: {} })
    if (file === null) return
    setReading(true)
    const found = await readFile(file, sheet)
    setReading(false)
    if (typeof found === 'string') setFault(found)
    else form.change({ file: found })
  }
  const { file } = form.values
  const error = fault === null ? form.field('file').error : texts.faults[fault]
  return (
    <>
      <FieldFrame label={texts.file} hint={isReading ? texts.reading : texts.fileHint} error={error}>
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept=".csv,.tsv,.txt,.xlsx,text/csv"
            onChange={({ target }) => void read(target.files?.[0] ?? null)}
          />
        )}
      </FieldFrame>
      {file !== null && file.sheets.length > 1 && (
        <SelectField
          label={texts.sheet}
          name="sheet"
          value={file.sheet ?? ''}
          onValue={(sheet) => void read(chosen, sheet)}
          choices={file.sheets.map((name) => ({ value: name, label: name }))}
        />
      )}
    </>
  )
}
