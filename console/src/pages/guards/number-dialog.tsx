/** Puts a phone or a prefix on a list. */
import { api } from '../../api/api.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox, SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { useGuardTexts } from './texts.ts'

interface NumberDialogProps {
  readonly onClose: () => void
  readonly onSaved: () => void
}

export function NumberDialog({ onClose, onSaved }: NumberDialogProps) {
  const texts = useGuardTexts()
  const partTexts = usePartTexts()
  const form = useForm({
    initial: { list: 'deny' as 'deny' | 'allow', digits: '', whole: false, note: '' },
    send: ({ digits, note, ...rest }, key) => {
      const body = { ...rest, digits: digits.replace(/[\s()+./-]/g, ''), note: note.trim() }
      return api.post('/guards/numbers', { body, key })
    },
    done: () => {
      onSaved()
      toast(texts.saved)
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={texts.add}>
      <Form form={form}>
        <SelectField
          {...form.field('list')}
          label={texts.list}
          hint={texts.listHints[form.values.list]}
          choices={(['deny', 'allow'] as const).map((value) => ({ value, label: texts.lists[value] }))}
        />
        <TextField {...form.field('digits')} label={texts.number} hint={texts.numberHint} inputMode="tel" />
        <Checkbox {...form.field('whole')} label={texts.wholeLabel} hint={texts.wholeHint} />
        <TextField {...form.field('note')} label={texts.note} hint={texts.noteHint} optional maxLength={200} />
        <DialogActions>
          <Button onClick={onClose}>{partTexts.cancel}</Button>
          <SubmitButton form={form}>{partTexts.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
