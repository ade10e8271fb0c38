import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type SessionActor,
  selectIsSigningIn,
  selectIsUnreachable,
  selectSignInFailure,
} from '../../machines/session/session.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { LanguageRow } from '../language/language-row.tsx';
import type { Language } from '../language/languages.ts';
import { EntryFrame } from '../parts/entry-frame.tsx';
import { useReading } from '../reading.tsx';
import radiograph from '../theme/radiograph.webp';
import { DemoAccounts } from './demo-accounts.tsx';
import { type Credentials, SignInForm } from './sign-in-form.tsx';

const empty: Credentials = { email: '', password: '' };

/** Sign in with e-mail and password. */
export const SignInPage = ({
  actor,
  onLanguage,
}: {
  actor: SessionActor;
  onLanguage: (language: Language) => void;
}) => {
  const { t } = useTranslation('sign-in');
  const failureText = useFailureText();
  const busy = useSelector(actor, selectIsSigningIn);
  const failure = useSelector(actor, selectSignInFailure);
  const unreachable = useSelector(actor, selectIsUnreachable);
  const [filled, setFilled] = useState(empty);
  const welcome = useQuery(useReading().welcome());
  return (
    <EntryFrame
      tagline={t('tagline')}
      title={t('title')}
      picture={radiograph}
      foot={<LanguageRow label={t('language')} onChoose={onLanguage} />}
    >
      <SignInForm
        key={filled.email}
        filled={filled}
        busy={busy}
        failure={unreachable ? t('loginServer') : failure && failureText(failure)}
        onSubmit={({ email, password }) => actor.send({ type: 'sign-in.submitted', email, password })}
      />
      <DemoAccounts accounts={welcome.data?.demoAccounts ?? []} onChoose={setFilled} />
    </EntryFrame>
  );
};
