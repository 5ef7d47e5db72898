/** The secret that signs an account's reports: rotate it, retire the old one. */
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { SecretPanel } from '../../parts/copy.tsx'
import { SelectField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Time } from '../../parts/values.tsx'
import { useHookTexts } from './hook-texts.ts'

const OVERLAPS = ['3600', '86400', '604800', ''] as const
type Overlap = (typeof OVERLAPS)[number]
type Rotated = AnswerOf<'POST', '/accounts/{account}/hook-secret'>

interface HookSecretProps {
  readonly account: number
  /** How many secrets sign: two during a rotation. */
  readonly secrets: number
}

export function HookSecretCard({ account, secrets }: HookSecretProps) {
  const texts = useHookTexts()
  const mayRotate = useMay()('rotateHookSecret')
  const [chosen, setChosen] = useState<'rotate' | 'retire' | null>(null)
  const close = () => setChosen(null)
  const retire = async (key: string) => {
    await api.delete('/accounts/{account}/hook-secret/old', { params: { account }, key })
    invalidate('/accounts/{account}')
    toast(texts.retired)
  }
  const actions = mayRotate && (
    <>
      {secrets > 1 && <Button onClick={() => setChosen('retire')}>{texts.retire}</Button>}
      <Button icon={RotateCw} onClick={() => setChosen('rotate')}>
        {texts.rotate}
      </Button>
    </>
  )
  return (
    <Card title={texts.secrets} description={texts.secretsHint} actions={actions}>
      <p>{secrets > 1 ? texts.two : texts.one}</p>
      {chosen === 'rotate' && <RotateSecretDialog account={account} onClose={close} />}
      {chosen === 'retire' && (
        <ConfirmDialog open danger onClose={close} title={texts.retireTitle} action={texts.retire} run={retire}>
          {texts.retireText}
        </ConfirmDialog>
      )}
    </Card>
  )
}

function RotateSecretDialog({ account, onClose }: { readonly account: number; readonly onClose: () => void }) {
  const texts = useHookTexts()
  const [rotated, setRotated] = useState<Rotated | null>(null)
  const form = useForm({
    initial: { overlap_seconds: '604800' as Overlap },
    send: ({ overlap_seconds: seconds }, key) => {
      const body = { overlap_seconds: seconds === '' ? null : Number(seconds) }
      return api.post('/accounts/{account}/hook-secret', { params: { account }, body, key })
    },
    done: (answer) => {
      invalidate('/accounts/{account}')
      setRotated(answer)
    },
  })
  if (rotated !== null) {
    return (
      <Dialog open keepOpen onClose={onClose} title={texts.rotated}>
        <SecretPanel label={texts.secret} secret={rotated.hook_secret} />
        {rotated.old_until !== null && (
          <p className="mt-4">
            {texts.oldUntil} <Time at={rotated.old_until} />
          </p>
        )}
        <DialogActions>
          <Button kind="primary" onClick={onClose}>
            {texts.done}
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={texts.rotateTitle}
      description={texts.rotateHint}
      form={form}
      action={texts.rotate}
    >
      <SelectField
        label={texts.overlap}
        choices={OVERLAPS.map((value) => ({ value, label: texts.overlaps[value] }))}
        {...form.field('overlap_seconds')}
      />
    </FormDialog>
  )
}
