/** Names an operator, and assigns a prefix to one. */
import { api } from '../../api/api.ts'
import { operatorText } from '../../features/operators/operator-name.ts'
import { TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { type Operator, refreshOperators } from './operator.ts'
import { useOperatorTexts } from './operator-texts.ts'

interface NameOperatorProps {
  readonly operator: Operator
  readonly onClose: () => void
}

export function NameOperator({ operator, onClose }: NameOperatorProps) {
  const texts = useOperatorTexts()
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
    <FormDialog onClose={onClose} title={texts.renameTitle(operatorText(mccmnc, null) ?? '')} form={form}>
      <TextField {...form.field('name')} label={texts.name} hint={texts.nameHint} maxLength={100} />
    </FormDialog>
  )
}

export function AddPrefix({ onClose }: { readonly onClose: () => void }) {
  const texts = useOperatorTexts()
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
    <FormDialog onClose={onClose} title={texts.addTitle} description={texts.addHint} form={form}>
      <TextField {...form.field('prefix')} label={texts.prefix} hint={texts.prefixHint} inputMode="tel" />
      <TextField {...form.field('mccmnc')} label={texts.codeLabel} hint={texts.codeHint} inputMode="numeric" />
      <TextField {...form.field('name')} label={texts.name} hint={texts.newNameHint} optional maxLength={100} />
    </FormDialog>
  )
}

/** Without spaces, plus and hyphens, such as in 262-02. */
function digitsOf(text: string): string {
  return text.replace(/[\s+-]/g, '')
}
