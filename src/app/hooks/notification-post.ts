/** Sends notifications: signed POSTs to hooks, e-mails, and incoming webhooks in the style of Slack. */
import type { NotificationTarget } from '../../domain/alarms/notification.ts'
import type { Notice } from '../../domain/alarms/notification-text.ts'
import type { HookPost } from '../../ports/hooks/hook-post.ts'
import type { NotificationPost, NotificationResult } from '../../ports/hooks/notification-post.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { SendMail } from '../../wire/send-mail.ts'

export interface NotificationPostTools {
  /** Refuses addresses that hooks may not have. Stopped by its owner. */
  readonly hookPost: Pick<HookPost, 'post'>
  /** Null without an SMTP server. */
  readonly sendMail: SendMail | null
  readonly clock: Clock
}

/** The account of operators in the limits of name lookups: no account has it. */
const NO_ACCOUNT = 0

export function createNotificationPost({ hookPost, sendMail, clock }: NotificationPostTools): NotificationPost {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<NotificationResult>()
  const send = async (target: NotificationTarget, notice: Notice): Promise<NotificationResult> => {
    if (target.kind === 'email') return mail(sendMail, target, notice)
    const body = target.kind === 'slack' ? JSON.stringify({ text: asPlainText(notice.text) }) : notice.body
    const secrets = target.secret === null ? [] : [target.secret]
    const call = { account: NO_ACCOUNT, address: target.address ?? '', body, count: null, id: notice.id, secrets }
    const answer = await hookPost.post({ ...call, at: clock.now() })
    if (answer.kind !== 'answered') return { kind: 'failed', reason: answer.reason }
    const isTaken = answer.status >= 200 && answer.status < 300
    return isTaken ? { kind: 'sent' } : { kind: 'failed', reason: `answered ${answer.status}` }
  }
  return {
    send: (target, notice) => Promise.race([send(target, notice), stopped]),
    stop: async () => stop({ kind: 'failed', reason: 'the gateway is stopping' }),
  }
}

/** Words of carriers and clients must not become links or notify a whole channel, in Slack or in Mattermost. */
function asPlainText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('](', '] (')
    .replace(/@(?=all|channel|everyone|here)/gi, '@ ')
}

async function mail(
  sendMail: SendMail | null,
  { recipients }: NotificationTarget,
  { id, title, text }: Notice,
): Promise<NotificationResult> {
  if (sendMail === null) return { kind: 'failed', reason: 'POSTHORN_SMTP_URL is not set' }
  try {
    await sendMail({ to: recipients, subject: title, text, id })
    return { kind: 'sent' }
  } catch (error) {
    return { kind: 'failed', reason: (error as Error).message.slice(0, MAX_REASON) }
  }
}

/** Of the words of an SMTP server. */
const MAX_REASON = 300
