/** Changes what guards the whole installation: its settings and its lists of numbers. */
import type { GuardSettings } from '../../domain/guard-settings.ts'
import type { ListedNumber } from '../../domain/number-list.ts'
import type { SetupStore } from '../../ports/setup-store.ts'
import { checkGuardSettings, checkListedNumber } from './check-guards.ts'

/** What is not named stays. Answers with the settings as they are then. Throws a ChangeRefused. */
export async function changeGuards(store: SetupStore, change: Partial<GuardSettings>): Promise<GuardSettings> {
  const { guardSettings } = await store.loadDirectory()
  const settings = { ...guardSettings, ...change }
  checkGuardSettings(settings)
  await store.change({ kind: 'set guard settings', settings })
  return settings
}

/** Throws a ChangeRefused. */
export async function listNumber(store: SetupStore, number: ListedNumber): Promise<void> {
  checkListedNumber(number)
  await store.change({ kind: 'list number', number })
}

/** Throws a ChangeRefused when it is not on the list. */
export async function unlistNumber(store: SetupStore, number: Omit<ListedNumber, 'note'>): Promise<void> {
  await store.change({ kind: 'unlist number', number })
}
