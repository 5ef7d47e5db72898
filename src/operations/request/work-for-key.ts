/** Lets protocols that translate requests work on one before its operations are known: for a valid key, in its turn. */
import type { Account } from '../../domain/accounts/account.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import { checkApiKey } from './api-key.ts'
import type { ClientRequest } from './client-request.ts'
import type { OperationTools } from './operation-tools.ts'
import type { WorkQueue } from './work-queue.ts'

/** Returns whether it has to be repeated. */
type StepOfAccount = (account: Account, directory: Directory) => boolean

/** Repeats the step until it returns false, in turn with the work of other accounts. Rejects with Refused. */
export type WorkForKey = (request: Pick<ClientRequest, 'address'>, key: string, step: StepOfAccount) => Promise<void>

export function createWorkForKey(
  tools: Pick<OperationTools, 'clock' | 'directory' | 'keyUses' | 'onDenied'>,
  work: WorkQueue,
): WorkForKey {
  return async (request, key, step) => {
    const { account } = checkApiKey(tools, request, key, tools.clock.now())
    await work.run(account.id, () => step(account, tools.directory()))
  }
}
