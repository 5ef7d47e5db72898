/** Confirms sending one failed report again. */
import { api } from '../../api/api.ts'
import { readReportsAgain } from '../../features/hooks/resend-dialog.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import type { FailedReport } from './failed-reports.tsx'
import { useReportTexts } from './texts.ts'

interface ResendOneDialogProps {
  readonly report: Pick<FailedReport, 'message' | 'number' | 'address'>
  readonly onClose: () => void
}

export function ResendOneDialog({ report, onClose }: ResendOneDialogProps) {
  const texts = useReportTexts()
  const { message, number, address } = report
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.resendOneTitle(number, message)}
      action={texts.resend}
      run={async (key) => {
        await api.post('/reports/{message}/{number}/resend', { params: { message, number }, key })
        toast(texts.resent(1))
        readReportsAgain()
      }}
    >
      {texts.resendOneText(address)}
    </ConfirmDialog>
  )
}
