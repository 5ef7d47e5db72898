/** Chooses the account of the message; the only one is chosen at once. */
import { useEffect } from 'react'
import { useApi } from '../../api/queries.ts'
import { AccountField } from './account-field.tsx'
import { useAccountTexts } from './account-texts.ts'

interface SendingAccountProps {
  readonly account: number | null
  readonly onAccount: (account: number | null) => void
  readonly hint?: string
  readonly error?: string | undefined
}

export function SendingAccount({ account, onAccount, hint, error }: SendingAccountProps) {
  const texts = useAccountTexts()
  const { data } = useApi('/accounts', { query: { most: 2 } }, { enabled: account === null })
  const only = data?.data.length === 1 ? data.data[0]?.account : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: chooses once; the user may clear it
  useEffect(() => {
    if (only !== undefined && account === null) onAccount(only)
  }, [only])
  return (
    <AccountField
      label={texts.account}
      name="account"
      hint={hint}
      error={error}
      value={account === null ? '' : String(account)}
      onValue={(value) => onAccount(value === '' ? null : Number(value))}
    />
  )
}
