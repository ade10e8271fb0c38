import { Button, Modal } from '@mantine/core';
import { useActorRef, useSelector } from '@xstate/react';
import { use, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../contract/account.ts';
import {
  selectStep,
  selectTwoFactorEnd,
  type TwoFactorActor,
  type twoFactorMachine,
} from '../../machines/two-factor/two-factor.machine.ts';
import { useAppContext } from '../app/app-context.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { toast } from '../ui/toast.ts';
import { CodeForm } from './code-form.tsx';
import { CodesStep } from './codes-step.tsx';
import { KeyStep } from './key-step.tsx';
import classes from './two-factor.module.css';

interface TwoFactorDialogProps {
  readonly logic: Promise<typeof twoFactorMachine>;
  readonly change: 'turn-on' | 'turn-off';
  readonly user: CurrentUser;
  readonly onClose: () => void;
}

const steps = ['key', 'code', 'codes'] as const;

/** Step of the wizard. */
const Progress = ({ at }: { at: (typeof steps)[number] }) => {
  const { t } = useTranslation('two-factor');
  const reached = steps.indexOf(at);
  return (
    <ol className={classes.progress} aria-label={t('steps')}>
      {steps.map((step, index) => (
        <li key={step} aria-current={step === at ? 'step' : undefined} data-passed={index < reached || undefined}>
          <span className={classes.number} aria-hidden="true">
            {index + 1}
          </span>
          {t(`step-${step}`)}
        </li>
      ))}
    </ol>
  );
};

const Step = ({ actor, user }: { actor: TwoFactorActor; user: CurrentUser }) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  const step = useSelector(actor, selectStep);
  switch (step) {
    case 'key':
      return <KeyStep actor={actor} user={user} />;
    case 'code':
      return (
        <CodeForm
          actor={actor}
          label={t('code')}
          help={t('codeHelp')}
          submit={t('turnOn')}
          failed={t('turnOnFailed')}
          digitsOnly
          back={{ label: t('back'), onBack: () => actor.send({ type: 'key.requested' }) }}
        />
      );
    case 'codes':
      return <CodesStep actor={actor} email={user.email} />;
    case 'codes-lost':
      return (
        <div className={classes.step}>
          <IconAlert tone="caution">{t('codesLost')}</IconAlert>
          <div className={classes.buttons}>
            <Button variant="default" onClick={() => actor.send({ type: 'wizard.left' })}>
              {t('shell:close')}
            </Button>
            <Button data-autofocus onClick={() => actor.send({ type: 'disabling.requested' })}>
              {t('turnOff')}
            </Button>
          </div>
        </div>
      );
    case 'turn-off':
      return (
        <>
          <p className={classes.lead}>{t('turnOffText')}</p>
          <CodeForm
            actor={actor}
            label={t('codeOrRecovery')}
            submit={t('turnOff')}
            failed={t('turnOffFailed')}
            danger
            back={{ label: t('shell:cancel'), onBack: () => actor.send({ type: 'wizard.left' }) }}
          />
        </>
      );
    default:
      return null;
  }
};

/** Turns two-factor on in three steps, or off. */
export const TwoFactorDialog = ({ logic, change, user, onClose }: TwoFactorDialogProps) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  const actor = useActorRef(use(logic), { input: { goal: change }, inspect: useAppContext().inspect });
  const step = useSelector(actor, selectStep);
  const end = useSelector(actor, selectTwoFactorEnd);
  const finish = useEffectEvent((how: 'on' | 'off' | 'left') => {
    if (how !== 'left') toast({ tone: 'good', text: t(how === 'on' ? 'isOn' : 'isOff'), close: t('shell:close') });
    onClose();
  });
  useEffect(() => {
    if (end !== null) finish(end);
  }, [end]);
  // Scrolls to the top so that a screen reader starts there.
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = top.current?.querySelector<HTMLElement>('[data-autofocus]');
    if (step !== 'end') (field ?? top.current)?.focus();
  }, [step]);
  const wizardStep = steps.find((one) => one === step);
  return (
    <Modal
      opened
      onClose={() => actor.send({ type: 'wizard.left' })}
      title={change === 'turn-on' && step !== 'turn-off' ? t('title') : t('turnOffTitle')}
      size={520}
      zIndex={400}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      {wizardStep && <Progress at={wizardStep} />}
      <div ref={top} tabIndex={-1} className={classes.top}>
        <Step key={step} actor={actor} user={user} />
      </div>
    </Modal>
  );
};
