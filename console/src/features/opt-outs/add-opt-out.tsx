/** Opts a phone out of an account or of one of its senders. */
import { api } from '../../api/api.ts'
import { TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { AccountField } from '../accounts/account-field.tsx'
import { useOptOutTexts } from './opt-out-texts.ts'

interface AddOptOutProps {
  /** Null if the user chooses it. */
  readonly account: number | null
  readonly onClose: () => void
  readonly onSaved: () => void
}

export function AddOptOut({ account, onClose, onSaved }: AddOptOutProps) {
  const texts = useOptOutTexts()
  const form = useForm({
    initial: { account: account === null ? '' : String(account), phone: '', sender: '' },
    send: ({ account: chosen, phone, sender }, key) => {
      const body = { phone, sender: sender.trim() === '' ? null : sender.trim() }
      return api.post('/accounts/{account}/opt-outs', { params: { account: Number(chosen) }, body, key })
    },
    done: () => {
      onSaved()
      toast(texts.added)
      onClose()
    },
  })
  return (
    <FormDialog onClose={onClose} title={texts.add} form={form}>
      <p className="text-muted">{texts.addHint}</p>
      {account === null && <AccountField {...form.field('account')} label={texts.account} />}
      <TextField {...form.field('phone')} label={texts.phone} hint={texts.phoneHint} inputMode="tel" />
      <TextField {...form.field('sender')} label={texts.sender} hint={texts.senderHint} optional maxLength={100} />
    </FormDialog>
  )
}
