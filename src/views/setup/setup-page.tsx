import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { SessionActor } from '../../machines/session/session.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { LanguageRow } from '../language/language-row.tsx';
import type { Language } from '../language/languages.ts';
import { EntryFrame } from '../parts/entry-frame.tsx';
import { failureOfQuery, useReading } from '../reading.tsx';
import radiograph from '../theme/radiograph.webp';
import { SetupForm } from './setup-form.tsx';

interface SetupPageProps {
  readonly actor: SessionActor;
  /** The one-time key, when the link brought it. */
  readonly oneTimeKey: string;
  readonly onLanguage: (language: Language) => void;
}

/** The first visit to an empty archive: its first administrator and clinic, then signed in at once. */
export const SetupPage = ({ actor, oneTimeKey, onLanguage }: SetupPageProps) => {
  const { t } = useTranslation(['setup', 'sign-in']);
  const failureText = useFailureText();
  const reading = useReading();
  const welcome = useQuery(reading.welcome());
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isTaken = welcome.data?.awaitsFirstAdministrator === false && !busy;
  return (
    <EntryFrame
      tagline={t('sign-in:tagline')}
      title={t('title')}
      lead={isTaken ? t('taken') : t('lead')}
      picture={radiograph}
      foot={<LanguageRow label={t('sign-in:language')} onChoose={onLanguage} />}
    >
      {isTaken ? (
        <Button component={Link} href="/authorization" size="md">
          {t('sign-in:submit')}
        </Button>
      ) : (
        <SetupForm
          oneTimeKey={oneTimeKey}
          busy={busy}
          failure={failure}
          onSubmit={async (values) => {
            setBusy(true);
            setFailure(null);
            try {
              await reading.createFirstAdministrator(values);
              actor.send({ type: 'sign-in.submitted', email: values.email, password: values.password, code: null });
            } catch (error) {
              setFailure(failureText(failureOfQuery(error)));
              setBusy(false);
            }
          }}
        />
      )}
    </EntryFrame>
  );
};
