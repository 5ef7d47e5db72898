/** Checks the API key of a request. */
import { REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { Refused } from '../../contract/request/refused.ts'
import type { Access } from '../../domain/directory/directory.ts'
import { hashKey, isMistypedKey } from './api-key.ts'
import type { ClientRequest } from './client-request.ts'
import type { OperationTools } from './operation-tools.ts'

type KeyTools = Pick<OperationTools, 'directory' | 'keyUses' | 'onDenied'>

/**
 * Returns the account and rights of a key; throws Refused if the key is not valid, or not from this address. Hashing
 * takes the same time for all keys of one length, and the lookup by hash reveals nothing about keys.
 */
export function checkApiKey(
  tools: KeyTools,
  request: Pick<ClientRequest, 'address'>,
  auth: string,
  now: number,
): Access {
  const hash = hashKey(auth)
  const access = tools.directory().accessBy(hash, now)
  if (access === null || !mayComeFrom(access, request)) {
    explainDenial(tools, auth, hash, now)
    throw new Refused(REQUEST_ERRORS.accessDenied)
  }
  tools.keyUses.note(access.key.hash, now)
  return access
}

/** Reports the cause to operators; the caller does not learn it. */
function explainDenial(tools: KeyTools, auth: string, hash: string, now: number): void {
  const { onDenied, directory } = tools
  if (onDenied === undefined) return
  const { key, refusal } = directory().explainKey(hash, now)
  onDenied(isMistypedKey(auth) ? 'mistyped key' : (refusal ?? 'address not allowed'), key)
}

function mayComeFrom({ networks }: Access, request: Pick<ClientRequest, 'address'>): boolean {
  return networks === null || networks.has(request.address() ?? '')
}
