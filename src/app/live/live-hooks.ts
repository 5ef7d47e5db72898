/** The hooks that clients manage, as this gateway knows them, refreshed when any process has changed one. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { type AccountHooks, NO_HOOKS } from '../../domain/reports/client-hook.ts'
import type { HookStore } from '../../ports/stores/hook-store.ts'

export class LiveHooks {
  readonly #store: HookStore
  readonly #ofAccount = new Map<AccountId, AccountHooks>()
  #revision = 0
  #last: Promise<void> = Promise.resolve()
  /** Called after each refresh with changes. */
  onChange: () => Promise<void> = async () => {}

  private constructor(store: HookStore) {
    this.#store = store
  }

  static async load(store: HookStore): Promise<LiveHooks> {
    const hooks = new LiveHooks(store)
    await hooks.refresh()
    return hooks
  }

  readonly of = (accountId: AccountId): AccountHooks => this.#ofAccount.get(accountId) ?? NO_HOOKS

  /** Refreshes run one after the other. */
  readonly refresh = (): Promise<void> => {
    const refreshed = this.#last.then(() => this.#refresh())
    this.#last = refreshed.catch(() => {})
    return refreshed
  }

  async #refresh(): Promise<void> {
    let isChanged = false
    for (let more = true; more; ) {
      const loaded = await this.#store.loadHooks(this.#revision)
      // The database went back in time: what this gateway knows may not have happened.
      const isOlder = loaded.revision < this.#revision
      if (isOlder) this.#ofAccount.clear()
      for (const [accountId, hooks] of loaded.accounts) this.#ofAccount.set(accountId, hooks)
      isChanged ||= loaded.revision !== this.#revision
      this.#revision = isOlder ? 0 : loaded.revision
      more = loaded.more || isOlder
    }
    if (isChanged) await this.onChange()
  }
}
