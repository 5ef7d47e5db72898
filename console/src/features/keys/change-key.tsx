/** Rotates a key, and changes what it may be used for. */
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { refuseField } from '../../parts/form/decimal.ts'
import { SelectField } from '../../parts/form/field.tsx'
import { Form, useForm } from '../../parts/form/form.tsx'
import { FormActions, FormDialog } from '../../parts/form/form-dialog.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { IssuedKeyPanel } from './issued-key.tsx'
import type { Key } from './key.ts'
import { useKeyTexts } from './key-texts.ts'
import { NarrowFields, readNarrowing, writeNarrowing } from './narrow-fields.tsx'
import { ScopeBoxes } from './scope-boxes.tsx'

interface KeyDialogProps {
  readonly issuedKey: Key
  readonly onClose: () => void
}

const OVERLAPS = ['0', '3600', '86400', '604800', '2592000'] as const
type Overlap = (typeof OVERLAPS)[number]
type RotatedKey = AnswerOf<'POST', '/accounts/{account}/keys/{name}/rotation'>

export function RotateKeyDialog({ issuedKey, onClose }: KeyDialogProps) {
  const texts = useKeyTexts()
  const [rotated, setRotated] = useState<RotatedKey | null>(null)
  const { account, id, name } = issuedKey
  const form = useForm({
    initial: { overlap_seconds: '604800' as Overlap },
    send: ({ overlap_seconds: seconds }, key) =>
      api.post('/accounts/{account}/keys/{name}/rotation', {
        params: { account, name: id },
        body: { overlap_seconds: Number(seconds) },
        key,
      }),
    done: (answer) => {
      invalidate('/accounts/{account}/keys')
      toast(texts.issued(name))
      setRotated(answer)
    },
  })
  const hint = rotated === null ? { description: texts.rotateHint } : {}
  return (
    <Dialog open onClose={onClose} title={texts.rotateTitle(name)} keepOpen={rotated !== null} {...hint}>
      {rotated === null ? (
        <Form form={form}>
          <SelectField
            label={texts.overlap}
            choices={OVERLAPS.map((value) => ({ value, label: texts.overlaps[value] }))}
            {...form.field('overlap_seconds')}
          />
          <FormActions form={form} onCancel={onClose} action={texts.rotate} />
        </Form>
      ) : (
        <IssuedKeyPanel issued={rotated} onDone={onClose} />
      )}
    </Dialog>
  )
}

export function KeyRightsDialog({ issuedKey, onClose }: KeyDialogProps) {
  const texts = useKeyTexts()
  const { account, id, name } = issuedKey
  const form = useForm({
    initial: { scopes: issuedKey.scopes, ...writeNarrowing(issuedKey) },
    send: ({ scopes, ...narrowing }, key) => {
      if (scopes.length === 0) refuseField('scopes', texts.noScope)
      const body = { scopes, ...readNarrowing(narrowing, texts.wholeNumber) }
      return api.patch('/accounts/{account}/keys/{name}', { params: { account, name: id }, body, key })
    },
    done: () => {
      invalidate('/accounts/{account}/keys')
      toast(texts.rightsSet(name))
      onClose()
    },
  })
  return (
    <FormDialog onClose={onClose} title={`${texts.changeRights}: ${name}`} form={form} action={texts.save}>
      <ScopeBoxes {...form.field('scopes')} />
      <NarrowFields form={form} />
    </FormDialog>
  )
}
