/** The package: everything that users of the client can import. */
export type { ItemErrorCode, RequestErrorCode } from './error-codes.ts'
export type { EventOptions, ReceivedEvent } from './events.ts'
export type {
  Channel,
  ChatappFields,
  ChatappImage,
  ChatappLifetime,
  ChatappName,
  ChatappText,
  ChatappTextImageLink,
  ChatappTextLink,
  EventListFields,
  Id,
  InboundListFields,
  MessageNamingFields,
  NoFields,
  Operation,
  OperationFields,
  OperationType,
  PriceFields,
  RcsFields,
  RecipientFields,
  Send,
  SendingFields,
  SendType,
  SmsFields,
  SmsLifetime,
  TemplateFields,
  TemplateListFields,
  TemplateNamingFields,
  VerifyChannel,
  VerifyCheckFields,
  VerifyLanguage,
  VerifyStartFields,
} from './operation.ts'
export type { Fetch } from './post.ts'
export { type Enqueued, type FieldsOf, type Operations, Posthorn, type RequestOptions } from './posthorn.ts'
export {
  ItemError,
  NoAnswerError,
  type NoAnswerReason,
  PosthornError,
  ReportRejected,
  type ReportRejectedReason,
  RequestError,
} from './posthorn-error.ts'
export type {
  BalanceReport,
  ClickReport,
  InboundMessage,
  InboundReport,
  Report,
  ReportedMessage,
  ReportedStep,
  Status,
  StatusReport,
  UnknownReport,
  VerifyReport,
} from './report.ts'
export {
  type ReportHeaders,
  ReportVerifier,
  type ReportVerifierOptions,
  type VerifiedReport,
} from './report-verifier.ts'
export type {
  Balance,
  CallResult,
  Cancelled,
  ChatTemplate,
  CheckStatus,
  CodeCheck,
  EventPage,
  FeedEvent,
  MessageReports,
  MessageStatus,
  OperationData,
  Price,
  PricedStep,
  Result,
  Results,
  SendResult,
  Template,
  VerificationStarted,
} from './result.ts'
export type { RetryPolicy } from './retry.ts'
export type { PosthornOptions, Retry } from './settings.ts'
