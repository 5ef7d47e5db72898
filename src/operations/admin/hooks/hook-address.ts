/** Addresses of hooks, in which clients put secrets. */
import Type from 'typebox'
import type { Role } from '../../../domain/accounts/admin-user.ts'
import { hideInAddresses } from '../../../domain/accounts/audit.ts'
import { CLIENT_ADMINS } from '../endpoint/client-access.ts'

/** Roles that send reports again. */
export const RESENDERS: readonly Role[] = ['owner', 'operator', 'support']

const NAME_HOOKS: readonly Role[] = [...RESENDERS, ...CLIENT_ADMINS]

/** Whole for roles that resume hooks and send reports again, which name a hook by its address. */
export function addressFor(role: Role, address: string): string {
  return NAME_HOOKS.includes(role) ? address : String(hideInAddresses(address))
}

export const SHOWN_ADDRESS = Type.String({
  description: 'without user, query and fragment for roles that cannot send reports again',
})

export const ADDRESS = Type.String({
  description: 'hook as given by the client; without a query it stands for all its queries',
  examples: ['https://client.example/reports'],
})
