/** For each alert, what Prometheus has scraped, once a minute, when it fires and when it does not. */

/** Values by series, in promtool's notation: `0+60x20` rises by 60 each minute, 20 times. */
type Series = Readonly<Record<string, string>>

export interface AlertStory {
  readonly fires: Series
  readonly not: Series
  /** When it fires at the latest. */
  readonly after: string
}

const JOB = 'job="posthorn"'
const NODE = `${JOB}, instance="a:8081"`
const CARRIER = `${NODE}, carrier="acme", channel="sms"`

/** A histogram in which all observations of each minute are in one bucket, below `le`. */
function within(name: string, labels: string, le: string): Series {
  const below = (bound: string) => Number(le) <= Number(bound.replace('+Inf', 'Infinity'))
  return Object.fromEntries(
    ['0.1', '1', '10', '60', '180', '+Inf'].map((bound) => [
      `${name}_bucket{${labels}, le="${bound}"}`,
      below(bound) ? '0+60x40' : '0+0x40',
    ]),
  )
}

export const ALERT_STORIES: Readonly<Record<string, AlertStory>> = {
  PosthornGatewayDown: {
    fires: { [`up{${NODE}}`]: '0x40' },
    not: { [`up{${NODE}}`]: '1 1 1 0 1 1x35' },
    after: '5m',
  },
  PosthornNoGateway: { fires: { 'up{job="other"}': '1x40' }, not: { [`up{${NODE}}`]: '0x40' }, after: '10m' },
  PosthornRestarts: {
    fires: { [`process_start_time_seconds{${NODE}}`]: '100 200 300 400 400x20' },
    not: { [`process_start_time_seconds{${NODE}}`]: '100 200 200x20' },
    after: '5m',
  },
  PosthornEventLoopLag: {
    fires: { [`nodejs_eventloop_lag_p99_seconds{${NODE}}`]: '0.8x40' },
    not: { [`nodejs_eventloop_lag_p99_seconds{${NODE}}`]: '0.01 0.8 0.01x38' },
    after: '15m',
  },
  PosthornFewFilesLeft: {
    fires: { [`process_open_fds{${NODE}}`]: '900x40', [`process_max_fds{${NODE}}`]: '1024x40' },
    not: { [`process_open_fds{${NODE}}`]: '100x40', [`process_max_fds{${NODE}}`]: '1024x40' },
    after: '10m',
  },
  PosthornStoreSlow: {
    fires: within('posthorn_store_commit_seconds', NODE, '1'),
    not: within('posthorn_store_commit_seconds', NODE, '0.1'),
    after: '20m',
  },
  PosthornDatabaseRewound: {
    fires: { [`posthorn_database_rewound_timestamp_seconds{${NODE}}`]: '60000x1500' },
    // Never, a day after 1970.
    not: { [`posthorn_database_rewound_timestamp_seconds{${NODE}}`]: '0x1500' },
    after: '1500m',
  },
  PosthornAlarmCritical: {
    fires: { [`posthorn_alarms_open{${NODE}, kind="ledger_discrepancy"}`]: '1x40' },
    not: { [`posthorn_alarms_open{${NODE}, kind="pumping"}`]: '1x40' },
    after: '5m',
  },
  PosthornAlarm: {
    fires: { [`posthorn_alarms_open{${NODE}, kind="pumping"}`]: '1x40' },
    not: { [`posthorn_alarms_open{${NODE}, kind="carrier_down"}`]: '1x40' },
    after: '5m',
  },
  PosthornNotificationsFail: {
    fires: { [`posthorn_notifications_total{${NODE}, target="chat", result="failed"}`]: '0+1x40' },
    not: { [`posthorn_notifications_total{${NODE}, target="chat", result="sent"}`]: '0+1x40' },
    after: '5m',
  },
  PosthornQueueOld: {
    fires: { [`posthorn_oldest_due_seconds{${NODE}, what="messages"}`]: '0+60x40' },
    not: { [`posthorn_oldest_due_seconds{${NODE}, what="messages"}`]: '2x40' },
    after: '10m',
  },
  PosthornSubmitsLate: {
    fires: within('posthorn_submit_delay_seconds', `${NODE}, channel="sms"`, '180'),
    not: within('posthorn_submit_delay_seconds', `${NODE}, channel="sms"`, '1'),
    after: '30m',
  },
  PosthornRequestsSlow: {
    fires: within('posthorn_request_seconds', `${NODE}, operation="send"`, '10'),
    // A flash call rings before its answer.
    not: within('posthorn_request_seconds', `${NODE}, operation="call"`, '10'),
    after: '20m',
  },
  PosthornRequestsRefused: {
    fires: {
      [`posthorn_request_seconds_count{${NODE}, operation="refused"}`]: '0+30x40',
      [`posthorn_request_seconds_count{${NODE}, operation="send"}`]: '0+60x40',
    },
    not: {
      [`posthorn_request_seconds_count{${NODE}, operation="refused"}`]: '0+1x40',
      [`posthorn_request_seconds_count{${NODE}, operation="send"}`]: '0+60x40',
    },
    after: '25m',
  },
  PosthornAccessDenied: {
    fires: { [`posthorn_access_denied_total{${NODE}, cause="unknown key"}`]: '0+120x40' },
    not: { [`posthorn_access_denied_total{${NODE}, cause="unknown key"}`]: '0+30x40' },
    after: '20m',
  },
  PosthornCarrierDown: {
    fires: { [`posthorn_carrier_up{${CARRIER}}`]: '0x40', [`posthorn_carrier_draining{${CARRIER}}`]: '0x40' },
    not: { [`posthorn_carrier_up{${CARRIER}}`]: '0x40', [`posthorn_carrier_draining{${CARRIER}}`]: '1x40' },
    after: '5m',
  },
  PosthornCarrierLinkDown: {
    fires: { [`posthorn_carrier_link_up{${CARRIER}, link="2"}`]: '0x40' },
    // Another node of the cluster has it.
    not: {
      [`posthorn_carrier_link_up{${CARRIER}, link="2"}`]: '0x40',
      [`posthorn_carrier_link_up{${CARRIER.replace('a:8081', 'b:8081')}, link="2"}`]: '1x40',
    },
    after: '10m',
  },
  PosthornCarrierFailing: {
    fires: { [`posthorn_carrier_breaker{${CARRIER}}`]: '2x40' },
    not: { [`posthorn_carrier_breaker{${CARRIER}}`]: '1x40' },
    after: '5m',
  },
  PosthornCarrierRefuses: {
    fires: {
      [`posthorn_carrier_events_total{${NODE}, carrier="acme", kind="refused"}`]: '0+30x40',
      [`posthorn_carrier_events_total{${NODE}, carrier="acme", kind="taken"}`]: '0+60x40',
    },
    // One message in ten minutes is no share.
    not: {
      [`posthorn_carrier_events_total{${NODE}, carrier="acme", kind="refused"}`]: '0 0 1x38',
      [`posthorn_carrier_events_total{${NODE}, carrier="acme", kind="taken"}`]: '0x40',
    },
    after: '25m',
  },
  PosthornCarrierSlow: {
    fires: within('posthorn_carrier_answer_seconds', CARRIER, '10'),
    not: within('posthorn_carrier_answer_seconds', CARRIER, '1'),
    after: '20m',
  },
  PosthornReceiptsDropped: {
    fires: { [`posthorn_carrier_dropped_receipts{${CARRIER}}`]: '0+5x40' },
    not: { [`posthorn_carrier_dropped_receipts{${CARRIER}}`]: '7x40' },
    after: '5m',
  },
  PosthornWebhooksRefused: {
    fires: { [`posthorn_webhooks_refused_total{${NODE}, carrier="acme"}`]: '0+10x40' },
    not: { [`posthorn_webhooks_refused_total{${NODE}, carrier="acme"}`]: '0+1x40' },
    after: '10m',
  },
  PosthornReportsFail: {
    fires: {
      [`posthorn_report_results_total{${NODE}, result="later", try="first"}`]: '0+60x60',
      [`posthorn_report_results_total{${NODE}, result="sent", try="first"}`]: '0+10x60',
    },
    not: {
      [`posthorn_report_results_total{${NODE}, result="later", try="first"}`]: '0+10x60',
      [`posthorn_report_results_total{${NODE}, result="sent", try="first"}`]: '0+60x60',
    },
    after: '35m',
  },
  PosthornReportsLate: {
    fires: within('posthorn_report_delay_seconds', `${NODE}, try="first"`, '180'),
    // Its hook had failed before.
    not: within('posthorn_report_delay_seconds', `${NODE}, try="again"`, '180'),
    after: '25m',
  },
  PosthornEventsUnread: {
    fires: { [`posthorn_store_rows{${NODE}, what="unread events"}`]: '20000x90' },
    not: { [`posthorn_store_rows{${NODE}, what="unread events"}`]: '20000x10 0 20000x80' },
    after: '65m',
  },
}
