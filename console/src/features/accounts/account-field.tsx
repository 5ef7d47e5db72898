/** Chooses an account by its name or number, in forms and above lists. */
import { api } from '../../api/api.ts'
import { Combobox } from '../../parts/form/combobox.tsx'
import type { Choice, FieldBinding } from '../../parts/form/field.tsx'
import { labelOf, useAccountName } from './account-name.tsx'
import { useAccountTexts } from './account-texts.ts'

const MATCHES = 20

interface AccountFieldProps extends FieldBinding<string> {
  readonly label: string
  readonly hint?: string | undefined
  readonly optional?: boolean | undefined
  readonly disabled?: boolean | undefined
  /** Shown while none is chosen. */
  readonly placeholder?: string | undefined
}

/** The value is the number of the account as digits, or empty. */
export function AccountField({ value, onValue, hint, placeholder, ...props }: AccountFieldProps) {
  const texts = useAccountTexts()
  const account = value === '' ? null : Number(value)
  const name = useAccountName(account)
  return (
    <Combobox
      {...props}
      name="accounts"
      hint={hint ?? texts.chooseHint}
      placeholder={placeholder}
      value={account === null ? null : { value, label: labelOf(account, name) }}
      onValue={(choice) => onValue(choice?.value ?? '')}
      search={searchAccounts}
    />
  )
}

interface AccountFilterProps {
  readonly label: string
  readonly account: number | null
  readonly onAccount: (account: number | null) => void
}

/** Above a list, beside `SelectFilter` and `TextFilter`. */
export function AccountFilter({ label, account, onAccount }: AccountFilterProps) {
  const name = useAccountName(account)
  return (
    <div className="min-w-48 max-sm:grow">
      <Combobox
        bare
        label={label}
        name="accounts"
        placeholder={label}
        value={account === null ? null : { value: String(account), label: labelOf(account, name) }}
        onValue={(choice) => onAccount(choice === null ? null : Number(choice.value))}
        search={searchAccounts}
      />
    </div>
  )
}

export async function searchAccounts(text: string, signal: AbortSignal): Promise<readonly Choice[]> {
  const query = { most: MATCHES, ...(text === '' ? {} : { search: text }) }
  const { data } = await api.get('/accounts', { query, signal })
  return data.map(({ account, name }) => ({ value: String(account), label: labelOf(account, name) }))
}
