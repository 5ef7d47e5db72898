/** The name of an account, which lists have as a number. */
import { useQuery } from '@tanstack/react-query'
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
  return <TextLink to={`/accounts/${account}`}>{text}</TextLink>
}

/** Returns undefined until the name is known. */
export function useAccountName(account: number | null): string | undefined {
  const enabled = useMay()('nameAccounts') && account !== null
  const { data } = useQuery({
    queryKey: ['account name', account],
    queryFn: () => readAccountName(account ?? 0),
    enabled,
    staleTime: STALE_MS,
  })
  return data ?? undefined
}

/** Returns `Example Shop · 7`. */
export function labelOf(account: number, name: string | undefined): string {
  return name === undefined ? String(account) : `${name} · ${account}`
}
