import { Button, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { Notice } from '../ui/notice.tsx';
import { NodesSection } from './nodes-section.tsx';
import classes from './parts.module.css';
import { type PartText, usePartTexts } from './parts.ts';
import { StateMark } from './state-mark.tsx';
import { TestButton } from './test-button.tsx';
import { useSystemDetails } from './use-system-details.ts';

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
