/** A new pool, or numbers that are added to one, removed from it, or replace all of it. */
import { api, type BodyOf } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { readWhole, refuseField } from '../../parts/form/decimal.ts'
import { SelectField, TextArea, TextField } from '../../parts/form/field.tsx'
import { FileButton } from '../../parts/form/file-button.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { usePoolTexts } from './pool-texts.ts'

interface PoolDialogProps {
  /** Null for a new one. */
  readonly pool: string | null
  readonly onClose: () => void
}

type Mode = 'add' | 'remove' | 'replace'
const MODES: readonly Mode[] = ['add', 'remove', 'replace']
const FIRST_CODE_DIGITS = '4'

export function PoolDialog({ pool, onClose }: PoolDialogProps) {
  const texts = usePoolTexts()
  const partTexts = usePartTexts()
  const form = useForm({
    initial: { id: '', csv: '', mode: 'add' as Mode, code_digits: FIRST_CODE_DIGITS },
    send: ({ id, csv, mode, code_digits: digits }, key) => {
      if (csv.trim() === '') return refuseField('csv', texts.noText)
      if (pool !== null) return save(pool, { csv, mode }, key)
      const wanted = id.trim()
      if (wanted === '') return refuseField('id', texts.idHint)
      return save(wanted, { csv, code_digits: readWhole('code_digits', digits, partTexts.wholeNumber), new: true }, key)
    },
    done: ({ pool: id, numbers }) => {
      invalidate('/pools', '/pools/{id}/numbers')
      toast(texts.saved(id, numbers))
      onClose()
    },
  })
  return (
    <FormDialog onClose={onClose} title={pool === null ? texts.addTitle : texts.changeTitle(pool)} form={form}>
      {pool === null ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...form.field('id')} label={texts.id} hint={texts.idHint} maxLength={40} />
          <TextField
            {...form.field('code_digits')}
            label={texts.codeDigits}
            hint={texts.codeDigitsHint}
            inputMode="numeric"
          />
        </div>
      ) : (
        <SelectField
          {...form.field('mode')}
          label={texts.mode}
          choices={MODES.map((value) => ({ value, label: texts.modes[value] }))}
        />
      )}
      <TextArea {...form.field('csv')} label={texts.text} hint={texts.textHint} rows={8} spellCheck={false} code />
      <div>
        <FileButton accept=".csv,.txt,text/csv,text/plain" onText={(csv) => form.change({ csv })}>
          {texts.file}
        </FileButton>
      </div>
    </FormDialog>
  )
}

function save(id: string, body: BodyOf<'PUT', '/pools/{id}/numbers'>, key: string) {
  return api.put('/pools/{id}/numbers', { params: { id }, body, key })
}
