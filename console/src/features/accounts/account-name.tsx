/** The name of an account, which lists have as a number. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/me.ts'
import { useHasPage } from '../../parts/list/has-page.ts'
import { TextLink } from '../../parts/text-link.tsx'
import { readAccountName } from './read-account-name.ts'

/** Names change rarely. */
const STALE_MS = 300_000

interface AccountNameProps {
  readonly account: number
  /** Links to the account. */
  readonly linked?: boolean | undefined
}

/** Shows `Example Shop · 7`; the number alone until the name is known, and to users of an account. */
export function AccountName({ account, linked = false }: AccountNameProps) {
  const hasPage = useHasPage()
  const text = labelOf(account, useAccountName(account))
  if (!linked || !hasPage('/accounts/$account')) return text
  return (
    <span title={text}>
      <TextLink to={`/accounts/${account}`}>{text}</TextLink>
    </span>
  )
}

/** Returns undefined until the name is known. */
export function useAccountName(account: number | null): string | undefined {
  const enabled = useMay()('nameAccounts') && account !== null
  const { data } = useQuery({ ...nameQuery(account ?? 0), enabled })
  return data ?? undefined
}

/** Returns a function that labels these accounts as `AccountName` does. */
export function useAccountLabels(accounts: readonly number[]): (account: number) => string {
  const enabled = useMay()('nameAccounts')
  const names = useQueries({ queries: accounts.map((account) => ({ ...nameQuery(account), enabled })) })
  return (account) => labelOf(account, names[accounts.indexOf(account)]?.data ?? undefined)
}

function nameQuery(account: number) {
  return { queryKey: ['account name', account], queryFn: () => readAccountName(account), staleTime: STALE_MS }
}

/** Returns `Example Shop · 7`. */
export function labelOf(account: number, name: string | undefined): string {
  return name === undefined ? String(account) : `${name} · ${account}`
}
