/** Chooses the account of the message; the only one is chosen at once. */
import { useEffect } from 'react'
import { api } from '../../api/api.ts'
import { useApi } from '../../api/queries.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { useComposeTexts } from './compose-texts.ts'

const MATCHES = 20

interface AccountFieldProps {
  readonly account: number | null
  readonly name: string | undefined
  readonly onAccount: (account: number | null) => void
}

export function AccountField({ account, name, onAccount }: AccountFieldProps) {
  const texts = useComposeTexts()
  const { data } = useApi('/accounts', { query: { most: 2 } }, { enabled: account === null })
  const only = data?.data.length === 1 ? data.data[0]?.account : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: chooses once; the user may clear it
  useEffect(() => {
    if (only !== undefined && account === null) onAccount(only)
  }, [only])
  return (
    <Combobox
      label={texts.account}
      hint={texts.accountHint}
      name="accounts"
      value={account === null ? null : { value: String(account), label: labelOf(account, name) }}
      onValue={(choice) => onAccount(choice === null ? null : Number(choice.value))}
      search={async (text, signal) => {
        const query = { most: MATCHES, ...(text === '' ? {} : { search: text }) }
        const { data: found } = await api.get('/accounts', { query, signal })
        return found.map((each) => ({ value: String(each.account), label: labelOf(each.account, each.name) }))
      }}
    />
  )
}

function labelOf(account: number, name: string | undefined): string {
  return name === undefined ? String(account) : `${name} · ${account}`
}
