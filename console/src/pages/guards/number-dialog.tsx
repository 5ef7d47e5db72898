/** Puts a phone or a prefix on a list. */
import { api } from '../../api/api.ts'
import { refuseField } from '../../parts/form/decimal.ts'
import { Checkbox, SelectField, TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { isUserId } from '../../parts/form/phone-text.ts'
import { toast } from '../../parts/overlay/toast.tsx'
import { useGuardTexts } from './texts.ts'

interface NumberDialogProps {
  readonly onClose: () => void
  readonly onSaved: () => void
}

export function NumberDialog({ onClose, onSaved }: NumberDialogProps) {
  const texts = useGuardTexts()
  const form = useForm({
    initial: { list: 'deny' as 'deny' | 'allow', digits: '', whole: false, note: '', sure: false },
    send: ({ note, sure, ...entry }, key) => {
      if (stopsCountry(entry) && !sure) return refuseField('sure', texts.sureHint)
      const body = { ...entry, digits: digitsOf(entry.digits), note: note.trim() }
      return api.post('/guards/numbers', { body, key })
    },
    done: () => {
      onSaved()
      toast(texts.saved)
      onClose()
    },
  })
  return (
    <FormDialog onClose={onClose} title={texts.add} form={form}>
      <SelectField
        {...form.field('list')}
        label={texts.list}
        hint={texts.listHints[form.values.list]}
        choices={(['deny', 'allow'] as const).map((value) => ({ value, label: texts.lists[value] }))}
      />
      <TextField {...form.field('digits')} label={texts.number} hint={texts.numberHint} inputMode="tel" />
      <Checkbox {...form.field('whole')} label={texts.wholeLabel} hint={texts.wholeHint} />
      {stopsCountry(form.values) && (
        <Checkbox
          {...form.field('sure')}
          label={texts.sureLabel(digitsOf(form.values.digits))}
          hint={form.field('sure').error === undefined ? texts.sureHint : undefined}
        />
      )}
      <TextField {...form.field('note')} label={texts.note} hint={texts.noteHint} optional maxLength={200} />
    </FormDialog>
  )
}

const LONGEST_COUNTRY_CODE = 3

/** A user id stays as it is. */
function digitsOf(text: string): string {
  return isUserId(text) ? text.trim() : text.replace(/[\s()+./-]/g, '')
}

/** Whether nothing would be sent to a country, or to several. */
function stopsCountry(entry: { readonly list: string; readonly digits: string; readonly whole: boolean }): boolean {
  const digits = digitsOf(entry.digits)
  return entry.list === 'deny' && !entry.whole && digits !== '' && digits.length <= LONGEST_COUNTRY_CODE
}
