/** Confirms resuming a hook that answered 410, together with its failed reports. */
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { Checkbox } from '../../parts/form/field.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { useHookTexts } from './hook-texts.ts'
import { readReportsAgain } from './resend-dialog.tsx'

interface ResumeDialogProps {
  readonly hook: { readonly account: number; readonly address: string }
  readonly onClose: () => void
}

export function ResumeDialog({ hook: { account, address }, onClose }: ResumeDialogProps) {
  const texts = useHookTexts()
  const [resends, setResends] = useState(true)
  const failed = useApi('/failed-reports/count', { query: { account, address } }).data?.failed ?? 0
  const resend = resends && failed > 0
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.resumeTitle}
      action={texts.resume}
      run={async (key) => {
        const { resent } = await api.post('/stopped-hooks/resume', { body: { account, address, resend }, key })
        toast(resent === null || resent === 0 ? texts.resumed : texts.resumedAndResent(resent))
        invalidate('/stopped-hooks', '/client-hooks')
        readReportsAgain()
      }}
    >
      <div className="flex flex-col gap-4">
        <p className="[overflow-wrap:anywhere]">{texts.resumeText(address)}</p>
        {failed > 0 && (
          <Checkbox name="resend" label={texts.resumeResends(failed)} value={resends} onValue={setResends} />
        )}
      </div>
    </ConfirmDialog>
  )
}
