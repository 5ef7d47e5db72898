/** Chooses the account that a page shows. Users of an account have no choice. */
import { useMay, useMe } from '../../api/me.ts'
import { AccountField } from './account-field.tsx'
import { useAccountTexts } from './account-texts.ts'

interface AccountPickerProps {
  readonly account: number | null
  readonly onAccount: (account: number | null) => void
}

export function AccountPicker({ account, onAccount }: AccountPickerProps) {
  const texts = useAccountTexts()
  if (!useMay()('listAccounts')) return null
  return (
    <div className="mb-4 max-w-sm">
      <AccountField
        label={texts.account}
        placeholder={texts.anyAccount}
        name="account"
        value={account === null ? '' : String(account)}
        onValue={(value) => onAccount(value === '' ? null : Number(value))}
      />
    </div>
  )
}

/** Returns the user's own account, or the one that an operator has chosen. */
export function useShownAccount(chosen: number | null): number | null {
  return useMe()?.account ?? chosen
}
