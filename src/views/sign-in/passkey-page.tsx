import { useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type InteractionActor, selectInteractionStep } from '../../machines/interaction/interaction.machine.ts';
import type { Language } from '../language/languages.ts';
import { AuthButton } from '../ui/auth-controls.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { InteractionFrame, OtherMethodsLink, useAttempt } from './interaction-frame.tsx';
import classes from './sign-in.module.css';

interface PasskeyPageProps {
  readonly actor: InteractionActor;
  readonly onLanguage: (language: Language) => void;
}

/** Sign-in with a passkey. The browser asks for it at once. */
export const PasskeyPage = ({ actor, onLanguage }: PasskeyPageProps) => {
  const { t } = useTranslation('sign-in');
  const { busy, failure } = useAttempt(actor);
  const step = useSelector(actor, selectInteractionStep);
  const hasAsked = useRef(false);
  const ask = () => actor.send({ type: 'identification.requested', identification: { kind: 'passkey' } });
  useEffect(() => {
    if (step !== 'method' || hasAsked.current) return;
    hasAsked.current = true;
    actor.send({ type: 'identification.requested', identification: { kind: 'passkey' } });
  }, [actor, step]);
  return (
    <InteractionFrame
      actor={actor}
      title={t('passkeyTitle')}
      introduction={t('passkeyLead')}
      step="passkey"
      onLanguage={onLanguage}
    >
      <div className={classes.stack}>
        <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
        <AuthButton busy={busy} autoFocus onClick={ask}>
          {t('usePasskey')}
        </AuthButton>
        <OtherMethodsLink actor={actor} />
      </div>
    </InteractionFrame>
  );
};
