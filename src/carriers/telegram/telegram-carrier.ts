/** One-time codes by the Telegram Gateway: sent and revoked over HTTPS, signed reports arrive at the webhook. */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type {
  Carrier,
  CarrierState,
  Inbox,
  Revocation,
  Revoked,
  Submission,
  WebhookAnswer,
  WebhookHead,
  WebhookRequest,
} from '../../ports/carriers/carrier.ts'
import { parseJsonObject } from '../../wire/json.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'
import { HttpLink } from '../shared/http-link.ts'
import { receiveReceipts } from '../shared/webhook.ts'
import { readTelegramCall, refuseTelegramCall } from './read-report.ts'
import { readTelegramSettings, type TelegramSettings } from './settings.ts'
import { readCodeAnswer, writeCode } from './submit.ts'

/** @throws Error that names the invalid setting. */
export function createTelegramCarrier(setup: { id: string; settings: unknown }, tools: CarrierTools): Carrier {
  return new TelegramCarrier(setup.id, readTelegramSettings(setup.settings), tools)
}

class TelegramCarrier implements Carrier {
  readonly id: string
  readonly channel = 'telegram'
  readonly window: number
  readonly #settings: TelegramSettings
  readonly #link: HttpLink
  readonly #clock: CarrierTools['clock']
  #inbox: Inbox | null = null

  constructor(id: string, settings: TelegramSettings, tools: CarrierTools) {
    this.id = id
    this.window = settings.window
    this.#settings = settings
    this.#clock = tools.clock
    this.#link = new HttpLink({ carrierId: id, settings, probe: () => this.#link.ping(settings.baseUrl) }, tools)
  }

  start(inbox: Inbox): void {
    this.#inbox = inbox
    this.#link.start()
  }

  async submit(submission: Submission): Promise<readonly Verdict[]> {
    const verdict = await this.#link.submit(() => this.#submit(submission))
    return submission.parts.map(() => verdict)
  }

  /** Telegram removes what the recipient does not have yet. */
  async revoke({ refs: [ref = ''] }: Revocation): Promise<Revoked> {
    const result = await this.#call('revokeVerificationMessage', JSON.stringify({ request_id: ref }))
    const isDone = result.kind === 'answered' && parseJsonObject(result.body)?.['result'] === true
    return { asked: isDone, detail: isDone ? 'revoked' : 'not revoked' }
  }

  refuseWebhook(head: WebhookHead): WebhookAnswer | null {
    return refuseTelegramCall(head, this.#clock.now())
  }

  async answerWebhook(request: WebhookRequest): Promise<WebhookAnswer> {
    const call = readTelegramCall(request, this.#settings.token, this.#clock.now())
    if (call.kind === 'answer') return call.answer
    return receiveReceipts(this.#inbox, [{ carrierId: this.id, ...call.receipt }])
  }

  state(): CarrierState {
    return this.#link.state()
  }

  connectNow(): void {
    this.#link.connectNow()
  }

  stop(): Promise<void> {
    return this.#link.stop()
  }

  async #submit(submission: Submission): Promise<Verdict> {
    const { content } = submission
    if (content.kind === 'call' || content.code === undefined) {
      return { kind: 'refused', status: 'REJECTED', reason: 'Telegram carries codes of verifications only' }
    }
    return readCodeAnswer(
      await this.#call('sendVerificationMessage', writeCode(submission, content.code, this.#settings)),
    )
  }

  #call(name: string, body: string) {
    const { baseUrl, token } = this.#settings
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    return this.#link.send({ method: 'POST', url: `${baseUrl}/${name}`, headers, body })
  }
}
