/** The messages between an account and one phone, as in a chat: the newest at the end. */
import { MessagesSquare } from 'lucide-react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMe } from '../../api/me.ts'
import { usePagesOf } from '../../api/queries.ts'
import { AccountField } from '../../features/accounts/account-field.tsx'
import { StatusBadge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { ChannelName } from '../../parts/channel.tsx'
import { classes } from '../../parts/classes.ts'
import { TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/values.tsx'
import { useInboundTexts } from './texts.ts'

type Item = AnswerOf<'POST', '/accounts/{account}/conversation'>['data'][number]
const EVERY_MS = 10_000
const PAGE = 50

export interface Shown {
  readonly account: number
  readonly phone: string
}

interface ConversationTabProps {
  /** Null: the form asks for it. */
  readonly account: number | null
  readonly shown: Shown | null
  readonly show: (shown: Shown) => void
}

export function ConversationTab({ account, shown, show }: ConversationTabProps) {
  const texts = useInboundTexts()
  const form = useForm({
    initial: { account: String(account ?? shown?.account ?? ''), phone: shown?.phone ?? '' },
    // Reads the newest message, so that a wrong number is reported at its field.
    send: async (values, key) => {
      const next = { account: account ?? Number(values.account), phone: values.phone.trim() }
      const { account: id, phone } = next
      await api.post('/accounts/{account}/conversation', { params: { account: id }, body: { phone, most: 1 }, key })
      return next
    },
    done: show,
  })
  return (
    <div className="flex flex-col gap-5">
      <Card>
        <Form form={form} className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            {account === null && <AccountField {...form.field('account')} label={texts.account} />}
            <TextField {...form.field('phone')} label={texts.phone} hint={texts.phoneHint} inputMode="tel" />
          </div>
          <div>
            <SubmitButton form={form} kind="secondary">
              {texts.show}
            </SubmitButton>
          </div>
        </Form>
      </Card>
      {shown !== null && <Conversation {...shown} />}
    </div>
  )
}

function Conversation({ account, phone }: Shown) {
  const texts = useInboundTexts()
  const list = usePagesOf<Item>(
    ['/accounts/{account}/conversation', { account, phone }],
    (after, signal) => {
      const body = { phone, most: PAGE, ...(after === null ? {} : { after: Number(after) }) }
      return api.post('/accounts/{account}/conversation', { params: { account }, body, signal })
    },
    { every: EVERY_MS },
  )
  const { rows, error, hasMore, isReading, readMore, retry } = list
  return (
    <Card title={texts.conversationWith(phone)} description={texts.sentText}>
      {rows === undefined && (error === null ? <Loading /> : <ErrorState error={error} retry={retry} />)}
      {rows?.length === 0 && !hasMore && (
        <EmptyState icon={MessagesSquare} title={texts.noMessages}>
          {texts.noMessagesHint}
        </EmptyState>
      )}
      {hasMore && (
        <div className="mb-4 text-center">
          <Button size="small" busy={isReading} onClick={readMore}>
            {texts.older}
          </Button>
        </div>
      )}
      <ol className="flex flex-col gap-3">
        {rows?.toReversed().map((item) => (
          <Bubble key={`${item.direction} ${item.message}`} item={item} />
        ))}
      </ol>
    </Card>
  )
}

function Bubble({ item }: { readonly item: Item }) {
  const texts = useInboundTexts()
  const { at, direction, message, channel, sender, status, in_reply_to: answered } = item
  const isSent = direction === 'sent'
  return (
    <li className={classes('flex', isSent ? 'justify-end' : 'justify-start')}>
      <div
        className={classes(
          'flex max-w-[85%] min-w-0 flex-col gap-1 rounded-lg border px-3.5 py-2.5 sm:max-w-md',
          isSent ? 'bg-accent-soft' : 'bg-sunken',
        )}
      >
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
          <span className="font-medium">{isSent ? texts.sent : texts.received}</span>
          <span>
            <ChannelName channel={channel} />
            {sender !== null && ` · ${sender}`}
          </span>
        </div>
        {isSent ? (
          <div className="flex flex-wrap items-center gap-2">
            <TextLink to={`/messages/${message}`}>{texts.message(message)}</TextLink>
            {status !== null && <StatusBadge status={status} />}
          </div>
        ) : (
          <ReceivedText item={item} />
        )}
        {answered !== null && (
          <TextLink to={`/messages/${answered}`} className="text-sm">
            {texts.inReplyTo(answered)}
          </TextLink>
        )}
        <div className="text-sm text-muted">
          <Time at={at} />
        </div>
      </div>
    </li>
  )
}

const TEXT_ROLES = ['owner', 'operator', 'client-admin', 'client-reader']

function ReceivedText({ item: { text, content } }: { readonly item: Item }) {
  const texts = useInboundTexts()
  const role = useMe()?.role ?? ''
  const isHidden = text === null && !TEXT_ROLES.includes(role)
  return (
    <>
      {content !== null && <p className="text-sm font-medium">{texts.content[content] ?? content}</p>}
      {isHidden ? (
        <p className="text-muted italic">{texts.hiddenText}</p>
      ) : (
        <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{text ?? '–'}</p>
      )}
    </>
  )
}
