/** Sends e-mails by an SMTP server: one connection for each, with time limits. */
import { createTransport } from 'nodemailer'

interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  /** Unique, and the same on every try: receivers drop duplicates by it. */
  readonly id: string
}

export interface MailServer {
  /** `smtp://` or `smtps://`, with user and password. */
  readonly url: string
  readonly from: string
}

export type SendMail = (mail: Mail) => Promise<void>

const TIMEOUT_MS = 10_000

/** The returned function rejects if the server does not take the mail for every recipient. */
export function createMailer({ url, from }: MailServer): SendMail {
  const limits = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const transport = createTransport({ url, ...limits, dnsTimeout: TIMEOUT_MS })
  const domain = from.match(/@([\w.-]+)/)?.[1] ?? 'localhost'
  return async ({ to, subject, text, id }) => {
    const messageId = `<${id}@${domain}>`
    const { rejected } = await transport.sendMail({ from, to: [...to], subject, text, messageId })
    if (rejected.length > 0) throw new Error(`refused recipients: ${rejected.map(String).join(', ')}`)
  }
}
