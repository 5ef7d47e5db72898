/** Seals with a key of the ring from now on. */
import { ChangeRefused, StoreError } from '../../ports/records/store-errors.ts'
import type { Vault } from '../../ports/system/vault.ts'

/** Throws a StoreError if the ring has no such key: the database names it. */
export function useKey(vault: Vault, name: string): void {
  try {
    vault.use(name)
  } catch (error) {
    throw new StoreError((error as Error).message, { cause: error })
  }
}

/** Throws a ChangeRefused if the ring has no such key: an operator names it. */
export function chooseKey(vault: Vault, name: string): void {
  try {
    vault.use(name)
  } catch (error) {
    throw new ChangeRefused((error as Error).message)
  }
}
