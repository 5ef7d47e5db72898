/** Submits a chat-app template for the messenger's approval. The messenger's list later reports the decision. */
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { type ChatTemplate, followStatus } from '../../../domain/text/template.ts'
import type { TemplateDraft } from '../../../ports/carriers/carrier.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { AdminProblem } from '../endpoint/admin-problem.ts'
import type { AdminTools } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { UnknownThing } from '../fields/account-row.ts'
import { type ChatTemplateInput, checkTemplateSignature, findChatTemplate, setChatTemplate } from './chat-templates.ts'

export interface TemplateSubmission extends Omit<ChatTemplateInput, 'status'> {
  readonly carrier: string
  readonly draft: Omit<TemplateDraft, 'sender' | 'text'>
}

/**
 * Submits before recording: a template lost in between appears in the messenger's list. Returns the status of a
 * template submitted earlier. Throws ChangeRefused, or AdminProblem if there is no answer.
 */
export async function submitChatTemplate(
  { store, live }: Pick<AdminTools, 'store' | 'live'>,
  { carrier: carrierId, draft, ...input }: TemplateSubmission,
): Promise<ChatTemplate> {
  const rows = await store.loadDirectory()
  const known = findChatTemplate(rows, input)
  const gateway = runningGateway({ live }, 'can submit a template')
  checkCarrier(rows, carrierId, input)
  const carrier = gateway.carrier(carrierId)
  if (carrier === undefined) throw new AdminProblem(503, `${carrierId} does not run in this gateway`)
  if (carrier.submitTemplate === undefined) {
    throw new ChangeRefused(
      `${carrierId} cannot submit templates: have the text approved by its provider, then record it with chat-template approve`,
    )
  }
  const answer = await carrier.submitTemplate({ ...draft, sender: input.signature, text: input.template })
  if (answer.kind === 'refused') throw new ChangeRefused(`${carrierId}: ${answer.reason}`)
  if (answer.kind === 'unclear') {
    throw new AdminProblem(503, `${carrierId}: ${answer.reason}; submit it again; it is never created twice`)
  }
  const status = followStatus(known?.status, answer.status)
  return known?.status === status ? known : setChatTemplate(store, { ...input, status })
}

function checkCarrier(
  { carriers, senders }: Pick<DirectoryRows, 'carriers' | 'senders'>,
  carrierId: string,
  { accountId, signature }: Pick<ChatTemplateInput, 'accountId' | 'signature'>,
): void {
  const carrier = carriers.find(({ id }) => id === carrierId)
  if (carrier === undefined) throw new UnknownThing(`there is no carrier ${carrierId}`)
  if (carrier.channel !== 'chatapp') {
    throw new ChangeRefused(`${carrierId} is a carrier of ${carrier.channel}: only chat-app carriers take templates`)
  }
  checkTemplateSignature(senders, accountId, signature)
}
