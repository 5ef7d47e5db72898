/** Addresses of hooks, in which clients put secrets. */
import Type from 'typebox'
import type { Role } from '../../../domain/accounts/admin-user.ts'
import { hideInAddresses } from '../../../domain/accounts/audit.ts'
import { CLIENT_ADMINS } from './client-access.ts'

/** Roles that send reports again. */
export const RESENDERS: readonly Role[] = ['owner', 'operator', 'support']

const NAME_HOOKS: readonly Role[] = [...RESENDERS, ...CLIENT_ADMINS]

/** Whole for roles that resume hooks and send reports again, which name a hook by its address. */
export function addressFor(role: Role, address: string): string {
  return NAME_HOOKS.includes(role) ? address : String(hideInAddresses(address))
}

/** Fields of views with the address of a hook. */
const HOOK_FIELDS = ['hook', 'default_hook'] as const

/** Returns the view with its hooks as the role may see them. */
export function showHooks<View extends object>(role: Role, view: View): View {
  if (NAME_HOOKS.includes(role)) return view
  const found = HOOK_FIELDS.flatMap((name) => {
    const value: unknown = Reflect.get(view, name)
    return typeof value === 'string' ? [[name, addressFor(role, value)]] : []
  })
  return { ...view, ...Object.fromEntries(found) }
}

export const SHOWN_ADDRESS = Type.String({
  description: 'without user, query and fragment for roles that cannot send reports again',
})

export const HOOK_ADDRESS = Type.String({
  description: 'hook as given by the client; without a query it stands for all its queries',
  examples: ['https://client.example/reports'],
})
