/** The signed-in user and what the role may do. */
import { ROLES_OF } from './admin-api.ts'
import { useApi } from './queries.ts'

type Role = string
/** Name of an endpoint as in the audit log: `addUser`. */
export type ActionName = keyof typeof ROLES_OF

/** Returns whether a role may call an endpoint. The gateway decides; this hides what it would refuse. */
export function roleMay(role: Role | undefined, action: ActionName): boolean {
  const roles = ROLES_OF[action].split(' ')
  return roles.includes('public') || (role !== undefined && roles.includes(role))
}

/** Reads the signed-in user. */
export function useMe() {
  return useApi('/me').data
}

/** Returns a function that decides whether the user may call an endpoint. */
export function useMay(): (action: ActionName) => boolean {
  const role = useMe()?.role
  return (action) => roleMay(role, action)
}
