/** What the API reference says of single operations beside their tables, as Markdown of a page in docs/reference/api. */

const VERIFY_START = `The gateway draws the code and never returns it: let the user type it and ask \`verify/check\`.
[Verify](../../guides/verify.md) explains channels, prices and limits.`

const VERIFY_RESEND = `Check the code against the same \`verify_id\`. [Verify](../../guides/verify.md#send-the-code-again) says by which
channel it goes and what it costs.`

const VERIFY_CHECK = `A wrong code is a successful operation with the status \`wrong\`. The fifth wrong code ends the verification. The
checks of a request are executed after its cancellations and before its sends.`

const PRICE = `It also takes every field of the send that \`send_type\` names; it ignores \`reply_to\`. Nothing is sent, held or stored.
Parts are counted as the send would count them, with \`short_link\` too. A send that would fail fails here with the same error, except
for \`Insufficient funds\`.`

const STATUS = `Names a message by \`msg_id\`, by \`id\`, or by both; ask for many in one request. An \`id\` of digits is also found in the
other form (\`12\` finds \`"12"\` if no message has the id \`12\`). Messages of the same request are not known yet. The status is never
older than the reports that were sent. Reports are kept for 30 days (\`POSTHORN_SETTLED_KEPT_DAYS\`).`

const CANCEL = `Ends a message if no carrier has any part of it; the hold is released and the hook gets a report. Cancelling again returns
the same.

| the message | result |
| --- | --- |
| is scheduled, or waits in a queue or for a slow or unreachable carrier | cancelled |
| waits in a later step, and the channels before have refused it | cancelled |
| is being submitted, is or may be with a carrier, or was with one in an earlier step; has ended | \`Too late to cancel\` |
| was not sent by this account | \`Message not found\` |

It is executed before all other operations of its request, in a commit of its own: released money pays for sends of the same request,
and a \`status\` shows it. If the rest fails because the database is unreachable, messages may still be cancelled; repeating is safe, and a
repeat under an \`Idempotency-Key\` cancels nothing again. With unique ids, the \`id\` stays used. If the gateway was killed while a
message was being submitted, the message counts as not sent ([Crash safety](../../operations/crash-safety.md)) and can be cancelled
although the carrier has it.`

const EVENTS = `A report goes to the event feed if its message was sent with \`"hook":"feed:"\`, or without \`hook\` while that is the
default hook (\`posthorn account set --account 1 --default-hook feed:\`). [How to read it](../../guides/clients.md#read-reports-instead).

| rule | value | what you see |
| --- | --- | --- |
| \`after\` | acknowledges up to this cursor; \`"0"\` begins with the oldest event that is kept; the same \`after\` returns the same events | an unknown one: \`after: must be next or a cursor of an earlier answer to this account\` |
| key | scope \`hooks\`; no test keys, whose messages are in the same feed with \`"test":true\` | \`type: not allowed with a test key\` |
| order | as recorded; events of one message in their order | |
| length of a list | 1 MiB | \`more\` is true; otherwise ask again after a second |
| unread events | given up after 68 hours; deleted 30 days after their message was accepted (\`POSTHORN_SETTLED_KEPT_DAYS\`) | \`missed\`, also after erasure of a phone |
| acknowledged events | at most 1,000 in a request; kept as other settled reports | |

It is executed after \`cancel\` and \`status\` of its request, before all others. After a change of the default hook the feed can still be
read.`

const HOOK_CREATE = `The secret is returned only here. If the answer is lost, repeat it with its \`Idempotency-Key\`, or list the hooks and
rotate the secret.

| reports | go to |
| --- | --- |
| of a message that was sent with \`hook\`, unless that is the default hook | only that address |
| of other messages, verifications, calls; \`balance.low\` | the default hook, which may be \`feed:\`, and each hook that has their type in \`events\` |
| \`message.inbound\` | the hook of the inbound number if it has one; otherwise the same |

- Each hook gets a report of its own, with its own \`webhook-id\`, tries and order. Hooks differ in their address without its query.
- Without \`events\` a hook gets all types, also those of later versions.
- A change applies within a second, to events from then on. Five hooks; 20 changes and tests an hour.
- A test key may only list. The audit log of the operator has every change.`

const HOOK_REPLAY = `Only failed reports are sent again, within a minute, in order within each message, with ten new tries; others are
retried anyway. They are kept for 30 days (\`POSTHORN_SETTLED_KEPT_DAYS\`). Without \`hook\`, 500 hooks are looked at. Reports of a hook
that answered 410 stay until it is resumed, by your operator ([how](../reports.md#hooks-that-answered-410)) or by \`hook/update\`. Those
to a hook that you have deleted are left out, also if a new hook has its address. Test keys are refused. To see reports again that were
sent, use [\`event/list\`](#eventlist).`

const STATISTICS = `Today in one line without fields. At most 366 days, or 35 by hour, and 1,500 lines; none for times without
messages. A message counts in the hour in which it starts, so figures grow while receipts arrive. No test messages, no test keys.
[All figures](../../guides/statistics.md#figures).`

const INBOUND = `The items have the members of [\`message.inbound\`](reports.md#messageinbound). A message never appears before one that
was listed already, so a client that stores the last \`inbound_id\` reads each exactly once. A list ends early at 1 MiB: continue until it
is empty. No test keys. [Two-way messaging](../../guides/two-way.md) says which messages an account gets.`

export const OPERATION_NOTES: Readonly<Record<string, string>> = {
  'call/otp':
    'Compare the digits that the user types with `code`. On `/api/json.php` the result comes when the phone rings; on `/v1/json` it comes at once, before the phone rings.',
  'verify/start': VERIFY_START,
  'verify/check': VERIFY_CHECK,
  'verify/resend': VERIFY_RESEND,
  price: PRICE,
  status: STATUS,
  cancel: CANCEL,
  statistics: STATISTICS,
  'inbound/list': INBOUND,
  'template/create': 'Operations on templates are executed in request order.',
  'template/list': 'A list ends early if its texts exceed 1 MiB: continue with `after` until it is empty.',
  'template/delete': 'With `name` and `id`, both must match. The name is free again.',
  'hook/create': HOOK_CREATE,
  'hook/update': 'It starts a hook again that answered 410.',
  'hook/rotate': 'For 24 hours reports have both signatures.',
  'hook/delete': 'Waiting reports are given up.',
  'hook/test': 'It ignores `events`.',
  'hook/replay': HOOK_REPLAY,
  'event/list': EVENTS,
  'bulk/create':
    'Upload the lines as CSV or JSON lines: `POST` to the path `upload` of the result, with the header `Authorization: Bearer` and the API key. `?from_line=` names the number of the first line of the body, to continue. [Bulk](../../guides/bulk.md#lines) has examples, limits and errors.',
}
