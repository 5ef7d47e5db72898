"""What the client returns for each operation. Written by npm run generate."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol, overload

from .operations import (
    Rcs, SendData, Chatapp, Sms, CallOtp, CallData, TemplateCreate, TemplateData, TemplateChatappList,
    ChatTemplatesDataItem, Balance, BalanceData, PostingList, PostingsData, StatementGet, StatementData, Price,
    PriceData, TemplateList, TemplateDelete, Status, StatusData, Statistics, StatisticsLinesDataItem, Cancel,
    CancelData, VerifyStart, VerifyStartData, VerifyCheck, VerifyCheckData, VerifyResend, VerifyResendData, EventList,
    EventsData, InboundList, InboundMessagesDataItem, HookCreate, HookCreatedData, HookList, HooksDataItem, HookUpdate,
    HookRotate, HookRotatedData, HookDelete, HookDeletedData, HookTest, HookTestedData, HookReplay, ReplayData, Lookup,
    LookupData, Hlr, HlrData, BulkCreate, BulkData, BulkStart, BulkPause, BulkStop, BulkStatus, BulkErrors,
    BulkErrorListDataItem, BulkList, Chain,
)


class Execute(Protocol):
    @overload
    def __call__(self, operation: Rcs | Chatapp | Sms | Chain, idempotency_key: str | None = None) -> SendData: ...

    @overload
    def __call__(self, operation: CallOtp, idempotency_key: str | None = None) -> CallData: ...

    @overload
    def __call__(
        self, operation: TemplateCreate | TemplateDelete, idempotency_key: str | None = None
    ) -> TemplateData: ...

    @overload
    def __call__(
        self, operation: TemplateChatappList, idempotency_key: str | None = None
    ) -> list[ChatTemplatesDataItem]: ...

    @overload
    def __call__(self, operation: Balance, idempotency_key: str | None = None) -> BalanceData: ...

    @overload
    def __call__(self, operation: PostingList, idempotency_key: str | None = None) -> PostingsData: ...

    @overload
    def __call__(self, operation: StatementGet, idempotency_key: str | None = None) -> StatementData: ...

    @overload
    def __call__(self, operation: Price, idempotency_key: str | None = None) -> PriceData: ...

    @overload
    def __call__(self, operation: TemplateList, idempotency_key: str | None = None) -> list[TemplateData]: ...

    @overload
    def __call__(self, operation: Status, idempotency_key: str | None = None) -> StatusData: ...

    @overload
    def __call__(self, operation: Statistics, idempotency_key: str | None = None) -> list[StatisticsLinesDataItem]: ...

    @overload
    def __call__(self, operation: Cancel, idempotency_key: str | None = None) -> CancelData: ...

    @overload
    def __call__(self, operation: VerifyStart, idempotency_key: str | None = None) -> VerifyStartData: ...

    @overload
    def __call__(self, operation: VerifyCheck, idempotency_key: str | None = None) -> VerifyCheckData: ...

    @overload
    def __call__(self, operation: VerifyResend, idempotency_key: str | None = None) -> VerifyResendData: ...

    @overload
    def __call__(self, operation: EventList, idempotency_key: str | None = None) -> EventsData: ...

    @overload
    def __call__(self, operation: InboundList, idempotency_key: str | None = None) -> list[InboundMessagesDataItem]: ...

    @overload
    def __call__(self, operation: HookCreate, idempotency_key: str | None = None) -> HookCreatedData: ...

    @overload
    def __call__(self, operation: HookList, idempotency_key: str | None = None) -> list[HooksDataItem]: ...

    @overload
    def __call__(self, operation: HookUpdate, idempotency_key: str | None = None) -> HooksDataItem: ...

    @overload
    def __call__(self, operation: HookRotate, idempotency_key: str | None = None) -> HookRotatedData: ...

    @overload
    def __call__(self, operation: HookDelete, idempotency_key: str | None = None) -> HookDeletedData: ...

    @overload
    def __call__(self, operation: HookTest, idempotency_key: str | None = None) -> HookTestedData: ...

    @overload
    def __call__(self, operation: HookReplay, idempotency_key: str | None = None) -> ReplayData: ...

    @overload
    def __call__(self, operation: Lookup, idempotency_key: str | None = None) -> LookupData: ...

    @overload
    def __call__(self, operation: Hlr, idempotency_key: str | None = None) -> HlrData: ...

    @overload
    def __call__(
        self, operation: BulkCreate | BulkStart | BulkPause | BulkStop | BulkStatus, idempotency_key: str | None = None
    ) -> BulkData: ...

    @overload
    def __call__(self, operation: BulkErrors, idempotency_key: str | None = None) -> list[BulkErrorListDataItem]: ...

    @overload
    def __call__(self, operation: BulkList, idempotency_key: str | None = None) -> list[BulkData]: ...


class AsyncExecute(Protocol):
    @overload
    def __call__(
        self, operation: Rcs | Chatapp | Sms | Chain, idempotency_key: str | None = None
    ) -> Awaitable[SendData]: ...

    @overload
    def __call__(self, operation: CallOtp, idempotency_key: str | None = None) -> Awaitable[CallData]: ...

    @overload
    def __call__(
        self, operation: TemplateCreate | TemplateDelete, idempotency_key: str | None = None
    ) -> Awaitable[TemplateData]: ...

    @overload
    def __call__(
        self, operation: TemplateChatappList, idempotency_key: str | None = None
    ) -> Awaitable[list[ChatTemplatesDataItem]]: ...

    @overload
    def __call__(self, operation: Balance, idempotency_key: str | None = None) -> Awaitable[BalanceData]: ...

    @overload
    def __call__(self, operation: PostingList, idempotency_key: str | None = None) -> Awaitable[PostingsData]: ...

    @overload
    def __call__(self, operation: StatementGet, idempotency_key: str | None = None) -> Awaitable[StatementData]: ...

    @overload
    def __call__(self, operation: Price, idempotency_key: str | None = None) -> Awaitable[PriceData]: ...

    @overload
    def __call__(
        self, operation: TemplateList, idempotency_key: str | None = None
    ) -> Awaitable[list[TemplateData]]: ...

    @overload
    def __call__(self, operation: Status, idempotency_key: str | None = None) -> Awaitable[StatusData]: ...

    @overload
    def __call__(
        self, operation: Statistics, idempotency_key: str | None = None
    ) -> Awaitable[list[StatisticsLinesDataItem]]: ...

    @overload
    def __call__(self, operation: Cancel, idempotency_key: str | None = None) -> Awaitable[CancelData]: ...

    @overload
    def __call__(self, operation: VerifyStart, idempotency_key: str | None = None) -> Awaitable[VerifyStartData]: ...

    @overload
    def __call__(self, operation: VerifyCheck, idempotency_key: str | None = None) -> Awaitable[VerifyCheckData]: ...

    @overload
    def __call__(self, operation: VerifyResend, idempotency_key: str | None = None) -> Awaitable[VerifyResendData]: ...

    @overload
    def __call__(self, operation: EventList, idempotency_key: str | None = None) -> Awaitable[EventsData]: ...

    @overload
    def __call__(
        self, operation: InboundList, idempotency_key: str | None = None
    ) -> Awaitable[list[InboundMessagesDataItem]]: ...

    @overload
    def __call__(self, operation: HookCreate, idempotency_key: str | None = None) -> Awaitable[HookCreatedData]: ...

    @overload
    def __call__(self, operation: HookList, idempotency_key: str | None = None) -> Awaitable[list[HooksDataItem]]: ...

    @overload
    def __call__(self, operation: HookUpdate, idempotency_key: str | None = None) -> Awaitable[HooksDataItem]: ...

    @overload
    def __call__(self, operation: HookRotate, idempotency_key: str | None = None) -> Awaitable[HookRotatedData]: ...

    @overload
    def __call__(self, operation: HookDelete, idempotency_key: str | None = None) -> Awaitable[HookDeletedData]: ...

    @overload
    def __call__(self, operation: HookTest, idempotency_key: str | None = None) -> Awaitable[HookTestedData]: ...

    @overload
    def __call__(self, operation: HookReplay, idempotency_key: str | None = None) -> Awaitable[ReplayData]: ...

    @overload
    def __call__(self, operation: Lookup, idempotency_key: str | None = None) -> Awaitable[LookupData]: ...

    @overload
    def __call__(self, operation: Hlr, idempotency_key: str | None = None) -> Awaitable[HlrData]: ...

    @overload
    def __call__(
        self, operation: BulkCreate | BulkStart | BulkPause | BulkStop | BulkStatus, idempotency_key: str | None = None
    ) -> Awaitable[BulkData]: ...

    @overload
    def __call__(
        self, operation: BulkErrors, idempotency_key: str | None = None
    ) -> Awaitable[list[BulkErrorListDataItem]]: ...

    @overload
    def __call__(self, operation: BulkList, idempotency_key: str | None = None) -> Awaitable[list[BulkData]]: ...
