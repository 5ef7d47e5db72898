/** Confirms sending failed reports again: one, those of an address, of an account, or of all accounts. */
import { api, type BodyOf } from '../../api/api.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Loading } from '../../parts/states.tsx'
import { toast } from '../../parts/toast.tsx'
import type { FailedReport } from './failed-reports.tsx'
import { useReportTexts } from './texts.ts'

/** The gateway takes so many at a time. */
const MAX_RESENT = 10_000

export interface Resending {
  /** Null: all accounts. */
  readonly account: number | null
  /** Exactly as the reports have it; null: all addresses. */
  readonly address: string | null
}

interface ResendDialogProps {
  readonly resending: Resending | null
  readonly onClose: () => void
}

export function ResendDialog({ resending, onClose }: ResendDialogProps) {
  const texts = useReportTexts()
  if (resending === null) return null
  const { account, address } = resending
  const body: BodyOf<'POST', '/failed-reports/resend'> = {
    ...(account === null ? {} : { account }),
    ...(address === null ? {} : { address }),
    ...(account === null && address === null ? { all: true } : {}),
  }
  const ofAccount = account === null ? texts.resendEveryTitle : texts.resendAccountTitle(account)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={address === null ? ofAccount : texts.resendAddressTitle(address)}
      action={texts.resend}
      run={async (key) => {
        const { resent } = await api.post('/failed-reports/resend', { body, key })
        toast(texts.resent(resent))
        readReportsAgain()
      }}
    >
      <Concerned {...resending} />
    </ConfirmDialog>
  )
}

/** How many reports are sent, and how many are not. */
function Concerned({ account, address }: Resending) {
  const texts = useReportTexts()
  const query = { ...(account === null ? {} : { account }), ...(address === null ? {} : { address }) }
  const { data } = useApi('/failed-reports/count', { query })
  if (data === undefined) return <Loading />
  const { failed, stopped } = data
  const sent = failed - stopped
  return (
    <>
      {address !== null && failed === 0 && <p>{texts.resendNone}</p>}
      {failed > 0 && <p>{sent > MAX_RESENT ? texts.resendSome(sent) : texts.resendCount(sent)}</p>}
      {stopped > 0 && <p className="mt-2">{texts.stopsStay(stopped)}</p>}
    </>
  )
}

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

export function readReportsAgain(): void {
  invalidate('/failed-reports', '/failed-reports/count', '/accounts/{account}/hooks', '/reports/{message}')
}
