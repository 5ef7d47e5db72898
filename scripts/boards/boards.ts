/** The content of the boards. What each metric means is in docs/operations/metrics.md. */
import { type Board, quantiles, rates } from './panel.ts'

const FLOW: Board = {
  name: 'flow',
  title: 'Posthorn: flow',
  about: 'Messages and requests: how many, how fast, with which end.',
  panels: [
    {
      title: 'Accepted',
      about: 'Live messages accepted from clients, by channel of their first step.',
      unit: 'reqps',
      lines: { '{{channel}}': rates('posthorn_messages_accepted_total{mode="live"}', 'channel') },
    },
    {
      title: 'Ended',
      about: 'Messages that ended, by final status.',
      unit: 'reqps',
      lines: { '{{status}}': rates('posthorn_messages_ended_total', 'status') },
    },
    {
      title: 'Share delivered',
      about: 'Delivered or read messages among those that ended, by channel of the last step.',
      unit: 'percentunit',
      max: 1,
      lines: {
        '{{channel}}':
          `${rates('posthorn_messages_ended_total{status=~"DELIVERED|READ"}', 'channel')} / ` +
          rates('posthorn_messages_ended_total', 'channel'),
      },
    },
    {
      title: 'Time to delivery',
      about: 'From when a message was accepted, or was to be sent, to its delivery.',
      unit: 's',
      lines: quantiles('posthorn_delivery_seconds', 'channel', [0.5, 0.95]),
    },
    {
      title: 'Delay of submissions',
      about: 'From when a step was due to its first submission. It rises when carriers are slower than clients.',
      unit: 's',
      lines: quantiles('posthorn_submit_delay_seconds', 'channel', [0.5, 0.95]),
    },
    {
      title: 'Age of the oldest due work',
      about: 'How long messages and reports have been due that no gateway has taken yet.',
      unit: 's',
      lines: { '{{what}}': 'max by (what) (posthorn_oldest_due_seconds)' },
    },
    {
      title: 'Requests',
      about: 'Requests answered, by group of their first operation; refused if they failed as a whole.',
      unit: 'reqps',
      lines: { '{{operation}}': rates('posthorn_request_seconds_count', 'operation') },
    },
    {
      title: 'Time to answer',
      about: 'From a complete request to its answer. A flash call may ring before its answer.',
      unit: 's',
      lines: quantiles('posthorn_request_seconds', 'operation', [0.5, 0.99]),
    },
    {
      title: 'Messages under way',
      about: 'Open messages in the store, and those of them that gateways hold in memory.',
      unit: 'short',
      lines: {
        open: 'max(posthorn_store_rows{what="open messages"})',
        held: 'sum(posthorn_messages_held)',
        'parts in flight': 'sum(posthorn_parts_in_flight)',
      },
    },
    {
      title: 'Access denied',
      about: 'Requests with unknown keys, from networks that are not allowed, of suspended accounts.',
      unit: 'reqps',
      lines: { '{{cause}}': rates('posthorn_access_denied_total', 'cause') },
    },
  ],
}

const SELECTED = '{carrier=~"$carrier"}'

const CARRIERS: Board = {
  name: 'carriers',
  title: 'Posthorn: carriers',
  about: 'Connections, answers and queues of carriers.',
  select: { label: 'carrier', from: 'posthorn_carrier_up' },
  panels: [
    {
      title: 'Connected',
      about: '1 while a gateway is connected to the carrier.',
      unit: 'short',
      max: 1,
      lines: { '{{carrier}}': `max by (carrier) (posthorn_carrier_up${SELECTED})` },
    },
    {
      title: 'Links that are down',
      about: 'Links that no gateway has: for SMPP, binds.',
      unit: 'short',
      lines: {
        '{{carrier}}': `count by (carrier) (max by (carrier, link) (posthorn_carrier_link_up${SELECTED}) == 0) or 0 * max by (carrier) (posthorn_carrier_up${SELECTED})`,
      },
    },
    {
      title: 'Breaker',
      about: '0 closed: the carrier works. 1 half-open: it is being tried. 2 open: it gets no messages.',
      unit: 'short',
      max: 2,
      lines: { '{{carrier}}': `max by (carrier) (posthorn_carrier_breaker${SELECTED})` },
    },
    {
      title: 'Rate',
      about: 'Parts per second that carriers took or refused, and the agreed maximum.',
      unit: 'reqps',
      lines: {
        '{{carrier}}': `sum by (carrier) (posthorn_carrier_rate${SELECTED})`,
        'maximum of {{carrier}}': `max by (carrier) (posthorn_carrier_throughput${SELECTED})`,
      },
    },
    {
      title: 'Answers and receipts',
      about: 'What carriers answered, and what their receipts said.',
      unit: 'reqps',
      lines: { '{{carrier}} {{kind}}': rates(`posthorn_carrier_events_total${SELECTED}`, 'carrier, kind') },
    },
    {
      title: 'Share refused',
      about: 'Refused submissions among those that were taken or refused.',
      unit: 'percentunit',
      max: 1,
      lines: {
        '{{carrier}}':
          `${rates('posthorn_carrier_events_total{carrier=~"$carrier", kind="refused"}', 'carrier')} / ` +
          rates('posthorn_carrier_events_total{carrier=~"$carrier", kind=~"taken|refused"}', 'carrier'),
      },
    },
    {
      title: 'Time to answer',
      about: 'From a submission to the answer of the carrier.',
      unit: 's',
      lines: quantiles(`posthorn_carrier_answer_seconds${SELECTED}`, 'carrier', [0.5, 0.95]),
    },
    {
      title: 'Use of the window',
      about: 'Parts in flight, of those that may be.',
      unit: 'percentunit',
      max: 1,
      lines: {
        '{{carrier}}': `sum by (carrier) (posthorn_carrier_in_flight${SELECTED}) / sum by (carrier) (posthorn_carrier_window${SELECTED})`,
      },
    },
    {
      title: 'Waiting',
      about: 'Messages in the queues of carriers, in memory.',
      unit: 'short',
      lines: { '{{carrier}}': `sum by (carrier) (posthorn_carrier_waiting${SELECTED})` },
    },
    {
      title: 'Not understood',
      about: 'Invalid protocol messages, rejected webhooks, and receipts without a message that were dropped.',
      unit: 'short',
      lines: {
        'protocol of {{carrier}}': `sum by (carrier) (posthorn_carrier_link_misunderstood${SELECTED})`,
        'receipts of {{carrier}}': `sum by (carrier) (posthorn_carrier_dropped_receipts${SELECTED})`,
        'webhooks of {{carrier}}': `sum by (carrier) (posthorn_webhooks_refused_total${SELECTED})`,
      },
    },
  ],
}

const HOOKS: Board = {
  name: 'hooks',
  title: 'Posthorn: hooks',
  about: 'Reports to the hooks of clients.',
  panels: [
    {
      title: 'Results',
      about: 'Tries: sent, later (tried again), failed, gone (410), parked, unsent.',
      unit: 'reqps',
      lines: { '{{result}}': rates('posthorn_report_results_total', 'result') },
    },
    {
      title: 'Share sent at the first try',
      about: 'A low share: hooks of clients fail or are slow.',
      unit: 'percentunit',
      max: 1,
      lines: {
        share:
          'sum(rate(posthorn_report_results_total{result="sent", try="first"}[$__rate_interval])) / ' +
          'sum(rate(posthorn_report_results_total{try="first"}[$__rate_interval]))',
      },
    },
    {
      title: 'Delay',
      about: 'From an event to the delivery of its report. After a failed try, the hook makes most of it.',
      unit: 's',
      lines: quantiles('posthorn_report_delay_seconds', 'try', [0.5, 0.95]),
    },
    {
      title: 'Waiting and failed',
      about: 'Reports and events of feeds in the store.',
      unit: 'short',
      lines: { '{{what}}': 'max by (what) (posthorn_store_rows{what!="open messages"})' },
    },
    {
      title: 'Age of the oldest due report',
      about: 'Seconds while the gateways keep up.',
      unit: 's',
      lines: { age: 'max(posthorn_oldest_due_seconds{what="reports"})' },
    },
    {
      title: 'Stopped hooks',
      about: 'Accounts with hooks that answered 410 and get no reports.',
      unit: 'short',
      lines: { accounts: 'max(posthorn_alarms_open{kind="hook_stopped"})' },
    },
  ],
}

const MONEY: Board = {
  name: 'money',
  title: 'Posthorn: money',
  about: 'Charges and costs of messages. Bills come from the ledger.',
  panels: [
    {
      title: 'Charged per hour',
      about: 'By channel and currency.',
      unit: 'short',
      lines: { '{{channel}} {{currency}}': `${rates('posthorn_charged_total', 'channel, currency')} * 3600` },
    },
    {
      title: 'Cost per hour',
      about: 'As far as costs are known.',
      unit: 'short',
      lines: { '{{channel}} {{currency}}': `${rates('posthorn_cost_total', 'channel, currency')} * 3600` },
    },
    {
      title: 'Margin',
      about: 'Share of the charges that costs in the same currency leave, where costs are known.',
      unit: 'percentunit',
      isSigned: true,
      lines: {
        '{{currency}}': `1 - ${rates('posthorn_cost_total', 'currency')} / ${rates('posthorn_charged_total', 'currency')}`,
      },
    },
    {
      title: 'Charged in the time shown',
      about: 'By currency, since the left edge of the graph.',
      unit: 'short',
      lines: { '{{currency}}': 'sum by (currency) (increase(posthorn_charged_total[$__range]))' },
    },
    {
      title: 'Alarms of money',
      about: 'Low balances, discrepancies of the ledger, and traffic that may be fraud.',
      unit: 'short',
      lines: { '{{kind}}': 'max by (kind) (posthorn_alarms_open{kind=~"balance_low|ledger_discrepancy|pumping"})' },
    },
    {
      title: 'Unusual traffic',
      about: 'Alarms of guards about traffic to expensive or unusual prefixes.',
      unit: 'short',
      lines: { '{{kind}} {{scope}}': 'sum by (kind, scope) (increase(posthorn_guard_alarms_total[$__range]))' },
    },
  ],
}

const NODE: Board = {
  name: 'node',
  title: 'Posthorn: nodes',
  about: 'Health of each gateway: store, processor, memory, event loop.',
  select: { label: 'instance', from: 'posthorn_messages_held' },
  panels: [
    {
      title: 'Up',
      about: '1 while Prometheus reaches the gateway.',
      unit: 'short',
      max: 1,
      lines: { '{{instance}}': 'up{instance=~"$instance"}' },
    },
    {
      title: 'Commits of the store',
      about: 'Batches of changes per second, each with one fsync at most.',
      unit: 'reqps',
      lines: { '{{instance}}': rates('posthorn_store_commit_seconds_count{instance=~"$instance"}', 'instance') },
    },
    {
      title: 'Time of a commit',
      about: 'Until it is on the disk. Everything waits for it.',
      unit: 's',
      lines: quantiles('posthorn_store_commit_seconds{instance=~"$instance"}', 'instance', [0.5, 0.99]),
    },
    {
      title: 'Processor',
      about: 'Cores used, by all threads.',
      unit: 'short',
      lines: { '{{instance}}': rates('process_cpu_seconds_total{instance=~"$instance"}', 'instance') },
    },
    {
      title: 'Memory',
      about: 'Resident memory.',
      unit: 'bytes',
      lines: { '{{instance}}': 'process_resident_memory_bytes{instance=~"$instance"}' },
    },
    {
      title: 'Lag of the event loop',
      about: 'How late timers are: above 0.1 s, the main thread has too much to do.',
      unit: 's',
      lines: { '{{instance}}': 'nodejs_eventloop_lag_p99_seconds{instance=~"$instance"}' },
    },
    {
      title: 'Garbage collection',
      about: 'Share of the time.',
      unit: 'percentunit',
      lines: { '{{instance}}': rates('nodejs_gc_duration_seconds_sum{instance=~"$instance"}', 'instance') },
    },
    {
      title: 'Open files and sockets',
      about: 'Of those that the process may open.',
      unit: 'percentunit',
      max: 1,
      lines: { '{{instance}}': 'process_open_fds{instance=~"$instance"} / process_max_fds{instance=~"$instance"}' },
    },
    {
      title: 'Messages in memory',
      about: 'Ready for an attempt, and parts in flight.',
      unit: 'short',
      lines: {
        'held by {{instance}}': 'posthorn_messages_held{instance=~"$instance"}',
        'in flight at {{instance}}': 'posthorn_parts_in_flight{instance=~"$instance"}',
      },
    },
    {
      title: 'Open alarms',
      about: 'By kind.',
      unit: 'short',
      lines: { '{{kind}}': 'max by (kind) (posthorn_alarms_open)' },
    },
  ],
}

export const BOARDS: readonly Board[] = [FLOW, CARRIERS, HOOKS, MONEY, NODE]
