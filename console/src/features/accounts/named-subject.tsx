/** The subject of an alarm or an audit entry, with the names of the accounts in it. */
import { Fragment } from 'react'
import { AccountName } from './account-name.tsx'

/** Shows `account 7` as `account Example Shop · 7`, in both languages. */
export function NamedSubject({ subject }: { readonly subject: string }) {
  // At odd indexes: the number of an account.
  return subject.split(/(?<=\b(?:account|Konto) )([1-9]\d{0,9})(?!\d)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places
    <Fragment key={index}>{index % 2 === 0 ? part : <AccountName account={Number(part)} />}</Fragment>
  ))
}
