/** The sentences of the API reference that no table has, but for those about single operations. */
import type { Status } from '../../src/domain/message/status.ts'

const OPENING = `# API reference

Look up every operation, field, result, error, report and limit of the client API. These pages are made from the tables that
read requests, with the default limits; [openapi.json](../openapi.json) has the same for programs, and [examples](../../examples)
has a complete request and answer for each operation and error. To begin, read [Clients](../guides/clients.md).

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
| \`auth\` | yes | API key of the account; the header \`Authorization: Bearer <API_KEY>\` may stand for it. If both are there and differ, access is denied |
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
    { "success": false, "error": "Error in Alpha-name", "code": "sender_not_approved", "data": { "id": 18 }, "field": "sms_signature" }
  ]
}
\`\`\`

| member | where | description |
| --- | --- | --- |
| \`success\` | answer, result | whether the request, or the operation, was executed |
| \`data\` | answer | the results; absent if the whole request failed |
| \`error\` | answer, result | text of the [error](api/errors.md); absent on success |
| \`code\` | answer, result | short code of the error, for programs; later versions may have more |
| \`request_id\` | answer of \`/v1/json\` | 32 hexadecimal digits |
| \`field\` | failed result | field that the error is about; also if the text does not name it; absent if it is about none |
| \`warnings\` | result | ignored fields, as \`rcs_lifetme: ignored\`, at most ten, then their number; absent if there are none |

A request that fails as a whole:

\`\`\`json
{ "success": false, "error": "Access denied", "code": "access_denied" }
\`\`\``

const SENDS = `The next channel is tried when the one before refuses the message, reports it as undeliverable, or has not delivered it
within its lifetime. The account pays once, for the first channel that earns its price: an SMS when the carrier accepts it, RCS and
chat app when the message is delivered. If an SMS that is not the last step turns out to be undeliverable, it has been paid for, and
the later steps cost nothing.`

const LIFETIMES = `In \`rcs+chatapp+sms\` only \`rcs_lifetime\` has an effect: the account sets the lifetime of the other two steps.
In every other type each step has its own lifetime. Without one, an RCS step and a channel alone have 172,800 seconds; chat-app
and SMS steps of a chain have the account's setting.

- \`send_at\`: the message is accepted and its price held at once. It is \`QUEUED\` until its time; then its first step, its
  lifetime and its short links begin. Reports and \`status\` have it in UTC. Messages for one instant do not delay others: each
  account's have a queue of their own.
- \`reply_to\`: with it, an SMS without \`sms_signature\` comes from the number that the recipient wrote to, before the default
  sender, if the account has it approved. WhatsApp shows the quoted message within 24 hours, if it came by the same carrier;
  template messages, Viber and RCS quote nothing. Errors: \`Inbound message not found\` (also after the retention time),
  \`reply_to: must be a message from phone\`.
- \`unsubscribe_link\`: each text gets a link at \`{{unsubscribe}}\`, otherwise in a line at its end; it is counted in parts and
  priced. The chat-app type \`image\` has no text and fails. Without the flag, \`{{unsubscribe}}\` is sent as it is.
  [Guards](../../guides/guards.md#unsubscribe-links) describes its page. The client gets \`recipient.opted_out\`, or
  \`recipient.opted_in\` if it is undone, as when a recipient answers STOP or START. If the gateway fails while it saves, the
  recipient presses again, and the report may come twice.`

const ERRORS = `Neither codes nor texts change, so programs can compare them. In the tables \`<field>\` stands for the name of a field, and
numbers are the default limits. [Clients](../../guides/clients.md#retries) says when to repeat a request.`

const LIMITS = `Defaults of the gateway. Your operator may have changed those with a setting. [Limits](../limits.md) has all
limits of the gateway.`

const REPORTS = `If a message has a \`hook\`, or the account has a default hook or [hooks of the
client](hooks.md), the gateway posts each event there as JSON. Answer
with any 2xx within ten seconds; otherwise the report is sent again for three days ([schedule](../reports.md)). Verify the signature
before you trust a report ([how](../../guides/clients.md#verify-reports)).

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
at most ([how to receive it](../../guides/clients.md#several-reports-in-one-post)). Each has the members below and \`webhook_id\`, which
is the \`webhook-id\` that the report has when it is posted alone.`

const STATUSES_NOTE = `\`status\` of a message is the status of the step that is under way, or of the last one. Every step has its
own in \`steps\`. [Message states](message-states.md) has all transitions.`

const RICH = `The objects of the field \`rich\`. Unknown members are refused, and \`field\` of an error is a path such as
\`rich.cards[2].title\`. [Rich messages](../../guides/rich-messages.md) shows what each messenger makes of them.`

const LIST = `The specification has \`rcs\`, \`chatapp\`, \`rcs+chatapp+sms\`, \`call/otp\`, \`template/create\`,
\`template/chatapp/list\` and \`balance\`. All else extends it, in the same envelope and on both paths, and changes the meaning of
nothing in it.`

export const REFERENCE_TEXTS = {
  list: LIST,
  opening: OPENING,
  sends: SENDS,
  lifetimes: LIFETIMES,
  rich: RICH,
  statuses: STATUSES_NOTE,
  errors: ERRORS,
  limits: LIMITS,
  reports: REPORTS,
}

export const STATUS_MEANINGS: Readonly<Record<Status, readonly [final: 'yes' | 'no', meaning: string]>> = {
  QUEUED: ['no', 'waits: for its time, for a carrier, or for a retry'],
  ACCEPTED: ['no', 'the carrier has the message'],
  DELIVERED: ['yes', 'the phone has the message, or it rang; `READ` may follow'],
  READ: ['yes', 'the recipient opened the message'],
  EXPIRED: ['yes', 'not delivered within its lifetime'],
  UNDELIVERABLE: ['yes', 'the recipient cannot be reached on this channel'],
  REJECTED: ['yes', 'the carrier refused the message'],
  FILTERED: [
    'yes',
    'not sent: the recipient has opted out, or the operator denies the number or has rejected the sender since',
  ],
  'NO ROUTE': ['yes', 'no carrier serves this number'],
  UNKNOWN: ['yes', 'the carrier does not know what became of it'],
  CANCELLED: ['yes', 'cancelled by the client'],
}
