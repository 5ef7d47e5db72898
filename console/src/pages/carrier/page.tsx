/** One carrier: live state, settings, routes, costs; drain, resume, remove. Finance sees its costs and its history. */
import { useNavigate, useParams } from '@tanstack/react-router'
import { CirclePause, CirclePlay, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { CarrierBadge, useCarrierTexts } from '../../features/carriers/carrier-view.tsx'
import { useLiveCarriers } from '../../features/carriers/live-carriers.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { PageHeader, type PageHeaderProps } from '../../parts/page/page.tsx'
import { ErrorState, Loading } from '../../parts/page/states.tsx'
import { TabbedPage, type TabOfPage } from '../../parts/page/tabbed-page.tsx'
import { MESSAGE_CHANNELS } from '../../texts/channels.ts'
import { Costs } from './costs.tsx'
import { DiscardDialog } from './discard-dialog.tsx'
import { History } from './history.tsx'
import { LiveView } from './live-view.tsx'
import { MAX_ROUTES, RoutesOfCarrier } from './routes-of-carrier.tsx'
import { Settings } from './settings.tsx'
import { SettleDialog } from './settle-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { useTextsOfCarrier } from './texts.ts'

export function Page() {
  const { carrier: id = '' } = useParams({ strict: false }) as { readonly carrier?: string }
  const texts = useTextsOfCarrier()
  const may = useMay()
  const back = { to: '/carriers', label: texts.back }
  const history = {
    value: 'history',
    label: texts.history,
    content: () => <History carrier={id} />,
    shown: may('showCarrierHistory'),
  }
  const costs = { value: 'costs', label: texts.costs, content: () => <Costs carrier={id} />, shown: may('listCosts') }
  if (may('showCarrier')) return <WholePage id={id} back={back} history={history} costs={costs} />
  return <TabbedPage title={id} back={back} tabsLabel={texts.tabs} tabs={[costs, history]} />
}

interface WholePageProps extends Pick<PageHeaderProps, 'back'> {
  readonly id: string
  readonly history: TabOfPage<string>
  readonly costs: TabOfPage<string>
}

function WholePage({ id, back, history, costs }: WholePageProps) {
  const texts = useTextsOfCarrier()
  const carrierTexts = useCarrierTexts()
  const { every, withLive } = useLiveCarriers()
  const { data: read, error, refetch } = useApi('/carriers/{id}', { params: { id } }, { every })
  const carrier = read === undefined ? undefined : withLive(read)
  if (carrier === undefined) {
    return (
      <>
        <PageHeader title={id} back={back} />
        {error === null ? <Loading /> : <ErrorState error={error} retry={() => void refetch()} />}
      </>
    )
  }
  return (
    <TabbedPage
      title={id}
      back={back}
      badge={<CarrierBadge carrier={carrier} />}
      description={[carrier.provider?.name, carrierTexts.kinds[carrier.kind], carrierTexts.channels[carrier.channel]]
        .filter((each) => each !== undefined)
        .join(' · ')}
      actions={<Actions carrier={id} channel={carrier.channel} draining={carrier.draining} />}
      tabsLabel={texts.tabs}
      tabs={[
        { value: 'live', label: texts.live, content: () => <LiveView carrier={carrier} /> },
        history,
        { value: 'settings', label: texts.settings, content: () => <Settings carrier={carrier} /> },
        { value: 'routes', label: texts.routes, content: () => <RoutesOfCarrier carrier={id} /> },
        costs,
      ]}
    />
  )
}

interface ActionsProps {
  readonly carrier: string
  readonly channel: string
  readonly draining: boolean
}

function Actions({ carrier, channel, draining }: ActionsProps) {
  const texts = useTextsOfCarrier()
  const may = useMay()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'discard' | 'drain' | 'remove' | 'settle' | 'test' | null>(null)
  const [isResuming, setResuming] = useState(false)
  const params = { id: carrier }
  const refresh = () => invalidate('/carriers', '/carriers/{id}')
  const resume = async () => {
    setResuming(true)
    try {
      await api.post('/carriers/{id}/resume', { params })
      toast(texts.resumed(carrier))
    } catch (error) {
      toast((error as Error).message, 'bad')
    }
    setResuming(false)
    refresh()
  }
  if (!may('drainCarrier')) return null
  return (
    <>
      {isTestable(channel) && !draining && (
        <Button icon={Send} onClick={() => setAsked('test')}>
          {texts.test}
        </Button>
      )}
      {asked === 'test' && <TestDialog carrier={carrier} channel={channel} onClose={() => setAsked(null)} />}
      {draining ? (
        <Button icon={CirclePlay} busy={isResuming} onClick={() => void resume()}>
          {texts.resume}
        </Button>
      ) : (
        <Button icon={CirclePause} onClick={() => setAsked('drain')}>
          {texts.drain}
        </Button>
      )}
      {may('settleMessages') && <Button onClick={() => setAsked('settle')}>{texts.withoutReceipt}</Button>}
      {may('discardCarrierQueue') && <Button onClick={() => setAsked('discard')}>{texts.discard}</Button>}
      {asked === 'discard' && <DiscardDialog carrier={carrier} onClose={() => setAsked(null)} />}
      {asked === 'settle' && <SettleDialog carrier={carrier} onClose={() => setAsked(null)} />}
      <Button icon={Trash2} onClick={() => setAsked('remove')}>
        {texts.remove}
      </Button>
      <ConfirmDialog
        open={asked === 'drain'}
        onClose={() => setAsked(null)}
        title={texts.drainTitle(carrier)}
        action={texts.drain}
        run={async (key) => {
          await api.post('/carriers/{id}/drain', { params, key })
          toast(texts.drained(carrier))
          refresh()
        }}
      >
        <DrainText carrier={carrier} channel={channel} />
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'remove'}
        onClose={() => setAsked(null)}
        title={texts.removeTitle(carrier)}
        action={texts.remove}
        typed={carrier}
        run={async (key) => {
          await api.delete('/carriers/{id}', { params, key })
          toast(texts.removed(carrier))
          invalidate('/carriers')
          void navigate({ to: '/carriers' })
        }}
      >
        {texts.removeText}
      </ConfirmDialog>
    </>
  )
}

/** Calls and lookups carry no text. */
function isTestable(channel: string): boolean {
  return MESSAGE_CHANNELS.some((each) => each === channel)
}

/** What happens to the messages: another carrier takes them, or they wait. */
function DrainText({ carrier, channel }: Pick<ActionsProps, 'carrier' | 'channel'>) {
  const texts = useTextsOfCarrier()
  const { data } = useApi('/routes', { query: { most: MAX_ROUTES } })
  const isAlone = data?.data.every((route) => route.channel !== channel || route.carrier === carrier) === true
  return <>{isAlone ? texts.drainAlone : texts.drainText}</>
}
