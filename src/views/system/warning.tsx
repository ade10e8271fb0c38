import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { SystemWarning } from '../../../contract/system-status.ts';
import { damagedPath, refusedCallsPath } from '../app/paths.ts';
import { useMomentText } from '../language/file-error-text.ts';
import { useMailFailureText } from '../language/mail-failure-text.ts';
import { fileSize } from '../ui/file-size.ts';
import classes from './system.module.css';

interface WarningText {
  readonly title: string;
  /** Meaning of the warning. */
  readonly text: string;
  /** Advice to the administrator. */
  readonly cure: string;
  /** Link to details. */
  readonly link?: { readonly href: string; readonly text: string };
}

/** Returns the translated texts of a warning. `program`: how commands are called. */
const useWarningText = (program: string): ((warning: SystemWarning) => WarningText) => {
  const { t, i18n } = useTranslation('system');
  const mailFailureText = useMailFailureText();
  const momentText = useMomentText();
  return (warning) => {
    switch (warning.kind) {
      case 'quarantined-files':
        return {
          title: t('quarantinedFiles', { count: warning.files, size: fileSize(warning.sizeBytes, i18n.language) }),
          text: t('quarantinedFilesText'),
          cure: t('quarantinedFilesCure', { program }),
        };
      case 'damaged-files':
        return {
          title: t('damagedFiles', { count: warning.damaged + warning.missing }),
          text: t('damagedFilesText', { damaged: warning.damaged, missing: warning.missing }),
          cure: t('damagedFilesCure', { program }),
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
          cure: t('databaseOlderCure', { program }),
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
      case 'backup': {
        const { folder } = warning;
        const title = warning.lastGoodAt ? t('backupOld') : t('backupMissing');
        const text = warning.lastGoodAt
          ? t('backupText', { at: momentText(warning.lastGoodAt), folder })
          : t('backupFolder', { folder });
        const reason = warning.error && t(`backup-${warning.error}`);
        return {
          title: reason ? t('backupFailed') : title,
          text: reason ? `${reason} ${text}` : text,
          cure: t('backupCure', { program }),
        };
      }
      case 'refused-access':
        return {
          title: t('refusedAccess', { refused: warning.refused }),
          text: t('refusedAccessText', { count: warning.sources }),
          cure: t('refusedAccessCure'),
          link: { href: refusedCallsPath, text: t('refusedAccessList') },
        };
      case 'mail-failing':
        return {
          title: t('mailFailing', { waiting: warning.waiting, failed: warning.failed }),
          text: mailFailureText(warning.reason),
          cure: t('mailFailingCure'),
        };
      case 'files-folder-unavailable':
        return {
          title: t(isOfBucket(warning.reason) ? 'filesBucket' : 'filesFolder'),
          text: t(`filesFolder-${warning.reason}`),
          cure: t(isOfBucket(warning.reason) ? 'filesBucketCure' : 'filesFolderCure'),
        };
    }
  };
};

/** Reasons of a bucket differ from those of a folder. */
const isOfBucket = (reason: string): boolean => reason.startsWith('store-') || reason.startsWith('bucket-');

interface WarningProps {
  readonly warning: SystemWarning;
  readonly program: string;
}

/** A warning: what it means, since when, and what to do. */
export const Warning = ({ warning, program }: WarningProps) => {
  const { t } = useTranslation('system');
  const { title, text, cure, link } = useWarningText(program)(warning);
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
            <Link href={link.href} className={classes.textLink}>
              {link.text}
            </Link>
          </p>
        )}
      </div>
    </li>
  );
};
