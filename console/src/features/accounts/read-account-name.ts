/** Names of accounts, read together: what the cells of a list ask for within one turn of the event loop. */
import { api } from '../../api/api.ts'

/** As many as one request may ask for. */
const MAX_NAMES = 100

interface Batch {
  readonly accounts: Set<number>
  readonly names: Promise<ReadonlyMap<number, string>>
}

let open: Batch | null = null

/** Returns null for an account that does not exist. Rejects with ApiError. */
export async function readAccountName(account: number): Promise<string | null> {
  if (open === null || open.accounts.size === MAX_NAMES) open = startBatch()
  const { accounts, names } = open
  accounts.add(account)
  return (await names).get(account) ?? null
}

function startBatch(): Batch {
  const accounts = new Set<number>()
  const names = new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
    if (open === batch) open = null
    return readNames([...accounts])
  })
  const batch = { accounts, names }
  return batch
}

async function readNames(accounts: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const { data } = await api.get('/account-names', { query: { accounts: accounts.join(',') } })
  return new Map(data.map(({ account, name }) => [account, name]))
}
