/** The form of a new user, or of a present one's role. */
import { api } from '../../api/api.ts'
import { useMe } from '../../api/me.ts'
import { invalidate } from '../../api/queries.ts'
import { AccountField } from '../../features/accounts/account-field.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import type { User } from './page.tsx'
import { useTeamTexts } from './texts.ts'

type Role = User['role']
interface Values {
  readonly user: string
  readonly role: Role
  readonly account: string
}

interface UserDialogProps {
  /** Null for a new one. */
  readonly user: User | null
  readonly onClose: () => void
}

export function UserDialog({ user: present, onClose }: UserDialogProps) {
  const texts = useTeamTexts()
  const partTexts = usePartTexts()
  const isOfAccount = useMe()?.account != null
  const form = useForm({
    initial: {
      user: present?.user ?? '',
      role: present?.role ?? (isOfAccount ? 'client-reader' : 'support'),
      account: '',
    } as Values,
    send: ({ user, role, account }, key) =>
      present === null
        ? api.post('/users', {
            body: {
              user: user.trim(),
              role,
              ...(isOfClient(role) && !isOfAccount ? { account: Number(account) } : {}),
            },
            key,
          })
        : api.patch('/users/{user}', { params: { user: present.user }, body: { role }, key }),
    done: ({ user }) => {
      invalidate('/users')
      toast(present === null ? texts.added(user) : texts.roleChanged)
      onClose()
    },
  })
  // A user of an account stays one, and an operator never becomes one. Users of an account add others of it.
  const roles = (Object.keys(texts.roles) as Role[]).filter((role) =>
    isOfAccount ? isOfClient(role) : present === null || isOfClient(role) === isOfClient(present.role),
  )
  const { role } = form.values
  return (
    <FormDialog
      onClose={onClose}
      title={present === null ? texts.addTitle : `${texts.changeRole}: ${present.user}`}
      description={present === null ? texts.addHint : undefined}
      form={form}
      action={present === null ? texts.add : partTexts.save}
    >
      {present === null && <TextField {...form.field('user')} label={texts.user} hint={texts.nameHint} />}
      <SelectField
        {...form.field('role')}
        label={texts.role}
        hint={texts.roleHints[role]}
        choices={roles.map((value) => ({ value, label: texts.roles[value] }))}
      />
      {present === null && isOfClient(role) && !isOfAccount && (
        <AccountField {...form.field('account')} label={texts.account} hint={texts.accountHint} />
      )}
    </FormDialog>
  )
}

function isOfClient(role: Role): boolean {
  return role === 'client-admin' || role === 'client-reader'
}
