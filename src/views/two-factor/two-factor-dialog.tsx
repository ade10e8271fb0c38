import { Button, Modal } from '@mantine/core';
import { useActorRef, useSelector } from '@xstate/react';
import { use, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import {
  selectStep,
  selectTwoFactorEnd,
  type TwoFactorActor,
  type twoFactorMachine,
} from '../../machines/two-factor/two-factor.machine.ts';
import { useGround } from '../ground.tsx';
import { IconAlert } from '../parts/icon-alert.tsx';
import { toast } from '../parts/toast.ts';
import { CodeForm } from './code-form.tsx';
import { CodesStep } from './codes-step.tsx';
import { KeyStep } from './key-step.tsx';
import classes from './two-factor.module.css';

interface TwoFactorDialogProps {
  readonly logic: Promise<typeof twoFactorMachine>;
  readonly wish: 'turn-on' | 'turn-off';
  readonly email: string;
  readonly onClose: () => void;
}

const steps = ['key', 'code', 'codes'] as const;

/** Where in the three steps one is. */
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

const Step = ({ actor, email }: { actor: TwoFactorActor; email: string }) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  const step = useSelector(actor, selectStep);
  switch (step) {
    case 'key':
      return <KeyStep actor={actor} />;
    case 'code':
      return (
        <CodeForm
          actor={actor}
          label={t('code')}
          help={t('codeHelp')}
          submit={t('turnOn')}
          failed={t('turnOnFailed')}
          digitsOnly
          back={{ label: t('back'), onBack: () => actor.send({ type: 'key.wanted' }) }}
        />
      );
    case 'codes':
      return <CodesStep actor={actor} email={email} />;
    case 'codes-lost':
      return (
        <div className={classes.step}>
          <IconAlert tone="caution">{t('codesLost')}</IconAlert>
          <div className={classes.answers}>
            <Button variant="default" onClick={() => actor.send({ type: 'wizard.left' })}>
              {t('shell:close')}
            </Button>
            <Button data-autofocus onClick={() => actor.send({ type: 'disabling.wanted' })}>
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

/** Turns two-factor on, in three steps, or off. */
export const TwoFactorDialog = ({ logic, wish, email, onClose }: TwoFactorDialogProps) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  const actor = useActorRef(use(logic), { input: { wish }, inspect: useGround().inspect });
  const step = useSelector(actor, selectStep);
  const end = useSelector(actor, selectTwoFactorEnd);
  const words = { on: t('isOn'), off: t('isOff'), close: t('shell:close') };
  const latest = useRef({ words, onClose });
  useEffect(() => {
    latest.current = { words, onClose };
  });
  useEffect(() => {
    if (end === null) return;
    const { words: said, onClose: close } = latest.current;
    if (end !== 'left') toast({ tone: 'good', text: said[end], close: said.close });
    close();
  }, [end]);
  // What is read aloud of a new step begins at its top.
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
      title={wish === 'turn-on' && step !== 'turn-off' ? t('title') : t('turnOffTitle')}
      size={520}
      zIndex={400}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      {wizardStep && <Progress at={wizardStep} />}
      <div ref={top} tabIndex={-1} className={classes.top}>
        <Step key={step} actor={actor} email={email} />
      </div>
    </Modal>
  );
};
