/** Names an operator, and assigns a prefix to one. */
import { api } from '../../api/api.ts'
import { operatorText } from '../../features/operators/operator-name.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { type Operator, refreshOperators } from './operator.ts'
import { useOperatorTexts } from './operator-texts.ts'

interface NameOperatorProps {
  readonly operator: Operator
  readonly onClose: () => void
}

export function NameOperator({ operator, onClose }: NameOperatorProps) {
  const texts = useOperatorTexts()
  const partTexts = usePartTexts()
  const { mccmnc } = operator
  const form = useForm({
    initial: { name: operator.name ?? '' },
    send: ({ name }, key) => api.put('/operators/names', { body: { mccmnc, name: name.trim() }, key }),
    done: () => {
      refreshOperators()
      toast(texts.named)
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={texts.renameTitle(operatorText(mccmnc, null) ?? '')}>
      <Form form={form}>
        <TextField {...form.field('name')} label={texts.name} hint={texts.nameHint} maxLength={100} />
        <DialogActions>
          <Button onClick={onClose}>{partTexts.cancel}</Button>
          <SubmitButton form={form}>{partTexts.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

export function AddPrefix({ onClose }: { readonly onClose: () => void }) {
  const texts = useOperatorTexts()
  const partTexts = usePartTexts()
  const form = useForm({
    initial: { prefix: '', mccmnc: '', name: '' },
    send: ({ prefix, mccmnc, name }, key) => {
      const body = { prefix: digitsOf(prefix), mccmnc: digitsOf(mccmnc) }
      return api.put('/operators/prefixes', { body: name.trim() === '' ? body : { ...body, name: name.trim() }, key })
    },
    done: ({ prefix }) => {
      refreshOperators()
      toast(texts.saved(prefix))
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={texts.addTitle} description={texts.addHint}>
      <Form form={form}>
        <TextField {...form.field('prefix')} label={texts.prefix} hint={texts.prefixHint} inputMode="tel" />
        <TextField {...form.field('mccmnc')} label={texts.codeLabel} hint={texts.codeHint} inputMode="numeric" />
        <TextField {...form.field('name')} label={texts.name} hint={texts.newNameHint} optional maxLength={100} />
        <DialogActions>
          <Button onClick={onClose}>{partTexts.cancel}</Button>
          <SubmitButton form={form}>{partTexts.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Without spaces, plus and hyphens, such as in 262-02. */
function digitsOf(text: string): string {
  return text.replace(/[\s+-]/g, '')
}
