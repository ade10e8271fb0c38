import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TestResult } from '../../../contract/system-status.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { languageOf } from '../language/languages.ts';
import classes from './parts.module.css';

/** Sends a test message to the user, and shows what the mail server or the gateway answered. */
export const TestButton = ({ kind }: { readonly kind: 'mail' | 'sms' }) => {
  const { t, i18n } = useTranslation('system-details');
  const failureText = useFailureText();
  const { testMail, testSms } = useAppQueries();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<string | null>(null);
  const textOf = ({ result, code }: TestResult): string =>
    result === 'sent' || result === 'rejected' ? t(`test-${kind}-${result}`, { code }) : t(`test-${result}`);
  const send = async () => {
    setBusy(true);
    setOutcome(null);
    try {
      const language = languageOf(i18n.language) ?? 'en';
      setOutcome(textOf(await (kind === 'mail' ? testMail : testSms)({ language })));
    } catch (error) {
      setOutcome(failureText(failureOfQuery(error)));
    }
    setBusy(false);
  };
  return (
    <div className={classes.test}>
      <Button variant="default" loading={busy} onClick={() => void send()}>
        {t(`test-${kind}`)}
      </Button>
      <p aria-live="polite">{outcome}</p>
    </div>
  );
};
