/** Confirms sending failed reports again: those of an address, of an account, or of all; with a count, of a time. */
import { useState } from 'react'
import { api, type BodyOf } from '../../api/api.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { TextField } from '../../parts/form/field.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Loading } from '../../parts/page/states.tsx'
import { useHookTexts } from './hook-texts.ts'

/** The gateway takes so many at a time. */
const MAX_RESENT = 10_000

export interface Resending {
  /** Null: all accounts. */
  readonly account: number | null
  /** Without a query: all reports to the hook; null: all addresses. */
  readonly address: string | null
}

interface ResendDialogProps {
  readonly resending: Resending | null
  readonly onClose: () => void
}

export function ResendDialog({ resending, onClose }: ResendDialogProps) {
  return resending === null ? null : <OpenDialog resending={resending} onClose={onClose} />
}

function OpenDialog({ resending, onClose }: { readonly resending: Resending; readonly onClose: () => void }) {
  const texts = useHookTexts()
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState('')
  const { account, address } = resending
  const times = { ...timeOf('since', from), ...timeOf('until', until) }
  const filter = { ...(account === null ? {} : { account }), ...(address === null ? {} : { address }), ...times }
  const body: BodyOf<'POST', '/failed-reports/resend'> = {
    ...filter,
    ...(account === null && address === null ? { all: true } : {}),
  }
  const ofAccount = account === null ? texts.resendEveryTitle : texts.resendAccountTitle(account)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={address === null ? ofAccount : texts.resendAddressTitle(address)}
      action={texts.sendAgain}
      run={async (key) => {
        const { resent } = await api.post('/failed-reports/resend', { body, key })
        toast(texts.resent(resent))
        readReportsAgain()
      }}
    >
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField optional label={texts.from} name="from" type="datetime-local" value={from} onValue={setFrom} />
          <TextField optional label={texts.until} name="until" type="datetime-local" value={until} onValue={setUntil} />
        </div>
        <div role="status">
          <Concerned query={filter} />
        </div>
      </div>
    </ConfirmDialog>
  )
}

function timeOf<Name extends string>(name: Name, local: string): { readonly [N in Name]?: string } {
  const time = Date.parse(local)
  return (Number.isNaN(time) ? {} : { [name]: new Date(time).toISOString() }) as { readonly [N in Name]?: string }
}

interface ConcernedProps {
  readonly query: { account?: number; address?: string; since?: string; until?: string }
}

/** How many reports are sent, and how many are not. */
function Concerned({ query }: ConcernedProps) {
  const texts = useHookTexts()
  const { data } = useApi('/failed-reports/count', { query })
  if (data === undefined) return <Loading />
  const { failed, stopped } = data
  const sent = failed - stopped
  return (
    <>
      {failed === 0 && <p>{texts.resendNone}</p>}
      {failed > 0 && <p>{sent > MAX_RESENT ? texts.resendSome(sent) : texts.resendCount(sent)}</p>}
      {stopped > 0 && <p className="mt-2">{texts.stopsStay(stopped)}</p>}
    </>
  )
}

export function readReportsAgain(): void {
  invalidate('/failed-reports', '/failed-reports/count', '/accounts/{account}/hooks', '/reports/{message}')
  invalidate('/failing-hooks', '/waiting-reports', '/accounts/{account}')
}
