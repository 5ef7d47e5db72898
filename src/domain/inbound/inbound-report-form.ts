/** How inbound messages are reported to a hook: in the form of this API, or in that of services for Viber. */
export const INBOUND_REPORT_FORMS = ['message.inbound', 'viber/2way'] as const
export type InboundReportForm = (typeof INBOUND_REPORT_FORMS)[number]
