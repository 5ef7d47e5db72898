/** What client-admins may do with the users of their account. */
import { CLIENT_ADMINS, type ClientAccess } from '../endpoint/client-access.ts'

/** The endpoint names a user, who must belong to the account of the caller. */
export const OWN_USER: ClientAccess = {
  may: CLIENT_ADMINS,
  scope: {
    record: 'user',
    accountOf: async (store, { user }: { readonly user: string }) => {
      const { adminUsers } = await store.loadDirectory()
      return adminUsers.find(({ name }) => name === user)?.accountId ?? null
    },
  },
}
