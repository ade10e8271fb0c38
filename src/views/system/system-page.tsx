import { Button, Skeleton } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { SystemWarning } from '../../../contract/system-status.ts';
import { damagedPath } from '../app/paths.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { useMomentText } from '../language/file-error-text.ts';
import { fileSize } from '../ui/file-size.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import classes from './system.module.css';
import { useSystemStatus } from './system-warnings-link.tsx';

interface WarningText {
  readonly title: string;
  /** Meaning of the warning. */
  readonly text: string;
  /** Advice to the administrator. */
  readonly cure: string;
  /** Link to details. */
  readonly link?: { readonly href: string; readonly text: string };
}

/** Returns the translated texts of a warning. */
const useWarningText = (): ((warning: SystemWarning) => WarningText) => {
  const { t, i18n } = useTranslation('system');
  return (warning) => {
    switch (warning.kind) {
      case 'quarantined-files':
        return {
          title: t('quarantinedFiles', { count: warning.files, size: fileSize(warning.sizeBytes, i18n.language) }),
          text: t('quarantinedFilesText'),
          cure: t('quarantinedFilesCure'),
        };
      case 'damaged-files':
        return {
          title: t('damagedFiles', { count: warning.damaged + warning.missing }),
          text: t('damagedFilesText', { damaged: warning.damaged, missing: warning.missing }),
          cure: t('damagedFilesCure'),
          link: { href: damagedPath, text: t('damagedList') },
        };
      case 'other-origin':
        return {
          title: t('otherOrigin', { seen: warning.seen.join(', ') }),
          text: t('otherOriginText', { configured: warning.configured }),
          cure: t('otherOriginCure'),
        };
      case 'untrusted-proxy':
        return { title: t('untrustedProxy'), text: t('untrustedProxyText'), cure: t('untrustedProxyCure') };
      case 'database-older-than-files':
        return {
          title: t('databaseOlder'),
          text: t('databaseOlderText', { count: warning.files, size: fileSize(warning.sizeBytes, i18n.language) }),
          cure: t('databaseOlderCure'),
        };
      case 'disk-space': {
        const size = (bytes: number) => fileSize(bytes, i18n.language);
        const sizes = {
          free: size(warning.freeBytes),
          total: size(warning.totalBytes),
          reserved: size(warning.reservedBytes),
        };
        return {
          title: warning.isFull ? t('diskFull') : t('diskLow', sizes),
          text: t(warning.isFull ? 'diskFullText' : 'diskLowText', sizes),
          cure: t('diskCure'),
        };
      }
      case 'files-folder-unavailable':
        return { title: t('filesFolder'), text: t(`filesFolder-${warning.reason}`), cure: t('filesFolderCure') };
    }
  };
};

const Warning = ({ warning }: { readonly warning: SystemWarning }) => {
  const { t } = useTranslation('system');
  const { title, text, cure, link } = useWarningText()(warning);
  const since = useMomentText()(warning.since);
  return (
    <li className={classes.warning}>
      <IconAlertTriangle aria-hidden="true" />
      <div>
        <h2 className={classes.subtitle}>{title}</h2>
        <p className={classes.since}>{t('since', { since })}</p>
        <p>{text}</p>
        <p>{cure}</p>
        {link && (
          <p>
            <Link href={link.href}>{link.text}</Link>
          </p>
        )}
      </div>
    </li>
  );
};

/** Shows warnings about the installation: since when, and what to do. */
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
    if (data.warnings.length === 0)
      return <Notice title={t('noWarnings')} text={t('noWarningsText')} icon={<IconCircleCheck />} />;
    return (
      <ul className={classes.warnings}>
        {data.warnings.map((warning) => (
          <Warning key={warning.kind} warning={warning} />
        ))}
      </ul>
    );
  };
  return (
    <div className={classes.page} aria-busy={!data && !error}>
      <PageHeading>{t('title')}</PageHeading>
      {body()}
    </div>
  );
};
