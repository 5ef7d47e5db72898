/** Chooses the account that a page shows. Users of an account have no choice. */
import { api } from '../../api/api.ts'
import { useMay, useMe } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { useAccountTexts } from './account-texts.ts'

const MATCHES = 20

interface AccountPickerProps {
  readonly account: number | null
  readonly onAccount: (account: number | null) => void
}

export function AccountPicker({ account, onAccount }: AccountPickerProps) {
  const texts = useAccountTexts()
  const isChoice = useMay()('listAccounts')
  const known = useApi(
    '/accounts/{account}',
    { params: { account: account ?? 0 } },
    { enabled: isChoice && account !== null },
  )
  if (!isChoice) return null
  const name = known.data?.account === account ? known.data?.name : undefined
  return (
    <div className="mb-4 max-w-sm">
      <Combobox
        label={texts.account}
        placeholder={texts.anyAccount}
        name="accounts"
        value={account === null ? null : { value: String(account), label: labelOf(account, name) }}
        onValue={(choice) => onAccount(choice === null ? null : Number(choice.value))}
        search={async (text, signal) => {
          const query = { most: MATCHES, ...(text === '' ? {} : { search: text }) }
          const { data } = await api.get('/accounts', { query, signal })
          return data.map((each) => ({ value: String(each.account), label: labelOf(each.account, each.name) }))
        }}
      />
    </div>
  )
}

function labelOf(account: number, name: string | undefined): string {
  return name === undefined ? String(account) : `${name} · ${account}`
}

/** Returns the user's own account, or the one that an operator has chosen. */
export function useShownAccount(chosen: number | null): number | null {
  return useMe()?.account ?? chosen
}
