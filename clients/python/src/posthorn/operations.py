"""Types of operations, results and reports. Written by npm run generate."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class SendData(TypedDict):
    #: Absent when the operation had none.
    id: NotRequired[int | float | str]
    #: Identifier of the message in the gateway.
    msg_id: int
    #: The accept code.
    data: Literal[1]
    #: SMS parts where the send has an SMS step; otherwise 1.
    parts: int


class CallData(TypedDict):
    #: The last digits of the number that calls.
    code: str
    #: What the call costs.
    price: float


class TemplateData(TypedDict):
    #: Identifier of the template in the gateway.
    id: int
    #: Text of the template.
    template: str
    #: Name of the template.
    name: str
    #: Characters and SMS parts.
    count: str


class ChatTemplatesDataItem(TypedDict):
    #: Identifier of the template in the gateway.
    id: int
    #: Text of the template, with its placeholders.
    template: str
    #: Sender name that may use it.
    signature: str
    status: Literal["new", "submitted", "resubmitted", "rejected", "removed", "approved"]


class BalanceData(TypedDict):
    #: What can be spent, without what is held for open messages.
    amount: float
    #: ISO 4217.
    currency: str


class PostingsData(TypedDict):
    #: The newest first.
    postings: list[PostingsDataPostingsItem]
    #: The `after` of the next request; null if these are the last. A page may be short although more follow.
    next: str | None


class PostingsDataPostingsItem(TypedDict):
    at: str
    kind: Literal["top-up", "correction", "hold", "charge", "release"]
    #: A correction may be below zero, the others are not.
    amount: float
    #: The message that it is for; null for none.
    msg_id: int | None
    #: The channel, of a charge; `lookup` of a number lookup.
    channel: str | None
    #: MCC and MNC, of a charge; null if unknown.
    operator: str | None
    #: Parts of the message, of a charge.
    parts: int | None
    #: Why it was posted, as its author wrote.
    note: str | None


class StatementData(TypedDict):
    month: str
    #: The time zone of the month.
    zone: str
    #: No month before it has postings; at most this one.
    first_month: str
    #: Whether nothing more is posted in the month.
    closed: bool
    #: The balance at its beginning, with what was held.
    opening: float
    #: What was paid in.
    top_ups: float
    #: With refunds of messages; below zero if more was taken away than added.
    corrections: float
    #: What messages, calls and lookups cost.
    charges: float
    #: Opening, top-ups and corrections, less charges.
    closing: float
    #: The charges.
    lines: list[StatementDataLinesItem]
    #: Top-ups and corrections: the first ones, as many as an answer holds.
    payments: list[StatementDataPaymentsItem]
    #: ISO 4217.
    currency: str


class StatementDataLinesItem(TypedDict):
    #: The channel; null for old charges.
    channel: str | None
    #: MCC and MNC; null if unknown.
    operator: str | None
    #: Messages charged.
    messages: int
    #: Their parts.
    parts: int
    #: Their price.
    amount: float


class StatementDataPaymentsItem(TypedDict):
    at: str
    kind: Literal["top-up", "correction"]
    #: A correction may be below zero, the others are not.
    amount: float
    #: Why it was posted, as its author wrote.
    note: str | None


class PriceData(TypedDict):
    #: Absent when the operation had none.
    id: NotRequired[int | float | str]
    #: The most that the send can cost: what it would hold.
    price: float
    #: ISO 4217.
    currency: str
    steps: list[PriceDataStepsItem]


class PriceDataStepsItem(TypedDict):
    #: The chat app by the name that the send used.
    channel: Literal["rcs", "chatapp", "sms", "call", "telegram", "viber"]
    parts: int
    #: What is charged if this step delivers the message.
    price: float


class StatusData(TypedDict):
    #: Of the message; absent when it has none.
    id: NotRequired[int | float | str]
    #: Identifier of the message in the gateway.
    msg_id: int
    #: Null when the number was erased, and when only the user id is known.
    phone: int | None
    #: WhatsApp's id of the user, such as `US.13491208655302741918`; absent if it is not known.
    user_id: NotRequired[str]
    status: Literal["QUEUED", "ACCEPTED", "DELIVERED", "READ", "EXPIRED", "UNDELIVERABLE", "REJECTED", "FILTERED", "NO ROUTE", "UNKNOWN", "CANCELLED"]
    #: The `type` of the send, call or verification. Of a chain that names the chat app otherwise, such as `viber+sms`:
    #: the channel that delivered it, once one did.
    type: str
    #: Of the step under way, or of the last one.
    channel: Literal["rcs", "chatapp", "sms", "call", "telegram", "viber"]
    #: Of that step.
    parts: int
    #: What was charged so far.
    price: float
    #: ISO 4217.
    currency: str
    #: Why it was not delivered, if the carrier gave a reason.
    error: str | None
    steps: list[StatusDataStepsItem]
    #: What became of the reports of the message, as long as they are kept.
    reports: StatusDataReports
    #: What the recipient replied, the newest 20, the oldest first; absent without replies, and for keys without the
    #: scope `inbound`.
    replies: NotRequired[list[StatusDataRepliesItem]]
    #: The time that the send asked for; absent when it asked for none.
    send_at: NotRequired[str]
    accepted_at: str
    #: Sent with a test key; absent otherwise.
    test: NotRequired[Literal[True]]


class StatusDataStepsItem(TypedDict):
    #: The chat app by the name that the send used.
    channel: Literal["rcs", "chatapp", "sms", "call", "telegram", "viber"]
    status: Literal["QUEUED", "ACCEPTED", "DELIVERED", "READ", "EXPIRED", "UNDELIVERABLE", "REJECTED", "FILTERED", "NO ROUTE", "UNKNOWN", "CANCELLED"]
    at: str


#: What became of the reports of the message, as long as they are kept.
class StatusDataReports(TypedDict):
    sent: int
    #: Not delivered yet, and tried again.
    pending: int
    #: Given up.
    failed: int
    #: The last try; null before the first.
    tried_at: str | None
    #: Why the last try of an undelivered report failed.
    error: str | None


class StatusDataRepliesItem(TypedDict):
    inbound_id: int
    datetime: str
    message: str
    #: Address of the file; absent without one.
    media: NotRequired[str]


class StatisticsLinesDataItem(TypedDict):
    #: The day or hour, UTC; null for the whole time.
    time: str | None
    #: The channel.
    channel: str | None
    #: MCC and MNC; null if unknown.
    operator: str | None
    #: ISO 3166; null if unknown.
    country: str | None
    #: Sender name.
    sender: str | None
    #: Status with which messages ended.
    status: str | None
    #: Messages accepted, under their first channel.
    asked: int
    #: Messages that a carrier took, once per channel.
    taken: int
    #: Messages delivered.
    delivered: int
    #: Messages read.
    read: int
    #: Messages that ended without a delivery.
    failed: int
    #: Messages cancelled.
    cancelled: int
    #: Messages that went on to the next channel.
    fallen_back: int
    #: Parts of the messages that a carrier took.
    parts: int
    #: Messages with a click by a human on a short link.
    clicked: int
    #: Clicks by humans on short links, in the hour of the click.
    clicks: int
    #: Clicks by robots and link previews, in the hour of the click.
    robot_clicks: int
    #: Share delivered, from 0 to 1, of those taken that were delivered or failed; null of nothing.
    delivered_of_taken: float | None
    #: The same of those asked, without cancelled ones; null if grouped by channel, sender or status.
    delivered_of_asked: float | None
    #: Seconds within which 50 of 100 were delivered; estimated.
    p50_seconds: float | None
    #: Seconds within which 95 of 100 were delivered; estimated.
    p95_seconds: float | None
    #: Seconds within which 99 of 100 were delivered; estimated.
    p99_seconds: float | None
    #: Reports that hooks accepted.
    reports_sent: int
    #: Reports that were given up.
    reports_failed: int
    #: What was charged.
    price: float
    #: ISO 4217.
    currency: str


class CancelData(TypedDict):
    #: Of the message; absent when it has none.
    id: NotRequired[int | float | str]
    #: Identifier of the message in the gateway.
    msg_id: int
    status: Literal["CANCELLED"]


class VerifyStartData(TypedDict):
    #: Absent when the operation had none.
    id: NotRequired[int | float | str]
    #: Names the verification in `verify/check`; it is a `msg_id` too.
    verify_id: int
    #: The channel that is tried first.
    channel: Literal["rcs", "chatapp", "sms", "call", "telegram"]
    #: Of the code that this channel carries.
    digits: int
    #: No code is accepted from then on.
    expires_at: str
    #: The most that it can cost: what is held.
    price: float
    #: With a test key: the code in the texts, which no phone gets.
    code: NotRequired[str]


class VerifyCheckData(TypedDict):
    #: Absent when the operation had none.
    id: NotRequired[int | float | str]
    #: Identifier of the message in the gateway.
    verify_id: int
    #: Only `approved` proves that the recipient has the phone.
    status: Literal["approved", "wrong", "used", "expired", "too_many", "failed", "cancelled"]
    #: Wrong codes that end the verification; 0 after its end.
    attempts_left: int


class VerifyResendData(TypedDict):
    #: Absent when the operation had none.
    id: NotRequired[int | float | str]
    #: Identifier of the message in the gateway.
    verify_id: int
    #: The message that brings the code: a new one, or the verification itself, whose next channel follows.
    msg_id: int
    #: The channel that is tried first.
    channel: Literal["rcs", "chatapp", "sms", "call", "telegram"]
    #: No code is accepted from then on.
    expires_at: str
    #: The most that the new message can cost; 0 without one.
    price: float


class EventsData(TypedDict):
    #: Reports as they would be posted, the oldest first.
    events: list[EventsDataEventsItem]
    #: The `after` of the next request.
    next: str
    #: Whether there are more events already.
    more: bool
    #: Events before `next` that were not read in time and are no longer kept.
    missed: int


class EventsDataEventsItem(TypedDict):
    #: Identifier of the report, the same in every answer.
    event_id: str
    #: An `after` that acknowledges up to this event.
    cursor: str
    #: Type of the report; its other members depend on it.
    type: str
    timestamp: str


InboundMessagesDataItem = TypedDict(
    "InboundMessagesDataItem",
    {
        "timestamp": "str",
        "inbound_id": "int",
        "phone": "int | None",
        "user_id": "NotRequired[str]",
        "from": "str",
        "to": "str",
        "channel": "Literal['rcs', 'chatapp', 'sms']",
        "text": "str",
        "keyword": "str | None",
        "content": "dict[str, Any] | None",
        "in_reply_to": "InboundMessagesDataItemInReplyTo0 | None",
    },
)


class InboundMessagesDataItemInReplyTo0(TypedDict):
    id: int | float | str | None
    #: Identifier of the message in the gateway.
    msg_id: int


class HookCreatedData(TypedDict):
    #: Identifier of the hook in the account.
    hook_id: int
    #: Signs the reports of this hook. It is shown only here.
    secret: str


class HooksDataItem(TypedDict):
    #: Identifier of the hook in the account.
    hook_id: int
    hook: str
    #: Types of reports that it gets; null for all.
    events: list[Literal["message.status", "link.clicked", "recipient.opted_out", "recipient.opted_in", "verify.status", "bulk.finished", "balance.low", "message.inbound"]] | None
    description: str | None
    #: Whether it answered 410 and gets no reports until it is updated.
    stopped: bool
    #: Until when the secret before the newest signs as well; null if it does not.
    old_secret_until: str | None
    created_at: str


class HookRotatedData(TypedDict):
    #: Identifier of the hook in the account.
    hook_id: int
    #: Signs the reports of this hook. It is shown only here.
    secret: str
    #: Until when the old secret signs as well.
    old_secret_until: str


class HookDeletedData(TypedDict):
    #: Identifier of the hook in the account.
    hook_id: int


class HookTestedData(TypedDict):
    #: Identifier of the hook in the account.
    hook_id: int
    #: `webhook-id` of the report.
    webhook_id: str


class ReplayData(TypedDict):
    #: Failed reports that are sent again, at most 1,000.
    reports: int
    #: Whether there may be more: ask again.
    more: bool


class LookupData(TypedDict):
    #: Absent when the operation had none.
    id: NotRequired[int | float | str]
    #: The number in E.164 digits.
    phone: int
    #: ISO 3166-1 alpha-2 code of the country.
    country: str | None
    #: MCC and MNC of the operator that serves it: `26201`.
    mccmnc: str | None
    #: Name of the operator.
    operator: str | None
    #: Whether the number has left its first operator.
    ported: bool | None
    #: `absent`: switched off or out of coverage. `invalid`: not assigned.
    status: Literal["reachable", "absent", "unknown", "invalid"]
    #: Identifies the SIM card; `*` stands for a digit that the operator of the gateway hides.
    imsi: NotRequired[str]
    #: A prefix table knows neither ported numbers nor the state of a phone. It costs nothing.
    source: Literal["service", "prefix table"]
    #: Whether a service gave the answer to an earlier question.
    cached: bool
    #: What is charged.
    price: float
    #: ISO 4217.
    currency: str
    #: When the service answered; with the prefix table, the time of the request.
    at: str
    #: With a test key: a simulated number. Absent otherwise.
    test: NotRequired[Literal[True]]


class HlrData(TypedDict):
    #: Absent when the operation had none.
    id: NotRequired[int | float | str]
    #: The number in E.164 digits.
    phone: int
    #: `DELIVERED`: can be reached. `UNDELIVERABLE`: switched off or out of coverage.
    status: Literal["DELIVERED", "UNDELIVERABLE", "INVALID DESTINATION ADDRESS", "UNKNOWN"]
    #: Identifies the SIM card; null if the operator of the gateway hides it.
    imsi: int | None
    #: MCC and MNC of the operator that serves it: `26201`.
    mccmnc: int | None
    #: Whether the number has left its first operator.
    ported: bool | None
    network: HlrDataNetwork


class HlrDataNetwork(TypedDict):
    #: The operator that the number was assigned to.
    origin: HlrDataNetworkOrigin
    ported: HlrDataNetworkOrigin | None


#: The operator that the number was assigned to.
class HlrDataNetworkOrigin(TypedDict):
    name: str | None
    #: The first digits of its numbers behind the country code.
    prefix: int | None
    country: HlrDataNetworkOriginCountry


class HlrDataNetworkOriginCountry(TypedDict):
    name: str | None
    prefix: int


class BulkData(TypedDict):
    #: Absent when the operation had none.
    id: NotRequired[int | float | str]
    #: Identifier of the bulk in the gateway.
    bulk_id: int
    state: Literal["uploading", "ready", "running", "paused", "stopped", "finished"]
    #: Why it is paused; null in other states.
    reason: Literal["client", "operator", "funds", "daily limit", "account", None]
    #: Path for its lines.
    upload: str
    #: Lines received, refused ones included.
    lines: int
    #: Lines that a check refused, at the upload or at their turn.
    refused: int
    #: Lines that wait for their turn.
    waiting: int
    #: Lines that became messages.
    accepted: int
    #: Lines whose unique `id` was accepted before; nothing was sent again.
    repeated: int
    #: Lines that `skip_duplicates` dropped; absent without it.
    duplicates: NotRequired[int]
    #: Lines whose recipient was erased before their turn.
    erased: int
    #: Number of messages by their present status; statuses without messages are absent.
    messages: BulkDataMessages
    #: The most that all lines can cost, by the prices at their upload.
    estimate: float
    #: What was charged so far.
    price: float
    #: ISO 4217.
    currency: str
    #: Messages per second.
    pace: int
    created_at: str
    #: When the run begins or began; null before `bulk/start`.
    start_at: str | None
    #: When the last message had its final status; null before.
    ended_at: str | None


#: Number of messages by their present status; statuses without messages are absent.
BulkDataMessages = TypedDict(
    "BulkDataMessages",
    {
        "QUEUED": "NotRequired[int]",
        "ACCEPTED": "NotRequired[int]",
        "DELIVERED": "NotRequired[int]",
        "READ": "NotRequired[int]",
        "EXPIRED": "NotRequired[int]",
        "UNDELIVERABLE": "NotRequired[int]",
        "REJECTED": "NotRequired[int]",
        "FILTERED": "NotRequired[int]",
        "NO ROUTE": "NotRequired[int]",
        "UNKNOWN": "NotRequired[int]",
        "CANCELLED": "NotRequired[int]",
    },
)


class BulkErrorListDataItem(TypedDict):
    #: Number of the line; the first after the header is 1.
    line: int
    #: As of a send.
    error: str
    #: The field that the error is about; null if it is about none.
    field: str | None


class SendFields(TypedDict):
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: Phone number with country code: a number, or a string of digits of any script that may begin with a plus, `00` or
    #: `tel:` and have spaces, dots, slashes, dashes and brackets. Or the `user_id` of a report, which only WhatsApp
    #: reaches. Required without `reply_to`.
    phone: NotRequired[int | str]
    #: `inbound_id` of a message that this send answers; without `phone` it goes to who wrote it. WhatsApp shows it
    #: quoted; an SMS without `sms_signature` comes from the number that the recipient wrote to.
    reply_to: NotRequired[int | str]
    #: Replaces addresses in texts and buttons by short links that count clicks. By default `false`.
    short_link: NotRequired[bool]
    #: Puts a link with which the recipient opts out of the sender at `{{unsubscribe}}`, or at the end of each text. By
    #: default `false`.
    unsubscribe_link: NotRequired[bool]
    #: Address for delivery reports; `feed:` keeps them for event/list.
    hook: NotRequired[str | Literal["feed:"]]
    #: What waits for the same carrier leaves in this order. By default `bulk` with `send_at` and in bulks, otherwise
    #: that of the key, or `transactional`. A higher one than that of the key, or than `transactional`, is refused; in
    #: bulks `otp`, and `transactional` without a priority of the key.
    priority: NotRequired[Literal["otp", "transactional", "bulk"]]
    #: Time to send the message, up to 35 days ahead. A past time sends it at once.
    send_at: NotRequired[str | datetime]


class StepFields(TypedDict):
    #: Approved RCS sender name.
    rcs_signature: NotRequired[str]
    #: RCS text; with an image at most 2000 characters.
    rcs_message: NotRequired[str]
    #: Address of an image.
    rcs_image: NotRequired[str]
    #: Address that the button opens; without rcs_button it is appended to the text.
    rcs_link: NotRequired[str]
    #: Caption of the button; requires rcs_link.
    rcs_button: NotRequired[str]
    #: Seconds within which the RCS message must be delivered. By default `172800`.
    rcs_lifetime: NotRequired[int | str]
    #: Composition of the message; the parts it names are required.
    chatapp_type: NotRequired[Literal["text", "image", "text+image", "text+link", "text+image+link"]]
    #: Approved sender name of the chat app.
    chatapp_signature: NotRequired[str]
    #: Chat-app text.
    chatapp_message: NotRequired[str]
    #: Address of an image.
    chatapp_image: NotRequired[str]
    #: Address that the button opens.
    chatapp_link: NotRequired[str]
    #: Caption of the button.
    chatapp_button: NotRequired[str]
    #: Seconds within which the chat-app message must be delivered. By default `172800`.
    chatapp_lifetime: NotRequired[int | str]
    #: Approved sender name: 3 to 11 GSM characters, or 3 to 15 digits. Required unless the account has a default
    #: sender.
    sms_signature: NotRequired[str]
    #: SMS text of up to 10 parts.
    sms_message: NotRequired[str]
    #: Seconds within which the SMS must be delivered. By default `172800`.
    sms_lifetime: NotRequired[int | str]
    #: Card, carousel, file or suggestions. The other fields of a step are its content where a phone or messenger cannot
    #: show them.
    rich: NotRequired[Rich]


#: Send by RCS
class Rcs(SendFields):
    type: Literal["rcs"]
    #: Approved RCS sender name.
    rcs_signature: str
    #: RCS text; with an image at most 2000 characters.
    rcs_message: str
    #: Address of an image.
    rcs_image: NotRequired[str]
    #: Address that the button opens; without rcs_button it is appended to the text.
    rcs_link: NotRequired[str]
    #: Caption of the button; requires rcs_link.
    rcs_button: NotRequired[str]
    #: Seconds within which the RCS message must be delivered. By default `172800`.
    rcs_lifetime: NotRequired[int | str]
    #: Card, carousel, file or suggestions. The other fields of a step are its content where a phone or messenger cannot
    #: show them.
    rich: NotRequired[Rich]


#: Send by the chat app
class Chatapp(SendFields):
    type: Literal["chatapp"]
    #: Composition of the message; the parts it names are required.
    chatapp_type: Literal["text", "image", "text+image", "text+link", "text+image+link"]
    #: Approved sender name of the chat app.
    chatapp_signature: str
    #: Chat-app text.
    chatapp_message: NotRequired[str]
    #: Address of an image.
    chatapp_image: NotRequired[str]
    #: Address that the button opens.
    chatapp_link: NotRequired[str]
    #: Caption of the button.
    chatapp_button: NotRequired[str]
    #: Seconds within which the chat-app message must be delivered. By default `172800`.
    chatapp_lifetime: NotRequired[int | str]
    #: Card, carousel, file or suggestions. The other fields of a step are its content where a phone or messenger cannot
    #: show them.
    rich: NotRequired[Rich]


#: Send by SMS
class Sms(SendFields):
    type: Literal["sms"]
    #: Approved sender name: 3 to 11 GSM characters, or 3 to 15 digits. Required unless the account has a default
    #: sender.
    sms_signature: NotRequired[str]
    #: SMS text of up to 10 parts.
    sms_message: str
    #: Seconds within which the SMS must be delivered. By default `172800`.
    sms_lifetime: NotRequired[int | str]


#: Call a phone from a number whose last digits are the code
class CallOtp(TypedDict):
    type: Literal["call/otp"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: Phone number with country code: a number, or a string of digits of any script that may begin with a plus, `00` or
    #: `tel:` and have spaces, dots, slashes, dashes and brackets.
    phone: int | str


#: Create an SMS template
class TemplateCreate(TypedDict):
    type: Literal["template/create"]
    #: Text of up to 10 SMS parts.
    template: str
    #: Unique within the account.
    name: str


#: List the chat-app templates of the account
class TemplateChatappList(TypedDict):
    type: Literal["template/chatapp/list"]


#: Read the balance of the account
class Balance(TypedDict):
    type: Literal["balance"]


#: List what was paid in, held, charged and released
class PostingList(TypedDict):
    type: Literal["posting/list"]
    #: `next` of an earlier answer: the list continues with older postings.
    after: NotRequired[str | int]
    #: Maximum number of postings. By default `100`.
    limit: NotRequired[int | str]


#: Read the statement of a month
class StatementGet(TypedDict):
    type: Literal["statement/get"]
    #: Year and month, such as 2026-11.
    month: str
    #: Time zone of the month, such as Europe/Berlin. By default `UTC`.
    zone: NotRequired[str]


#: Ask what a send would cost, sending nothing
class Price(SendFields, StepFields):
    type: Literal["price"]
    #: `type` of the send.
    send_type: Literal["rcs", "chatapp", "sms", "rcs+chatapp", "rcs+sms", "chatapp+rcs", "chatapp+sms", "sms+rcs", "sms+chatapp", "rcs+chatapp+sms", "rcs+sms+chatapp", "chatapp+rcs+sms", "chatapp+sms+rcs", "sms+rcs+chatapp", "sms+chatapp+rcs"]


#: List the SMS templates of the account, up to 200 at a time
class TemplateList(TypedDict):
    type: Literal["template/list"]
    #: `id` of a template; the list continues after it. 0: from the beginning.
    after: NotRequired[int | str]


#: Remove an SMS template
class TemplateDelete(TypedDict):
    type: Literal["template/delete"]
    #: Name of the template; required without id.
    name: NotRequired[str]
    #: `id` of the template.
    id: NotRequired[int | str]


#: Ask how far a message has come
class Status(TypedDict):
    type: Literal["status"]
    #: `msg_id` of the message; required without id.
    msg_id: NotRequired[int | str]
    #: The client's own identifier of the message; selects the newest of several. Digits match a number and a string.
    id: NotRequired[int | float | str]


#: Ask how the messages of the account were delivered
Statistics = TypedDict(
    "Statistics",
    {
        "type": "Literal['statistics']",
        "from": "NotRequired[str]",
        "through": "NotRequired[str]",
        "resolution": "NotRequired[Literal['total', 'day', 'hour']]",
        "by": "NotRequired[list[Literal['channel', 'operator', 'country', 'sender', 'status']]]",
    },
)


#: Take back a message that no carrier has yet
class Cancel(TypedDict):
    type: Literal["cancel"]
    #: `msg_id` of the message; required without id.
    msg_id: NotRequired[int | str]
    #: The client's own identifier of the message; selects the newest of several. Digits match a number and a string.
    id: NotRequired[int | float | str]


#: Send a one-time code, by another channel if one fails
class VerifyStart(TypedDict):
    type: Literal["verify/start"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: Phone number with country code: a number, or a string of digits of any script that may begin with a plus, `00` or
    #: `tel:` and have spaces, dots, slashes, dashes and brackets.
    phone: int | str
    #: Channels in the order in which they are tried: the next one follows when one fails, after 30 seconds of a call,
    #: and after 60 seconds of a message that is not delivered. By default `["sms"]`.
    channels: NotRequired[list[Literal["rcs", "chatapp", "sms", "call", "telegram"]]]
    #: Digits of the code in a text. Those of a call are the last digits of its number. By default `6`.
    length: NotRequired[int | str]
    #: Seconds within which the code must be checked. By default `600`.
    lifetime: NotRequired[int | str]
    #: Text of the message with `{code}` in place of the code.
    text: NotRequired[str]
    #: Language of the text if there is none in `text`; `en` by default.
    language: NotRequired[Literal["en", "de", "es", "fr", "it", "nl", "pl", "pt", "tr", "uk"]]
    #: Approved sender name of RCS; required with `rcs`.
    rcs_signature: NotRequired[str]
    #: Approved sender name of the chat app; required with `chatapp`.
    chatapp_signature: NotRequired[str]
    #: Approved sender name of SMS; required with `sms` unless the account has a default sender.
    sms_signature: NotRequired[str]
    #: The end user's IP address, to limit how many verifications one user starts.
    ip: NotRequired[str]
    #: Address for the report of how the verification ended; `feed:` keeps it for event/list.
    hook: NotRequired[str | Literal["feed:"]]


#: Check the code that the recipient has typed
class VerifyCheck(TypedDict):
    type: Literal["verify/check"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: `verify_id` of the answer to `verify/start`.
    verify_id: int | str
    #: What the recipient has typed: digits in a string.
    code: str


#: Send the code of a verification again
class VerifyResend(TypedDict):
    type: Literal["verify/resend"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: `verify_id` of the answer to `verify/start`.
    verify_id: int | str


#: Read reports that are kept instead of being posted
class EventList(TypedDict):
    type: Literal["event/list"]
    #: `next` of an earlier answer, or `cursor` of one of its events: acknowledges the events up to there. Without it
    #: the list begins after the last acknowledged event.
    after: NotRequired[str | int]
    #: Maximum number of events. By default `100`.
    limit: NotRequired[int | str]


#: List the messages that recipients wrote to the account
class InboundList(TypedDict):
    type: Literal["inbound/list"]
    #: `inbound_id` of an inbound message; the list continues after it. 0: from the beginning.
    after: NotRequired[int | str]
    #: Maximum number of messages. By default `100`.
    limit: NotRequired[int | str]


#: Create a hook that gets reports
class HookCreate(TypedDict):
    type: Literal["hook/create"]
    #: Address that reports are posted to.
    hook: str
    #: Types of reports that the hook gets. Without it: all.
    events: NotRequired[list[Literal["message.status", "link.clicked", "recipient.opted_out", "recipient.opted_in", "verify.status", "bulk.finished", "balance.low", "message.inbound"]]]
    #: What the hook is for, shown in lists.
    description: NotRequired[str]


#: List the hooks of the account
class HookList(TypedDict):
    type: Literal["hook/list"]


#: Change a hook, or start it again
class HookUpdate(TypedDict):
    type: Literal["hook/update"]
    #: `hook_id` of the hook.
    hook_id: int | str
    #: New address. Reports that wait already go to the old one.
    hook: NotRequired[str]
    #: Types of reports that the hook gets. Without it they stay as they are.
    events: NotRequired[list[Literal["message.status", "link.clicked", "recipient.opted_out", "recipient.opted_in", "verify.status", "bulk.finished", "balance.low", "message.inbound"]]]
    #: What the hook is for, shown in lists.
    description: NotRequired[str]


#: Issue a new secret for a hook
class HookRotate(TypedDict):
    type: Literal["hook/rotate"]
    #: `hook_id` of the hook.
    hook_id: int | str


#: Delete a hook
class HookDelete(TypedDict):
    type: Literal["hook/delete"]
    #: `hook_id` of the hook.
    hook_id: int | str


#: Post a test report to a hook
class HookTest(TypedDict):
    type: Literal["hook/test"]
    #: `hook_id` of the hook.
    hook_id: int | str


#: Send failed reports again
class HookReplay(TypedDict):
    type: Literal["hook/replay"]
    #: Hook whose reports are sent again, with or without its query. Without it: all hooks.
    hook: NotRequired[str]
    #: Only reports of events at this time or later.
    since: NotRequired[str | datetime]


#: Ask for the operator and the state of a number
class Lookup(TypedDict):
    type: Literal["lookup"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: Phone number with country code: a number, or a string of digits of any script that may begin with a plus, `00` or
    #: `tel:` and have spaces, dots, slashes, dashes and brackets.
    phone: int | str
    #: Seconds: an answer that is not older is used again; 0 to ask anew in any case. By default `86400`.
    max_age: NotRequired[int | str]


#: Ask the same, answered in the form of other services
class Hlr(TypedDict):
    type: Literal["hlr"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: Phone number with country code: a number, or a string of digits of any script that may begin with a plus, `00` or
    #: `tel:` and have spaces, dots, slashes, dashes and brackets.
    phone: int | str
    #: Seconds: an answer that is not older is used again; 0 to ask anew in any case. By default `86400`.
    max_age: NotRequired[int | str]


#: Prepare a send to many recipients, whose lines are uploaded
class BulkCreate(TypedDict):
    type: Literal["bulk/create"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: A send without `phone`, `id`, `send_at` and `reply_to`. Its texts may have placeholders such as `{{name}}`, which
    #: the lines fill; `\{{name}}` is no placeholder.
    message: dict[str, Any]
    #: Messages per second. By default `20`.
    pace: NotRequired[int | str]
    #: Drops lines whose phone, in any form, an earlier line of the bulk has, and counts them as `duplicates`. By
    #: default `false`.
    skip_duplicates: NotRequired[bool]


#: Send the uploaded lines, or go on after a pause
class BulkStart(TypedDict):
    type: Literal["bulk/start"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: `bulk_id` of the answer to `bulk/create`.
    bulk_id: int | str
    #: Time to begin, up to 35 days ahead. Without it, or with a past time: now.
    start_at: NotRequired[str | datetime]
    #: Starts although the balance does not cover the estimate; the bulk pauses when the money is used up. By default
    #: `false`.
    ignore_balance: NotRequired[bool]


#: Send no more lines until the next start
class BulkPause(TypedDict):
    type: Literal["bulk/pause"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: `bulk_id` of the answer to `bulk/create`.
    bulk_id: int | str


#: End a bulk: the lines that wait are never sent, and messages that no carrier has are cancelled
class BulkStop(TypedDict):
    type: Literal["bulk/stop"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: `bulk_id` of the answer to `bulk/create`.
    bulk_id: int | str


#: Ask how far a bulk has come
class BulkStatus(TypedDict):
    type: Literal["bulk/status"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: `bulk_id` of the answer to `bulk/create`.
    bulk_id: int | str


#: List the refused lines of a bulk, up to 10,000
class BulkErrors(TypedDict):
    type: Literal["bulk/errors"]
    #: The client's own identifier, returned exactly as sent. Need not be unique.
    id: NotRequired[int | float | str]
    #: `bulk_id` of the answer to `bulk/create`.
    bulk_id: int | str
    #: Number of a line; the list continues after it. 0: from the beginning.
    after: NotRequired[int | str]
    #: Maximum number of lines. By default `100`.
    limit: NotRequired[int | str]


#: List the bulks of the account, the newest first
class BulkList(TypedDict):
    type: Literal["bulk/list"]
    #: `bulk_id` of a bulk; the list continues with older ones. 0: from the newest.
    after: NotRequired[int | str]
    #: Maximum number of bulks. By default `20`.
    limit: NotRequired[int | str]


#: Send by the first channel of the type, by the next one if that fails, and so on. rcs+chatapp+sms ignores
#: chatapp_lifetime and sms_lifetime.
class Chain(SendFields, StepFields):
    #: Channels in the order in which they are tried.
    type: Literal["rcs+chatapp", "rcs+sms", "chatapp+rcs", "chatapp+sms", "sms+rcs", "sms+chatapp", "rcs+chatapp+sms", "rcs+sms+chatapp", "chatapp+rcs+sms", "chatapp+sms+rcs", "sms+rcs+chatapp", "sms+chatapp+rcs"]


Rich: TypeAlias = "RichSuggestions | RichCard | RichCarousel | RichFile"


class RichSuggestions(TypedDict):
    #: Kind of the object.
    type: Literal["suggestions"]
    #: Suggestions below the text of the step.
    suggestions: list[Suggestion]


class RichCard(TypedDict):
    #: Kind of the object.
    type: Literal["card"]
    #: Image above the text, by default, or beside it.
    orientation: NotRequired[Literal["vertical", "horizontal"]]
    #: Title; with a chat app, title and description have together at most 1000 characters.
    title: NotRequired[str]
    #: Text below the title.
    description: NotRequired[str]
    #: Address of an image; not together with `video`.
    image: NotRequired[str]
    #: Address of a video.
    video: NotRequired[str]
    #: Address of a small image to show before the video is loaded; needs `video`.
    thumbnail: NotRequired[str]
    #: What the image or video shows, to be read aloud; with RCS only.
    alt: NotRequired[str]
    #: Height of the image or video; `medium` by default.
    height: NotRequired[Literal["short", "medium", "tall"]]
    #: Suggestions in the card.
    suggestions: NotRequired[list[Suggestion]]


class RichCarousel(TypedDict):
    #: Kind of the object.
    type: Literal["carousel"]
    #: Width of the cards; `medium` by default.
    width: NotRequired[Literal["small", "medium"]]
    #: Cards in their order.
    cards: list[CarouselCard]


class CarouselCard(TypedDict):
    #: Title; with a chat app, title and description have together at most 1000 characters.
    title: NotRequired[str]
    #: Text below the title.
    description: NotRequired[str]
    #: Address of an image; not together with `video`.
    image: NotRequired[str]
    #: Address of a video.
    video: NotRequired[str]
    #: Address of a small image to show before the video is loaded; needs `video`.
    thumbnail: NotRequired[str]
    #: What the image or video shows, to be read aloud; with RCS only.
    alt: NotRequired[str]
    #: Height of the image or video; `medium` by default.
    height: NotRequired[Literal["short", "medium", "tall"]]
    #: Suggestions in the card.
    suggestions: NotRequired[list[Suggestion]]


class RichFile(TypedDict):
    #: Kind of the object.
    type: Literal["file"]
    #: Address of an image, a video or a document.
    url: str
    #: Name of a document.
    name: NotRequired[str]
    #: What the file shows, to be read aloud; with RCS only.
    alt: NotRequired[str]
    #: Text below the file.
    caption: NotRequired[str]
    #: Suggestions below the file.
    suggestions: NotRequired[list[Suggestion]]


Suggestion: TypeAlias = "ReplySuggestion | UrlSuggestion | DialSuggestion | LocationSuggestion | AskLocationSuggestion | CalendarSuggestion"


class ReplySuggestion(TypedDict):
    #: Kind of the object.
    type: Literal["reply"]
    #: Caption, one line, different in each suggestion of a list; with a chat app at most 20 characters.
    text: str
    #: `payload` of the inbound message when the recipient taps it, by default the caption; with a chat app at most 200
    #: characters.
    postback: NotRequired[str]


class UrlSuggestion(TypedDict):
    #: Kind of the object.
    type: Literal["url"]
    #: Caption, one line, different in each suggestion of a list; with a chat app at most 20 characters.
    text: str
    #: `payload` of the inbound message when the recipient taps it, by default the caption; with a chat app at most 200
    #: characters.
    postback: NotRequired[str]
    #: Address to open.
    url: str


class DialSuggestion(TypedDict):
    #: Kind of the object.
    type: Literal["dial"]
    #: Caption, one line, different in each suggestion of a list; with a chat app at most 20 characters.
    text: str
    #: `payload` of the inbound message when the recipient taps it, by default the caption; with a chat app at most 200
    #: characters.
    postback: NotRequired[str]
    #: Phone number to call, with country code.
    phone: int | str


class LocationSuggestion(TypedDict):
    #: Kind of the object.
    type: Literal["location"]
    #: Caption, one line, different in each suggestion of a list; with a chat app at most 20 characters.
    text: str
    #: `payload` of the inbound message when the recipient taps it, by default the caption; with a chat app at most 200
    #: characters.
    postback: NotRequired[str]
    #: Degrees north.
    latitude: float
    #: Degrees east.
    longitude: float
    #: Name of the place on the map.
    label: NotRequired[str]


class AskLocationSuggestion(TypedDict):
    #: Kind of the object.
    type: Literal["ask_location"]
    #: Caption, one line, different in each suggestion of a list; with a chat app at most 20 characters.
    text: str
    #: `payload` of the inbound message when the recipient taps it, by default the caption; with a chat app at most 200
    #: characters.
    postback: NotRequired[str]


class CalendarSuggestion(TypedDict):
    #: Kind of the object.
    type: Literal["calendar"]
    #: Caption, one line, different in each suggestion of a list; with a chat app at most 20 characters.
    text: str
    #: `payload` of the inbound message when the recipient taps it, by default the caption; with a chat app at most 200
    #: characters.
    postback: NotRequired[str]
    #: Title of the event.
    title: str
    #: Description of the event.
    description: NotRequired[str]
    #: Begin of the event.
    start: str | datetime
    #: End of the event, later than its begin.
    end: str | datetime


#: The operation failed; the others of its request are not concerned.
class ItemError(TypedDict):
    success: Literal[False]
    error: str
    #: Short code of the error, for programs; later versions may have more.
    code: str
    data: ItemErrorData
    #: The field that the error is about; absent if it is about none.
    field: NotRequired[str]
    #: Fields of the operation that were ignored, as `name: ignored`; absent if there were none.
    warnings: NotRequired[list[str]]


class ItemErrorData(TypedDict):
    id: NotRequired[int | float | str]


#: Nothing of the request was executed.
class RequestError(TypedDict):
    success: Literal[False]
    error: str
    #: Short code of the error, for programs; later versions may have more.
    code: str


#: Sent when a message or call reaches its final status and when it is read; also after each step if the account asks
#: for it.
class MessageStatusReport(TypedDict):
    type: Literal["message.status"]
    #: When it happened.
    timestamp: str
    #: `id` of the send; null if it had none.
    id: float | str | None
    #: Identifier of the message.
    msg_id: int
    #: Number of the recipient; null if only the user id is known.
    phone: int | None
    #: WhatsApp's id of the user, such as `US.13491208655302741918`; absent if it is not known.
    user_id: NotRequired[str]
    #: Sent with a test key; absent otherwise.
    test: NotRequired[Literal[True]]
    #: Status of the message.
    status: Literal["QUEUED", "ACCEPTED", "DELIVERED", "READ", "EXPIRED", "UNDELIVERABLE", "REJECTED", "FILTERED", "NO ROUTE", "UNKNOWN", "CANCELLED"]
    #: Channel of the current or last step.
    channel: Literal["rcs", "chatapp", "sms", "call", "telegram", "viber", None]
    #: SMS parts of that step, otherwise 1.
    parts: int | None
    #: What was charged so far.
    price: float
    #: ISO 4217.
    currency: str
    #: Why it was not delivered.
    error: str | None
    #: The steps so far.
    steps: list[MessageStatusReportStepsItem]
    #: The time that the send asked for; absent when it asked for none.
    send_at: NotRequired[str]


class MessageStatusReportStepsItem(TypedDict):
    channel: Literal["rcs", "chatapp", "sms", "call", "telegram", "viber"]
    status: Literal["QUEUED", "ACCEPTED", "DELIVERED", "READ", "EXPIRED", "UNDELIVERABLE", "REJECTED", "FILTERED", "NO ROUTE", "UNKNOWN", "CANCELLED"]
    at: str


#: Sent when a short link of a message is opened for the first time. Visits by robots do not count.
class LinkClickedReport(TypedDict):
    type: Literal["link.clicked"]
    #: When it happened.
    timestamp: str
    #: `id` of the send; null if it had none.
    id: float | str | None
    #: Identifier of the message.
    msg_id: int
    #: Number of the recipient; null if only the user id is known.
    phone: int | None
    #: WhatsApp's id of the user, such as `US.13491208655302741918`; absent if it is not known.
    user_id: NotRequired[str]
    #: Sent with a test key; absent otherwise.
    test: NotRequired[Literal[True]]
    #: Address that was shortened.
    url: str
    #: End of the short link.
    code: str


#: Sent when a recipient opts out: by the unsubscribe link of a message, by a keyword after it, or at the carrier.
class RecipientOptedOutReport(TypedDict):
    type: Literal["recipient.opted_out"]
    #: When it happened.
    timestamp: str
    #: `id` of the send; null if it had none.
    id: float | str | None
    #: Identifier of the message.
    msg_id: int
    #: Number of the recipient; null if only the user id is known.
    phone: int | None
    #: WhatsApp's id of the user, such as `US.13491208655302741918`; absent if it is not known.
    user_id: NotRequired[str]
    #: Sent with a test key; absent otherwise.
    test: NotRequired[Literal[True]]
    #: Sender name that it applies to; null for all senders of the account.
    sender: str | None
    #: Channel of the step whose sender it is.
    channel: Literal["rcs", "chatapp", "sms", "viber"]
    #: By the link; by a keyword or the messenger, then the newest message of the sender is named; or the carrier
    #: reported it.
    by: Literal["link", "keyword", "carrier"]


#: Sent when the recipient undoes it, in either way.
class RecipientOptedInReport(TypedDict):
    type: Literal["recipient.opted_in"]
    #: When it happened.
    timestamp: str
    #: `id` of the send; null if it had none.
    id: float | str | None
    #: Identifier of the message.
    msg_id: int
    #: Number of the recipient; null if only the user id is known.
    phone: int | None
    #: WhatsApp's id of the user, such as `US.13491208655302741918`; absent if it is not known.
    user_id: NotRequired[str]
    #: Sent with a test key; absent otherwise.
    test: NotRequired[Literal[True]]
    #: Sender name that it applies to; null for all senders of the account.
    sender: str | None
    #: Channel of the step whose sender it is.
    channel: Literal["rcs", "chatapp", "sms", "viber"]
    #: By the link; by a keyword or the messenger, then the newest message of the sender is named; or the carrier
    #: reported it.
    by: Literal["link", "keyword", "carrier"]


#: Sent once, when a verification ends. Its message has no other reports.
class VerifyStatusReport(TypedDict):
    type: Literal["verify.status"]
    #: When it happened.
    timestamp: str
    #: `id` of the send; null if it had none.
    id: float | str | None
    #: Identifier of the message.
    msg_id: int
    #: Number of the recipient; null if only the user id is known.
    phone: int | None
    #: WhatsApp's id of the user, such as `US.13491208655302741918`; absent if it is not known.
    user_id: NotRequired[str]
    #: Sent with a test key; absent otherwise.
    test: NotRequired[Literal[True]]
    #: Identifier of the verification, the same as `msg_id`.
    verify_id: int
    #: How it ended.
    status: Literal["approved", "expired", "too_many", "failed", "cancelled"]
    #: Channel whose code was approved, or the last one.
    channel: Literal["rcs", "chatapp", "sms", "call", "telegram"]
    #: What was charged so far.
    price: float
    #: ISO 4217.
    currency: str


#: Sent once, when a bulk has ended and all of its messages have their final status: to the `hook` of its message, or to
#: the default hook of the account, and to the hooks of the client.
class BulkFinishedReport(TypedDict):
    type: Literal["bulk.finished"]
    #: When it ended.
    timestamp: str
    #: `id` of `bulk/create`; null if it had none.
    id: float | str | None
    #: Sent with a test key; absent otherwise.
    test: NotRequired[Literal[True]]
    #: Identifier of the bulk.
    bulk_id: int
    #: How it ended.
    state: Literal["finished", "stopped"]
    #: Lines received, refused ones included.
    lines: int
    #: Lines that a check refused, at the upload or at their turn.
    refused: int
    #: Lines that wait for their turn.
    waiting: int
    #: Lines that became messages.
    accepted: int
    #: Lines whose unique `id` was accepted before; nothing was sent again.
    repeated: int
    #: Lines that `skip_duplicates` dropped; absent without it.
    duplicates: NotRequired[int]
    #: Lines whose recipient was erased before their turn.
    erased: int
    #: Number of messages by their present status; statuses without messages are absent.
    messages: BulkDataMessages
    #: The most that all lines can cost, by the prices at their upload.
    estimate: float
    #: What was charged so far.
    price: float
    #: ISO 4217.
    currency: str


#: Sent to the default hook and the hooks of the client, once, when less than its limit is available.
class BalanceLowReport(TypedDict):
    type: Literal["balance.low"]
    #: When it happened.
    timestamp: str
    #: Name of the account.
    account: str
    #: What is left.
    available: float
    #: The limit.
    threshold: float
    #: ISO 4217.
    currency: str


#: Sent when a recipient writes to an inbound number of the account: to the hook of the number, or to the default hook
#: and the hooks of the client.
MessageInboundReport = TypedDict(
    "MessageInboundReport",
    {
        "type": "Literal['message.inbound']",
        "timestamp": "str",
        "inbound_id": "int",
        "phone": "int | None",
        "user_id": "NotRequired[str]",
        "from": "str",
        "to": "str",
        "channel": "Literal['rcs', 'chatapp', 'sms']",
        "text": "str",
        "keyword": "str | None",
        "content": "MessageInboundReportContentLocation | MessageInboundReportContentFile | MessageInboundReportContentSuggestion | None",
        "in_reply_to": "MessageInboundReportInReplyTo0 | None",
    },
)


class MessageInboundReportContentLocation(TypedDict):
    type: Literal["location"]
    latitude: float
    longitude: float


class MessageInboundReportContentFile(TypedDict):
    type: Literal["file"]
    link: str | None
    media_id: str | None
    mime_type: str | None
    name: str | None


class MessageInboundReportContentSuggestion(TypedDict):
    type: Literal["suggestion"]
    payload: str


class MessageInboundReportInReplyTo0(TypedDict):
    #: `id` of the send; null if it had none.
    id: float | str | None
    #: Identifier of the message.
    msg_id: int


#: Sent to one hook when the client asks for it by `hook/test`.
class HookTestReport(TypedDict):
    type: Literal["hook.test"]
    #: When the client asked.
    timestamp: str
    #: Identifier of the hook.
    hook_id: int


Reports: TypeAlias = "list[MessageStatusReport | LinkClickedReport | RecipientOptedOutReport | RecipientOptedInReport | VerifyStatusReport | BulkFinishedReport | BalanceLowReport | MessageInboundReport | HookTestReport]"


Operation: TypeAlias = (
    Rcs | Chatapp | Sms | CallOtp | TemplateCreate | TemplateChatappList | Balance | PostingList | StatementGet | Price
    | TemplateList | TemplateDelete | Status | Statistics | Cancel | VerifyStart | VerifyCheck | VerifyResend |
    EventList | InboundList | HookCreate | HookList | HookUpdate | HookRotate | HookDelete | HookTest | HookReplay |
    Lookup | Hlr | BulkCreate | BulkStart | BulkPause | BulkStop | BulkStatus | BulkErrors | BulkList | Chain
)
Report: TypeAlias = (
    MessageStatusReport | LinkClickedReport | RecipientOptedOutReport | RecipientOptedInReport | VerifyStatusReport |
    BulkFinishedReport | BalanceLowReport | MessageInboundReport | HookTestReport
)
