import { Button, Skeleton } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PartState, SystemDetails, TestResult } from '../../../contract/system-status.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { useMomentText } from '../language/file-error-text.ts';
import { languageOf } from '../language/languages.ts';
import { Notice } from '../ui/notice.tsx';
import classes from './parts.module.css';
import { type PartText, usePartTexts } from './parts.ts';

const refreshMs = 60_000;

/** Returns the state of all parts of the installation, refreshed every minute. */
export const useSystemDetails = () => useQuery({ ...useAdministration().systemDetails(), refetchInterval: refreshMs });

/** Sends a test message to the user, and shows what the mail server or the gateway answered. */
const TestButton = ({ kind }: { readonly kind: 'mail' | 'sms' }) => {
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

const icons = { ok: IconCircleCheck, attention: IconAlertTriangle, error: IconCircleX };

/** The state of a part: an icon and a word. */
const StateMark = ({ state, children }: { readonly state: PartState; readonly children: string }) => {
  const Icon = icons[state];
  return (
    <span className={classes.state} data-state={state}>
      <Icon aria-hidden="true" />
      <span>{children}</span>
    </span>
  );
};

/** The running servers of the installation. */
const NodesSection = ({ nodes }: { readonly nodes: SystemDetails['nodes'] }) => {
  const { t } = useTranslation('system-details');
  const momentText = useMomentText();
  return (
    <section className={classes.nodes}>
      <h3 className={classes.name}>{t('nodes')}</h3>
      <ul className={classes.parts} aria-label={t('nodes')}>
        {nodes.map(({ id, name, state, version, roles, startedAt, seenAt, isThis }) => (
          <li key={id} className={classes.part}>
            <h4 className={classes.name}>{isThis ? t('node-this', { name }) : name}</h4>
            <StateMark state={state}>{state === 'ok' ? t('state-ok') : t(`node-${state}`)}</StateMark>
            <div className={classes.text}>
              <p>Dentarium {version}</p>
              {roles !== 'both' && <p>{t(`node-${roles}`)}</p>}
              <p>{t('node-started', { at: momentText(startedAt) })}</p>
              <p className={classes.since}>{t('node-seen', { at: momentText(seenAt) })}</p>
            </div>
          </li>
        ))}
      </ul>
      {nodes.some(({ state }) => state !== 'ok') && <p>{t('node-cure')}</p>}
    </section>
  );
};

const Part = ({ part }: { readonly part: PartText }) => {
  const { t } = useTranslation('system-details');
  return (
    <li className={classes.part}>
      <h3 className={classes.name}>{part.name}</h3>
      <StateMark state={part.state}>{t(`state-${part.state}`)}</StateMark>
      <div className={classes.text}>
        {part.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {part.cure && <p className={classes.cure}>{part.cure}</p>}
        {part.since && <p className={classes.since}>{part.since}</p>}
        {part.test && <TestButton kind={part.test} />}
      </div>
    </li>
  );
};

/** Shows the state of each part of the installation, refreshed every minute. */
export const PartsSection = ({ program }: { readonly program: string }) => {
  const { t } = useTranslation(['system-details', 'shell']);
  const failureText = useFailureText();
  const partTexts = usePartTexts(program);
  const { data, error, refetch } = useSystemDetails();
  if (error)
    return (
      <Notice
        urgent
        title={t('failed')}
        text={failureText(failureOfQuery(error))}
        action={<Button onClick={() => void refetch()}>{t('shell:retry')}</Button>}
      />
    );
  if (!data) return <Skeleton height={240} />;
  return (
    <section className={classes.section}>
      <h2 className={classes.title}>{t('title')}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a control the page could not be scrolled by keyboard */}
      <ul className={classes.parts} aria-label={t('title')} tabIndex={0}>
        {partTexts(data).map((part) => (
          <Part key={part.key} part={part} />
        ))}
      </ul>
      <NodesSection nodes={data.nodes} />
    </section>
  );
};
