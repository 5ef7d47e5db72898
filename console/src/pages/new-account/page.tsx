/** A new account in five steps, which end with its secrets and what it still lacks. */
import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/queries.ts'
import { classes } from '../../parts/classes.ts'
import { urlChoice, urlNumber, useUrlState } from '../../parts/list/url-state.ts'
import { Card, PageHeader } from '../../parts/page/page.tsx'
import { CreateStep } from './create-step.tsx'
import { DoneStep } from './done-step.tsx'
import { KeyStep } from './key-step.tsx'
import { MoneyStep } from './money-step.tsx'
import { useNewTexts } from './new-texts.ts'
import { SenderStep } from './sender-step.tsx'

const STEPS = ['account', 'money', 'sender', 'key', 'done'] as const
type Step = (typeof STEPS)[number]
const FIELDS = { account: urlNumber(), step: urlChoice<Step>(STEPS, 'account') }

/** Shown at the end; a reload loses them. */
interface Secrets {
  readonly hook?: string
  readonly key?: string
}

export function Page() {
  const texts = useNewTexts()
  const [{ account: number, step: asked }, change] = useUrlState(FIELDS)
  const [secrets, setSecrets] = useState<Secrets>({})
  const step = number === null ? 'account' : asked
  const { data: account } = useApi(
    '/accounts/{account}',
    { params: { account: number ?? 0 } },
    { enabled: number !== null },
  )
  const go = (next: Step) => change({ step: next }, { push: true })
  const isKnown = account !== undefined && account.account === number
  return (
    <div className="mx-auto max-w-2xl">
      <PageHeader
        title={isKnown ? account.name : texts.title}
        back={{ to: '/accounts', label: texts.back }}
        description={texts.step(STEPS.indexOf(step) + 1, STEPS.length)}
      />
      <StepList step={step} />
      <StepCard step={step}>
        {step === 'account' && (
          <CreateStep
            onCreated={(created) => {
              setSecrets({ hook: created.hook_secret })
              change({ account: created.account, step: 'money' }, { push: true })
            }}
          />
        )}
        {isKnown && step === 'money' && <MoneyStep account={account} onDone={() => go('sender')} />}
        {isKnown && step === 'sender' && <SenderStep account={account} onDone={() => go('key')} />}
        {isKnown && step === 'key' && (
          <KeyStep
            account={account}
            onIssued={(key) => {
              setSecrets((known) => ({ ...known, key }))
              go('done')
            }}
          />
        )}
        {isKnown && step === 'done' && <DoneStep account={account} secrets={secrets} />}
      </StepCard>
    </div>
  )
}

interface StepCardProps {
  readonly step: Step
  readonly children: React.ReactNode
}

/** Moves the focus to the heading of each further step. */
function StepCard({ step, children }: StepCardProps) {
  const texts = useNewTexts()
  const titles: Readonly<Record<Step, string>> = {
    account: texts.title,
    money: texts.moneyTitle,
    sender: texts.senderTitle,
    key: texts.keyTitle,
    done: texts.readyTitle,
  }
  useEffect(() => {
    if (step !== 'account') document.getElementById('step-title')?.focus()
  }, [step])
  return (
    <Card>
      <h2 id="step-title" tabIndex={-1} className="mb-3 text-lg font-semibold">
        {titles[step]}
      </h2>
      {children}
    </Card>
  )
}

function StepList({ step }: { readonly step: Step }) {
  const texts = useNewTexts()
  const at = STEPS.indexOf(step)
  return (
    <ol aria-label={texts.stepsLabel} className="mb-5 flex gap-1.5">
      {STEPS.map((each, index) => (
        <li
          key={each}
          aria-current={each === step ? 'step' : undefined}
          className={classes(
            'min-w-0 grow basis-0 border-t-3 pt-1.5 text-sm',
            index <= at ? 'border-accent' : 'border-line-strong text-muted',
            each === step && 'font-medium',
          )}
        >
          <span className="flex items-center gap-1 truncate max-sm:sr-only">
            {index < at && <Check aria-hidden className="size-3.5 shrink-0" />}
            {texts.steps[each]}
          </span>
        </li>
      ))}
    </ol>
  )
}
