/** The sentences of the API reference that no table has. */
import type { Status } from '../../domain/message/status.ts'

const OPENING = `# API reference

Look up every operation, field, result, error, report and limit of the client API. \`posthorn api-reference\` makes this page from
the tables that read requests, with the default limits; [openapi.json](../openapi.json) has the same for programs, and
[examples](../../examples) has a complete request and answer for each operation and error. To begin, read
[Clients](../guides/clients.md).

## Requests

Send operations with \`POST\` and \`Content-Type: application/json\`:

| path | operations in a request | calls |
| --- | --- | --- |
| \`/api/json.php\` | 1,000 | waits until the phone rings or the call fails |
| \`/v1/json\` | 10,000 | never waits; the answer has a \`request_id\` as well |

\`\`\`sh
curl -s http://127.0.0.1:8080/api/json.php -H 'Content-Type: application/json' -H 'Idempotency-Key: order-17-paid' -d '{
  "auth": "<API_KEY>",
  "data": [{ "type": "sms", "id": 17, "phone": 491701234500, "sms_signature": "SMSTest", "sms_message": "Hello" }]
}'
\`\`\`

| part | required | description |
| --- | --- | --- |
| \`auth\` | yes | API key of the account |
| \`data\` | yes | array of operations; each has a \`type\` and the fields of that type |
| header \`Idempotency-Key\` | no | makes it safe to repeat the request: within 24 hours the same key with the same body returns the first answer and executes nothing; when the answers that the account keeps take 1 GiB, a request with a new key is refused |

A field that is \`null\` or \`""\` counts as not sent. Unknown fields are ignored and listed in \`warnings\`. The chat app may also be
named \`viber\`, in types and in fields ([other names](../guides/other-services.md#names-of-the-chat-app)).

## Responses

The HTTP status is always 200. \`success\` says whether the request was executed; each operation then has a result of its own, in
the order of the request:

\`\`\`json
{
  "success": true,
  "data": [
    { "success": true, "data": { "id": 17, "msg_id": 65, "data": 1, "parts": 1 } },
    { "success": false, "error": "Error in Alpha-name", "data": { "id": 18 }, "field": "sms_signature" }
  ]
}
\`\`\`

| member | where | description |
| --- | --- | --- |
| \`success\` | answer, result | whether the request, or the operation, was executed |
| \`data\` | answer | the results; absent if the whole request failed |
| \`error\` | answer, result | text of the [error](#errors); absent on success |
| \`request_id\` | answer of \`/v1/json\` | 32 hexadecimal digits |
| \`field\` | failed result | field that the error is about; absent if it is about none |
| \`warnings\` | result | ignored fields, as \`rcs_lifetme: ignored\`; absent if there are none |

A request that fails as a whole:

\`\`\`json
{ "success": false, "error": "Access denied" }
\`\`\``

const SENDS = `The next channel is tried when the one before refuses the message, reports it as undeliverable, or has not delivered it
within its lifetime. The account pays once, for the first channel that earns its price: an SMS when the carrier accepts it, RCS and
chat app when the message is delivered.`

const LIFETIMES = `In \`rcs+chatapp+sms\` only \`rcs_lifetime\` has an effect: the account sets the lifetime of the other two steps.
In every other type each step has its own lifetime.`

const ERRORS = `Texts do not change, so programs can compare them. In the tables \`<field>\` stands for the name of a field, and
numbers are the default limits. [Clients](../guides/clients.md#retries) says when to repeat a request.`

const LIMITS = `Defaults of the gateway. Your operator may have changed those with a setting. [Limits](../limits.md) has all
limits of the gateway.`

const REPORTS = `If a message has a \`hook\`, or the account has a default hook or [hooks of the
client](extensions.md#hookcreate-and-others), the gateway posts each event there as JSON. Answer
with any 2xx within ten seconds; otherwise the report is sent again for three days ([schedule](reports.md)). Verify the signature
before you trust a report ([how](../guides/clients.md#verify-reports)).

\`\`\`json
{
  "type": "message.status", "timestamp": "2026-03-01T08:00:01.500Z", "id": 17, "msg_id": 65, "phone": 491701234501,
  "status": "DELIVERED", "channel": "chatapp", "parts": 1, "price": 0.04, "currency": "EUR", "error": null,
  "steps": [
    { "channel": "rcs", "status": "UNDELIVERABLE", "at": "2026-03-01T08:00:01.000Z" },
    { "channel": "chatapp", "status": "DELIVERED", "at": "2026-03-01T08:00:01.500Z" }
  ]
}
\`\`\`

| header | description |
| --- | --- |
| \`webhook-id\` | identifier of the report, the same on every try; ignore repeats |
| \`webhook-timestamp\` | seconds since 1970; refuse more than 300 seconds of difference |
| \`webhook-signature\` | HMAC-SHA256 by [Standard Webhooks 1.0](https://www.standardwebhooks.com) |
| \`traceparent\` | the trace of the request that sent the message, if it had this header (W3C Trace Context); not signed, and absent from some retries |
| \`posthorn-reports\` | number of reports in the array; absent if the body is the object of one report |

If your operator switches on several reports per \`POST\` for your account, the body is a JSON array of 1 to 1,000 reports, 1 MiB
at most ([how to receive it](../guides/clients.md#several-reports-in-one-post)). Each has the members below and \`webhook_id\`, which
is the \`webhook-id\` that the report has when it is posted alone.`

const STATUSES_NOTE = `\`status\` of a message is the status of the step that is under way, or of the last one. Every step has its
own in \`steps\`. [Message states](message-states.md) has all transitions.`

const NOTES: readonly (readonly [type: string, note: string])[] = [
  [
    'call/otp',
    'Compare the digits that the user types with `code`. On `/api/json.php` the result comes when the phone rings; on `/v1/json` it comes at once, before the phone rings.',
  ],
  ['price', 'It also takes every field of the send that `send_type` names. Nothing is sent, held or stored.'],
  ['status', 'Ask for many messages in one request. Messages of the same request are not known yet.'],
  ['cancel', 'It is executed before all other operations of its request.'],
  [
    'bulk/create',
    'Upload the lines as CSV or JSON lines: `POST` to the path `upload` of the result, with the header `Authorization: Bearer` and the API key. `?from_line=` names the number of the first line of the body, to continue. [Bulk](../guides/bulk.md#lines) has examples, limits and errors.',
  ],
  [
    'verify/start',
    'The gateway draws the code and never returns it: let the user type it and ask `verify/check`. [Verify](../guides/verify.md) explains channels, prices and limits.',
  ],
  [
    'verify/check',
    'A wrong code is a successful operation with the status `wrong`. The fifth wrong code ends the verification.',
  ],
  [
    'hook/create',
    'The secret is returned only here. The [rules](extensions.md#hookcreate-and-others) say what a hook gets.',
  ],
  [
    'event/list',
    'Reports are kept for reading if their message has the hook `feed:`, or the default hook of the account is `feed:`. The [rules](extensions.md#eventlist) say how to process each exactly once.',
  ],
]

const RICH = `The objects of the field \`rich\`. Unknown members are refused, and \`field\` of an error is a path such as
\`rich.cards[2].title\`. [Rich messages](../guides/rich-messages.md) shows what each messenger makes of them.`

export const REFERENCE_TEXTS = {
  opening: OPENING,
  sends: SENDS,
  lifetimes: LIFETIMES,
  rich: RICH,
  statuses: STATUSES_NOTE,
  errors: ERRORS,
  limits: LIMITS,
  reports: REPORTS,
  notes: NOTES,
}

export const STATUS_MEANINGS: Readonly<Record<Status, readonly [final: 'yes' | 'no', meaning: string]>> = {
  QUEUED: ['no', 'waits: for its time, for a carrier, or for a retry'],
  ACCEPTED: ['no', 'the carrier has the message'],
  DELIVERED: ['yes', 'the phone has the message, or it rang; `READ` may follow'],
  READ: ['yes', 'the recipient opened the message'],
  EXPIRED: ['yes', 'not delivered within its lifetime'],
  UNDELIVERABLE: ['yes', 'the recipient cannot be reached on this channel'],
  REJECTED: ['yes', 'the carrier refused the message'],
  FILTERED: ['yes', 'not sent: the recipient has opted out, or the operator denies the number'],
  'NO ROUTE': ['yes', 'no carrier serves this number'],
  UNKNOWN: ['yes', 'the carrier does not know what became of it'],
  CANCELLED: ['yes', 'cancelled by the client'],
}
