import { Button, Skeleton } from '@mantine/core';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import { useTranslation } from 'react-i18next';
import type { SystemDetails } from '../../../contract/system-status.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { usePartTexts } from './parts.ts';
import { PartsSection, useSystemDetails } from './parts-section.tsx';
import classes from './system.module.css';
import { useSystemStatus } from './system-warnings-link.tsx';
import { Warning } from './warning.tsx';

/** Shows that there are no warnings, and the number of parts that still need attention. */
export const NoWarnings = ({ program }: { readonly program: string }) => {
  const { t } = useTranslation(['system', 'system-details']);
  const partTexts = usePartTexts(program);
  const { data, error } = useSystemDetails();
  const attentionCount = (details: SystemDetails): number =>
    [...partTexts(details), ...details.nodes].filter(({ state }) => state !== 'ok').length;
  const textOf = (count: number) => (count === 0 ? t('noWarningsText') : t('system-details:attention', { count }));
  // "No action is needed" must not be claimed before the parts are known.
  const count = data && !error ? attentionCount(data) : null;
  return (
    <Notice
      title={t('noWarnings')}
      text={count === null ? undefined : textOf(count)}
      icon={count === 0 ? <IconCircleCheck /> : <IconInfoCircle />}
    />
  );
};

/** Shows warnings about the installation and then the state of each part. */
export const SystemPage = () => {
  const { t } = useTranslation(['system', 'header', 'shell']);
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
      <PageHeading>{t('header:system')}</PageHeading>
      {body()}
      {data && <PartsSection program={data.program} />}
    </div>
  );
};
