/** Ids, recipient and settings of a message. */

import { AccountName } from '../../features/accounts/account-name.tsx'
import { useMessageTexts } from '../../features/messages/message-texts.ts'
import { operatorText } from '../../features/operators/operator-name.ts'
import { CopyText } from '../../parts/copy.tsx'
import { useHasPage } from '../../parts/list/has-page.ts'
import { Card, KeyValues } from '../../parts/page/page.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/values.tsx'
import { usePreferences } from '../../texts/language.ts'
import { usePageTexts } from './message-page-texts.ts'
import type { Details, PageFacts } from './page-facts.ts'

const BULK_PAGE = '/bulks/$account/$bulk'

export function FactsCard({ trace, details }: PageFacts) {
  const texts = usePageTexts()
  const words = useMessageTexts()
  const { message, id, account, phone, accepted_at: acceptedAt, due_at: dueAt, hook, test } = trace
  const items = [
    { label: texts.message, value: <CopyText text={String(message)} label={texts.message} /> },
    ...(id === null ? [] : [{ label: texts.id, value: <CopyText text={id} label={texts.id} /> }]),
    {
      label: texts.account,
      value: <AccountName account={account} linked />,
    },
    { label: texts.recipient, value: phone === '' ? words.noPhone : <CopyText text={phone} label={texts.recipient} /> },
    ...useNumberFacts(account, details),
    ...useOptOuts(account, details),
    { label: texts.accepted, value: <Time at={acceptedAt} /> },
    ...(details?.send_at == null ? [] : [{ label: texts.sendAt, value: <Time at={details.send_at} /> }]),
    ...(dueAt === null
      ? []
      : [{ label: texts.due, value: Date.parse(dueAt) > Date.now() ? <Time at={dueAt} /> : texts.dueNow }]),
    { label: texts.hook, value: hook === null ? <span className="text-muted">{texts.noHook}</span> : hook },
    ...(test ? [{ label: texts.mode, value: texts.testMode }] : []),
  ]
  return (
    <Card title={texts.facts}>
      <KeyValues items={items} />
    </Card>
  )
}

function BulkLink({ account, bulk }: { readonly account: number; readonly bulk: number }) {
  return <TextLink to={`/bulks/${account}/${bulk}`}>{bulk}</TextLink>
}

/** Operator and country of the recipient, and what else the message belongs to. */
function useNumberFacts(account: number, details: Details | undefined) {
  const texts = usePageTexts()
  const { language } = usePreferences()
  const hasPage = useHasPage()
  if (details === undefined) return []
  const { country, operator, mccmnc, bulk, verification, priority, priority_by: by } = details
  const name = country === null ? null : (new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country)
  const of = bulk !== null && hasPage(BULK_PAGE) ? <BulkLink account={account} bulk={bulk} /> : bulk
  const values = [
    [texts.country, name],
    [texts.operator, operatorText(mccmnc, operator)],
    [texts.bulk, of],
    [texts.verification, verification],
    [texts.priority, `${texts.classes[priority]}, ${texts.priorityBy[by]}`],
  ] as const
  return values.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]))
}

/** Of the recipient from senders of the account, with a link to them. */
function useOptOuts(account: number, details: Details | undefined) {
  const texts = usePageTexts()
  const hasPage = useHasPage()
  const senders = details?.opted_out.join(', ') ?? ''
  if (senders === '') return []
  const to = `/accounts/${account}?tab=opt-outs`
  return [
    { label: texts.optedOut, value: hasPage('/accounts/$account') ? <TextLink to={to}>{senders}</TextLink> : senders },
  ]
}
