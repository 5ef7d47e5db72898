/** Lets users of an account read a message by its id if it is the account's. */
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { Store } from '../../../ports/stores/store.ts'

export const OWN_MESSAGE = {
  record: 'message',
  accountOf: async (store: Store, { message }: { readonly message: number }) => {
    const [found] = await store.loadMessages([message as MessageId])
    return found?.accountId ?? null
  },
}
