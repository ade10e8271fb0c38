import { Button, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { NoWarnings } from './no-warnings.tsx';
import { PartsSection } from './parts-section.tsx';
import classes from './system.module.css';
import { useSystemStatus } from './system-warnings-link.tsx';
import { Warning } from './warning.tsx';

/** Shows warnings about the installation and then the state of each part. */
export const SystemPage = () => {
  const { t } = useTranslation(['system', 'shell']);
  const failureText = useFailureText();
  const { data, error, refetch } = useSystemStatus();
  const body = () => {
    if (error)
      return (
        <Notice
          urgent
          title={t('failed')}
          text={failureText(failureOfQuery(error))}
          action={<Button onClick={() => void refetch()}>{t('shell:retry')}</Button>}
        />
      );
    if (!data) return <Skeleton height={120} />;
    if (data.warnings.length === 0) return <NoWarnings program={data.program} />;
    return (
      <ul className={classes.warnings}>
        {data.warnings.map((warning) => (
          <Warning key={warning.kind} warning={warning} program={data.program} />
        ))}
      </ul>
    );
  };
  return (
    <div className={classes.page} aria-busy={!data && !error}>
      <PageHeading>{t('title')}</PageHeading>
      {body()}
      {data && <PartsSection program={data.program} />}
    </div>
  );
};
